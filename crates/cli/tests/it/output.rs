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

/// S3-29: what was read is kept, so that the next command only reads what changed; it tells the same.
#[test]
fn s3_29_a_cache_is_kept_where_it_is_wanted_and_changes_no_answer() {
    let project = telling();
    let list = |more: &[&str]| {
        let mut arguments = vec!["list", "--json"];
        arguments.extend(more);
        everything(&lorimer(&project, &arguments))
    };
    let cache = project.path("cache");
    let named = ["--cache", cache.to_str().unwrap()];
    let without = list(&["--no-cache"]);
    assert!(!cache.exists());
    // What was written a moment ago may be written again in the same tick of the clock, so it is not kept yet.
    std::thread::sleep(std::time::Duration::from_millis(2_200));
    assert_eq!(list(&named), without);
    assert_eq!(std::fs::read_dir(&cache).unwrap().count(), 1, "one file a place");
    assert_eq!(list(&named), without);
    project.skill("brew-tea", "Brews two pots of tea.", "Warm the pot.\n");
    let edited = list(&named);
    assert!(edited.contains("two pots"), "{edited}");
    for entry in std::fs::read_dir(&cache).unwrap().flatten() {
        std::fs::write(entry.path(), "no cache at all").unwrap();
    }
    assert_eq!(list(&named), edited, "what is not ours is not believed");
}
