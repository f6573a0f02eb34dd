//! A skill that is not yet installed, beside those that are: is it worth taking in (S0-18)?
//!
//! [`incoming`] makes a lifecycle of it alone, [`review`] compares. Nothing is installed and nothing is run.

mod report;

use std::path::Path;
use std::sync::Arc;

use lorimer_catalog::Disposition;
use lorimer_core::{Budget, Diagnostic, SameName, Scope, Severity, Skill, SkillId, SourceId};
use lorimer_discover::{FsSource, Keep, Place, Reading, RootBase, RootRule};

pub use self::report::{ClashReport, DisplacedReport, IntakeReport, ListingReport, ReviewReport};
use crate::check::{Ruleset, check};
use crate::overlap::{Document, Level, Lost, Options, Pair, documents, nearest, only_in};
use crate::profiles::{self, roots};
use crate::{ConfigError, Host, Lifecycle, Origin, SessionError, View};

/// Installed skills that a review shows.
const NEAREST: usize = 3;

/// Returns a lifecycle with what lies at an absolute path alone: a folder of a skill or of skills, a skill file, or an
/// archive. It is read leniently.
///
/// # Errors
///
/// When it is an archive, and this build reads none.
pub fn incoming(path: &Path, host: &Host) -> Result<Lifecycle, ConfigError> {
    let place = Place::new(&host.cwd);
    let builder = Lifecycle::builder();
    if path.is_file() && !path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md")) {
        return Ok(Origin::Archive(path.to_owned()).add_to(builder, &place)?.build());
    }
    let folder = if path.is_file() { path.parent().unwrap_or(path) } else { path };
    let rule = RootRule::new(RootBase::Path(folder.to_owned()), Scope::User);
    let source = FsSource::new(SourceId::new("incoming"), place, vec![rule], Reading::lenient());
    Ok(builder.source(source).build())
}

/// What came of a review.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The skills that may be taken in, each with its own verdict.
    pub reviews: Vec<Review>,
    /// Skills that are installed, in the order of the places of [`Pair::right`].
    pub installed: Vec<Arc<Skill>>,
    /// What the listing costs without and with them.
    pub listing: Listing,
    /// What is odd about them, as `lorimer check` finds it.
    pub diagnostics: Vec<Diagnostic>,
}

/// One skill that may be taken in.
#[derive(Clone, Debug)]
pub struct Review {
    /// The skill.
    pub skill: Arc<Skill>,
    /// Whether it would be worth taking in.
    pub advice: Advice,
    /// The installed skills that are nearest to it, the nearest first. Those that have nothing in common with it are
    /// left out.
    pub nearest: Vec<Pair>,
    /// What it has that the nearest of them does not, where there is one that it may be confused with: what to fold into
    /// that one instead.
    pub gains: Lost,
    /// What becomes of a name that an installed skill has already, for each harness; empty where the name is free.
    pub clashes: Vec<Clash>,
}

/// Whether a skill is worth taking in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Advice {
    /// Nothing speaks against it.
    Take,
    /// An installed skill may be confused with it.
    Compare {
        /// Which one.
        with: SkillId,
        /// How.
        level: Level,
    },
    /// It is installed: the same file, or a copy of it.
    Refuse {
        /// The copy.
        copy_of: SkillId,
    },
}

/// What a harness makes of two skills of one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The harness's name on command lines.
    pub harness: &'static str,
    /// Its rule.
    pub rule: NameRule,
}

/// Which of several skills of one name a harness uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameRule {
    /// The one that is found first; the others are shadowed.
    First,
    /// The one that is found last; it shadows the others.
    Last,
    /// Both stay, and the bare name is ambiguous.
    Ambiguous,
    /// The nearest one of a project's own folders; elsewhere both stay, and the bare name is ambiguous.
    NearestInProject,
    /// Both stay; what the bare name means then is not known yet.
    BothStay,
}

impl NameRule {
    /// Returns the rule as a stable word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Last => "last",
            Self::Ambiguous => "ambiguous",
            Self::NearestInProject => "nearest-in-project",
            Self::BothStay => "both-stay",
        }
    }
}

/// What the listing costs without and with the new skills, which stand there as the user's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The budget.
    pub budget: Budget,
    /// What the listing costs without them, in the budget's unit.
    pub before: usize,
    /// What it costs with them.
    pub after: usize,
    /// Installed skills that are shown less of, or not at all, because of them.
    pub displaced: Vec<Displaced>,
    /// New skills that are not shown whole.
    pub not_whole: Vec<Displaced>,
}

/// A skill that the listing does not show whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Displaced {
    /// Its name.
    pub name: String,
    /// Characters of its description that are not shown; `None` where it is left out.
    pub chars_cut: Option<usize>,
}

