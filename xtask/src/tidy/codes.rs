//! Every diagnostic code is produced by something and looked at by a test, or it has no business in the table.

use anyhow::Context as _;

use super::Finding;
use crate::rust;
use crate::workspace::TextFile;

const TABLE: &str = "crates/core/src/code.rs";

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    variant: String,
    text: String,
    line: usize,
}

/// Checks that a test mentions every code.
pub(super) fn check(files: &[TextFile]) -> anyhow::Result<Vec<Finding>> {
    let table = files.iter().find(|file| file.path == TABLE).with_context(|| format!("no file `{TABLE}`"))?;
    let rows = rows(&table.text);
    anyhow::ensure!(!rows.is_empty(), "`{TABLE}` has no line `Variant = \"stage/what\", Severity,`");
    // The tests of this crate are about the words of other programs, not about ours.
    let others = files.iter().filter(|file| file.path != TABLE && !file.path.starts_with("xtask/"));
    let tests: Vec<String> = others.filter_map(test_text).collect();
    Ok(unmentioned(&rows, &tests))
}

fn unmentioned(rows: &[Row], tests: &[String]) -> Vec<Finding> {
    let missing = rows.iter().filter(|row| {
        let variant = format!("Code::{}", row.variant);
        !tests.iter().any(|test| rust::has_word(test, &variant) || has_code(test, &row.text))
    });
    missing
        .map(|row| {
            let message = format!("no test mentions `{}` (`Code::{}`)", row.text, row.variant);
            Finding::at_line(TABLE, row.line, message)
        })
        .collect()
}

/// Returns whether a code stands in `text` and is not the beginning of a longer one.
fn has_code(text: &str, code: &str) -> bool {
    text.match_indices(code).any(|(start, _)| {
        let behind = text.get(start + code.len()..).and_then(|behind| behind.chars().next());
        !behind.is_some_and(|character| character.is_alphanumeric() || character == '-')
    })
}

/// Reads the rows of the table: lines of the form `Variant = "stage/what", Severity,`.
fn rows(table: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    for (line, text) in table.lines().enumerate() {
        let Some((variant, rest)) = text.trim().split_once(" = \"") else { continue };
        let Some((code, rest)) = rest.split_once('"') else { continue };
        let severity = rest.trim_start_matches(',').trim().trim_end_matches(',');
        if code.contains('/') && matches!(severity, "Note" | "Warning" | "Error") {
            rows.push(Row { variant: variant.to_owned(), text: code.to_owned(), line });
        }
    }
    rows
}

/// Returns the part of a file that is test: all of a file below `tests/`, of a `tests.rs` and of a snapshot, and
/// what follows `#[cfg(test)]` elsewhere.
fn test_text(file: &TextFile) -> Option<String> {
    if file.is_test() {
        return Some(file.text.clone());
    }
    if !file.is_rust() {
        return None;
    }
    let before = rust::lines_before_tests(&rust::split(&file.text));
    let tests: Vec<&str> = file.text.lines().skip(before).collect();
    (!tests.is_empty()).then(|| tests.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str =
        "    First = \"stage/one\", Error,\n        \"Text.\";\n    Second = \"stage/one-more\", Note,\n";

    fn sample() -> Vec<Row> {
        rows(SAMPLE)
    }

    #[test]
    fn the_rows_of_the_table_are_read() {
        let rows = sample();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows.first().unwrap().variant, "First");
        assert_eq!(rows.last().unwrap().text, "stage/one-more");
        assert_eq!(rows.last().unwrap().line, 2);
    }

    #[test]
    fn a_code_without_a_test_is_a_finding() {
        assert_eq!(unmentioned(&sample(), &[]).len(), 2);
        assert_eq!(unmentioned(&sample(), &["assert_eq!(code, Code::First);".to_owned()]).len(), 1);
        assert_eq!(unmentioned(&sample(), &["Code::FirstOfAll".to_owned()]).len(), 2, "another variant");
        let both = ["x\": \"stage/one\"".to_owned(), "[stage/one-more]".to_owned()];
        assert_eq!(unmentioned(&sample(), &both), []);
        let longer = ["stage/one-more".to_owned()];
        assert_eq!(unmentioned(&sample(), &longer).len(), 1, "a longer code is another code");
    }

    #[test]
    fn only_tests_count() {
        let test_text =
            |path: &str, text: &str| test_text(&TextFile { path: path.to_owned(), text: text.to_owned() });
        assert_eq!(test_text("a/src/lib.rs", "Code::First\n"), None);
        let with_tests = "Code::First\n#[cfg(test)]\nmod tests { Code::Second }\n";
        let found = test_text("a/src/lib.rs", with_tests).unwrap();
        assert!(!found.contains("First") && found.contains("Second"));
        assert!(test_text("a/tests/it/main.rs", "Code::First\n").is_some());
        assert!(test_text("a/src/snapshots/x.snap", "stage/one\n").is_some());
        assert_eq!(test_text("docs/diagnostics.md", "stage/one\n"), None);
    }
}
