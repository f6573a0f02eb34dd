//! `lorimer load`

use lorimer::Caller;
use lorimer::report::LoadReport;

use crate::args::LoadArgs;
use crate::error::{CliError, Outcome};
use crate::output::{finding, print_json, print_raw, remark};

pub(crate) fn run(args: &LoadArgs) -> Result<Outcome, CliError> {
    let lifecycle = args.common.lifecycle()?;
    let caller = if args.user { Caller::User } else { Caller::Model };
    let answer = lifecycle.session("load")?.load_skill(&args.name, caller)?;
    let outcome = if answer.result.is_ok() { Outcome::Fine } else { Outcome::Findings };
    if args.common.json {
        print_json(&LoadReport::new(&args.common.profile, &answer))?;
        return Ok(outcome);
    }
    print_raw(&format!("{}\n", answer.item.text))?;
    for diagnostic in &answer.diagnostics {
        remark(finding(diagnostic).trim_end());
    }
    Ok(outcome)
}
