//! Short names for the roots of skills, so that long paths are paid for once.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::sync::Arc;

use lorimer_core::{Size, Skill, Unit};

use crate::cataloger::RootAlias;
use crate::format::{Draft, Layout};

/// What a table of roots costs: as much as the head of the listing with the table is longer than the head without.
///
/// A harness whose introduction is shorter when there is a table gets its first bytes of table for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableCharge {
    /// Bytes of the head without a table.
    pub plain_head: usize,
    /// Bytes of the head with a table, without the lines of the table.
    pub alias_head: usize,
}

impl TableCharge {
    /// Returns what a table with these roots costs.
    pub fn cost(&self, roots: &[RootAlias], unit: Unit) -> usize {
        let table = roots
            .iter()
            .fold(Size::default(), |sum, root| sum.plus(Size::of(&table_line(root))).plus(Size::LINE_FEED));

        let with = Size::ascii(self.alias_head).plus(table).cost(unit);
        with.saturating_sub(Size::ascii(self.plain_head).cost(unit))
    }
}

/// How roots get their short names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Aliases {
    /// The letter in front of the number.
    pub(crate) letter: char,
    /// Whether plugins of one market that bring one skill each share a root.
    pub(crate) share_plugin_roots: bool,
}

impl Default for Aliases {
    fn default() -> Self {
        Self { letter: 'r', share_plugin_roots: false }
    }
}

/// Returns the line that explains a root.
pub(crate) fn table_line(root: &RootAlias) -> String {
    format!("- `{}` = `{}`", root.alias, root.path)
}

/// Returns the layout in which locators start with `r0`, `r1`, … instead of a root's path; `None` when no root is
/// known.
///
/// Roots are numbered in discovery order. A locator takes the longest root that it lies below, and stays whole
/// when it lies below none. `write` writes a path as the format shows it.
pub(crate) fn aliased(
    skills: &[Arc<Skill>],
    drafts: &[Draft<'_>],
    unit: Unit,
    scheme: Aliases,
    charge: TableCharge,
    write: impl for<'p> Fn(&'p str) -> Cow<'p, str>,
) -> Option<Layout> {
    let mut ordered: Vec<_> = skills.iter().map(|skill| &skill.root).collect();
    ordered.sort_by_key(|root| root.order);
    let single = if scheme.share_plugin_roots { single_plugins(drafts) } else { HashSet::new() };
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut roots = Vec::new();
    for root in ordered {
        let path = write(&root.path).into_owned();
        let path = match plugin_of(&format!("{path}/")) {
            Some((market, plugin)) if single.contains(plugin) => market.to_owned(),
            _ => path,
        };
        let key = path.trim_end_matches('/');
        if key.is_empty() || numbers.contains_key(key) {
            continue;
        }
        numbers.insert(key.to_owned(), roots.len());
        roots.push(RootAlias { alias: format!("{}{}", scheme.letter, roots.len()), path });
    }
    if roots.is_empty() {
        return None;
    }
    let roots_by_length = Numbers::new(&numbers);
    let locators =
        drafts.iter().map(|draft| shorten(&draft.locator, scheme.letter, &roots_by_length)).collect();
    let charge = charge.cost(&roots, unit);
    Some(Layout { locators, roots, charge })
}

/// Returns the folder of a market and the folder of a plugin's version that a path lies in: a cache of plugins is
/// `plugins/cache/MARKET/PLUGIN/VERSION`.
fn plugin_of(path: &str) -> Option<(&str, &str)> {
    const CACHE: &str = "/plugins/cache/";
    let start = path.find(CACHE)? + CACHE.len();
    let mut ends = path.get(start..)?.match_indices('/').map(|(end, _)| start + end);
    let (market, _plugin, version) = (ends.next()?, ends.next()?, ends.next()?);
    Some((path.get(..market)?, path.get(..version)?))
}

/// Returns the folders of plugins that bring one skill.
fn single_plugins<'d>(drafts: &'d [Draft<'_>]) -> HashSet<&'d str> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (_, plugin) in drafts.iter().filter_map(|draft| plugin_of(&draft.locator)) {
        *counts.entry(plugin).or_default() += 1;
    }
    counts.into_iter().filter(|(_, count)| *count == 1).map(|(plugin, _)| plugin).collect()
}

