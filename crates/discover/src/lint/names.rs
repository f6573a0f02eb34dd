//! The name, as the standard and its clients want it.

use lorimer_core::{Code, Diagnostic};
use unicode_normalization::UnicodeNormalization as _;

use super::subject::Looked;
use crate::agentskills::{NameProblem, name_problems};

pub(super) fn look(looked: &Looked<'_>, found: &mut Vec<Diagnostic>) {
    let Some(name) = &looked.outcome.name else { return };
    let Some(field) = looked.field("name") else { return };
    let place = &field.value_place;
    let normal: String = name.nfkc().collect();
    let folder = looked.subject.folder_name;
    let mut broken = Vec::new();
    for problem in name_problems(name, folder) {
        match problem {
            // Reading the file says so already.
            NameProblem::TooLong { .. } => {}
            NameProblem::NotTheFolder { .. } if folder.is_empty() => {}
            NameProblem::NotTheFolder { .. } => {
                let message = format!("the name is `{name}` and the folder is called `{folder}`");
                found.push(
                    looked
                        .finding(Code::NameFolderDiffers, message, place)
                        .with_help("call both the same: some harnesses go by the folder, some by the name"),
                );
            }
            NameProblem::Upper { .. } => broken.push("upper-case letters"),
            NameProblem::EdgeHyphen => broken.push("a hyphen at an end"),
            NameProblem::DoubleHyphen => broken.push("two hyphens in a row"),
            NameProblem::Characters { .. } => {
                broken.push("characters that are neither letters, digits nor hyphens");
            }
        }
    }
    if !broken.is_empty() {
        let message = format!("the name has {}", broken.join(" and "));
        found.push(
            looked
                .finding(Code::NameCharacters, message, place)
                .with_help("use lower-case letters, digits and single hyphens, as in `brew-tea`"),
        );
    }
    if let Some(character) =
        normal.chars().find(|character| character.is_alphanumeric() && !character.is_ascii())
    {
        let message = format!(
            "the name has the letter `{character}` (U+{:04X}), which is not ASCII",
            u32::from(character)
        );
        found.push(looked.finding(Code::NameNotAscii, message, place).with_help(
            "the standard's validator takes it; VS Code, opencode, goose, claude.ai uploads and `quick_validate.py` refuse it",
        ));
    }
}
