//! Paths that exist on one machine only.

use std::collections::HashSet;
use std::ops::Range;

use lorimer_core::{Code, Diagnostic};

use super::subject::Looked;

/// What a home directory is below.
const BASES: [&str; 5] = ["/Users/", "/home/", "C:\\Users\\", "C:/Users/", "/c/Users/"];

/// Names that stand for anybody, and users of images that many machines are made of.
const ANYBODY: [&str; 35] = [
    "user",
    "username",
    "you",
    "me",
    "name",
    "yourname",
    "your-name",
    "youruser",
    "your-user",
    "yourusername",
    "your-username",
    "your_username",
    "your_name",
    "myuser",
    "shared",
    "public",
    "default",
    "example",
    "someone",
    "u",
    "runner",
    "ubuntu",
    "debian",
    "node",
    "vscode",
    "coder",
    "sandbox",
    "agent",
    "claude",
    "app",
    "pi",
    "gitpod",
    "git",
    "jovyan",
    "linuxbrew",
];

/// Findings about single people; there are seldom more.
const MOST: usize = 4;

pub(super) fn look(looked: &Looked<'_>, found: &mut Vec<Diagnostic>) {
    for (path, place) in paths(looked.body).into_iter().take(MOST) {
        let message = format!("`{path}` exists on somebody's machine only");
        found.push(
            looked
                .finding(Code::MachinePath, message, &looked.in_body(&place))
                .with_help("write a path that starts at the skill's folder, at the project or at `~`"),
        );
    }
}

/// Returns the first path of each home directory.
fn paths(text: &str) -> Vec<(&str, Range<usize>)> {
    let mut seen = HashSet::new();
    let mut places: Vec<Range<usize>> = Vec::new();
    for base in BASES {
        for (start, _) in text.match_indices(base) {
            // `$HOME/Users/x` and `https://x/home/y` are somewhere else.
            let before = text.get(..start).and_then(|before| before.chars().next_back());
            if before.is_some_and(|before| before.is_alphanumeric() || "_-./~>})*]$\\%".contains(before)) {
                continue;
            }
            let rest = text.get(start + base.len()..).unwrap_or_default();
            let is_name = |character: char| character.is_alphanumeric() || "_-.".contains(character);
            let name = rest.split(|character| !is_name(character)).next().unwrap_or_default();
            let next = rest.get(name.len()..).and_then(|rest| rest.chars().next());
            let is_folder = matches!(next, Some('/' | '\\'));
            // `...` stands for anybody too.
            let named = name.starts_with(char::is_alphanumeric);
            let known = !named || name.chars().count() < 2 || ANYBODY.contains(&name.to_lowercase().as_str());
            if !is_folder || known || !seen.insert(name) {
                continue;
            }
            let length = text.get(start..).map_or(0, |path| {
                path.find(|end: char| end.is_whitespace() || "`\"'()<>|,;".contains(end))
                    .unwrap_or(path.len())
            });
            places.push(start..start + length);
        }
    }
    places.sort_by_key(|place| place.start);
    places.into_iter().filter_map(|place| Some((text.get(place.clone())?, place))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        paths(text).into_iter().map(|(path, _)| path).collect()
    }

    #[test]
    fn a_path_into_a_home_directory_is_somebodys() {
        let text = "run `/Users/carla/bin/x` or /Users/carla/y, not /Users/otto/z.md";
        assert_eq!(found(text), ["/Users/carla/bin/x", "/Users/otto/z.md"]);
        assert_eq!(found("C:\\Users\\Carla\\x y"), ["C:\\Users\\Carla\\x"]);
    }

    #[test]
    fn placeholders_images_and_addresses_are_nobodys() {
        for text in [
            "/Users/username/x",
            "/home/<name>/x",
            "/home/$USER/x",
            concat!("/ho", "me/ubuntu/x"),
            "https://example.invalid/home/carla/x",
            "$PREFIX/home/carla/x",
            "/Users/Shared/x",
            "/Users/.../x",
            "/Users/carla",
            "GET /users/carla/x",
        ] {
            assert_eq!(found(text), <[&str; 0]>::default(), "{text}");
        }
    }
}
