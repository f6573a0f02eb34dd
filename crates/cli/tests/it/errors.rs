//! Bad arguments: one clear line, what to do, the right exit code, nothing written.

use lorimer_testkit::{Project, snapshot_settings};

use crate::{bare, everything, lorimer, stderr, telling};

#[test]
fn usage_errors_end_with_2() {
    let project = telling();
    let mut all = String::new();
    for arguments in [
        &["list", "--as", "nobody"][..],
        &["list", "--config", "nonsense"],
        &["list", "--as", "codex", "--config", "skills.max_context_tokens=0"],
        &["list", "--config", "skills.config=[{name = \"x\"}]"],
        &["turn", "--select", "alpha"],
        &["turn", "--journal", "j", "--session", "../escape"],
    ] {
        let output = lorimer(&project, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        all = format!("{all}$ lorimer {}\n{}", arguments.join(" "), stderr(&output));
    }
    let unknown = bare().args(["explain", "discover/nonsense"]).output().unwrap();
    assert_eq!(unknown.status.code(), Some(2));
    all = format!("{all}$ lorimer explain discover/nonsense\n{}", stderr(&unknown));
    let mut settings = snapshot_settings(project.root());
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("usage_errors", all));
    assert!(!project.path("project/j").exists(), "nothing is written");
}

#[test]
fn missing_and_unreadable_places_end_with_3() {
    let project = Project::new();
    project.file("file", "").file("home/.codex/config.toml/inside", "");
    let file = project.path("file");
    let missing = project.path("missing");
    let mut all = String::new();
    for arguments in [
        vec!["list".as_ref(), "--cwd".as_ref(), missing.as_os_str()],
        vec!["list".as_ref(), "--cwd".as_ref(), file.as_os_str()],
        vec!["check".as_ref(), "--root".as_ref(), missing.as_os_str()],
        vec!["turn".as_ref(), "--home".as_ref(), missing.as_os_str()],
    ] {
        let output = bare().args(&arguments).current_dir(project.root()).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{arguments:?}");
        all.push_str(&everything(&output));
    }
    let config = lorimer(&project, &["list", "--as", "codex"]);
    assert_eq!(config.status.code(), Some(3));
    all.push_str(&everything(&config));
    let mut settings = snapshot_settings(project.root());
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("io_errors", all));
}

#[test]
fn a_broken_config_file_names_its_line() {
    let project = telling();
    project.file("home/.codex/config.toml", "[skills]\nmax_context_tokens = \n");
    let output = lorimer(&project, &["list", "--as", "codex"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("config.toml"), "{}", stderr(&output));
    assert!(stderr(&output).contains("line 2"), "{}", stderr(&output));
}

#[test]
fn an_empty_project_is_fine() {
    let project = Project::new();
    for arguments in
        [&["list"][..], &["list", "--as", "codex"], &["list", "--as", "harnessx"], &["check"], &["turn"]]
    {
        let output = lorimer(&project, arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", everything(&output));
        let told = stderr(&output).contains("no skill was found");
        assert_eq!(told, arguments[0] != "turn", "a listing of nothing says where to look: {arguments:?}");
    }
}

#[test]
fn a_reader_that_has_read_enough_is_no_error() {
    let project = telling();
    let mut child = bare()
        .args(["explain", "--json"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .current_dir(project.root())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.stderr.is_empty(), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(0));
}
