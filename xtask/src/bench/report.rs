//! What the rounds came to.

use std::time::Duration;

use serde_json::json;

use super::Results;
use super::task::{Measured, Task};

/// What is compared with what. The change is named by whoever asks in the one case, and has to be found in the other.
const RATIOS: [(&str, Task, Task); 4] = [
    ("cold_vs_floor", Task::Cold, Task::Floor),
    ("warm_vs_stat", Task::Warm, Task::Stat),
    ("changed_vs_cold", Task::Touched, Task::Cold),
    ("changed_unnamed_vs_cold", Task::Rescan, Task::Cold),
];

impl Results {
    fn of(&self, task: &str) -> &[Measured] {
        self.rounds.get(task).map_or(&[], Vec::as_slice)
    }

    /// The median of what two tasks took in one round, the one divided by the other: what else the machine did meanwhile
    /// hit both.
    fn ratio(&self, of: &str, to: &str, what: fn(&Measured) -> u64) -> Option<f64> {
        let seconds = |measured| Duration::from_nanos(what(measured)).as_secs_f64();
        let pairs = self.of(of).iter().zip(self.of(to));
        median(pairs.map(|(of, to)| seconds(of) / seconds(to)).filter(|ratio| ratio.is_finite()).collect())
    }

    fn median(&self, task: &str, what: fn(&Measured) -> u64) -> f64 {
        let all = self.of(task).iter().map(|measured| Duration::from_nanos(what(measured)).as_secs_f64());
        median(all.collect()).unwrap_or_default()
    }

    fn each(&self, seconds: f64) -> f64 {
        seconds * 1e6 / f64::from(u32::try_from(self.size).unwrap_or(u32::MAX).max(1))
    }

    fn peers(&self) -> impl Iterator<Item = &String> {
        self.rounds.keys().filter(|name| name.starts_with("peer_"))
    }

    /// Everything below 1 means: less than what it is compared with. Processor time is what to trust on a machine that
    /// has other work.
    fn ratios(&self) -> Vec<(String, f64)> {
        let size = self.size;
        let mut ratios = Vec::new();
        for (name, of, to) in RATIOS {
            let wall = self.ratio(&of.name(), &to.name(), wall);
            ratios.extend(wall.map(|ratio| (format!("{name}_{size}"), ratio)));
        }
        for (name, of, to) in RATIOS {
            let processor = self.ratio(&of.name(), &to.name(), processor);
            ratios.extend(processor.map(|ratio| (format!("{name}_processor_{size}"), ratio)));
        }
        for name in self.peers() {
            let cold = self.ratio(&Task::Cold.name(), name, wall);
            ratios.extend(cold.map(|ratio| (format!("{name}_{size}"), ratio)));
        }
        ratios
    }
}

fn wall(measured: &Measured) -> u64 {
    measured.nanoseconds
}

fn processor(measured: &Measured) -> u64 {
    measured.processor_nanoseconds
}

fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}

fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

pub(super) fn print_json(results: &[Results]) {
    let ratios: serde_json::Map<_, _> =
        results.iter().flat_map(Results::ratios).map(|(name, ratio)| (name, json!(rounded(ratio)))).collect();
    let measured: serde_json::Map<_, _> = results
        .iter()
        .map(|results| {
            let tasks: serde_json::Map<_, _> = results
                .rounds
                .iter()
                .map(|(task, rounds)| (task.clone(), figures(results, task, rounds)))
                .collect();
            (results.size.to_string(), json!(tasks))
        })
        .collect();
    println!("{}", json!({ "ratios": ratios, "measured": measured }));
}

fn figures(results: &Results, task: &str, rounds: &[Measured]) -> serde_json::Value {
    let processor = results.median(task, processor);
    json!({
        "milliseconds": rounded(results.median(task, wall) * 1e3),
        "processor_milliseconds": rounded(processor * 1e3),
        "processor_microseconds_per_skill": rounded(results.each(processor)),
        "found": rounds.last().map(|measured| measured.found),
        "peak_kib": rounds.iter().map(|measured| measured.peak_kib).max(),
    })
}

pub(super) fn print_table(results: &[Results]) {
    println!(
        "{:>7} {:<18} {:>7} {:>10} {:>10} {:>13} {:>9}",
        "skills", "task", "found", "ms", "cpu ms", "cpu us/skill", "peak MiB"
    );
    for results in results {
        let tasks = Task::ALL.iter().map(|task| task.name());
        for task in tasks.chain(results.peers().cloned()) {
            let rounds = results.of(&task);
            let processor = results.median(&task, processor);
            println!(
                "{:>7} {task:<18} {:>7} {:>10.2} {:>10.2} {:>13.1} {:>9}",
                results.size,
                rounds.last().map_or(0, |measured| measured.found),
                results.median(&task, wall) * 1e3,
                processor * 1e3,
                results.each(processor),
                rounds.iter().map(|measured| measured.peak_kib).max().unwrap_or_default() / 1024,
            );
        }
    }
    println!();
    for (name, ratio) in results.iter().flat_map(Results::ratios) {
        println!("{name:<40} {ratio:.3}");
    }
}
