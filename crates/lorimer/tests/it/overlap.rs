//! Skills that a model would confuse, and those that only look like it.

use std::collections::BTreeSet;

use lorimer::core::Digest;
use lorimer::overlap::{Document, Level, Options, Overlap, Verdict, Why, nearest, overlap};
use proptest::prelude::*;
use serde_json::Value;

const LABELLED: &str = include_str!("../fixtures/overlap/labelled.json");

fn labelled() -> (Vec<Document>, Value) {
    let labelled: Value = serde_json::from_str(LABELLED).unwrap();
    let mut documents: Vec<Document> = Vec::new();
    for skill in labelled["skills"].as_array().unwrap() {
        let text = |key: &str| skill[key].as_str().unwrap_or_default().to_owned();
        let mut document = match skill["same_file_as"].as_str() {
            Some(other) => documents.iter().find(|document| document.id == other).unwrap().clone(),
            None => Document {
                description: text("description"),
                body: text("body"),
                digest: Some(Digest::of(skill.to_string().as_bytes())),
                ..Document::default()
            },
        };
        document.id = text("id");
        document.name = text("name");
        documents.push(document);
    }
    (documents, labelled)
}

fn told(documents: &[Document], found: &Overlap) -> BTreeSet<(String, String, String)> {
    found
        .pairs
        .iter()
        .map(|pair| {
            let mut ids = [documents[pair.left].id.clone(), documents[pair.right].id.clone()];
            ids.sort();
            let [left, right] = ids;
            (left, right, pair.level().unwrap().as_str().to_owned())
        })
        .collect()
}

/// S0-16: copies, near copies, paraphrases and like names are found, and nothing else is: no sibling of a template, no
/// other task with the same product.
#[test]
fn s0_16_the_labelled_set_comes_out_as_labelled() {
    let (documents, labelled) = labelled();
    let found = overlap(&documents, &Options::default());
    let rows = |key: &str| -> BTreeSet<Vec<String>> {
        let rows = labelled[key].as_array().unwrap().iter();
        rows.map(|row| row.as_array().unwrap().iter().map(|part| part.as_str().unwrap().to_owned()).collect())
            .collect()
    };
    let found_pairs: BTreeSet<Vec<String>> =
        told(&documents, &found).into_iter().map(|(left, right, level)| vec![left, right, level]).collect();
    assert_eq!(found_pairs, rows("pairs"));
    let apart: BTreeSet<Vec<String>> = found
        .apart
        .iter()
        .map(|pair| vec![documents[pair.left].id.clone(), documents[pair.right].id.clone()])
        .collect();
    for row in rows("apart") {
        let turned: Vec<String> = row.iter().rev().cloned().collect();
        assert!(apart.contains(&row) || apart.contains(&turned), "{row:?} is not told apart: {apart:?}");
    }
}

fn skill(name: &str, description: &str, body: &str) -> Document {
    Document {
        id: name.to_owned(),
        name: name.to_owned(),
        description: description.to_owned(),
        body: body.to_owned(),
        digest: Some(Digest::of([name, description, body].concat().as_bytes())),
        ..Document::default()
    }
}

/// Template siblings by the hundred are no duplicates; a real copy among them is one.
#[test]
fn s0_16_a_template_by_the_hundred_hides_no_copy_and_makes_none() {
    let syllables = ["ba", "cor", "du", "fen", "gal", "hix", "jo", "kel", "lum", "mor"];
    let mut documents: Vec<Document> = (0..100)
        .map(|number| {
            let product = format!("{}{}tron", syllables[number / 10], syllables[number % 10]);
            skill(
                &format!("{product}-automation"),
                &format!("Automate {product} tasks through the toolbox. Always search tools first for schemas."),
                &format!("# {product}\n\nSearch the tools first. Call {product} with the schema. Show what was done."),
            )
        })
        .collect();
    assert_eq!(overlap(&documents, &Options::default()).pairs, []);
    let mut copy = documents[42].clone();
    copy.id = "copy".to_owned();
    copy.digest = Some(Digest::of(b"another"));
    copy.name = "gal-helper".to_owned();
    documents.push(copy);
    let found = overlap(&documents, &Options::default());
    assert_eq!(found.pairs.len(), 1, "{:?}", found.pairs);
    assert_eq!(found.groups.len(), 1);
}

