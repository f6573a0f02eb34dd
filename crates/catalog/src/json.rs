//! A listing that a tool returns: one JSON object.

use std::collections::HashSet;
use std::sync::Arc;

use lorimer_core::text::first_chars;
use lorimer_core::{Size, Skill};
use serde_json::{Value, json};

use crate::cataloger::{Catalog, CatalogRequest, Cataloger, Disposition, Entry, Section};
use crate::purse::Purse;
use crate::report::Figures;

/// Lists skills as one JSON object: `skills`, each with `name`, `description` and `category`, the `categories` that there
/// are, and their `count`. Skills stand by their group, those without one first, and then by name, by code point.
///
/// Of several skills of one name the first of the snapshot is listed. A description that is no text in the frontmatter
/// stays what it is. What JSON cannot hold as it stands is escaped, so no text leaves its element. A budget is spent from
/// the beginning to the end.
///
/// ```
/// use std::sync::Arc;
/// use lorimer_catalog::{CatalogRequest, Cataloger, JsonIndex};
/// use lorimer_core::{Budget, Locator, Skill, SkillId, SourceId};
///
/// let id = SkillId::new(SourceId::new("host"), Locator::Path("/skills/tea/SKILL.md".into()));
/// let skills = [Arc::new(Skill::new(id, "tea", "Makes tea."))];
/// let request = CatalogRequest { skills: &skills, budget: Budget::UNBOUNDED, input: None };
/// let text = JsonIndex::default().catalog(&request).text();
/// let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
/// assert_eq!(answer["skills"][0]["name"], "tea");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonIndex {
    /// The one group that is listed; what stands in others is left out as `other-group`. `None` by default: all are.
    pub only: Option<String>,
    /// Characters of a name that are shown. 64 by default.
    pub name_cap: usize,
    /// Characters of a description above which it is cut; three fewer and `...` are shown. 1,024 by default.
    pub cap: usize,
}

impl Default for JsonIndex {
    fn default() -> Self {
        Self { only: None, name_cap: 64, cap: 1_024 }
    }
}

const HINT: &str = "skill_view(name) shows a skill whole.";
const NONE: &str = "There are no skills.";
const ELLIPSIS: &str = "...";

impl JsonIndex {
    /// Returns a description as it is shown, and how many of its characters are not.
    fn description(&self, skill: &Skill) -> (Value, usize) {
        if let Some(value @ (Value::Array(_) | Value::Object(_))) = skill.frontmatter.get("description") {
            return (value.clone(), 0);
        }
        let text = &skill.description;
        let chars = text.chars().count();
        if chars <= self.cap {
            return (Value::from(text.as_str()), 0);
        }
        let kept = self.cap.saturating_sub(ELLIPSIS.len());
        (Value::from(format!("{}{ELLIPSIS}", first_chars(text, kept))), chars - kept)
    }
}

fn group(skill: &Skill) -> Option<&str> {
    skill.group.as_ref().map(|group| group.name.as_str())
}

impl Cataloger for JsonIndex {
    fn catalog(&self, request: &CatalogRequest<'_>) -> Catalog {
        let mut names = HashSet::new();
        let shown_name = |skill: &Skill| first_chars(skill.call_name(), self.name_cap).to_owned();
        let mut rows: Vec<(String, bool, &Arc<Skill>)> = request
            .skills
            .iter()
            .map(|skill| (shown_name(skill), !names.insert(shown_name(skill)), skill))
            .collect();
        rows.sort_by(|(left_name, _, left), (right_name, _, right)| {
            let group = |skill| group(skill).unwrap_or_default();
            (group(left), left_name).cmp(&(group(right), right_name))
        });
        let mut catalog = Catalog { budget: request.budget, ..Catalog::default() };
        let mut figures = Figures { total: request.skills.len(), ..Figures::default() };
        let mut purse = Purse::new(request.budget);
        let (mut skills, mut categories) = (Vec::new(), Vec::new());
        for (name, taken, skill) in rows {
            let (description, chars_cut) = self.description(skill);
            let element = json!({"name": name, "description": description, "category": group(skill)});
            let size = Size::of(&element.to_string()).plus(Size::ascii(1));
            let other = self.only.as_deref().is_some_and(|only| group(skill) != Some(only));
            let reason = match (taken, other) {
                (true, _) => "duplicate",
                (_, true) => "other-group",
                _ => "budget",
            };
            let paid = if reason == "budget" { purse.pay(None, size) } else { None };
            let shown = description.as_str().map_or_else(|| description.to_string(), str::to_owned);
            if paid.is_some() {
                figures.included += 1;
                figures.capped += usize::from(chars_cut > 0);
                if let Some(group) = group(skill)
                    && categories.last() != Some(&group)
                {
                    categories.push(group);
                }
                skills.push(element);
            } else if reason == "budget" {
                figures.omitted += 1;
                figures.cut_descriptions += usize::from(!skill.description.is_empty());
                figures.cut_chars += skill.description.chars().count();
            }
            let disposition = match (paid, chars_cut) {
                (None, _) => Disposition::Omitted { reason: reason.into() },
                (Some(_), 0) => Disposition::Full,
                (Some(_), chars_cut) => Disposition::Shortened { chars_cut },
            };
            catalog.entries.push(Entry {
                skill: skill.id.clone(),
                name,
                description: if paid.is_some() { shown } else { String::new() },
                locator: String::new(),
                group: group(skill).map(str::to_owned),
                disposition,
                cost: paid.unwrap_or_default(),
            });
        }
        let answer = if skills.is_empty() {
            json!({"success": true, "skills": skills, "categories": categories, "message": NONE})
        } else {
            let count = skills.len();
            json!({
                "success": true,
                "skills": skills,
                "categories": categories,
                "count": count,
                "hint": HINT,
            })
        };
        catalog.sections.push(Section { figures, ..Section::new("skills", Some(answer.to_string())) });
        catalog.spent = purse.spent();
        catalog.notices.extend(figures.notices(request.budget));
        catalog
    }
}
