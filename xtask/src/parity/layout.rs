//! Lays a case out on disk: files below a scratch folder whose path is exactly as long as when it was recorded.
//!
//! Listings are paid for by the byte, and paths stand in them, so the length of the scratch path is part of the
//! experiment.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};
use base64::Engine as _;
use serde_json::{Map, Value};

use super::case::{Case, FileSpec};
use crate::cases::scratch::{self, link, set_mode};

/// Stands for the scratch folder in cases.
const PLACEHOLDER: &str = "<SCRATCH>";

/// The folders of a case. They are removed when this is dropped.
#[derive(Debug)]
pub(crate) struct Layout {
    scratch: PathBuf,
    /// The name of the system folder below the scratch folder, and where it really is, when that is elsewhere.
    system: Option<(String, PathBuf)>,
}

impl Layout {
    /// Makes the folders and files of a case. `Err` inside says why it cannot be laid out on this machine.
    pub(crate) fn new(case: &Case) -> anyhow::Result<Result<Self, String>> {
        let options = &case.options;
        let scratch = match folder_of(options.scratch_bytes)? {
            Ok(scratch) => scratch,
            // The recording says that the length makes no difference.
            Err(_) if options.scratch_sensitive == Some(false) => match folder_of(None)? {
                Ok(scratch) => scratch,
                Err(reason) => return Ok(Err(reason)),
            },
            Err(reason) => return Ok(Err(reason)),
        };
        let mut layout = Self { scratch, system: None };
        if let (Some(name), Some(_)) = (&options.system_root, options.system_root_bytes) {
            match folder_of(options.system_root_bytes)? {
                Ok(folder) => layout.system = Some((name.clone(), folder)),
                Err(reason) => return Ok(Err(reason)),
            }
        }
        if options.git {
            fs::create_dir_all(layout.place("project/.git"))?;
        }
        layout.write(&case.files)?;
        Ok(Ok(layout))
    }

    /// Returns where a path of the case is on disk.
    pub(crate) fn place(&self, path: &str) -> PathBuf {
        if let Some((name, folder)) = &self.system
            && let Some(rest) = path.strip_prefix(name.as_str())
            && (rest.is_empty() || rest.starts_with('/'))
        {
            // Joining nothing would leave a slash at the end, and lengths count.
            let rest = rest.trim_start_matches('/');
            return if rest.is_empty() { folder.clone() } else { folder.join(rest) };
        }
        self.scratch.join(path)
    }

    /// Writes files, over those that are there.
    pub(crate) fn write(&self, files: &[FileSpec]) -> anyhow::Result<()> {
        for file in files {
            self.write_one(file).with_context(|| format!("cannot lay out `{}`", file.path))?;
        }
        Ok(())
    }

    fn write_one(&self, file: &FileSpec) -> anyhow::Result<()> {
        let place = self.place(&file.path);
        if file.dir {
            fs::create_dir_all(&place)?;
        } else {
            if let Some(parent) = place.parent() {
                fs::create_dir_all(parent)?;
            }
            if let Some(target) = &file.symlink {
                link(&self.target(&file.path, target), &place)?;
                return Ok(());
            }
            if file.fifo {
                let status = Command::new("mkfifo").arg(&place).status().context("cannot run `mkfifo`")?;
                anyhow::ensure!(status.success(), "`mkfifo` failed");
            } else {
                fs::write(&place, self.content(file)?)?;
            }
        }
        match &file.mode {
            Some(mode) => set_mode(&place, u32::from_str_radix(mode, 8)?),
            None => Ok(()),
        }
    }

    /// Returns the text of a link. One that leads from the scratch folder into a system folder elsewhere, or back,
    /// has to be absolute.
    fn target(&self, link: &str, target: &str) -> PathBuf {
        if target.starts_with('/') || self.system.is_none() {
            return PathBuf::from(self.substitute(target));
        }
        let from = Path::new(link).parent().unwrap_or(Path::new(""));
        let Some(to) = normal(&from.join(target)) else { return PathBuf::from(target) };
        let to = self.place(&to);
        let is_system = |path: &Path| !path.starts_with(&self.scratch);
        if is_system(&to) == is_system(&self.place(link)) { PathBuf::from(target) } else { to }
    }

