//! What of a listing a model has not seen yet.

use std::collections::{HashMap, HashSet};

/// Returns the lines of entries and roots that the model has not seen, if there are any.
pub(crate) fn lines(before: &str, now: &str) -> Option<String> {
    let seen: HashSet<&str> = before.lines().collect();
    let new: Vec<&str> = now.lines().filter(|line| line.starts_with("- ") && !seen.contains(line)).collect();
    (!new.is_empty()).then(|| new.join("\n"))
}

/// A listing of which only new entries are told.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Updated {
    /// The lines to tell, if there are any.
    pub(crate) new: Option<String>,
    /// What the model knows from now on: the listing with the texts that it has seen, and what is gone from it.
    pub(crate) known: Option<String>,
}

/// Compares entries by their names.
pub(crate) fn entries(before: &str, now: &str) -> Updated {
    let seen: HashMap<&str, &str> = before.lines().filter_map(|line| Some((name(line)?, line))).collect();
    let mut left = seen.clone();
    let (mut new, mut known) = (Vec::new(), Vec::new());
    // The lines of entries stand together; what is gone keeps its place behind them.
    let mut last = 0;
    for line in now.lines() {
        let Some(name) = name(line) else {
            known.push(line);
            continue;
        };
        left.remove(name);
        known.push(match seen.get(name) {
            Some(told) if *told == line || is_bare(line, name) => *told,
            Some(told) if is_bare(told, name) => line,
            _ => {
                new.push(line);
                line
            }
        });
        last = known.len();
    }
    let mut gone: Vec<&str> =
        before.lines().filter(|line| name(line).is_some_and(|name| left.contains_key(name))).collect();
    let behind = known.split_off(last);
    known.append(&mut gone);
    known.extend(behind);
    Updated { new: (!new.is_empty()).then(|| new.join("\n")), known: Some(known.join("\n")) }
}

fn name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("- ")?;
    let ends = [rest.find(": "), rest.find(" (")];
    let end = ends.into_iter().flatten().min().unwrap_or(rest.len());
    rest.get(..end)
}

fn is_bare(line: &str, name: &str) -> bool {
    line.strip_prefix("- ") == Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(before: &str, now: &str) -> String {
        entries(before, now).new.unwrap_or_default()
    }

    #[test]
    fn only_new_entries_and_new_texts_are_told() {
        let before = "head\n- a: A\n- b\n- c (C): d\ntail";
        assert_eq!(new(before, before), "");
        assert_eq!(new(before, "head\n- a: A\n- b\n- x\n- c (C): e\ntail"), "- x\n- c (C): e");
        assert_eq!(new(before, "head\n- a\n- b: B\n- c\ntail"), "", "only the budget has changed");
    }

    #[test]
    fn what_was_told_stays_known() {
        let before = "head\n- a: A\n- b: B\ntail";
        let Updated { new: told, known } = entries(before, "head\n- b\ntail");
        assert_eq!((told, known.as_deref()), (None, Some("head\n- b: B\n- a: A\ntail")));
        let known = known.unwrap();
        assert_eq!(new(&known, before), "", "it came back as it was");
        assert_eq!(new(&known, "head\n- a: other\n- b: B\ntail"), "- a: other");
    }
}
