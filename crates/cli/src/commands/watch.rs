//! `lorimer watch`

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use jiff::{Timestamp, Unit, ZonedDateTime};
use lorimer::Reloaded;
use lorimer::core::{Diagnostic, Skill};
use lorimer::discover::MetadataCache;
use lorimer::discover::watch::{Method, Options, Watch};
use lorimer::report::{ReloadReport, VERSION};
use serde::Serialize;

use crate::args::WatchArgs;
use crate::error::{CliError, Outcome};
use crate::output::{BOLD, DIM, GREEN, RED, YELLOW, count, one_line, paint, print, print_json_line, remark};
use crate::snippet::Snippets;

/// How long Ctrl-C may go unnoticed.
const PATIENCE: Duration = Duration::from_millis(200);

/// The first line, and one whenever watching goes on in another way.
#[derive(Serialize)]
struct WatchingLine<'l> {
    version: u32,
    event: &'static str,
    at: Timestamp,
    profile: &'l str,
    skills: usize,
    complete: bool,
    findings: usize,
    method: &'static str,
    poll_ms: Option<u64>,
    because: Option<String>,
}

/// A line about what differs.
#[derive(Serialize)]
struct ChangedLine {
    event: &'static str,
    at: Timestamp,
    #[serde(flatten)]
    report: ReloadReport,
}

pub(crate) fn run(args: &WatchArgs) -> Result<Outcome, CliError> {
    let (profile, mut host) = args.common.resolve()?;
    host.cache = host.cache.or_else(|| Some(MetadataCache::in_memory(SystemTime::now)));
    let lifecycle = profile.lifecycle(&host)?;
    let stopped = stop_on_ctrl_c()?;
    let mut options = Options::default();
    options.poll = args.poll;
    let sources = lifecycle.sources().to_vec();
    // What happens before the first look is part of it.
    let watch = Watch::sources(sources, options)
        .map_err(|error| CliError::io(format!("cannot watch: {error}"), "close other programs"))?;
    let mut session = lifecycle.session("watch")?;
    let first = session.reload();
    let mut standing = Standing::default();
    standing.take_in(&first);
    let mut method = watch.method();
    describe_method(args, &standing, &method)?;
    if !args.common.json {
        begin(args, &standing)?;
    }
    while !stopped.load(Ordering::Relaxed) {
        let next = watch.next(PATIENCE).map_err(|error| CliError::io(error.to_string(), "start it again"))?;
        let Some(changes) = next else { continue };
        let reloaded = session.changed(&changes);
        standing.take_in(&reloaded);
        if method != watch.method() {
            method = watch.method();
            describe_method(args, &standing, &method)?;
        }
        if reloaded.is_empty() {
            continue;
        }
        if args.common.json {
            let report = ReloadReport::new(&args.common.profile, &reloaded);
            print_json_line(&ChangedLine { event: "changed", at: now(), report })?;
        } else {
            let time = ZonedDateTime::now().strftime("%H:%M:%S").to_string();
            print(&describe(&time, &standing, &reloaded))?;
        }
        if args.once {
            break;
        }
    }
    Ok(Outcome::Fine)
}

/// What there is now.
#[derive(Clone, Copy, Debug, Default)]
struct Standing {
    skills: usize,
    findings: usize,
    complete: bool,
}

impl Standing {
    fn take_in(&mut self, reloaded: &Reloaded) {
        let skills = &reloaded.skills;
        self.skills = skills.added.len() + skills.changed.len() + skills.unchanged;
        self.findings += reloaded.findings.appeared.len();
        self.findings = self.findings.saturating_sub(reloaded.findings.resolved.len());
        self.complete = reloaded.complete;
    }
}

/// Returns what becomes true when the user has seen enough. Asked a second time, the command ends at once.
fn stop_on_ctrl_c() -> Result<Arc<AtomicBool>, CliError> {
    let stopped = Arc::new(AtomicBool::new(false));
    let signal = signal_hook::consts::SIGINT;
    signal_hook::flag::register_conditional_shutdown(signal, 0, Arc::clone(&stopped))
        .and_then(|_| signal_hook::flag::register(signal, Arc::clone(&stopped)))
        .map_err(|error| CliError::io(format!("cannot listen to Ctrl-C: {error}"), "try another terminal"))?;
    Ok(stopped)
}

fn begin(args: &WatchArgs, standing: &Standing) -> Result<(), CliError> {
    print(&format!(
        "{}: {}; waiting for changes, Ctrl-C ends it\n",
        paint(BOLD, &args.common.profile),
        count(standing.skills, "skill"),
    ))?;
    if standing.findings > 0 {
        let findings = count(standing.findings, "finding");
        remark(&paint(DIM, format!("{findings}; `lorimer check` shows them")));
    }
    Ok(())
}

/// Says how changes are noticed, where that is not as one would expect.
fn describe_method(args: &WatchArgs, standing: &Standing, method: &Method) -> Result<(), CliError> {
    let (name, every, because) = match method {
        Method::Events => ("events", None, None),
        Method::Polling { every, because } => ("polling", Some(*every), because.clone()),
    };
    if args.common.json {
        return print_json_line(&WatchingLine {
            version: VERSION,
            event: "watching",
            at: now(),
            profile: &args.common.profile,
            skills: standing.skills,
            complete: standing.complete,
            findings: standing.findings,
            method: name,
            poll_ms: every.and_then(|every| u64::try_from(every.as_millis()).ok()),
            because,
        });
    }
    if let Some(every) = every {
        let because = because.map(|because| format!(": {because}")).unwrap_or_default();
        remark(&paint(DIM, one_line(&format!("looking at the files every {every:?}{because}"))));
    }
    Ok(())
}

/// Milliseconds are more than anybody needs, and as much as is honest.
fn now() -> Timestamp {
    let now = Timestamp::now();
    now.round(Unit::Millisecond).unwrap_or(now)
}

fn describe(time: &str, standing: &Standing, reloaded: &Reloaded) -> String {
    let mut text = format!("{}  {}\n", paint(BOLD, time), paint(DIM, count(standing.skills, "skill")));
    for skill in &reloaded.skills.added {
        text.push_str(&row(&paint(GREEN, "+"), skill, ""));
    }
    for changed in &reloaded.skills.changed {
        let aspects: Vec<&str> = changed.aspects.iter().map(|aspect| aspect.as_str()).collect();
        text.push_str(&row(&paint(YELLOW, "~"), &changed.after, &aspects.join(", ")));
    }
    for skill in &reloaded.skills.removed {
        text.push_str(&row(&paint(RED, "-"), skill, ""));
    }
    for finding in &reloaded.findings.resolved {
        text.push_str(&resolved(finding));
    }
    let mut snippets = Snippets::default();
    for finding in &reloaded.findings.appeared {
        text.push_str(&snippets.finding(finding));
    }
    if !reloaded.complete {
        let _ = writeln!(text, "{}", paint(YELLOW, "not everything was reached; see the findings above"));
    }
    text
}

fn row(mark: &str, skill: &Skill, what: &str) -> String {
    let name = one_line(skill.call_name());
    let what = if what.is_empty() { String::new() } else { format!("  {what}") };
    format!("  {mark} {name}{what}  {}\n", paint(DIM, one_line(&skill.shown_location())))
}

fn resolved(finding: &Diagnostic) -> String {
    let place = finding.location.as_ref().map(|location| location.locator.shown()).unwrap_or_default();
    format!("  {} {}  {}\n", paint(GREEN, "resolved"), finding.code, paint(DIM, one_line(&place)))
}
