//! The `lorimer` command: what each harness would do with your skills.
//!
//! Data goes to stdout, prose to stderr. Exit codes: 0 fine, 1 findings, 2 usage, 3 I/O.

mod args;
mod commands;
mod diff;
mod error;
mod github;
mod output;
mod sarif;
mod severity;
mod snippet;

use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Cli, Command};
use crate::error::CliError;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match &cli.command {
        Command::Tour(args) => commands::tour::run(args),
        Command::List(args) => commands::list::run(args),
        Command::Compare(args) => commands::compare::run(args),
        Command::Check(args) => commands::check::run(args),
        Command::Watch(args) => commands::watch::run(args),
        Command::Turn(args) => commands::turn::run(args),
        Command::Load(args) => commands::load::run(args),
        Command::Roots(args) => commands::roots::run(args),
        Command::Overlap(args) => commands::overlap::run(args),
        Command::AddReview(args) => commands::add_review::run(args),
        Command::Explain(args) => commands::explain::run(args),
    };
    match result {
        Ok(outcome) => outcome.into(),
        // Whoever reads has read enough.
        Err(CliError::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&error);
            error.exit_code()
        }
    }
}
