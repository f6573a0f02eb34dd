//! What holds for any input.

use lorimer_core::{Code, Digest};
use lorimer_discover::frontmatter::{Encoding, FenceRule, Outcome, Reading, parse, read_head, split};
use lorimer_discover::openai;
use proptest::prelude::*;

fn readings() -> [Reading; 4] {
    let lossy = Reading { encoding: Encoding::Lossy, ..Reading::lenient() };
    [Reading::lenient(), Reading::trimmed_fences(), Reading::minimal(), lossy]
}

/// Text that looks like frontmatter often enough to reach every branch.
fn almost_yaml() -> impl Strategy<Value = String> {
    let token = prop_oneof![
        Just("---"),
        Just("\n"),
        Just("\r\n"),
        Just("\r"),
        Just("name:"),
        Just("description:"),
        Just(" "),
        Just("x"),
        Just(": "),
        Just("'"),
        Just("\""),
        Just("["),
        Just("]"),
        Just("{"),
        Just("}"),
        Just("|"),
        Just(">"),
        Just("- "),
        Just("&a "),
        Just("*a"),
        Just("#"),
        Just("<!--"),
        Just("-->"),
        Just("\t"),
        Just("\u{feff}"),
        Just("é"),
        Just("\u{2028}"),
        Just("!t "),
        Just("~"),
        Just("\0"),
        Just("@"),
        Just("`"),
        Just("?"),
        Just("%"),
    ];
    prop::collection::vec(token, 0..40).prop_map(|tokens| tokens.concat())
}

/// Returns whether every place that an outcome names is one of the file.
fn places_lie_inside(outcome: &Outcome, file: &[u8]) -> bool {
    let spans = outcome.findings.iter().filter_map(|finding| finding.span);
    let lines = spans.clone().all(|span| span.line >= 1 && span.column >= 1);
    let fences = outcome.fenced.iter().flat_map(|fenced| [fenced.frontmatter.clone(), fenced.body.clone()]);
    let mut places = spans.map(|span| span.start..span.end).chain(fences);
    lines
        && match std::str::from_utf8(file) {
            // Text is cut only between characters.
            Ok(text) => places.all(|place| text.get(place).is_some()),
            Err(_) => places.all(|place| file.get(place).is_some()),
        }
}

/// Where one line break stands for several characters, no place lies inside of one (found by the property below).
#[test]
fn places_behind_unicode_line_breaks_lie_between_characters() {
    for text in ["- #\u{2028}", "k: [\u{2029}", "\u{2028}- a", "a: \"\u{85}", "a: b: c\u{2028}d: e: f"] {
        let text = format!("---\nname: n\ndescription: d\n{text}\n---\nbody");
        for reading in readings() {
            let outcome = parse(text.as_bytes(), &reading);
            assert!(places_lie_inside(&outcome, text.as_bytes()), "{text:?}: {outcome:?}");
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for reading in readings() {
            prop_assert!(places_lie_inside(&parse(&bytes, &reading), &bytes));
        }
        let _ = openai::parse(&bytes, std::path::Path::new("/s"));
    }

    #[test]
    fn almost_yaml_is_read_without_panic(text in almost_yaml(), fenced in any::<bool>()) {
        let text = if fenced { format!("---\nname: n\ndescription: d\n{text}\n---\nbody") } else { text };
        for reading in readings() {
            prop_assert!(places_lie_inside(&parse(text.as_bytes(), &reading), text.as_bytes()));
        }
    }

    /// A file is mostly text, and then some of it is no text.
    #[test]
    fn text_with_bad_bytes_is_read_with_its_places(
        text in almost_yaml(),
        bad in prop::collection::vec((any::<prop::sample::Index>(), prop::collection::vec(0x80_u8.., 1..4)), 0..4),
    ) {
        let mut bytes = format!("---\nname: n\ndescription: d\n{text}\n---\nbody").into_bytes();
        for (place, bad) in bad {
            let place = place.index(bytes.len());
            bytes.splice(place..place, bad);
        }
        for reading in readings() {
            let outcome = parse(&bytes, &reading);
            prop_assert!(places_lie_inside(&outcome, &bytes), "{:?}", outcome);
            prop_assert_eq!(parse(&bytes, &reading), outcome);
            let head = read_head(&mut bytes.as_slice(), &reading).unwrap();
            let end = head.outcome.fenced.as_ref().map_or(bytes.len(), |fenced| fenced.body.start);
            prop_assert_eq!(head.digest, Digest::of(&bytes[..end]));
        }
    }

    /// Places are also right behind what was repaired, and where a file is not accepted.
    #[test]
    fn a_repair_is_told_and_only_where_something_was_wrong(text in almost_yaml()) {
        let text = format!("---\nname: n\ndescription: d\n{text}\n---\n");
        for reading in readings() {
            let has = |outcome: &Outcome, code| outcome.findings.iter().any(|finding| finding.code == code);
            let with = parse(text.as_bytes(), &reading);
            let without = parse(text.as_bytes(), &Reading { repair: false, ..reading.clone() });
            if has(&with, Code::FrontmatterRepaired) {
                prop_assert!(has(&without, Code::FrontmatterInvalidYaml));
            } else {
                prop_assert_eq!(with, without);
            }
        }
    }

    #[test]
    fn fences_lie_inside_and_in_order(text in almost_yaml()) {
        let others = [FenceRule::Exact, FenceRule::Trimmed, FenceRule::Minimal, FenceRule::Prefix];
        for rule in [FenceRule::Column0].into_iter().chain(others) {
            if let Some(fenced) = split(&text, rule) {
                prop_assert!(fenced.frontmatter.start <= fenced.frontmatter.end);
                prop_assert!(fenced.frontmatter.end <= fenced.body.start);
                prop_assert_eq!(fenced.body.end, text.len());
                prop_assert!(text.get(fenced.frontmatter).is_some() && text.get(fenced.body).is_some());
            }
        }
    }

    /// The repair is a second try: it never touches a document that parses.
    #[test]
    fn repair_never_changes_what_parses(text in almost_yaml()) {
        let text = format!("---\nname: n\ndescription: d\n{text}\n---\n");
        for reading in readings() {
            let without = parse(text.as_bytes(), &Reading { repair: false, ..reading.clone() });
            if without.is_accepted() {
                prop_assert_eq!(parse(text.as_bytes(), &reading), without);
            }
        }
    }

    /// Reading a file in chunks gives what reading it as a whole does.
    #[test]
    fn the_head_of_a_file_says_the_same_as_the_file(text in almost_yaml(), padding in 0_usize..9000) {
        let text = format!("{text}\npad: {}\n---\n{}", "x".repeat(padding), "y".repeat(10_000));
        for reading in readings() {
            let head = read_head(&mut text.as_bytes(), &reading).unwrap();
            let whole = parse(text.as_bytes(), &reading);
            prop_assert_eq!(&head.outcome.name, &whole.name);
            prop_assert_eq!(&head.outcome.fields, &whole.fields);
            prop_assert_eq!(&head.outcome.findings, &whole.findings);
        }
    }

    /// A description never adds a line, whatever is in it.
    #[test]
    fn a_folded_description_is_one_line(text in any::<String>()) {
        let quoted = serde_json::Value::String(text).to_string();
        let outcome = parse(format!("---\nname: n\ndescription: {quoted}\n---\n").as_bytes(), &Reading::lenient());
        if let Some(description) = outcome.description {
            let broken = description.contains(['\n', '\r', '\u{2028}', '\u{85}']);
            prop_assert!(!broken);
        }
        prop_assert!(outcome.findings.iter().all(|finding| finding.code != Code::FrontmatterRepaired));
    }
}
