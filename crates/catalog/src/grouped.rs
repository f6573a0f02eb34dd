//! Groups of entries under headings, each description cut at one length.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;
use std::sync::Arc;

use lorimer_core::text::first_chars;
use lorimer_core::{Size, Skill, SkillId};

use crate::cataloger::{Catalog, CatalogRequest, Cataloger, Disposition, Entry, Section};
use crate::lines::{LineBreaks, breaks_line, broken};
use crate::purse::Purse;
use crate::report::Figures;

/// Lists skills under the groups that their source files them under ([`Skill::group`]), by group and then by name, both by
/// code point. A line is `    - name: description`, and `  group: what is said about it` is the heading.
///
/// A name is listed once in a group, and a root behind the first one adds no name that is listed already; what is not
/// listed for that is left out as `duplicate`. Descriptions lose blanks and quotation marks at their ends and are cut at one length. A
/// budget is spent from the beginning to the end, and what stands behind the first entry without room is left out.
///
/// ```
/// use std::sync::Arc;
/// use lorimer_catalog::{CatalogRequest, Cataloger, GroupedIndex};
/// use lorimer_core::{Budget, Group, Locator, Skill, SkillId, SourceId};
///
/// let id = SkillId::new(SourceId::new("host"), Locator::Path("/skills/drinks/tea/SKILL.md".into()));
/// let mut tea = Skill::new(id, "tea", "'Makes tea.'");
/// tea.group = Some(Group { name: "drinks".to_owned(), description: String::new() });
/// let skills = [Arc::new(tea)];
/// let request = CatalogRequest { skills: &skills, budget: Budget::UNBOUNDED, input: None };
/// let text = GroupedIndex::default().catalog(&request).text();
/// assert!(text.contains("\n  drinks:\n    - tea: Makes tea.\n"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupedIndex {
    /// Groups of which the names alone are shown, on one line; the part of a group's name before the first `/` counts.
    /// None by default.
    pub names_only: BTreeSet<String>,
    /// Characters of a description above which it is cut; three fewer and `...` are shown. 60 by default.
    pub cap: usize,
    /// What happens to line breaks.
    pub line_breaks: LineBreaks,
}

impl Default for GroupedIndex {
    fn default() -> Self {
        Self { names_only: BTreeSet::new(), cap: 60, line_breaks: LineBreaks::default() }
    }
}

const HEAD: &str = "\
## Skills (mandatory)
Skills are tested instructions for kinds of work that come up again. Look through the list below before you answer. When \
an entry fits the task, even in part, load it with skill_view and follow it; a load too many costs less than a step \
missed. When you find that a skill is wrong or out of date, mend it with skill_manage before you go on.

<available_skills>
";
const TAIL: &str = "\
</available_skills>

Go on without a skill only when none of these has to do with the task.";
const NAMES_ONLY_NOTE: &str =
    " Groups marked [names only] hold skills like any other; skill_view shows what one of them is for.";
/// A skill that its source files under no group stands here.
const NO_GROUP: &str = "general";
const ELLIPSIS: &str = "...";

/// Returns a text without white space, and then without quotation marks, at its ends.
fn bare(text: &str) -> &str {
    // The separators of ASCII are white space in Python, where this rule comes from.
    let blank = |character: char| character.is_whitespace() || matches!(character, '\u{1c}'..='\u{1f}');
    text.trim_matches(blank).trim_matches(['\'', '"'])
}

/// Skills by group and name.
type Groups<'a> = BTreeMap<&'a str, Vec<&'a Arc<Skill>>>;

/// Returns the skills by group and name, and those whose name is taken.
fn arrange(skills: &[Arc<Skill>]) -> (Groups<'_>, HashSet<&SkillId>) {
    let mut groups = Groups::new();
    let mut taken = HashSet::new();
    let (mut names, mut names_in_group) = (HashSet::new(), HashSet::new());
    let mut by_root: Vec<&Arc<Skill>> = skills.iter().collect();
    by_root.sort_by_key(|skill| skill.root.order);
    for skill in by_root {
        let group = skill.group.as_ref().map_or(NO_GROUP, |group| &group.name);
        let name = skill.call_name();
        if (skill.root.order > 0 && names.contains(name)) || !names_in_group.insert((group, name)) {
            taken.insert(&skill.id);
        }
        names.insert(name);
        groups.entry(group).or_default().push(skill);
    }
    for skills in groups.values_mut() {
        skills.sort_by(|left, right| left.call_name().cmp(right.call_name()));
    }
    (groups, taken)
}

/// One entry before it is paid for.
struct Draft<'a> {
    skill: &'a Arc<Skill>,
    name: String,
    description: String,
    /// Characters of the description that the format itself leaves out.
    cut: usize,
    names_only: bool,
}

