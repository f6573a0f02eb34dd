//! What counts as a mention in a text.

use std::ops::Range;

/// What counts as a mention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Syntax {
    /// The character in front of a name; ASCII. `$` by default.
    pub sigil: char,
    /// Names that are never mentions, in upper case; compared without case. Common environment variables by
    /// default.
    pub excluded: Vec<String>,
    /// Whether a mention must stand at the start or behind something that is neither letter, digit nor `_`.
    /// `false` by default: `foo$bar` mentions `bar`.
    pub left_boundary: bool,
    /// Whether fenced code blocks are skipped. `false` by default.
    pub skip_fences: bool,
    /// Whether a sigil behind a backslash is ordinary text. `false` by default.
    pub skip_escaped: bool,
}

impl Default for Syntax {
    fn default() -> Self {
        // spec/codex.md 3.1; codex-observed.md section 6.
        let excluded = [
            "PATH",
            "HOME",
            "USER",
            "SHELL",
            "PWD",
            "TMPDIR",
            "TEMP",
            "TMP",
            "LANG",
            "TERM",
            "XDG_CONFIG_HOME",
        ];
        Self {
            sigil: '$',
            excluded: excluded.map(str::to_owned).to_vec(),
            left_boundary: false,
            skip_fences: false,
            skip_escaped: false,
        }
    }
}

impl Syntax {
    /// Returns the syntax in which a mention stands on its own, outside fenced code and not escaped.
    pub fn strict() -> Self {
        Self { left_boundary: true, skip_fences: true, skip_escaped: true, ..Self::default() }
    }

    pub(crate) fn excludes(&self, name: &str) -> bool {
        self.excluded.iter().any(|excluded| excluded.eq_ignore_ascii_case(name))
    }
}

/// One mention, as it stands in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention<'a> {
    /// The name, without its sigil.
    pub name: &'a str,
    /// The path of a linked mention, without white space at its ends.
    pub path: Option<&'a str>,
    /// The bytes of the whole mention.
    pub place: Range<usize>,
}

/// Returns the mentions in `text`, first to last: `$name`, and `[$name](path)`.
///
/// A name is the longest run of ASCII letters, digits, `_`, `-` and `:`. A link that is not well formed is no
/// link, but the name inside it is still a mention. The work is linear in the text.
pub fn mentions<'a>(text: &'a str, syntax: &Syntax) -> Vec<Mention<'a>> {
    let mut found = Vec::new();
    let fences = if syntax.skip_fences { fences(text) } else { Vec::new() };
    let mut fences = fences.into_iter().peekable();
    let mut scanner = Scanner { text, syntax, links_may_close: true };
    let mut place = 0;
    while let Some(character) = text.get(place..).and_then(|rest| rest.chars().next()) {
        if let Some(fence) = fences.next_if(|fence| fence.contains(&place)) {
            place = fence.end;
            continue;
        }
        let mention = match character {
            '[' => scanner.linked(place),
            _ if character == syntax.sigil => scanner.plain(place),
            _ => None,
        };
        match mention {
            Some(mention) => {
                place = mention.place.end;
                if !syntax.excludes(mention.name) {
                    found.push(mention);
                }
            }
            None => place += character.len_utf8(),
        }
    }
    found
}

struct Scanner<'a, 's> {
    text: &'a str,
    syntax: &'s Syntax,
    /// Whether there may be a `)` further on. One vain search for it is enough for the whole text.
    links_may_close: bool,
}

impl<'a> Scanner<'a, '_> {
    fn plain(&self, start: usize) -> Option<Mention<'a>> {
        if self.syntax.skip_escaped && self.is_escaped(start) {
            return None;
        }
        if self.syntax.left_boundary && self.before(start).is_some_and(joins_words) {
            return None;
        }
        let (name, end) = self.name(start)?;
        Some(Mention { name, path: None, place: start..end })
    }

    fn linked(&mut self, start: usize) -> Option<Mention<'a>> {
        if self.syntax.skip_escaped && self.is_escaped(start) {
            return None;
        }
        let sigil = start + 1;
        if !self.text.get(sigil..)?.starts_with(self.syntax.sigil) {
            return None;
        }
        let (name, end) = self.name(sigil)?;
        let rest = self.text.get(end..)?.strip_prefix(']')?;
        let rest = rest.trim_start_matches(|character: char| character.is_ascii_whitespace());
        let target = rest.strip_prefix('(').filter(|_| self.links_may_close)?;
        let Some((path, after)) = target.split_once(')') else {
            self.links_may_close = false;
            return None;
        };
        let path = Some(path.trim()).filter(|path| !path.is_empty())?;
        Some(Mention { name, path: Some(path), place: start..self.text.len() - after.len() })
    }

    /// Returns the name behind the sigil at `sigil`, and where it ends.
    fn name(&self, sigil: usize) -> Option<(&'a str, usize)> {
        let start = sigil + self.syntax.sigil.len_utf8();
        let rest = self.text.get(start..)?;
        let length = rest.bytes().take_while(|byte| is_name_byte(*byte)).count();
        let name = rest.get(..length).filter(|name| !name.is_empty())?;
        Some((name, start + length))
    }

    fn before(&self, place: usize) -> Option<char> {
        self.text.get(..place)?.chars().next_back()
    }

    fn is_escaped(&self, place: usize) -> bool {
        let before = self.text.get(..place).unwrap_or_default();
        (before.len() - before.trim_end_matches('\\').len()) % 2 == 1
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':')
}

