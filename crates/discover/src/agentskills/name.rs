//! The reference's rules about a name.

use std::fmt;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Characters that a name may have.
const LIMIT: usize = 64;

/// A rule of the standard that a name breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameProblem {
    /// It has more characters than it may have.
    TooLong {
        /// The name.
        name: String,
        /// Its characters.
        count: usize,
    },
    /// It is not in lower case.
    Upper {
        /// The name.
        name: String,
    },
    /// It starts or ends with a hyphen.
    EdgeHyphen,
    /// It has two hyphens in a row.
    DoubleHyphen,
    /// It has characters that are neither letters, digits nor hyphens.
    Characters {
        /// The name.
        name: String,
    },
    /// The folder is called otherwise.
    NotTheFolder {
        /// The folder's name.
        folder: String,
        /// The skill's name.
        name: String,
    },
}

impl fmt::Display for NameProblem {
    /// Writes the reference's message.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { name, count } => {
                write!(formatter, "Skill name '{name}' exceeds {LIMIT} character limit ({count} chars)")
            }
            Self::Upper { name } => write!(formatter, "Skill name '{name}' must be lowercase"),
            Self::EdgeHyphen => formatter.write_str("Skill name cannot start or end with a hyphen"),
            Self::DoubleHyphen => formatter.write_str("Skill name cannot contain consecutive hyphens"),
            Self::Characters { name } => write!(
                formatter,
                "Skill name '{name}' contains invalid characters. Only letters, digits, and hyphens are allowed."
            ),
            Self::NotTheFolder { folder, name } => {
                write!(formatter, "Directory name '{folder}' must match skill name '{name}'")
            }
        }
    }
}

/// Returns every rule that a name breaks, in the reference's order. Both names are compared in the form NFKC.
pub(crate) fn name_problems(name: &str, folder: &str) -> Vec<NameProblem> {
    let normal: String = name.trim().nfkc().collect();
    let mut problems = Vec::new();
    let count = normal.chars().count();
    if count > LIMIT {
        problems.push(NameProblem::TooLong { name: normal.clone(), count });
    }
    if normal != normal.to_lowercase() {
        problems.push(NameProblem::Upper { name: normal.clone() });
    }
    if normal.starts_with('-') || normal.ends_with('-') {
        problems.push(NameProblem::EdgeHyphen);
    }
    if normal.contains("--") {
        problems.push(NameProblem::DoubleHyphen);
    }
    if !normal.chars().all(|character| character == '-' || is_letter_or_digit(character)) {
        problems.push(NameProblem::Characters { name: normal.clone() });
    }
    if folder.nfkc().ne(normal.chars()) {
        problems.push(NameProblem::NotTheFolder { folder: folder.to_owned(), name: normal });
    }
    problems
}

/// Returns what Python's `str.isalnum` says. Rust's property counts marks that belong to letters too, and symbols with
/// a letter inside.
fn is_letter_or_digit(character: char) -> bool {
    let symbol = matches!(character,
        '\u{24b6}'..='\u{24e9}' | '\u{1f130}'..='\u{1f149}' | '\u{1f150}'..='\u{1f169}' | '\u{1f170}'..='\u{1f189}');
    character.is_alphanumeric() && !is_combining_mark(character) && !symbol
}
