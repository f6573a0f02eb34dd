//! Skills from elsewhere than a folder: `--from`.

use std::io::{BufRead as _, BufReader, Cursor, Write as _};
use std::net::TcpListener;

use insta::assert_snapshot;
use lorimer_testkit::{Project, snapshot_settings};

use crate::{everything, lorimer, stdout};

fn text(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Comes from {name}.\n---\nSTEPS OF {name}\n")
}

/// S3-03: skills in an archive are listed and loaded like any other, and nothing is unpacked.
#[test]
fn s3_03_skills_from_an_archive() {
    let project = Project::new();
    project.skill("own", "Comes from the project.", "Body.\n");
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for name in ["first", "second"] {
        writer.start_file(format!("pack/{name}/SKILL.md"), zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(text(name).as_bytes()).unwrap();
    }
    std::fs::write(project.path("project/team.zip"), writer.finish().unwrap().into_inner()).unwrap();
    let team = project.path("project/team.zip").to_string_lossy().into_owned();
    let listed = stdout(&lorimer(&project, &["list", "--text", "--from", &team]));
    for name in ["own", "first", "second"] {
        assert!(listed.contains(&format!("- {name}: ")), "{listed}");
    }
    let loaded = lorimer(&project, &["load", "second", "--from", &team]);
    assert!(stdout(&loaded).contains("STEPS OF second"), "{}", everything(&loaded));
    let left: Vec<_> = std::fs::read_dir(project.path("project")).unwrap().flatten().collect();
    assert!(left.iter().all(|entry| entry.file_name() != "pack"));
}

/// S3-03, S3-04: another environment is a program that is asked over a pipe; there is no local file.
#[cfg(unix)]
#[test]
fn s3_03_s3_04_skills_from_a_program() {
    use std::os::unix::fs::PermissionsExt as _;
    let project = Project::new();
    let list = serde_json::json!({"id": 0, "skills": [{"uri": "box:/far/SKILL.md"}], "complete": true});
    let read = serde_json::json!({"id": 0, "text": text("far"), "cut": false});
    // Each answer carries the number of its question, which is the number of lines so far.
    let script = format!(
        "#!/bin/sh\nn=0\nwhile read -r line; do\n  n=$((n + 1))\n  case \"$line\" in\n    *'\"list\"'*) a='{list}' ;;\n    *) a='{read}' ;;\n  esac\n  printf '%s\\n' \"$a\" | sed \"s/\\\"id\\\":0/\\\"id\\\":$n/\"\ndone\n"
    );
    project.file("project/box.sh", script);
    let program = project.path("project/box.sh");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let from = format!("pipe:{}", program.display());
    let loaded = crate::bare()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .args(["load", "far", "--from", &from, "--cwd"])
        .arg(project.path("project"))
        .arg("--home")
        .arg(project.path("home"))
        .output()
        .unwrap();
    assert!(stdout(&loaded).contains("STEPS OF far"), "{}", everything(&loaded));
}

/// S3-03: a site offers skills by its index; every byte is what the index promised.
#[test]
fn s3_03_skills_from_a_site() {
    let project = Project::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let site = format!("http://{}", listener.local_addr().unwrap());
    let body = text("web");
    let digest = lorimer::core::Digest::of(body.as_bytes());
    let index = serde_json::json!({
        "$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
        "skills": [{"name": "web", "type": "skill-md", "description": "d", "url": "/web.md", "digest": digest}],
    });
    let server = std::thread::spawn(move || {
        // The index and the skill for the scan, and the skill again for its body.
        for stream in listener.incoming().take(3) {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let first = lines.next().unwrap().unwrap();
            lines.find(|line| line.as_ref().is_ok_and(String::is_empty));
            let answer = if first.contains("index.json") { index.to_string() } else { body.clone() };
            let head =
                format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", answer.len());
            stream.write_all((head + &answer).as_bytes()).unwrap();
        }
    });
    let loaded = lorimer(&project, &["load", "web", "--from", &site]);
    assert!(stdout(&loaded).contains("STEPS OF web"), "{}", everything(&loaded));
    server.join().unwrap();
}

#[test]
fn an_origin_that_cannot_be_used_says_why() {
    let project = Project::new();
    let told: Vec<String> =
        ["ftp://example.com", "http://example.com", "pipe:", "gone.zip", "pipe:no-such-program"]
            .iter()
            .map(|from| {
                format!(
                    "$ lorimer check --from {from}\n{}",
                    everything(&lorimer(&project, &["check", "--from", from]))
                )
            })
            .collect();
    snapshot_settings(&project.path("")).bind(|| assert_snapshot!("origins_errors", told.join("\n")));
}
