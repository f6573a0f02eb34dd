//! A look at the whole of a skill: fields, instructions, and the files that they name.
//!
//! Loading a skill reads its metadata and nothing else. [`lint`] is for whoever writes skills: it reads the
//! instructions too, and tells what works here and not elsewhere, and what works nowhere. It changes nothing; what can
//! be put right without changing what the file says comes with a [`Fix`].

mod body;
mod fields;
mod fixes;
mod flags;
mod folders;
mod hidden;
mod machine;
mod markdown;
mod names;
mod references;
mod subject;
mod target;

use std::path::Path;

use lorimer_core::{Code, Diagnostic, Fix, Locator, Span};

use subject::Looked;

/// A skill to look at.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// Where the file is, as findings are to say it.
    pub locator: &'a Locator,
    /// The file, whole.
    pub file: &'a [u8],
    /// The skill's own folder, where the files beside it are looked for; `None` where it has none.
    pub folder: Option<&'a Path>,
    /// The folder's name, by which the skill was found; empty where it has no folder.
    pub folder_name: &'a str,
}

/// What a look at a skill came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// What is odd, rule by rule. What reading the frontmatter tells already is not told again, except for hidden
    /// characters: these are told here one by one, and for the whole file.
    pub diagnostics: Vec<Diagnostic>,
    /// Where the name is written, if it is.
    pub name: Option<Span>,
    /// How to put right what reading the frontmatter tells.
    pub fixes: Vec<KnownFix>,
}

/// A fix for findings that are not the lint's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownFix {
    /// The codes that it is for.
    pub codes: &'static [Code],
    /// Where such a finding starts, in bytes of the file.
    pub start: usize,
    /// What to do.
    pub fix: Fix,
}

impl Outcome {
    /// Gives a finding about this file its fix, and one about its name a place.
    pub fn complete(&self, diagnostic: &mut Diagnostic) {
        if let Some(location) = &mut diagnostic.location
            && diagnostic.code == Code::NameCollision
        {
            location.span = location.span.or(self.name);
        }
        let Some(span) = diagnostic.location.as_ref().and_then(|location| location.span) else { return };
        let known = self
            .fixes
            .iter()
            .find(|known| known.codes.contains(&diagnostic.code) && known.start == span.start);
        if let Some(known) = known {
            diagnostic.fix = Some(known.fix.clone());
        }
    }
}

/// A family of rules.
struct Rule {
    look: fn(&Looked<'_>, &mut Vec<Diagnostic>),
    /// Whether it needs fields that could be read.
    needs_fields: bool,
}

const RULES: &[Rule] = &[
    Rule { look: names::look, needs_fields: true },
    Rule { look: fields::look, needs_fields: true },
    Rule { look: flags::look, needs_fields: true },
    Rule { look: fixes::look, needs_fields: false },
    Rule { look: hidden::look, needs_fields: false },
    Rule { look: body::look, needs_fields: false },
    Rule { look: machine::look, needs_fields: false },
    Rule { look: references::look, needs_fields: false },
    Rule { look: folders::look, needs_fields: false },
];

/// Looks at a whole skill.
///
/// ```
/// use lorimer_core::Locator;
/// use lorimer_discover::lint::{Subject, lint};
/// let locator = Locator::Path("/s/tea/SKILL.md".into());
/// let file = b"---\nname: tea\ndescription: Brews tea.\n---\n";
/// let outcome = lint(&Subject { locator: &locator, file, folder: None, folder_name: "tea" });
/// assert_eq!(outcome.diagnostics[0].code.as_str(), "check/body-empty");
/// ```
pub fn lint(subject: &Subject<'_>) -> Outcome {
    let looked = Looked::new(subject);
    let mut diagnostics = Vec::new();
    for rule in RULES.iter().filter(|rule| looked.accepted || !rule.needs_fields) {
        (rule.look)(&looked, &mut diagnostics);
    }
    let name = looked.field("name").map(|field| looked.span(&field.value_place));
    Outcome { diagnostics, name, fixes: fixes::known(&looked) }
}
