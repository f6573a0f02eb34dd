//! Runs a case as somebody whom the modes of files stop, where this is run as root.

use super::case::Case;
use super::run::Report;

/// The need of such a case.
pub(crate) const NEED: &str = "non-root";

/// Runs a case in a child process of its own, which belongs to nobody.
pub(crate) fn run(case: &Case) -> Report {
    match in_child(case) {
        Ok(report) => report,
        Err(error) => {
            let why = "this is run as root, whom no mode stops, and nobody else can be asked";
            Report::Unmet(format!("needs {NEED}: {why}: {error:#}"))
        }
    }
}

#[cfg(unix)]
fn in_child(case: &Case) -> anyhow::Result<Report> {
    use std::os::unix::process::CommandExt as _;
    use std::path::Path;
    use std::process::{Command, Stdio};

    use anyhow::{Context as _, ensure};

    /// User and group that own nothing.
    const NOBODY: u32 = 65_534;

    // The case may lie where only root may look.
    let staged = tempfile::Builder::new().prefix("field").tempdir()?;
    super::prepare::copy_below(&case.folder, staged.path()).context("cannot copy the case")?;
    open_to_all(staged.path())?;
    // So may the program; this way leads to it without its path.
    let own = Path::new("/proc/self/exe");
    let program = if own.exists() { own.to_owned() } else { std::env::current_exe()? };
    let output = Command::new(program)
        .args(["field", "--as-json"])
        .arg(staged.path())
        .current_dir(staged.path())
        .stdin(Stdio::null())
        .uid(NOBODY)
        .gid(NOBODY)
        .output()
        .context("cannot start a child as another user")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "the child failed: {}", said.trim());
    serde_json::from_slice(&output.stdout).context("the child's report is none")
}

#[cfg(not(unix))]
fn in_child(_: &Case) -> anyhow::Result<Report> {
    anyhow::bail!("there are no modes here")
}

/// Lets everybody read what is in a folder.
#[cfg(unix)]
fn open_to_all(folder: &std::path::Path) -> anyhow::Result<()> {
    use crate::cases::scratch;

    scratch::set_mode(folder, 0o755)?;
    for entry in std::fs::read_dir(folder)? {
        let (kind, path) = entry.and_then(|entry| Ok((entry.file_type()?, entry.path())))?;
        if kind.is_dir() {
            open_to_all(&path)?;
        } else if kind.is_file() {
            scratch::set_mode(&path, 0o644)?;
        }
    }
    Ok(())
}
