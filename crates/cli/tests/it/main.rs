//! The command as a user meets it: output, JSON, exit codes.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests may")]

mod check;
mod compare;
mod errors;
mod json;
mod origins;
mod output;
mod overlap;
mod tour;
mod watch;
mod whole;

use std::process::{Command, Output};

use lorimer_testkit::Project;

/// Runs the command in the surroundings of a project.
fn lorimer(project: &Project, arguments: &[&str]) -> Output {
    bare()
        .args(arguments)
        .arg("--cwd")
        .arg(project.path("project"))
        .arg("--home")
        .arg(project.path("home"))
        .arg("--system-root")
        .arg(project.path("etc"))
        .output()
        .expect("the command can be started")
}

/// Returns the command with nothing of this machine's surroundings in it.
fn bare() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lorimer"));
    command.env_clear().env("NO_COLOR", "1");
    command
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("stdout is UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("stderr is UTF-8")
}

/// Everything that a user sees, for a snapshot.
fn everything(output: &Output) -> String {
    let code = output.status.code().expect("it was not killed");
    format!("exit {code}\n--- stdout\n{}--- stderr\n{}", stdout(output), stderr(output))
}

/// A project with one skill of each kind.
fn telling() -> Project {
    let project = Project::new();
    project.skill("brew-tea", "Brews a pot of tea.", "Warm the pot.\n");
    project.skill("wordy", &"Explains at length. ".repeat(30), "Body.\n");
    project.skill("deploy", "Puts a build into production.", "Careful.\n");
    project.file(
        "project/.agents/skills/deploy/agents/openai.yaml",
        "policy:\n  allow_implicit_invocation: false\n",
    );
    project.skill("release", "Cuts a release.", "Tag it.\n");
    project.file(
        "home/.agents/skills/release/SKILL.md",
        "---\nname: release\ndescription: Mine.\n---\nAsk twice.\n",
    );
    project.file(
        "project/.agents/skills/colon/SKILL.md",
        "---\nname: colon\ndescription: Use when: needed\n---\nBody.\n",
    );
    project.file("project/.agents/skills/broken/SKILL.md", "---\nname: broken\ndescription: \"open\n---\n");
    project
}
