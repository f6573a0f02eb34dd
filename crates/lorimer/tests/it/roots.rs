//! Where harnesses look, by their tables.

use lorimer::core::Code;
use lorimer::profiles::{self, roots};
use lorimer::{Host, Session};
use lorimer_testkit::Project;

/// Every place that counts for a harness, as `whose path skills`, below the project's folder.
fn places(project: &Project, host: &Host, harness: &str) -> Vec<String> {
    let table = roots::by_name(harness).unwrap();
    let report = table.report(&roots::Surroundings::of(table, host));
    let counting = report.places.into_iter().filter(|place| place.why_not.is_none());
    let root = format!("{}/", project.root().display());
    counting
        .map(|place| {
            let path = place.path.unwrap_or_default().replace(&root, "");
            format!("{} {path} {}", place.whose, place.skills)
        })
        .filter(|place| !place.contains(" /"))
        .collect()
}

fn put(project: &Project, folder: &str) {
    let name = folder.rsplit('/').next().unwrap();
    let text = format!("---\nname: {name}\ndescription: Does {name}.\n---\nBody.\n");
    project.file(&format!("{folder}/SKILL.md"), text);
}

#[test]
fn s1_06_s3_03_every_harness_looks_in_its_own_places() {
    let project = Project::new();
    for folder in [
        "project/.agents/skills/a",
        "project/.claude/skills/b",
        "project/.codex/skills/c",
        "project/.pi/skills/d",
        "project/.dsh/skills/e",
        "project/skills/f",
        "home/.hermes/skills/g",
        "home/.agents/skills/h",
    ] {
        put(&project, folder);
    }
    let mut host = project.host();
    host.trusted = true;
    let mut all = String::new();
    for table in roots::ALL {
        let places = places(&project, &host, table.harness);
        all = format!("{all}{}\n  {}\n", table.harness, places.join("\n  "));
    }
    insta::assert_snapshot!("places", all);
}

#[test]
fn a_variable_moves_a_home_and_a_blank_one_does_not() {
    let project = Project::new();
    for (harness, variable, folder) in [
        ("codex", "CODEX_HOME", "home/.codex/skills"),
        ("claude-code", "CLAUDE_CONFIG_DIR", "home/.claude/skills"),
        ("pi", "PI_CODING_AGENT_DIR", "home/.pi/agent/skills"),
        ("openclaw", "OPENCLAW_STATE_DIR", "home/.openclaw/skills"),
        ("deepseek", "DSH_HOME", "home/.dsh/skills"),
        ("hermes", "HERMES_HOME", "home/.hermes/skills"),
    ] {
        let mut host = project.host();
        let has = |host: &Host, path: &str| {
            places(&project, host, harness).iter().any(|place| place == &format!("user {path} 0"))
        };
        assert!(has(&host, folder), "{harness}");
        host.variables.insert(variable.to_owned(), String::new());
        assert!(has(&host, folder), "{harness}: set to nothing is not set");
        host.variables.insert(variable.to_owned(), project.path("moved").display().to_string());
        assert!(has(&host, "moved/skills") && !has(&host, folder), "{harness}");
        assert!(roots::variables().contains(&variable));
    }
}

