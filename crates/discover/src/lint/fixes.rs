//! What can be put right without changing what the file says.

use std::ops::Range;

use lorimer_core::{Code, Diagnostic, Edit, Fix};

use super::KnownFix;
use super::subject::Looked;
use crate::frontmatter::{BYTE_ORDER_MARK, MAX_REPAIR_FINDINGS};

/// Blanks behind a fence: a rule with a fix of its own.
pub(super) fn look(looked: &Looked<'_>, found: &mut Vec<Diagnostic>) {
    let Some(layout) = &looked.layout else { return };
    for fence in &layout.fences {
        let line = looked.subject.file.get(fence.clone()).unwrap_or_default();
        let blanks = line.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if blanks == 0 {
            continue;
        }
        let place = fence.end - blanks..fence.end;
        let finding = looked.finding(Code::FenceBlanks, "blanks stand behind this `---`", &place);
        let fix = edit(looked, &place, String::new()).map(|edit| Fix::Edits(vec![edit]));
        found.push(Diagnostic { fix, ..finding }.with_help("take the blanks out"));
    }
}

/// Returns the fixes of what reading the frontmatter tells.
pub(super) fn known(looked: &Looked<'_>) -> Vec<KnownFix> {
    let mut known = Vec::new();
    let mark = 0..BYTE_ORDER_MARK.len();
    if looked.subject.file.starts_with(BYTE_ORDER_MARK)
        && looked.layout.is_some()
        && let Some(edit) = edit(looked, &mark, String::new())
    {
        let fix = Fix::Edits(vec![edit]);
        known.push(KnownFix { codes: &[Code::ByteOrderMark, Code::FrontmatterMissing], start: 0, fix });
    }
    // The values of a file become valid together or not at all.
    if !looked.accepted {
        return known;
    }
    let quoted = looked.layout.as_ref().map_or(&[][..], |layout| &layout.quoted);
    for (index, place) in quoted.iter().take(MAX_REPAIR_FINDINGS).enumerate() {
        // The last finding of many stands for those that are not told.
        let last = index + 1 == MAX_REPAIR_FINDINGS;
        let places = quoted.get(index..if last { quoted.len() } else { index + 1 }).unwrap_or_default();
        let edits = places.iter().filter_map(|place| {
            let edit = edit(looked, place, String::new())?;
            Some(Edit { new: format!("'{}'", edit.old.replace('\'', "''")), ..edit })
        });
        let fix = Fix::Edits(edits.collect());
        known.push(KnownFix { codes: &[Code::FrontmatterRepaired], start: place.start, fix });
    }
    known
}

fn edit(looked: &Looked<'_>, place: &Range<usize>, new: String) -> Option<Edit> {
    let old = std::str::from_utf8(looked.subject.file.get(place.clone())?).ok()?;
    Some(Edit { span: looked.span(place), old: old.to_owned(), new })
}
