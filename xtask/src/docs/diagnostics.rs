//! `docs/diagnostics.md`, from the table of diagnostic codes.

use std::fmt::Write as _;

use lorimer::core::{Code, CodeInfo};

use super::Page;

pub(super) const PAGE: Page = Page { path: "docs/diagnostics.md", table: "the table of codes", text: page };

const HEADER: &str = "# Diagnostic codes

Generated from the table in `crates/core/src/code.rs` by `cargo xtask docs`; change the table, not this file.

Every finding has a stable code, `stage/what`. A code is never renamed and never used again for something else. The
severity is the usual one: a profile may see a finding in another light, and `lorimer check --severity CODE=LEVEL`
overrules both. `lorimer explain CODE` prints the same text.
";

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
