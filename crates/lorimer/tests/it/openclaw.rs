//! The OpenClaw profile: who is eligible, the listing and its limits, references, settings. Facts: `openclaw` 2026.9.6
//! as recorded. S0-02.

use lorimer::profiles;
use lorimer::{Host, Outcome, Settings, TurnInput, View};
use lorimer_testkit::{Project, snapshot_settings};

use crate::{kinds, session};

fn skill(project: &Project, place: &str, name: &str, fields: &str) {
    let text = format!("---\nname: {name}\ndescription: Does {name}.\n{fields}---\n\n# Title\n");
    project.file(&format!("{place}/{name}/SKILL.md"), text);
}

/// A workspace in the home directory, as the program has it.
fn host(project: &Project, config: &[&str]) -> Host {
    let mut host = Host::new(project.path("home/ws")).home(project.path("home"));
    let mut settings = Settings::default();
    for assignment in config {
        settings.assign(assignment).unwrap();
    }
    host.settings = settings;
    host
}

fn view(host: &Host) -> View {
    session("openclaw", host).view()
}

fn names(view: &View) -> Vec<&str> {
    view.catalog.shown().map(|entry| entry.name.as_str()).collect()
}

fn hidden(view: &View) -> Vec<(&str, &str)> {
    view.hidden.iter().map(|(skill, refusal)| (skill.name.as_str(), refusal.rule.as_str())).collect()
}

#[test]
fn the_listing_is_elements_sorted_as_people_sort_names() {
    let project = Project::new();
    for name in ["zeta", "Alpha", "alpha", "a_b", "a-b"] {
        skill(&project, "home/ws/skills", name, "");
    }
    skill(&project, "elsewhere", "bundled", "");
    let mut host = host(&project, &[]);
    let bundled = project.path("elsewhere").to_string_lossy().into_owned();
    host.variables.insert("OPENCLAW_BUNDLED_SKILLS_DIR".to_owned(), bundled);
    let turn = session("openclaw", &host).begin(&TurnInput::text("hello")).unwrap();
    assert_eq!(turn.items[0].role.as_str(), "system");
    let mut settings = snapshot_settings(project.root());
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("openclaw_listing", turn.items[0].text));
}

#[test]
fn limits_are_read_under_the_programs_keys_and_refused_where_they_cannot_be_used() {
    let project = Project::new();
    for number in 0..6 {
        skill(&project, "home/ws/skills", &format!("s-{number}"), "");
    }
    let shown = |config: &[&str]| view(&host(&project, config)).catalog.shown().count();
    assert_eq!(shown(&[]), 6);
    assert_eq!(shown(&["skills.limits.maxSkillsInPrompt=4"]), 4);
    assert_eq!(shown(&["skills.limits.maxSkillsInPrompt=0"]), 0);
    assert_eq!(shown(&["skills.limits.maxSkillsPromptChars=0"]), 0);
    assert_eq!(shown(&["skills.limits.maxSkillsPromptChars=500"]), 1);
    let of_agent = "agents.entries.main.skillsLimits.maxSkillsPromptChars=18000";
    assert_eq!(shown(&["skills.limits.maxSkillsPromptChars=0", of_agent]), 6, "the agent's own limit wins");
    assert_eq!(shown(&["skills.limits.maxCandidatesPerRoot=2"]), 2);
    assert_eq!(shown(&["skills.limits.maxSkillsLoadedPerSource=3"]), 3);
    assert_eq!(shown(&["skills.limits.maxSkillFileBytes=10"]), 0);
    let profile = profiles::by_name("openclaw").unwrap();
    for (wrong, key) in [
        ("skills.limits.maxSkillsInPrompt=-1", "skills.limits.maxSkillsInPrompt"),
        ("skills.limits.maxSkillsPromptChars=many", "skills.limits.maxSkillsPromptChars"),
        ("skills.limits.maxCandidatesPerRoot=0", "skills.limits.maxCandidatesPerRoot"),
        ("skills.load.watch=7", "skills.load.watch"),
    ] {
        assert_eq!(profile.lifecycle(&host(&project, &[wrong])).unwrap_err().key, key);
    }
}

