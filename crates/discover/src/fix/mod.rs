//! Putting right what was found: a plan that is proved before anything is written.
//!
//! ```text
//! plan      the file still is what was checked; the edits do not overlap;
//!           the new text says the same and needs no leniency any more
//! write     the file still is what was planned for; a new file takes its place
//! ```

mod edits;
mod rename;
mod write;

use std::fs;
use std::path::{Path, PathBuf};

use lorimer_core::{Digest, Fix};

use crate::boundary::{Limit, read_beginning};
use crate::frontmatter::{Outcome, Reading, parse};

/// A file, and what is to be done to it.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The file.
    pub path: &'a Path,
    /// What it was when it was checked.
    pub digest: Digest,
    /// What is to be done. Fixes that are equal count once.
    pub fixes: &'a [Fix],
    /// Folders that were checked. A file that really lies elsewhere is left alone.
    pub roots: &'a [PathBuf],
}

/// Why a file is left as it is.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It is a link, or lies behind one, that leads out of what was checked; the file itself is here.
    #[error("it lies outside the folders that were checked")]
    Outside(PathBuf),
    /// Somebody else has written it in the meantime.
    #[error("it has changed since it was checked")]
    Changed,
    /// Two fixes want to change the same text, or the file to be called in two ways.
    #[error("two fixes contradict each other")]
    Contradiction,
    /// A fix would change more than it should.
    #[error("the file would not say the same any more")]
    OtherMeaning,
    /// A file of the new name is there.
    #[error("there is a `{0}` already")]
    Exists(String),
    /// Its text was put right, and then it could not be given its name.
    #[error("its text is put right, but it could not be renamed: {0}")]
    NotRenamed(Box<Error>),
    /// It could not be read or written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

/// What is going to be done to a file. Nothing has been yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The file, without links in its path.
    pub path: PathBuf,
    /// Its bytes.
    pub before: Vec<u8>,
    /// The bytes that it is to have.
    pub after: Vec<u8>,
    /// The name that it is to have, where that is another one.
    pub rename: Option<String>,
}

/// Plans the changes to one file, and proves that they change nothing else.
///
/// # Errors
///
/// Where the file has to be left as it is, and why.
pub fn plan(request: &Request<'_>) -> Result<Plan, Error> {
    let path = fs::canonicalize(request.path)?;
    if !Limit::within(request.roots.iter().map(PathBuf::as_path)).allows(&path) {
        return Err(Error::Outside(path));
    }
    let before = read_beginning(&path, u64::MAX)?;
    if Digest::of(&before) != request.digest {
        return Err(Error::Changed);
    }
    let mut rename = None;
    for fix in request.fixes {
        if let Fix::Rename(name) = fix
            && rename.replace(name.clone()).is_some_and(|other| other != *name)
        {
            return Err(Error::Contradiction);
        }
    }
    if let Some(name) = &rename {
        // The name is what is wrong, so it is the link that gets another one and not what it leads to.
        if fs::symlink_metadata(request.path)?.is_symlink() {
            return Err(Error::Outside(path));
        }
        rename::check(&path, name)?;
    }
    let edits: Vec<_> = request.fixes.iter().flat_map(Fix::edits).collect();
    let after = if edits.is_empty() { before.clone() } else { edits::apply(&before, edits)? };
    if after != before && !says_the_same(&before, &after) {
        return Err(Error::OtherMeaning);
    }
    Ok(Plan { path, before, after, rename })
}

impl Plan {
    /// Returns whether there is anything to do.
    pub fn is_empty(&self) -> bool {
        self.before == self.after && self.rename.is_none()
    }

    /// Does what was planned. The new file takes the place of the old one in one step and has its permissions.
    ///
    /// # Errors
    ///
    /// When the file is not what it was when this was planned, and when writing fails. It is then as it was before, except
    /// with [`Error::NotRenamed`].
    pub fn write(&self) -> Result<(), Error> {
        // What can be seen before is seen before anything is written.
        if let Some(name) = &self.rename {
            rename::check(&self.path, name)?;
        }
        if read_beginning(&self.path, u64::MAX)? != self.before {
            return Err(Error::Changed);
        }
        let written = self.after != self.before;
        if written {
            write::replace(&self.path, &self.before, &self.after)?;
        }
        let Some(name) = &self.rename else { return Ok(()) };
        rename::rename(&self.path, name)
            .map_err(|error| if written { Error::NotRenamed(Box::new(error)) } else { error })
    }
}

/// Returns whether a strict reader takes from the new text what a lenient one takes from the old.
fn says_the_same(before: &[u8], after: &[u8]) -> bool {
    let strict = Reading { repair: false, skip_byte_order_mark: false, ..Reading::lenient() };
    let old = parse(before, &Reading::lenient());
    let new = parse(after, &strict);
    let body = |file: &[u8], outcome: &Outcome| {
        let body = outcome.fenced.as_ref().map(|fenced| fenced.body.clone());
        body.and_then(|body| file.get(body).map(<[u8]>::to_vec))
    };
    old.name == new.name
        && old.description == new.description
        && old.fields == new.fields
        && old.is_accepted() == new.is_accepted()
        && body(before, &old) == body(after, &new)
}
