//! A skill, read as far as every rule needs it.

use std::ops::Range;

use lorimer_core::{Code, Diagnostic, Span};

use super::Subject;
use crate::boundary::Limit;
use crate::frontmatter::span::span_of;
use crate::frontmatter::{Field, Layout, Outcome, Reading, layout, parse};
use crate::openai;

/// A skill that was read whole.
pub(super) struct Looked<'a> {
    pub(super) subject: &'a Subject<'a>,
    pub(super) outcome: Outcome,
    /// Whether the lenient reading takes the skill.
    pub(super) accepted: bool,
    pub(super) layout: Option<Layout>,
    /// The instructions, as far as they are UTF-8.
    pub(super) body: &'a str,
    /// Where they start in the file.
    pub(super) body_start: usize,
    /// What agents/openai.yaml says, where there is one that can be read.
    pub(super) openai: Option<openai::Metadata>,
}

impl<'a> Looked<'a> {
    pub(super) fn new(subject: &'a Subject<'a>) -> Self {
        let reading = Reading::lenient();
        let outcome = parse(subject.file, &reading);
        let body = outcome.fenced.as_ref().map_or(0..0, |fenced| fenced.body.clone());
        let bytes = subject.file.get(body.clone()).unwrap_or_default();
        let openai = subject.folder.and_then(|folder| {
            let openai::Bytes { bytes, .. } =
                openai::read(&folder.join("agents").join("openai.yaml"), &Limit::within([folder])).ok()??;
            Some(openai::parse(&bytes, folder))
        });
        Self {
            accepted: outcome.is_accepted(),
            layout: layout(subject.file, &reading),
            body: valid(bytes),
            body_start: body.start,
            outcome,
            openai,
            subject,
        }
    }

    pub(super) fn field(&self, key: &str) -> Option<&Field> {
        self.layout.as_ref()?.field(key)
    }

    pub(super) fn fields(&self) -> &[Field] {
        self.layout.as_ref().map_or(&[], |layout| &layout.fields)
    }

    pub(super) fn span(&self, place: &Range<usize>) -> Span {
        span_of(self.subject.file, place)
    }

    /// Returns the place in the file of a stretch of the instructions.
    pub(super) fn in_body(&self, place: &Range<usize>) -> Range<usize> {
        self.body_start + place.start..self.body_start + place.end
    }

    /// Returns a finding about a stretch of the file.
    pub(super) fn finding(&self, code: Code, message: impl Into<String>, place: &Range<usize>) -> Diagnostic {
        Diagnostic::new(code, message).at(self.subject.locator.clone(), Some(self.span(place)))
    }
}

fn valid(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => bytes
            .get(..error.valid_up_to())
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .unwrap_or_default(),
    }
}
