//! Identity: who offers a skill, and where its body is found.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::text::{decode_bytes, decode_component, encode_bytes, encode_component};

/// Names the source that offers a skill.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SourceId(String);

impl SourceId {
    /// Returns the id with this name; any text is a valid name.
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// Returns the name as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SourceId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Where a body is found. A remote skill has no path, and none is assumed.
///
/// The text form (`Display`, serde) is `path:…`, `uri:…` or `package:…#…`, with `%`, `#`, control characters and
/// bytes that are not UTF-8 percent-encoded; it parses back to the same value. On Windows a path that is not
/// valid Unicode is written lossily.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Locator {
    /// A file on this machine.
    Path(PathBuf),
    /// A resource that its source reads by URI.
    Uri(String),
    /// A resource inside a package of an orchestrator or a registry.
    Package {
        /// The package's opaque id.
        package: String,
        /// The resource inside the package.
        resource: String,
    },
}

impl Locator {
    /// Returns the path of a local skill.
    pub fn as_path(&self) -> Option<&Path> {
        match self {
            Self::Path(path) => Some(path),
            Self::Uri(_) | Self::Package { .. } => None,
        }
    }

    /// Returns the form that people and models read: the bare path or URI, or `package/resource`.
    pub fn shown(&self) -> String {
        match self {
            Self::Path(path) => path.to_string_lossy().into_owned(),
            Self::Uri(uri) => uri.clone(),
            Self::Package { package, resource } => format!("{package}/{resource}"),
        }
    }
}

impl From<PathBuf> for Locator {
    fn from(path: PathBuf) -> Self {
        Self::Path(path)
    }
}

/// Identity of a skill: who offers it and where. Never the name (S3-05).
///
/// The text form is `SOURCE#LOCATOR`; it is stable and parses back, and it is what serde writes.
///
/// ```
/// use lorimer_core::{Locator, SkillId, SourceId};
/// let id = SkillId::new(SourceId::new("host"), Locator::Path("/skills/a/SKILL.md".into()));
/// assert_eq!(id.to_string(), "host#path:/skills/a/SKILL.md");
/// assert_eq!("host#path:/skills/a/SKILL.md".parse(), Ok(id));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SkillId {
    /// The source that offers the skill, and the only one that may be asked to read it.
    pub source: SourceId,
    /// Where the source finds the body.
    pub locator: Locator,
}

impl SkillId {
    /// Returns the identity of the skill that `source` finds at `locator`.
    pub fn new(source: SourceId, locator: impl Into<Locator>) -> Self {
        Self { source, locator: locator.into() }
    }
}

/// The text is not the text form of an identity.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not {expected}")]
pub struct ParseIdError {
    text: String,
    expected: &'static str,
}

impl fmt::Display for Locator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => write!(formatter, "path:{}", encode_path(path)),
            Self::Uri(uri) => write!(formatter, "uri:{}", encode_component(uri)),
            Self::Package { package, resource } => {
                write!(formatter, "package:{}#{}", encode_component(package), encode_component(resource))
            }
        }
    }
}

impl FromStr for Locator {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseIdError {
            text: text.to_owned(),
            expected: "a locator (`path:…`, `uri:…` or `package:…#…`)",
        };
        let (kind, rest) = text.split_once(':').ok_or_else(error)?;
        match kind {
            "path" => decode_path(rest).map(Self::Path),
            "uri" => decode_component(rest).map(Self::Uri),
            "package" => rest.split_once('#').and_then(|(package, resource)| {
                Some(Self::Package {
                    package: decode_component(package)?,
                    resource: decode_component(resource)?,
                })
            }),
            _ => None,
        }
        .ok_or_else(error)
    }
}

impl fmt::Display for SkillId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}#{}", encode_component(self.source.as_str()), self.locator)
    }
}

