//! The two other dialects that come with the crate.

use lorimer_core::{Code, Digest};
use lorimer_discover::frontmatter::{
    BodyLine, Encoding, FenceRule, NameRule, OnInvalidYaml, OtherValues, Reading, YesNo, parse, read_head,
    split,
};

use crate::support::{accepted, rejected, trimmed};

fn minimal(text: &str) -> (Option<String>, Option<String>, String) {
    let outcome = parse(text.as_bytes(), &Reading::minimal());
    assert!(outcome.is_accepted());
    let body = outcome.fenced.map_or(text, |fenced| &text[fenced.body]);
    (outcome.name, outcome.description, body.trim().to_owned())
}

/// S1-08, S1-09: the minimal frontmatter, with every quirk of it.
#[test]
fn s1_08_s1_09_minimal_frontmatter() {
    let some = |text: &str| Some(text.to_owned());
    let body = |text: &str| text.to_owned();
    assert_eq!(
        minimal("---\nname: a\ndescription: b: c # d\n---\n\n Body \n\n"),
        (some("a"), some("b: c # d"), body("Body")),
        "a value runs from the first colon to the end of the line"
    );
    assert_eq!(minimal("---\nname: a\n---"), (some("a"), None, String::new()));
    assert_eq!(
        minimal("---\nname: a\n---x y\n"),
        (some("a"), None, body("x y")),
        "what follows the marker stays"
    );
    assert_eq!(minimal("---\n a \n ---\n---\nB").2, "B", "an indented marker does not close");
    for whole in [
        "No frontmatter",
        "---\r\nname: a\r\n---\r\nB",
        "\u{feff}---\nname: a\n---\nB",
        "--- \nname: a\n---\nB",
        "---\n---\nBody",
        "---\nname: a\nB",
    ] {
        assert_eq!(minimal(whole), (None, None, body(whole.trim())), "{whole:?}: the whole text is body");
    }
    let lossy = parse(b"---\nname: caf\xE9\n---\nB", &Reading::minimal());
    assert_eq!(accepted(&lossy).0, Some("caf\u{fffd}"));
}

/// Places are those of the file, also where a bad byte takes more room as the character that it is read as.
#[test]
fn a_lossy_reading_tells_places_of_the_file() {
    let file = b"---\nname: caf\xE9\nx: \xFF\xFE\n---\nBody \x80";
    let outcome = parse(file, &Reading::minimal());
    let fenced = outcome.fenced.unwrap();
    assert_eq!((&file[fenced.frontmatter], &file[fenced.body]), (&file[4..20], &b"\nBody \x80"[..]));
    let head = read_head(&mut &file[..], &Reading::minimal()).unwrap();
    assert_eq!(head.digest, Digest::of(&file[..24]), "of the bytes up to the end of the frontmatter");
    let lossy = Reading { encoding: Encoding::Lossy, ..Reading::lenient() };
    let outcome = parse(b"---\nname: a\nx: \xFF\xFF\xFF: y\ndescription: [\n---\n", &lossy);
    let span = outcome.findings[0].span.unwrap();
    assert_eq!((span.start, span.end, span.line, span.column), (15, 21, 3, 4));
}

/// S1-08: a finding about a value points at it, whatever blanks stand around it.
#[test]
fn s1_08_the_place_of_a_value_in_a_line() {
    let reading = Reading { max_name_chars: Some(2), ..Reading::minimal() };
    for text in ["---\nname:  \u{e9}bc \t\ndescription: d\n---\n", "---\nname:  \u{e9}bc\u{3000}\r\n\n---\n"]
    {
        let outcome = parse(text.as_bytes(), &reading);
        let span = outcome.findings[0].span.unwrap();
        assert_eq!(&text[span.start..span.end], "\u{e9}bc", "{:?}", outcome.findings);
    }
}

/// S1-08: the marker counts from byte 4 on.
#[test]
fn s1_08_offsets() {
    let split = |text| split(text, FenceRule::Minimal).map(|fenced| (fenced.frontmatter, fenced.body));
    assert_eq!(split("---\n\n---\nB"), Some((4..4, 8..10)));
    assert_eq!(split("---\n---\nB"), None);
    assert_eq!(split("---\na\n---"), Some((4..5, 9..9)));
}

