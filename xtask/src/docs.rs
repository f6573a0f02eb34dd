//! Writes `docs/diagnostics.md` from the table of diagnostic codes.

use std::fmt::Write as _;

use anyhow::Context as _;
use lorimer::core::{Code, CodeInfo};

use crate::workspace;

const PAGE: &str = "docs/diagnostics.md";

const HEADER: &str = "# Diagnostic codes

Generated from the table in `crates/core/src/code.rs` by `cargo xtask docs`; change the table, not this file.

Every finding has a stable code, `stage/what`. A code is never renamed and never used again for something else. The
severity is the usual one: a profile may see a finding in another light, and `lorimer check --severity CODE=LEVEL`
overrules both. `lorimer explain CODE` prints the same text.
";

/// Whether to write or to compare.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Write nothing; fail when the committed page is not the generated one
    #[arg(long)]
    check: bool,
}

/// Writes the page, or returns whether it is up to date.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    if is_current() {
        eprintln!("docs: `{PAGE}` is up to date");
        return Ok(true);
    }
    if arguments.check {
        println!("{PAGE}: differs from the table of codes; run `cargo xtask docs`");
        return Ok(false);
    }
    std::fs::write(workspace::root().join(PAGE), page()).with_context(|| format!("cannot write `{PAGE}`"))?;
    eprintln!("docs: `{PAGE}` is written");
    Ok(true)
}

fn is_current() -> bool {
    std::fs::read_to_string(workspace::root().join(PAGE)).is_ok_and(|committed| committed == page())
}

/// Returns the page: a heading for each stage and for each code, in the order of the table.
fn page() -> String {
    let mut stages: Vec<(&str, String)> = Vec::new();
    for info in Code::ALL.iter().copied().map(Code::info) {
        let stage = info.code.split('/').next().unwrap_or_default();
        match stages.iter_mut().find(|(known, _)| *known == stage) {
            Some((_, section)) => section.push_str(&entry(info)),
            None => stages.push((stage, entry(info))),
        }
    }
    stages.into_iter().fold(HEADER.to_owned(), |mut page, (stage, section)| {
        let _ = write!(page, "\n## {stage}\n{section}");
        page
    })
}

fn entry(info: CodeInfo) -> String {
    format!("\n### `{}`\n\n**{}** · {}\n", info.code, info.severity.as_str(), info.explanation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_page_is_the_generated_one() {
        assert!(is_current(), "`{PAGE}` is stale; run `cargo xtask docs`");
    }

    #[test]
    fn every_code_has_a_heading_below_its_stage() {
        let page = page();
        for code in Code::ALL {
            let (stage, _) = code.as_str().split_once('/').unwrap();
            let section =
                page.find(&format!("\n## {stage}\n")).unwrap_or_else(|| panic!("no stage `{stage}`"));
            let heading = page.find(&format!("\n### `{code}`\n")).unwrap_or_else(|| panic!("no `{code}`"));
            assert!(section < heading, "{code}");
            assert_eq!(page.matches(&format!("\n## {stage}\n")).count(), 1, "{stage}");
        }
    }
}
