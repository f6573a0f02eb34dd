//! Other crates that load skills, in a package of their own that the workspace does not contain.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use xshell::{Shell, cmd};

use super::task::Measured;
use crate::workspace;

/// A peer that needs longer is stopped, and the limit stands for its time.
const LIMIT: Duration = Duration::from_secs(60);

/// The built program, and the peers that it knows.
pub(super) struct Peers {
    program: PathBuf,
    pub(super) names: Vec<String>,
}

impl Peers {
    /// Builds the program.
    pub(super) fn build() -> anyhow::Result<Self> {
        let root = workspace::root();
        let manifest = root.join("xtask/peers/Cargo.toml");
        let target = root.join("target/peers");
        let shell = Shell::new()?;
        cmd!(
            shell,
            "cargo build --quiet --release --locked --manifest-path {manifest} --target-dir {target}"
        )
        .quiet()
        .run()?;
        let program = target.join("release").join(format!("peers{}", std::env::consts::EXE_SUFFIX));
        let names = output(&mut Command::new(&program))?;
        Ok(Self { program, names: names.lines().map(str::to_owned).collect() })
    }

    /// Has a peer load the skills below a folder, in a fresh process. One that is stopped has found nothing.
    pub(super) fn run(&self, name: &str, root: &Path) -> anyhow::Result<Measured> {
        let mut command = Command::new(&self.program);
        let mut child = command.arg(name).arg(root).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let start = Instant::now();
        // A line is all that it says, so it never waits for somebody to read it.
        while child.try_wait()?.is_none() {
            if start.elapsed() > LIMIT {
                child.kill()?;
                child.wait()?;
                eprintln!("`{name}` was stopped after {} s", LIMIT.as_secs());
                let nanoseconds = u64::try_from(LIMIT.as_nanos())?;
                return Ok(Measured { nanoseconds, processor_nanoseconds: 0, found: 0, peak_kib: 0 });
            }
            thread::sleep(Duration::from_millis(5));
        }
        let line = said(&child.wait_with_output()?)?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["skills", found, "seconds", seconds] = words.as_slice() else {
            anyhow::bail!("`{name}` said `{line}`");
        };
        let nanoseconds = u64::try_from(Duration::from_secs_f64(seconds.parse()?).as_nanos())?;
        Ok(Measured { nanoseconds, processor_nanoseconds: 0, found: found.parse()?, peak_kib: 0 })
    }
}

fn output(command: &mut Command) -> anyhow::Result<String> {
    said(&command.output().context("cannot start the peers")?)
}

fn said(output: &Output) -> anyhow::Result<String> {
    ensure!(output.status.success(), "a peer failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout.clone())?)
}
