//! S3-51: what goes wrong with one skill is told, and never costs another.

use lorimer::{Outcome, TurnInput};
use lorimer_testkit::Project;

use crate::{codes, kinds, session};

/// S3-51: missing fields, bad YAML and odd files are reported one by one; the others load.
#[test]
fn s3_51_bad_files_are_reported_and_cost_nobody() {
    let project = Project::new();
    project.skill("good", "Is good.", "Body.\n");
    for (folder, bytes) in [
        ("no-front", &b"just text"[..]),
        ("unclosed", b"---\nname: unclosed\ndescription: d\n"),
        ("bad-yaml", b"---\nname: x\ndescription: \"open\n---\n"),
        ("no-description", b"---\nname: x\n---\n"),
        ("list", b"---\nname: x\ndescription:\n  - a\n---\n"),
        ("latin", b"---\nname: x\ndescription: caf\xe9\n---\n"),
        ("empty", b""),
    ] {
        project.file(&format!("project/.agents/skills/{folder}/SKILL.md"), bytes);
    }
    for profile in ["native", "codex"] {
        let turn = session(profile, &project.host()).begin(&TurnInput::text("use $good")).unwrap();
        assert_eq!(turn.snapshot.len(), 1, "{profile}");
        assert_eq!(turn.selected.len(), 1, "{profile}");
        assert_eq!(
            turn.funnel().counts().rejected.values().sum::<usize>(),
            7,
            "{profile}: {:?}",
            codes(&turn)
        );
        let located = turn.diagnostics.iter().filter(|found| found.location.is_some()).count();
        assert!(located >= 7, "{profile}: every one names its file");
    }
}

/// S3-51: a body that is gone when it is needed is a failure of that skill, and the turn goes on.
#[test]
fn s3_51_a_vanished_body_stops_one_skill() {
    let project = Project::new();
    project.skill("gone", "Will be gone.", "Body.\n").skill("here", "Stays.", "Body of here.\n");
    let mut session = session("codex", &project.host());
    session.begin(&TurnInput::text("hello")).unwrap();
    std::fs::remove_dir_all(project.path("project/.agents/skills/gone")).unwrap();
    let turn = session.begin(&TurnInput::text("$gone $here")).unwrap();
    assert!(matches!(&turn.selected[0].outcome, Outcome::Failed(reason) if reason.contains("gone")));
    assert_eq!(kinds(&turn).len(), 1);
    assert!(turn.items[0].text.contains("Body of here."));
    assert!(codes(&turn).contains(&"activate/body-unreadable"));
    assert!(turn.events.iter().any(|event| event.name() == "skill.injection_failed"));
}
