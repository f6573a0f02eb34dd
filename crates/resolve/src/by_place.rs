//! A call of a skill by its name or its place, and commands that begin a text.

use std::collections::HashSet;

use lorimer_core::{Refusal, Route, Skill, Snapshot};
use serde_json::Value;

use crate::resolver::{Reason, Resolution, ResolveRequest, Resolver, Selected, Unresolved};
use crate::similar::Suggestions;

/// Finds a called skill by its path below a root, by its folder's name, or by the name in its file, and skills that a text
/// calls by commands: `/one /two and what to do`.
///
/// A called name is compared exactly. Several skills that it may mean are an ambiguity, whatever root they lie below, and
/// also where some of them may not be used; one file under two paths is one skill. What looks like a way out of the roots
/// is refused as `path-escape`, what cannot be a name as `invalid-name`. `space:name` is a plugin's skill where the plugin
/// is known, and otherwise `space/name` too.
///
/// A command is the name in small letters, blanks and `_` as `-`, without other characters than letters and digits of ASCII.
/// The first skill of a command has it. A text that begins with one may go on with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByPlace {
    /// Commands that are not for skills.
    pub reserved: &'static [&'static str],
    /// Commands that one text has at most.
    pub most_commands: usize,
}

impl Default for ByPlace {
    fn default() -> Self {
        Self { reserved: &[], most_commands: 5 }
    }
}

/// A command that calls a skill.
#[derive(Clone, Debug)]
pub struct PlaceCommand<'a> {
    /// The command, without the slash.
    pub slug: String,
    /// The skill.
    pub skill: &'a Skill,
}

/// Returns the name that a skill's file says; `None` where what stands there is no text.
fn own_name(skill: &Skill) -> Option<&str> {
    match skill.frontmatter.get("name") {
        Some(Value::String(name)) => Some(name),
        Some(_) => None,
        None => Some(&skill.name),
    }
}

/// Returns the path of a skill's folder below its root, and the folder's name.
fn place(skill: &Skill) -> (String, String) {
    let location = skill.shown_location();
    let folder = location.rsplit_once('/').map_or("", |(folder, _)| folder);
    let name = folder.rsplit('/').next().unwrap_or_default().to_owned();
    let below = folder.strip_prefix(skill.root.path.trim_end_matches('/')).unwrap_or(folder);
    (below.trim_start_matches('/').to_owned(), name)
}

/// Returns a path as it is written without detours that lead nowhere.
fn plain(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    parts.join("/")
}

