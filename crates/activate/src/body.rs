//! From bytes to the text between the tags, the same for every wrapper.

use std::borrow::Cow;
use std::ops::Range;

use lorimer_core::text::floor_char_boundary;
use lorimer_core::{Code, Content, ContextItem, Diagnostic, ReadLimit, Role, Scope};

use crate::tags::{closes, defuse_label, defuse_within};
use crate::{ActivateError, ActivateRequest, Activation, BodyLimit, ClosingTags, CutNotice};

/// The longest character has four bytes, so with so many more it can be told whether a text ends at its limit.
const LOOK_AHEAD: usize = 4;

/// Returns how many bytes have to be read to make a body of this limit.
pub(crate) fn read_limit(limit: Option<&BodyLimit>, scope: &Scope) -> ReadLimit {
    ReadLimit(limit_for(limit, scope).map(|limit| limit.bytes.saturating_add(LOOK_AHEAD)))
}

fn limit_for<'a>(limit: Option<&'a BodyLimit>, scope: &Scope) -> Option<&'a BodyLimit> {
    limit.filter(|limit| limit.applies_to.includes(scope))
}

/// Makes one item out of pieces, and the diagnostics that belong to it.
#[derive(Debug)]
pub(crate) struct Wrapper<'a> {
    request: &'a ActivateRequest<'a>,
    closing_tags: ClosingTags,
    text: String,
    body: Range<usize>,
    cut: bool,
    /// What of the item closes the wrapper, or did before it was defused.
    odd: Vec<&'static str>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Wrapper<'a> {
    pub(crate) fn new(request: &'a ActivateRequest<'a>, closing_tags: ClosingTags) -> Self {
        Self {
            request,
            closing_tags,
            text: String::new(),
            body: 0..0,
            cut: false,
            odd: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    pub(crate) fn markup(&mut self, markup: &str) {
        self.text.push_str(markup);
    }

    /// Adds a name or a path; `closed_by` says whether it would end the place where it stands.
    pub(crate) fn label(&mut self, what: &'static str, label: &str, closed_by: impl Fn(&str) -> bool) {
        let shown = match self.closing_tags {
            ClosingTags::PassThrough => Cow::Borrowed(label),
            ClosingTags::Defuse => defuse_label(label),
        };
        if closes(label, "skill") || closed_by(label) || shown != label {
            self.odd.push(what);
        }
        self.text.push_str(&shown);
    }

    /// Adds what `select` takes of the file, cut at the limit.
    pub(crate) fn body(
        &mut self,
        limit: Option<&BodyLimit>,
        select: impl Fn(&str) -> &str,
    ) -> Result<(), ActivateError> {
        let content = self.request.content;
        let selected = select(decode(content)?);
        let limit = limit_for(limit, &self.request.skill.scope);
        let bytes = limit.map_or(usize::MAX, |limit| limit.bytes);
        let (shown, used) = match self.closing_tags {
            ClosingTags::PassThrough => {
                let end = floor_char_boundary(selected, bytes);
                (Cow::Borrowed(selected.get(..end).unwrap_or_default()), end)
            }
            ClosingTags::Defuse => defuse_within(selected, bytes),
        };
        // What was defused is longer than what it was made from.
        if closes(&shown, "skill") || shown.len() != used {
            self.odd.push("body");
        }
        let start = self.text.len();
        self.text.push_str(&shown);
        self.body = start..self.text.len();

        let missing = selected.len() - used;
        self.cut = content.cut || missing > 0;
        if self.cut {
            self.say_cut(limit, used, (!content.cut).then_some(missing));
        }
        Ok(())
    }

    pub(crate) fn finish(mut self, role: Role, kind: &str) -> Activation {
        if !self.odd.is_empty() {
            let what = self.odd.join(" and the ");
            let (code, message) = match self.closing_tags {
                ClosingTags::PassThrough => (
                    Code::WrapperNotEscaped,
                    format!("closing tags in the {what} are passed through and can end the wrapper early"),
                ),
                ClosingTags::Defuse => (
                    Code::WrapperEscaped,
                    format!("defused the {what}: as written, that could close or forge the wrapper"),
                ),
            };
            self.diagnose(Diagnostic::new(code, message));
        }
        Activation {
            item: ContextItem {
                role,
                kind: kind.to_owned(),
                text: self.text,
                skill: Some(self.request.skill.id.clone()),
            },
            body: self.body,
            cut: self.cut,
            diagnostics: self.diagnostics,
        }
    }

    fn say_cut(&mut self, limit: Option<&BodyLimit>, kept: usize, missing: Option<usize>) {
        let name = self.request.skill.call_name();
        let message = match missing {
            Some(missing) => {
                format!("only the first {kept} bytes of `{name}` were used; {missing} are left out")
            }
            None => format!("only the first {kept} bytes of `{name}` were used; the rest is left out"),
        };
        self.diagnose(Diagnostic::new(Code::BodyCut, message));
        if limit.is_some_and(|limit| limit.notice == CutNotice::Line) {
            let shown = self.request.skill.id.locator.shown();
            // The line is ours, so it is kept in one piece even where the wrapper passes everything through.
            let whole = defuse_label(&shown);
            let line = match missing {
                Some(missing) => format!("\n[{missing} bytes are left out here. The whole file: {whole}]"),
                None => format!("\n[The rest is left out here. The whole file: {whole}]"),
            };
            self.text.push_str(&line);
        }
    }

    fn diagnose(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic.at(self.request.skill.id.locator.clone(), None));
    }
}

/// Returns the bytes as text. A character that the read limit cut in two is no error; it is left out.
pub(crate) fn decode(content: &Content) -> Result<&str, ActivateError> {
    std::str::from_utf8(&content.bytes).or_else(|error| {
        let offset = error.valid_up_to();
        if content.cut && error.error_len().is_none() {
            let valid = content.bytes.get(..offset).unwrap_or_default();
            return std::str::from_utf8(valid).map_err(|_| ActivateError::NotUtf8 { offset });
        }
        Err(ActivateError::NotUtf8 { offset })
    })
}
