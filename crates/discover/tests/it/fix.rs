//! Putting right what was found.

use std::fs;
use std::path::Path;

use lorimer_core::{Digest, Edit, Fix, Locator, Span};
use lorimer_discover::fix::{Error, Plan, Request, plan};
use lorimer_discover::frontmatter::{Reading, parse};
use lorimer_discover::lint::{Subject, lint};
use proptest::prelude::*;

use crate::support::Folder;

/// Everything that a look at a file proposes.
fn fixes(path: &Path) -> (Vec<Fix>, Digest) {
    let file = fs::read(path).unwrap();
    let locator = Locator::Path(path.to_owned());
    let outcome = lint(&Subject { locator: &locator, file: &file, folder: None, folder_name: "" });
    let own = outcome.diagnostics.into_iter().filter_map(|diagnostic| diagnostic.fix);
    (own.chain(outcome.fixes.into_iter().map(|known| known.fix)).collect(), Digest::of(&file))
}

fn planned(folder: &Folder, path: &Path) -> Result<Plan, Error> {
    let (fixes, digest) = fixes(path);
    plan(&Request { path, digest, fixes: &fixes, roots: &[folder.path("")] })
}

fn fixed(text: impl AsRef<[u8]>) -> String {
    let folder = Folder::new();
    let path = folder.write("a/SKILL.md", text);
    planned(&folder, &path).unwrap().write().unwrap();
    fs::read_to_string(&path).unwrap()
}

#[test]
fn values_are_quoted_marks_and_blanks_are_taken_out() {
    assert_eq!(
        fixed("\u{feff}---\t\r\nname: a\r\ndescription: Use when: it's late # really\r\n--- \r\nBody: x\r\n"),
        "---\r\nname: a\r\ndescription: 'Use when: it''s late' # really\r\n---\r\nBody: x\r\n"
    );
    let fine = "---\nname: a\ndescription: d\n---\nBody\n";
    assert_eq!(fixed(fine), fine);
}

#[test]
fn more_values_than_are_told_are_quoted_all_the_same() {
    let lines: Vec<String> = (0..60).map(|number| format!("k{number}: a: b\n")).collect();
    let lines = lines.concat();
    let text = fixed(format!("---\nname: a\ndescription: d\n{lines}---\n"));
    assert_eq!(text.matches("'a: b'").count(), 60);
}

#[test]
fn a_file_that_changed_or_lies_elsewhere_is_left_alone() {
    let folder = Folder::new();
    let path = folder.write("in/SKILL.md", "---\nname: a\ndescription: b: c\n---\n");
    let (fixes, digest) = fixes(&path);
    let roots = [folder.path("in")];
    let request = Request { path: &path, digest, fixes: &fixes, roots: &roots };
    let ready = plan(&request).unwrap();
    fs::write(&path, "---\nname: a\ndescription: other: text\n---\n").unwrap();
    assert!(matches!(plan(&request), Err(Error::Changed)));
    assert!(matches!(ready.write(), Err(Error::Changed)));
    assert_eq!(fs::read_dir(folder.path("in")).unwrap().count(), 1, "nothing is left over");
    let elsewhere = [folder.directory("out")];
    assert!(matches!(plan(&Request { roots: &elsewhere, ..request }), Err(Error::Outside(_))));
}

#[test]
fn a_fix_that_would_change_what_the_file_says_is_refused() {
    let folder = Folder::new();
    let path = folder.write("a/SKILL.md", "---\nname: a\ndescription: b: c\n---\n");
    let (mut fixes, digest) = fixes(&path);
    let Fix::Edits(edits) = &mut fixes[0] else { panic!("an edit") };
    "'other'".clone_into(&mut edits[0].new);
    let roots = [folder.path("")];
    let planned = |fixes: &[Fix]| plan(&Request { path: &path, digest, fixes, roots: &roots });
    assert!(matches!(planned(&fixes), Err(Error::OtherMeaning)));
    fixes.push(Fix::Rename("x".to_owned()));
    fixes.push(Fix::Rename("y".to_owned()));
    assert!(matches!(planned(&fixes), Err(Error::Contradiction)));
}

