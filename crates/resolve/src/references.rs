//! References: `$name` anywhere, or a command at the beginning.

use std::ops::Range;

use lorimer_core::{Refusal, Route, Skill, SkillId, Snapshot};

use crate::Refusals;
use crate::commands::{Command, commands};
use crate::resolver::{Reason, Resolution, ResolveRequest, Resolver, Selected, Unresolved};
use crate::similar::Suggestions;

/// Finds skills by `$name` in a text, and by `/command` or `/skill NAME` at its beginning (OpenClaw 2026.9.6, sections 3
/// and 4 of its notes).
///
/// A name means the first skill of the snapshot whose own name or command is equal to it, case and the difference
/// between white space, `_` and `-` aside. A text that begins with a slash has no other references. `$NAME` without a
/// small letter, and one behind a backslash, is none.
///
/// What a message may refer to is limited; beyond that, none of it is chosen.
#[derive(Clone, Debug)]
pub struct CommandReferences {
    /// Names that belong to other commands.
    pub reserved: &'static [&'static str],
    /// Skills of one message at most. 8 by default.
    pub most: usize,
    /// Characters at most, in UTF-16 units, of the line that names a skill to the model. 512 by default.
    pub most_line: usize,
    /// Characters at most of all these lines and the text around them. 1,000 by default.
    pub most_lines: usize,
}

impl Default for CommandReferences {
    fn default() -> Self {
        Self { reserved: &[], most: 8, most_line: 512, most_lines: 1_000 }
    }
}

/// Characters of the program's text around its lines.
const AROUND_LINES: usize = 122;

impl CommandReferences {
    /// Returns the resolver in a program with these other commands.
    pub fn with_reserved(reserved: &'static [&'static str]) -> Self {
        Self { reserved, ..Self::default() }
    }

    /// Returns why the model cannot be told of so many skills.
    fn beyond_limits(&self, skills: &[&Skill]) -> Option<Refusal> {
        let refused = |rule: &str, help: String| Some(Refusal::new(rule).with_help(help));
        if skills.len() > self.most {
            let help = format!("A message may refer to {} skills at most.", self.most);
            return refused("too-many-references", help);
        }
        let lines: Vec<usize> = skills.iter().map(|skill| line(skill)).collect();
        if lines.iter().any(|line| *line > self.most_line) {
            let help = format!("The line for each skill may have {} characters at most.", self.most_line);
            return refused("reference-too-long", help);
        }
        let all = lines.iter().fold(AROUND_LINES, |sum, line| sum.saturating_add(line + 1));
        if !skills.is_empty() && all > self.most_lines {
            let help = format!("All references may have {} characters at most.", self.most_lines);
            return refused("references-too-long", help);
        }
        None
    }
}

/// Returns the UTF-16 units of the line that names a skill, with its file where no listing shows it.
fn line(skill: &Skill) -> usize {
    let units = |text: &str| text.encode_utf16().count();
    let file =
        if skill.policy.implicit { 0 } else { " (SKILL.md: )".len() + units(&skill.id.locator.shown()) };
    "- ".len() + units(skill.call_name()) + file
}

impl Resolver for CommandReferences {
    fn resolve(&self, snapshot: &Snapshot, request: &ResolveRequest<'_>) -> Resolution {
        let mut search = Search {
            snapshot,
            refused: request.refused,
            commands: self.commands(snapshot, request.refused),
            suggestions: Suggestions::new(snapshot, request.refused),
            resolution: Resolution::default(),
        };
        search.structured(request);
        for (index, text) in request.texts.iter().enumerate() {
            search.text(index, text);
        }
        let of_texts: Vec<&Skill> = search
            .resolution
            .selected
            .iter()
            .filter(|selected| selected.place.is_some())
            .filter_map(|selected| snapshot.get(&selected.skill).map(|skill| &**skill))
            .collect();
        if let Some(refusal) = self.beyond_limits(&of_texts) {
            let candidates = of_texts.iter().map(|skill| skill.id.clone()).collect();
            let mention = of_texts.iter().map(|skill| skill.call_name()).collect::<Vec<_>>().join(", ");
            search.resolution.selected.retain(|selected| selected.place.is_none());
            let reason = Reason::Refused(refusal);
            search.resolution.unresolved.push(Unresolved {
                mention,
                route: Route::Mention,
                reason,
                candidates,
            });
        }
        search.call(request);
        search.resolution
    }

    fn commands(&self, snapshot: &Snapshot, refused: &Refusals) -> Vec<Command> {
        let usable = snapshot.skills().filter(|skill| is_usable(refused, skill, Route::Mention));
        commands(usable.map(|skill| &**skill), self.reserved)
    }
}

