//! What the reference validator complains about, in its words.

use std::fmt;
use std::path::PathBuf;

use lorimer_core::Code;

use super::{COMPATIBILITY_CHARS, DESCRIPTION_CHARS, FIELDS, NameProblem};

/// One thing that is wrong. Its text is the reference's own message, except behind `Invalid YAML in frontmatter:`,
/// where the reference quotes its YAML library.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// There is nothing at the path.
    NoPath(PathBuf),
    /// The path is no folder.
    NotDirectory(PathBuf),
    /// The folder has no file of the right name.
    NoFile,
    /// The file cannot be read, and why. The reference breaks off.
    Unreadable(String),
    /// The file does not start with `---`.
    NoFrontmatter,
    /// There is no second `---`.
    NotClosed,
    /// The text between the two is not in the part of YAML that the reference knows, and why.
    InvalidYaml(String),
    /// It is no mapping.
    NotMapping,
    /// Fields that the standard does not have, sorted.
    Unexpected(Vec<String>),
    /// A required field is missing.
    Missing(&'static str),
    /// A required field is blank, or no text.
    Blank(&'static str),
    /// The name breaks a rule.
    Name(NameProblem),
    /// The description has so many characters.
    LongDescription(usize),
    /// `compatibility` is no text.
    CompatibilityNoText,
    /// `compatibility` has so many characters.
    LongCompatibility(usize),
}

impl Problem {
    /// Returns the code of the diagnostic that tells it.
    pub fn code(&self) -> Code {
        match self {
            Self::NoPath(_) | Self::NotDirectory(_) | Self::NoFile => Code::StandardFileMissing,
            Self::Unreadable(_)
            | Self::NoFrontmatter
            | Self::NotClosed
            | Self::InvalidYaml(_)
            | Self::NotMapping => Code::StandardFrontmatter,
            Self::Unexpected(_) => Code::StandardFieldUnexpected,
            Self::Missing(_) | Self::Blank(_) => Code::StandardFieldMissing,
            Self::Name(_) => Code::StandardName,
            Self::LongDescription(_) => Code::StandardDescription,
            Self::CompatibilityNoText | Self::LongCompatibility(_) => Code::StandardCompatibility,
        }
    }

    /// Returns the field that it is about, and whether its key is what is wrong.
    pub(super) fn field(&self) -> Option<(&str, bool)> {
        Some(match self {
            Self::Unexpected(fields) => (fields.first()?, true),
            Self::Blank(field) => (field, true),
            Self::Name(_) => ("name", false),
            Self::LongDescription(_) => ("description", false),
            Self::CompatibilityNoText | Self::LongCompatibility(_) => ("compatibility", false),
            _ => return None,
        })
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPath(path) => write!(formatter, "Path does not exist: {}", path.display()),
            Self::NotDirectory(path) => write!(formatter, "Not a directory: {}", path.display()),
            Self::NoFile => formatter.write_str("Missing required file: SKILL.md"),
            Self::Unreadable(why) => write!(formatter, "SKILL.md cannot be read: {why}"),
            Self::NoFrontmatter => formatter.write_str("SKILL.md must start with YAML frontmatter (---)"),
            Self::NotClosed => formatter.write_str("SKILL.md frontmatter not properly closed with ---"),
            Self::InvalidYaml(why) => write!(formatter, "Invalid YAML in frontmatter: {why}"),
            Self::NotMapping => formatter.write_str("SKILL.md frontmatter must be a YAML mapping"),
            Self::Unexpected(fields) => write!(
                formatter,
                "Unexpected fields in frontmatter: {}. Only ['{}'] are allowed.",
                fields.join(", "),
                FIELDS.join("', '")
            ),
            Self::Missing(field) => write!(formatter, "Missing required field in frontmatter: {field}"),
            Self::Blank(field) => write!(formatter, "Field '{field}' must be a non-empty string"),
            Self::Name(problem) => problem.fmt(formatter),
            Self::LongDescription(count) => {
                write!(formatter, "Description exceeds {DESCRIPTION_CHARS} character limit ({count} chars)")
            }
            Self::CompatibilityNoText => formatter.write_str("Field 'compatibility' must be a string"),
            Self::LongCompatibility(count) => {
                write!(
                    formatter,
                    "Compatibility exceeds {COMPATIBILITY_CHARS} character limit ({count} chars)"
                )
            }
        }
    }
}
