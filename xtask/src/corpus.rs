//! Reads the frontmatter of many real skills by several readings.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use anyhow::Context as _;
use flate2::read::MultiGzDecoder;
use lorimer::core::{Code, Severity};
use lorimer::discover::frontmatter::{Outcome, Reading, parse};
use serde::Deserialize;

/// What to read.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A gzip file with one JSON object a line: `frontmatter_raw`, `group`, `repo`, `path`, and `ok` (whether another
    /// YAML parser finds a name and a description)
    file: PathBuf,
    /// Name the files on which a reading without repair and that parser disagree
    #[arg(long)]
    verbose: bool,
}

#[derive(Debug, Deserialize)]
struct Row {
    repo: String,
    path: String,
    frontmatter_raw: String,
    group: String,
    ok: bool,
}

/// What came of one reading of one group.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    accepted: usize,
    repaired: usize,
    rejected: usize,
    /// Files that have a finding of this code, with its severity.
    codes: BTreeMap<(Code, Severity), usize>,
}

/// Reads everything, prints the counts, and returns whether every property holds. Without the file nothing is read,
/// which it says.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    let Arguments { file, verbose } = arguments;
    if !file.exists() {
        eprintln!("corpus: SKIPPED, nothing was read: there is no `{}`", file.display());
        return Ok(true);
    }
    let reader = BufReader::new(MultiGzDecoder::new(File::open(file)?));
    let mut corpus = Corpus::default();
    for (number, line) in (1..).zip(reader.lines()) {
        let line = line.with_context(|| format!("cannot read line {number}"))?;
        let row: Row = serde_json::from_str(&line).with_context(|| format!("line {number} is no row"))?;
        corpus.take(&row);
    }
    corpus.print(*verbose);
    Ok(corpus.broken.is_empty())
}

/// The reading that is compared with the other parser.
const STRICT: &str = "lenient, no repair";

fn readings() -> [(&'static str, Reading); 4] {
    [
        ("lenient", Reading::lenient()),
        (STRICT, Reading { repair: false, ..Reading::lenient() }),
        ("trimmed_fences", Reading::trimmed_fences()),
        ("minimal", Reading::minimal()),
    ]
}

#[derive(Debug, Default)]
struct Corpus {
    rows: BTreeMap<String, usize>,
    tallies: BTreeMap<(usize, String), Tally>,
    /// Files on which a reading without repair and the other parser disagree.
    disagreements: Vec<String>,
    /// Files for which a property does not hold.
    broken: Vec<String>,
}

impl Corpus {
    fn take(&mut self, row: &Row) {
        let Row { repo, path, frontmatter_raw, group, ok } = row;
        let name = format!("{repo}: {path}");
        *self.rows.entry(group.clone()).or_default() += 1;
        for (index, (reading_name, reading)) in readings().iter().enumerate() {
            let read = || catch_unwind(AssertUnwindSafe(|| parse(frontmatter_raw.as_bytes(), reading)));
            let (Ok(outcome), Ok(again)) = (read(), read()) else {
                self.broken.push(format!("{name} ({reading_name}): a panic"));
                continue;
            };
            if outcome != again {
                self.broken.push(format!("{name} ({reading_name}): two readings differ"));
            }
            if let Some(why) = misplaced(frontmatter_raw, &outcome) {
                self.broken.push(format!("{name} ({reading_name}): {why}"));
            }
            if *reading_name == STRICT && outcome.is_accepted() != *ok {
                self.disagreements
                    .push(format!("{name}: {}", if *ok { "only we refuse" } else { "only we read" }));
            }
            self.tallies.entry((index, group.clone())).or_default().take(&outcome);
        }
    }

    fn print(&self, verbose: bool) {
        let all: usize = self.rows.values().sum();
        let groups: Vec<String> = self.rows.iter().map(|(group, count)| format!("{group} {count}")).collect();
        println!("{all} files: {}", groups.join(", "));
        for ((index, group), tally) in &self.tallies {
            let name = readings().get(*index).map_or("", |(name, _)| name);
            let Tally { accepted, repaired, rejected, codes } = tally;
            println!(
                "\n{name}, {group}: {accepted} accepted ({repaired} of them repaired), {rejected} rejected"
            );
            for ((code, severity), count) in codes {
                println!("  {count:>6} {}[{code}]", severity.as_str());
            }
        }
        println!("\n{STRICT}, against the other parser: {} disagreements", self.disagreements.len());
        let shown = if verbose { self.disagreements.as_slice() } else { &[] };
        for line in shown {
            println!("  {line}");
        }
        println!("properties that do not hold: {}", self.broken.len());
        for line in &self.broken {
            println!("  {line}");
        }
    }
}

impl Tally {
    fn take(&mut self, outcome: &Outcome) {
        let has = |code| outcome.findings.iter().any(|finding| finding.code == code);
        let count = if outcome.is_accepted() { &mut self.accepted } else { &mut self.rejected };
        *count += 1;
        self.repaired += usize::from(outcome.is_accepted() && has(Code::FrontmatterRepaired));
        let mut kinds: Vec<_> =
            outcome.findings.iter().map(|finding| (finding.code, finding.severity)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        for kind in kinds {
            *self.codes.entry(kind).or_default() += 1;
        }
    }
}

/// Returns what is wrong about the places that an outcome names.
fn misplaced(text: &str, outcome: &Outcome) -> Option<String> {
    let spans = outcome.findings.iter().filter_map(|finding| finding.span);
    let fences = outcome.fenced.iter().flat_map(|fenced| [fenced.frontmatter.clone(), fenced.body.clone()]);
    let mut places = spans.map(|span| span.start..span.end).chain(fences);
    places
        .find(|place| text.get(place.clone()).is_none())
        .map(|place| format!("{place:?} is no place in the text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_counted_by_what_came_of_them() {
        let mut corpus = Corpus::default();
        for (text, ok) in [
            ("---\nname: a\ndescription: d\n---\n", true),
            ("---\nname: a\ndescription: Use when: d\n---\n", false),
            ("---\n- a\n---\n", false),
            ("---\ndescription: d\n---\n", false),
        ] {
            let text = text.to_owned();
            corpus.take(&Row {
                repo: "r".into(),
                path: "p".into(),
                frontmatter_raw: text,
                group: "A1".into(),
                ok,
            });
        }
        let tally = |index| &corpus.tallies[&(index, "A1".to_owned())];
        assert_eq!((tally(0).accepted, tally(0).repaired, tally(0).rejected), (3, 1, 1));
        assert_eq!((tally(1).accepted, tally(3).accepted), (2, 4));
        assert_eq!(tally(0).codes[&(Code::FrontmatterRepaired, Severity::Warning)], 1);
        assert_eq!(corpus.disagreements, ["r: p: only we read"], "the folder has a name");
        assert_eq!(corpus.broken, [""; 0]);
    }

    #[test]
    fn a_place_outside_the_text_is_told() {
        let text = "---\nname: é\ndescription: d\n---\n";
        let mut outcome = parse(text.as_bytes(), &Reading::lenient());
        assert_eq!(misplaced(text, &outcome), None);
        outcome.fenced.as_mut().unwrap().body.start = 11;
        assert!(misplaced(text, &outcome).is_some(), "inside a character");
    }

    #[test]
    fn without_a_file_nothing_fails() {
        assert!(run(&Arguments { file: "no-such-file.gz".into(), verbose: false }).unwrap());
    }
}
