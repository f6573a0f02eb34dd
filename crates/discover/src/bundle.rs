//! What sources have in common whose skills are no files of this machine's own tree.

use std::path::Path;
use std::sync::{PoisonError, RwLock};

use lorimer_core::{Content, Diagnostic, Locator, ReadLimit, Skill};

use crate::{ReadError, ScanRequest, Source, openai};

/// Adds what the bytes of an `agents/openai.yaml` say. Icons are named relative to the skill's `folder`.
pub(crate) fn add_openai_yaml(
    skill: &mut Skill,
    bytes: &[u8],
    locator: &Locator,
    folder: &Path,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let metadata = openai::parse(bytes, folder);
    diagnostics.extend(metadata.findings.into_iter().map(|finding| finding.at(locator.clone())));
    skill.policy.implicit &= metadata.policy.implicit;
    skill.policy.products = metadata.policy.products;
    skill.dependencies = metadata.dependencies;
    skill.interface = metadata.interface;
}

/// Asks what a source has listed. The first question of all makes a scan.
pub(crate) fn ask<L, T>(
    source: &dyn Source,
    listed: &RwLock<Option<L>>,
    locator: &Locator,
    of: impl FnOnce(&mut L) -> Option<T>,
) -> Result<T, ReadError> {
    let unknown = listed.read().unwrap_or_else(PoisonError::into_inner).is_none();
    if unknown {
        source.scan(&ScanRequest::default());
    }
    let mut listed = listed.write().unwrap_or_else(PoisonError::into_inner);
    listed.as_mut().and_then(of).ok_or_else(|| ReadError::NotListed(locator.clone()))
}

/// Returns the content of these bytes, cut at the limit.
pub(crate) fn content_of(mut bytes: Vec<u8>, limit: ReadLimit) -> Content {
    let cut = limit.0.is_some_and(|limit| bytes.len() > limit);
    if let Some(limit) = limit.0 {
        bytes.truncate(limit);
    }
    Content { cut, ..Content::whole(bytes) }
}
