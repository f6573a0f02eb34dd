//! Skills that come with plugins: manifests, namespaces, and what stays inside.
#![cfg(unix)]

use std::fs;

use lorimer_core::{Code, Locator, ReadLimit, Scope, SourceId};
use lorimer_discover::{
    Changes, FsSource, Layout, ManifestRule, MetadataCache, NamespacedSource, Place, PluginRule,
    PluginSource, ReadError, Reading, RegistryRule, RootBase, RootRule, Scan, ScanRequest, Source,
};

use crate::support::{Folder, codes, names};

const AGENT_PLUGIN: &str =
    r#"{"$schema":"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json","name":"agent"}"#;

fn rule(folder: &Folder) -> PluginRule {
    PluginRule::new(RootBase::Path(folder.path("plugins")))
}

fn source(folder: &Folder, rule: PluginRule) -> PluginSource {
    PluginSource::new(SourceId::new("plugins"), Place::new(folder.path("")), vec![rule], Reading::lenient())
}

fn scan(folder: &Folder, rule: PluginRule) -> Scan {
    source(folder, rule).scan(&ScanRequest::default())
}

fn called(scan: &Scan) -> Vec<&str> {
    scan.skills.iter().map(|skill| skill.call_name()).collect()
}

fn manifest(folder: &Folder, plugin: &str, kind: &str, text: &str) {
    folder.write(&format!("plugins/{plugin}/.{kind}-plugin/plugin.json"), text);
}

