//! Odd files, one after the other, by our own rules.

use std::fmt::Write as _;
use std::io::{self, Read};

use insta::assert_snapshot;
use lorimer_core::Code;
use lorimer_discover::frontmatter::{BodyLine, FenceRule, Limits, OnInvalidYaml, Reading, parse, read_head};
use serde_json::json;

use crate::support::{accepted, findings, lenient, rejected, skill_text, trimmed};

#[test]
fn a_plain_file_has_fields_in_file_order_and_no_findings() {
    let text = "---\nname: a\nlicense: MIT\ndescription: Does a.\nmetadata:\n  version: 1.50\n  tags: [x, y]\n---\nBody\n";
    let outcome = lenient(text);
    assert_eq!(accepted(&outcome), (Some("a"), Some("Does a.")));
    assert_eq!(outcome.fields.keys().collect::<Vec<_>>(), ["name", "license", "description", "metadata"]);
    assert_eq!(outcome.fields["metadata"], json!({"version": "1.50", "tags": ["x", "y"]}));
    let fenced = outcome.fenced.clone().unwrap();
    assert!(text[fenced.frontmatter].starts_with("name: a\n"));
    assert_eq!(&text[fenced.body], "Body\n");
    assert_eq!(findings(&outcome), "");
}

#[test]
fn byte_order_mark_blank_lines_and_comments_are_skipped_with_a_note() {
    let outcome = lenient("\u{feff}---\nname: a\ndescription: d\n---\n");
    assert_eq!(accepted(&outcome), (Some("a"), Some("d")));
    assert_snapshot!(findings(&outcome), @"1:1 note[discover/byte-order-mark]: the file starts with a byte order mark");

    for before in
        ["\n\n", "<!-- made by x -->\n", "<!--\nname: decoy\n---\n-->\n\n", "# made by x\n", " \r\n\r\n"]
    {
        let text = format!("{before}{}", skill_text("a"));
        let outcome = lenient(&text);
        assert_eq!(accepted(&outcome), (Some("a"), Some("Does a.")), "{before:?}");
        assert_eq!(outcome.findings[0].code, Code::FrontmatterMisplaced);
        let span = outcome.findings[0].span.unwrap();
        assert_eq!(&text[span.start..span.end], "---");
    }
}

/// S3-51: a file without frontmatter is said to be one, also where a rule in its body looks like a fence.
#[test]
fn s3_51_no_frontmatter() {
    for text in [
        "",
        "Just text.\n",
        "Intro first.\n\n---\nname: a\ndescription: d\n---\n",
        "----\nname: a\n----\n",
        "+++\nname = 1\n+++\n",
    ] {
        assert_eq!(rejected(&lenient(text)), [Code::FrontmatterMissing], "{text:?}");
    }
    let heading = "# Plain\n\n---\n\nname: trap\ndescription: Text between two rules.\n\n---\n";
    assert_eq!(rejected(&lenient(heading)), [Code::FrontmatterMissing]);
    let between_rules = "# Title\n\n---\nPart: one\n\n---\nPart two.\n";
    assert_eq!(rejected(&lenient(between_rules)), [Code::FrontmatterMissing]);
    let unclosed = lenient("---\nname: a\ndescription: d\n");
    assert_eq!(rejected(&unclosed), [Code::FrontmatterUnclosed]);
    assert_snapshot!(findings(&unclosed), @"1:1 error[discover/frontmatter-unclosed]: the frontmatter is opened here and never closed");
}

#[test]
fn line_ends_of_every_kind() {
    for end in ["\n", "\r\n", "\r"] {
        let text = "---\nname: a\ndescription: >\n  One\n  two.\n---\nBody\n".replace('\n', end);
        let outcome = lenient(&text);
        assert_eq!(accepted(&outcome), (Some("a"), Some("One two.")), "{end:?}");
        assert_eq!(&text[outcome.fenced.unwrap().body], format!("Body{end}"));
    }
    assert_eq!(
        accepted(&lenient("---\nname: a\ndescription: d\n---")),
        (Some("a"), Some("d")),
        "no end at all"
    );
    assert_eq!(accepted(&lenient("---  \nname: a\ndescription: d\n---\t\n")), (Some("a"), Some("d")));
}

