//! Compact, then a prefix: every skill is named before any is described, and described alike before any is left out.

use std::borrow::Cow;
use std::sync::Arc;

use lorimer_core::text::{escape_markup, fold_script_whitespace};
use lorimer_core::{Budget, Code, Diagnostic, Severity, Size, Skill, Unit};

use crate::cataloger::{Catalog, CatalogRequest, Cataloger, Disposition, Entry, Section};
use crate::elements::{Detail, Fields};
use crate::order::Order;
use crate::report::Figures;
use crate::script_text::{cut, trimmed};
use crate::shown_paths::ShownPaths;

/// Descriptions in the compact form have at most so many UTF-16 units, and at least [`LEAST_CAP`].
const MOST_CAP: usize = 220;
/// A description that would be shorter says nothing.
const LEAST_CAP: usize = 4;
/// A squeeze for a small window leaves descriptions this long.
const LEAST_SQUEEZED: usize = 64;

/// Lists skills as elements under a budget and a number of entries (OpenClaw 2026.9.6, sections 2.5 and 2.6 of its
/// notes).
///
/// 1. Everything with its whole description, if that fits.
/// 2. Otherwise as many as fit by name and place alone, first to last. A line in front says how many that are.
/// 3. If these have room for descriptions of 4 units, all get the same longest cap that fits, up to 220; otherwise none
///    has one.
/// 4. If nothing fits beside that line, it is dropped; if even the rest does not fit, there is no listing.
///
/// Costs are measured after escaping, cuts are made before. [`Catalog::spent`] counts two line feeds in front of the
/// listing as the program does, though nothing is sent for them; the text never costs more.
#[derive(Debug)]
pub struct CompactThenPrefix {
    order: Box<dyn Order>,
    /// Entries that are shown at most. 150 by default.
    pub most_entries: usize,
    /// What the finished listing is squeezed to, in UTF-16 units, by cutting its descriptions to no less than 64;
    /// names and places stay, so it may end up larger. `None`, the default, does not squeeze.
    pub squeeze: Option<usize>,
    /// How locations are shown.
    pub paths: ShownPaths,
}

impl CompactThenPrefix {
    /// Returns the cataloger with this order.
    pub fn new(order: impl Order + 'static) -> Self {
        Self { order: Box::new(order), most_entries: 150, squeeze: None, paths: ShownPaths::default() }
    }
}

impl Cataloger for CompactThenPrefix {
    fn catalog(&self, request: &CatalogRequest<'_>) -> Catalog {
        let mut skills = request.skills.to_vec();
        self.order.arrange(&mut skills);
        let rows: Vec<Row> = skills.iter().map(|skill| Row::new(skill, &self.paths)).collect();
        let input = Input { rows: &rows, budget: request.budget };
        let mut plan = input.plan(self.most_entries);
        if let Some(target) = self.squeeze {
            input.squeeze(&mut plan, target);
        }
        input.write(&skills, &plan, self)
    }
}

/// What the listing says of one skill.
struct Row {
    name: String,
    location: String,
    /// The description as it is, its ends trimmed, escaped.
    whole: String,
    /// The same on one line, not escaped.
    folded: String,
    /// The sizes of name and location together, and of the whole description.
    names: Size,
    described: Size,
}

impl Row {
    fn new(skill: &Skill, paths: &ShownPaths) -> Self {
        let (name, location) =
            (escape_markup(skill.call_name()).into_owned(), escape_markup(&paths.of(skill)).into_owned());
        let whole = escape_markup(trimmed(&skill.description)).into_owned();
        let (names, described) = (Size::of(&name).plus(Size::of(&location)), Size::of(&whole));
        Self {
            name,
            location,
            whole,
            folded: fold_script_whitespace(&skill.description).into_owned(),
            names,
            described,
        }
    }

    /// Returns the description, escaped, and how many characters of the folded one it shows.
    fn description(&self, form: Form) -> (Cow<'_, str>, usize) {
        let all = self.folded.chars().count();
        match form {
            Form { detail: Detail::Names, .. } => (Cow::Borrowed(""), 0),
            Form { detail: Detail::Whole, cap: None } => (Cow::Borrowed(&self.whole), all),
            Form { cap, .. } => {
                let (text, kept) = cut(&self.folded, cap.unwrap_or(MOST_CAP));
                (Cow::Owned(escape_markup(&text).into_owned()), kept)
            }
        }
    }

