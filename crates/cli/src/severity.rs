//! `--severity CODE=LEVEL`: what the user thinks of a code.

use std::collections::HashMap;

use lorimer::core::{Code, Diagnostic, Severity};

use crate::error::CliError;

/// The user's severities; `None` switches a code off.
#[derive(Debug)]
pub(crate) struct Overrides(HashMap<Code, Option<Severity>>);

impl Overrides {
    /// Reads the options. The last one about a code counts.
    pub(crate) fn parse(options: &[String]) -> Result<Self, CliError> {
        options.iter().map(|option| parse(option)).collect::<Result<_, _>>().map(Self)
    }

    /// Changes severities, and takes out what is switched off.
    pub(crate) fn apply(&self, diagnostics: &mut Vec<Diagnostic>) {
        diagnostics.retain_mut(|diagnostic| match self.0.get(&diagnostic.code) {
            None => true,
            Some(None) => false,
            Some(Some(severity)) => {
                diagnostic.severity = *severity;
                true
            }
        });
    }
}

fn parse(option: &str) -> Result<(Code, Option<Severity>), CliError> {
    let Some((code, level)) = option.split_once('=') else {
        return Err(CliError::usage(
            format!("--severity `{option}` has no level"),
            "write --severity CODE=error|warning|note|off",
        ));
    };
    let code = code.trim().parse().map_err(|error| {
        CliError::usage(format!("--severity: {error}"), "`lorimer explain` without a code lists all of them")
    })?;
    let severity = match level.trim() {
        "error" => Some(Severity::Error),
        "warning" => Some(Severity::Warning),
        "note" => Some(Severity::Note),
        "off" => None,
        other => {
            return Err(CliError::usage(
                format!("--severity {code}: `{other}` is no level"),
                "choose one of: error, warning, note, off",
            ));
        }
    };
    Ok((code, severity))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(options: &[&str], code: Code) -> Vec<Severity> {
        let options: Vec<String> = options.iter().map(ToString::to_string).collect();
        let mut diagnostics = vec![Diagnostic::new(code, "x")];
        Overrides::parse(&options).unwrap().apply(&mut diagnostics);
        diagnostics.into_iter().map(|diagnostic| diagnostic.severity).collect()
    }

    #[test]
    fn the_last_option_about_a_code_counts_and_other_codes_keep_theirs() {
        let code = Code::NameCollision;
        assert_eq!(applied(&["discover/name-collision=note"], code), [Severity::Note]);
        assert_eq!(applied(&["discover/name-collision=off"], code), []);
        let twice = ["discover/name-collision=off", "discover/name-collision = error"];
        assert_eq!(applied(&twice, code), [Severity::Error]);
        assert_eq!(applied(&["discover/same-file=off"], code), [Severity::Warning]);
    }
}
