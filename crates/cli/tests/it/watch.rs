//! `lorimer watch`, as a process of its own.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, ChildStdout, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use lorimer_testkit::Project;
use serde_json::Value;

use crate::{bare, everything, lorimer};

/// Nothing here waits for a time to pass; this is when a test is given up.
const DEADLINE: Duration = Duration::from_secs(60);

/// A running command. It is ended with the test, whatever comes of that.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(project: &Project, arguments: &[&str]) -> Self {
        let mut child = bare()
            .arg("watch")
            .args(arguments)
            .args(["--cwd".as_ref(), project.path("project").as_os_str()])
            .args(["--home".as_ref(), project.path("home").as_os_str()])
            .args(["--system-root".as_ref(), project.path("etc").as_os_str()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command can be started");
        let lines = lines(child.stdout.take().unwrap());
        Self { child, lines }
    }

    fn line(&self) -> String {
        self.lines.recv_timeout(DEADLINE).expect("a line before the deadline")
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.line()).expect("each line is JSON")
    }

    fn end(mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // It has ended already where the test went well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lines(stdout: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    receiver
}

fn two() -> Project {
    let project = Project::new();
    project.skill("brew-tea", "Brews tea.", "Warm the pot.\n").skill("deploy", "Deploys.", "Careful.\n");
    project
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// S3-23: one line of JSON for each batch, with what changed in each skill.
#[test]
fn s3_23_a_line_for_each_batch() {
    for mode in [&["--json"][..], &["--json", "--poll", "0.05"]] {
        let project = two();
        let watching = Watching::start(&project, mode);
        let first = watching.json();
        assert_eq!(
            keys(&first),
            [
                "version", "event", "at", "profile", "skills", "complete", "findings", "method", "poll_ms",
                "because"
            ]
        );
        assert_eq!((&first["event"], &first["skills"]), (&"watching".into(), &2.into()));
        let polling = mode.len() > 1;
        assert_eq!(first["method"], if polling { "polling" } else { "events" });
        assert_eq!(first["poll_ms"], if polling { 50.into() } else { Value::Null });

        project.skill("deploy", "Deploys with care.", "Careful.\n");
        let changed = watching.json();
        assert_eq!(
            keys(&changed),
            [
                "event",
                "at",
                "version",
                "profile",
                "complete",
                "added",
                "changed",
                "removed",
                "unchanged",
                "appeared",
                "resolved"
            ]
        );
        assert_eq!(changed["changed"][0]["name"], "deploy");
        assert_eq!(changed["changed"][0]["aspects"], serde_json::json!(["description"]));
        assert_eq!(changed["unchanged"], 1);

        std::fs::remove_dir_all(project.path("project/.agents/skills/brew-tea")).unwrap();
        assert_eq!(watching.json()["removed"][0]["name"], "brew-tea");
        project.skill("release", "Cuts a release.", "Tag it.\n");
        // Between its folder and its file, polling may look.
        let added =
            std::iter::repeat_with(|| watching.json()).find(|line| line["added"] != Value::Array(vec![]));
        assert_eq!(added.unwrap()["added"][0]["name"], "release");
    }
}

/// A person sees what changed, and a finding with its line underlined; a torn file costs no skill.
#[test]
fn a_person_sees_what_changed() {
    let project = two();
    let watching = Watching::start(&project, &[]);
    assert_eq!(watching.line(), "native: 2 skills; waiting for changes, Ctrl-C ends it");
    // A rename is one step, so there is one batch.
    let half = "---\nname: deploy\ndescription: \"open\n---\n";
    project.file("project/next", half);
    let skill = project.path("project/.agents/skills/deploy/SKILL.md");
    std::fs::rename(project.path("project/next"), &skill).unwrap();
    let mut seen = vec![watching.line()];
    while !seen.last().unwrap().contains("kept-last-good") {
        seen.push(watching.line());
    }
    project.file("project/next", "---\nname: deploy\ndescription: Deploys twice.\n---\nCareful.\n");
    std::fs::rename(project.path("project/next"), &skill).unwrap();
    while !seen.last().unwrap().contains("resolved discover/kept-last-good") {
        seen.push(watching.line());
    }
    let mut settings = lorimer_testkit::snapshot_settings(project.root());
    settings.add_filter(r"\d\d:\d\d:\d\d", "[TIME]");
    settings.bind(|| insta::assert_snapshot!("watch", seen.join("\n")));
}

/// `--once` is for scripts: it ends with the first change, and reading is no change.
#[test]
fn once_ends_after_the_first_change() {
    let project = two();
    let watching = Watching::start(&project, &["--once", "--json"]);
    watching.json();
    std::fs::read(project.path("project/.agents/skills/deploy/SKILL.md")).unwrap();
    project.skill("deploy", "Deploys.", "Even more careful.\n");
    let changed = watching.json();
    assert_eq!(changed["changed"][0]["aspects"], serde_json::json!(["body"]));
    assert_eq!(watching.end().code(), Some(0));
}

#[cfg(unix)]
#[test]
fn ctrl_c_is_a_fine_end() {
    let project = two();
    let watching = Watching::start(&project, &["--json"]);
    watching.json();
    let child = watching.child.id().to_string();
    let sent = std::process::Command::new("kill").args(["-INT", &child]).status().unwrap();
    assert!(sent.success());
    assert_eq!(watching.end().code(), Some(0));
}

#[test]
fn a_time_that_is_none_is_refused() {
    let output = lorimer(&Project::new(), &["watch", "--poll", "0"]);
    let text = everything(&output);
    assert!(text.starts_with("exit 2") && text.contains("expected a number of seconds above 0"), "{text}");
}