    fn size(&self, form: Form) -> Size {
        let description = match form {
            Form { detail: Detail::Whole, cap: None } => self.described,
            _ => Size::of(&self.description(form).0),
        };
        let described = description != Size::default();
        Fields::tags(described).plus(self.names).plus(description)
    }
}

/// How the entries of a listing look.
#[derive(Clone, Copy, Debug)]
struct Form {
    detail: Detail,
    /// UTF-16 units of a description at most.
    cap: Option<usize>,
}

impl Form {
    const WHOLE: Self = Self { detail: Detail::Whole, cap: None };
    const NAMES: Self = Self { detail: Detail::Names, cap: None };

    fn cut(cap: usize) -> Self {
        Self { detail: Detail::Cut, cap: Some(cap) }
    }
}

/// Which entries a listing shows, and how.
struct Plan {
    shown: usize,
    form: Form,
    notice: bool,
    /// Whether there is a listing at all.
    fits: bool,
}

struct Input<'a> {
    rows: &'a [Row],
    budget: Budget,
}

impl Input<'_> {
    fn plan(&self, most_entries: usize) -> Plan {
        let first = self.rows.len().min(most_entries);
        let plan = |shown, form, notice| Plan { shown, form, notice, fits: self.fits(shown, form, notice) };
        let whole = plan(first, Form::WHOLE, true);
        if whole.fits {
            return whole;
        }
        let mut shown = self.prefix(first, true);
        if shown == 0 && first > 0 {
            let without = plan(first, Form::WHOLE, false);
            if without.fits {
                return without;
            }
            shown = self.prefix(first, false);
        }
        let notice = self.fits(shown, Form::NAMES, true);
        let form = if shown > 0 && self.fits(shown, Form::cut(LEAST_CAP), notice) {
            let fits = |cap: &usize| self.fits(shown, Form::cut(*cap), notice);
            Form::cut(last(LEAST_CAP, MOST_CAP, fits))
        } else {
            Form::NAMES
        };
        plan(shown, form, notice)
    }

    /// Returns the most entries, from the first on, whose names fit.
    fn prefix(&self, most: usize, notice: bool) -> usize {
        let fits = |shown: &usize| self.fits(*shown, Form::NAMES, notice);
        if most == 0 || !fits(&1) { 0 } else { last(1, most, fits) }
    }

    fn fits(&self, shown: usize, form: Form, notice: bool) -> bool {
        self.budget.allows(self.cost(self.size(shown, form, notice), shown))
    }

    fn cost(&self, size: Size, shown: usize) -> usize {
        if self.budget.unit == Unit::Entries { shown } else { size.cost(self.budget.unit) }
    }

    /// Returns the size of the listing as the program measures it, two line feeds in front of it included.
    fn size(&self, shown: usize, form: Form, notice: bool) -> Size {
        let notice = self.notice(shown, form, notice).map(|text| Size::of(&text));
        if shown == 0 {
            return notice.unwrap_or_default();
        }
        let frame =
            form.detail.frame().plus(notice.map_or(Size::default(), |size| size.plus(Size::LINE_FEED)));
        self.rows.iter().take(shown).fold(frame, |sum, row| sum.plus(row.size(form)))
    }

    fn notice(&self, shown: usize, form: Form, wanted: bool) -> Option<String> {
        form.detail.notice(shown, self.rows.len()).filter(|_| wanted)
    }

    /// Cuts the descriptions of a finished listing, if that makes it shorter.
    fn squeeze(&self, plan: &mut Plan, target: usize) {
        if !plan.fits || plan.shown == 0 || plan.form.detail == Detail::Names {
            return;
        }
        let with = |cap: usize| {
            let cap = plan.form.cap.map_or(cap, |before| before.min(cap));
            Form { cap: Some(cap), ..plan.form }
        };
        let length = |form: Form| {
            let size = self.size(plan.shown, form, plan.notice).utf16;
            // Without a notice the line feeds in front are trimmed away.
            if self.notice(plan.shown, form, plan.notice).is_some() { size } else { size.saturating_sub(2) }
        };
        let before = length(plan.form);
        if before <= target {
            return;
        }
        let fits = |cap: &usize| length(with(*cap)) <= target;
        let cap = if fits(&LEAST_SQUEEZED) { last(LEAST_SQUEEZED, MOST_CAP, fits) } else { LEAST_SQUEEZED };
        if length(with(cap)) < before {
            plan.form = with(cap);
        }
    }

    fn write(&self, skills: &[Arc<Skill>], plan: &Plan, by: &CompactThenPrefix) -> Catalog {
        let mut catalog = Catalog { budget: self.budget, ..Catalog::default() };
        let shown = if plan.fits { plan.shown } else { 0 };
        let mut elements = Vec::with_capacity(shown);
        let (mut cut_descriptions, mut cut_chars) = (0, 0);
        for (index, (skill, row)) in skills.iter().zip(self.rows).enumerate() {
            if index >= shown {
                cut_chars += row.folded.chars().count();
                let reason = Cow::Borrowed(if index >= by.most_entries { "most-entries" } else { "budget" });
                catalog.entries.push(Entry {
                    description: String::new(),
                    disposition: Disposition::Omitted { reason },
                    ..Entry::whole(skill)
                });
                continue;
            }
            let (description, kept) = row.description(plan.form);
            let chars_cut = row.folded.chars().count() - kept;
            cut_descriptions += usize::from(chars_cut > 0);
            cut_chars += chars_cut;
            let fields = Fields { name: &row.name, description: &description, location: &row.location };
            let element = fields.element();
            catalog.entries.push(Entry {
                name: row.name.clone(),
                description: description.clone().into_owned(),
                locator: row.location.clone(),
                disposition: match chars_cut {
                    0 => Disposition::Full,
                    _ if kept == 0 => Disposition::NameOnly { chars_cut },
                    _ => Disposition::Shortened { chars_cut },
                },
                cost: self.cost(Size::of(&element), 1),
                ..Entry::whole(skill)
            });
            elements.push(element);
        }
        let notice = self.notice(shown, plan.form, plan.notice && plan.fits);
        if plan.fits {
            let mut size = self.size(shown, plan.form, plan.notice);
            // With a window that is known the program sends the text without white space around it.
            if by.squeeze.is_some() && shown > 0 && notice.is_none() {
                size = size.minus(Size::ascii(2));
            }
            catalog.spent = self.cost(size, shown);
        }
        let listing = (shown > 0).then(|| plan.form.detail.listing(&elements));
        let text: Vec<String> = notice.clone().into_iter().chain(listing).collect();
        let text = (!text.is_empty()).then(|| text.join("\n"));
        let figures = Figures {
            total: self.rows.len(),
            included: shown,
            omitted: self.rows.len() - shown,
            cut_descriptions,
            cut_chars,
            ..Figures::default()
        };
        catalog.sections.push(Section { figures, ..Section::new("skills", text) });
        let told = notice.is_some() && plan.form.detail != Detail::Whole;
        catalog.notices = self.notices(shown, cut_descriptions, told, by);
        catalog
    }

    /// Returns what a person may want to know. What the listing itself says to the model is a warning.
    fn notices(&self, shown: usize, cut: usize, told: bool, by: &CompactThenPrefix) -> Vec<Diagnostic> {
        let mut notices = Vec::new();
        let total = self.rows.len();
        if shown < total {
            let left_out = total - shown;
            let why = if shown == by.most_entries {
                format!("because it shows no more than {shown}")
            } else {
                format!("because its budget of {} is spent", self.budget)
            };
            let skills = if left_out == 1 { "skill is" } else { "skills are" };
            let message =
                format!("{left_out} {skills} left out of the listing ({shown} of {total} shown), {why}");
            notices.push(Diagnostic::new(Code::EntryOmitted, message).with_help(
                "disable skills that are not needed here, or raise the limit; `$name` still refers to one that is left out",
            ));
        }
        if cut > 0 || told {
            let message = match cut {
                0 => "no description is short enough for the listing".to_owned(),
                1 => "1 description is shortened or left out to make the listing fit".to_owned(),
                _ => format!("{cut} descriptions are shortened or left out to make the listing fit"),
            };
            let mut notice = Diagnostic::new(Code::DescriptionShortened, message)
                .with_help("say in the first words of a description when to use the skill");
            if !told {
                notice.severity = Severity::Note;
            }
            notices.push(notice);
        }
        notices
    }
}

/// Returns the last number of a range that passes, where the first does and none behind a failing one.
fn last(first: usize, last: usize, passes: impl Fn(&usize) -> bool) -> usize {
    let (mut low, mut high) = (first, last);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if passes(&middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}
