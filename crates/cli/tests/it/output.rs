//! What a person reads.

use lorimer_testkit::snapshot_settings;

use crate::{everything, lorimer, telling};

fn shown(arguments: &[&str]) -> (insta::Settings, String) {
    let project = telling();
    let output = lorimer(&project, arguments);
    let mut settings = snapshot_settings(project.root());
    settings.set_omit_expression(true);
    (settings, everything(&output))
}

#[test]
fn list() {
    let (settings, text) = shown(&["list", "--as", "codex", "--window", "12000"]);
    settings.bind(|| insta::assert_snapshot!("list_codex", text));
    let (settings, text) = shown(&["list", "--window", "272_000"]);
    settings.bind(|| insta::assert_snapshot!("list_native", text));
    let (settings, text) = shown(&["list", "--as", "harnessx", "--text"]);
    settings.bind(|| insta::assert_snapshot!("list_harnessx_text", text));
}

#[test]
fn check() {
    let (settings, text) = shown(&["check"]);
    settings.bind(|| insta::assert_snapshot!("check_native", text));
    let (settings, text) = shown(&["check", "--as", "codex"]);
    settings.bind(|| insta::assert_snapshot!("check_codex", text));
}

#[test]
fn turn() {
    let (settings, text) =
        shown(&["turn", "--input", "use $brew-tea and $release, then $brewtea", "--window", "272000"]);
    settings.bind(|| insta::assert_snapshot!("turn_native", text));
}

#[test]
fn load() {
    let (settings, text) = shown(&["load", "brew-tea"]);
    settings.bind(|| insta::assert_snapshot!("load", text));
    let (settings, text) = shown(&["load", "deploy"]);
    settings.bind(|| insta::assert_snapshot!("load_refused", text));
    let (settings, text) = shown(&["load", "deploy", "--user"]);
    settings.bind(|| insta::assert_snapshot!("load_as_user", text));
}

#[test]
fn roots() {
    let (settings, text) = shown(&["roots", "--as", "claude-code"]);
    settings.bind(|| insta::assert_snapshot!("roots_claude_code", text));
    let (settings, text) = shown(&["roots", "--as", "pi"]);
    settings.bind(|| insta::assert_snapshot!("roots_pi", text));
    let (settings, text) = shown(&["roots", "--as", "codex", "--json"]);
    settings.bind(|| insta::assert_snapshot!("roots_codex_json", text));
    let (settings, text) = shown(&["roots", "--as", "nobody"]);
    settings.bind(|| insta::assert_snapshot!("roots_nobody", text));
}

#[test]
fn roots_of_all_harnesses_stand_one_below_the_other() {
    let project = telling();
    let output = lorimer(&project, &["roots"]);
    let text = crate::stdout(&output);
    for harness in lorimer::profiles::roots::ALL {
        assert!(
            text.lines().any(|line| line.split(' ').next() == Some(harness.harness)),
            "{}",
            harness.harness
        );
    }
    let trusted = crate::stdout(&lorimer(&project, &["roots", "--as", "pi", "--trusted"]));
    assert!(!trusted.contains("not trusted"), "{trusted}");
}

#[test]
fn explain() {
    let output = crate::bare().args(["explain", "discover/frontmatter-repaired"]).output().unwrap();
    insta::assert_snapshot!(everything(&output), @r"
    exit 0
    --- stdout
    discover/frontmatter-repaired (warning)
      A plain value was not valid YAML and was read as if it were quoted. Quote it: strict harnesses drop the skill.
    --- stderr
    ");
}
