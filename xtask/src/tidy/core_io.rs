//! The core does no I/O and reads no clock and no environment: it is values, and every stage may rely on that.

use super::Finding;
use crate::rust;
use crate::workspace::TextFile;

/// Modules of `std` that reach outside the program.
const MODULES: [&str; 4] = ["fs", "net", "env", "process"];

/// Types that read a clock.
const CLOCKS: [&str; 2] = ["SystemTime", "Instant"];

/// Checks the sources of the core.
pub(super) fn check(files: &[TextFile]) -> Vec<Finding> {
    let core = files.iter().filter(|file| file.path.starts_with("crates/core/src/") && file.is_rust());
    core.flat_map(|file| check_file(&file.path, &file.text)).collect()
}

fn check_file(path: &str, text: &str) -> Vec<Finding> {
    let code = rust::split(text).code;
    let mut findings = Vec::new();
    for clock in CLOCKS {
        for line in rust::lines_with_word(&code, clock) {
            findings.push(Finding::at_line(path, line, format!("core reads no clock, but uses `{clock}`")));
        }
    }
    for (line, module) in std_modules(&code) {
        if MODULES.contains(&module.as_str()) {
            let message = format!("core does no I/O, but uses `std::{module}`");
            findings.push(Finding::at_line(path, line, message));
        }
    }
    findings
}

/// Returns the modules of `std` that a file names, as `std::fs` or inside `std::{…}`, with their 0-based lines.
fn std_modules(code: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (start, prefix) in code.match_indices("std::") {
        let line = code.get(..start).map_or(0, |before| before.matches('\n').count());
        let rest = code.get(start + prefix.len()..).unwrap_or_default();
        match rest.strip_prefix('{') {
            Some(group) => found.extend(first_level(group).into_iter().map(|module| (line, module))),
            None => found.push((line, leading_word(rest))),
        }
    }
    found
}

/// Returns the first word of every member of a `{…}` group of imports.
fn first_level(group: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let mut members = vec![String::new()];
    for character in group.chars() {
        match character {
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            '{' => depth += 1,
            ',' if depth == 0 => members.push(String::new()),
            _ => {
                if let Some(member) = members.last_mut() {
                    member.push(character);
                }
            }
        }
    }
    members.iter().map(|member| leading_word(member.trim_start())).collect()
}

fn leading_word(text: &str) -> String {
    text.chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> Vec<String> {
        check_file("f.rs", text).into_iter().map(|finding| finding.place).collect()
    }

    #[test]
    fn every_way_out_is_found() {
        assert_eq!(places("use std::fs;\n"), ["f.rs:1"]);
        assert_eq!(places("\nfn f() { std::env::var(\"A\"); }\n"), ["f.rs:2"]);
        assert_eq!(places("use std::{fmt, net::TcpStream};\n"), ["f.rs:1"]);
        assert_eq!(places("use std::{\n    fmt::{self, Write},\n    fs,\n};\n"), ["f.rs:1"]);
        assert_eq!(places("use std::time::SystemTime;\n"), ["f.rs:1"]);
        assert_eq!(places("let now = Instant::now();\n"), ["f.rs:1"]);
    }

    #[test]
    fn values_and_prose_pass() {
        let text = "//! No `std::fs` here.\nuse std::{fmt, path::{Path, PathBuf}};\nlet t = \"std::env\";\n";
        assert_eq!(places(text), [""; 0]);
        assert_eq!(places("use std::collections::HashMap; let env = fs;\n"), [""; 0]);
    }

    #[test]
    fn only_the_core_is_bound_by_the_rule() {
        let file = |path: &str| TextFile { path: path.to_owned(), text: "use std::fs;\n".to_owned() };
        let files = [file("crates/discover/src/host.rs"), file("crates/core/src/id.rs")];
        assert_eq!(check(&files).len(), 1);
    }
}