/// The roots and their numbers.
enum Numbers<'r> {
    /// A few, the longest first.
    Few(Vec<(&'r str, usize)>),
    /// So many that asking for each would take long.
    Many(&'r HashMap<String, usize>),
}

impl<'r> Numbers<'r> {
    const FEW: usize = 16;

    fn new(numbers: &'r HashMap<String, usize>) -> Self {
        if numbers.len() > Self::FEW {
            return Self::Many(numbers);
        }
        let mut few: Vec<_> = numbers.iter().map(|(root, number)| (root.as_str(), *number)).collect();
        few.sort_unstable_by_key(|(root, number)| (Reverse(root.len()), *number));
        Self::Few(few)
    }

    /// Returns the number of the longest root that `locator` lies below, and the rest from its slash on.
    fn below<'l>(&self, locator: &'l str) -> Option<(usize, &'l str)> {
        let suffix = |rest: &'l str| Some(rest).filter(|rest| rest.starts_with('/') && rest.len() > 1);
        match self {
            Self::Few(roots) => {
                roots.iter().find_map(|(root, number)| Some((*number, suffix(locator.strip_prefix(root)?)?)))
            }
            Self::Many(numbers) => locator.rmatch_indices('/').find_map(|(end, _)| {
                let number = numbers.get(locator.get(..end)?)?;
                Some((*number, suffix(locator.get(end..)?)?))
            }),
        }
    }
}

/// Writes the number of the longest root that `locator` lies below in the root's place.
fn shorten(locator: &str, letter: char, roots: &Numbers<'_>) -> String {
    match roots.below(locator) {
        Some((number, suffix)) => format!("{letter}{number}{suffix}"),
        None => locator.to_owned(),
    }
}

/// Returns a path as a listing shows it: `/` between its parts, and nothing that ends a line.
///
/// A backslash is a separator on Windows and an ordinary character elsewhere; `every_backslash` takes all of them
/// for separators, and otherwise only paths that do not start with `/` are changed.
pub(crate) fn shown_path(path: &str, every_backslash: bool) -> Cow<'_, str> {
    // Most paths are told by their bytes.
    if path.bytes().filter(|byte| !matches!(byte, b' '..=b'[' | b']'..=b'~')).count() == 0 {
        return Cow::Borrowed(path);
    }
    let slashes = path.contains('\\') && (every_backslash || !path.starts_with('/'));
    if !slashes && !path.chars().any(ends_line) {
        return Cow::Borrowed(path);
    }
    let mut shown = String::with_capacity(path.len());
    for character in path.chars() {
        if slashes && character == '\\' {
            shown.push('/');
        } else if ends_line(character) {
            let mut buffer = [0_u8; 4];
            for byte in character.encode_utf8(&mut buffer).bytes() {
                // Writing to a string cannot fail.
                let _ = write!(shown, "%{byte:02X}");
            }
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

fn ends_line(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use lorimer_core::{Locator, Root, SkillId, SourceId};

    fn layout(entries: &[(&str, u32, &str)]) -> Layout {
        let skills: Vec<_> = entries
            .iter()
            .map(|(root, order, path)| {
                let id = SkillId::new(SourceId::new("host"), Locator::Path(path.into()));
                let mut skill = Skill::new(id, "n", "d");
                skill.root = Root { path: (*root).to_owned(), order: *order };
                Arc::new(skill)
            })
            .collect();
        let drafts: Vec<_> = skills
            .iter()
            .map(|skill| Draft { locator: skill.shown_location().into(), ..Draft::default() })
            .collect();
        let charge = TableCharge { plain_head: 0, alias_head: 0 };
        aliased(&skills, &drafts, Unit::Chars, Aliases::default(), charge, |path| path.into()).unwrap()
    }

    /// Cases B23 and B24 of spec/codex.md: numbers follow discovery order, and a root has one number.
    #[test]
    fn roots_are_numbered_in_discovery_order() {
        let layout = layout(&[("/b", 7, "/b/x/S"), ("/a", 3, "/a/y/S"), ("/b/", 7, "/b/z/S")]);
        assert_eq!(layout.locators, ["r1/x/S", "r0/y/S", "r1/z/S"]);
        assert_eq!(layout.roots.iter().map(|root| root.path.as_str()).collect::<Vec<_>>(), ["/a", "/b"]);
        assert_eq!(layout.charge, 2 * "- `r0` = `/a`\n".len());
    }

    /// Case B25: only what lies below a root is shortened, by the longest one.
    #[test]
    fn the_longest_root_that_holds_the_file_wins() {
        let layout = layout(&[
            ("/skills/shared", 0, "/skills/shared-other/alpha"),
            ("/skills/shared", 0, "/skills/shared"),
            ("/skills/shared", 0, "/skills/shared/inner/a"),
            ("/skills/shared/inner", 1, "/elsewhere/a"),
        ]);
        assert_eq!(layout.locators, ["/skills/shared-other/alpha", "/skills/shared", "r1/a", "/elsewhere/a"]);
    }

    #[test]
    fn paths_are_one_line_with_slashes() {
        assert_eq!(shown_path(r"C:\s\a", false), "C:/s/a");
        assert_eq!(shown_path(r"/s/a\b", false), r"/s/a\b");
        assert_eq!(shown_path(r"/s/a\b", true), "/s/a/b");
        assert_eq!(shown_path("/s/a\nb\u{2028}", true), "/s/a%0Ab%E2%80%A8");
    }
}