/// S0-18: what would be lost is told, and the fuller skill is kept, however near the other is.
#[test]
fn s0_18_the_fuller_one_is_kept_and_the_rest_is_told() {
    let mut full = skill(
        "pdf-tables",
        "Extracts tables from PDF invoices into spreadsheets.",
        "# Tables\n\nFind the grid of every page and copy its cells. Check the totals against their column.\n\n\
         ## Save\n\nWrite one sheet for each table, and name it after the page.\n",
    );
    full.nearness = 9;
    let mut short = skill(
        "invoice-tables",
        "Extracts tables from PDF invoices into spreadsheets, receipts too.",
        "# Tables\n\nFind the grid of every page.\n\n## Scans\n\nRun ocrmypdf over scanned pages first.\n",
    );
    short.files = vec!["scripts/ocr.py".to_owned()];
    let found = overlap(&[short, full], &Options::default());
    let group = &found.groups[0];
    assert_eq!((group.keep, group.why), (1, Why::Fullest));
    let lost = &group.members[0].lost;
    assert_eq!(lost.words, ["receipts", "too"]);
    assert_eq!(lost.sections, ["Scans"]);
    assert_eq!(lost.sentences, ["Run ocrmypdf over scanned pages first."]);
    assert_eq!(lost.files, ["scripts/ocr.py"]);
}

#[test]
fn of_copies_the_nearest_is_kept_and_files_alone_can_be_lost() {
    let mut far = skill("a", "Brews a pot of tea.", "Warm the pot.");
    far.files = vec!["notes.md".to_owned()];
    let mut near = far.clone();
    (near.id, near.files) = ("z".to_owned(), Vec::new());
    far.nearness = 1;
    let found = overlap(&[far, near], &Options::default());
    let group = &found.groups[0];
    assert_eq!((group.level, group.keep, group.why), (Level::Copy, 1, Why::Nearest));
    assert_eq!(group.members[0].lost.files, ["notes.md"]);
    assert!(group.members[0].lost.sentences.is_empty());
}

#[test]
fn levels_below_the_least_are_left_out() {
    let (documents, _) = labelled();
    for min in Level::ALL {
        let options = Options { min, ..Options::default() };
        let found = overlap(&documents, &options);
        assert!(found.pairs.iter().all(|pair| pair.level() >= Some(min)), "{min:?}");
        let all = told(&documents, &overlap(&documents, &Options::default()));
        let wanted: BTreeSet<_> =
            all.into_iter().filter(|(_, _, level)| level.parse::<Level>().unwrap() >= min).collect();
        assert_eq!(told(&documents, &found), wanted, "{min:?}");
    }
}

#[test]
fn the_nearest_come_first_and_the_new_one_is_the_left_one() {
    let (documents, _) = labelled();
    let new = skill("table-puller", "Extract tables of PDF invoices into spreadsheets.", "");
    let pairs = nearest(&new, &documents, &Options::default(), 3);
    assert_eq!(pairs.len(), 3);
    assert_eq!(pairs[0].left, documents.len());
    assert!(documents[pairs[0].right].id.starts_with("tables"));
    assert!(matches!(pairs[0].verdict, Verdict::Alike(_)));
    assert_eq!(nearest(&new, &[], &Options::default(), 3), []);
}

/// A thousand same-named and a thousand same files cost no square.
#[test]
fn many_of_a_kind_are_one_group() {
    let copies: Vec<Document> = (0..1000)
        .map(|number| Document {
            id: format!("{number:04}"),
            ..skill("a", "Brews a pot of tea.", "Warm it.")
        })
        .collect();
    let found = overlap(&copies, &Options::default());
    assert_eq!((found.pairs.len(), found.groups.len(), found.confusable()), (999, 1, 1000));
}

const VOCABULARY: [&str; 16] = [
    "pdf",
    "Slack",
    "invoice",
    "tables",
    "extract",
    "the",
    "会议",
    "纪要",
    "deploy",
    "kubernetes",
    "C++",
    "review",
    "tea",
    "spreadsheet",
    "Postgres",
    "migrate",
];

