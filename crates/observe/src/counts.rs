//! The numbers of a funnel.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// How often each reason, by its stable name.
pub(crate) type Reasons = BTreeMap<String, usize>;

/// The numbers of a funnel. The names of the fields are stable; equations that hold between them are in
/// [`FunnelCounts::check`].
///
/// The upper part counts skills, each once, by how far it ever got towards the listing. The lower part counts requests:
/// a skill that is asked for in two turns is asked for twice, because each time its body is read and paid for anew.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FunnelCounts {
    /// Files that look like skills and could not be taken in, by diagnostic code. They are not discovered.
    pub rejected: BTreeMap<String, usize>,
    /// Skills that a source offered.
    pub discovered: usize,
    /// Discovered skills that a listing showed.
    pub listed: usize,
    /// Listed skills that were shown whole.
    pub listed_full: usize,
    /// Listed skills whose description was shortened.
    pub listed_shortened: usize,
    /// Listed skills of which nothing but the name was shown.
    pub listed_name_only: usize,
    /// Discovered skills that were left out of every listing, by reason.
    pub omitted: BTreeMap<String, usize>,
    /// Discovered skills that a rule kept out of every listing, by rule.
    pub hidden: BTreeMap<String, usize>,
    /// Discovered skills that no listing was made for.
    pub undecided: usize,
    /// Characters of descriptions that the last listing does not show.
    pub chars_cut: usize,

    /// Requests for a skill.
    pub asked: usize,
    /// Requests that led to no skill, by reason.
    pub unresolved: BTreeMap<String, usize>,
    /// Requests that led to one.
    pub resolved: usize,
    /// Resolved requests that a rule refused, by rule.
    pub denied: BTreeMap<String, usize>,
    /// Resolved requests whose body could not be handed over, by reason.
    pub failed: BTreeMap<String, usize>,
    /// Resolved requests of which nothing more is known.
    pub pending: usize,
    /// Resolved requests whose body was handed to the model.
    pub loaded: usize,
    /// The same by route, so that what a person chose and what the model chose can be told apart.
    pub loaded_by_route: BTreeMap<String, usize>,
    /// Bodies that were cut at a limit.
    pub bodies_cut: usize,
    /// Loaded, and everything that the skill needs is there.
    pub cleared: usize,
    /// Loaded, and an answer is waited for.
    pub waiting: usize,
    /// Loaded, and it may not be carried out, by reason.
    pub blocked: BTreeMap<String, usize>,
    /// Loaded, and nothing is known about what the skill needs.
    pub unchecked: usize,
    /// What became of dependencies: how often each of `missing`, `installed`, `failed`, `skipped`.
    pub dependencies: BTreeMap<String, usize>,
}

impl FunnelCounts {
    /// Checks that every skill and every request is counted where it stopped, and nowhere else.
    ///
    /// # Errors
    ///
    /// With the first equation that does not hold.
    pub fn check(&self) -> Result<(), String> {
        let parts = self.listed_full + self.listed_shortened + self.listed_name_only;
        equal(("listed", self.listed), "full + shortened + name-only", parts)?;
        let parts = self.listed + sum(&self.omitted) + sum(&self.hidden) + self.undecided;
        equal(("discovered", self.discovered), "listed + omitted + hidden + undecided", parts)?;
        let parts = self.resolved + sum(&self.unresolved);
        equal(("asked", self.asked), "resolved + unresolved", parts)?;
        let parts = self.loaded + sum(&self.denied) + sum(&self.failed) + self.pending;
        equal(("resolved", self.resolved), "loaded + denied + failed + pending", parts)?;
        let parts = sum(&self.loaded_by_route);
        equal(("loaded", self.loaded), "the sum over all routes", parts)?;
        let parts = self.cleared + self.waiting + sum(&self.blocked) + self.unchecked;
        equal(("loaded", self.loaded), "cleared + waiting + blocked + unchecked", parts)
    }