/// S3-03, S3-11, S3-14: a plugin's skills carry its namespace and scope; the same name in two plugins is two skills.
#[test]
fn s3_03_s3_11_s3_14_skills_of_plugins_have_a_namespace_and_a_scope() {
    let folder = Folder::new();
    for (plugin, kind) in [("notes", "claude"), ("issues", "codex"), ("cursed", "cursor")] {
        folder.skill(&format!("plugins/{plugin}/skills/add"));
        manifest(&folder, plugin, kind, &format!(r#"{{"name":"{plugin}"}}"#));
    }
    folder.skill("plugins/no-plugin/skills/lost");
    folder.skill("plugins/.hidden/skills/lost");
    let scan = scan(&folder, rule(&folder));
    assert_eq!(called(&scan), ["cursed:add", "issues:add", "notes:add"]);
    assert_eq!((scan.diagnostics.as_slice(), scan.complete), (&[][..], true));
    let skill = &scan.skills[2];
    assert_eq!((skill.name.as_str(), &skill.scope), ("add", &Scope::Plugin { name: "notes".to_owned() }));
    assert_eq!(skill.id.locator, Locator::Path(folder.path("plugins/notes/skills/add/SKILL.md")));
    assert_eq!(skill.root.path, folder.path("plugins/notes/skills").to_string_lossy());
}

#[test]
fn the_first_valid_manifest_names_the_plugin() {
    let folder = Folder::new();
    folder.skill("plugins/folder/skills/a");
    manifest(&folder, "folder", "cursor", r#"{"name":"third"}"#);
    assert_eq!(called(&scan(&folder, rule(&folder))), ["third:a"]);
    manifest(&folder, "folder", "claude", r#"{"name":"  "}"#);
    assert_eq!(called(&scan(&folder, rule(&folder))), ["folder:a"], "a blank name is the folder's");
    manifest(&folder, "folder", "codex", r#"{"name":"first"}"#);
    assert_eq!(called(&scan(&folder, rule(&folder))), ["first:a"]);
    for bad in ["{", "[]", r#"{"name":1}"#, r#"{"name":"a\nb"}"#, "\u{feff}"] {
        manifest(&folder, "folder", "codex", bad);
        let scan = scan(&folder, rule(&folder));
        assert_eq!(called(&scan), ["folder:a"], "{bad}: an invalid manifest is none");
        assert_eq!(codes(&scan.diagnostics), [Code::PluginManifestInvalid], "{bad}");
    }
}

#[test]
fn without_a_manifest_a_rule_may_take_the_folders_name() {
    let folder = Folder::new();
    folder.skill("plugins/market/kit/1.1.0/skills/flow");
    let rule = PluginRule { needs_manifest: false, ..rule(&folder).with_levels(3) };
    assert_eq!(called(&scan(&folder, rule)), ["1.1.0:flow"]);
    let base = RootBase::Path(folder.path("plugins/market/kit/1.1.0"));
    let rule = PluginRule { needs_manifest: false, ..PluginRule::new(base).with_levels(0) };
    let scan = scan(&folder, rule);
    assert_eq!(called(&scan), ["1.1.0:flow"]);
}

#[test]
fn the_manifest_names_folders_inside_the_plugin_only() {
    let folder = Folder::new();
    for directory in ["skills/usual", "own/b", "own/a", "more/c"] {
        folder.skill(&format!("plugins/p/{directory}"));
    }
    folder.skill("elsewhere/x");
    let skills = |value: &str| {
        manifest(&folder, "p", "codex", &format!(r#"{{"name":"p","skills":{value}}}"#));
        scan(&folder, rule(&folder))
    };
    assert_eq!(called(&skills(r#""./own/""#)), ["p:a", "p:b"]);
    assert_eq!(called(&skills(r#"["./own", "more", "./own"]"#)), ["p:c", "p:a", "p:b"], "sorted, each once");
    assert_eq!(called(&skills("null")), ["p:usual"]);
    let elsewhere = folder.path("elsewhere");
    for bad in ["1", "[1]", "\"../../elsewhere\"", "\"\"", &format!("{elsewhere:?}")] {
        let scan = skills(bad);
        assert_eq!(called(&scan), ["p:usual"], "{bad}");
        assert_eq!(codes(&scan.diagnostics), [Code::PluginManifestInvalid], "{bad}");
    }
    manifest(&folder, "p", "codex", r#"{"name":"p","skills":"own"}"#);
    let both = PluginRule { folders_always: true, ..rule(&folder) };
    assert_eq!(called(&scan(&folder, both)), ["p:a", "p:b", "p:usual"]);
    folder.skill("plugins/p/.codex-plugin/migrated/m");
    let extra = PluginRule { extra_folders: &[".codex-plugin/migrated"], ..rule(&folder) };
    assert_eq!(called(&scan(&folder, extra)), ["p:m", "p:a", "p:b"]);
}

#[test]
fn a_skill_file_in_the_plugins_folder_counts_where_the_rule_says_so() {
    let folder = Folder::new();
    folder.write("plugins/p/SKILL.md", "---\ndescription: d\n---\n");
    folder.skill("plugins/p/deeper/x");
    manifest(&folder, "p", "claude", r#"{"name":"p"}"#);
    assert_eq!(called(&scan(&folder, rule(&folder))), [] as [&str; 0]);
    let rule = PluginRule { skill_file_in_plugin: true, ..rule(&folder) };
    assert_eq!(called(&scan(&folder, rule)), ["p:p"]);
}

/// S3-30: an Agent Plugin's skills are direct children, and really lie in the plugin.
#[test]
fn s3_30_direct_children_stay_inside_the_plugin() {
    let folder = Folder::new();
    folder.write("plugins/agent/plugin.json", AGENT_PLUGIN);
    folder.skill("plugins/agent/skills/a");
    folder.skill("plugins/agent/skills/group/deeper");
    folder.write("plugins/agent/skills/SKILL.md", "---\nname: root\ndescription: d\n---\n");
    folder.skill("plugins/agent/shared/inside");
    folder.link("../shared/inside", "plugins/agent/skills/b");
    folder.skill("outside/x");
    folder.link(folder.path("outside/x"), "plugins/agent/skills/c");
    folder.directory("plugins/agent/skills/d");
    folder.link(folder.path("outside/x/SKILL.md"), "plugins/agent/skills/d/SKILL.md");
    let source = source(&folder, rule(&folder));
    let scan = source.scan(&ScanRequest::default());
    assert_eq!(called(&scan), ["agent:a", "agent:inside"]);
    assert_eq!(codes(&scan.diagnostics), [Code::SymlinkEscape, Code::SymlinkEscape]);
    let outside = Locator::Path(folder.path("outside/x/SKILL.md"));
    assert!(matches!(source.read(&outside, ReadLimit::default()), Err(ReadError::NotListed(_))));
    assert_eq!(ManifestRule::ALL[0].layout, Layout::DirectChildren);

    fs::rename(folder.path("plugins/agent/skills"), folder.path("outside/skills")).unwrap();
    folder.link(folder.path("outside/skills"), "plugins/agent/skills");
    let scan = source.scan(&ScanRequest::default());
    assert_eq!((names(&scan).len(), codes(&scan.diagnostics)), (0, vec![Code::SymlinkEscape]));
}

#[test]
fn other_plugins_may_link_out_only_where_the_rule_allows_it() {
    let folder = Folder::new();
    manifest(&folder, "p", "codex", r#"{"name":"p"}"#);
    folder.skill("outside/x");
    folder.directory("plugins/p/skills");
    folder.link(folder.path("outside/x"), "plugins/p/skills/x");
    let closed = scan(&folder, rule(&folder));
    assert_eq!((names(&closed).len(), codes(&closed.diagnostics)), (0, vec![Code::SymlinkEscape]));
    let open = scan(&folder, PluginRule { stay_inside: false, ..rule(&folder) });
    assert_eq!((called(&open), open.diagnostics.len()), (vec!["p:x"], 0));
}

#[test]
fn a_qualified_name_has_a_limit() {
    let folder = Folder::new();
    folder.skill("plugins/p/skills/a");
    let name = "n".repeat(127);
    manifest(&folder, "p", "codex", &format!(r#"{{"name":"{name}"}}"#));
    assert_eq!(called(&scan(&folder, rule(&folder))), [format!("{name}:a")], "129 characters");
    manifest(&folder, "p", "codex", &format!(r#"{{"name":"{name}n"}}"#));
    let source = source(&folder, rule(&folder));
    let locator = Locator::Path(folder.path("plugins/p/skills/a/SKILL.md"));
    assert!(matches!(source.read(&locator, ReadLimit::default()), Err(ReadError::NotListed(_))));
    let scan = source.scan(&ScanRequest::default());
    assert_eq!((names(&scan).len(), codes(&scan.diagnostics)), (0, vec![Code::QualifiedNameTooLong]));
    let wide = source.with_max_qualified_chars(200);
    assert_eq!(wide.scan(&ScanRequest::default()).skills.len(), 1);
}

/// A plugin that goes away takes its skills along, but a turn that still holds them may read on.
#[test]
fn what_an_earlier_scan_listed_stays_readable() {
    let folder = Folder::new();
    folder.skill("plugins/p/skills/a");
    folder.write("plugins/p/skills/a/notes.md", "notes");
    manifest(&folder, "p", "codex", r#"{"name":"p"}"#);
    let source = source(&folder, rule(&folder));
    let skill = source.scan(&ScanRequest::default()).skills[0].id.locator.clone();
    let files = source.files(&skill).unwrap();
    assert_eq!(source.read(&files[0], ReadLimit::default()).unwrap().bytes, b"notes");
    manifest(&folder, "p", "codex", r#"{"name":"renamed"}"#);
    assert_eq!(called(&source.scan(&ScanRequest::default())), ["renamed:a"]);
    assert_eq!(source.read(&files[0], ReadLimit::default()).unwrap().bytes, b"notes");
    fs::remove_file(folder.path("plugins/p/.codex-plugin/plugin.json")).unwrap();
    assert!(source.scan(&ScanRequest::default()).skills.is_empty());
    assert!(source.read(&skill, ReadLimit::default()).is_ok());
    fs::remove_dir_all(folder.path("plugins")).unwrap();
    assert!(source.scan(&ScanRequest::default()).complete, "no plugins are no trouble");
    assert!(matches!(source.read(&skill, ReadLimit::default()), Err(ReadError::NotFound(_))));
}

/// What was touched since the last scan is not all that a source missed which an earlier scan asked.
#[test]
fn an_earlier_source_is_not_told_that_nothing_else_changed() {
    let folder = Folder::new();
    let touched = folder.skill("plugins/p/skills/a");
    manifest(&folder, "p", "codex", r#"{"name":"p"}"#);
    let cache = MetadataCache::in_memory(std::time::SystemTime::now);
    let source = source(&folder, rule(&folder)).with_cache(cache);
    assert_eq!(called(&source.scan(&ScanRequest::default())), ["p:a"]);
    manifest(&folder, "p", "codex", r#"{"name":"renamed"}"#);
    folder.skill("plugins/p/skills/b");
    assert_eq!(called(&source.scan(&ScanRequest::default())), ["renamed:a", "renamed:b"]);
    manifest(&folder, "p", "codex", r#"{"name":"p"}"#);
    let request = Changes::to([touched]).request();
    assert_eq!(called(&source.scan(&request)), ["p:a", "p:b"]);
}

/// Elsewhere the nearest valid manifest at or above the real file gives the namespace.
#[test]
fn s3_14_the_nearest_manifest_gives_other_skills_their_namespace() {
    let folder = Folder::new();
    folder.write("outer/.codex-plugin/plugin.json", r#"{"name":"outer"}"#);
    folder.skill("outer/skills/a");
    folder.skill("outer/nested/b");
    folder.write("outer/nested/.claude-plugin/plugin.json", r#"{"name":"inner"}"#);
    folder.skill("outer/broken/c");
    folder.write("outer/broken/.claude-plugin/plugin.json", "{");
    folder.skill("free/d");
    folder.link(folder.path("free/d"), "outer/linked");
    let rules = vec![RootRule::new(RootBase::Path(folder.path("outer")), Scope::User)];
    let inner = FsSource::new(SourceId::new("host"), Place::new(folder.path("")), rules, Reading::lenient());
    let source = NamespacedSource::new(inner, ManifestRule::HARNESS);
    let scan = source.scan(&ScanRequest::default());
    let mut called = called(&scan);
    called.sort_unstable();
    assert_eq!(called, ["d", "inner:b", "outer:a", "outer:c"]);
    assert_eq!(codes(&scan.diagnostics), [Code::PluginManifestInvalid]);
    assert!(scan.skills.iter().all(|skill| skill.scope == Scope::User));
    assert!(source.read(&scan.skills[0].id.locator, ReadLimit::default()).is_ok());
    assert_eq!(source.files(&scan.skills[0].id.locator).unwrap(), []);
}

/// Field F77: neither the newest folder nor the first row counts, but what is registered for this project.
#[test]
fn only_the_registered_version_of_this_project_is_a_plugin() {
    let folder = Folder::new();
    for version in ["1.0.0", "1.1.0", "1.10.0"] {
        folder.skill(&format!("cache/kit/{version}/skills/flow"));
    }
    folder.skill("cache/ghost/0.1.0/skills/ghost");
    folder.skill("cache/all/1/skills/everywhere");
    let rule = |rows: &str| {
        let file = RootBase::Path(folder.path("registry.json"));
        PluginRule {
            registry: Some(RegistryRule::new(file, rows, "path", "project").for_project("this")),
            needs_manifest: false,
            ..PluginRule::new(RootBase::Path(folder.path("cache")))
        }
    };
    let registry = |text: &str| {
        folder.write("registry.json", text);
        scan(&folder, rule("installed"))
    };
    let rows = r#"{"installed": [
        {"plugin": "kit", "path": "cache/kit/1.10.0"},
        {"plugin": "kit", "project": "other", "path": "cache/kit/1.0.0"},
        {"plugin": "kit", "project": "this", "path": "cache/kit/1.1.0"},
        {"plugin": "all", "path": "cache/all/1"}]}"#;
    let found = registry(rows);
    assert_eq!(called(&found), ["kit:flow", "all:everywhere"]);
    let flow = folder.path("cache/kit/1.1.0/skills/flow/SKILL.md");
    assert_eq!(found.skills[0].id.locator, Locator::Path(flow));
    assert_eq!(found.diagnostics, []);

    folder.write(
        "registry.json",
        r#"{"plugins": {"kit@market": [{"project": "this", "path": "cache/kit/1.0.0"}], "bad@market": [{}]}}"#,
    );
    let by_name = scan(&folder, rule("plugins"));
    assert_eq!(called(&by_name), ["kit:flow"]);
    assert_eq!(codes(&by_name.diagnostics), [Code::PluginRegistryInvalid], "a row without a folder");
    let off = PluginRule { enabled: Some(vec!["other@market".to_owned()]), ..rule("plugins") };
    assert_eq!(called(&scan(&folder, off)), [] as [&str; 0]);
    for bad in ["{", "[]", "\u{0}"] {
        let scan = registry(bad);
        assert!(!scan.complete, "{bad}");
        assert_eq!(
            (called(&scan).len(), codes(&scan.diagnostics)),
            (0, vec![Code::PluginRegistryInvalid]),
            "{bad}"
        );
    }
    fs::remove_file(folder.path("registry.json")).unwrap();
    assert_eq!(scan(&folder, rule("installed")).diagnostics, [], "no registry, no plugins");
}

#[test]
fn versions_side_by_side_are_not_guessed_at() {
    let folder = Folder::new();
    for place in ["m/kit/1.0.0", "m/kit/1.10.0", "m/tool/2"] {
        folder.skill(&format!("plugins/{place}/skills/a"));
        folder.write(&format!("plugins/{place}/.codex-plugin/plugin.json"), r#"{"name":"p"}"#);
    }
    let both = vec!["kit@m".to_owned(), "tool@m".to_owned()];
    let rule = |enabled| PluginRule { enabled: Some(enabled), ..rule(&folder).with_levels(3) };
    let found = scan(&folder, rule(both));
    assert_eq!(called(&found), ["p:a"]);
    assert_eq!(codes(&found.diagnostics), [Code::PluginVersionUnclear]);
    fs::remove_dir_all(folder.path("plugins/m/kit/1.10.0")).unwrap();
    assert_eq!(called(&scan(&folder, rule(vec!["kit@m".to_owned()]))), ["p:a"]);
    assert_eq!(called(&scan(&folder, rule(vec!["other@m".to_owned()]))), [] as [&str; 0]);
}

#[test]
fn a_qualified_name_that_is_too_long_is_refused_before_a_scan_too() {
    let folder = Folder::new();
    let skill = folder.skill("outer/skills/a");
    let name = "n".repeat(128);
    folder.write("outer/.codex-plugin/plugin.json", format!(r#"{{"name":"{name}"}}"#));
    let inner = folder.source(Reading::lenient(), lorimer_discover::WalkPolicy::default());
    let source = NamespacedSource::new(inner, ManifestRule::HARNESS);
    let read = source.read(&Locator::Path(skill), ReadLimit::default());
    assert!(matches!(read, Err(ReadError::NotListed(_))));
}
