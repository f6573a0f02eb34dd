//! `lorimer explain`

use std::fmt::Write as _;

use lorimer::core::Code;
use serde::Serialize;

use crate::args::ExplainArgs;
use crate::error::{CliError, Outcome};
use crate::output::{BOLD, paint, print, print_json};

#[derive(Serialize)]
struct Row {
    code: &'static str,
    severity: &'static str,
    explanation: &'static str,
}

pub(crate) fn run(args: &ExplainArgs) -> Result<Outcome, CliError> {
    let codes: Vec<Code> = match &args.code {
        None => Code::ALL.to_vec(),
        Some(text) => vec![text.parse().map_err(|error| {
            CliError::usage(format!("{error}"), "`lorimer explain` without a code lists all of them")
        })?],
    };
    let rows: Vec<Row> = codes
        .into_iter()
        .map(Code::info)
        .map(|info| Row { code: info.code, severity: info.severity.as_str(), explanation: info.explanation })
        .collect();
    if args.json {
        print_json(&rows)?;
        return Ok(Outcome::Fine);
    }
    let mut text = String::new();
    for row in rows {
        let _ = writeln!(text, "{} ({})\n  {}", paint(BOLD, row.code), row.severity, row.explanation);
    }
    print(&text)?;
    Ok(Outcome::Fine)
}
