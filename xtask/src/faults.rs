//! The fault tests at their full size; every test run has a few rounds of them.

use xshell::{Shell, cmd};

use crate::workspace;

/// Runs them and returns whether all went well.
pub(crate) fn run() -> anyhow::Result<bool> {
    let shell = Shell::new()?;
    shell.change_dir(workspace::root());
    let tests = cmd!(shell, "cargo test --package lorimer-discover --test it faults -- --nocapture");
    Ok(tests.env("LORIMER_FAULTS_FULL", "1").run().is_ok())
}
