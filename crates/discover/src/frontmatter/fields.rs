//! From a YAML tree to the fields of a skill.

use std::collections::HashSet;
use std::ops::Range;

use indexmap::IndexMap;
use lorimer_core::{Code, Severity};
use serde_json::Value;

use super::outcome::Finding;
use super::value::{Expansion, plain_value};
use super::yaml::{NodeId, Tree, View};
use super::{Duplicates, OnInvalidYaml, OtherValues, Reading, python};

/// Fields before they are checked.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) name: Option<Text>,
    pub(super) description: Option<Text>,
    pub(super) fields: IndexMap<String, Value>,
    /// Where the description stands or should stand.
    pub(super) description_place: Option<Range<usize>>,
    pub(super) findings: Vec<Finding>,
}

/// A text and where it is written, in bytes of the file.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) text: String,
    pub(super) place: Range<usize>,
}

/// Key that some readers know besides name and description.
const METADATA: &str = "metadata";
const SHORT_DESCRIPTION: &str = "short-description";

/// More findings about the same trouble in one file would only be noise.
const MAX_DUPLICATE_FINDINGS: usize = 8;

/// Reads the fields out of a tree. `original` maps its offsets to those of the file.
pub(super) fn read_tree(
    tree: &Tree<'_>,
    reading: &Reading,
    file: &[u8],
    original: impl Fn(usize) -> usize,
) -> Draft {
    let mut reader = TreeReader { tree, reading, file, original, draft: Draft::default() };
    match tree.root().filter(|root| !tree.is_null(*root)) {
        Some(root) => reader.document(root),
        None if reading.reject_empty => reader.draft.findings.push(no_mapping(reading)),
        None => {}
    }
    reader.draft
}

fn no_mapping(reading: &Reading) -> Finding {
    let severity = match reading.on_invalid_yaml {
        OnInvalidYaml::Reject => Severity::Error,
        OnInvalidYaml::NoFields | OnInvalidYaml::Lines => Severity::Warning,
    };
    Finding::new(Code::FrontmatterNotMapping, "the frontmatter is no list of `key: value` fields")
        .with_severity(severity)
}

struct TreeReader<'t, F> {
    tree: &'t Tree<'t>,
    reading: &'t Reading,
    file: &'t [u8],
    original: F,
    draft: Draft,
}