#[test]
fn trimmed_fences_close_wherever_a_line_is_a_fence() {
    assert_eq!(accepted(&trimmed("---\nname: a\ndescription: |\n  x\n  ---\n  y\n---\nB")).1, Some("x"));
    assert_eq!(accepted(&trimmed(" --- \nname: a\ndescription: d\n\u{a0}---\t\nB")).0, Some("a"));
    assert_eq!(accepted(&trimmed("---\r\nname: a\r\ndescription: x: y\r\n---\r\n")).1, Some("x: y"));
    for missing in [
        "",
        "---\n---\n",
        "\u{feff}---\nname: a\ndescription: d\n---\n",
        "\n---\nname: a\ndescription: d\n---\n",
        "# c\n---\nname: a\ndescription: d\n---\n",
        "---\rname: a\rdescription: d\r---\rB",
        "----\nname: a\n----\n",
    ] {
        assert_eq!(rejected(&trimmed(missing)), [Code::FrontmatterMissing], "{missing:?}");
    }
    assert_eq!(rejected(&trimmed("---\nname: a\ndescription: d\n")), [Code::FrontmatterUnclosed]);
    assert_eq!(rejected(&trimmed("---\nname: a\ndescription: d\n...\n")), [Code::FrontmatterUnclosed]);
    assert_eq!(rejected(&trimmed("---\n\n---\n")), [Code::DescriptionMissing]);
}

#[test]
fn trimmed_fences_know_typed_metadata_and_old_line_ends() {
    let with = |rest: &str| trimmed(format!("---\nname: a\ndescription: d\n{rest}\n---\n"));
    assert_eq!(rejected(&with("metadata: hello")), [Code::FieldWrongType]);
    assert_eq!(rejected(&with("metadata:\n  - a")), [Code::FieldWrongType]);
    assert_eq!(rejected(&with("metadata:\n  short-description: [a]")), [Code::FieldWrongType]);
    assert_eq!(rejected(&with("metadata: {}\nmetadata: {}")), [Code::FrontmatterDuplicateKey]);
    for fine in ["metadata:", "metadata:\n  short-description: 5", "x: 1\nx: 2", "metadata: {a: 1, a: 2}"] {
        accepted(&with(fine));
    }
    assert_eq!(
        rejected(&trimmed("---\nname: a\ndescription: b\u{2028}c\n---\n")),
        [Code::FrontmatterInvalidYaml]
    );
    assert_eq!(accepted(&trimmed("---\nname: a\ndescription: b\u{2028}  c\n---\n")).1, Some("b c"));
    assert_eq!(
        accepted(&parse("---\nname: a\ndescription: b\u{2028}c\n---\n".as_bytes(), &Reading::lenient())).1,
        Some("b c")
    );
}

/// S1-12: one bad byte anywhere, even far behind the frontmatter, rejects the file.
#[test]
fn s1_12_whole_file_encoding() {
    let mut bytes = b"---\nname: a\ndescription: d\n---\n".to_vec();
    bytes.resize(2 << 20, b'x');
    accepted(&trimmed(&bytes));
    bytes.push(0xFF);
    let outcome = trimmed(&bytes);
    assert_eq!(rejected(&outcome), [Code::EncodingInvalid]);
    assert_eq!(outcome.findings[0].span.unwrap().start, 2 << 20);
}

#[test]
fn the_splitter_follows_a_readings_start_rules() {
    let text = "\u{feff}<!-- c -->\n---\nname: a\n---\nBody";
    assert_eq!(split(text, FenceRule::Column0), None);
    let fenced = Reading::lenient().split(text).unwrap();
    assert_eq!(&text[fenced.frontmatter], "name: a\n");
    assert_eq!(&text[fenced.body], "Body");
    let prefix = split("---title\nname: a\n---more", FenceRule::Prefix).unwrap();
    assert_eq!((prefix.frontmatter, prefix.body), (4..16, 20..24));
    for (text, frontmatter) in [("---\u{e9}x\n---", 5..6), ("---\u{1f375}\n---", 7..7), ("---\n---", 3..3)] {
        let prefix = split(text, FenceRule::Prefix).unwrap();
        assert_eq!(prefix.frontmatter, frontmatter, "{text:?} is cut between characters");
    }
}