fn is_drive(name: &str) -> bool {
    matches!(name.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// Returns the rule by which a name is none, wherever it may lead.
fn wrong(name: &str) -> Option<Refusal> {
    let outside =
        name.starts_with(['/', '\\']) || is_drive(name) || name.split(['/', '\\']).any(|part| part == "..");
    if outside {
        return Some(
            Refusal::new("path-escape").with_help("Call a skill by its name, or by its path below the root."),
        );
    }
    let space = name.split_once(':').map(|(space, _)| space);
    let is_space = |space: &str| {
        !space.is_empty()
            && space.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
    };
    if space.is_some_and(|space| !is_space(space)) || name.contains("**") {
        return Some(Refusal::new("invalid-name").with_help("No skill can be called so."));
    }
    None
}

/// Returns a name as a command, empty where nothing of it can be typed.
fn slug(name: &str) -> String {
    let mut slug = String::new();
    for character in name.to_lowercase().chars() {
        let character = if matches!(character, ' ' | '_') { '-' } else { character };
        let allowed = character.is_ascii_lowercase() || character.is_ascii_digit();
        if allowed || (character == '-' && !slug.ends_with('-')) {
            slug.push(character);
        }
    }
    slug.trim_matches('-').to_owned()
}

impl ByPlace {
    /// Returns the commands that call skills which are not refused, in snapshot order. Of several skills of one name, and of
    /// several commands, the first one counts.
    pub fn commands<'a>(
        &self,
        snapshot: &'a Snapshot,
        is_refused: impl Fn(&Skill) -> bool,
    ) -> Vec<PlaceCommand<'a>> {
        let (mut names, mut slugs) = (HashSet::new(), HashSet::new());
        let mut commands = Vec::new();
        for skill in snapshot.skills().filter(|skill| !is_refused(skill)) {
            let Some(name) = own_name(skill).filter(|name| names.insert(*name)) else { continue };
            let slug = slug(name);
            if !slug.is_empty() && !self.reserved.contains(&slug.as_str()) && slugs.insert(slug.clone()) {
                commands.push(PlaceCommand { slug, skill });
            }
        }
        commands
    }

    /// Returns the skills that a name may mean.
    fn candidates<'a>(snapshot: &'a Snapshot, name: &str) -> Vec<&'a Skill> {
        let mut found: Vec<&Skill> = Vec::new();
        let spaced = name.split_once(':');
        if let Some((space, _)) = spaced {
            let of_space = |skill: &&Skill| {
                let qualified =
                    skill.qualified_name.as_deref().and_then(|qualified| qualified.split_once(':'));
                qualified.is_some_and(|(plugin, _)| plugin == space)
            };
            let plugin: Vec<&Skill> = snapshot.skills().map(|skill| &**skill).filter(of_space).collect();
            if !plugin.is_empty() {
                return plugin.into_iter().filter(|skill| skill.call_name() == name).collect();
            }
        }
        let paths = [Some(plain(name)), spaced.map(|(space, bare)| plain(&format!("{space}/{bare}")))];
        for skill in snapshot.skills().filter(|skill| skill.qualified_name.is_none()) {
            let (below, folder) = place(skill);
            let is_meant = paths.iter().flatten().any(|path| *path == below)
                || folder == name
                || own_name(skill) == Some(name);
            let known =
                || found.iter().any(|other| other.paths().any(|path| skill.paths().any(|own| own == path)));
            if is_meant && !known() {
                found.push(skill);
            }
        }
        found
    }

    fn call(snapshot: &Snapshot, request: &ResolveRequest<'_>, name: &str, route: Route) -> Resolution {
        let mut resolution = Resolution::default();
        let found = Self::candidates(snapshot, name);
        let (reason, candidates) = match (wrong(name), found.as_slice()) {
            (Some(refusal), _) => (Reason::Refused(refusal), Vec::new()),
            (None, []) => (Reason::Unknown, Suggestions::new(snapshot, request.refused).similar(name)),
            (None, [only]) => match request.refused.get(&only.id, route) {
                None => {
                    resolution.selected.push(Selected { skill: only.id.clone(), route, place: None });
                    return resolution;
                }
                Some(refusal) => (Reason::Refused(refusal.clone()), vec![only.id.clone()]),
            },
            (None, many) => (Reason::Ambiguous, many.iter().map(|skill| skill.id.clone()).collect()),
        };
        resolution.unresolved.push(Unresolved { mention: name.to_owned(), route, reason, candidates });
        resolution
    }

    /// Takes the commands from the beginning of a text.
    fn typed(
        &self,
        snapshot: &Snapshot,
        request: &ResolveRequest<'_>,
        index: usize,
        text: &str,
    ) -> Resolution {
        let mut resolution = Resolution::default();
        let refused = |skill: &Skill| request.refused.get(&skill.id, Route::Mention).is_some();
        let mut commands = None;
        let mut behind = text;
        for number in 0..self.most_commands {
            behind = behind.trim_start();
            let word = behind.split_whitespace().next().unwrap_or_default();
            let Some(typed) = word.strip_prefix('/') else { break };
            let commands = commands.get_or_insert_with(|| self.commands(snapshot, refused));
            let wanted = if number == 0 { typed.to_lowercase() } else { typed.to_owned() }.replace('_', "-");
            let Some(PlaceCommand { skill, .. }) = commands.iter().find(|command| command.slug == wanted)
            else {
                break;
            };
            let start = text.len() - behind.len();
            behind = behind.get(word.len()..).unwrap_or_default();
            // The program loads by the path below the root, and that may be another skill's too.
            let meant = Self::candidates(snapshot, &place(skill).0);
            if let [_, _, ..] = meant.as_slice() {
                resolution.unresolved.push(Unresolved {
                    mention: word.to_owned(),
                    route: Route::Command,
                    reason: Reason::Ambiguous,
                    candidates: meant.iter().map(|skill| skill.id.clone()).collect(),
                });
                continue;
            }
            if resolution.selected.iter().all(|selected| selected.skill != skill.id) {
                let place = Some((index, start..start + word.len()));
                resolution.selected.push(Selected { skill: skill.id.clone(), route: Route::Command, place });
            }
        }
        resolution
    }
}

impl Resolver for ByPlace {
    fn resolve(&self, snapshot: &Snapshot, request: &ResolveRequest<'_>) -> Resolution {
        if let Some(call) = request.call {
            return Self::call(snapshot, request, call.name, call.route);
        }
        let mut resolution = Resolution::default();
        for (index, text) in request.texts.iter().enumerate() {
            let typed = self.typed(snapshot, request, index, text);
            let new =
                |selected: &Selected| resolution.selected.iter().all(|known| known.skill != selected.skill);
            let selected: Vec<Selected> = typed.selected.into_iter().filter(new).collect();
            resolution.selected.extend(selected);
            resolution.unresolved.extend(typed.unresolved);
        }
        resolution
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Call, Refusals};
    use lorimer_core::{Locator, Root, SameName, SkillId, SnapshotBuilder, SourceId};

    fn skill(root: u32, folder: &str, name: &str) -> Skill {
        let root_path = format!("/root{root}");
        let path = format!("{root_path}/{folder}/SKILL.md").replace("//SKILL", "/SKILL");
        let id = SkillId::new(SourceId::new("host"), Locator::Path(path.into()));
        let mut skill = Skill::new(id, name, "d");
        skill.root = Root { path: root_path, order: root };
        skill.frontmatter.insert("name".to_owned(), Value::from(name));
        skill
    }

