//! How far skills and requests got.

use std::sync::{Mutex, MutexGuard, PoisonError};

use indexmap::IndexMap;
use lorimer_core::{Code, Event, Route, SkillId};

use crate::counts::Reasons;
use crate::{FunnelCounts, Observer};

/// A fold over events: how far each skill got towards the listing, and what became of each request for one (S3-53).
///
/// Every skill and every request is kept in exactly one state, and the numbers are made by grouping, so they add up
/// whatever the events are. An event whose beginning was missed counts as if it had been seen: a body that was handed
/// over was asked for, and a skill that is listed was discovered.
///
/// ```
/// use lorimer_core::{Event, Locator, SkillId, SourceId};
/// use lorimer_observe::Funnel;
///
/// let skill = SkillId::new(SourceId::new("host"), Locator::Path("/tea/SKILL.md".into()));
/// let events = [Event::EntryListed { skill: skill.clone() }, Event::SkillCleared { skill }];
/// let counts = Funnel::from_iter(&events).counts();
/// assert_eq!((counts.discovered, counts.listed, counts.loaded, counts.cleared), (1, 1, 1, 1));
/// assert_eq!(counts.check(), Ok(()));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Funnel {
    skills: IndexMap<SkillId, Listing>,
    requests: IndexMap<SkillId, Vec<Request>>,
    unresolved: Reasons,
    rejected: IndexMap<SkillId, Code>,
    chars_cut: usize,
    bodies_cut: usize,
    dependencies: Reasons,
}

/// How far a skill ever got, nearest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Listing {
    #[default]
    Undecided,
    Hidden(String),
    Omitted(String),
    NameOnly,
    Shortened,
    Full,
}

impl Listing {
    fn rank(&self) -> u8 {
        match self {
            Self::Undecided => 0,
            Self::Hidden(_) => 1,
            Self::Omitted(_) => 2,
            Self::NameOnly => 3,
            Self::Shortened => 4,
            Self::Full => 5,
        }
    }
}

/// One request for a skill that was found. The route is not known when its beginning was missed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Request {
    route: Option<Route>,
    stage: Stage,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Stage {
    Pending,
    Denied(String),
    Failed(String),
    Loaded(Use),
}

/// Whether a loaded skill may be carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Use {
    Unchecked,
    Waiting,
    Blocked(String),
    Cleared,
}

