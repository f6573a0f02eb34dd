//! Folders of skills as they are found in the wild, made from a seed.
//!
//! Sizes, keys and styles of quoting follow what 5,711 published skills have; texts are made up.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Context as _;

/// Values at these parts in a thousand; between them a straight line.
type Quantiles = [(u64, u64)];

const DESCRIPTION_BYTES: &Quantiles =
    &[(0, 20), (100, 106), (250, 149), (500, 217), (750, 316), (900, 443), (990, 829), (1000, 1929)];
const BODY_BYTES: &Quantiles = &[
    (0, 40),
    (100, 1570),
    (250, 2685),
    (500, 4866),
    (750, 8820),
    (900, 15_075),
    (990, 35_017),
    (1000, 159_742),
];

const WORDS: [&str; 60] = [
    "agent", "answer", "before", "branch", "budget", "build", "cache", "change", "check", "client", "code",
    "column", "command", "commit", "config", "context", "data", "deploy", "design", "error", "every",
    "example", "explain", "export", "field", "file", "first", "folder", "format", "from", "function",
    "guide", "import", "index", "input", "issue", "learn", "library", "list", "measure", "model", "module",
    "name", "output", "pattern", "plan", "process", "project", "query", "read", "release", "report",
    "review", "schema", "script", "search", "server", "table", "test", "write",
];

/// Numbers that only look random, the same on every machine (`SplitMix64`).
pub(super) struct Numbers(u64);

impl Numbers {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = self.0;
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^ (number >> 31)
    }

    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit.max(1)
    }

    /// Returns true so many times in a thousand.
    fn chance(&mut self, per_mille: u64) -> bool {
        self.below(1000) < per_mille
    }

    fn from(&mut self, quantiles: &Quantiles) -> u64 {
        let at = self.below(1000);
        let pair = quantiles.windows(2).find_map(|pair| match pair {
            [low, high] if at < high.0 => Some((*low, *high)),
            _ => None,
        });
        let Some(((from, low), (to, high))) = pair else { return 0 };
        low + (high - low) * (at - from) / (to - from)
    }

    pub(super) fn word(&mut self) -> &'static str {
        let index = usize::try_from(self.below(60)).unwrap_or_default();
        WORDS.get(index).copied().unwrap_or("word")
    }

    /// Returns words of about so many bytes.
    fn words(&mut self, bytes: u64) -> String {
        let bytes = usize::try_from(bytes).unwrap_or_default();
        let mut text = self.word().to_owned();
        while text.len() < bytes {
            text.push(' ');
            text.push_str(self.word());
        }
        text
    }
}

/// Makes `count` skills below `root`, each in a folder of its own.
pub(super) fn skills(root: &Path, count: usize) -> anyhow::Result<()> {
    let mut numbers = Numbers(1);
    let filler = numbers.words(200_000);
    for index in 0..count {
        let name = format!("{}-{}-{index:05}", numbers.word(), numbers.word());
        let folder = root.join(&name);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
        fs::write(folder.join("SKILL.md"), skill_file(&mut numbers, &name, &filler))?;
        if numbers.chance(125) {
            fs::create_dir(folder.join("agents"))?;
            fs::write(folder.join("agents/openai.yaml"), openai_yaml(&mut numbers, &name))?;
        }
    }
    Ok(())
}

/// Returns the text of a skill that was edited.
pub(super) fn changed(index: u64, name: &str) -> String {
    let mut numbers = Numbers(index);
    frontmatter(&mut numbers, name) + "\n# Changed\n\n" + &numbers.words(4_000)
}

/// Returns a file's text. A few have no usable frontmatter, as in the wild.
fn skill_file(numbers: &mut Numbers, name: &str, filler: &str) -> String {
    let mut text = String::new();
    if !numbers.chance(23) {
        text = frontmatter(numbers, name);
    }
    let body = usize::try_from(numbers.from(BODY_BYTES)).unwrap_or_default();
    // Writing to a string cannot fail.
    let _ = write!(text, "\n# {name}\n\n{}\n", filler.get(..body).unwrap_or(filler));
    text
}

fn frontmatter(numbers: &mut Numbers, name: &str) -> String {
    let bytes = numbers.from(DESCRIPTION_BYTES);
    let description = numbers.words(bytes);
    let style = numbers.below(1000);
    let description = match style {
        0..740 => format!("{description}."),
        740..747 => format!("Use when: {description}"),
        747..922 => format!("\"{description}: done.\""),
        922..980 => format!(">\n  {}", description.replacen(" and ", "\n  ", 3)),
        _ => description.replacen(' ', "\n  ", 1),
    };
    let mut text = format!("---\nname: {name}\ndescription: {description}\n");
    for (per_mille, field) in [
        (116, "license: MIT\n"),
        (97, "version: 1.0.0\n"),
        (46, "allowed-tools: Read, Grep, Bash\n"),
        (9, "allowed-tools:\n  - Read\n  - Bash(ls *)\n"),
        (270, "metadata:\n  author: somebody\n  version: \"1.2\"\n"),
    ] {
        if numbers.chance(per_mille) {
            text.push_str(field);
        }
    }
    text.push_str("---\n");
    text
}

fn openai_yaml(numbers: &mut Numbers, name: &str) -> String {
    let short = numbers.words(60);
    let prompt = numbers.words(90);
    format!(
        "interface:\n  display_name: \"{name}\"\n  short_description: \"{short}\"\n  default_prompt: \"{prompt}\"\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_files_and_sizes_follow_the_quantiles() {
        assert_eq!(changed(7, "a"), changed(7, "a"));
        let mut numbers = Numbers(3);
        let mut sizes: Vec<u64> = (0..9999).map(|_| numbers.from(BODY_BYTES)).collect();
        sizes.sort_unstable();
        let median = sizes.get(sizes.len() / 2).copied().unwrap_or_default();
        assert!((4_500..5_300).contains(&median), "{median}");
        assert!(sizes.iter().all(|size| *size <= 159_742));
    }
}