/// The file of the program is JSON with comments; what is given for this run stands above it.
#[test]
fn settings_come_from_the_state_folder() {
    let project = Project::new();
    for name in ["a", "b", "c"] {
        skill(&project, "home/ws/skills", name, "");
    }
    let config =
        "{ // mine\n skills: { entries: { a: { enabled: false, }, }, limits: { maxSkillsInPrompt: 1 } }, }";
    project.file("home/.openclaw/openclaw.json", config);
    let only = view(&host(&project, &[]));
    assert_eq!((names(&only), hidden(&only)), (vec!["b"], vec![("a", "disabled")]));
    let both = view(&host(&project, &["skills.entries.c.enabled=false"]));
    assert_eq!(hidden(&both), [("a", "disabled"), ("c", "disabled")], "tables are merged");
    project.file("home/.openclaw/openclaw.json", "{ not");
    let broken = view(&host(&project, &[]));
    assert_eq!(names(&broken), ["a", "b", "c"]);
    assert_eq!(broken.diagnostics[0].code.as_str(), "config/ignored");
    project.file("home/.openclaw/openclaw.json", "[".repeat(100_000));
    assert_eq!(view(&host(&project, &[])).diagnostics[0].code.as_str(), "config/ignored");
}

#[test]
#[cfg(unix)]
fn requirements_are_looked_up_on_this_machine() {
    use std::os::unix::fs::PermissionsExt as _;
    let project = Project::new();
    let needs = |requires: &str| format!("metadata: {{\"openclaw\": {{\"requires\": {requires}}}}}\n");
    skill(&project, "home/ws/skills", "bin", &needs("{\"bins\": [\"tool\"]}"));
    skill(&project, "home/ws/skills", "env", &needs("{\"env\": [\"TOKEN\"]}"));
    skill(&project, "home/ws/skills", "config", &needs("{\"config\": [\"channels.x\"]}"));
    skill(&project, "home/ws/skills", "free", "");
    let bare = view(&host(&project, &[]));
    assert_eq!(names(&bare), ["free"]);
    let help: Vec<_> = bare.hidden.iter().filter_map(|(_, refusal)| refusal.help.as_deref()).collect();
    assert_eq!(help[0], "Something that it requires is not there: bins `tool`.");

    project.file("bin/tool", "");
    std::fs::set_permissions(project.path("bin/tool"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut host = host(&project, &["channels.x.token=1", "skills.entries.env.env.TOKEN=secret"]);
    host.programs.push(project.path("bin"));
    assert_eq!(names(&view(&host)), ["bin", "config", "env", "free"]);
}

#[test]
fn an_agent_has_its_own_list_of_skills_and_its_own_workshop() {
    let project = Project::new();
    for name in ["a", "b"] {
        skill(&project, "home/ws/skills", name, "");
    }
    skill(&project, "home/.openclaw/agents/work/agent/workshop-skills", "made", "");
    let lists =
        ["agents.defaults.skills=[\"a\"]", "agents.entries.work.skills=[\" b \", \"made\", \"nope\"]"];
    let mut host = host(&project, &lists);
    assert_eq!(names(&view(&host)), ["a"]);
    host.agent = Some("work".to_owned());
    let view = view(&host);
    assert_eq!((names(&view), hidden(&view)), (vec!["b", "made"], vec![("a", "agent-filter")]));
}

#[test]
fn another_working_directory_stands_behind_the_agents_own_skills() {
    let project = Project::new();
    skill(&project, "home/ws/skills", "zz", "");
    skill(&project, "home/ws/skills", "both", "");
    skill(&project, "exec/skills", "both", "");
    skill(&project, "exec/skills", "aa", "");
    skill(&project, "exec/.agents/skills", "bb", "");
    let mut host = host(&project, &[]);
    host.execution = Some(project.path("exec"));
    let view = view(&host);
    assert_eq!(names(&view), ["both", "zz", "aa", "bb"]);
    let both = view.catalog.shown().next().unwrap();
    assert_eq!(both.locator, "~/ws/skills/both/SKILL.md");
}

/// S0-12: a small window squeezes descriptions, and the report says so though the model is not told.
#[test]
fn s0_12_a_small_window_squeezes_descriptions() {
    let project = Project::new();
    for number in 0..20 {
        let text = format!("---\nname: s-{number:02}\ndescription: {}\n---\n", "x".repeat(200));
        project.file(&format!("home/ws/skills/s-{number:02}/SKILL.md"), text);
    }
    let longest = |window: u64| {
        let view = view(&host(&project, &[]).window(window));
        assert_eq!(view.catalog.shown().count(), 20);
        view.catalog.shown().map(|entry| entry.description.len()).max()
    };
    assert_eq!(longest(8_192), Some(64));
    // 368 + 20 * (97 + 4 + 25) = 2,888 for all but the descriptions; 25,000 / 5 leaves 105 for each.
    assert_eq!(longest(25_000), Some(105));
    assert_eq!(longest(1_000_000), Some(200));
}

#[test]
fn without_the_tool_to_read_nothing_is_listed() {
    let project = Project::new();
    skill(&project, "home/ws/skills", "a", "");
    let mut host = host(&project, &[]);
    host.tools = Some(vec!["exec".to_owned()]);
    assert_eq!(view(&host).text(), "");
    host.tools = Some(vec!["exec".to_owned(), "read".to_owned()]);
    assert_ne!(view(&host).text(), "");
}

#[test]
fn references_point_at_skills_and_hand_over_no_body() {
    let project = Project::new();
    skill(&project, "home/ws/skills", "My Skill", "");
    skill(&project, "home/ws/skills", "secret", "disable-model-invocation: yes\n");
    skill(&project, "home/ws/skills", "quiet", "user-invocable: \"off\"\n");
    skill(&project, "home/ws/skills", "help", "command-dispatch: tool\ncommand-tool: exec\n");
    let mut session = session("openclaw", &host(&project, &[]));
    let commands = session.commands();
    let shown: Vec<(&str, bool, Option<&str>)> = commands
        .iter()
        .map(|command| (command.name.as_str(), command.model_visible, command.tool.as_deref()))
        .collect();
    assert_eq!(shown, [("help_2", true, Some("exec")), ("my_skill", true, None), ("secret", false, None)]);

    let turn = session.begin(&TurnInput::text("use $my-skill, $secret and $quiet")).unwrap();
    assert_eq!(kinds(&turn), ["skills.catalog", "skills.notice", "skills.notice"]);
    assert!(!turn.items[1].text.contains("SKILL.md:") && turn.items[1].text.contains("My Skill"));
    let file = project.path("home/ws/skills/secret/SKILL.md");
    assert!(turn.items[2].text.contains(file.to_str().unwrap()));
    assert!(turn.selected.iter().all(|selected| matches!(selected.outcome, Outcome::Loaded(_))));
    assert_eq!(turn.unresolved[0].reason.as_str(), "not-user-invocable");

    let turn = session.begin(&TurnInput::text("/my_skill now")).unwrap();
    assert_eq!(turn.selected.len(), 1);
    assert_eq!(session.begin(&TurnInput::text("/my-skill now")).unwrap().selected.len(), 0);
}

#[test]
#[cfg(unix)]
fn a_file_with_two_names_is_read_only_where_it_ships_with_the_program() {
    let project = Project::new();
    skill(&project, "store", "linked", "");
    for place in ["home/ws/skills", "bundled"] {
        std::fs::create_dir_all(project.path(place).join("linked")).unwrap();
        let name = project.path(place).join("linked/SKILL.md");
        std::fs::hard_link(project.path("store/linked/SKILL.md"), name).unwrap();
    }
    let mut host = host(&project, &[]);
    let refused = view(&host);
    assert_eq!(names(&refused), [""; 0]);
    assert_eq!(refused.diagnostics[0].code.as_str(), "discover/symlink-file-refused");
    let bundled = project.path("bundled").to_string_lossy().into_owned();
    host.variables.insert("OPENCLAW_BUNDLED_SKILLS_DIR".to_owned(), bundled);
    assert_eq!(names(&view(&host)), ["linked"]);
}
