//! What a turn does, whatever the profile.

use lorimer::core::{Event, kind};
use lorimer::{Answer, Clearing, Outcome, Selected, Told, TurnInput};
use lorimer_testkit::{Project, snapshot_settings};

use crate::{codes, kinds, session};

fn three() -> Project {
    let project = Project::new();
    for name in ["alpha", "beta", "gamma"] {
        project.skill(name, &format!("Does {name} things."), &format!("Body of {name}.\n"));
    }
    project
}

/// S3-02, S3-16, S3-17: the whole turn as the model gets it; the user's own message is left alone.
#[test]
fn s3_02_s3_16_s3_17_a_whole_turn_of_every_profile() {
    let project = three();
    for profile in ["native", "codex", "harnessx"] {
        let mut session = session(profile, &project.host().window(272_000));
        let turn = session.begin(&TurnInput::text("use $beta, then $nobody")).unwrap();
        let mut settings = snapshot_settings(project.root());
        settings.set_omit_expression(true);
        let shown: Vec<String> = turn
            .items
            .iter()
            .map(|item| format!("[{} {}]\n{}", item.role.as_str(), item.kind, item.text))
            .chain([turn.funnel().counts().to_string()])
            .collect();
        settings.bind(|| insta::assert_snapshot!(format!("turn_{profile}"), shown.join("\n\n")));
        assert_eq!(session.state().user_messages().collect::<Vec<_>>(), ["use $beta, then $nobody"]);
    }
}

/// S3-11, S3-12, S3-13: namesakes are both kept, a bare name chooses neither, a path chooses one.
#[test]
fn s3_11_s3_12_s3_13_ambiguity_is_an_answer_and_a_path_decides() {
    let project = three();
    project.file("home/.agents/skills/alpha/SKILL.md", "---\nname: alpha\ndescription: Mine.\n---\nMINE\n");
    let mut session = session("codex", &project.host());
    let turn = session.begin(&TurnInput::text("use $alpha")).unwrap();
    assert!(turn.selected.is_empty());
    assert_eq!(turn.unresolved[0].reason.as_str(), "ambiguous");
    assert_eq!(turn.unresolved[0].candidates.len(), 2);
    assert!(codes(&turn).contains(&"resolve/ambiguous"));
    assert!(codes(&turn).contains(&"discover/name-collision"));

    let mine = project.path("home/.agents/skills/alpha/SKILL.md");
    let chosen = session.begin(&TurnInput::default().select("alpha", mine.to_string_lossy())).unwrap();
    assert_eq!(kinds(&chosen), [kind::SELECTED_SKILL]);
    assert!(chosen.items[0].text.contains("MINE"));

    let clash = session.begin(&TurnInput::text("use $beta").connector("beta")).unwrap();
    assert!(clash.selected.is_empty());
    assert_eq!(clash.unresolved[0].reason.as_str(), "connector-clash");
    assert!(codes(&clash).contains(&"resolve/connector-clash"));
}

/// S3-14, S3-15: what is selected carries origin and locator, and comes from the turn's own snapshot.
#[test]
fn s3_14_s3_15_selections_are_resolved_against_the_snapshot_of_the_turn() {
    let project = three();
    let mut session = session("codex", &project.host());
    session.begin(&TurnInput::text("hello")).unwrap();
    project.skill("delta", "New.", "NEW\n");
    let stale = session.begin(&TurnInput::text("use $delta")).unwrap();
    assert!(stale.selected.is_empty(), "nobody reloaded, so the snapshot does not have it");
    session.reload();
    let fresh = session.begin(&TurnInput::text("use $delta")).unwrap();
    assert_eq!(fresh.selected.len(), 1);
    assert_eq!(fresh.selected[0].skill.source.as_str(), "host");
    assert!(fresh.selected[0].skill.locator.as_path().is_some());
}

/// S3-20, S3-21, S3-22, S3-24: visible in the history, injected again, and read again are three different things.
#[test]
fn s3_20_s3_21_s3_22_s3_24_a_new_mention_reads_again_and_silence_injects_nothing() {
    let project = three();
    let mut session = session("codex", &project.host());
    let first = session.begin(&TurnInput::text("use $alpha")).unwrap();
    assert!(first.items[1].text.contains("Body of alpha."));

    let quiet = session.begin(&TurnInput::text("go on")).unwrap();
    assert!(quiet.items.is_empty(), "no hidden flag keeps a skill active");
    assert_eq!(session.state().visible_bodies().count(), 1, "its body is still in the history");

    project.skill("alpha", "Does alpha things.", "EDITED\n");
    let again = session.begin(&TurnInput::text("once more $alpha")).unwrap();
    assert_eq!(again.told, Told::Unchanged, "the metadata is the same");
    assert!(again.items[0].text.contains("EDITED"), "the body is read when it is asked for");
    let digests: Vec<_> = session.state().visible_bodies().map(|body| (body.turn, body.digest)).collect();
    assert_eq!(digests.iter().map(|(turn, _)| *turn).collect::<Vec<_>>(), [1, 3]);
    assert_ne!(digests[0].1, digests[1].1);
}