    fn snapshot() -> Snapshot {
        let mut numbered = skill(0, "g/number", "123");
        numbered.frontmatter.insert("name".to_owned(), Value::from(123));
        let mut plugin = skill(2, "p", "one");
        plugin.qualified_name = Some("plug:one".to_owned());
        let mut builder = SnapshotBuilder::default();
        for skill in [
            skill(0, "g/n00", "ok"),
            skill(0, "g/n01", "Upper Case"),
            skill(0, "g/n02", "ns:skill"),
            skill(0, "plug/local", "local"),
            skill(0, "same", "same"),
            numbered,
            skill(1, "same", "same"),
            skill(1, "deep/er", "ok"),
            skill(0, "g/help", "help"),
            plugin,
        ] {
            builder.push(skill).unwrap();
        }
        builder.finish()
    }

    fn answer(name: &str) -> String {
        let refused = Refusals::default();
        let request = ResolveRequest {
            texts: &[],
            structured: &[],
            call: Some(Call { name, route: Route::Tool }),
            connectors: &[],
            refused: &refused,
            same_name: SameName::default(),
        };
        let resolution = ByPlace::default().resolve(&snapshot(), &request);
        match (resolution.selected.first(), resolution.unresolved.first()) {
            (Some(selected), _) => selected.skill.locator.shown(),
            (None, Some(unresolved)) => unresolved.reason.as_str().to_owned(),
            (None, None) => String::new(),
        }
    }

    #[test]
    fn names_folders_and_paths_are_looked_up() {
        for (name, found) in [
            ("n00", "/root0/g/n00/SKILL.md"),
            ("Upper Case", "/root0/g/n01/SKILL.md"),
            ("g/n01", "/root0/g/n01/SKILL.md"),
            ("g//./n01/", "/root0/g/n01/SKILL.md"),
            ("ns:skill", "/root0/g/n02/SKILL.md"),
            ("number", "/root0/g/number/SKILL.md"),
            ("deep:er", "/root1/deep/er/SKILL.md"),
            ("plug:one", "/root2/p/SKILL.md"),
            ("123", "unknown"),
            ("one", "unknown"),
            ("plug:local", "unknown"),
            ("plug:../x", "unknown"),
            ("other:thing", "unknown"),
            (" ok", "unknown"),
            ("OK", "unknown"),
            ("", "unknown"),
            ("ok", "ambiguous"),
            ("same", "ambiguous"),
            ("../up", "path-escape"),
            ("/etc/passwd", "path-escape"),
            ("C:\\x", "path-escape"),
            ("g:n00", "path-escape"),
            ("a\\..\\b", "path-escape"),
            ("x:", "path-escape"),
            (":x", "invalid-name"),
            ("bad ns:x", "invalid-name"),
            ("**", "invalid-name"),
        ] {
            assert_eq!(answer(name), found, "{name}");
        }
    }

    #[test]
    fn names_become_commands() {
        for (name, command) in [
            ("Upper Case", "upper-case"),
            ("under_score", "under-score"),
            ("-lead-", "lead"),
            ("double--hyphen", "double-hyphen"),
            ("café", "caf"),
            ("漢字", ""),
            ("c++ & co", "c-co"),
            ("a/b", "ab"),
            ("!!!", ""),
        ] {
            assert_eq!(slug(name), command, "{name}");
        }
        let resolver = ByPlace { reserved: &["help"], ..ByPlace::default() };
        let snapshot = snapshot();
        let slugs = |refused: &str| -> Vec<String> {
            let commands = resolver.commands(&snapshot, |skill| skill.name == refused);
            commands.into_iter().map(|command| command.slug).collect()
        };
        assert_eq!(slugs(""), ["ok", "upper-case", "nsskill", "local", "same", "one"]);
        assert_eq!(slugs("ok"), ["upper-case", "nsskill", "local", "same", "one"]);
    }

    #[test]
    fn a_text_may_begin_with_commands() {
        let typed = |text: &str| {
            let refused = Refusals::default();
            let request = ResolveRequest {
                texts: &[text],
                structured: &[],
                call: None,
                connectors: &[],
                refused: &refused,
                same_name: SameName::default(),
            };
            let resolution = ByPlace { reserved: &["help"], most_commands: 2 }.resolve(&snapshot(), &request);
            let words: Vec<String> = resolution
                .selected
                .iter()
                .filter_map(|selected| text.get(selected.place.clone()?.1).map(str::to_owned))
                .collect();
            (words.join(" "), resolution.unresolved.len())
        };
        assert_eq!(typed("/Upper_Case /local do it"), ("/Upper_Case /local".to_owned(), 0));
        assert_eq!(
            typed("/upper-case /upper-case /local"),
            ("/upper-case".to_owned(), 0),
            "two are the most"
        );
        assert_eq!(typed("/upper-case do /local"), ("/upper-case".to_owned(), 0));
        assert_eq!(typed("do /local"), (String::new(), 0));
        assert_eq!(typed("/help /local"), (String::new(), 0));
        assert_eq!(typed("/same"), (String::new(), 1), "its path is another's too");
    }
}
