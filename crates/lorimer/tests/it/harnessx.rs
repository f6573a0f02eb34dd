//! The `load_skill` lesson.

use lorimer::{Caller, Session, TurnInput};
use lorimer_testkit::Project;

use crate::session;

fn text(session: &mut Session, name: &str) -> String {
    session.load_skill(name, Caller::Model).unwrap().item.text
}

fn listing(session: &mut Session) -> String {
    session.view().text()
}

/// S1-06: the nearest ancestor that holds `.agents/skills`, up to the root of the file system; none is no skills.
#[test]
fn s1_06_the_nearest_ancestor_counts() {
    let project = Project::new();
    project.skill("outer", "Outer.", "o");
    std::fs::create_dir_all(project.path("project/a/b")).unwrap();
    let mut host = project.host();
    host.cwd = project.path("project/a/b");
    assert_eq!(listing(&mut session("harnessx", &host)), "- outer: Outer.");
    project.file("project/a/.agents/skills/inner/SKILL.md", "---\nname: inner\ndescription: Inner.\n---\n");
    assert_eq!(listing(&mut session("harnessx", &host)), "- inner: Inner.");
    // A file of that name is found too, and holds no skill.
    project.file("project/a/b/.agents/skills", "");
    assert_eq!(listing(&mut session("harnessx", &host)), "");
}

/// S1-07, S1-10, S1-11, S1-13: recursive, names fall back to the folder, one line per skill, quirks kept.
#[test]
fn s1_07_s1_10_s1_11_s1_13_the_listing_is_one_line_per_skill() {
    let project = Project::new();
    project.skill("alpha", "Does alpha.", "A");
    project.file("project/.agents/skills/group/deep/er/SKILL.md", "---\ndescription: Deep.\n---\nD");
    project.file("project/.agents/skills/windows/SKILL.md", "---\r\nname: w\r\ndescription: x\r\n---\r\nW");
    let mut session = session("harnessx", &project.host());
    assert_eq!(listing(&mut session), "- alpha: Does alpha.\n- windows: undefined\n- er: Deep.");
}

/// S1-08, S1-09, S1-12, S1-21: the minimal frontmatter, and the body in its wrapper.
#[test]
fn s1_08_s1_09_s1_12_s1_21_the_body_is_what_follows_the_fence() {
    let project = Project::new();
    for (name, file) in [
        ("plain", "---\nname: plain\ndescription: d\n---\n\n  Körper 🍵 \n\n"),
        ("glued", "---\nname: glued\n---x\nrest"),
        ("unclosed", "---\n---\nBody"),
        ("indented", "---\nname: indented\n  ---\nstill\n---\nBody"),
        ("bare", "  Only text.  "),
    ] {
        project.file(&format!("project/.agents/skills/{name}/SKILL.md"), file);
    }
    let mut session = session("harnessx", &project.host());
    assert_eq!(text(&mut session, "plain"), "<skill name=\"plain\">\nKörper 🍵\n</skill>");
    assert_eq!(text(&mut session, "glued"), "<skill name=\"glued\">\nx\nrest\n</skill>");
    assert_eq!(text(&mut session, "unclosed"), "<skill name=\"unclosed\">\n---\n---\nBody\n</skill>");
    assert_eq!(text(&mut session, "indented"), "<skill name=\"indented\">\nBody\n</skill>");
    assert_eq!(text(&mut session, "bare"), "<skill name=\"bare\">\nOnly text.\n</skill>");
}

/// S1-18, S1-19, S1-20, S1-22: a name and never a path, trimmed, and errors in plain words.
#[test]
fn s1_18_s1_19_s1_20_s1_22_only_known_names_load() {
    let project = Project::new();
    project.skill("alpha", "Does alpha.", "A").skill("beta", "Does beta.", "B");
    let mut session = session("harnessx", &project.host());
    assert_eq!(text(&mut session, "  alpha "), "<skill name=\"alpha\">\nA\n</skill>");
    let blank = "Error: load_skill.name must be a non-empty string";
    assert_eq!(text(&mut session, ""), blank);
    assert_eq!(text(&mut session, " \t\n"), blank);
    assert_eq!(text(&mut session, "nope"), "Error: unknown skill nope. Available: alpha, beta");
    let path = project.path("project/.agents/skills/alpha/SKILL.md");
    let path = path.to_str().unwrap();
    assert_eq!(text(&mut session, path), format!("Error: unknown skill {path}. Available: alpha, beta"));
}

/// S1-24: an ordinary tool result; the listing is not touched by it.
#[test]
fn s1_24_the_result_is_a_tool_result() {
    let project = Project::new();
    project.skill("alpha", "Does alpha.", "A");
    let mut session = session("harnessx", &project.host());
    let first = session.begin(&TurnInput::text("please load alpha")).unwrap();
    assert_eq!(first.items[0].role.as_str(), "system");
    let answer = session.load_skill("alpha", Caller::Model).unwrap();
    assert_eq!(answer.item.role.as_str(), "tool");
    assert!(session.begin(&TurnInput::text("go on")).unwrap().items.is_empty(), "the listing still holds");
}

/// S3-11: of two skills with one name both are listed; this lesson loads the last one.
#[test]
fn of_namesakes_the_last_one_loads() {
    let project = Project::new();
    for (folder, body) in [("one", "FIRST"), ("two", "SECOND")] {
        let file = format!("---\nname: twin\ndescription: {folder}\n---\n{body}");
        project.file(&format!("project/.agents/skills/{folder}/SKILL.md"), file);
    }
    let mut session = session("harnessx", &project.host());
    assert_eq!(listing(&mut session), "- twin: one\n- twin: two");
    assert_eq!(text(&mut session, "twin"), "<skill name=\"twin\">\nSECOND\n</skill>");
}