impl Funnel {
    /// Returns a funnel that has seen nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in one event. Events that say nothing about how far something got are passed over.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::SkillDiscovered { skill, .. } => {
                self.rejected.shift_remove(skill);
                self.list(skill, Listing::Undecided);
            }
            Event::SkillRejected { source, locator, code } => {
                self.rejected.insert(SkillId::new(source.clone(), locator.clone()), *code);
            }
            Event::CatalogRendered { chars_cut, .. } => self.chars_cut = *chars_cut,
            Event::EntryListed { skill } => self.list(skill, Listing::Full),
            Event::EntryShortened { skill, name_only: true, .. } => self.list(skill, Listing::NameOnly),
            Event::EntryShortened { skill, .. } => self.list(skill, Listing::Shortened),
            Event::EntryOmitted { skill, reason } => self.list(skill, Listing::Omitted(reason.clone())),
            Event::SkillDenied { skill, route: Route::Listing, reason } => {
                self.list(skill, Listing::Hidden(reason.clone()));
            }
            Event::MentionResolved { skill, route } => {
                let request = Request { route: Some(*route), stage: Stage::Pending };
                self.requests.entry(skill.clone()).or_default().push(request);
            }
            Event::MentionUnresolved { reason, .. } => count(&mut self.unresolved, reason),
            Event::SkillDenied { skill, route, reason } => {
                self.answer(skill, *route, Stage::Denied(reason.clone()));
            }
            Event::SkillInjected { skill, route, .. } => {
                self.answer(skill, *route, Stage::Loaded(Use::Unchecked));
            }
            Event::SkillInjectionFailed { skill, route, reason } => {
                self.answer(skill, *route, Stage::Failed(reason.clone()));
            }
            Event::BodyCut { .. } => self.bodies_cut += 1,
            Event::SkillCleared { skill } => self.settle(skill, Use::Cleared),
            Event::SkillBlocked { skill, reason } => self.settle(skill, Use::Blocked(reason.clone())),
            Event::SkillWaiting { skill, .. } => self.settle(skill, Use::Waiting),
            Event::DependencyMissing { .. } => count(&mut self.dependencies, "missing"),
            Event::DependencyInstalled { .. } => count(&mut self.dependencies, "installed"),
            Event::DependencyFailed { .. } => count(&mut self.dependencies, "failed"),
            Event::DependencySkipped { .. } => count(&mut self.dependencies, "skipped"),
            _ => {}
        }
    }

    /// Returns the numbers.
    pub fn counts(&self) -> FunnelCounts {
        let mut counts = FunnelCounts {
            discovered: self.skills.len(),
            chars_cut: self.chars_cut,
            bodies_cut: self.bodies_cut,
            unresolved: self.unresolved.clone(),
            resolved: self.requests.values().map(Vec::len).sum(),
            dependencies: self.dependencies.clone(),
            ..FunnelCounts::default()
        };
        counts.asked = counts.resolved + self.unresolved.values().sum::<usize>();
        for code in self.rejected.values() {
            count(&mut counts.rejected, code.as_str());
        }
        for listing in self.skills.values() {
            match listing {
                Listing::Undecided => counts.undecided += 1,
                Listing::Hidden(rule) => count(&mut counts.hidden, rule),
                Listing::Omitted(reason) => count(&mut counts.omitted, reason),
                Listing::NameOnly => counts.listed_name_only += 1,
                Listing::Shortened => counts.listed_shortened += 1,
                Listing::Full => counts.listed_full += 1,
            }
            if listing.rank() >= Listing::NameOnly.rank() {
                counts.listed += 1;
            }
        }
        for request in self.requests.values().flatten() {
            match &request.stage {
                Stage::Pending => counts.pending += 1,
                Stage::Denied(rule) => count(&mut counts.denied, rule),
                Stage::Failed(reason) => count(&mut counts.failed, reason),
                Stage::Loaded(usable) => {
                    counts.loaded += 1;
                    count(&mut counts.loaded_by_route, request.route.map_or("unknown", Route::as_str));
                    match usable {
                        Use::Unchecked => counts.unchecked += 1,
                        Use::Waiting => counts.waiting += 1,
                        Use::Blocked(reason) => count(&mut counts.blocked, reason),
                        Use::Cleared => counts.cleared += 1,
                    }
                }
            }
        }
        counts
    }

    /// Moves a skill on; it never goes back, because what a model has seen once it has seen.
    fn list(&mut self, skill: &SkillId, listing: Listing) {
        let kept = self.skills.entry(skill.clone()).or_default();
        if listing.rank() >= kept.rank() {
            *kept = listing;
        }
    }

    /// Ends the oldest request for the skill that nothing is known of, best one by the same route.
    fn answer(&mut self, skill: &SkillId, route: Route, stage: Stage) {
        let requests = self.requests.entry(skill.clone()).or_default();
        let is_open = |request: &Request| request.stage == Stage::Pending;
        let place = requests
            .iter()
            .position(|request| is_open(request) && request.route == Some(route))
            .or_else(|| requests.iter().position(is_open));
        match place.and_then(|place| requests.get_mut(place)) {
            Some(request) => request.stage = stage,
            None => requests.push(Request { route: Some(route), stage }),
        }
    }

    /// Says whether a loaded skill may be carried out: of several loads the oldest that was not checked, then the
    /// oldest that waits, then the last one, because an answer may come late and be followed by another.
    fn settle(&mut self, skill: &SkillId, usable: Use) {
        let requests = self.requests.entry(skill.clone()).or_default();
        let with =
            |wanted: Use| requests.iter().position(|request| request.stage == Stage::Loaded(wanted.clone()));
        let place = with(Use::Unchecked)
            .or_else(|| with(Use::Waiting))
            .or_else(|| requests.iter().rposition(|request| matches!(request.stage, Stage::Loaded(_))));
        let stage = Stage::Loaded(usable);
        match place.and_then(|place| requests.get_mut(place)) {
            Some(request) => request.stage = stage,
            None => requests.push(Request { route: None, stage }),
        }
    }
}

impl<'a> Extend<&'a Event> for Funnel {
    fn extend<I: IntoIterator<Item = &'a Event>>(&mut self, events: I) {
        for event in events {
            self.apply(event);
        }
    }
}

impl<'a> FromIterator<&'a Event> for Funnel {
    fn from_iter<I: IntoIterator<Item = &'a Event>>(events: I) -> Self {
        let mut funnel = Self::default();
        funnel.extend(events);
        funnel
    }
}

/// A funnel that is told every event and can be asked at any time.
#[derive(Debug, Default)]
pub struct LiveFunnel(Mutex<Funnel>);

impl LiveFunnel {
    /// Returns a funnel that has seen nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the numbers so far.
    pub fn counts(&self) -> FunnelCounts {
        self.lock().counts()
    }

    /// Returns the funnel as it is now.
    pub fn funnel(&self) -> Funnel {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Funnel> {
        // Whatever a fold has got to, its numbers add up.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for LiveFunnel {
    fn observe(&self, event: &Event) {
        self.lock().apply(event);
    }
}

fn count(reasons: &mut Reasons, reason: &str) {
    match reasons.get_mut(reason) {
        Some(count) => *count += 1,
        None => {
            reasons.insert(reason.to_owned(), 1);
        }
    }
}
