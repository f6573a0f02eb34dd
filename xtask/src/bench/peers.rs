//! Other crates that load skills, in a package of their own that the workspace does not contain.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use xshell::{Shell, cmd};

use super::task::Measured;
use crate::workspace;

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

    /// Has a peer load the skills below a folder, in a fresh process.
    pub(super) fn run(&self, name: &str, root: &Path) -> anyhow::Result<Measured> {
        let line = output(Command::new(&self.program).arg(name).arg(root))?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["skills", found, "seconds", seconds] = words.as_slice() else {
            anyhow::bail!("`{name}` said `{line}`");
        };
        let nanoseconds = u64::try_from(Duration::from_secs_f64(seconds.parse()?).as_nanos())?;
        Ok(Measured { nanoseconds, processor_nanoseconds: 0, found: found.parse()?, peak_kib: 0 })
    }
}

fn output(command: &mut Command) -> anyhow::Result<String> {
    let output = command.output().context("cannot start the peers")?;
    ensure!(output.status.success(), "a peer failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?)
}
