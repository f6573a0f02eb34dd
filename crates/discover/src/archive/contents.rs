//! What is in one archive.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};

use lorimer_core::{Code, Content, Diagnostic, ReadLimit};

use super::visit::{ArchiveError, ArchiveLimits, Input, Refused, visit};
use crate::bundle::content_of;
use crate::frontmatter::{Head, read_head};
use crate::{Reading, WalkPolicy};

/// Bounds on one skill's files. What lies beyond them is not offered.
const MAX_FILES: usize = 1_000;
const MAX_DEPTH: usize = 8;

/// Bytes of an `agents/openai.yaml` that are kept; one more is enough to see that there are too many.
const MAX_OPENAI_YAML: u64 = (1 << 20) + 1;

const OPENAI_YAML: &str = "agents/openai.yaml";

/// What is in one archive: names, and what the metadata is made of.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    files: BTreeSet<String>,
    heads: BTreeMap<String, Result<Head, Diagnostic>>,
    openai_yaml: BTreeMap<String, Vec<u8>>,
    pub(crate) refused: Vec<Refused>,
}

/// A skill file in an archive.
#[derive(Debug)]
pub(crate) struct Packed {
    /// Its name in the archive.
    pub(crate) file: String,
    /// The folder that it lies in; empty at the root of the archive.
    pub(crate) folder: String,
    /// What was read of it, or why it was not.
    pub(crate) head: Result<Head, Diagnostic>,
    /// The `agents/openai.yaml` beside it: its name and its bytes.
    pub(crate) openai_yaml: Option<(String, Vec<u8>)>,
    /// The files beside it that a model may ask for.
    pub(crate) beside: Vec<String>,
}

impl Contents {
    /// Looks at every entry; of skill files only the metadata is kept.
    pub(crate) fn of(
        input: &mut dyn Input,
        limits: &ArchiveLimits,
        reading: &Reading,
        policy: &WalkPolicy,
    ) -> Result<Self, ArchiveError> {
        let mut contents = Self::default();
        let refused = visit(input, limits, &mut |name, bytes| {
            let (folder, base) = name.rsplit_once('/').unwrap_or(("", name));
            if policy.file_names.contains(&base) {
                contents.heads.insert(name.to_owned(), head_of(bytes, reading)?);
            } else if base == "openai.yaml" && (folder == "agents" || folder.ends_with("/agents")) {
                let mut kept = Vec::new();
                bytes.take(MAX_OPENAI_YAML).read_to_end(&mut kept)?;
                contents.openai_yaml.insert(name.to_owned(), kept);
            }
            contents.files.insert(name.to_owned());
            Ok(())
        })?;
        for name in refused.iter().filter_map(|refused| refused.plain.as_ref()) {
            contents.files.remove(name);
            contents.heads.remove(name);
            contents.openai_yaml.remove(name);
        }
        contents.refused = refused;
        Ok(contents)
    }

    /// Returns the skill files that a walk by this policy would find, breadth first, and how many lie too deep.
    pub(crate) fn skills(mut self, policy: &WalkPolicy) -> (Vec<Packed>, usize) {
        let mut folders: Vec<String> = self.heads.keys().map(|file| folder_of(file).to_owned()).collect();
        folders.sort_by(|left, right| depth(left).cmp(&depth(right)).then_with(|| left.cmp(right)));
        folders.dedup();
        let mut skills: BTreeSet<String> = BTreeSet::new();
        let mut too_deep = 0;
        let mut taken = Vec::new();
        for folder in folders {
            if !is_walked(&folder, &skills, policy) {
                continue;
            }
            if depth(&folder) > policy.max_depth {
                too_deep += 1;
                continue;
            }
            let head =
                policy.file_names.iter().find_map(|name| self.heads.remove_entry(&join(&folder, name)));
            if let Some((file, head)) = head {
                skills.insert(folder.clone());
                taken.push((file, folder, head));
            }
        }
        let packed = taken.into_iter().map(|(file, folder, head)| {
            let openai_yaml = self.openai_yaml.remove_entry(&join(&folder, OPENAI_YAML));
            let beside = beside(&self.files, &folder, &skills, policy);
            Packed { file, folder, head, openai_yaml, beside }
        });
        (packed.collect(), too_deep)
    }
}

