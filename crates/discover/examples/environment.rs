//! Serves a folder of skills over standard input and output, in the protocol of `PipeRemote`.
//!
//! Usage: `environment FOLDER [FAULT]`. With a fault it misbehaves on purpose, which is what tests need: `die`, `hang`,
//! `garbage`, `endless`, `half` and `stranger` at each `read`; `mute` at each question; `partial` lists not everything.

use std::fs;
use std::io::{self, BufRead as _, Write as _};
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use serde_json::{Value, json};

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let Some(folder) = arguments.next().map(PathBuf::from) else { return ExitCode::from(2) };
    let fault = arguments.next().and_then(|fault| fault.into_string().ok()).unwrap_or_default();
    match serve(&folder, &fault) {
        Ok(code) => code,
        Err(_) => ExitCode::FAILURE,
    }
}

fn serve(folder: &Path, fault: &str) -> io::Result<ExitCode> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let question: Value = serde_json::from_str(&line?)?;
        let reading = question.get("method").and_then(Value::as_str) == Some("read");
        let mut answer = if reading { read(folder, &question) } else { list(folder, fault)? };
        if let Some(fields) = answer.as_object_mut() {
            fields.insert("id".to_owned(), question.get("id").cloned().unwrap_or_default());
        }
        match fault {
            "mute" => std::thread::sleep(Duration::from_secs(3600)),
            "hang" if reading => std::thread::sleep(Duration::from_secs(3600)),
            "die" if reading => return Ok(ExitCode::from(7)),
            "garbage" if reading => writeln!(output, "Segmentation fault (core dumped)")?,
            "stranger" if reading => writeln!(output, r#"{{"id":0,"text":""}}"#)?,
            "half" if reading => {
                write!(output, r#"{{"id":"#)?;
                output.flush()?;
                return Ok(ExitCode::SUCCESS);
            }
            "endless" if reading => loop {
                output.write_all(&[b'x'; 4096])?;
            },
            _ => writeln!(output, "{answer}")?,
        }
        output.flush()?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Every folder in the folder is a skill; the files directly in it, and in its `agents`, belong to it.
fn list(folder: &Path, fault: &str) -> io::Result<Value> {
    let mut skills = Vec::new();
    for entry in fs::read_dir(folder)?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let mut files = Vec::new();
        for (directory, prefix) in [(entry.path(), ""), (entry.path().join("agents"), "agents/")] {
            for file in fs::read_dir(directory).into_iter().flatten().flatten() {
                if file.path().is_file() {
                    files.push(format!("env:/{name}/{prefix}{}", file.file_name().to_string_lossy()));
                }
            }
        }
        skills.push(json!({"uri": format!("env:/{name}/SKILL.md"), "files": files}));
    }
    Ok(json!({"skills": skills, "complete": fault != "partial"}))
}

fn read(folder: &Path, question: &Value) -> Value {
    let uri = question.get("uri").and_then(Value::as_str).unwrap_or_default();
    let Some(relative) = uri.strip_prefix("env:/").map(Path::new) else { return refusal("refused") };
    if !relative.components().all(|component| matches!(component, Component::Normal(_))) {
        return refusal("refused");
    }
    let Ok(mut bytes) = fs::read(folder.join(relative)) else { return refusal("not-found") };
    let limit = question.get("limit").and_then(Value::as_u64).and_then(|limit| usize::try_from(limit).ok());
    let cut = limit.is_some_and(|limit| bytes.len() > limit);
    bytes.truncate(limit.unwrap_or(usize::MAX));
    match String::from_utf8(bytes) {
        Ok(text) => json!({"text": text, "cut": cut}),
        Err(error) => {
            use base64::Engine as _;
            let text = base64::engine::general_purpose::STANDARD.encode(error.as_bytes());
            json!({"base64": text, "cut": cut})
        }
    }
}

fn refusal(code: &str) -> Value {
    json!({"error": {"code": code, "message": "this cannot be read here"}})
}