fn joins_words(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Returns the fenced code blocks, fences included, as `CommonMark` 0.31 section 4.5 has them at the left margin.
fn fences(text: &str) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, char, usize)> = None;
    let mut place = 0;
    for line in text.split_inclusive('\n') {
        let start = place;
        place += line.len();
        let content = line.trim_start_matches(' ');
        if line.len() - content.len() > 3 {
            continue;
        }
        let Some(mark) = content.chars().next().filter(|mark| matches!(mark, '`' | '~')) else { continue };
        let info = content.trim_start_matches(mark);
        let length = content.len() - info.len();
        match open {
            None if length >= 3 && !(mark == '`' && info.contains('`')) => open = Some((start, mark, length)),
            Some((from, kind, least)) if mark == kind && length >= least && info.trim().is_empty() => {
                blocks.push(from..place);
                open = None;
            }
            _ => {}
        }
    }
    // A fence that is never closed runs to the end of the text.
    blocks.extend(open.map(|(from, ..)| from..text.len()));
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plain_and_linked(text: &str, syntax: &Syntax) -> Vec<String> {
        let shown = |mention: Mention<'_>| match mention.path {
            Some(path) => format!("{}={path}", mention.name),
            None => mention.name.to_owned(),
        };
        mentions(text, syntax).into_iter().map(shown).collect()
    }

    /// Cases M1 to M8 of spec/codex.md 8.4, and the rows of codex-observed.md section 6.
    #[test]
    fn s3_12_mentions_as_the_codex_rules_read_them() {
        let cases: &[(&str, &[&str])] = &[
            ("use $alpha and [$beta](/tmp/beta)", &["alpha", "beta=/tmp/beta"]),
            ("use $PATH and $alpha", &["alpha"]),
            ("[$HOME](/tmp/skill)", &[]),
            ("$XDG_CONFIG_HOME $Home $tmpdir $EDITOR", &["EDITOR"]),
            ("[beta](/tmp/beta)", &[]),
            ("[$beta] /tmp/beta", &["beta"]),
            ("[$beta]()", &["beta"]),
            ("[$beta](  )", &["beta"]),
            ("[$beta](/tmp", &["beta"]),
            ("[$beta]   ( /tmp/beta )", &["beta=/tmp/beta"]),
            ("$alpha.skill and $beta_extra", &["alpha", "beta_extra"]),
            ("$slack:search", &["slack:search"]),
            ("$notion-doc … $notion-docs … $notion-doc_x", &["notion-doc", "notion-docs", "notion-doc_x"]),
            ("$alpha, ($alpha) `$alpha` \"$alpha\" $alpha's", &["alpha"; 5]),
            ("a$alpha $$alpha \\$alpha $alpha$beta", &["alpha", "alpha", "alpha", "alpha", "beta"]),
            ("$alphaé $alpha—go $alpha: $alpha-", &["alpha", "alpha", "alpha:", "alpha-"]),
            ("${alpha} @alpha /alpha alpha $ $é", &[]),
            ("```\n$alpha\n```", &["alpha"]),
        ];
        for (text, expected) in cases {
            assert_eq!(plain_and_linked(text, &Syntax::default()), *expected, "{text}");
        }
        assert!(mentions(&format!("{} text", "$".repeat(256)), &Syntax::default()).is_empty());
    }

    #[test]
    fn strict_mentions_stand_on_their_own() {
        let cases: &[(&str, &[&str])] = &[
            ("foo$alpha é$alpha _$alpha", &[]),
            ("($alpha) \u{2014}$alpha \"$beta\"", &["alpha", "alpha", "beta"]),
            (r"\$alpha \\$beta \\\$gamma", &["beta"]),
            (r"\[$alpha](/a)", &["alpha"]),
            ("```sh\n$alpha\n```\n$beta", &["beta"]),
            ("~~~~\n~~~\n$alpha\n~~~~\n$beta\n```\n$gamma", &["beta"]),
            ("```$alpha``` and $beta", &["alpha", "beta"]),
            ("    ```\n$alpha", &["alpha"]),
        ];
        for (text, expected) in cases {
            assert_eq!(plain_and_linked(text, &Syntax::strict()), *expected, "{text}");
        }
    }

    #[test]
    fn unclosed_links_do_not_make_it_slow() {
        let text = "[$a](".repeat(200_000);
        assert_eq!(mentions(&text, &Syntax::default()).len(), 200_000);
    }

    proptest! {
        /// Never panics; every place is inside the text and holds what it claims; places do not overlap.
        #[test]
        fn places_hold_what_they_claim(text in r"([\[\]$()` \\~\nab:_-]|\PC){0,40}", strict in any::<bool>()) {
            let syntax = if strict { Syntax::strict() } else { Syntax::default() };
            let mut behind = 0;
            for mention in mentions(&text, &syntax) {
                prop_assert!(mention.place.start >= behind);
                behind = mention.place.end;
                let slice = text.get(mention.place.clone()).expect("a place inside the text");
                match mention.path {
                    None => prop_assert_eq!(slice, format!("${}", mention.name)),
                    Some(path) => {
                        let prefix = format!("[${}]", mention.name);
                        prop_assert!(slice.starts_with(&prefix));
                        let inside = slice[prefix.len()..].trim_start().strip_prefix('(');
                        prop_assert_eq!(inside.and_then(|rest| rest.strip_suffix(')')).map(str::trim), Some(path));
                    }
                }
            }
        }
    }
}