/// A file cannot make its own diagnostics cost more than reading it.
#[test]
fn a_flood_of_repairs_is_told_only_at_its_beginning() {
    let outcome = trimmed(format!("---\nname: a\ndescription: d\n{}---\n", "x: y: z\n".repeat(50_000)));
    accepted(&outcome);
    assert!(outcome.findings.len() < 100, "{} findings", outcome.findings.len());
}

fn name_of(text: &str, reading: &Reading) -> Result<Option<String>, Vec<Code>> {
    let outcome = parse(text.as_bytes(), reading);
    if outcome.is_accepted() { Ok(outcome.name) } else { Err(rejected(&outcome)) }
}

#[test]
fn names_are_what_the_reading_wants() {
    let file = |name: &str| format!("---\nname: \"{name}\"\ndescription: d\n---\n");
    let kebab = Reading { name_rule: NameRule::Kebab, ..Reading::lenient() };
    let markup =
        Reading { name_rule: NameRule::NoMarkup, mind_hidden_characters: false, ..Reading::lenient() };
    for (name, is_kebab, no_markup) in [
        ("a-b1", true, true),
        ("A", false, true),
        ("a--b", false, true),
        ("-a", false, true),
        ("a_b", false, true),
        ("caf\u{e9}", false, true),
        ("a<b", false, false),
        ("a\u{a0}b", false, false),
        ("a\u{200b}b", false, false),
    ] {
        assert_eq!(name_of(&file(name), &kebab).is_ok(), is_kebab, "{name}");
        let keeps_space = Reading { fold_whitespace: false, ..markup.clone() };
        assert_eq!(name_of(&file(name), &keeps_space).is_ok(), no_markup, "{name}");
    }
    let folder = Reading { name_is_folder: true, ..Reading::lenient() };
    assert_eq!(name_of(&file("a"), &folder), Ok(None), "the name in the file is a label");
    let blank = Reading { keep_blank_name: true, fold_whitespace: false, ..Reading::lenient() };
    assert_eq!(name_of(&file("  "), &blank), Ok(Some("  ".to_owned())));
    let both = parse(b"---\nname: a\ndescription: \"  \"\n---\n", &blank);
    assert_eq!(rejected(&both), [Code::DescriptionMissing], "a blank description is none all the same");
}

#[test]
fn other_values_are_text_where_the_reading_says_so() {
    let read = |value: &str, other_values| {
        let reading = Reading { other_values, ..Reading::lenient() };
        name_of(&format!("---\nname: {value}\ndescription: d\n---\n"), &reading)
    };
    for (value, json, python) in [
        ("[a, 1]", Some("[\"a\",1]"), Some("['a', 1]")),
        ("null", Some("null"), Some("None")),
        ("", None, Some("None")),
        ("on", Some("on"), Some("True")),
    ] {
        assert_eq!(read(value, OtherValues::JsonText), Ok(json.map(str::to_owned)), "{value}");
        assert_eq!(read(value, OtherValues::PythonText), Ok(python.map(str::to_owned)), "{value}");
    }
    assert_eq!(read("[a, 1]", OtherValues::Wrong), Err(vec![Code::FieldWrongType]));
}

#[test]
fn files_that_are_no_text_count_as_the_reading_says() {
    let bytes = b"---\nname: caf\xE9\ndescription: d\n---\n";
    let loose = Reading {
        encoding: Encoding::FieldsOrNone,
        accept_missing_frontmatter: true,
        require_description: false,
        ..Reading::lenient()
    };
    assert_eq!(accepted(&parse(bytes, &loose)), (None, None), "a file without any field");
    let probing = Reading { binary_probe_bytes: Some(40), ..Reading::lenient() };
    let nul = b"---\nname: a\ndescription: d\n---\nbody\0";
    assert_eq!(rejected(&parse(nul, &probing)), [Code::EncodingInvalid]);
    assert_eq!(accepted(&parse(nul, &Reading { binary_probe_bytes: Some(8), ..probing })).0, Some("a"));
    let control = "---\nname: a\ndescription: b\u{1}c\n---\n";
    assert_eq!(name_of(control, &Reading::lenient()), Err(vec![Code::FrontmatterInvalidYaml]));
    let lines = Reading { on_invalid_yaml: OnInvalidYaml::Lines, ..Reading::lenient() };
    assert_eq!(name_of(control, &lines), Ok(Some("a".to_owned())));
}

