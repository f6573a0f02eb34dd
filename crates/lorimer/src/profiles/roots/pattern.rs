//! A place as it is written in a table.

use std::path::{Component, Path, PathBuf};

use lorimer_discover::{RootBase, Until, UpwardOrder};

use super::{Surroundings, Table};

/// A place, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    start: Start,
    relative: PathBuf,
}

/// Where a place starts.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Start {
    Home,
    Folder(String),
    System,
    Cwd,
    Project,
    Upward(UpwardOrder, Until),
    Execution,
    Nearest,
    Below,
    Each { key: String, file: Option<Box<Pattern>> },
}

impl Pattern {
    /// Takes a place apart; `None` where it is not written as places are.
    pub(super) fn parse(place: &str) -> Option<Self> {
        let (start, rest) = if let Some(rest) = place.strip_prefix('~') {
            (Start::Home, rest)
        } else if let Some(rest) = place.strip_prefix('$') {
            let (name, rest) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            (Start::Folder(name.to_owned()), rest)
        } else {
            let end = closing(place)?;
            (start(place.get(1..end)?)?, place.get(end + 1..)?)
        };
        let relative = match rest {
            "" => PathBuf::new(),
            _ => PathBuf::from(rest.strip_prefix('/').filter(|rest| !rest.is_empty())?),
        };
        Some(Self { start, relative })
    }

    /// Returns the bases of rules that the place stands for: one, or one for each path of a setting.
    pub(super) fn bases(&self, table: &Table, around: &Surroundings) -> Vec<RootBase> {
        let relative = for_agent(&self.relative, around.agent.as_deref());
        vec![match &self.start {
            Start::Home => RootBase::Home(relative),
            Start::System => RootBase::System(relative),
            Start::Cwd => RootBase::Path(relative),
            Start::Project => RootBase::ProjectRoot(relative),
            Start::Upward(order, Until::Project) => RootBase::ProjectUpward { relative, order: *order },
            Start::Upward(order, until) => RootBase::Ancestors { relative, order: *order, until: *until },
            Start::Execution => match &around.execution {
                Some(place) => RootBase::Path(below(place.clone(), &relative)),
                None => return Vec::new(),
            },
            Start::Nearest => RootBase::NearestUpward { relative },
            Start::Below => RootBase::Nested { relative },
            Start::Folder(variable) => {
                let folder = table.folders.iter().find(|folder| folder.variable == variable);
                let otherwise = folder.and_then(|folder| Self::parse(folder.otherwise));
                let otherwise = otherwise.map_or_else(Vec::new, |otherwise| otherwise.bases(table, around));
                let otherwise = otherwise.into_iter().next().map(Box::new);
                RootBase::Relocatable { variable: variable.clone(), otherwise, relative }
            }
            Start::Each { key, file } => {
                let file = file.as_ref().and_then(|file| file.path(table, around));
                let paths = around.paths(key, file.as_deref());
                return paths.into_iter().map(|path| RootBase::Path(below(path, &relative))).collect();
            }
        }]
    }

    /// Returns the one path that the place stands for.
    pub(super) fn path(&self, table: &Table, around: &Surroundings) -> Option<PathBuf> {
        let rules: Vec<_> = self
            .bases(table, around)
            .into_iter()
            .map(|base| lorimer_discover::RootRule::new(base, lorimer_core::Scope::User))
            .collect();
        lorimer_discover::resolve(&around.place, &rules).into_iter().next().map(|root| root.path)
    }

    /// Returns why the place stands for no path at all.
    pub(super) fn nothing(&self) -> String {
        match &self.start {
            Start::Home => "no home directory is known".to_owned(),
            Start::Folder(name) => {
                format!("`{name}` is not set, and it is not known where the folder is without it")
            }
            Start::System => "no directory of machine-wide settings is known".to_owned(),
            Start::Nearest => {
                format!(
                    "no folder from here to the root of the file system has `{}`",
                    self.relative.display()
                )
            }
            Start::Execution => "the session works in the working directory".to_owned(),
            Start::Below => "no file below the working directory was opened yet".to_owned(),
            Start::Each { key, .. } => format!("the setting `{key}` names no folder"),
            Start::Cwd | Start::Project | Start::Upward(..) => "another place has the same path".to_owned(),
        }
    }
}