/// What keeps a row from counting is said, and it is the first thing that does.
#[test]
fn a_row_that_does_not_count_says_why() {
    let project = Project::new();
    let why = |host: &Host, harness: &str, place: &str| {
        let table = roots::by_name(harness).unwrap();
        let report = table.report(&roots::Surroundings::of(table, host));
        let row = report.places.into_iter().find(|row| row.place == place).unwrap();
        row.why_not.unwrap_or_default()
    };
    let mut host = project.host();
    assert_eq!(why(&host, "pi", "{cwd}/.pi/skills"), "the project is not trusted");
    assert_eq!(why(&host, "pi", "{each --skill}"), "the setting `--skill` names no folder");
    assert_eq!(
        why(&host, "claude-code", "{below cwd}/.claude/skills"),
        "no file below the working directory was opened yet"
    );
    host.settings.assign("skills.bundled.enabled=false").unwrap();
    host.settings.assign("--setting-sources=project").unwrap();
    host.variables.insert("OPENCLAW_STATE_DIR".to_owned(), "/state".to_owned());
    host.variables.insert("CLAUDE_CODE_DISABLE_POLICY_SKILLS".to_owned(), "1".to_owned());
    assert_eq!(
        why(&host, "codex", "$CODEX_HOME/skills/.system"),
        "the setting `skills.bundled.enabled` is off"
    );
    assert_eq!(
        why(&host, "claude-code", "$CLAUDE_CONFIG_DIR/skills"),
        "the setting `--setting-sources` does not name `user`"
    );
    assert_eq!(
        why(&host, "claude-code", "{system}/claude-code/.claude/skills"),
        "the variable `CLAUDE_CODE_DISABLE_POLICY_SKILLS` switches it off"
    );
    assert_eq!(
        why(&host, "openclaw", "~/.agents/skills"),
        "it is read only where `OPENCLAW_STATE_DIR` is not set"
    );
    host.settings.assign("--safe-mode=true").unwrap();
    assert_eq!(
        why(&host, "claude-code", "{each --add-dir}/.claude/skills"),
        "the setting `--safe-mode` is on"
    );
    host.home = None;
    assert_eq!(why(&host, "native", "~/.agents/skills"), "no home directory is known");
}

/// Settings of every form name folders; what is wrong with a file costs only what it names.
#[test]
fn folders_that_settings_name_are_places() {
    let project = Project::new();
    for folder in ["home/pool/x", "home/.hermes/near/y", "project/extra/z"] {
        put(&project, folder);
    }
    project
        .file("home/.hermes/config.yaml", "skills:\n  external_dirs:\n    - ~/pool\n    - near\n    - '*'\n");
    project
        .file("home/.openclaw/openclaw.json", r#"{"skills": {"load": {"extraDirs": "~/pool", "x": null}}}"#);
    project.file("project/.pi/settings.json", r#"{"skills": ["../extra", "!gone", "../missing"]}"#);
    let mut host = project.host();
    host.trusted = true;
    let found = |host: &Host, harness: &str| {
        let mut found = places(&project, host, harness);
        found.retain(|place| !place.ends_with(" 0"));
        found
    };
    assert_eq!(found(&host, "hermes"), ["user home/pool 1", "user home/.hermes/near 1"]);
    assert_eq!(found(&host, "openclaw"), ["user home/pool 1"]);
    assert_eq!(found(&host, "pi"), ["project project/extra 1"]);
    project.file("home/.openclaw/openclaw.json", "{");
    let table = roots::by_name("openclaw").unwrap();
    let around = roots::Surroundings::of(table, &host);
    let codes: Vec<Code> = around.diagnostics.iter().map(|odd| odd.code).collect();
    assert_eq!((codes, found(&host, "openclaw").len()), (vec![Code::ConfigIgnored], 0));
    host.settings.assign("skills.load.extraDirs=[\"extra\"]").unwrap();
    assert_eq!(found(&host, "openclaw"), ["user project/extra 1"]);
}

fn session(host: &Host) -> Session {
    profiles::by_name("codex").unwrap().lifecycle(host).unwrap().session("s").unwrap()
}

/// S3-03, S3-40: Codex loads the skills of plugins that are switched on, in their namespace, among the user's.
#[test]
fn s3_03_s3_40_codex_loads_the_skills_of_its_plugins() {
    let project = Project::new();
    put(&project, "home/.codex/plugins/cache/market/kit/1.0.0/skills/flow");
    project
        .file("home/.codex/plugins/cache/market/kit/1.0.0/.codex-plugin/plugin.json", r#"{"name": "kit"}"#);
    let names = |host: &Host| -> Vec<String> {
        session(host).view().snapshot.skills().map(|skill| skill.call_name().to_owned()).collect()
    };
    let mut host = project.host();
    assert_eq!(names(&host), [""; 0], "a plugin that nobody switched on");
    project.file("home/.codex/config.toml", "[plugins.\"kit@market\"]\nenabled = true\n");
    assert_eq!(names(&host), ["kit:flow"]);
    host.variables.insert("CODEX_HOME".to_owned(), project.path("elsewhere").display().to_string());
    assert_eq!(names(&host), [""; 0], "settings and plugins move with their home");
}