#[test]
fn an_opening_line_may_be_text_and_a_closing_one_must_end() {
    let split =
        |text: &str| split(text, FenceRule::OpenText).map(|fenced| text[fenced.frontmatter].to_owned());
    assert_eq!(split("---\nname: a\n---\nB").as_deref(), Some("\nname: a"));
    assert_eq!(split("---title\nname: a\n--- \t\nB").as_deref(), Some("title\nname: a"));
    assert_eq!(split("---\r\nname: a\r\n---\r\nB").as_deref(), Some("\r\nname: a"));
    assert_eq!(split("---\n---\nB").as_deref(), Some(""));
    for none in ["---\nname: a\n---", "---\nname: a\n ---\n", "--\n---\n", "---\nname: a\n----\n", "---"] {
        assert_eq!(split(none), None, "{none:?}");
    }
}

/// As PyYAML reads what it gets of a file: what ends the last value is the fence's.
#[test]
fn a_block_that_the_fence_ends_has_no_line_feed() {
    let python =
        Reading { other_values: OtherValues::PythonStrings, fold_whitespace: false, ..Reading::lenient() };
    let python = Reading { fence: FenceRule::OpenText, ..python };
    let description = |text: &str| parse(text.as_bytes(), &python).description;
    for style in ["|", ">", "|+"] {
        let last = description(&format!("---\nname: a\ndescription: {style}\n  one\n---\n"));
        assert_eq!(last.as_deref(), Some("one"), "{style}");
        let inner = description(&format!("---\ndescription: {style}\n  one\nname: a\n---\n"));
        assert_eq!(inner.as_deref(), Some("one\n"), "{style}");
    }
}

#[test]
fn only_the_beginning_is_parsed_where_the_reading_says_so() {
    let reading = |parsed| Reading {
        parsed_chars: Some(parsed),
        encoding: Encoding::WholeFile,
        accept_missing_frontmatter: true,
        require_description: false,
        description_from_body: BodyLine::FirstBesidesHeadings,
        fence: FenceRule::OpenText,
        ..Reading::lenient()
    };
    let text = "---\r\nname: é\r\ndescription: d\r\n---\r\nbody\r\n";
    let chars = text.replace("\r\n", "\n").chars().count();
    let read = |parsed| parse(text.as_bytes(), &reading(parsed));
    assert_eq!(accepted(&read(chars - 5)), (Some("é"), Some("d")));
    assert_eq!(accepted(&read(chars - 6)), (None, Some("---")), "the fence is not there any more");
}

#[test]
fn yes_and_no_are_read_as_the_reading_says() {
    let folder = crate::support::Folder::new();
    let choosable = |value: &str, yes_no| {
        let text = format!("---\nname: a\ndescription: d\nuser-invocable: {value}\n---\n");
        folder.write("a/SKILL.md", text);
        let reading = Reading { yes_no, ..Reading::lenient() };
        let scan = lorimer_discover::Source::scan(
            &folder.source(reading, lorimer_discover::WalkPolicy::default()),
            &lorimer_discover::ScanRequest::default(),
        );
        scan.skills.first().map(|skill| skill.policy.user_invocable)
    };
    for (value, plain, words, or_no, or_reject) in [
        ("false", Some(false), Some(false), Some(false), Some(false)),
        ("Off", Some(true), Some(false), Some(false), Some(false)),
        ("0", Some(true), Some(false), Some(false), Some(false)),
        ("maybe", Some(true), Some(true), Some(false), None),
        ("\"\"", Some(true), Some(true), Some(false), None),
        ("true", Some(true), Some(true), Some(true), Some(true)),
    ] {
        assert_eq!(choosable(value, YesNo::TrueFalse), plain, "{value}");
        assert_eq!(choosable(value, YesNo::Words), words, "{value}");
        assert_eq!(choosable(value, YesNo::WordsOrNo), or_no, "{value}");
        assert_eq!(choosable(value, YesNo::WordsOrReject), or_reject, "{value}");
    }
    assert_eq!(
        choosable("true\nuserInvocable: false", YesNo::WordsOrReject),
        None,
        "a misspelt key is no key"
    );
}
