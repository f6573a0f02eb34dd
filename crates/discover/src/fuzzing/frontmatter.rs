//! Any bytes as a `SKILL.md`.

use lorimer_core::{Code, Digest};

use super::{check_span, is_boundary};
use crate::frontmatter::yaml::Tree;
use crate::frontmatter::{
    BodyLine, Duplicates, Encoding, FenceRule, Limits, OnInvalidYaml, Outcome, Reading, Syntax, parse,
    read_head,
};

/// Reads bytes by many readings and checks what comes of it.
pub fn frontmatter(bytes: &[u8]) {
    for reading in readings() {
        let outcome = parse(bytes, &reading);
        assert_eq!(outcome, parse(bytes, &reading), "reading twice");
        check_places(bytes, &outcome);
        check_repair(bytes, &reading, &outcome);
        check_fields(&reading, &outcome);
        check_head(bytes, &reading, &outcome);
    }
    let text = String::from_utf8_lossy(bytes);
    check_tree(&text);
    for rule in FENCES {
        if let Some(fenced) = crate::frontmatter::split(&text, rule) {
            check_tree(text.get(fenced.frontmatter).expect("fences lie at characters"));
        }
    }
}

const FENCES: [FenceRule; 5] =
    [FenceRule::Column0, FenceRule::Exact, FenceRule::Trimmed, FenceRule::Minimal, FenceRule::Prefix];

/// The readings that come with the crate, and others in which each policy is at its other values.
fn readings() -> Vec<Reading> {
    let tolerant = Reading {
        fence: FenceRule::Prefix,
        encoding: Encoding::Lossy,
        on_invalid_yaml: OnInvalidYaml::Lines,
        duplicates: Duplicates::LastWins,
        accept_missing_frontmatter: true,
        require_description: false,
        description_from_body: BodyLine::FirstBesidesHeadings,
        strings_only: true,
        wrong_type_is_missing: true,
        keep_blank_text: true,
        fold_whitespace: false,
        max_file_bytes: Some(1 << 20),
        ..Reading::lenient()
    };
    let strict = Reading {
        fence: FenceRule::Exact,
        encoding: Encoding::WholeFile,
        skip_leading_comments: false,
        repair: false,
        on_invalid_yaml: OnInvalidYaml::NoFields,
        duplicates: Duplicates::RejectAll,
        description_from_body: BodyLine::First,
        name_from_folder: false,
        typed_metadata: true,
        max_name_chars: Some(64),
        ..Reading::lenient()
    };
    let lossy = Reading { encoding: Encoding::Lossy, ..Reading::lenient() };
    let lines = Reading { syntax: Syntax::Lines, ..Reading::lenient() };
    let tight = Reading {
        limits: Limits { frontmatter_bytes: Some(256), nodes: 12, depth: 8, expanded: 128, reject: false },
        ..Reading::trimmed_fences()
    };
    vec![
        Reading::default(),
        Reading::trimmed_fences(),
        Reading::minimal(),
        tolerant,
        strict,
        lossy,
        lines,
        tight,
    ]
}

fn check_places(file: &[u8], outcome: &Outcome) {
    for span in outcome.findings.iter().filter_map(|finding| finding.span) {
        check_span(file, &span);
    }
    if let Some(fenced) = &outcome.fenced {
        let places = [fenced.frontmatter.start, fenced.frontmatter.end, fenced.body.start, fenced.body.end];
        assert!(places.is_sorted() && fenced.body.end == file.len(), "{fenced:?} of {} bytes", file.len());
        assert!(places.iter().all(|place| is_boundary(file, *place)), "{fenced:?} cuts a character");
    }
}

/// The repair is a second try: it changes nothing where the first one went well, and says so where it did not.
fn check_repair(file: &[u8], reading: &Reading, outcome: &Outcome) {
    let has = |outcome: &Outcome, code| outcome.findings.iter().any(|finding| finding.code == code);
    let without = parse(file, &Reading { repair: false, ..reading.clone() });
    assert!(!has(&without, Code::FrontmatterRepaired));
    if has(outcome, Code::FrontmatterRepaired) {
        assert!(has(&without, Code::FrontmatterInvalidYaml), "repaired, and it was valid");
    } else {
        assert_eq!(*outcome, without, "changed without a word");
    }
}

fn check_fields(reading: &Reading, outcome: &Outcome) {
    if reading.require_description && outcome.is_accepted() {
        assert!(outcome.description.is_some(), "accepted without a description");
    }
    if !reading.name_from_folder && outcome.is_accepted() {
        assert!(outcome.name.is_some(), "accepted without a name");
    }
    for text in [&outcome.name, &outcome.description].into_iter().flatten() {
        assert!(!text.is_empty());
        let from_body = reading.description_from_body != BodyLine::None;
        if reading.fold_whitespace && !from_body {
            assert_eq!(lorimer_core::text::fold_whitespace(text), *text);
        }
    }
}

/// A file that fits into the first chunk is read as its bytes are.
fn check_head(bytes: &[u8], reading: &Reading, outcome: &Outcome) {
    if bytes.len() >= 4096 {
        return;
    }
    let head = read_head(&mut { bytes }, reading).expect("memory can be read");
    assert_eq!(head.outcome, *outcome);
    assert_eq!(head.bytes_read, bytes.len());
    let end = outcome.fenced.as_ref().map_or(bytes.len(), |fenced| fenced.body.start);
    assert_eq!(Some(head.digest), bytes.get(..end).map(Digest::of));
}

/// Both ways to a tree lead to the same one, whose nodes are stretches of the text.
fn check_tree(text: &str) {
    let tight = Limits { nodes: 12, depth: 8, ..Limits::default() };
    for limits in [Limits::default(), Reading::trimmed_fences().limits, tight] {
        Tree::check(text, &limits);
    }
}