#[test]
fn a_file_is_renamed_and_never_over_another() {
    let folder = Folder::new();
    let path = folder.write("a/skill.md", "x");
    let roots = [folder.path("")];
    let fixes = [Fix::Rename("SKILL.md".to_owned())];
    let request = Request { path: &path, digest: Digest::of(b"x"), fixes: &fixes, roots: &roots };
    let ready = plan(&request).unwrap();
    ready.write().unwrap();
    let names: Vec<_> =
        fs::read_dir(folder.path("a")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["SKILL.md"]);
    if !path.exists() {
        fs::write(&path, "x").unwrap();
        assert!(matches!(plan(&request), Err(Error::Exists(_))));
        assert!(matches!(ready.write(), Err(Error::Exists(_))), "it came between plan and deed");
        assert_eq!(fs::read_to_string(folder.path("a/SKILL.md")).unwrap(), "x");
    }
}

/// What would not get its name is not written either, and what changed in between does not get one.
#[test]
fn nothing_is_done_by_halves() {
    let folder = Folder::new();
    let text = "\u{feff}---\nname: a\ndescription: b\n---\n";
    let path = folder.write("a/skill.md", text);
    let roots = [folder.path("")];
    let mark = Span { start: 0, end: 3, line: 1, column: 1 };
    let edit = Edit { span: mark, old: "\u{feff}".to_owned(), new: String::new() };
    let fixes = [Fix::Edits(vec![edit]), Fix::Rename("SKILL.md".to_owned())];
    let request = Request { path: &path, digest: Digest::of(text.as_bytes()), fixes: &fixes, roots: &roots };
    let ready = plan(&request).unwrap();
    assert!(ready.after != ready.before);
    folder.write("a/SKILL.md", "mine");
    assert!(matches!(ready.write(), Err(Error::Exists(_))));
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    fs::remove_file(folder.path("a/SKILL.md")).unwrap();
    fs::write(&path, "somebody else's").unwrap();
    assert!(matches!(ready.write(), Err(Error::Changed)));
    assert_eq!(fs::read_to_string(&path).unwrap(), "somebody else's");
}

#[cfg(unix)]
#[test]
fn permissions_stay_and_links_are_written_through() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = Folder::new();
    let real = folder.write("real/SKILL.md", "---\nname: a\ndescription: b: c\n---\n");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.link(&real, "linked/SKILL.md");
    planned(&folder, &link).unwrap().write().unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("'b: c'"));
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Fixing any file that can be fixed gives one that a strict reader takes for the same, and once is enough.
    #[test]
    fn a_fixed_file_is_strict_says_the_same_and_needs_no_second_fix(
        mark in any::<bool>(),
        blanks in "[ \t]{0,2}",
        end in prop_oneof![Just("\n"), Just("\r\n")],
        values in prop::collection::vec("[@`\\[{]?[a-z' :#éx\"-]{1,12}", 1..5),
        body in "[ -~\n]{0,30}",
    ) {
        let mark = if mark { "\u{feff}" } else { "" };
        let numbered = values.iter().enumerate();
        let fields: Vec<String> = numbered.map(|(index, value)| format!("k{index}: {value}{end}")).collect();
        let fields = fields.concat();
        let text = format!("{mark}---{blanks}{end}name: a{end}description: b: c{end}{fields}---{end}{body}");
        let before = parse(text.as_bytes(), &Reading::lenient());
        let folder = Folder::new();
        let path = folder.write("a/SKILL.md", &text);
        let planned = planned(&folder, &path);
        if !before.is_accepted() {
            // A file that is refused may get its mark and its blanks taken out, and stays refused.
            prop_assert!(planned.is_ok(), "{:?}", planned);
            return Ok(());
        }
        planned.unwrap().write().unwrap();
        let after = fs::read(&path).unwrap();
        let strict = Reading { repair: false, skip_byte_order_mark: false, ..Reading::lenient() };
        let outcome = parse(&after, &strict);
        prop_assert!(outcome.is_accepted(), "{text:?} {:?}", outcome.findings);
        prop_assert_eq!(&outcome.fields, &before.fields);
        prop_assert_eq!(outcome.description, before.description);
        prop_assert!(planned_again_is_empty(&folder, &path));
    }
}

fn planned_again_is_empty(folder: &Folder, path: &Path) -> bool {
    planned(folder, path).unwrap().is_empty()
}
