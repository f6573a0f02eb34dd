//! Which requirements have a test that names them.
//!
//! A test claims a requirement by its function's name (`s3_12_names_stay_apart`, several in a row for several) or by
//! a doc comment that begins with the ids (`/// S3-05, S3-14: …`). Other mentions are prose and claim nothing.

mod scan;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Context as _;

use crate::workspace;
use scan::{Claim, Id};

/// The requirements that there are: stage number and last id.
const RANGES: [(u8, u8); 3] = [(0, 20), (1, 34), (3, 55)];

/// What to show.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Show only the requirements that no test names
    #[arg(long)]
    missing: bool,
    /// Fail when one of these is missing: ids separated by commas or white space, or a file that holds them
    #[arg(long, value_name = "FILE|LIST")]
    require: Option<String>,
}

/// Prints the table and returns whether everything that is required is there.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    let mut covered: BTreeMap<Id, Vec<Claim>> = BTreeMap::new();
    for file in workspace::text_files()?.iter().filter(|file| file.is_rust()) {
        for claim in scan::claims(&file.path, &file.text) {
            for id in &claim.ids {
                covered.entry(*id).or_default().push(claim.clone());
            }
        }
    }
    let known: BTreeSet<Id> = known().collect();
    for id in &known {
        match covered.get(id).map(Vec::as_slice) {
            None | Some([]) => println!("{id}  missing"),
            Some(_) if arguments.missing => {}
            Some([first]) => println!("{id}  {first}"),
            Some([first, others @ ..]) => println!("{id}  {first} (and {} more)", others.len()),
        }
    }
    for (stage, _) in RANGES {
        let of_stage = known.iter().filter(|id| id.stage == stage);
        let named = of_stage.clone().filter(|id| covered.contains_key(id)).count();
        eprintln!("S{stage}: {named} of {} named by a test", of_stage.count());
    }
    let unknown: Vec<String> =
        covered.keys().filter(|id| !known.contains(id)).map(ToString::to_string).collect();
    if !unknown.is_empty() {
        eprintln!("warning: tests name ids that do not exist: {}", unknown.join(", "));
    }
    let Some(required) = &arguments.require else { return Ok(true) };
    let lacking: Vec<String> = ids_of(required)?
        .into_iter()
        .filter(|id| !covered.contains_key(id))
        .map(|id| id.to_string())
        .collect();
    if !lacking.is_empty() {
        eprintln!("error: required, but no test names {}", lacking.join(", "));
    }
    Ok(lacking.is_empty())
}

fn known() -> impl Iterator<Item = Id> {
    RANGES.into_iter().flat_map(|(stage, last)| (1..=last).map(move |number| Id { stage, number }))
}

/// Reads ids from a list, or from the file of this name.
fn ids_of(list_or_file: &str) -> anyhow::Result<BTreeSet<Id>> {
    let path = Path::new(list_or_file);
    let text = if path.is_file() { std::fs::read_to_string(path)? } else { list_or_file.to_owned() };
    text.split(|character: char| character == ',' || character.is_whitespace())
        .filter(|word| !word.is_empty())
        .map(|word| {
            Id::parse(word).with_context(|| format!("`{word}` is not an id such as S3-12, and no file"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranges_hold_all_requirements() {
        assert_eq!(known().count(), 20 + 34 + 55);
        assert!(known().any(|id| id.to_string() == "S3-55"));
        assert!(known().all(|id| id.to_string() != "S1-35"));
    }

    #[test]
    fn ids_come_from_a_list_or_a_file() {
        let list: Vec<String> = ids_of("S3-12, S0-01").unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(list, ["S0-01", "S3-12"]);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ids");
        std::fs::write(&file, "S1-02\nS1-03\n").unwrap();
        assert_eq!(ids_of(&file.to_string_lossy()).unwrap().len(), 2);
        assert!(ids_of("S3-1x").is_err());
        assert!(ids_of("no-such-file").is_err());
    }
}
