//! Makes the working copy of a case.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail, ensure};
use serde_json::{Map, Value};

use super::case::{Case, Setup};
use crate::cases::scratch;

/// A working copy. It is removed when this is dropped.
#[derive(Debug)]
pub(crate) struct Copy {
    folder: PathBuf,
}

impl Copy {
    /// Returns the absolute path, without links.
    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }

    fn empty() -> anyhow::Result<Self> {
        let base = std::env::temp_dir().canonicalize().context("there is no temporary folder")?;
        let folder = tempfile::Builder::new().prefix("field").tempdir_in(base)?.keep();
        Ok(Self { folder })
    }

    /// Copies the input of a case and runs its script. `Err` inside says what this machine lacks for it.
    pub(crate) fn of(case: &Case) -> anyhow::Result<Result<Self, String>> {
        if let Some(lacking) = lacking(&case.setup)? {
            return Ok(Err(lacking));
        }
        let copy = Self::empty()?;
        let input = case.folder.join("input");
        if input.exists() {
            copy_below(&input, &copy.folder).context("cannot copy the input")?;
            if case.setup.needs.iter().any(|need| need == "symlinks") && !has_links(&copy.folder)? {
                restore_links(&copy.folder).context("cannot make the links again")?;
            }
        }
        if let Some(script) = &case.setup.script {
            run_script(&case.folder.join(script), &copy.folder)?;
        }
        for fact in &case.setup.facts {
            check_fact(&copy.folder, fact)?;
        }
        Ok(Ok(copy))
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        scratch::remove(&self.folder);
    }
}

/// Copies what is in a folder: links as links, and with the right to write, which the original may lack.
pub(super) fn copy_below(from: &Path, to: &Path) -> anyhow::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, place, kind) = (entry.path(), to.join(entry.file_name()), entry.file_type()?);
        if kind.is_symlink() {
            scratch::link(&fs::read_link(&source)?, &place)?;
        } else if kind.is_dir() {
            fs::create_dir(&place)?;
            copy_below(&source, &place)?;
        } else {
            fs::write(&place, fs::read(&source)?)?;
        }
    }
    Ok(())
}

fn has_links(folder: &Path) -> anyhow::Result<bool> {
    for entry in fs::read_dir(folder)? {
        let (kind, path) = entry.and_then(|entry| Ok((entry.file_type()?, entry.path())))?;
        if kind.is_symlink() || (kind.is_dir() && has_links(&path)?) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Makes links of the files that stand for links. Where Git cannot make links, or is told not to
/// (`core.symlinks=false`), it writes a file that holds nothing but the link's target, without a line feed.
fn restore_links(folder: &Path) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder)? {
        let (kind, path) = entry.and_then(|entry| Ok((entry.file_type()?, entry.path())))?;
        if kind.is_dir() {
            restore_links(&path)?;
        } else if let Some(target) = target(&fs::read(&path)?) {
            fs::remove_file(&path)?;
            scratch::link(Path::new(target), &path)?;
        }
    }
    Ok(())
}

fn target(content: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(content).ok().filter(|text| (1..=4096).contains(&text.len()))?;
    let is_path = !text.contains(|character: char| character.is_whitespace() || character.is_control());
    is_path.then_some(text)
}

fn run_script(script: &Path, folder: &Path) -> anyhow::Result<()> {
    let output = Command::new("/bin/sh")
        .arg(script)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .context("cannot run `/bin/sh`")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "the setup script failed: {}", said.trim());
    Ok(())
}

/// Returns what a setup needs and this machine does not have.
fn lacking(setup: &Setup) -> anyhow::Result<Option<String>> {
    for need in &setup.needs {
        if let Some(reason) = why_unmet(need)? {
            return Ok(Some(format!("needs {need}: {reason}")));
        }
    }
    Ok(None)
}

/// Returns whether a setup needs somebody whom modes stop, and this is root.
pub(crate) fn needs_another_user(setup: &Setup) -> bool {
    let needed = setup.needs.iter().any(|need| need == super::unprivileged::NEED);
    needed && Copy::empty().is_ok_and(|probe| is_root(&probe.folder))
}

fn why_unmet(need: &str) -> anyhow::Result<Option<&'static str>> {
    let probe = Copy::empty()?;
    let place = |name: &str| probe.folder.join(name);
    let (met, reason) = match need {
        "git-optional" => (true, ""),
        "symlinks" => {
            (scratch::link(Path::new("target"), &place("link")).is_ok(), "links cannot be made here")
        }
        "fifo" => (runs(Command::new("mkfifo").arg(place("pipe"))), "pipes cannot be made here"),
        "git" => (runs(Command::new("git").arg("--version")), "there is no git"),
        super::unprivileged::NEED => (!is_root(&probe.folder), "this is run as root, whom no mode stops"),
        "case-sensitive-fs" => {
            fs::write(place("a"), "")?;
            (!place("A").exists(), "the temporary folder does not tell capitals apart")
        }
        "posix-names" => (fs::write(place("<:>\"|?*\\"), "").is_ok(), "file names are restricted here"),
        _ => (false, "this runner does not know how to tell"),
    };
    Ok((!met).then_some(reason))
}

