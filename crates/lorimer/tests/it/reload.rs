//! A reload answers, and a host that watches says what changed.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use lorimer::core::{Aspect, Skill, SourceId};
use lorimer::discover::{Changes, MemorySource, MetadataCache, ReadError, Scan, ScanRequest, Source};
use lorimer::report::ReloadReport;
use lorimer::{Caller, Lifecycle, Reloaded, Told, TurnInput};
use lorimer_testkit::Project;

use crate::session;

fn names(skills: &[Arc<Skill>]) -> Vec<&str> {
    skills.iter().map(|skill| skill.name.as_str()).collect()
}

/// What changed, as `name: aspect, aspect`.
fn changed(reloaded: &Reloaded) -> Vec<String> {
    let row = |changed: &lorimer::core::ChangedSkill| {
        let aspects: Vec<&str> = changed.aspects.iter().map(|aspect| aspect.as_str()).collect();
        format!("{}: {}", changed.after.name, aspects.join(", "))
    };
    reloaded.skills.changed.iter().map(row).collect()
}

fn four() -> Project {
    let project = Project::new();
    for name in ["alpha", "beta", "gamma", "keep"] {
        project.skill(name, &format!("Does {name} things."), "Body.\n");
    }
    project
}

/// S3-23, S3-29: a forced reload looks at the disk again and says what was added, changed, removed and left alone.
#[test]
fn s3_23_s3_29_a_reload_says_what_it_found() {
    for profile in ["native", "codex", "harnessx"] {
        let project = four();
        let mut session = session(profile, &project.host());
        session.begin(&TurnInput::text("hello")).unwrap();
        assert!(session.reload().is_empty(), "{profile}");
        project.skill("alpha", "Described anew.", "Body.\n").skill("delta", "New.", "Body.\n");
        project.skill("beta", "Does beta things.", "Another body.\n");
        std::fs::remove_dir_all(project.path("project/.agents/skills/gamma")).unwrap();
        let reloaded = session.reload();
        assert_eq!(names(&reloaded.skills.added), ["delta"], "{profile}");
        assert_eq!(names(&reloaded.skills.removed), ["gamma"], "{profile}");
        assert_eq!(changed(&reloaded), ["alpha: description", "beta: body"], "{profile}");
        assert_eq!(reloaded.skills.unchanged, 1, "{profile}");
        assert!(reloaded.complete, "{profile}");
        assert!(session.reload().is_empty(), "{profile}: it is compared with the last look");
        let turn = session.begin(&TurnInput::text("next")).unwrap();
        assert_eq!(turn.told, Told::Sent, "{profile}");
        assert!(turn.items[0].text.contains("Described anew."), "{profile}");
    }
}

/// S3-29: a cache saves opening files, and a forced reload does not ask it.
#[test]
fn s3_29_a_forced_reload_reads_whatever_a_cache_says() {
    for profile in ["native", "codex", "harnessx"] {
        let project = four();
        // The clock is far ahead, so that every file has settled.
        let cache = MetadataCache::in_memory(|| SystemTime::now() + Duration::from_secs(60));
        let mut host = project.host();
        host.cache = Some(cache.clone());
        let mut session = session(profile, &host);
        session.reload();
        assert!(session.changed(&Changes::unknown()).is_empty(), "{profile}");
        let counts = cache.counts();
        assert_eq!((counts.recalled, counts.read), (4, 4), "{profile}");
        assert!(session.reload().is_empty(), "{profile}: cached or not, a skill is the same");
        assert_eq!(cache.counts().read, 8, "{profile}");
        project.skill("beta", "Does beta things.", "Another body.\n");
        let file = project.path("project/.agents/skills/beta/SKILL.md");
        assert_eq!(changed(&session.changed(&Changes::to([file]))), ["beta: body"], "{profile}");
        assert_eq!(cache.counts().read, 9, "{profile}");
    }
}

/// S3-33, S3-35: what `agents/openai.yaml` says is a part of the skill, and so is a repair of its file.
#[test]
fn s3_33_s3_35_every_part_of_a_skill_is_named_when_it_changes() {
    let project = four();
    project.file("project/.agents/skills/broken/SKILL.md", "nothing");
    let mut session = session("native", &project.host());
    session.begin(&TurnInput::text("hello")).unwrap();
    let openai = "project/.agents/skills/alpha/agents/openai.yaml";
    project.file(openai, "policy:\n  allow_implicit_invocation: false\ninterface:\n  display_name: A\n");
    project.file(
        "project/.agents/skills/beta/SKILL.md",
        "---\nname: beta\ndescription: Does beta things.\nlicense: MIT\n---\nBody.\n",
    );
    project.skill("broken", "Is mended.", "Body.\n");
    let reloaded = session.reload();
    assert_eq!(changed(&reloaded), ["alpha: policy, interface", "beta: frontmatter"]);
    assert_eq!(names(&reloaded.skills.added), ["broken"]);
    let resolved: Vec<_> = reloaded.findings.resolved.iter().map(|finding| finding.code.as_str()).collect();
    assert_eq!(resolved, ["discover/frontmatter-missing"]);
    assert!(reloaded.findings.appeared.is_empty());
}