/// Reads one file of an archive; `None` where there is no usable one of this name.
pub(crate) fn read_file(
    input: &mut dyn Input,
    limits: &ArchiveLimits,
    name: &str,
    limit: ReadLimit,
) -> Result<Option<Content>, ArchiveError> {
    let mut content = None;
    let refused = visit(input, limits, &mut |shown, bytes| {
        if shown == name && content.is_none() {
            content = Some(read_content(bytes, limit)?);
        }
        Ok(())
    })?;
    Ok(content.filter(|_| refused.iter().all(|refused| refused.plain.as_deref() != Some(name))))
}

/// Reads as much as the limit allows, and notices whether there is more.
fn read_content(reader: &mut dyn Read, limit: ReadLimit) -> io::Result<Content> {
    let most = limit.0.map_or(u64::MAX, |limit| u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1));
    let mut bytes = Vec::new();
    reader.take(most).read_to_end(&mut bytes)?;
    Ok(content_of(bytes, limit))
}

/// Reads the metadata, and the rest to its end, so that a damaged file is not taken for a good one.
fn head_of(bytes: &mut dyn Read, reading: &Reading) -> io::Result<Result<Head, Diagnostic>> {
    let head = read_head(bytes, reading)?;
    let rest = io::copy(bytes, &mut io::sink())?;
    let length = u64::try_from(head.bytes_read).unwrap_or(u64::MAX).saturating_add(rest);
    let limit = reading.max_file_bytes.and_then(|limit| u64::try_from(limit).ok());
    Ok(match limit {
        Some(limit) if length > limit => Err(Diagnostic::new(
            Code::FileTooLarge,
            format!("the file has {length} bytes, more than {limit}"),
        )),
        _ => Ok(head),
    })
}

fn folder_of(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

fn depth(folder: &str) -> usize {
    if folder.is_empty() { 0 } else { folder.matches('/').count() + 1 }
}

/// Returns whether a walk would come to a folder. The skills above it are known already.
fn is_walked(folder: &str, skills: &BTreeSet<String>, policy: &WalkPolicy) -> bool {
    if folder.is_empty() {
        return policy.skill_file_in_root;
    }
    let mut above = String::new();
    for part in folder.split('/') {
        let below_skill = skills.contains(&above);
        let skipped = (!policy.descend_hidden && part.starts_with('.'))
            || policy.skip_directories.contains(&part)
            || (below_skill && !policy.descend_into_skills)
            || (below_skill && policy.skip_in_skills.contains(&part));
        if skipped {
            return false;
        }
        above = join(&above, part);
    }
    true
}

/// Returns the files below a skill's folder: no skill file, nothing hidden, nothing of a skill further down.
fn beside(
    files: &BTreeSet<String>,
    folder: &str,
    skills: &BTreeSet<String>,
    policy: &WalkPolicy,
) -> Vec<String> {
    let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    let below = files.range(start.clone()..).take_while(|file| file.starts_with(&start));
    let offered = below.filter(|file| {
        let inner = file.get(start.len()..).unwrap_or_default();
        let mut parts: Vec<&str> = inner.split('/').collect();
        let name = parts.pop().unwrap_or_default();
        let mut above = folder.to_owned();
        parts.len() <= MAX_DEPTH
            && !policy.file_names.contains(&name)
            && !name.starts_with('.')
            && parts.into_iter().all(|part| {
                above = join(&above, part);
                !part.starts_with('.') && !skills.contains(&above)
            })
    });
    offered.take(MAX_FILES).cloned().collect()
}
