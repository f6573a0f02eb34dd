//! Our reader and `gray_matter`, held against each other.

use std::fmt::Write as _;

use gray_matter::{Matter, ParsedEntity, Pod};
use lorimer_discover::SkillYaml;
use lorimer_discover::frontmatter::Reading;
use serde_json::Value;

use crate::support::{findings, lenient};

fn by_gray_matter(text: &str) -> Option<ParsedEntity> {
    Matter::<SkillYaml>::new().parse(text).ok()
}

fn json(pod: &Pod) -> Value {
    pod.deserialize().unwrap()
}

/// On well-formed input, both splitters and the one engine give the same mapping.
#[test]
fn well_formed_files_give_the_same_mapping() {
    let fields = [
        "name: a\ndescription: Does a.",
        "name: a\ndescription: |\n  One\n  two\nlicense: MIT",
        "name: 'a'\ndescription: \"b: c\"\nmetadata:\n  version: 1.50\n  tags:\n    - x\n    - y: [1, true, ~]",
        "name: &n a\ndescription: *n",
        "{name: a, description: d}",
        "description: >-\n  a\n\n  b\nname: 1.5\nn: -3\nx: 0x1F\ny: yes\nz: .inf",
        "# c\nname: a # b\n\ndescription: first\n  second",
    ];
    for fields in fields {
        let text = format!("---\n{fields}\n---\nBody\n");
        let ours = lenient(&text);
        assert_eq!(findings(&ours), "", "{fields}");
        let theirs = by_gray_matter(&text).unwrap();
        let ours = Value::Object(ours.fields.into_iter().collect());
        assert_eq!(json(&theirs.data.unwrap()), ours, "{fields}");
        assert_eq!(theirs.content, "Body");
    }
}

#[test]
fn both_reject_the_same_yaml_and_the_same_bombs() {
    let mut bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for (name, previous) in
        ["b", "c", "d", "e", "f", "g", "h"].iter().zip(["a", "b", "c", "d", "e", "f", "g"])
    {
        writeln!(bomb, "{name}: &{name} [{}]", vec![format!("*{previous}"); 9].join(", ")).unwrap();
    }
    for fields in ["name: \"open", "a: b\n\tc: d", "a: *nope", "%x: y", &bomb] {
        let text = format!("---\n{fields}\n---\n");
        assert!(by_gray_matter(&text).is_none(), "{fields}");
        assert!(!lenient(&text).is_accepted(), "{fields}");
    }
}

/// Why the load path has its own splitter: each of these is lost behind `gray_matter`'s.
#[test]
fn what_gray_matters_splitter_loses() {
    let hidden = by_gray_matter("\u{feff}---\nname: a\n---\nB").unwrap();
    assert!(hidden.data.is_none(), "a byte order mark hides the frontmatter, without an error");

    let unclosed = by_gray_matter("---\nname: a\nB").unwrap();
    assert!(unclosed.data.is_none(), "a fence that is never closed is no error");
    assert!(!lenient("---\nname: a\nB").is_accepted());

    let text = "---\r\nname: a\r\n---\r\n\r\nOne\r\n\r\nTwo\r\n";
    assert_eq!(
        by_gray_matter(text).unwrap().content,
        "One\n\nTwo",
        "line ends and blank lines of the body change"
    );
    assert_eq!(&text[Reading::lenient().split(text).unwrap().body], "\r\nOne\r\n\r\nTwo\r\n");

    let first = by_gray_matter("---\nz: 1\na: 2\n---\n").unwrap().data.unwrap();
    assert!(matches!(first, Pod::Hash(_)), "a hash map has no order; ours keeps the file's");
    assert_eq!(lenient("---\nz: 1\na: 2\n---\n").fields.keys().collect::<Vec<_>>(), ["z", "a"]);
}