/// Compares what may be taken in with what a profile finds.
///
/// # Errors
///
/// When a session cannot be opened.
pub fn review(
    installed: &Lifecycle,
    incoming: &Lifecycle,
    options: &Options,
) -> Result<Outcome, SessionError> {
    let before = installed.session("add-review")?.view();
    let new = incoming.session("add-review")?.view();
    let known: Vec<Arc<Skill>> = before.snapshot.skills().cloned().collect();
    let (known_documents, mut diagnostics) = documents(installed, &before.snapshot);
    let (new_documents, unread) = documents(incoming, &new.snapshot);
    let mut reviews = Vec::new();
    for (skill, document) in new.snapshot.skills().zip(&new_documents) {
        reviews.push(judge(skill, document, &known, &known_documents, options));
    }
    let is_known = |skill: &Skill| known.iter().any(|known| known.id.locator == skill.id.locator);
    let after = if new.snapshot.skills().all(|skill| is_known(skill)) {
        before.clone()
    } else {
        let both = incoming.sources().iter().cloned();
        let builder = both.fold(installed.to_builder(), crate::Builder::source);
        builder.build().session("add-review")?.view()
    };
    diagnostics.extend(unread);
    diagnostics.extend(check(&new, Ruleset::Profile).diagnostics);
    Ok(Outcome { reviews, listing: listing(&before, &after, &new), installed: known, diagnostics })
}

impl Outcome {
    /// Returns whether everything can be taken in as it is.
    pub fn is_clean(&self) -> bool {
        let is_error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
        !self.reviews.is_empty()
            && self.reviews.iter().all(|review| review.advice == Advice::Take && review.clashes.is_empty())
            && !self.diagnostics.iter().any(is_error)
    }
}

fn judge(
    skill: &Arc<Skill>,
    document: &Document,
    known: &[Arc<Skill>],
    documents: &[Document],
    options: &Options,
) -> Review {
    let mut near = nearest(document, documents, options, NEAREST);
    near.retain(|pair| pair.level().is_some() || !pair.shared.is_empty());
    let same_place = known.iter().find(|known| known.id.locator == skill.id.locator);
    let first = near
        .first()
        .and_then(|pair| Some((known.get(pair.right)?, documents.get(pair.right)?, pair.level()?)));
    let first = first.filter(|(_, _, level)| *level >= options.min);
    let advice = match (same_place, first) {
        (Some(same), _) => Advice::Refuse { copy_of: same.id.clone() },
        (None, Some((nearest, _, Level::Copy))) => Advice::Refuse { copy_of: nearest.id.clone() },
        (None, Some((nearest, _, level))) => Advice::Compare { with: nearest.id.clone(), level },
        (None, None) => Advice::Take,
    };
    let gains = match (&advice, first) {
        (Advice::Compare { .. }, Some((_, other, _))) => only_in(document, other),
        _ => Lost::default(),
    };
    let taken =
        |known: &&Arc<Skill>| known.call_name() == skill.call_name() && known.id.locator != skill.id.locator;
    let clashes = if known.iter().any(|known| taken(&known)) { clashes() } else { Vec::new() };
    Review { skill: Arc::clone(skill), advice, nearest: near, gains, clashes }
}

/// Returns what each harness makes of a name that is taken.
fn clashes() -> Vec<Clash> {
    roots::ALL.iter().map(|table| Clash { harness: table.harness, rule: rule(table) }).collect()
}

fn rule(table: &roots::Table) -> NameRule {
    match table.same_name {
        Some(Keep::First) => return NameRule::First,
        Some(Keep::Last) => return NameRule::Last,
        None => {}
    }
    let lifecycle = profiles::by_name(table.harness)
        .and_then(|profile| profile.lifecycle(&Host::new(Path::new("/"))).ok());
    match lifecycle.map(|lifecycle| lifecycle.options().same_name) {
        Some(SameName::Apart) => NameRule::Ambiguous,
        Some(SameName::NearestInProject) => NameRule::NearestInProject,
        None => NameRule::BothStay,
    }
}

fn listing(before: &View, after: &View, new: &View) -> Listing {
    let spent = |view: &View| if view.listing { view.catalog.spent } else { 0 };
    let is_new = |id: &SkillId| new.snapshot.get(id).is_some();
    let mut listing = Listing {
        budget: after.catalog.budget,
        before: spent(before),
        after: spent(after),
        displaced: Vec::new(),
        not_whole: Vec::new(),
    };
    for entry in after.catalog.entries.iter().filter(|_| after.listing) {
        let Some(chars_cut) = hidden_part(&entry.disposition) else { continue };
        let displaced = Displaced { name: entry.name.clone(), chars_cut };
        let earlier = before.catalog.entries.iter().find(|earlier| earlier.skill == entry.skill);
        if is_new(&entry.skill) {
            listing.not_whole.push(displaced);
        } else if earlier.is_some_and(|earlier| is_less(&entry.disposition, &earlier.disposition)) {
            listing.displaced.push(displaced);
        }
    }
    listing
}

/// Returns how much is not shown, in characters, or that nothing is; `None` for an entry that is whole.
#[expect(clippy::option_option, reason = "the inner one is a field's own meaning")]
fn hidden_part(disposition: &Disposition) -> Option<Option<usize>> {
    match disposition {
        Disposition::Full => None,
        Disposition::Shortened { chars_cut } | Disposition::NameOnly { chars_cut } => Some(Some(*chars_cut)),
        Disposition::Omitted { .. } => Some(None),
    }
}

fn is_less(after: &Disposition, before: &Disposition) -> bool {
    let cost = |disposition: &Disposition| match hidden_part(disposition) {
        None => (0, 0),
        Some(Some(cut)) => (1, cut),
        Some(None) => (2, 0),
    };
    cost(after) > cost(before)
}
