//! What a reference in the instructions leads to. In doubt it is taken for no reference at all.

/// A file that the instructions name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A path inside the skill's folder, with `/` between its parts.
    Inside(String),
    /// A path that leads out of it, as written.
    Outside(String),
}

/// Endings of files that a skill brings along.
const ENDINGS: [&str; 54] = [
    "md", "mdx", "txt", "rst", "adoc", "py", "sh", "bash", "zsh", "js", "mjs", "cjs", "ts", "tsx", "jsx",
    "json", "jsonl", "yaml", "yml", "toml", "ini", "csv", "tsv", "html", "htm", "css", "xml", "xsd", "svg",
    "png", "jpg", "jpeg", "gif", "webp", "pdf", "docx", "xlsx", "pptx", "rb", "pl", "lua", "go", "rs",
    "java", "kt", "swift", "php", "ps1", "bat", "sql", "ipynb", "tmpl", "j2", "ttf",
];

/// Names without ending of files that stand for any other in explanations of Markdown.
const STAND_INS: [&str; 22] = [
    "file",
    "filename",
    "image",
    "img",
    "picture",
    "photo",
    "link",
    "path",
    "name",
    "page",
    "doc",
    "foo",
    "bar",
    "baz",
    "xxx",
    "example",
    "your-file",
    "my-file",
    "some-file",
    "screenshot",
    "logo",
    "diagram",
];

/// How clients call the skill's own folder.
const OWN_FOLDER: [&str; 6] = [
    "${CLAUDE_SKILL_DIR}/",
    "$CLAUDE_SKILL_DIR/",
    "${SKILL_DIR}/",
    "$SKILL_DIR/",
    "{baseDir}/",
    "{skill_dir}/",
];

/// Reads the target of a link or an image.
pub(super) fn of_link(text: &str) -> Option<Target> {
    let text = text.trim();
    let path = text.split(['#', '?']).next()?;
    // A colon ends a scheme, a drive letter or a host, and no path that a skill would have.
    if path.contains(':') {
        return None;
    }
    target(&decoded(path)?)
}

/// Reads a word of code, which counts only below one of these folders or the skill's own by name.
pub(super) fn of_word(word: &str, folders: &[&str]) -> Option<Target> {
    let word = word.trim_matches(['"', '\'', ',', ';', '(', ')']).trim_end_matches(['.', ':']);
    if let Some(own) = OWN_FOLDER.iter().find_map(|folder| word.strip_prefix(folder)) {
        return target(own);
    }
    let path = word.strip_prefix("./").unwrap_or(word);
    let (first, _) = path.split_once('/')?;
    folders.contains(&first).then(|| target(path)).flatten()
}

fn target(path: &str) -> Option<Target> {
    let odd = |character: char| {
        character.is_whitespace() || character.is_control() || "{}<>*$|…\"'`\\[]!&=,;()".contains(character)
    };
    if path.is_empty() || path.starts_with(['/', '~', '@', '%', '-']) || path.contains("...") {
        return None;
    }
    if path.chars().any(odd) {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    let mut outside = false;
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.pop().is_some() => {}
            ".." => outside = true,
            part => parts.push(part),
        }
    }
    let (stem, ending) = parts.last()?.rsplit_once('.')?;
    if !ENDINGS.contains(&ending.to_ascii_lowercase().as_str()) || parts.iter().any(|part| stands_in(part)) {
        return None;
    }
    if stem.is_empty() || stands_in(stem) {
        return None;
    }
    Some(if outside { Target::Outside(path.to_owned()) } else { Target::Inside(parts.join("/")) })
}

/// Returns whether a part of a path stands for any other.
fn stands_in(part: &str) -> bool {
    let part = part.to_lowercase();
    let numbered = part.trim_end_matches(|character: char| character.is_ascii_digit());
    STAND_INS.contains(&part.as_str())
        || STAND_INS.contains(&numbered.trim_end_matches(['-', '_']))
        || ["your", "xxx", "yyyy", "placeholder"].iter().any(|word| part.contains(word))
        || part == "to"
}

/// Undoes percent-encoding; `None` where it is none, or not UTF-8.
fn decoded(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let high = char::from(rest.next()?).to_digit(16)?;
            let low = char::from(rest.next()?).to_digit(16)?;
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(path: &str) -> Target {
        Target::Inside(path.to_owned())
    }

    #[test]
    fn links_to_files_are_told_from_everything_else() {
        assert_eq!(of_link("references/a.md"), Some(inside("references/a.md")));
        assert_eq!(of_link("./a.md#part"), Some(inside("a.md")));
        assert_eq!(of_link("a%2Db.md"), Some(inside("a-b.md")));
        assert_eq!(of_link("x/../a.md"), Some(inside("a.md")));
        assert_eq!(of_link("../other/SKILL.md"), Some(Target::Outside("../other/SKILL.md".to_owned())));
        for text in [
            "https://example.invalid/a.md",
            "mailto:a@b.md",
            "#part",
            "/a.md",
            "~/a.md",
            "url",
            "example.com",
            "path/to/file.md",
            "image.png",
            "your-guide.md",
            "{name}.md",
            "<name>.md",
            "*.md",
            "a b.md",
            "...",
            "%zz.md",
            ".md",
            "",
        ] {
            assert_eq!(of_link(text), None, "{text}");
        }
    }

    #[test]
    fn words_of_code_count_below_the_known_folders_only() {
        let folders = ["scripts"];
        assert_eq!(of_word("scripts/x.py", &folders), Some(inside("scripts/x.py")));
        assert_eq!(of_word("\"./scripts/x.py\",", &folders), Some(inside("scripts/x.py")));
        assert_eq!(of_word("${CLAUDE_SKILL_DIR}/lib/x.py", &folders), Some(inside("lib/x.py")));
        for word in
            ["src/x.py", "x.py", "scripts/", "scripts/*.py", "scripts/<name>.py", "--file=scripts/x.py"]
        {
            assert_eq!(of_word(word, &folders), None, "{word}");
        }
    }
}
