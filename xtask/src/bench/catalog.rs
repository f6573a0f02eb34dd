//! Measures how long each profile takes to make its listing, and how that grows with the number of skills.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use lorimer::Host;
use lorimer::catalog::CatalogRequest;
use lorimer::core::Skill;
use lorimer::profiles::{self, Profile};
use serde_json::json;
use xshell::{Shell, cmd};

use super::generate;
use super::task::timed;
use crate::workspace;

#[derive(Debug, clap::Args)]
pub(super) struct Catalog {
    /// Numbers of skills
    #[arg(long, value_delimiter = ',', default_value = "100,1000,10000")]
    sizes: Vec<usize>,
    /// Times that each listing is made, in turns; the median counts
    #[arg(long, default_value_t = 15)]
    rounds: usize,
    /// Context window, in tokens
    #[arg(long, default_value_t = 200_000)]
    window: u64,
    /// Print figures as JSON
    #[arg(long)]
    json: bool,
}

/// What one profile took.
struct Row {
    profile: &'static str,
    /// For each size: the median of processor time, and how many entries were shown.
    times: Vec<(usize, Duration, usize)>,
}

impl Row {
    /// Returns the exponent of the power of the number of skills that the times follow: 1 is linear. The slope of the line
    /// that fits best in a plot of logarithms.
    fn exponent(&self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "numbers of skills are small")]
        let points: Vec<(f64, f64)> =
            self.times.iter().map(|(size, time, _)| ((*size as f64).ln(), time.as_secs_f64().ln())).collect();
        let count = f64::from(u32::try_from(points.len()).ok()?);
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
        let (x, y) = (mean(|point| point.0), mean(|point| point.1));
        let above: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
        let below: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
        Some(above / below).filter(|exponent| exponent.is_finite())
    }
}

pub(super) fn run(arguments: &Catalog) -> anyhow::Result<bool> {
    // What is not optimised is not worth measuring.
    if cfg!(debug_assertions) { in_release(arguments) } else { measure(arguments) }
}

fn in_release(arguments: &Catalog) -> anyhow::Result<bool> {
    let shell = Shell::new()?;
    shell.change_dir(workspace::root());
    let sizes = arguments.sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let (rounds, window) = (arguments.rounds.to_string(), arguments.window.to_string());
    let json = arguments.json.then_some("--json");
    let command = cmd!(
        shell,
        "cargo run --quiet --release --package xtask -- bench catalog --sizes {sizes} --rounds {rounds} --window {window} {json...}"
    );
    // What the allocator gives back to the system after each listing it has to ask for at the next, and how dear that is
    // says more about the machine.
    let keep = (1_usize << 30).to_string();
    let command = command.env("MALLOC_TRIM_THRESHOLD_", &keep).env("MALLOC_MMAP_THRESHOLD_", &keep);
    Ok(command.quiet().run().is_ok())
}

fn measure(arguments: &Catalog) -> anyhow::Result<bool> {
    ensure!(arguments.rounds > 0, "there must be at least one round");
    let mut rows: Vec<Row> =
        profiles::ALL.iter().map(|profile| Row { profile: profile.name, times: Vec::new() }).collect();
    for size in &arguments.sizes {
        let folder = tempfile::tempdir()?;
        let root = folder.path().join("skills");
        eprintln!("making {size} skills");
        generate::skills(&root, *size)?;
        let host = Host::new(folder.path()).root(&root).window(arguments.window);
        // Some harnesses stop at a number of folders; the listing is what is measured, so all get the same skills.
        let found = profiles::by_name("native").context("no profile `native`")?.lifecycle(&host)?;
        let snapshot = found.session("bench")?.view().snapshot;
        let skills: Vec<Arc<Skill>> = snapshot.skills().cloned().collect();
        for (row, profile) in rows.iter_mut().zip(profiles::ALL) {
            let (time, shown) = listing(profile, &host, &skills, arguments.rounds)?;
            row.times.push((*size, time, shown));
        }
    }
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&figures(&rows))?);
    } else {
        print(arguments, &rows);
    }
    Ok(true)
}

/// Returns the median time that the profile's listing of these skills takes, and how many entries it shows.
fn listing(
    profile: &Profile,
    host: &Host,
    skills: &[Arc<Skill>],
    rounds: usize,
) -> anyhow::Result<(Duration, usize)> {
    let lifecycle = profile.lifecycle(host).with_context(|| profile.name)?;
    let request = CatalogRequest { skills, budget: lifecycle.options().budget, input: None };
    let mut shown = 0;
    let mut times = Vec::with_capacity(rounds);
    for _ in 0..rounds {
        let (time, catalog) = timed(|| lifecycle.cataloger().catalog(&request))?;
        times.push(Duration::from_nanos(time.processor_nanoseconds));
        shown = black_box(catalog).shown().count();
    }
    times.sort_unstable();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    Ok((median, shown))
}

fn print(arguments: &Catalog, rows: &[Row]) {
    println!("median processor time of one listing, window of {} tokens", arguments.window);
    for row in rows {
        let times: Vec<String> = row
            .times
            .iter()
            .map(|(size, time, shown)| format!("{size}: {:8.3} ms ({shown} shown)", time.as_secs_f64() * 1e3))
            .collect();
        let exponent = row.exponent().map(|exponent| format!("grows as n^{exponent:.2}")).unwrap_or_default();
        println!("{:12} {}  {exponent}", row.profile, times.join("  "));
    }
}

fn figures(rows: &[Row]) -> serde_json::Value {
    let row = |row: &Row| {
        let times: serde_json::Map<String, serde_json::Value> = row
            .times
            .iter()
            .map(|(size, time, _)| (size.to_string(), json!(time.as_secs_f64() * 1e3)))
            .collect();
        (row.profile.to_owned(), json!({"milliseconds": times, "exponent": row.exponent()}))
    };
    json!({"catalog": rows.iter().map(row).collect::<serde_json::Map<_, _>>()})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponent_is_the_slope_of_the_logarithms() {
        let row = |times: [u64; 3]| Row {
            profile: "x",
            times: [10, 100, 1000]
                .into_iter()
                .zip(times)
                .map(|(size, time)| (size, Duration::from_micros(time), size))
                .collect(),
        };
        let near = |exponent: Option<f64>, wanted: f64| (exponent.unwrap() - wanted).abs() < 1e-9;
        assert!(near(row([1, 10, 100]).exponent(), 1.0));
        assert!(near(row([1, 100, 10_000]).exponent(), 2.0));
        assert_eq!(Row { profile: "x", times: Vec::new() }.exponent(), None);
    }
}