    /// Adds the numbers of another session, for example over a fleet.
    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in [
            (&mut self.rejected, &other.rejected),
            (&mut self.omitted, &other.omitted),
            (&mut self.hidden, &other.hidden),
            (&mut self.unresolved, &other.unresolved),
            (&mut self.denied, &other.denied),
            (&mut self.failed, &other.failed),
            (&mut self.loaded_by_route, &other.loaded_by_route),
            (&mut self.blocked, &other.blocked),
            (&mut self.dependencies, &other.dependencies),
        ] {
            for (reason, count) in theirs {
                *mine.entry(reason.clone()).or_default() += count;
            }
        }
        for (mine, theirs) in [
            (&mut self.discovered, other.discovered),
            (&mut self.listed, other.listed),
            (&mut self.listed_full, other.listed_full),
            (&mut self.listed_shortened, other.listed_shortened),
            (&mut self.listed_name_only, other.listed_name_only),
            (&mut self.undecided, other.undecided),
            (&mut self.chars_cut, other.chars_cut),
            (&mut self.asked, other.asked),
            (&mut self.resolved, other.resolved),
            (&mut self.pending, other.pending),
            (&mut self.loaded, other.loaded),
            (&mut self.bodies_cut, other.bodies_cut),
            (&mut self.cleared, other.cleared),
            (&mut self.waiting, other.waiting),
            (&mut self.unchecked, other.unchecked),
        ] {
            *mine += theirs;
        }
    }

    /// Returns the lines of the picture. Those of the main path are always shown, the others when something stopped
    /// there.
    fn rows(&self) -> Vec<Row> {
        let listed = [
            ("full", self.listed_full),
            ("shortened", self.listed_shortened),
            ("name-only", self.listed_name_only),
        ];
        let mut rows = vec![
            Row::main(0, "discovered", self.discovered, String::new()),
            Row::main(1, "listed", self.listed, joined(listed)),
            Row::reasons(1, "omitted", &self.omitted),
            Row::reasons(1, "hidden", &self.hidden),
            Row::side(1, "undecided", self.undecided),
            Row::main(0, "asked for", self.asked, String::new()),
            Row::reasons(1, "unresolved", &self.unresolved),
            Row::main(1, "resolved", self.resolved, String::new()),
            Row::reasons(2, "denied", &self.denied),
            Row::reasons(2, "failed", &self.failed),
            Row::side(2, "pending", self.pending),
            Row::main(2, "loaded", self.loaded, of(&self.loaded_by_route)),
            Row::reasons(3, "blocked", &self.blocked),
            Row::side(3, "waiting", self.waiting),
            Row::side(3, "unchecked", self.unchecked),
            Row::main(3, "cleared", self.cleared, String::new()),
            Row::reasons(0, "rejected", &self.rejected),
            Row::side(0, "bodies cut", self.bodies_cut),
            Row::side(0, "chars cut", self.chars_cut),
            Row::reasons(0, "dependencies", &self.dependencies),
        ];
        rows.retain(|row| row.main || row.count > 0);
        rows
    }
}

impl fmt::Display for FunnelCounts {
    /// Draws the funnel: what got through stands one step further in, and beside it where the others stopped and why.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.rows();
        let label = |row: &Row| format!("{:indent$}{}", "", row.label, indent = 2 * row.depth);
        let labels = rows.iter().map(|row| label(row).len()).max().unwrap_or_default();
        let counts = rows.iter().map(|row| row.count.to_string().len()).max().unwrap_or_default();
        for row in &rows {
            let line = format!("{:labels$}  {:>counts$}  {}", label(row), row.count, row.detail);
            writeln!(formatter, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

struct Row {
    main: bool,
    depth: usize,
    label: &'static str,
    count: usize,
    detail: String,
}

impl Row {
    fn main(depth: usize, label: &'static str, count: usize, detail: String) -> Self {
        Self { main: true, depth, label, count, detail }
    }

    fn side(depth: usize, label: &'static str, count: usize) -> Self {
        Self { main: false, depth, label, count, detail: String::new() }
    }

    fn reasons(depth: usize, label: &'static str, reasons: &Reasons) -> Self {
        Self { main: false, depth, label, count: sum(reasons), detail: of(reasons) }
    }
}

fn equal((what, count): (&str, usize), parts: &str, sum: usize) -> Result<(), String> {
    if count == sum { Ok(()) } else { Err(format!("{what} is {count}, but {parts} is {sum}")) }
}

fn sum(reasons: &Reasons) -> usize {
    reasons.values().sum()
}

fn of(reasons: &Reasons) -> String {
    joined(reasons.iter().map(|(reason, count)| (reason.as_str(), *count)))
}

fn joined<'a>(parts: impl IntoIterator<Item = (&'a str, usize)>) -> String {
    let parts: Vec<_> = parts
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(part, count)| format!("{part} {count}"))
        .collect();
    parts.join(", ")
}