#[test]
fn an_indented_rule_in_a_block_scalar_does_not_close() {
    let text = "---\nname: a\ndescription: |\n  One\n  ---\n  two\n---\nText\n---\nname: b\n---\n";
    let outcome = lenient(text);
    assert_eq!(accepted(&outcome), (Some("a"), Some("One --- two")));
    assert_eq!(&text[outcome.fenced.unwrap().body], "Text\n---\nname: b\n---\n");
}

#[test]
fn scalars_keep_their_written_text() {
    for (written, read) in [
        ("1.50", "1.50"),
        ("yes", "yes"),
        ("0x1F", "0x1F"),
        ("true", "true"),
        ("2026-01-02", "2026-01-02"),
        ("'it''s'", "it's"),
        ("\"a\\nb\"", "a b"),
        ("a\n  b\n\n  c", "a b c"),
        ("|\n  a\n  b", "a b"),
        (">-\n  a\n  b", "a b"),
        ("Fix issue #12", "Fix issue"),
        ("a#b", "a#b"),
        ("!important thing", "thing"),
        ("!!str null", "null"),
        ("http://x.invalid:80/z", "http://x.invalid:80/z"),
        ("\ta", "a"),
        ("\u{feff}a", "\u{feff}a"),
    ] {
        let outcome = lenient(format!("---\nname: n\ndescription: {written}\n---\n"));
        assert_eq!(accepted(&outcome).1, Some(read), "{written}");
    }
    let anchored = lenient("---\nname: &n shared\ndescription: *n\n---\n");
    assert_eq!(accepted(&anchored), (Some("shared"), Some("shared")));
    let flow = lenient("---\n{\"name\": \"a\", \"description\": \"d\"}\n---\n");
    assert_eq!(accepted(&flow), (Some("a"), Some("d")));
}

/// S3-51: missing name and description.
#[test]
fn s3_51_missing_fields() {
    for value in ["", " ", " ~", " null", " \"\"", " \"  \"", " # only a comment", " |\n  \n"] {
        let outcome = lenient(format!("---\nname: a\ndescription:{value}\n---\n"));
        assert_eq!(rejected(&outcome), [Code::DescriptionMissing], "{value:?}");
        assert_eq!(outcome.findings[0].span.unwrap().line, 3);
    }
    assert_eq!(rejected(&lenient("---\nname: a\n---\n")), [Code::DescriptionMissing]);
    assert_eq!(rejected(&lenient("---\n---\n")), [Code::DescriptionMissing]);
    assert_eq!(rejected(&lenient("---\nName: a\nDescription: d\n---\n")), [Code::DescriptionMissing]);
    let merged = lenient("---\nx: &x {description: d}\n<<: *x\nname: a\n---\n");
    assert_eq!(rejected(&merged), [Code::DescriptionMissing], "merge keys are not merged");

    let unnamed = lenient("---\nname: ~\ndescription: d\n---\n");
    assert_eq!(accepted(&unnamed), (None, Some("d")));
    assert_snapshot!(findings(&unnamed), @"- note[discover/name-missing]: there is no `name`, so the folder's name is used");
    let strict = Reading { name_from_folder: false, ..Reading::lenient() };
    assert_eq!(rejected(&parse(b"---\ndescription: d\n---\n", &strict)), [Code::NameMissing]);
}

#[test]
fn wrong_types() {
    let list = lenient("---\nname: a\ndescription:\n  - x\n  - y\n---\n");
    assert_eq!(rejected(&list), [Code::FieldWrongType]);
    assert_snapshot!(findings(&list), @"4:3 error[discover/field-wrong-type]: `description` must be text, and this is a list");
    assert_eq!(rejected(&lenient("---\nname: {a: b}\ndescription: d\n---\n")), [Code::FieldWrongType]);
    for text in ["just a string", "- a\n- b", "42"] {
        assert_eq!(
            rejected(&lenient(format!("---\n{text}\n---\n"))),
            [Code::FrontmatterNotMapping],
            "{text}"
        );
    }
}