/// S3-28: what a reload found waits for the next turn; the running one sees what it saw.
#[test]
fn s3_28_a_reload_does_not_enter_the_running_turn() {
    for profile in ["native", "codex"] {
        let project = four();
        let mut session = session(profile, &project.host());
        session.begin(&TurnInput::text("hello")).unwrap();
        project.skill("delta", "New.", "NEW\n");
        assert_eq!(names(&session.reload().skills.added), ["delta"]);
        assert!(session.load_skill("delta", Caller::Model).unwrap().result.is_err(), "{profile}");
        assert_eq!(session.view().snapshot.len(), 5, "{profile}: the next turn has it");
        let turn = session.begin(&TurnInput::text("use $delta")).unwrap();
        assert_eq!(turn.selected.len(), 1, "{profile}");
        assert!(session.load_skill("delta", Caller::Model).unwrap().result.is_ok(), "{profile}");
    }
}

/// S3-51: a torn write costs the native profile no skill, and nothing is silent about it; Codex drops the skill.
#[test]
fn s3_51_native_keeps_the_last_good_version_of_a_torn_file() {
    for (profile, kept) in [("native", true), ("codex", false)] {
        let project = four();
        let mut session = session(profile, &project.host());
        session.begin(&TurnInput::text("hello")).unwrap();
        project.file("project/.agents/skills/alpha/SKILL.md", "---\nname: alpha\ndescr");
        let reloaded = session.reload();
        assert_eq!(reloaded.skills.is_empty(), kept, "{profile}");
        let mut codes: Vec<_> = reloaded.findings.appeared.iter().map(|found| found.code.as_str()).collect();
        codes.retain(|code| *code != "discover/frontmatter-unclosed");
        assert_eq!(codes, if kept { &["discover/kept-last-good"][..] } else { &[] }, "{profile}");
        let answer = session.load_skill("alpha", Caller::Model).unwrap();
        // The program that is imitated wraps whatever stands in the file.
        assert_eq!(answer.result.is_err(), kept, "{profile}: half a file is not handed over as one");
    }
}

/// A root that is gone may come back, so its skills are not removed in silence.
#[test]
fn a_vanished_root_is_not_an_empty_one() {
    let project = four();
    let mut session = session("native", &project.host());
    session.begin(&TurnInput::text("hello")).unwrap();
    let (root, away) = (project.path("project/.agents/skills"), project.path("away"));
    std::fs::rename(&root, &away).unwrap();
    let gone = session.reload();
    assert_eq!((gone.skills.removed.len(), gone.complete), (4, false));
    assert_eq!(gone.findings.appeared[0].code.as_str(), "discover/root-vanished");
    std::fs::rename(&away, &root).unwrap();
    let back = session.reload();
    assert_eq!((back.skills.added.len(), back.complete), (4, true));
    assert_eq!(back.findings.resolved[0].code.as_str(), "discover/root-vanished");
}

/// A source that keeps what it was asked.
struct Asked {
    inner: MemorySource,
    requests: std::sync::Mutex<Vec<ScanRequest>>,
}

impl Source for Asked {
    fn id(&self) -> &SourceId {
        self.inner.id()
    }

    fn scan(&self, request: &ScanRequest) -> Scan {
        self.requests.lock().unwrap().push(request.clone());
        self.inner.scan(request)
    }

    fn read(
        &self,
        locator: &lorimer::core::Locator,
        limit: lorimer::core::ReadLimit,
    ) -> Result<lorimer::core::Content, ReadError> {
        self.inner.read(locator, limit)
    }
}

/// S3-29: a reload forces the sources, and what a watcher knows reaches them as it is.
#[test]
fn s3_29_sources_are_told_what_is_known() {
    let inner = MemorySource::new(SourceId::new("memory"));
    inner.add("alpha", "Does alpha things.", "Body.\n");
    let source = Arc::new(Asked { inner, requests: std::sync::Mutex::default() });
    let lifecycle = Lifecycle::builder().source(Arc::clone(&source));
    let lifecycle = lifecycle.options(|options| options.refresh = lorimer::Refresh::OnReload).build();
    let mut session = lifecycle.session("s").unwrap();
    session.begin(&TurnInput::text("hello")).unwrap();
    session.begin(&TurnInput::text("again")).unwrap();
    source.inner.add("beta", "Does beta things.", "Body.\n");
    let reloaded = session.changed(&Changes::to(["/skills/beta"]));
    assert_eq!(names(&reloaded.skills.added), ["beta"]);
    source.inner.add("beta", "Does beta things.", "Another body.\n");
    assert_eq!(session.reload().skills.changed[0].aspects, [Aspect::Body]);
    session.begin(&TurnInput::text("next")).unwrap();
    let asked = source.requests.lock().unwrap();
    let rows: Vec<_> =
        asked.iter().map(|request| (request.force, request.touched.len(), request.only_touched)).collect();
    assert_eq!(rows, [(false, 0, false), (false, 1, true), (true, 0, false)]);
}

#[test]
fn a_report_is_what_programs_read() {
    let project = four();
    let mut session = session("native", &project.host());
    session.begin(&TurnInput::text("hello")).unwrap();
    project.skill("alpha", "Described anew.", "Body.\n");
    project.file("project/.agents/skills/odd/SKILL.md", "nothing");
    std::fs::remove_dir_all(project.path("project/.agents/skills/gamma")).unwrap();
    let report = serde_json::to_string_pretty(&ReloadReport::new("native", &session.reload())).unwrap();
    let settings = lorimer_testkit::snapshot_settings(project.root());
    settings.bind(|| insta::assert_snapshot!("reload", report));
}
