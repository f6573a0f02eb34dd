//! `lorimer check --fix` and `--diff`

use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::path::PathBuf;

use lorimer::check::Checked;
use lorimer::core::Fix;
use lorimer::discover::fix::{self, Request};
use lorimer::report::ChangeReport;

use crate::diff;
use crate::error::CliError;
use crate::output::{DIM, YELLOW, paint, print, print_raw};

/// Whether files are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// They are.
    Fix,
    /// It is only shown what would be.
    Diff,
}

/// Plans, and perhaps does, everything that the findings propose, file by file.
pub(crate) fn run(checked: &Checked, mode: Mode) -> Vec<ChangeReport> {
    let mut fixes: BTreeMap<PathBuf, Vec<Fix>> = BTreeMap::new();
    for diagnostic in &checked.diagnostics {
        let path = diagnostic.location.as_ref().and_then(|location| location.locator.as_path());
        if let (Some(path), Some(fix)) = (path, &diagnostic.fix) {
            fixes.entry(path.to_owned()).or_default().push(fix.clone());
        }
    }
    let mut changes = Vec::new();
    for (path, fixes) in fixes {
        let Some(digest) = checked.files.get(&path).copied() else { continue };
        let request = Request { path: &path, digest, fixes: &fixes, roots: &checked.roots };
        let shown = path.to_string_lossy().into_owned();
        let left = |error: &fix::Error| ChangeReport {
            path: shown.clone(),
            renamed: None,
            state: "left",
            detail: Some(error.to_string()),
            diff: String::new(),
        };
        let plan = match fix::plan(&request) {
            Ok(plan) if plan.is_empty() => continue,
            Ok(plan) => plan,
            Err(error) => {
                changes.push(left(&error));
                continue;
            }
        };
        let renamed =
            plan.rename.as_ref().map(|name| path.with_file_name(name).to_string_lossy().into_owned());
        let new_path = renamed.clone().unwrap_or_else(|| shown.clone());
        let diff = diff::unified(&shown, &new_path, &plan.before, &plan.after);
        let done = match mode {
            Mode::Diff => Ok("planned"),
            Mode::Fix => plan.write().map(|()| "fixed"),
        };
        changes.push(match done {
            Ok(state) => ChangeReport { path: shown, renamed, state, detail: None, diff },
            Err(error @ fix::Error::NotRenamed(_)) => {
                let detail = Some(error.to_string());
                ChangeReport { path: shown, renamed: None, state: "fixed", detail, diff }
            }
            Err(error) => left(&error),
        });
    }
    changes
}

/// Shows the changes to a person.
pub(crate) fn describe(changes: &[ChangeReport]) -> String {
    let mut text = String::new();
    for change in changes {
        if let Some(renamed) = &change.renamed {
            text.push_str(&diff::shown(&format!("rename from {}\nrename to {renamed}", change.path)));
        }
        text.push_str(&diff::shown(&change.diff));
        if let Some(why) = &change.detail {
            let what = if change.state == "left" { "left as it is" } else { "fixed in part" };
            let line = diff::shown(&format!("{what}: {}: {why}", change.path));
            text.push_str(&paint(YELLOW, line.trim_end()));
            text.push('\n');
        }
    }
    text
}

/// Prints the changes alone: as they are for another program, as they can be shown for a person.
pub(crate) fn print_diff(changes: &[ChangeReport]) -> Result<(), CliError> {
    if std::io::stdout().is_terminal() {
        return print(&describe(changes));
    }
    let whole: String = changes.iter().map(|change| change.diff.as_str()).collect();
    print_raw(&whole)
}

/// Returns how many files were changed, would be, and were left.
pub(crate) fn summary(changes: &[ChangeReport], mode: Mode) -> String {
    let left = changes.iter().filter(|change| change.state == "left").count();
    let done = changes.len() - left;
    let verb = match mode {
        Mode::Fix => "fixed",
        Mode::Diff => "can be fixed; `--fix` does it",
    };
    let mut text = format!("{} {verb}", crate::output::count(done, "file"));
    if left > 0 {
        text = format!("{text}, {left} left as they are");
    }
    paint(DIM, text)
}
