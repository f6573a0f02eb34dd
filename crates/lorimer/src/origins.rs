//! Skills from elsewhere than the folders of this machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use lorimer_core::SourceId;
use lorimer_discover::{PipeRemote, Place, Reading, RemoteSource};

use crate::{Builder, ConfigError};

/// Where skills come from besides the harness's own places. They stand behind those, and are read leniently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A `.zip` or `.tar.gz` file, or a folder of such files, that is read without unpacking it to disk. Needs the
    /// feature `archives`.
    Archive(PathBuf),
    /// A web site that offers skills at `/.well-known/agent-skills/index.json`. Needs the feature `https`.
    Site(String),
    /// A program that speaks for another environment over its standard input and output
    /// (see [`lorimer_discover::PipeRemote`]): its path and its arguments.
    Program(Vec<String>),
}

const PROGRAM: &str = "pipe:";

impl Origin {
    /// Reads `https://SITE`, `pipe:PROGRAM ARGUMENT…` or the path of an archive, which starts at `base` when it is relative.
    /// Arguments are split at spaces; there is no quoting.
    ///
    /// ```
    /// use lorimer::Origin;
    /// let read = |text| Origin::parse(text, "/home/u".as_ref());
    /// assert_eq!(read("https://example.com"), Ok(Origin::Site("https://example.com".to_owned())));
    /// assert_eq!(read("packs/team.zip"), Ok(Origin::Archive("/home/u/packs/team.zip".into())));
    /// assert!(read("http://example.com").is_err(), "not encrypted, and not this machine");
    /// ```
    ///
    /// # Errors
    ///
    /// When it is none of the three, or a site that would be asked without encryption over a network.
    pub fn parse(text: &str, base: &Path) -> Result<Self, ConfigError> {
        let wrong = |problem: String| Err(ConfigError::new(None, text, problem));
        if let Some(line) = text.strip_prefix(PROGRAM) {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            return match words.as_slice() {
                [] => wrong("names no program; expected pipe:PROGRAM".to_owned()),
                _ => Ok(Self::Program(words)),
            };
        }
        match text.split_once("://") {
            Some(("https", _)) => Ok(Self::Site(text.to_owned())),
            Some(("http", _)) if is_loopback(text) => Ok(Self::Site(text.to_owned())),
            Some((scheme, _)) => wrong(format!("is of the scheme `{scheme}`; expected https")),
            None if text.is_empty() => {
                wrong("is empty; expected an archive, a site or pipe:PROGRAM".to_owned())
            }
            None => Ok(Self::Archive(base.join(text))),
        }
    }

    /// Adds the origin's source to a lifecycle.
    pub(crate) fn add_to(&self, builder: Builder, place: &Place) -> Result<Builder, ConfigError> {
        match self {
            Self::Archive(path) => archive(path, builder, place),
            Self::Site(site) => self::site(site, builder),
            Self::Program(words) => {
                let Some((program, arguments)) = words.split_first() else { return Ok(builder) };
                let mut command = Command::new(program);
                command.args(arguments).current_dir(&place.cwd);
                let shown = format!("{PROGRAM}{}", words.join(" "));
                let id = SourceId::new(shown.as_str());
                let remote = PipeRemote::new(command);
                Ok(builder.source(RemoteSource::new(id, program, shown, remote, Reading::lenient())))
            }
        }
    }
}

fn is_loopback(site: &str) -> bool {
    let host = site.trim_start_matches("http://");
    let host = host.split('/').next().unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    matches!(name, "127.0.0.1" | "[::1]" | "localhost")
}

#[cfg(feature = "archives")]
#[expect(clippy::unnecessary_wraps, reason = "as without the feature")]
fn archive(path: &Path, builder: Builder, place: &Place) -> Result<Builder, ConfigError> {
    use lorimer_core::Scope;
    use lorimer_discover::{ArchiveSource, RootBase, RootRule};
    let rules = vec![RootRule::new(RootBase::Path(path.to_owned()), Scope::User)];
    let id = SourceId::new(format!("archive:{}", path.display()));
    Ok(builder.source(ArchiveSource::new(id, place.clone(), rules, Reading::lenient())))
}

#[cfg(not(feature = "archives"))]
fn archive(path: &Path, _builder: Builder, _place: &Place) -> Result<Builder, ConfigError> {
    let shown = path.to_string_lossy();
    Err(ConfigError::new(
        None,
        &shown,
        "is an archive, and this build was made without the feature `archives`",
    ))
}

#[cfg(feature = "https")]
#[expect(clippy::unnecessary_wraps, reason = "as without the feature")]
fn site(site: &str, builder: Builder) -> Result<Builder, ConfigError> {
    use lorimer_core::Scope;
    use lorimer_discover::{HttpFetch, IndexPolicy, IndexSource};
    let policy = IndexPolicy { plain_http: is_loopback(site), ..IndexPolicy::default() };
    let scope = Scope::Environment { id: site.to_owned() };
    let index = IndexSource::well_known(site);
    let source =
        IndexSource::new(SourceId::new(site), index, scope, HttpFetch::default(), Reading::lenient());
    Ok(builder.source(source.with_policy(policy)))
}

#[cfg(not(feature = "https"))]
fn site(site: &str, _builder: Builder) -> Result<Builder, ConfigError> {
    Err(ConfigError::new(None, site, "is a site, and this build was made without the feature `https`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_told_apart_by_how_they_start() {
        let read = |text: &str| Origin::parse(text, Path::new("/w"));
        assert_eq!(
            read("pipe:ssh box skills"),
            Ok(Origin::Program(["ssh", "box", "skills"].map(str::to_owned).into()))
        );
        assert_eq!(read("/a/b.tar.gz"), Ok(Origin::Archive("/a/b.tar.gz".into())));
        for local in ["http://127.0.0.1:8080", "http://localhost/x", "http://[::1]:1"] {
            assert_eq!(read(local), Ok(Origin::Site(local.to_owned())));
        }
        for wrong in
            ["", "pipe:", "pipe:  ", "ftp://x", "http://localhost.example.com", "http://127.0.0.1.example"]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
