//! The instructions as a whole.

use lorimer_core::{Code, Diagnostic};

use super::subject::Looked;

/// What the standard recommends at most (Agent Skills specification, "Progressive disclosure").
const TOKENS: usize = 5_000;
const LINES: usize = 500;

/// Bytes that stand for a token. English prose has 4.3 with current vocabularies, so this counts a little too many.
const BYTES_PER_TOKEN: usize = 4;

pub(super) fn look(looked: &Looked<'_>, found: &mut Vec<Diagnostic>) {
    let Some(layout) = &looked.layout else { return };
    let body = looked.body.trim();
    let close = &layout.fences[1];
    if body.is_empty() {
        // What cannot be read is not what is not there.
        if layout.fenced.body.len() == looked.body.len() {
            found.push(
                looked
                    .finding(Code::BodyEmpty, "no instructions follow the frontmatter", close)
                    .with_help("say what to do, step by step; the description only says when"),
            );
        }
        return;
    }
    let lines = body.lines().count();
    let tokens = body.len().div_ceil(BYTES_PER_TOKEN);
    let what = match (tokens > TOKENS, lines > LINES) {
        (false, false) => return,
        (true, false) => format!("about {tokens} tokens (bytes / {BYTES_PER_TOKEN}), more than {TOKENS}"),
        (false, true) => format!("{lines} lines, more than {LINES}"),
        (true, true) => format!("{lines} lines and about {tokens} tokens (bytes / {BYTES_PER_TOKEN})"),
    };
    let skipped = looked.body.len() - looked.body.trim_start().len();
    let first = body.lines().next().unwrap_or_default().len();
    let place = looked.in_body(&(skipped..skipped + first));
    found.push(
        looked
            .finding(Code::BodyLong, format!("the instructions have {what}"), &place)
            .with_help("move details into files beside it, and say when to read them"),
    );
}
