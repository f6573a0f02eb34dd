//! `lorimer list`

use std::fmt::Write as _;

use lorimer::report::ListReport;

use crate::args::ListArgs;
use crate::commands::rows;
use crate::error::{CliError, Outcome};
use crate::output::{
    BOLD, DIM, count, one_line, paint, print, print_json, print_raw, remark, remark_on_nothing,
};

pub(crate) fn run(args: &ListArgs) -> Result<Outcome, CliError> {
    let lifecycle = args.common.lifecycle()?;
    let view = lifecycle.session("list")?.view();
    if args.text {
        print_raw(&format!("{}\n", view.text()))?;
        return Ok(Outcome::Fine);
    }
    let report = ListReport::new(&args.common.profile, &view);
    if args.common.json {
        print_json(&report)?;
        return Ok(Outcome::Fine);
    }
    print(&describe(&report))?;
    remark_on_nothing(&view.snapshot);
    let odd = report.diagnostics.len();
    if odd > 0 {
        remark(&paint(DIM, format!("{}; `lorimer check` shows them", count(odd, "finding"))));
    }
    Ok(Outcome::Fine)
}

fn describe(report: &ListReport) -> String {
    let limit = match report.budget.limit {
        Some(limit) => format!("{} of {limit} {}", report.budget.spent, report.budget.unit),
        None => "no budget".to_owned(),
    };
    let mut text = format!(
        "{}: {} listed, {} omitted, {} hidden ({limit})\n",
        paint(BOLD, &report.profile),
        count(report.entries.len(), "skill"),
        report.omitted.len(),
        report.hidden.len(),
    );
    let counts = report.tokens.iter().filter(|tokens| tokens.count > 0);
    let counts: Vec<String> =
        counts.map(|tokens| format!("{} tokens ({})", tokens.count, tokens.counter)).collect();
    if !counts.is_empty() {
        let _ = writeln!(text, "  {}", paint(DIM, format!("the whole text has {}", counts.join(", "))));
    }
    text.push_str(&rows::entries(&report.entries));
    for root in &report.roots {
        let _ = writeln!(text, "  {}", paint(DIM, format!("{} = {}", root.alias, root.path)));
    }
    text.push_str(&rows::absent("omitted", &report.omitted));
    text.push_str(&rows::absent("hidden", &report.hidden));
    for notice in &report.notices {
        let _ = writeln!(text, "{}: {}", paint(BOLD, notice.severity), one_line(&notice.message));
    }
    text
}
