//! The recipe that CI runs, in the order in which a failure is cheapest to find.

use clap::ValueEnum;
use xshell::{Shell, cmd};

use crate::{tidy, workspace};

/// What to run.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Steps to leave out, because something else has run them
    #[arg(long, value_enum)]
    skip: Vec<Step>,
}

/// A step of the recipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Step {
    Fmt,
    Clippy,
    Test,
    Features,
    Doc,
    Tidy,
}

/// The steps in their order.
const STEPS: [Step; 6] = [Step::Fmt, Step::Clippy, Step::Test, Step::Features, Step::Doc, Step::Tidy];

/// Runs the steps and stops at the first one that fails.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    let shell = Shell::new()?;
    shell.change_dir(workspace::root());
    for step in steps(&arguments.skip) {
        let name = step.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
        eprintln!("ci: {name}");
        if !execute(&shell, step)? {
            eprintln!("ci: failed at {name}");
            return Ok(false);
        }
    }
    eprintln!("ci: all steps passed");
    Ok(true)
}

fn steps(skip: &[Step]) -> impl Iterator<Item = Step> {
    STEPS.into_iter().filter(move |step| !skip.contains(step))
}

fn execute(shell: &Shell, step: Step) -> anyhow::Result<bool> {
    let command = match step {
        Step::Fmt => cmd!(shell, "cargo fmt --all --check"),
        Step::Clippy => cmd!(shell, "cargo clippy --workspace --all-targets -- -D warnings"),
        Step::Test => cmd!(shell, "cargo test --workspace"),
        // The heavy ones are off by default, and so is their code in the steps before.
        Step::Features => {
            let counted = cmd!(shell, "cargo test -p lorimer-catalog --features o200k --lib").run();
            if counted.is_err() {
                return Ok(false);
            }
            cmd!(shell, "cargo test -p lorimer-discover --features https")
        }
        Step::Doc => cmd!(shell, "cargo doc --no-deps --workspace").env("RUSTDOCFLAGS", "-D warnings"),
        Step::Tidy => return tidy::run(),
    };
    Ok(command.run().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_steps_are_left_out_and_the_others_keep_their_order() {
        let left: Vec<Step> = steps(&[Step::Test]).collect();
        assert_eq!(left, [Step::Fmt, Step::Clippy, Step::Features, Step::Doc, Step::Tidy]);
    }

    /// The file that CI starts runs the command that the README gives for the tests, and every step of the recipe.
    #[test]
    fn the_ci_file_runs_the_readme_test_command() {
        let script = std::fs::read_to_string(workspace::root().join(".ci/run")).unwrap();
        let commands: Vec<&str> = script.lines().map(str::trim).collect();
        assert!(commands.contains(&"cargo test --workspace"), "{script}");
        assert!(commands.contains(&"cargo xtask ci --skip test"), "{script}");
    }
}