impl GroupedIndex {
    fn draft<'a>(&self, skill: &'a Arc<Skill>, names_only: bool) -> Draft<'a> {
        let whole = self.line_breaks.apply(bare(&skill.description));
        let chars = whole.chars().count();
        let (description, cut) = if names_only {
            (String::new(), chars)
        } else if chars > self.cap {
            let kept = self.cap.saturating_sub(ELLIPSIS.len());
            (format!("{}{ELLIPSIS}", first_chars(&whole, kept)), chars - kept)
        } else {
            (whole.into_owned(), 0)
        };
        let name = self.line_breaks.apply(skill.call_name()).into_owned();
        Draft { skill, name, description, cut, names_only }
    }

    fn is_names_only(&self, group: &str) -> bool {
        self.names_only.contains(group.split('/').next().unwrap_or(group))
    }

    fn heading(&self, group: &str, skill: &Skill) -> String {
        let name = self.line_breaks.apply(group);
        if self.is_names_only(group) {
            return format!("  {name} [names only]:");
        }
        let said = skill.group.as_ref().map_or("", |group| bare(&group.description));
        let said = self.line_breaks.apply(said);
        if said.is_empty() { format!("  {name}:") } else { format!("  {name}: {said}") }
    }
}

impl Draft<'_> {
    fn line(&self, first: bool) -> String {
        let Self { name, description, .. } = self;
        match (self.names_only, description.is_empty()) {
            (true, _) if first => format!(" {name}"),
            (true, _) => format!(", {name}"),
            (false, true) => format!("    - {name}"),
            (false, false) => format!("    - {name}: {description}"),
        }
    }

    fn disposition(&self) -> Disposition {
        match self.cut {
            0 => Disposition::Full,
            chars_cut if self.names_only => Disposition::NameOnly { chars_cut },
            chars_cut => Disposition::Shortened { chars_cut },
        }
    }

    fn row(self, group: &str, cost: Option<usize>, taken: bool) -> Entry {
        let disposition = match cost {
            Some(_) => self.disposition(),
            None => Disposition::Omitted { reason: if taken { "duplicate" } else { "budget" }.into() },
        };
        Entry {
            skill: self.skill.id.clone(),
            name: self.name,
            description: if cost.is_some() { self.description } else { String::new() },
            locator: String::new(),
            group: Some(group.to_owned()),
            disposition,
            cost: cost.unwrap_or_default(),
        }
    }
}

impl Cataloger for GroupedIndex {
    fn catalog(&self, request: &CatalogRequest<'_>) -> Catalog {
        let (groups, taken) = arrange(request.skills);
        let mut catalog = Catalog { budget: request.budget, ..Catalog::default() };
        let mut figures = Figures { total: request.skills.len(), ..Figures::default() };
        let mut purse = Purse::new(request.budget);
        let mut body = String::new();
        let mut demoted = false;
        for (group, skills) in &groups {
            let names_only = self.is_names_only(group);
            let mut heading = skills.first().map(|skill| self.heading(group, skill));
            for skill in skills {
                let draft = self.draft(skill, names_only);
                let line = draft.line(heading.is_some());
                let is_taken = taken.contains(&skill.id);
                let size = |line: &str| Size::of(line).plus(Size::LINE_FEED);
                let paid = if is_taken { None } else { purse.pay(heading.as_deref().map(size), size(&line)) };
                if paid.is_some() {
                    figures.included += 1;
                    figures.capped += usize::from(draft.cut > 0 && !names_only);
                    demoted |= names_only;
                    if let Some(heading) = heading.take() {
                        body.push_str(&heading);
                        body.push_str(if names_only { "" } else { "\n" });
                    }
                    let _ = write!(body, "{line}{}", if names_only { "" } else { "\n" });
                    if breaks_line(&draft.name) || breaks_line(&draft.description) {
                        catalog.notices.push(broken(skill));
                    }
                } else if !is_taken {
                    figures.omitted += 1;
                    figures.cut_descriptions += usize::from(!skill.description.is_empty());
                    figures.cut_chars += skill.description.chars().count();
                }
                catalog.entries.push(draft.row(group, paid, is_taken));
            }
            if names_only && heading.is_none() {
                body.push('\n');
            }
        }
        let note = if demoted { NAMES_ONLY_NOTE } else { "" };
        let text = (figures.included > 0).then(|| format!("{HEAD}{body}{TAIL}{note}"));
        catalog.sections.push(Section { figures, ..Section::new("skills", text) });
        catalog.spent = purse.spent();
        catalog.notices.extend(figures.notices(request.budget));
        catalog
    }
}
