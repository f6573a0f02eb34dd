//! What several harnesses make of the same skills: one row a skill, one column a harness.
//!
//! ```
//! use lorimer::compare::{Options, compare};
//! use lorimer::{Host, profiles};
//!
//! let folder = std::env::temp_dir().join("a-folder-without-skills");
//! let comparison = compare(profiles::ALL, &Host::new(folder), &Options::default());
//! assert_eq!(comparison.columns.len(), profiles::ALL.len());
//! for row in &comparison.rows {
//!     assert_eq!(row.cells.len(), comparison.columns.len());
//! }
//! ```

mod cell;
mod join;
mod marked;
pub mod report;
mod steps;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::SystemTime;

use lorimer_core::{Budget, Diagnostic, SkillId, Snapshot, Unit};
use lorimer_discover::MetadataCache;

pub use cell::{Cell, Counts, Standing};
pub use marked::Marked;
pub use steps::{Growth, Listing, SizeStep, WindowStep};

use crate::profiles::Profile;
use crate::{ConfigError, Host, Lifecycle, Session, SessionError, Settings, View};

/// So many installed skills are a good moment to look through them (S0-17). It is advice and no limit.
pub const AUDIT_AT: usize = 100;

/// What to look at besides the listings as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Context windows, in tokens, for which the same skills are listed again; `None` is an unknown window.
    pub windows: Vec<Option<u64>>,
    /// Numbers of skills for which a part of them is listed; see [`Growth`].
    pub sizes: Vec<usize>,
    /// Settings of single harnesses, by [`Profile::name`]; they stand in the place of [`Host::settings`].
    pub settings: BTreeMap<String, Settings>,
}

/// What several harnesses make of the same skills.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Context window that was asked about, in tokens; `None` when it is not known.
    pub window: Option<u64>,
    /// One for each profile, in the order in which they were given.
    pub columns: Vec<Column>,
    /// One for each skill, in the order of names, then of places. Files that no harness could take in are among them.
    pub rows: Vec<Row>,
    /// How it would be with other windows; as many as were asked for.
    pub windows: Vec<WindowStep>,
    /// How it would be with fewer skills, if that was asked for.
    pub growth: Option<Growth>,
}

/// One harness.
#[derive(Clone, Debug)]
pub struct Column {
    /// The harness.
    pub profile: Profile,
    /// What became of the skills, or why this harness would not even start.
    pub outcome: Result<Seen, Error>,
}

/// What one harness makes of the skills.
#[derive(Clone, Debug)]
pub struct Seen {
    /// How many cells of the column stand how. They add up to the number of rows.
    pub counts: Counts,
    /// What the listing takes.
    pub load: Load,
    /// Warnings about the listing as a whole.
    pub notices: Vec<Diagnostic>,
    /// Whether every place was looked at to its end.
    pub complete: bool,
}

/// What a listing takes, and what it does not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// What it may cost, in the harness's own unit.
    pub budget: Budget,
    /// What it costs in that unit; 0 where the unit is [`Unit::None`].
    pub spent: usize,
    /// UTF-8 bytes of the whole text that the model gets.
    pub bytes: usize,
    /// Tokens of that text, estimated as a quarter of its bytes, so that harnesses can be compared (S0-12).
    pub estimated_tokens: usize,
    /// Characters of descriptions that are not shown of the skills that are.
    pub chars_lost: usize,
}

impl Load {
    pub(crate) fn of(view: &View) -> Self {
        let bytes = view.text().len();
        let listing = |number: usize| if view.listing { number } else { 0 };
        Self {
            budget: view.catalog.budget,
            spent: listing(view.catalog.spent),
            bytes,
            estimated_tokens: lorimer_core::Size { bytes, ..Default::default() }.cost(Unit::Tokens),
            chars_lost: listing(view.catalog.chars_cut()),
        }
    }
}

/// One skill.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its identity, as the first harness that has it gives it; `None` where none could take it in.
    pub skill: Option<SkillId>,
    /// Its name, by the same harness; of a file that none could take in, the name of its folder.
    pub name: String,
    /// Where it was found.
    pub locator: String,
    /// The whole description, by the same harness.
    pub description: String,
    /// One for each column, in their order. Where the harness would not start, all are [`Standing::Absent`].
    pub cells: Vec<Cell>,
}

