//! Every member takes version, edition, licence and lints from the workspace, so that they cannot drift apart.

use toml::{Table, Value};

use super::Finding;
use crate::workspace::TextFile;

const INHERITED: [&str; 3] = ["version", "edition", "license"];

/// Checks the manifest of every member.
pub(super) fn check(files: &[TextFile]) -> Vec<Finding> {
    let members = files.iter().filter(|file| file.path.contains('/') && file.path.ends_with("/Cargo.toml"));
    members.flat_map(|file| check_manifest(&file.path, &file.text)).collect()
}

fn check_manifest(path: &str, text: &str) -> Vec<Finding> {
    let manifest: Table = match text.parse() {
        Ok(manifest) => manifest,
        Err(error) => return vec![Finding::new(path, format!("is not TOML: {error}"))],
    };
    // A manifest of its own workspace, as a fuzz target has it, is no member of this one.
    if manifest.contains_key("workspace") {
        return Vec::new();
    }
    let mut findings = Vec::new();
    let package = manifest.get("package").and_then(Value::as_table);
    for key in INHERITED {
        if !inherits(package.and_then(|package| package.get(key))) {
            findings.push(Finding::new(path, format!("`{key}` must be inherited: `{key}.workspace = true`")));
        }
    }
    if !inherits(manifest.get("lints")) {
        findings.push(Finding::new(path, "the lints must be inherited: `[lints]` with `workspace = true`"));
    }
    findings
}

fn inherits(value: Option<&Value>) -> bool {
    value.and_then(|value| value.get("workspace")).and_then(Value::as_bool) == Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "[package]\nname = \"a\"\nversion.workspace = true\nedition.workspace = true\n\
                        license.workspace = true\n[lints]\nworkspace = true\n";

    #[test]
    fn a_member_that_inherits_passes() {
        assert_eq!(check_manifest("a/Cargo.toml", GOOD), []);
    }

    #[test]
    fn each_key_that_is_not_inherited_is_named() {
        for key in ["version", "edition", "license"] {
            let line = format!("{key}.workspace = true");
            let findings = check_manifest("a/Cargo.toml", &GOOD.replace(&line, &format!("{key} = \"1\"")));
            assert_eq!(findings.len(), 1, "{key}");
            assert!(findings.first().unwrap().message.contains(key));
        }
        let own_lints = GOOD.replace("[lints]\nworkspace = true\n", "[lints.rust]\nunsafe_code = \"deny\"\n");
        assert_eq!(check_manifest("a/Cargo.toml", &own_lints).len(), 1);
        assert_eq!(check_manifest("a/Cargo.toml", &GOOD.replace("[lints]\nworkspace = true\n", "")).len(), 1);
    }

    #[test]
    fn the_root_is_where_they_are_inherited_from() {
        let root = TextFile { path: "Cargo.toml".to_owned(), text: "[workspace]\n".to_owned() };
        let member = TextFile { path: "crates/a/Cargo.toml".to_owned(), text: "[package]\n".to_owned() };
        assert_eq!(check(&[root, member]).len(), 4);
    }
}
