//! Writes the pages of `docs/` that are made from tables in the code.

mod diagnostics;
mod profiles;
mod roots;

use anyhow::Context as _;

use crate::workspace;

/// A page, and the table that it is made from.
struct Page {
    path: &'static str,
    table: &'static str,
    text: fn() -> String,
}

const PAGES: [Page; 3] = [diagnostics::PAGE, profiles::PAGE, roots::PAGE];

/// Whether to write or to compare.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Write nothing; fail when a committed page is not the generated one
    #[arg(long)]
    check: bool,
}

/// Writes the pages, or returns whether they are up to date.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    let mut fine = true;
    for page in &PAGES {
        let Page { path, table, .. } = page;
        if page.is_current() {
            eprintln!("docs: `{path}` is up to date");
        } else if arguments.check {
            println!("{path}: differs from {table}; run `cargo xtask docs`");
            fine = false;
        } else {
            std::fs::write(workspace::root().join(path), (page.text)())
                .with_context(|| format!("cannot write `{path}`"))?;
            eprintln!("docs: `{path}` is written");
        }
    }
    Ok(fine)
}

impl Page {
    fn is_current(&self) -> bool {
        let committed = std::fs::read_to_string(workspace::root().join(self.path));
        committed.is_ok_and(|committed| committed == (self.text)())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_pages_are_the_generated_ones() {
        for page in &PAGES {
            assert!(page.is_current(), "`{}` is stale; run `cargo xtask docs`", page.path);
        }
    }
}
