//! Groups of skills, and a skill for every path.

use lorimer_core::{Code, Locator, ReadLimit};
use lorimer_discover::{
    EveryPathSource, GroupBy, GroupedSource, Reading, Scan, ScanRequest, Source, WalkPolicy,
};

use crate::support::Folder;

const BY: GroupBy = GroupBy::Folders { in_root: "general" };

fn skill(name: &str) -> String {
    format!("---\nname: {name}\ndescription: d\n---\nBody of {name}.\n")
}

fn groups(scan: &Scan) -> Vec<(String, String, String)> {
    let row = |skill: &std::sync::Arc<lorimer_core::Skill>| {
        let group = skill.group.clone().unwrap_or_default();
        (skill.name.clone(), group.name, group.description)
    };
    scan.skills.iter().map(row).collect()
}

#[test]
fn a_file_in_a_groups_folder_says_what_it_is_about() {
    let folder = Folder::new();
    folder.write("a/b/one/SKILL.md", skill("one"));
    folder.write("two/SKILL.md", skill("two"));
    folder.write("SKILL.md", skill("root"));
    folder.write("a/b/DESCRIPTION.md", "---\ndescription: About b\n---\n");
    folder.write("two/DESCRIPTION.md", "no frontmatter");
    folder.write("DESCRIPTION.md", "---\ndescription: About all\n---\n");
    let reading =
        Reading { accept_missing_frontmatter: true, require_description: false, ..Reading::lenient() };
    let source = || folder.source(Reading::lenient(), WalkPolicy::default());
    let roots = vec![folder.path("not-there"), folder.path("")];
    let grouped = GroupedSource::new(source(), BY).described_in("DESCRIPTION.md", reading, roots);
    let mut found = groups(&grouped.scan(&ScanRequest::default()));
    found.sort();
    let rows = [("one", "a/b", "About b"), ("root", "general", "About all"), ("two", "two", "")];
    assert_eq!(found, rows.map(|(name, group, said)| (name.to_owned(), group.to_owned(), said.to_owned())));

    folder.write("general/DESCRIPTION.md", "---\ndescription: About general\n---\n");
    let again = grouped.scan(&ScanRequest::default());
    assert!(groups(&again).iter().any(|(_, _, said)| said == "About general"), "it is read at each scan");
    let silent = GroupedSource::new(source(), GroupBy::FirstFolder).scan(&ScanRequest::default());
    assert!(groups(&silent).contains(&("one".to_owned(), "a".to_owned(), String::new())));
    assert!(silent.skills.iter().any(|skill| skill.group.is_none()));
}

#[cfg(unix)]
#[test]
fn each_path_is_a_skill_that_can_be_read() {
    let folder = Folder::new();
    folder.write("z/real/SKILL.md", skill("real"));
    folder.link("z/real", "a-link");
    folder.link("z", "b-link");
    let inner = folder.source(Reading::lenient(), WalkPolicy::default());
    let whole = inner.scan(&ScanRequest::default());
    assert_eq!(whole.skills.len(), 1);
    let aliases = whole.skills[0].provenance.aliases.len();
    assert!(aliases > 0);

    let source = EveryPathSource::new(inner);
    let scan = source.scan(&ScanRequest::default());
    assert_eq!(scan.skills.len(), aliases + 1);
    let places: Vec<_> = scan.skills.iter().map(|skill| skill.shown_location()).collect();
    assert!(places.is_sorted(), "{places:?}");
    let ids: std::collections::HashSet<_> = scan.skills.iter().map(|skill| &skill.id).collect();
    assert_eq!(ids.len(), scan.skills.len());
    assert!(scan.diagnostics.iter().all(|diagnostic| diagnostic.code != Code::SameFile));
    for skill in &scan.skills {
        let content = source.read(&skill.id.locator, ReadLimit::default()).unwrap();
        assert!(content.bytes.ends_with(b"Body of real.\n"));
    }
    let elsewhere = Locator::Path(folder.path("c-link/SKILL.md"));
    assert!(source.read(&elsewhere, ReadLimit::default()).is_err());
}
