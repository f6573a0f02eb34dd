//! Finds the tests of a source file and the requirements that they claim.

use std::fmt;

use crate::rust;

/// A requirement, `S3-12`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Id {
    pub(super) stage: u8,
    pub(super) number: u8,
}

impl Id {
    /// Reads `S3-12`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (stage, number) = text.strip_prefix('S')?.split_once('-')?;
        Self::of(stage, number)
    }

    fn of(stage: &str, number: &str) -> Option<Self> {
        let digits =
            |text: &str, count: usize| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(stage, 1) || !digits(number, 2) {
            return None;
        }
        Some(Self { stage: stage.parse().ok()?, number: number.parse().ok()? })
    }
}

impl fmt::Display for Id {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "S{}-{:02}", self.stage, self.number)
    }
}

/// A test and the requirements that it claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    pub(super) path: String,
    pub(super) test: String,
    pub(super) ids: Vec<Id>,
}

impl fmt::Display for Claim {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.path, self.test)
    }
}

/// Returns the tests of a file that claim something.
pub(super) fn claims(path: &str, source: &str) -> Vec<Claim> {
    let views = rust::split(source);
    let mut claims = Vec::new();
    let mut pending = Pending::default();
    for (code, comment) in views.code.lines().zip(views.comments.lines()) {
        let (code, comment) = (code.trim(), comment.trim());
        if let Some(doc) = comment.strip_prefix("///") {
            pending.docs.push(doc.trim().to_owned());
        }
        // Blank lines and ordinary comments may stand between an item and what is attached to it.
        if code.is_empty() {
            continue;
        }
        if pending.brackets > 0 || code.starts_with("#[") {
            pending.attribute(code);
            let behind = code.rfind(']').and_then(|end| code.get(end + 1..)).unwrap_or_default();
            if pending.brackets > 0 || function_name(behind).is_none() {
                continue;
            }
        }
        let done = std::mem::take(&mut pending);
        if let Some(name) = function_name(code).filter(|_| done.is_test) {
            let mut ids = ids_in_name(name);
            for id in done.docs.iter().flat_map(|doc| ids_at_start(doc)) {
                if !ids.contains(&id) {
                    ids.push(id);
                }
            }
            if !ids.is_empty() {
                claims.push(Claim { path: path.to_owned(), test: name.to_owned(), ids });
            }
        }
    }
    claims
}

/// What was seen before an item and belongs to it.
#[derive(Default)]
struct Pending {
    docs: Vec<String>,
    is_test: bool,
    /// Open brackets of an attribute that goes over several lines.
    brackets: usize,
}

impl Pending {
    fn attribute(&mut self, code: &str) {
        for attribute in code.split("#[").skip(1) {
            let path = attribute.split([']', '(', ' ']).next().unwrap_or_default();
            self.is_test |= path.rsplit("::").next() == Some("test");
        }
        for character in code.chars() {
            match character {
                '[' => self.brackets += 1,
                ']' => self.brackets = self.brackets.saturating_sub(1),
                _ => {}
            }
        }
    }
}

/// Returns the name of the function that a line declares.
fn function_name(code: &str) -> Option<&str> {
    let start = if code.starts_with("fn ") { 3 } else { code.find(" fn ")? + 4 };
    let rest = code.get(start..)?.trim_start();
    let end = rest.find(|character: char| !character.is_alphanumeric() && character != '_')?;
    rest.get(..end).filter(|name| !name.is_empty())
}

/// Returns the ids in a function's name: `s3_12` anywhere between its underscores.
fn ids_in_name(name: &str) -> Vec<Id> {
    let words: Vec<&str> = name.split('_').collect();
    let pairs = words.iter().zip(words.iter().skip(1));
    pairs.filter_map(|(stage, number)| Id::of(stage.strip_prefix('s')?, number)).collect()
}

/// Returns the ids that a doc comment begins with, up to a colon: `S3-05, S3-14: …`.
fn ids_at_start(doc: &str) -> Vec<Id> {
    let Some((head, _)) = doc.split_once(':') else { return Vec::new() };
    let words = head.split([',', ' ']).filter(|word| !word.is_empty() && *word != "and");
    let ids: Option<Vec<Id>> = words.map(Id::parse).collect();
    ids.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> Vec<String> {
        let claims = claims("f.rs", source);
        claims
            .iter()
            .map(|claim| {
                let ids: Vec<String> = claim.ids.iter().map(ToString::to_string).collect();
                format!("{} {}", claim.test, ids.join(" "))
            })
            .collect()
    }

    #[test]
    fn names_claim_one_or_several() {
        let source = "#[test]\nfn s3_12_a() {}\n#[test]\nfn s3_05_s1_14_b() {}\n#[test]\nfn plain() {}\n";
        assert_eq!(found(source), ["s3_12_a S3-12", "s3_05_s1_14_b S3-05 S1-14"]);
    }

    #[test]
    fn doc_comments_claim_when_they_begin_with_the_ids() {
        let source = "/// S3-05, S3-14: identity.\n/// And S3-01 is prose.\n#[test]\nfn a() {}\n\
                      /// Unlike S3-02: prose.\n#[test]\nfn b() {}\n\
                      #[test]\n/// S0-03 and S0-04: behind the attribute.\nfn c() {}\n";
        assert_eq!(found(source), ["a S3-05 S3-14", "c S0-03 S0-04"]);
    }

    #[test]
    fn only_tests_claim() {
        assert_eq!(found("/// S3-05: a rule.\npub fn s3_05_helper() {}\n"), [""; 0]);
        assert_eq!(found("#[test]\nfn a() {}\n/// S3-05: a rule.\npub(crate) fn b() {}\n"), [""; 0]);
        assert_eq!(found("// S3-05: no doc comment.\n#[test]\nfn a() {}\n"), [""; 0]);
        assert_eq!(found("#[cfg(test)]\nfn s3_05_helper() {}\n"), [""; 0]);
        assert_eq!(found("let source = \"\n#[test]\nfn s3_05_in_a_string() {}\n\";\n"), [""; 0]);
    }

    #[test]
    fn other_attributes_and_proptest_blocks_do_not_hide_a_test() {
        let source = "proptest! {\n    /// S3-10: always.\n    #[test]\n    fn a(x in any::<u8>()) {}\n}\n\
                      #[cfg(unix)]\n#[test]\n#[expect(\n    clippy::x,\n    reason = \"y\"\n)]\nfn s3_11_b() {}\n\
                      #[tokio::test]\nasync fn s3_12_c() {}\n#[test] fn s3_13_d() {}\n";
        assert_eq!(found(source), ["a S3-10", "s3_11_b S3-11", "s3_12_c S3-12", "s3_13_d S3-13"]);
    }

    #[test]
    fn ids_have_one_and_two_digits() {
        for text in ["S3-1", "S3-123", "s3-12", "3-12", "S-12", "S33-12", "S3-1x"] {
            assert_eq!(Id::parse(text), None, "{text}");
        }
        assert_eq!(found("#[test]\nfn s3_1_a_s33_12_b() {}\n"), [""; 0]);
    }
}
