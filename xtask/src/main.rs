//! The recipes of this workspace: what CI runs, and the checks that no compiler makes.
//!
//! `cargo xtask --help` lists them. Data goes to standard output, prose to standard error; exit codes are 0 for
//! fine, 1 for findings or failure, 2 for a wrong command line.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command that reports by printing")]

mod bench;
mod cases;
mod ci;
mod corpus;
mod docs;
mod faults;
mod field;
mod fuzz;
mod parity;
mod requirements;
mod rust;
mod tidy;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Recipes of the lorimer workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    recipe: Recipe,
}

#[derive(Debug, Subcommand)]
enum Recipe {
    /// Check the crate edges, the source rules and the table of diagnostic codes
    Tidy,
    /// Show which requirements have a test that names them
    Requirements(requirements::Arguments),
    /// Write docs/diagnostics.md from the table of codes, or check that it is up to date
    Docs(docs::Arguments),
    /// Run everything that CI runs
    Ci(ci::Arguments),
    /// Run recorded experiments of the real harnesses through our profiles and compare
    Parity(parity::Arguments),
    /// Measure discovery against programs that do only what cannot be left out
    Bench(bench::Arguments),
    /// Run field cases through our native profile and compare
    Field(field::Arguments),
    /// Read the frontmatter of many real skills and count what comes of it
    Corpus(corpus::Arguments),
    /// Run the fault tests at their full size
    Faults,
    /// Fuzz every place that takes bytes of others, where a fuzzer can be built
    Fuzz(fuzz::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().recipe {
        Recipe::Tidy => tidy::run(),
        Recipe::Requirements(arguments) => requirements::run(&arguments),
        Recipe::Docs(arguments) => docs::run(&arguments),
        Recipe::Ci(arguments) => ci::run(&arguments),
        Recipe::Parity(arguments) => parity::run(&arguments),
        Recipe::Bench(arguments) => bench::run(&arguments),
        Recipe::Field(arguments) => field::run(&arguments),
        Recipe::Corpus(arguments) => corpus::run(&arguments),
        Recipe::Faults => faults::run(),
        Recipe::Fuzz(arguments) => fuzz::run(&arguments),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
