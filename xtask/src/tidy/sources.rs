//! Rules about the text of files.

use super::Finding;
use crate::rust;
use crate::workspace::TextFile;

/// Lines of code that a file may have before its unit tests.
const LINES: usize = 400;

/// Names of a home folder that stand for anybody's; so does a single letter.
const PLACEHOLDERS: [&str; 8] = ["user", "me", "you", "name", "somebody", "alice", "bob", "ada"];

/// Hosts of package registries. Where packages come from is the business of whoever builds.
const REGISTRIES: [&str; 5] = [
    concat!("crates", ".io"),
    concat!("registry.npmjs", ".org"),
    concat!("pypi", ".org"),
    concat!("pythonhosted", ".org"),
    concat!("proxy.golang", ".org"),
];

/// The only source of packages that the lock file may name.
const LOCKED_SOURCE: &str = concat!("registry+https://github.com/rust-lang/crates", ".io-index");

/// Checks every file.
pub(super) fn check(files: &[TextFile]) -> Vec<Finding> {
    files.iter().flat_map(check_file).collect()
}

fn check_file(file: &TextFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    if file.path.ends_with("Cargo.lock") {
        check_lock(file, &mut findings);
        return findings;
    }
    // The bytes of fixtures, seeds and snapshots are what a test is about.
    let is_data = file.path.contains("/fixtures/") || file.path.starts_with("fuzz/seeds/");
    if !is_data && !file.is_snapshot() {
        check_white_space(file, &mut findings);
    }
    check_machine(file, &mut findings);
    if file.is_rust() {
        check_rust(file, &mut findings);
    }
    findings
}

fn check_white_space(file: &TextFile, findings: &mut Vec<Finding>) {
    for (number, line) in file.text.split('\n').enumerate() {
        if line.ends_with([' ', '\t', '\r']) {
            findings.push(Finding::at_line(&file.path, number, "white space at the end of the line"));
        }
        if file.is_rust() && line.contains('\t') {
            findings.push(Finding::at_line(&file.path, number, "a tab; write spaces, or `\\t` in a literal"));
        }
    }
    if !file.text.is_empty() && !file.text.ends_with('\n') {
        findings.push(Finding::new(&file.path, "no line feed at the end of the file"));
    }
}

fn check_machine(file: &TextFile, findings: &mut Vec<Finding>) {
    for (number, line) in file.text.lines().enumerate() {
        if let Some(path) = machine_path(line) {
            let message = format!("`{path}` is a path of one machine; write a placeholder such as `/home/u`");
            findings.push(Finding::at_line(&file.path, number, message));
        }
        for registry in REGISTRIES.iter().filter(|registry| line.contains(**registry)) {
            let message = format!("`{registry}` is the host of a registry; only Cargo.lock names one");
            findings.push(Finding::at_line(&file.path, number, message));
        }
    }
}

fn check_lock(file: &TextFile, findings: &mut Vec<Finding>) {
    for (number, line) in file.text.lines().enumerate() {
        let Some(source) = line.strip_prefix("source = ") else { continue };
        if source.trim_matches('"') != LOCKED_SOURCE {
            let message =
                format!("{source} is not the public registry; another machine could not build this");
            findings.push(Finding::at_line(&file.path, number, message));
        }
    }
}

/// Returns the first path of `line` that only exists on somebody's machine.
fn machine_path(line: &str) -> Option<&str> {
    const BASES: [&str; 3] = [concat!("/wo", "rk/"), concat!("/ro", "ot/"), "/home/"];
    for base in BASES {
        for (start, _) in line.match_indices(base) {
            // `project/home/…` and `<SCRATCH>/home/…` are somewhere else, and so is a host's `…/home/`.
            let before = line.get(..start).and_then(|before| before.chars().next_back());
            let goes_on =
                before.is_some_and(|before| before.is_alphanumeric() || "_-./~>})*]$\\".contains(before));
            let rest = line.get(start + base.len()..).unwrap_or_default();
            let is_name = |character: char| character.is_alphanumeric() || "_-.".contains(character);
            let name = rest.split(|character| !is_name(character)).next().unwrap_or_default();
            let anybody = base == "/home/" && (name.chars().count() < 2 || PLACEHOLDERS.contains(&name));
            if !goes_on && !anybody {
                return line.get(start..start + base.len() + name.len());
            }
        }
    }
    None
}