#[test]
fn lengths_count_characters() {
    let with = |name: usize, description: usize| {
        lenient(format!("---\nname: {}\ndescription: {}\n---\n", "é".repeat(name), "字".repeat(description)))
    };
    assert_eq!(findings(&with(64, 1024)), "");
    let wide = with(65, 10);
    accepted(&wide);
    assert_snapshot!(findings(&wide), @"2:7 warning[discover/name-too-long]: the name has 65 characters, more than 64");
    let strict = trimmed(format!("---\nname: {}\ndescription: d\n---\n", "é".repeat(65)));
    assert_eq!(rejected(&strict), [Code::NameTooLong]);
    let long = with(3, 1025);
    accepted(&long);
    assert_snapshot!(findings(&long), @"3:14 warning[discover/description-too-long]: the description has 1025 characters, more than 1024");
}

#[test]
fn duplicate_keys_reject_only_where_a_reader_knows_them() {
    let known = lenient("---\nname: a\ndescription: one\ndescription: two\n---\n");
    assert_eq!(rejected(&known), [Code::FrontmatterDuplicateKey]);
    assert_snapshot!(findings(&known), @"4:1 error[discover/frontmatter-duplicate-key]: the field `description` stands here a second time");
    let unknown = lenient("---\nname: a\nx: 1\nx: 2\ndescription: d\n---\n");
    assert_eq!(accepted(&unknown), (Some("a"), Some("d")));
    assert_eq!(unknown.fields["x"], json!(2));
    assert_snapshot!(findings(&unknown), @"4:1 warning[discover/frontmatter-duplicate-key]: the field `x` stands here a second time");
}

#[test]
fn plain_values_are_repaired_and_nothing_else() {
    let outcome = lenient(
        "---\nname: a\ndescription: Use when: it's asked: now # not this\nargument-hint: [x] [y]\n---\n",
    );
    assert_eq!(accepted(&outcome), (Some("a"), Some("Use when: it's asked: now")));
    assert_eq!(outcome.fields["argument-hint"], json!("[x] [y]"));
    assert_snapshot!(findings(&outcome), @r"
    3:14 warning[discover/frontmatter-repaired]: a plain value is not valid YAML and was read as if it were quoted
    4:16 warning[discover/frontmatter-repaired]: a plain value is not valid YAML and was read as if it were quoted
    ");
    for value in [
        "\"Quoted\" then more",
        "\"open",
        "- item",
        "*bold*",
        "%x",
        "| text",
        "ends:",
        "one: two\n  three: four",
    ] {
        let outcome = lenient(format!("---\nname: a\ndescription: {value}\n---\n"));
        assert_eq!(rejected(&outcome), [Code::FrontmatterInvalidYaml], "{value}");
    }
}

/// S3-51: bad YAML is reported at its place in the file.
#[test]
fn s3_51_bad_yaml_has_a_place() {
    let tab = lenient("---\r\nname: a\r\ndescription: d\r\nx:\r\n\ty: 1\r\n---\r\n");
    assert_eq!(rejected(&tab), [Code::FrontmatterInvalidYaml]);
    assert_eq!(tab.findings[0].span.unwrap().line, 5);
    let quote = lenient("---\nname: a\ndescription: \"open\n---\n");
    assert_eq!(rejected(&quote), [Code::FrontmatterInvalidYaml]);
    let reference = lenient("---\nname: a\ndescription: d\nglobs: *.py\n---\n");
    assert_eq!(reference.findings[0].span.unwrap().line, 4);
}

/// S1-12, S3-51: what is not UTF-8 is said with its place.
#[test]
fn s1_12_encodings() {
    let latin = lenient(b"---\nname: a\ndescription: caf\xE9\n---\n");
    assert_eq!(rejected(&latin), [Code::EncodingInvalid]);
    assert_snapshot!(findings(&latin), @"3:17 error[discover/encoding-invalid]: byte 0xE9 at offset 28 is not UTF-8");
    let wide: Vec<u8> = "\u{feff}---\nname: a\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_snapshot!(findings(&lenient(&wide)), @"1:1 error[discover/encoding-invalid]: the file is UTF-16 (little endian)");
    let bare: Vec<u8> = "---\nname: a\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(rejected(&lenient(&bare)), [Code::EncodingInvalid]);
    let nul = lenient("---\nname: a\ndescription: a\0b\n---\n");
    assert_snapshot!(findings(&nul), @"3:15 error[discover/frontmatter-invalid-yaml]: control character U+0000 is not allowed in YAML");
    assert_eq!(
        rejected(&lenient("---\nname: a\ndescription: \u{1b}[31m\n---\n")),
        [Code::FrontmatterInvalidYaml]
    );
    assert_eq!(
        accepted(&lenient("---\nname: a\ndescription: \"\\u0007\\e[31m\"\n---\n\0body")).1,
        Some("\u{7}\u{1b}[31m")
    );
}

#[test]
fn a_body_that_is_not_utf8_costs_a_warning_where_it_was_read_anyway() {
    let outcome = lenient(b"---\nname: a\ndescription: d\n---\ncaf\xE9\n");
    assert_eq!(accepted(&outcome), (Some("a"), Some("d")));
    assert_snapshot!(findings(&outcome), @"5:4 warning[discover/encoding-invalid]: byte 0xE9 at offset 34 is not UTF-8");
    assert_eq!(
        findings(&lenient(b"---\nname: a\ndescription: d\n---\ncaf\xC3")),
        "",
        "a chunk may end in a character"
    );
}

#[test]
fn alias_bombs_and_self_references_are_bounded() {
    let mut bomb = "---\nname: a\ndescription: d\nk0: &k0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let previous = level - 1;
        writeln!(bomb, "k{level}: &k{level} [{}]", vec![format!("*k{previous}"); 9].join(", ")).unwrap();
    }
    bomb += "---\n";
    assert_eq!(rejected(&lenient(&bomb)), [Code::FrontmatterTooLarge]);
    let outcome = parse(bomb.as_bytes(), &Reading::trimmed_fences());
    assert_eq!(accepted(&outcome), (Some("a"), Some("d")), "a reader may just leave such values out");

    let circle = lenient("---\nname: a\ndescription: d\nx: &x [*x]\n---\n");
    assert_eq!(rejected(&circle), [Code::FrontmatterTooLarge]);
    let deep = format!("---\nname: a\ndescription: d\nx: {}{}\n---\n", "[".repeat(200), "]".repeat(200));
    assert_eq!(rejected(&lenient(&deep)), [Code::FrontmatterTooLarge]);
    let many = format!("---\nname: a\ndescription: d\nx: [{}]\n---\n", "y, ".repeat(20_000));
    assert_eq!(rejected(&lenient(&many)), [Code::FrontmatterTooLarge]);
}