fn texts(most: usize) -> impl Strategy<Value = String> {
    let word =
        prop_oneof![8 => prop::sample::select(&VOCABULARY[..]).prop_map(str::to_owned), 1 => any::<String>()];
    prop::collection::vec(word, 0..most).prop_map(|words| words.join(" "))
}

fn documents() -> impl Strategy<Value = Vec<Document>> {
    let one = (texts(4), texts(12), texts(40), any::<bool>(), 0_usize..3);
    prop::collection::vec(one, 0..14).prop_map(|all| {
        let document = |(number, (name, description, body, known, nearness)): (usize, _)| {
            let (name, description, body): (String, String, String) = (name, description, body);
            let digest: bool = known;
            Document {
                id: format!("{number:02}"),
                digest: digest.then(|| Digest::of([&*name, &description, &body].join("|").as_bytes())),
                name,
                description,
                body,
                files: Vec::new(),
                nearness,
            }
        };
        all.into_iter().enumerate().map(document).collect()
    })
}

/// A group without places: its level, what is kept, and the others with what ties them.
fn shape(documents: &[Document], found: &Overlap) -> Vec<String> {
    let id = |place: usize| documents[place].id.as_str();
    let mut rows: Vec<String> = found
        .groups
        .iter()
        .map(|group| {
            let members: Vec<String> = group
                .members
                .iter()
                .map(|member| format!("{} {:?}", id(member.document), member.lost))
                .collect();
            format!("{:?} {} {:?} {members:?}", group.level, id(group.keep), group.why)
        })
        .collect();
    rows.extend(found.pairs.iter().map(|pair| {
        let mut ids = [id(pair.left), id(pair.right)];
        ids.sort_unstable();
        format!("{ids:?} {:?} {:?}", pair.level(), pair.likeness)
    }));
    rows
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn likeness_is_symmetric_and_bounded(all in documents(), new in texts(12)) {
        let new = skill("new", &new, "");
        for document in &all {
            let there = nearest(&new, std::slice::from_ref(document), &Options::default(), 1);
            let back = nearest(document, std::slice::from_ref(&new), &Options::default(), 1);
            prop_assert_eq!(there[0].likeness, back[0].likeness);
            prop_assert_eq!(there[0].level(), back[0].level());
            let likeness = there[0].likeness;
            for share in [likeness.body, likeness.contained, likeness.description] {
                prop_assert!((0.0..=1.0).contains(&share), "{:?}", likeness);
            }
            let same = nearest(document, std::slice::from_ref(document), &Options::default(), 1);
            let has_words = |text: &str| text.chars().any(char::is_alphanumeric);
            prop_assert!(!has_words(&document.description) || (same[0].likeness.description - 1.0).abs() < 1e-9);
            prop_assert!(!has_words(&document.body) || (same[0].likeness.body - 1.0).abs() < 1e-9);
        }
    }

    /// The same skills in any order: the same answer.
    #[test]
    fn order_does_not_matter(all in documents(), turn in 0_usize..14) {
        let found = shape(&all, &overlap(&all, &Options::default()));
        let mut turned = all.clone();
        turned.rotate_left(turn.min(all.len()));
        turned.reverse();
        prop_assert_eq!(&shape(&turned, &overlap(&turned, &Options::default())), &found);
    }

    /// No pair is missed that comparing each with each finds by descriptions and names.
    #[test]
    fn candidates_miss_no_description(mut all in documents()) {
        for document in &mut all {
            document.digest = None;
        }
        let found = told(&all, &overlap(&all, &Options::default()));
        for (place, document) in all.iter().enumerate() {
            let mut others = all.clone();
            others.remove(place);
            for pair in nearest(document, &others, &Options::default(), all.len()) {
                let Some(level) = pair.level().filter(|level| *level < Level::NearCopy) else { continue };
                let mut ids = [document.id.clone(), others[pair.right].id.clone()];
                ids.sort();
                let [left, right] = ids;
                prop_assert!(found.contains(&(left, right, level.as_str().to_owned())), "{:?}", pair);
            }
        }
    }
}
