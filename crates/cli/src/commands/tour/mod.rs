//! `lorimer tour`

mod project;

use std::fmt::Write as _;
use std::path::Path;

use lorimer::core::{Scope, SourceId};
use lorimer::discover::MemorySource;
use lorimer::observe::Funnel;
use lorimer::report::{ListReport, TurnReport};
use lorimer::{Host, Lifecycle, Session, Settings, Turn, TurnInput};

use crate::args::{TourArgs, find_profile};
use crate::commands::{rows, turn};
use crate::error::{CliError, Outcome};
use crate::output::{BOLD, CYAN, finding, paint, print};

/// Small enough that not every description fits.
const WINDOW: u64 = 12_800;

/// Lines of an item that are shown when a turn has several, so that it fits on a screen.
const FEW_LINES: usize = 9;
/// Lines of an item that are shown otherwise.
const MORE_LINES: usize = 14;

const STAGES: [(&str, &str); 7] = [
    ("discover", "find skills in folders, plugins and attached environments; read metadata only"),
    ("catalog", "list them for the model inside a budget; say what was shortened or left out"),
    ("resolve", "turn $name, a click or a tool call into one skill, or into an honest answer"),
    ("activate", "read the chosen file again, now, and hand it over as one item"),
    ("authorize", "who may use it, and is what it needs really there"),
    ("persist", "keep what the model saw, so that a session can go on"),
    ("observe", "count where each skill stopped, and why"),
];

pub(crate) fn run(args: &TourArgs) -> Result<Outcome, CliError> {
    let profile = find_profile(&args.profile)?;
    let failed = |error: std::io::Error| {
        CliError::io(
            format!("the tour cannot write its project: {error}"),
            "check TMPDIR and the space on that disk",
        )
    };
    let folder = tempfile::Builder::new().prefix("lorimer-tour-").tempdir().map_err(failed)?;
    // Listings show canonical paths, so the tour starts from one.
    let root = folder.path().canonicalize().map_err(failed)?;
    project::write(&root).map_err(failed)?;

    let mut host = Host::new(root.join("project")).home(root.join("home")).window(WINDOW);
    host.system_root = Some(root.join("etc"));
    let mut settings = Settings::default();
    settings.assign("skills.config=[{name = \"old-habits\", enabled = false}]")?;
    host.settings = settings;
    let attached = MemorySource::new(SourceId::new("workshop"))
        .with_scope(Scope::Environment { id: "workshop".to_owned() });
    attached.add(
        "handbook",
        "The whole handbook of the workshop, for when nothing else helps.",
        &project::handbook(),
    );
    let lifecycle = profile.builder(&host)?.source(attached).build();

    let mut tour = Tour { root: &root, profile: profile.name, text: String::new(), funnel: Funnel::new() };
    tour.opening(profile.summary);
    let mut session = lifecycle.session("tour")?;
    tour.listing(&lifecycle, &mut session)?;
    tour.mentions(&mut session)?;
    tour.edit(&mut session, failed)?;
    print(&tour.text)?;
    Ok(Outcome::Fine)
}

struct Tour<'a> {
    root: &'a Path,
    profile: &'a str,
    text: String,
    funnel: Funnel,
}

impl Tour<'_> {
    fn opening(&mut self, summary: &str) {
        self.line(&paint(BOLD, "A skill's journey in seven stages"));
        for (stage, what) in STAGES {
            self.line(&format!("  {} {what}", paint(CYAN, format!("{stage:<9}"))));
        }
        self.line(&format!(
            "\nThe project lies in a temporary folder, shown as TOUR. Profile {}: {summary}.",
            paint(BOLD, self.profile)
        ));
        self.line(&format!("The model's window has {WINDOW} tokens."));
    }

    /// First turn: what was found, what is listed, and what is not.
    fn listing(&mut self, lifecycle: &Lifecycle, session: &mut Session) -> Result<(), CliError> {
        self.heading("Turn 1: “Good morning.” Nobody asks for a skill; the model gets the listing");
        let view = lifecycle.session("look")?.view();
        let turn = session.begin(&TurnInput::text("Good morning."))?;
        let list = ListReport::new(self.profile, &view);
        self.show(&turn::heading("What happened to each skill", "discover, authorize, catalog"));
        let mut shown = rows::entries(&list.entries);
        shown.push_str(&rows::absent("omitted", &list.omitted));
        shown.push_str(&rows::absent("hidden", &list.hidden));
        self.show(&shown);
        let told: String = view.diagnostics.iter().chain(&view.catalog.notices).map(finding).collect();
        self.show(&told);
        self.show_turn(&turn);
        Ok(())
    }

    /// Second turn: mentions that are found, and mentions that are not.
    fn mentions(&mut self, session: &mut Session) -> Result<(), CliError> {
        const TEXT: &str =
            "Use $brew-tea and $release, then $deploy. Ask $tracker, read $handbook, skip $old-habits.";
        self.heading(&format!("Turn 2: “{TEXT}”"));
        let turn = session.begin(&TurnInput::text(TEXT))?;
        self.show_turn(&turn);
        Ok(())
    }

    /// Third turn: the file has changed on disk, and a new mention reads it again.
    fn edit(
        &mut self,
        session: &mut Session,
        failed: impl Fn(std::io::Error) -> CliError,
    ) -> Result<(), CliError> {
        self.heading("Turn 3: someone edits brew-tea/SKILL.md, then “Once more: $brew-tea”");
        project::edit_brew_tea(self.root).map_err(failed)?;
        let turn = session.begin(&TurnInput::text("Once more: $brew-tea"))?;
        self.show_turn(&turn);
        let bodies = session
            .state()
            .visible_bodies()
            .filter(|body| body.skill.locator.shown().ends_with("brew-tea/SKILL.md"));
        let turns: Vec<String> = bodies.map(|body| body.turn.to_string()).collect();
        self.show(&turn::heading("History", "persist"));
        self.line(&format!(
            "  brew-tea stands in it as the model saw it in turns {}; nothing was rewritten",
            turns.join(" and ")
        ));
        Ok(())
    }

    /// Shows a turn on about one screen, with the funnel of the whole session so far.
    fn show_turn(&mut self, turn: &Turn) {
        self.funnel.extend(&turn.events);
        let report = TurnReport::new(self.profile, turn);
        let lines = if report.items.len() > 1 { FEW_LINES } else { MORE_LINES };
        self.show(&turn::describe(&report, &self.funnel.counts(), lines));
    }

    fn heading(&mut self, title: &str) {
        self.line(&format!("\n{}", paint(BOLD, format!("── {title} ──"))));
    }

    fn show(&mut self, text: &str) {
        let root = self.root.to_string_lossy();
        self.text.push_str(&text.replace(root.as_ref(), "TOUR"));
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{text}");
    }
}