#[test]
fn frontmatter_has_a_size_limit() {
    let reading = Reading {
        limits: Limits { frontmatter_bytes: Some(10_000), ..Limits::default() },
        ..Reading::lenient()
    };
    let padded = |bytes: usize| format!("---\npad: {}\nname: a\ndescription: d\n---\n", "x".repeat(bytes));
    assert_eq!(accepted(&parse(padded(9_000).as_bytes(), &reading)).0, Some("a"));
    assert_eq!(rejected(&parse(padded(10_001).as_bytes(), &reading)), [Code::FrontmatterTooLarge]);
    let head = read_head(&mut padded(10_000_000).as_bytes(), &reading).unwrap();
    assert_eq!(rejected(&head.outcome), [Code::FrontmatterTooLarge]);
    assert!(head.bytes_read < 40_000, "{} bytes were read", head.bytes_read);
    let huge = parse(padded(4 << 20).as_bytes(), &Reading::trimmed_fences());
    assert_eq!(accepted(&huge).0, Some("a"), "without a limit, size is no trouble");
}

/// Counts what is read, and hands it out in small pieces.
struct Counted<R> {
    inner: R,
    bytes: usize,
    piece: usize,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let piece = self.piece.min(buffer.len());
        let read = self.inner.read(&mut buffer[..piece])?;
        self.bytes += read;
        Ok(read)
    }
}

/// S1-11: metadata never costs a body.
#[test]
fn s1_11_a_body_of_10_mb_is_not_read() {
    let file = skill_text("a").into_bytes();
    for (piece, most) in [(usize::MAX, 4096), (1000, 1000)] {
        let mut reader = Counted { inner: file.chain(io::repeat(b'x').take(10 << 20)), bytes: 0, piece };
        let head = read_head(&mut reader, &Reading::lenient()).unwrap();
        assert_eq!(accepted(&head.outcome), (Some("a"), Some("Does a.")));
        assert!(reader.bytes <= most, "{} bytes were read", reader.bytes);
        assert_eq!(head.bytes_read, reader.bytes);
    }
    // A frontmatter that is longer than the first chunk is read to its end, in any pieces.
    let long = format!("---\npad: {}\nname: a\ndescription: d\n---\n", "x".repeat(100_000));
    let mut reader =
        Counted { inner: long.as_bytes().chain(io::repeat(b'x').take(10 << 20)), bytes: 0, piece: 777 };
    let head = read_head(&mut reader, &Reading::lenient()).unwrap();
    assert_eq!(accepted(&head.outcome).0, Some("a"));
    assert!(reader.bytes < 140_000, "{} bytes were read", reader.bytes);
}