impl FromStr for SkillId {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error =
            || ParseIdError { text: text.to_owned(), expected: "a skill identity (`SOURCE#path:…`)" };
        let (source, locator) = text.split_once('#').ok_or_else(error)?;
        Ok(Self {
            source: SourceId::new(decode_component(source).ok_or_else(error)?),
            locator: locator.parse()?,
        })
    }
}

macro_rules! serde_as_text {
    ($type:ty) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use serde_as_text;

serde_as_text!(Locator);
serde_as_text!(SkillId);

#[cfg(unix)]
fn encode_path(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt as _;
    encode_bytes(path.as_os_str().as_bytes())
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "the same signature on every platform")]
fn path_from_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    Some(PathBuf::from(std::ffi::OsString::from_vec(bytes)))
}

#[cfg(not(unix))]
fn encode_path(path: &Path) -> String {
    encode_bytes(path.to_string_lossy().as_bytes())
}

#[cfg(not(unix))]
fn path_from_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

fn decode_path(encoded: &str) -> Option<PathBuf> {
    path_from_bytes(decode_bytes(encoded)?)
}

/// Serialises paths in the encoded text form of [`Locator::Path`], so that odd file names survive JSON.
pub(crate) mod path_text {
    use super::{PathBuf, decode_path, encode_path};
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    pub(crate) fn serialize<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
        paths.iter().map(|path| encode_path(path)).collect::<Vec<_>>().serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PathBuf>, D::Error> {
        Vec::<String>::deserialize(deserializer)?
            .iter()
            .map(|text| decode_path(text).ok_or_else(|| serde::de::Error::custom("bad escape in a path")))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn locators() -> impl Strategy<Value = Locator> {
        prop_oneof![
            any::<String>().prop_map(|path| Locator::Path(path.into())),
            any::<String>().prop_map(Locator::Uri),
            (any::<String>(), any::<String>())
                .prop_map(|(package, resource)| Locator::Package { package, resource }),
        ]
    }

    proptest! {
        /// S3-05, S3-14: identity = origin + locator, and its text form is stable and parses back.
        #[test]
        fn s3_05_s3_14_skill_ids_round_trip(source in any::<String>(), locator in locators()) {
            let id = SkillId::new(SourceId::new(source), locator);
            prop_assert_eq!(id.to_string().parse::<SkillId>(), Ok(id.clone()));
            let json = serde_json::to_string(&id).unwrap();
            prop_assert_eq!(serde_json::from_str::<SkillId>(&json).unwrap(), id);
        }
    }

    /// S3-04: a remote skill is located without a local file.
    #[test]
    fn s3_04_text_forms_are_pinned() {
        let package =
            Locator::Package { package: "skill://r/a#b".to_owned(), resource: "SKILL.md".to_owned() };
        assert_eq!(package.to_string(), "package:skill://r/a%23b#SKILL.md");
        assert_eq!(package.as_path(), None);
        assert_eq!(Locator::Uri("skill://x".to_owned()).to_string(), "uri:skill://x");
        assert_eq!(Locator::Path("/a b/SKILL.md".into()).to_string(), "path:/a b/SKILL.md");
    }

    #[cfg(unix)]
    #[test]
    fn paths_that_are_not_utf8_round_trip() {
        use std::os::unix::ffi::OsStrExt as _;
        let path = PathBuf::from(std::ffi::OsStr::from_bytes(b"/a/\xff/SKILL.md"));
        let text = Locator::Path(path.clone()).to_string();
        assert_eq!(text, "path:/a/%FF/SKILL.md");
        assert_eq!(text.parse(), Ok(Locator::Path(path)));
    }

    #[test]
    fn what_is_no_identity_is_refused_with_the_expected_form() {
        for text in ["", "host", "host#", "host#/a", "host#path:%zz", "host#package:a"] {
            assert!(text.parse::<SkillId>().is_err(), "{text}");
        }
        let error = "x#y".parse::<SkillId>().unwrap_err();
        assert_eq!(error.to_string(), "`y` is not a locator (`path:…`, `uri:…` or `package:…#…`)");
    }
}