fn check_rust(file: &TextFile, findings: &mut Vec<Finding>) {
    let views = rust::split(&file.text);
    for (macro_name, call) in [("todo", "todo!"), ("unimplemented", "unimplemented!")] {
        for (number, line) in views.code.lines().enumerate() {
            if rust::has_word(line, macro_name) && line.contains(call) {
                findings.push(Finding::at_line(&file.path, number, format!("`{call}` is not finished code")));
            }
        }
    }
    for (number, line) in views.code.lines().enumerate() {
        if line.trim_start().starts_with("#[ignore") {
            findings.push(Finding::at_line(&file.path, number, "an ignored test proves nothing"));
        }
    }
    for word in ["FIXME", "XXX", "TODO"] {
        for number in rust::lines_with_word(&views.comments, word) {
            findings.push(Finding::at_line(&file.path, number, format!("`{word}` is no explanation")));
        }
    }
    let lines = rust::lines_before_tests(&views);
    if lines > LINES && !file.is_test() {
        let message = format!("{lines} lines before the tests; a file has at most {LINES}, so split it");
        findings.push(Finding::new(&file.path, message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(path: &str, text: &str) -> Vec<String> {
        let file = TextFile { path: path.to_owned(), text: text.to_owned() };
        check(&[file]).into_iter().map(|finding| finding.to_string()).collect()
    }

    fn count(path: &str, text: &str) -> usize {
        messages(path, text).len()
    }

    #[test]
    fn white_space_is_reported_where_it_is() {
        assert_eq!(messages("a.md", "x\ny \n"), ["a.md:2: white space at the end of the line"]);
        assert_eq!(count("a.md", "x\r\n"), 1);
        assert_eq!(count("a.md", "x"), 1, "no line feed at the end");
        assert_eq!(count("a.rs", "\tx\n"), 1);
        assert_eq!(count("Makefile", "\tx\n"), 0);
        assert_eq!(count("a.md", ""), 0);
        assert_eq!(count("crates/a/tests/fixtures/b/SKILL.md", "x \ny"), 0, "a fixture keeps its bytes");
        assert_eq!(count("fuzz/seeds/a/b.md", "x \r\ny"), 0, "so does a seed");
    }

    #[test]
    fn unfinished_code_is_reported() {
        assert_eq!(count("a.rs", "fn f() { todo!() }\n"), 1);
        assert_eq!(count("a.rs", "fn f() { std::unimplemented!(\"x\") }\n"), 1);
        assert_eq!(count("a.rs", "#[test]\n#[ignore = \"slow\"]\nfn f() {}\n"), 1);
        for word in ["FIXME", "XXX", "TODO"] {
            assert_eq!(count("a.rs", &format!("// {word} later\n")), 1);
            assert_eq!(count("a.rs", &format!("let a = \"{word}\";\n")), 0, "a literal is data");
            assert_eq!(count("a.md", &format!("{word}\n")), 0);
        }
        assert_eq!(count("a.rs", "// todo!() is refused\nlet a = \"todo!()\";\n"), 0);
    }

    #[test]
    fn long_files_are_reported_without_their_tests() {
        let long = "x\n".repeat(LINES + 1);
        assert_eq!(count("crates/a/src/b.rs", &long), 1);
        assert_eq!(count("crates/a/tests/it/b.rs", &long), 0);
        let tested = format!("x\n#[cfg(test)]\n{long}");
        assert_eq!(count("crates/a/src/b.rs", &tested), 0);
        assert_eq!(count("crates/a/src/b.rs", &"x\n".repeat(LINES)), 0);
    }

    #[test]
    fn paths_of_one_machine_are_reported() {
        for base in [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/carla/")] {
            for line in [format!("{base}x"), format!("see `{base}x`"), format!("path = \"{base}\"")] {
                assert!(machine_path(&line).is_some(), "{line}");
            }
        }
        for line in [
            "/home/u/skills",
            "/home/",
            "/home/<name>/x",
            "project/home/carla",
            "<SCRATCH>/home/carla",
            "https://example.invalid/work/a",
            "~/work/a",
            "../root/a",
            "/workspace/a",
        ] {
            assert_eq!(machine_path(line), None, "{line}");
        }
        assert_eq!(count("a.md", &format!("{}x\n", concat!("/wo", "rk/"))), 1);
    }

    #[test]
    fn registries_belong_into_the_lock_file() {
        for registry in REGISTRIES {
            assert_eq!(count("README.md", &format!("from {registry}\n")), 1, "{registry}");
        }
        assert_eq!(count("Cargo.lock", &format!("source = \"{LOCKED_SOURCE}\"\n")), 0);
        assert_eq!(count("Cargo.lock", "source = \"registry+https://mirror.invalid/index\"\n"), 1);
    }
}