#[test]
fn the_digest_covers_the_metadata_and_not_the_body() {
    let digest = |text: &str| read_head(&mut text.as_bytes(), &Reading::lenient()).unwrap().digest;
    assert_eq!(digest(&skill_text("a")), digest(&(skill_text("a") + "more")));
    assert_ne!(digest(&skill_text("a")), digest(&skill_text("b")));
}

#[test]
fn hidden_characters_are_reported_and_refused_in_a_name() {
    let body = lenient("\u{feff}---\nname: a\ndescription: d\n---\nrun \u{202e}evil\u{202c} now\n");
    accepted(&body);
    assert_snapshot!(findings(&body), @r"
    1:1 note[discover/byte-order-mark]: the file starts with a byte order mark
    5:5 warning[discover/hidden-characters]: the file has invisible characters: U+202E, U+202C
    ");
    let name = lenient("---\nname: ab\u{202e}cd\ndescription: d\n---\n");
    assert_eq!(rejected(&name), [Code::NameInvalid]);
    accepted(&parse("---\nname: ab\u{202e}cd\ndescription: d\n---\n".as_bytes(), &Reading::trimmed_fences()));
}

#[test]
fn other_dialects_take_what_they_find() {
    let body_line = Reading {
        accept_missing_frontmatter: true,
        description_from_body: BodyLine::First,
        on_invalid_yaml: OnInvalidYaml::NoFields,
        wrong_type_is_missing: true,
        ..Reading::lenient()
    };
    for (text, description) in [
        ("# Title here\n\nText", Some("Title here")),
        ("---\nname: a\n---\n\n##   Do it ##\n", Some("Do it ##")),
        ("#\n\nText", Some("#")),
        ("#mark\n", Some("#mark")),
        ("---\nname: \"open\n---\nFirst.\n", Some("First.")),
        ("---\ndescription: [x]\n---\nFirst.\n", Some("First.")),
        ("---\ndescription: d\n---\nFirst.\n", Some("d")),
    ] {
        let outcome = parse(text.as_bytes(), &body_line);
        assert_eq!(accepted(&outcome).1, description, "{text}");
    }
    let short = Reading { body_line_units: Some(8), ..body_line.clone() };
    for (text, description) in [("12345678", "12345678"), ("123456789", "12345..."), ("1234🍵789", "1234...")]
    {
        assert_eq!(accepted(&parse(text.as_bytes(), &short)).1, Some(description), "{text}");
    }
    let reading = Reading { description_from_body: BodyLine::FirstBesidesHeadings, ..Reading::lenient() };
    assert_eq!(accepted(&parse(b"---\nname: a\n---\n# T\n\nText\n", &reading)).1, Some("Text"));
    let lines = Reading { on_invalid_yaml: OnInvalidYaml::Lines, repair: false, ..Reading::lenient() };
    assert_eq!(accepted(&parse(b"---\nname: a\ndescription: x: y\n---\n", &lines)).1, Some("x: y"));
    let quoted = Reading { repair_starts: &['*', '%'], ..Reading::lenient() };
    assert_eq!(accepted(&parse(b"---\nname: a\ndescription: *x* y\nz: %d\n---\n", &quoted)).1, Some("*x* y"));
    let exact = Reading { fence: FenceRule::Exact, ..Reading::lenient() };
    assert_eq!(accepted(&parse(b"---\r\nname: a\r\ndescription: d\r\n---", &exact)).1, Some("d"));
    assert_eq!(rejected(&parse(b"--- \nname: a\ndescription: d\n---\n", &exact)), [Code::FrontmatterMissing]);
    let strings = Reading { strings_only: true, ..Reading::lenient() };
    assert_eq!(rejected(&parse(b"---\nname: a\ndescription: 42\n---\n", &strings)), [Code::FieldWrongType]);
    assert_eq!(accepted(&parse(b"---\nname: a\ndescription: '42'\n---\n", &strings)).1, Some("42"));
}