/// S3-23, S3-28: metadata is what discovery found; a change on disk enters with the next look, never a running turn.
#[test]
fn s3_23_s3_28_a_change_on_disk_waits_for_the_next_look() {
    let project = three();
    let mut session = session("codex", &project.host());
    session.begin(&TurnInput::text("hello")).unwrap();
    project.skill("alpha", "Described anew.", "Body.\n");
    assert_eq!(session.begin(&TurnInput::text("a")).unwrap().told, Told::Unchanged);
    session.reload();
    let turn = session.begin(&TurnInput::text("b")).unwrap();
    assert_eq!(turn.told, Told::Sent);
    assert!(turn.items[0].text.contains("Described anew."));
    let mut native = crate::session("native", &project.host());
    native.begin(&TurnInput::text("hello")).unwrap();
    project.skill("alpha", "Described once more.", "Body.\n");
    assert_eq!(native.begin(&TurnInput::text("a")).unwrap().told, Told::Sent, "native looks every turn");
}

/// S3-33, S3-34: explicit-only skills are out of the listing and can be selected; disabled ones are neither.
#[test]
fn s3_33_s3_34_three_facts_per_skill() {
    let project = three();
    project.file(
        "project/.agents/skills/beta/agents/openai.yaml",
        "policy:\n  allow_implicit_invocation: false\n",
    );
    for profile in ["codex", "native"] {
        let mut host = project.host();
        host.settings.assign("skills.config=[{name = \"gamma\", enabled = false}]").unwrap();
        let mut session = session(profile, &host);
        let view = session.view();
        let hidden: Vec<(&str, &str)> =
            view.hidden.iter().map(|(skill, refusal)| (skill.call_name(), refusal.rule.as_str())).collect();
        assert_eq!(hidden, [("beta", "explicit-only"), ("gamma", "disabled")], "{profile}");
        assert_eq!(view.snapshot.len(), 3, "all three are installed");
        let turn = session.begin(&TurnInput::text("$alpha $beta $gamma")).unwrap();
        let names: Vec<&str> =
            turn.selected.iter().map(|found| turn.snapshot.get(&found.skill).unwrap().call_name()).collect();
        assert_eq!(names, ["alpha", "beta"], "{profile}");
        let by_model = session.load_skill("beta", lorimer::Caller::Model).unwrap();
        assert!(by_model.result.is_err(), "{profile}: the model must not pick it");
        let by_user = session.load_skill("beta", lorimer::Caller::User).unwrap();
        assert!(by_user.result.is_ok(), "{profile}: the user may");
    }
}

fn clearing(selected: &Selected) -> &Clearing {
    match &selected.outcome {
        Outcome::Loaded(cleared) => cleared.state(),
        other => panic!("not loaded: {other:?}"),
    }
}

/// S3-35, S3-39: a skill whose server is missing is loaded, and it is not usable until a person has said.
#[test]
fn s3_35_s3_39_selected_is_not_usable() {
    let project = three();
    project.file(
        "project/.agents/skills/beta/agents/openai.yaml",
        "dependencies:\n  tools:\n    - type: mcp\n      value: tracker\n      url: https://t.example.invalid/mcp\n",
    );
    let mut session = session("native", &project.host());
    let turn = session.begin(&TurnInput::text("use $beta")).unwrap();
    assert!(turn.items[1].text.contains("Body of beta."), "the body is there");
    assert!(matches!(clearing(&turn.selected[0]), Clearing::Waiting(_)));
    assert!(turn.events.iter().any(|event| event.name() == "dependency.missing"));
    assert!(codes(&turn).contains(&"authorize/dependency-missing"));
    let question = turn.questions[0].id.clone();

    let again = session.begin(&TurnInput::text("use $beta again")).unwrap();
    assert!(again.questions.is_empty(), "a question is put once per session");

    let server = lorimer::authorize::McpServer {
        name: "anything".to_owned(),
        transport: "streamable_http".to_owned(),
        target: "https://t.example.invalid/mcp".to_owned(),
    };
    let settled = session.answer(&question, &Answer::Approved(vec![server])).unwrap();
    assert_eq!(settled.len(), 2, "both mentions waited for it");
    assert!(settled.iter().all(|selected| *clearing(selected) == Clearing::Ready));
    assert!(session.answer(&question, &Answer::Declined).is_err(), "it was answered");
    let after = session.begin(&TurnInput::text("now $beta")).unwrap();
    assert_eq!(*clearing(&after.selected[0]), Clearing::Ready);
}

/// S3-52, S3-54: shortened, omitted, injected and refused are told apart, each by its stage.
#[test]
fn s3_52_s3_54_every_fact_has_its_own_event() {
    let project = three();
    project.skill("wordy", &"so many words ".repeat(40), "Body.\n");
    project.file("project/.agents/skills/broken/SKILL.md", "nothing");
    let mut session = session("codex", &project.host().window(6_000));
    let turn = session.begin(&TurnInput::text("use $alpha and $nobody")).unwrap();
    let count = |name: &str| turn.events.iter().filter(|event| event.name() == name).count();
    assert_eq!(count("skill.discovered"), 4);
    assert_eq!(count("skill.rejected"), 1);
    assert_eq!(
        count("catalog.entry_listed") + count("catalog.entry_shortened") + count("catalog.entry_omitted"),
        4
    );
    assert!(count("catalog.entry_shortened") > 0);
    assert_eq!((count("mention.resolved"), count("skill.injected"), count("skill.cleared")), (1, 1, 1));
    assert_eq!(count("mention.unresolved"), 1);
    let explicit = turn
        .events
        .iter()
        .any(|event| matches!(event, Event::SkillInjected { route, .. } if !route.is_implicit()));
    assert!(explicit, "explicit or implicit is part of the fact");
}