fn runs(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Returns whether a folder that this process has made belongs to the superuser.
#[cfg(unix)]
pub(crate) fn is_root(made: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    made.metadata().is_ok_and(|metadata| metadata.uid() == 0)
}

#[cfg(not(unix))]
pub(crate) fn is_root(_: &Path) -> bool {
    false
}

/// Checks a claim about the tree before anything is tested on it.
fn check_fact(folder: &Path, fact: &Map<String, Value>) -> anyhow::Result<()> {
    let name = fact.get("path").and_then(Value::as_str).context("a fact names no path")?;
    let path = folder.join(name);
    for (key, claim) in fact.iter().filter(|(key, _)| *key != "path") {
        let text = claim.as_str().unwrap_or_default();
        let holds = match key.as_str() {
            "is" => is(&path, text)?,
            "starts_with_hex" => fs::read(&path)?.starts_with(&unhex(text)?),
            "contains_hex" => {
                let (bytes, part) = (fs::read(&path)?, unhex(text)?);
                !part.is_empty() && bytes.windows(part.len()).any(|window| window == part)
            }
            "size_gt" => {
                claim.as_u64().is_some_and(|size| path.metadata().is_ok_and(|file| file.len() > size))
            }
            _ => bail!("the fact `{key}` is not understood"),
        };
        ensure!(holds, "the prepared tree is not as the case says: `{name}` {key} {claim}");
    }
    Ok(())
}

fn is(path: &Path, kind: &str) -> anyhow::Result<bool> {
    let Ok(metadata) = path.symlink_metadata() else { return Ok(false) };
    Ok(match kind {
        "file" => metadata.is_file(),
        "dir" => metadata.is_dir(),
        "symlink" => metadata.is_symlink() && path.exists(),
        "dangling" => metadata.is_symlink() && !path.exists(),
        "fifo" => is_fifo(&metadata),
        _ => bail!("the kind `{kind}` is not understood"),
    })
}

#[cfg(unix)]
fn is_fifo(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    metadata.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_fifo(_: &fs::Metadata) -> bool {
    false
}

fn unhex(text: &str) -> anyhow::Result<Vec<u8>> {
    let digits: Vec<char> = text.chars().collect();
    ensure!(digits.len().is_multiple_of(2), "`{text}` is not hexadecimal");
    let byte = |pair: &[char]| u8::from_str_radix(&pair.iter().collect::<String>(), 16);
    digits.chunks(2).map(|pair| Ok(byte(pair)?)).collect()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::field::case::tests::case;
    use serde_json::json;

    fn prepared(setup: Value) -> anyhow::Result<Result<Copy, String>> {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("input");
        fs::create_dir_all(input.join("dir")).unwrap();
        fs::write(input.join("dir/file"), b"ab\xff").unwrap();
        scratch::set_mode(&input.join("dir/file"), 0o400).unwrap();
        scratch::link(Path::new("dir/file"), &input.join("link")).unwrap();
        scratch::link(Path::new("nowhere"), &input.join("dead")).unwrap();
        fs::write(folder.path().join("setup.sh"), "mkdir made && mkfifo made/pipe\n").unwrap();
        fs::write(folder.path().join("bad.sh"), "echo no >&2; exit 3\n").unwrap();
        let mut case = case("{}", "[]", "{}");
        case.setup = serde_json::from_value(setup).unwrap();
        case.folder = folder.path().to_owned();
        Copy::of(&case)
    }

    #[test]
    fn the_copy_keeps_links_and_can_be_written_and_is_removed() {
        let copy = prepared(
            json!({"script": "setup.sh", "needs": ["symlinks", "fifo", "git-optional"], "facts": [
                {"path": "dir", "is": "dir"}, {"path": "dir/file", "is": "file", "contains_hex": "ff", "size_gt": 2},
                {"path": "link", "is": "symlink"}, {"path": "dead", "is": "dangling"}, {"path": "made/pipe", "is": "fifo"},
                {"path": "dir/file", "starts_with_hex": "6162"}
            ]}),
        );
        let copy = copy.unwrap().unwrap();
        fs::write(copy.path().join("dir/file"), "new").unwrap();
        let folder = copy.path().to_owned();
        drop(copy);
        assert!(!folder.exists());
    }

    #[test]
    fn links_that_are_stored_as_texts_are_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("input");
        fs::create_dir_all(input.join("dir")).unwrap();
        fs::write(input.join("dir/link"), "../file").unwrap();
        fs::write(input.join("file"), "text\n").unwrap();
        let mut case = case("{}", "[]", "{}");
        case.folder = folder.path().to_owned();
        let is_link = |case: &Case| {
            let copy = Copy::of(case).unwrap().unwrap();
            assert!(copy.path().join("file").symlink_metadata().unwrap().is_file());
            copy.path().join("dir/link").symlink_metadata().unwrap().is_symlink()
        };
        assert!(!is_link(&case), "a case that needs no links has none");
        case.setup.needs = vec!["symlinks".to_owned()];
        assert!(is_link(&case));
        scratch::link(Path::new("file"), &input.join("real")).unwrap();
        assert!(!is_link(&case), "where links are kept, a text is a text");
    }

    #[test]
    fn a_tree_that_is_not_as_claimed_is_not_tested() {
        for fact in [
            json!({"path": "dir/file", "is": "dir"}),
            json!({"path": "link", "is": "dangling"}),
            json!({"path": "gone", "is": "file"}),
            json!({"path": "dir/file", "starts_with_hex": "ff"}),
            json!({"path": "dir/file", "contains_hex": "00"}),
            json!({"path": "dir/file", "size_gt": 3}),
            json!({"path": "dir/file", "colour": "red"}),
            json!({"path": "dir/file", "is": "odd"}),
            json!({"is": "file"}),
        ] {
            assert!(prepared(json!({"facts": [fact.clone()]})).is_err(), "{fact}");
        }
        let error = prepared(json!({"script": "bad.sh"})).unwrap_err();
        assert!(error.to_string().ends_with("failed: no"), "{error}");
    }

    #[test]
    fn an_unmet_need_is_a_reason_and_no_error() {
        let reason = prepared(json!({"needs": ["a-printer"]})).unwrap().unwrap_err();
        assert!(reason.starts_with("needs a-printer"), "{reason}");
    }
}