    fn content(&self, file: &FileSpec) -> anyhow::Result<Vec<u8>> {
        let text = |text: &str| if file.subst { self.substitute(text) } else { text.to_owned() };
        if let Some(encoded) = &file.base64 {
            return Ok(base64::engine::general_purpose::STANDARD.decode(encoded)?);
        }
        if let Some(plain) = &file.text {
            return Ok(text(plain).into_bytes());
        }
        let Some(bytes) = file.bytes else { bail!("the case does not say what is in it") };
        let (head, tail) =
            (file.head.as_deref().unwrap_or_default(), file.tail.as_deref().unwrap_or_default());
        let filler =
            file.fill.as_deref().filter(|fill| !fill.is_empty()).context("nothing to fill it with")?;
        let middle = bytes.checked_sub(head.len() + tail.len()).context("head and tail exceed `bytes`")?;
        Ok(head.bytes().chain(filler.bytes().cycle().take(middle)).chain(tail.bytes()).collect())
    }

    /// Removes files and folders; what is not there is no error.
    pub(crate) fn remove(&self, paths: &[String]) -> anyhow::Result<()> {
        for path in paths {
            let place = self.place(path);
            let Ok(metadata) = place.symlink_metadata() else { continue };
            if metadata.is_dir() { fs::remove_dir_all(&place) } else { fs::remove_file(&place) }
                .with_context(|| format!("cannot remove `{path}`"))?;
        }
        Ok(())
    }

    /// Puts the real paths in the place of `<SCRATCH>`.
    pub(crate) fn substitute(&self, text: &str) -> String {
        let mut parts = text.split(PLACEHOLDER);
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let below = part.strip_prefix('/').unwrap_or(part);
            let rest = self.system.as_ref().and_then(|(name, folder)| {
                let rest = below.strip_prefix(name.as_str())?;
                let ends = rest.chars().next().is_none_or(|next| !next.is_alphanumeric() && next != '-');
                (part.starts_with('/') && ends).then_some((folder, rest))
            });
            let (folder, rest) = rest.unwrap_or((&self.scratch, part));
            out.push_str(&folder.to_string_lossy());
            out.push_str(rest);
        }
        out
    }

    /// Puts the real paths into every text of a value, keys included.
    pub(crate) fn substitute_all(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.substitute(text)),
            Value::Array(items) => items.iter().map(|item| self.substitute_all(item)).collect(),
            Value::Object(map) => Value::Object(self.substitute_map(map)),
            other => other.clone(),
        }
    }

    /// Puts the real paths into every text of a map, keys included.
    pub(crate) fn substitute_map(&self, map: &Map<String, Value>) -> Map<String, Value> {
        map.iter().map(|(key, value)| (self.substitute(key), self.substitute_all(value))).collect()
    }

    /// Puts `<SCRATCH>` in the place of the real paths, for people.
    pub(crate) fn conceal(&self, text: &str) -> String {
        let mut text = text.replace(&*self.scratch.to_string_lossy(), PLACEHOLDER);
        if let Some((name, folder)) = &self.system {
            text = text.replace(&*folder.to_string_lossy(), &format!("{PLACEHOLDER}/{name}"));
        }
        text
    }
}

impl Drop for Layout {
    fn drop(&mut self) {
        let folders = std::iter::once(&self.scratch).chain(self.system.iter().map(|(_, folder)| folder));
        for folder in folders {
            scratch::remove(folder);
        }
    }
}

/// Makes an empty folder whose absolute path has so many bytes; any number when `None`.
fn folder_of(bytes: Option<usize>) -> anyhow::Result<Result<PathBuf, String>> {
    let temporary = std::env::temp_dir();
    for base in [temporary.as_path(), Path::new("/tmp")] {
        let Ok(base) = base.canonicalize() else { continue };
        let length = base.as_os_str().len() + 1;
        let name = bytes.map_or(Some(15), |bytes| bytes.checked_sub(length));
        // A short name leaves too few different ones for runs side by side.
        let Some(name) = name.filter(|name| (4..=200).contains(name)) else { continue };
        let made = tempfile::Builder::new().prefix("p").rand_bytes(name - 1).tempdir_in(&base)?;
        return Ok(Ok(made.keep()));
    }
    Ok(Err(format!("no temporary folder can have a path of {} bytes", bytes.unwrap_or(0))))
}