/// Puts the agent's name in the place of `{agent or NAME}`.
fn for_agent(relative: &Path, agent: Option<&str>) -> PathBuf {
    let part = |part: Component<'_>| {
        let part = part.as_os_str();
        let otherwise = part.to_str().and_then(|text| text.strip_prefix("{agent or ")?.strip_suffix('}'));
        otherwise.map_or_else(|| part.to_owned(), |otherwise| agent.unwrap_or(otherwise).into())
    };
    relative.components().map(part).collect()
}

fn below(path: PathBuf, relative: &Path) -> PathBuf {
    // Joining nothing would put a slash behind a file's name.
    if relative.as_os_str().is_empty() { path } else { path.join(relative) }
}

/// Returns where the brace that opens a text is closed.
fn closing(text: &str) -> Option<usize> {
    if !text.starts_with('{') {
        return None;
    }
    let mut open = 0_usize;
    for (at, character) in text.char_indices() {
        match character {
            '{' => open += 1,
            '}' if open == 1 => return Some(at),
            '}' => open -= 1,
            _ => {}
        }
    }
    None
}

fn start(word: &str) -> Option<Start> {
    use UpwardOrder::{InnermostFirst, OutermostFirst};
    Some(match word {
        "system" => Start::System,
        "cwd" => Start::Cwd,
        "project" => Start::Project,
        "project..cwd" => Start::Upward(OutermostFirst, Until::Project),
        "cwd..project" => Start::Upward(InnermostFirst, Until::Project),
        "cwd..project or top" => Start::Upward(InnermostFirst, Until::ProjectOrTop),
        "cwd..project or home" => Start::Upward(InnermostFirst, Until::ProjectOrHome),
        "execution" => Start::Execution,
        "nearest" => Start::Nearest,
        "below cwd" => Start::Below,
        _ => {
            let rest = word.strip_prefix("each ")?;
            match rest.split_once(" in ") {
                Some((key, file)) => {
                    Start::Each { key: key.to_owned(), file: Some(Box::new(Pattern::parse(file)?)) }
                }
                None => Start::Each { key: rest.to_owned(), file: None },
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profiles::roots::ALL;

    #[test]
    fn every_place_of_every_table_is_written_as_places_are() {
        for table in ALL {
            let places = table.roots.iter().flat_map(|root| root.except.iter().chain([&root.place]));
            let plugins = table.plugins.iter().flat_map(|plugins| {
                plugins.registry.map(|registry| registry.file).into_iter().chain([plugins.place])
            });
            let folders =
                table.folders.iter().map(|folder| folder.otherwise).filter(|place| !place.is_empty());
            for place in places.copied().chain(plugins).chain(folders).chain(table.settings.iter().copied()) {
                let pattern = Pattern::parse(place);
                assert!(pattern.is_some(), "{}: {place}", table.harness);
                if let Some(Pattern { start: Start::Folder(name), .. }) = pattern {
                    let known = table.folders.iter().any(|folder| folder.variable == name);
                    assert!(known, "{}: `${name}` is none of its folders", table.harness);
                }
            }
        }
    }

    #[test]
    fn other_texts_are_no_places() {
        for text in ["", "a/b", "/etc", "{cwd", "{cwd}x", "{cwd}/", "{here}/a", "{each k in nowhere}"] {
            assert_eq!(Pattern::parse(text), None, "{text}");
        }
        let nested = Pattern::parse("{each skills in {cwd}/.pi/settings.json}/x").unwrap();
        assert_eq!(nested.relative, Path::new("x"));
        assert!(matches!(nested.start, Start::Each { key, file: Some(_) } if key == "skills"));
    }
}
