//! How the comparison of many skills grows with their number.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::ensure;
use lorimer::core::Digest;
use lorimer::overlap::{Document, Level, Options, overlap};
use xshell::{Shell, cmd};

use super::generate::Numbers;
use crate::workspace;

/// What to measure.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Numbers of skills
    #[arg(long, value_delimiter = ',', default_value = "1000,3000,10000")]
    sizes: Vec<usize>,
    /// Times that each comparison is made; the median counts
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Print figures as JSON
    #[arg(long)]
    json: bool,
}

/// Measures, prints, and returns whether all went well.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    if cfg!(debug_assertions) {
        return in_release(arguments);
    }
    ensure!(arguments.rounds > 0, "there must be at least one round");
    let rows: Vec<Row> = arguments.sizes.iter().map(|size| measure(*size, arguments.rounds)).collect();
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&rows)?);
        return Ok(true);
    }
    println!("skills  seconds  per skill  pairs  exponent");
    let mut before: Option<&Row> = None;
    for row in &rows {
        let first = rows.first().unwrap_or(row);
        let ratio = (row.seconds / row.skills) / (first.seconds / first.skills);
        let exponent = before.map_or_else(String::new, |before| {
            format!("{:.2}", (row.seconds / before.seconds).ln() / (row.skills / before.skills).ln())
        });
        println!("{:>6}  {:>7.2}  {ratio:>8.2}x  {:>5}  {exponent:>8}", row.skills, row.seconds, row.pairs);
        before = Some(row);
    }
    Ok(true)
}

fn in_release(arguments: &Arguments) -> anyhow::Result<bool> {
    let shell = Shell::new()?;
    shell.change_dir(workspace::root());
    let sizes = arguments.sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let rounds = arguments.rounds.to_string();
    let json = arguments.json.then_some("--json");
    let command = cmd!(
        shell,
        "cargo run --quiet --release --package xtask -- bench overlap --sizes {sizes} --rounds {rounds} {json...}"
    );
    Ok(command.quiet().run().is_ok())
}

#[derive(Debug, serde::Serialize)]
struct Row {
    skills: f64,
    seconds: f64,
    pairs: usize,
    levels: BTreeMap<&'static str, usize>,
}

fn measure(size: usize, rounds: usize) -> Row {
    let documents = documents(size);
    let mut times: Vec<Duration> = Vec::new();
    let mut levels = BTreeMap::new();
    let mut pairs = 0;
    for _ in 0..rounds {
        let start = Instant::now();
        let found = overlap(&documents, &Options::default());
        times.push(start.elapsed());
        pairs = found.pairs.len();
        levels = BTreeMap::new();
        for level in found.pairs.iter().filter_map(lorimer::overlap::Pair::level).map(Level::as_str) {
            *levels.entry(level).or_default() += 1;
        }
    }
    times.sort_unstable();
    let seconds = times.get(times.len() / 2).map_or(0.0, Duration::as_secs_f64);
    Row { skills: f64::from(u32::try_from(size).unwrap_or(u32::MAX)), seconds, pairs, levels }
}

/// Makes skills of the usual size: most of them about something of their own, every twentieth one a near copy of the
/// one before, every tenth one from a template.
fn documents(size: usize) -> Vec<Document> {
    let mut numbers = Numbers::new(7);
    let mut documents: Vec<Document> = Vec::with_capacity(size);
    for place in 0..size {
        let document = match (place % 20, documents.last()) {
            (19, Some(before)) => {
                let name = format!("{}-{}", before.name, made_up(&mut numbers));
                document(place, &name, &before.description, &format!("{} Changed.", before.body))
            }
            (9 | 18, _) => {
                let product = [made_up(&mut numbers), made_up(&mut numbers), "ix".to_owned()].concat();
                let description =
                    format!("Automate {product} tasks through the toolbox. Search tools first.");
                let body = text(&mut numbers, 120);
                document(place, &format!("{product}-automation"), &description, &body)
            }
            _ => {
                let name = format!("{}-{}", text(&mut numbers, 1).trim_end(), made_up(&mut numbers));
                let name = format!("{name}-{}ox", made_up(&mut numbers));
                let description = text(&mut numbers, 32);
                let body = text(&mut numbers, 750);
                document(place, &name, &description, &body)
            }
        };
        documents.push(document);
    }
    documents
}

fn document(place: usize, name: &str, description: &str, body: &str) -> Document {
    Document {
        id: format!("{place:06}"),
        name: name.to_owned(),
        description: description.to_owned(),
        body: body.to_owned(),
        digest: Some(Digest::of([name, description, body].join("\n").as_bytes())),
        ..Document::default()
    }
}

/// Returns words of which half are common ones and half made up, the shorter the more frequent.
fn text(numbers: &mut Numbers, words: usize) -> String {
    let mut text = String::new();
    for _ in 0..words {
        if numbers.below(2) == 0 {
            text.push_str(numbers.word());
        } else {
            text.push_str(&made_up(numbers));
        }
        text.push(' ');
    }
    text
}

/// Returns a word of one to four syllables, so that some words are frequent and most are not.
fn made_up(numbers: &mut Numbers) -> String {
    const SYLLABLES: [&str; 24] = [
        "ba", "cor", "du", "fen", "gal", "hix", "jo", "kel", "lum", "mor", "nap", "oz", "pre", "qua", "ril",
        "sto", "tum", "ux", "vel", "wim", "xa", "yor", "zet", "bri",
    ];
    let count = 1 + numbers.below(4);
    let mut word = String::new();
    for _ in 0..count {
        let index = usize::try_from(numbers.below(24)).unwrap_or_default();
        word.push_str(SYLLABLES.get(index).copied().unwrap_or("ba"));
    }
    word
}