impl Row {
    /// Returns whether a harness shows less of the skill than there is, or none of it although another does.
    pub fn is_problem(&self) -> bool {
        let any = |wanted: fn(Standing) -> bool| self.cells.iter().any(|cell| wanted(cell.standing));
        any(Standing::is_loss) || (any(|standing| standing == Standing::Hidden) && any(Standing::is_visible))
    }

    /// Returns in how many columns something of the skill is lost.
    pub fn losses(&self) -> usize {
        self.cells.iter().filter(|cell| cell.standing.is_loss()).count()
    }
}

/// A harness would not start.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It refuses a setting.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// It has no session, because its journal refuses.
    #[error("{0}")]
    Session(String),
}

impl From<SessionError> for Error {
    fn from(error: SessionError) -> Self {
        Self::Session(error.to_string())
    }
}

/// Asks every profile what it makes of the skills in these surroundings. What one of them refuses costs no other.
///
/// Files are looked at once for each profile, through one cache; other windows and other numbers of skills are
/// computed from what was found then.
pub fn compare(profiles: &[Profile], host: &Host, options: &Options) -> Comparison {
    let mut host = host.clone();
    host.cache.get_or_insert_with(|| MetadataCache::in_memory(SystemTime::now));
    let looks: Vec<Result<Look, Error>> =
        profiles.iter().map(|profile| Look::new(profile, &host, options)).collect();
    let views: Vec<Option<&View>> = looks.iter().map(|look| Some(&look.as_ref().ok()?.view)).collect();
    let rows = join::rows(&views);
    let windows = steps::windows(&options.windows, &looks);
    let growth = (!options.sizes.is_empty()).then(|| steps::growth(&options.sizes, &looks, &rows));
    let columns = profiles.iter().zip(looks).enumerate().map(|(index, (profile, look))| Column {
        profile: *profile,
        outcome: look.map(|look| look.seen(rows.iter().filter_map(|row| row.cells.get(index)))),
    });
    Comparison { window: host.window, columns: columns.collect(), rows, windows, growth }
}

/// A harness in its surroundings, and what it found there.
pub(crate) struct Look {
    profile: Profile,
    host: Host,
    session: Session,
    view: View,
}

impl Look {
    fn new(profile: &Profile, host: &Host, options: &Options) -> Result<Self, Error> {
        let mut host = host.clone();
        if let Some(settings) = options.settings.get(profile.name) {
            host.settings.clone_from(settings);
        }
        let session = open(&profile.lifecycle(&host)?)?;
        let view = session.view();
        Ok(Self { profile: *profile, host, session, view })
    }

    /// Lists what was found in a window of this size.
    fn in_window(&self, window: Option<u64>) -> Result<View, Error> {
        let host = Host { window, ..self.host.clone() };
        let session = open(&self.profile.lifecycle(&host)?)?;
        Ok(View::new(&session, &self.view.snapshot, None))
    }

    /// Lists these skills.
    fn of(&self, snapshot: &Snapshot) -> View {
        View::new(&self.session, snapshot, None)
    }

    fn seen<'a>(self, cells: impl Iterator<Item = &'a Cell>) -> Seen {
        Seen {
            counts: Counts::of(cells.map(|cell| cell.standing)),
            load: Load::of(&self.view),
            complete: self.view.snapshot.is_complete(),
            notices: if self.view.listing { self.view.catalog.notices } else { Vec::new() },
        }
    }
}

fn open(lifecycle: &Lifecycle) -> Result<Session, SessionError> {
    lifecycle.session("compare")
}

/// Returns the skills of a view, each with what became of it, in the order of the snapshot.
fn standings(view: &View) -> Vec<(Arc<lorimer_core::Skill>, Cell)> {
    let mut cells = cell::cells(view);
    let known = view.snapshot.skills();
    known.filter_map(|skill| Some((Arc::clone(skill), cells.remove(&skill.id)?))).collect()
}