impl<F: Fn(usize) -> usize> TreeReader<'_, F> {
    fn document(&mut self, root: NodeId) {
        if !matches!(self.tree.view(root), Some(View::Map(_))) {
            self.report(root, no_mapping(self.reading));
            return;
        }
        let known: &[&str] = if self.reading.typed_metadata {
            &["name", "description", METADATA]
        } else {
            &["name", "description"]
        };
        self.duplicates(root, known);
        self.draft.name = self.text_field(root, "name");
        self.draft.description = self.text_field(root, "description");
        if self.reading.typed_metadata {
            self.typed_metadata(root);
        }
        self.collect(root);
    }

    fn report(&mut self, id: NodeId, finding: Finding) {
        let place = self.place(id);
        self.draft.findings.push(finding.span(self.file, &place));
    }

    fn place(&self, id: NodeId) -> Range<usize> {
        let span = self.tree.span(id);
        (self.original)(span.start)..(self.original)(span.end)
    }

    fn duplicates(&mut self, id: NodeId, known: &[&str]) {
        if self.reading.duplicates == Duplicates::LastWins {
            return;
        }
        let mut seen = HashSet::new();
        let twice: Vec<_> = self.tree.entries(id).filter(|(text, ..)| !seen.insert(*text)).collect();
        for (text, key, _) in twice.into_iter().take(MAX_DUPLICATE_FINDINGS) {
            let rejected = self.reading.duplicates == Duplicates::RejectAll || known.contains(&text);
            let severity = if rejected { Severity::Error } else { Severity::Warning };
            let message = format!("the field `{text}` stands here a second time");
            self.report(
                key,
                Finding::new(Code::FrontmatterDuplicateKey, message)
                    .with_severity(severity)
                    .help("keep one of the two"),
            );
        }
    }

    fn text_field(&mut self, root: NodeId, key: &str) -> Option<Text> {
        let entries: Vec<_> = if self.reading.other_values.are_python() {
            python::entries(self.tree, root)
        } else {
            self.tree.entries(root).map(|(_, key, value)| (key, value)).collect()
        };
        let is_wanted = |(id, _): &(NodeId, NodeId)| self.tree.scalar(*id) == Some(key);
        let entries: Vec<_> = entries.into_iter().filter(is_wanted).collect();
        let (key_id, id) = match self.reading.duplicates {
            Duplicates::LastWins => entries.last(),
            Duplicates::RejectKnown | Duplicates::RejectAll => entries.first(),
        }
        .copied()?;
        if key == "description" {
            self.draft.description_place = Some(self.place(key_id));
        }
        match self.reading.other_values {
            OtherValues::Wrong => {}
            OtherValues::JsonText => return self.any_text(id),
            _ => return self.python_text(key, id),
        }
        if self.tree.is_null(id) {
            return None;
        }
        let found = match self.tree.view(id) {
            Some(View::Scalar { text, plain }) => {
                if !(self.reading.strings_only && plain && !plain_value(text).is_string()) {
                    return Some(Text { text: text.to_owned(), place: self.place(id) });
                }
                "no text"
            }
            Some(View::List(_)) => "a list",
            _ => "a mapping",
        };
        if !self.reading.wrong_type_is_missing {
            let message = format!("`{key}` must be text, and this is {found}");
            self.report(id, Finding::new(Code::FieldWrongType, message));
        }
        None
    }

    /// Returns a value of any type as text.
    fn any_text(&self, id: NodeId) -> Option<Text> {
        let limits = &self.reading.limits;
        let mut expansion = Expansion::new(limits.expanded, limits.depth);
        let text = match self.tree.view(id)? {
            // Where nothing is written, there is nothing to take for text.
            View::Scalar { .. } if self.tree.span(id).is_empty() && self.tree.is_null(id) => return None,
            View::Scalar { text, .. } => text.to_owned(),
            View::List(_) | View::Map(_) => expansion.json(self.tree, id).ok()?.to_string(),
        };
        Some(Text { text, place: self.place(id) })
    }

    /// Returns a value as a reader in Python takes it for text.
    fn python_text(&mut self, key: &str, id: NodeId) -> Option<Text> {
        let limits = &self.reading.limits;
        let mut expansion = Expansion::new(limits.expanded, limits.depth);
        if key == "description" && python::is_nothing(self.tree, id) {
            return None;
        }
        let is_collection = matches!(self.tree.view(id)?, View::List(_) | View::Map(_));
        let shown = python::text(self.tree, id, &mut expansion)?;
        let text = match self.reading.other_values {
            _ if python::is_string(self.tree, id) => shown,
            OtherValues::PythonStrings if is_collection && key == "description" => {
                python::json(self.tree, id, &mut expansion).ok()?.to_string()
            }
            other
                if other == OtherValues::PythonStrings
                    || (other == OtherValues::PythonNames && key == "name") =>
            {
                let message = format!("`{key}` must be text, and YAML 1.1 reads this as `{shown}`");
                self.report(id, Finding::new(Code::FieldWrongType, message));
                return None;
            }
            _ => {
                let message = format!("`{key}` is no text in YAML 1.1; it is read as `{shown}`");
                self.report(id, Finding::new(Code::FieldWrongType, message).with_severity(Severity::Note));
                shown
            }
        };
        Some(Text { text, place: self.place(id) })
    }

    fn typed_metadata(&mut self, root: NodeId) {
        let Some(metadata) = self.tree.get(root, METADATA).filter(|id| !self.tree.is_null(*id)) else {
            return;
        };
        if !matches!(self.tree.view(metadata), Some(View::Map(_))) {
            self.report(metadata, Finding::new(Code::FieldWrongType, "`metadata` must be a mapping"));
            return;
        }
        self.duplicates(metadata, &[SHORT_DESCRIPTION]);
        if let Some(short) = self.tree.get(metadata, SHORT_DESCRIPTION)
            && !matches!(self.tree.view(short), Some(View::Scalar { .. }))
        {
            self.report(
                short,
                Finding::new(Code::FieldWrongType, "`metadata.short-description` must be text"),
            );
        }
    }

    /// Keeps every field as JSON.
    fn collect(&mut self, root: NodeId) {
        let limits = &self.reading.limits;
        let mut expansion = Expansion::new(limits.expanded, limits.depth);
        let python = self.reading.other_values.are_python();
        let entries: Vec<(&str, NodeId)> = if python {
            let entries = python::entries(self.tree, root).into_iter();
            entries.filter_map(|(key, value)| Some((self.tree.scalar(key)?, value))).collect()
        } else {
            self.tree.entries(root).map(|(text, _, value)| (text, value)).collect()
        };
        for (text, id) in entries {
            let value = if python {
                python::json(self.tree, id, &mut expansion)
            } else {
                expansion.json(self.tree, id)
            };
            if let Ok(value) = value {
                // A key keeps its first place; of several values the last one counts.
                self.draft.fields.insert(text.to_owned(), value);
                continue;
            }
            let severity = if limits.reject { Severity::Error } else { Severity::Note };
            let message = format!("the value of `{text}` expands further than the limits allow");
            self.report(id, Finding::new(Code::FrontmatterTooLarge, message).with_severity(severity));
            return;
        }
    }
}
