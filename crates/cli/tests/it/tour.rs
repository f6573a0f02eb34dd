//! The main job.

use crate::{bare, stderr, stdout};

/// S3-01, S3-02, S3-54: three turns over a project of our own, for a newcomer.
#[test]
fn s3_01_s3_02_s3_54_the_tour_walks_through_all_stages() {
    let folder = tempfile::tempdir().unwrap();
    let output = bare().arg("tour").env("TMPDIR", folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for stage in ["discover", "catalog", "resolve", "activate", "authorize", "persist", "observe"] {
        assert!(text.contains(stage), "{stage}");
    }
    for fact in [
        "discover/frontmatter-invalid-yaml",
        "hidden: old-habits",
        "hidden: deploy",
        "release: not chosen, ambiguous",
        "deploy by mention: cleared",
        "tracker by mention: waiting",
        "old-habits: not chosen, disabled",
        "the guests complained",
        "in turns 2 and 3; nothing was rewritten",
    ] {
        assert!(text.contains(fact), "`{fact}` is missing:\n{text}");
    }
    assert!(!text.contains(&*folder.path().to_string_lossy()), "paths are shown as TOUR");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn the_tour_works_as_every_harness() {
    for profile in ["native", "codex", "harnessx"] {
        let output =
            bare().args(["tour", "--as", profile]).env("TMPDIR", std::env::temp_dir()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{profile}: {}", stderr(&output));
    }
}