fn is_usable(refused: &Refusals, skill: &Skill, route: Route) -> bool {
    // Whoever asks on a person's behalf may have asked for one of their routes only.
    let by_person = [Route::Mention, Route::Command];
    let routes = if by_person.contains(&route) { &by_person[..] } else { std::slice::from_ref(&route) };
    routes.iter().all(|route| refused.get(&skill.id, *route).is_none())
}

struct Search<'a> {
    snapshot: &'a Snapshot,
    refused: &'a Refusals,
    commands: Vec<Command>,
    suggestions: Suggestions<'a>,
    resolution: Resolution,
}

impl Search<'_> {
    fn structured(&mut self, request: &ResolveRequest<'_>) {
        for item in request.structured {
            let is_meant = |skill: &&std::sync::Arc<Skill>| {
                skill.id.to_string() == item.locator
                    || skill.id.locator.shown() == item.locator
                    || skill.paths().any(|path| path.to_str() == Some(&item.locator))
            };
            let found = self.snapshot.skills().find(is_meant).map(|skill| skill.id.clone());
            let mention = format!("[${}]({})", item.name, item.locator);
            self.choose(found.as_ref(), mention, &item.name, Route::Structured, None);
        }
    }

    fn text(&mut self, index: usize, text: &str) {
        let body = text.trim_start();
        let Some(rest) = body.strip_prefix('/') else {
            for (name, place) in references(text) {
                let found = self.find(name);
                let mention = text.get(place.clone()).unwrap_or_default().to_owned();
                self.choose(found.as_ref(), mention, name, Route::Mention, Some((index, place)));
            }
            return;
        };
        let (name, arguments) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let start = text.len() - body.len();
        let place = |length: usize| Some((index, start..start + "/".len() + length));
        if name.eq_ignore_ascii_case("skill") {
            let Some(named) = arguments.split_whitespace().next() else { return };
            let found = self.find(named);
            self.choose(found.as_ref(), format!("/skill {named}"), named, Route::Command, place(name.len()));
            return;
        }
        let name_in_small = name.to_lowercase();
        // An unknown command is somebody else's.
        if let Some(command) = self.commands.iter().find(|command| command.name == name_in_small) {
            let found = command.skill.clone();
            self.choose(Some(&found), format!("/{name}"), name, Route::Command, place(name.len()));
        }
    }

    fn call(&mut self, request: &ResolveRequest<'_>) {
        let Some(call) = request.call else { return };
        let name = call.name.trim();
        let found = if call.route == Route::Tool {
            let usable = |skill: &&std::sync::Arc<Skill>| is_usable(self.refused, skill, call.route);
            let named = || self.snapshot.named(name);
            named().find(usable).or_else(|| named().next()).map(|skill| skill.id.clone())
        } else {
            self.find(name)
        };
        self.choose(found.as_ref(), name.to_owned(), name, call.route, None);
    }

    /// Returns the first usable skill that a name means, or else the first one that may not be used.
    fn find(&self, name: &str) -> Option<SkillId> {
        let name = normal(name);
        let is_meant =
            |command: &&Command| normal(&command.name) == name || normal(&command.skill_name) == name;
        let usable = self.commands.iter().find(is_meant).map(|command| command.skill.clone());
        usable.filter(|_| !name.is_empty()).or_else(|| {
            let refused = self.snapshot.skills().find(|skill| normal(&skill.name) == name);
            refused.map(|skill| skill.id.clone())
        })
    }

    fn choose(
        &mut self,
        found: Option<&SkillId>,
        mention: String,
        name: &str,
        route: Route,
        place: Option<(usize, Range<usize>)>,
    ) {
        let skill = found.and_then(|id| self.snapshot.get(id));
        let by_person = [Route::Mention, Route::Command].contains(&route);
        let asked = if by_person { vec![Route::Mention, Route::Command] } else { vec![route] };
        let refusal = skill
            .and_then(|skill| asked.iter().find_map(|route| self.refused.get(&skill.id, *route)).cloned());
        let (reason, candidates) = match (skill, refusal) {
            (Some(skill), None) => {
                if !self.resolution.selected.iter().any(|selected| selected.skill == skill.id) {
                    let skill = skill.id.clone();
                    self.resolution.selected.push(Selected { skill, route, place });
                }
                return;
            }
            (Some(skill), Some(refusal)) => (Reason::Refused(refusal), vec![skill.id.clone()]),
            (None, _) => (Reason::Unknown, self.suggestions.similar(name)),
        };
        let row = Unresolved { mention, route, reason, candidates };
        if !self.resolution.unresolved.contains(&row) {
            self.resolution.unresolved.push(row);
        }
    }
}

/// Returns the name as it is compared.
fn normal(name: &str) -> String {
    let mut normal = String::with_capacity(name.len());
    let mut gap = false;
    for character in name.trim().to_lowercase().chars() {
        let is_gap = character.is_whitespace() || character == '_';
        match (is_gap, gap) {
            (false, _) => normal.push(character),
            (true, false) => normal.push('-'),
            (true, true) => {}
        }
        gap = is_gap;
    }
    normal
}