/// Resolves `.` and `..` of a path of the case by its text; `None` when it leaves the scratch folder.
fn normal(path: &Path) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(part) => parts.push(part.to_string_lossy().into_owned()),
            Component::ParentDir => {
                parts.pop()?;
            }
            _ => {}
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn case(text: &str) -> Case {
        serde_json::from_str(text).unwrap()
    }

    fn laid_out(text: &str) -> Layout {
        Layout::new(&case(text)).unwrap().unwrap()
    }

    #[test]
    fn every_kind_of_file_is_made_and_all_of_it_is_removed() {
        let layout = laid_out(
            r#"{"harness": "x", "id": "x", "steps": [],
            "options": {"cwd": "project", "git": true, "scratch_bytes": 60},
            "files": [
                {"path": "project/a", "text": "at <SCRATCH>", "subst": true},
                {"path": "b", "text": "at <SCRATCH>"},
                {"path": "c", "base64": "/w=="},
                {"path": "d", "head": "h", "fill": "xy", "bytes": 6, "tail": "t"},
                {"path": "e", "symlink": "b"},
                {"path": "f", "fifo": true},
                {"path": "g", "dir": true, "mode": "000"}
            ]}"#,
        );
        let scratch = layout.scratch.clone();
        assert_eq!(scratch.as_os_str().len(), 60);
        assert_eq!(
            fs::read_to_string(layout.place("project/a")).unwrap(),
            format!("at {}", scratch.display())
        );
        assert_eq!(fs::read_to_string(layout.place("e")).unwrap(), "at <SCRATCH>");
        assert_eq!(fs::read(layout.place("c")).unwrap(), [0xff]);
        assert_eq!(fs::read_to_string(layout.place("d")).unwrap(), "hxyxyt");
        assert!(layout.place("project/.git").is_dir());
        assert!(!layout.place("f").metadata().unwrap().is_file());
        layout.remove(&["d".to_owned(), "project".to_owned(), "nothing".to_owned()]).unwrap();
        assert!(!layout.place("d").exists() && !layout.place("project").exists());
        drop(layout);
        assert!(!scratch.exists());
    }

    #[test]
    fn the_system_folder_lies_apart_and_links_lead_there() {
        let layout = laid_out(
            r#"{"harness": "x", "id": "x", "steps": [],
            "options": {"cwd": "project", "system_root": "etc", "system_root_bytes": 50},
            "files": [
                {"path": "store/a", "text": "a"},
                {"path": "etc/skills/a", "symlink": "../../store/a"},
                {"path": "etc/skills/b", "symlink": "../b"},
                {"path": "back", "symlink": "etc/b"},
                {"path": "etc/b", "text": "b"}
            ]}"#,
        );
        let system = layout.place("etc");
        assert_eq!(system.as_os_str().len(), 50);
        assert_eq!(fs::read_to_string(system.join("skills/a")).unwrap(), "a");
        assert_eq!(fs::read_to_string(system.join("skills/b")).unwrap(), "b");
        assert_eq!(fs::read_to_string(layout.place("back")).unwrap(), "b");

        let text = "<SCRATCH>/etc/x <SCRATCH>/etcetera <SCRATCH>";
        let real = layout.substitute(text);
        assert!(real.starts_with(&format!("{}/x ", system.display())), "{real}");
        assert_eq!(layout.conceal(&real), text);
        drop(layout);
        assert!(!system.exists());
    }

    #[test]
    fn a_length_that_cannot_be_had_is_a_reason_unless_it_makes_no_difference() {
        let text = |sensitive: bool| {
            format!(
                r#"{{"harness": "x", "id": "x", "steps": [], "files": [],
                "options": {{"cwd": "p", "scratch_bytes": 3, "scratch_sensitive": {sensitive}}}}}"#
            )
        };
        assert!(Layout::new(&case(&text(true))).unwrap().is_err());
        assert!(Layout::new(&case(&text(false))).unwrap().is_ok());
    }
}
