//! Measures discovery against programs that do only what cannot be left out, in one run on one machine.

mod generate;
mod task;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use clap::Subcommand;
use serde_json::json;
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
    /// Performs one task and prints what it took; the recipe starts this
    #[command(hide = true)]
    Task { task: Task, root: PathBuf, cache: PathBuf },
}

#[derive(Debug, clap::Args)]
struct Discover {
    /// Numbers of skills
    #[arg(long, value_delimiter = ',', default_value = "100,1000,10000")]
    sizes: Vec<usize>,
    /// Times that each task is performed; the fastest counts
    #[arg(long, default_value_t = 7)]
    rounds: usize,
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
    let json = discover.json.then_some("--json");
    let command = cmd!(
        shell,
        "cargo run --quiet --release --package xtask -- bench discover --sizes {sizes} --rounds {rounds} {json...}"
    );
    Ok(command.quiet().run().is_ok())
}

/// The fastest of several runs of each task.
type Best = BTreeMap<String, Measured>;

fn measure(discover: &Discover) -> anyhow::Result<bool> {
    ensure!(discover.rounds > 0, "there must be at least one round");
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
        let mut best = Best::new();
        for _ in 0..discover.rounds {
            for task in Task::ALL {
                let measured = start(task, &root, &cache)?;
                let kept = best.entry(task.name()).or_insert_with(|| measured.clone());
                kept.nanoseconds = kept.nanoseconds.min(measured.nanoseconds);
                kept.cpu_ticks = kept.cpu_ticks.min(measured.cpu_ticks);
                kept.peak_kib = kept.peak_kib.max(measured.peak_kib);
            }
        }
        results.push((*size, best));
    }
    if discover.json {
        print_json(&results);
    } else {
        print_table(&results);
    }
    Ok(true)
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

/// What is compared with what.
const RATIOS: [(&str, Task, Task); 4] = [
    ("cold_vs_floor", Task::Cold, Task::Floor),
    ("warm_vs_stat", Task::Warm, Task::Stat),
    ("rescan_vs_cold", Task::Rescan, Task::Cold),
    ("one_changed_vs_cold", Task::Touched, Task::Cold),
];

/// The platform counts processor time in hundredths of a second, so less is not worth comparing.
const LEAST_PROCESSOR_SECONDS: f64 = 0.1;

/// Ratios of wall clock, and of processor time where a task is all that its process does. The latter are the ones to
/// trust on a machine that has other work.
fn ratios(results: &[(usize, Best)]) -> Vec<(String, f64)> {
    let mut ratios = Vec::new();
    for (size, best) in results {
        let measured = |task: Task| best.get(&task.name());
        let seconds = |task: Task| Some(Duration::from_nanos(measured(task)?.nanoseconds).as_secs_f64());
        let processor =
            |task: Task| Some(Duration::from_millis(measured(task)?.cpu_ticks * 10).as_secs_f64());
        for (name, of, to) in RATIOS {
            if let (Some(of), Some(to)) = (seconds(of), seconds(to)) {
                ratios.push((format!("{name}_{size}"), of / to));
            }
        }
        for (name, of, to) in RATIOS.into_iter().take(2) {
            if let (Some(of), Some(to)) =
                (processor(of), processor(to).filter(|to| *to >= LEAST_PROCESSOR_SECONDS))
            {
                ratios.push((format!("{name}_processor_{size}"), of / to));
            }
        }
    }
    ratios
}

fn print_json(results: &[(usize, Best)]) {
    let rounded = |number: f64| (number * 1000.0).round() / 1000.0;
    let ratios: serde_json::Map<_, _> =
        ratios(results).into_iter().map(|(name, ratio)| (name, json!(rounded(ratio)))).collect();
    let measured: serde_json::Map<_, _> =
        results.iter().map(|(size, best)| (size.to_string(), json!(best))).collect();
    println!("{}", json!({ "ratios": ratios, "measured": measured }));
}

fn print_table(results: &[(usize, Best)]) {
    println!(
        "{:>7} {:<8} {:>10} {:>9} {:>8} {:>9}",
        "skills", "task", "ms", "us/skill", "cpu ms", "peak MiB"
    );
    for (size, best) in results {
        for task in Task::ALL {
            let Some(measured) = best.get(&task.name()) else { continue };
            let milliseconds = Duration::from_nanos(measured.nanoseconds).as_secs_f64() * 1e3;
            let each = Duration::from_nanos(measured.nanoseconds / u64::try_from(*size).unwrap_or(1).max(1));
            println!(
                "{size:>7} {:<8} {milliseconds:>10.2} {:>9.1} {:>8} {:>9}",
                task.name(),
                each.as_secs_f64() * 1e6,
                measured.cpu_ticks * 10,
                measured.peak_kib / 1024,
            );
        }
    }
    println!();
    for (name, ratio) in ratios(results) {
        println!("{name:<32} {ratio:.3}");
    }
}
