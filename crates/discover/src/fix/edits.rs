//! Edits of one file, all at once.

use lorimer_core::Edit;

use super::Error;

/// Returns the bytes with every edit made.
pub(super) fn apply(bytes: &[u8], mut edits: Vec<&Edit>) -> Result<Vec<u8>, Error> {
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    edits.dedup();
    let mut changed = Vec::with_capacity(bytes.len() + 64);
    let mut done = 0;
    for (index, edit) in edits.iter().enumerate() {
        let (start, end) = (edit.span.start, edit.span.end);
        // Two insertions at one place have no order.
        let beside = index > 0 && start == done && start == end;
        if start < done || beside {
            return Err(Error::Contradiction);
        }
        if bytes.get(start..end) != Some(edit.old.as_bytes()) {
            return Err(Error::Changed);
        }
        changed.extend_from_slice(bytes.get(done..start).unwrap_or_default());
        changed.extend_from_slice(edit.new.as_bytes());
        done = end;
    }
    changed.extend_from_slice(bytes.get(done..).unwrap_or_default());
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use lorimer_core::Span;

    use super::*;

    fn edit(start: usize, old: &str, new: &str) -> Edit {
        let span = Span { start, end: start + old.len(), line: 1, column: 1 };
        Edit { span, old: old.to_owned(), new: new.to_owned() }
    }

    #[test]
    fn edits_are_made_in_the_order_of_the_file_and_equal_ones_once() {
        let edits = [edit(4, "e", "E"), edit(0, "a", ""), edit(4, "e", "E"), edit(2, "", "-")];
        let changed = apply(b"abcdef", edits.iter().collect()).unwrap();
        assert_eq!(changed, b"b-cdEf");
    }

    #[test]
    fn edits_that_overlap_or_do_not_fit_are_refused() {
        let overlapping = [edit(0, "abc", "x"), edit(2, "c", "y")];
        assert!(matches!(apply(b"abc", overlapping.iter().collect()), Err(Error::Contradiction)));
        let insertions = [edit(1, "", "x"), edit(1, "", "y")];
        assert!(matches!(apply(b"abc", insertions.iter().collect()), Err(Error::Contradiction)));
        assert!(matches!(apply(b"abc", vec![&edit(1, "x", "")]), Err(Error::Changed)));
        assert!(matches!(apply(b"abc", vec![&edit(9, "x", "")]), Err(Error::Changed)));
    }
}
