//! Measures discovery against programs that do only what cannot be left out, in one run on one machine; and listings.

mod catalog;
mod generate;
mod overlap;
mod peers;
mod report;
mod task;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use clap::Subcommand;
use peers::Peers;
use task::{Measured, Task};
use xshell::{Shell, cmd};

use crate::workspace;

/// What to measure.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Scans of many skills, each in a fresh process: cold, warm, and after one edit
    Discover(Discover),
    /// Listings of many skills, by every profile
    Catalog(catalog::Catalog),
    /// Comparisons of many skills with each other, and how they grow with the number
    Overlap(overlap::Arguments),
    /// Performs one task and prints what it took; the recipe starts this
    #[command(hide = true)]
    Task { task: Task, root: PathBuf, cache: PathBuf },
}

#[derive(Debug, clap::Args)]
struct Discover {
    /// Numbers of skills
    #[arg(long, value_delimiter = ',', default_value = "100,1000,10000")]
    sizes: Vec<usize>,
    /// Times that each task is performed, in turns; the median counts
    #[arg(long, default_value_t = 9)]
    rounds: usize,
    /// Measure other crates that load skills as well; they are built first, which takes minutes
    #[arg(long)]
    peers: bool,
    /// Print figures as JSON
    #[arg(long)]
    json: bool,
}

/// Measures, prints, and returns whether all went well.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    match &arguments.what {
        What::Task { task, root, cache } => {
            println!("{}", serde_json::to_string(&task::perform(*task, root, cache)?)?);
            Ok(true)
        }
        What::Catalog(arguments) => catalog::run(arguments),
        What::Overlap(arguments) => overlap::run(arguments),
        // What is not optimised is not worth measuring.
        What::Discover(discover) if cfg!(debug_assertions) => in_release(discover),
        What::Discover(discover) => measure(discover),
    }
}

fn in_release(discover: &Discover) -> anyhow::Result<bool> {
    let shell = Shell::new()?;
    shell.change_dir(workspace::root());
    let sizes = discover.sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let rounds = discover.rounds.to_string();
    let flags = [(discover.peers, "--peers"), (discover.json, "--json")];
    let flags = flags.into_iter().filter_map(|(given, flag)| given.then_some(flag));
    let command = cmd!(
        shell,
        "cargo run --quiet --release --package xtask -- bench discover --sizes {sizes} --rounds {rounds} {flags...}"
    );
    Ok(command.quiet().run().is_ok())
}

/// Peers take long, so they take part in the first rounds only.
const PEER_ROUNDS: usize = 3;

/// What each task took, round by round.
type Rounds = BTreeMap<String, Vec<Measured>>;

fn measure(discover: &Discover) -> anyhow::Result<bool> {
    ensure!(discover.rounds > 0, "there must be at least one round");
    let peers = if discover.peers { Some(Peers::build()?) } else { None };
    let mut results = Vec::new();
    for size in &discover.sizes {
        let folder = tempfile::tempdir()?;
        let root = folder.path().join("skills");
        let cache = folder.path().join("cache");
        eprintln!("making {size} skills");
        generate::skills(&root, *size)?;
        // Files that have just been written are not cached yet.
        std::thread::sleep(Duration::from_secs(3));
        start(Task::Warm, &root, &cache)?;
        let mut rounds = Rounds::new();
        for round in 0..discover.rounds {
            for task in Task::ALL {
                rounds.entry(task.name()).or_default().push(start(task, &root, &cache)?);
            }
            if let Some(peers) = peers.as_ref().filter(|_| round < PEER_ROUNDS) {
                for name in &peers.names {
                    let before = rounds.entry(peer(name)).or_default();
                    // One that was stopped would be stopped again.
                    if before.iter().all(|measured| measured.found > 0) {
                        before.push(peers.run(name, &root)?);
                    }
                }
            }
        }
        results.push(Results { size: *size, rounds });
    }
    if peers.is_none() {
        eprintln!("no peer was measured; `--peers` does that");
    }
    if discover.json {
        report::print_json(&results);
    } else {
        report::print_table(&results);
    }
    Ok(true)
}

/// The name of a peer's row.
fn peer(name: &str) -> String {
    format!("peer_{}", name.replace('-', "_"))
}

/// What was measured over one number of skills.
struct Results {
    size: usize,
    rounds: Rounds,
}

fn start(task: Task, root: &Path, cache: &Path) -> anyhow::Result<Measured> {
    let output = Command::new(std::env::current_exe()?)
        .args(["bench", "task", &task.name()])
        .args([root, cache])
        .output()
        .context("cannot start the task")?;
    ensure!(output.status.success(), "`{}` failed: {}", task.name(), String::from_utf8_lossy(&output.stderr));
    Ok(serde_json::from_slice(&output.stdout)?)
}