/// Returns the names behind `$`, with the place of each in the text, its sigil included.
fn references(text: &str) -> Vec<(&str, Range<usize>)> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | ':');
    let mut found = Vec::new();
    for (at, _) in text.match_indices('$') {
        let before = text.get(..at).unwrap_or_default();
        let escapes = before.len() - before.trim_end_matches('\\').len();
        let rest = text.get(at + 1..).unwrap_or_default();
        let end = rest.find(|character| !is_part(character)).unwrap_or(rest.len());
        let name = rest.get(..end).unwrap_or_default().trim_end_matches(':');
        if escapes % 2 == 0 && name.bytes().any(|byte| byte.is_ascii_lowercase()) {
            found.push((name, at..at + 1 + name.len()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use lorimer_core::{Locator, SameName, SnapshotBuilder, SourceId};
    use proptest::prelude::*;

    fn snapshot(names: &[&str]) -> Snapshot {
        let mut builder = SnapshotBuilder::default();
        for name in names {
            let id = SkillId::new(SourceId::new("host"), Locator::Path(format!("/{name}/SKILL.md").into()));
            builder.push(Skill::new(id, *name, "")).unwrap();
        }
        builder.finish()
    }

    fn found(names: &[&str], text: &str) -> Vec<String> {
        let (snapshot, refused) = (snapshot(names), Refusals::default());
        let request = ResolveRequest {
            texts: &[text],
            structured: &[],
            call: None,
            connectors: &[],
            refused: &refused,
            same_name: SameName::Apart,
        };
        let resolution = CommandReferences::with_reserved(&["help"]).resolve(&snapshot, &request);
        let refused = resolution.unresolved.iter().filter(|row| row.reason != Reason::Unknown);
        let called = |id: &SkillId| snapshot.get(id).unwrap().name.clone();
        let selected = resolution.selected.iter().map(|selected| called(&selected.skill));
        selected.chain(refused.map(|row| row.reason.as_str().to_owned())).collect()
    }

    /// The forms of references of the program's notes, section 4.
    #[test]
    fn references_are_commands_at_the_beginning_or_names_behind_a_sigil() {
        let names = ["My Skill", "my_skill", "my-skill", "other-one", "help"];
        for (text, wanted) in [
            ("/skill my-skill hello", vec!["My Skill"]),
            ("/SKILL other-one", vec!["other-one"]),
            ("/my_skill hello", vec!["My Skill"]),
            ("/my_skill_2", vec!["my_skill"]),
            ("/my-skill hello", vec![]),
            ("/help_2", vec!["help"]),
            ("/help", vec![]),
            (" /other_one $my-skill", vec!["other-one"]),
            ("text /my_skill x", vec![]),
            ("/skill", vec![]),
            ("$my_skill and $other-one", vec!["My Skill", "other-one"]),
            ("$my-skill $my-skill $My_Skill:", vec!["My Skill"]),
            ("use $MY-SKILL, $5 and $HOME", vec![]),
            (r"\$my-skill but \\$other-one", vec!["other-one"]),
            ("$unknown x$help$other-one!", vec!["help", "other-one"]),
        ] {
            assert_eq!(found(&names, text), wanted, "{text}");
        }
    }

    #[test]
    fn beyond_a_limit_nothing_is_chosen() {
        let names: Vec<String> = (1..=9).map(|number| format!("s-{number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let text: Vec<String> = names.iter().map(|name| format!("${name}")).collect();
        assert_eq!(found(&names, &text[..8].join(" ")).len(), 8);
        assert_eq!(found(&names, &text.join(" ")), ["too-many-references"]);
        let long = "x".repeat(511);
        assert_eq!(found(&[&long], &format!("${long}")), ["reference-too-long"]);
        let long: Vec<String> = ["x", "y"].iter().map(|letter| letter.repeat(437)).collect();
        assert_eq!(
            found(&[&long[0], &long[1]], &format!("${} ${}", long[0], long[1])),
            ["references-too-long"]
        );
        let fits: Vec<String> = ["x", "y"].iter().map(|letter| letter.repeat(436)).collect();
        assert_eq!(found(&[&fits[0], &fits[1]], &format!("${} ${}", fits[0], fits[1])).len(), 2);
    }

    proptest! {
        #[test]
        fn places_lie_in_the_text(text in r"(\PC|[$/\\:_-]|skill|my ){0,20}") {
            for (name, place) in references(&text) {
                prop_assert_eq!(text.get(place), Some(&*format!("${name}")));
            }
            found(&["my skill", "skill"], &text);
        }
    }
}
