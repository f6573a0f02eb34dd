//! A watcher over real files, by events and by polling, and over a backend that a test plays.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use lorimer_core::{Scope, SourceId};
use lorimer_discover::watch::{Backend, BackendError, Inbox, Method, Options, Watch};
use lorimer_discover::{
    Changes, FsSource, KeepLastGood, LooseMarkdown, MetadataCache, Place, PluginRule, PluginSource, Reading,
    RegistryRule, RootBase, RootRule, Scan, ScanRequest, Source,
};

use crate::support::{Folder, skill_text};

/// Nothing here waits for a time to pass; this is when a test is given up.
const DEADLINE: Duration = Duration::from_secs(60);

fn events() -> Options {
    Options::default()
}

fn polling() -> Options {
    let mut options = Options::default();
    options.poll = Some(Duration::from_millis(20));
    options
}

/// A folder with a watched root in it, and a scan that follows what the watcher says.
struct Scene {
    folder: Folder,
    source: Arc<FsSource>,
    watch: Watch,
    scan: Scan,
    batches: usize,
}

impl Scene {
    fn new(options: Options, root: &str, prepare: impl FnOnce(&Folder)) -> Self {
        let folder = Folder::new();
        prepare(&folder);
        let source = Arc::new(source(&folder, root));
        let watch = Watch::sources(vec![source.clone() as Arc<dyn Source>], options).unwrap();
        let scan = source.scan(&ScanRequest::default());
        Self { folder, source, watch, scan, batches: 0 }
    }

    /// Says in the file beside a skill that a model may not choose it, and follows the watcher until that is known.
    fn forbid(&mut self, beside: &str) {
        for implicit in [false, true, false] {
            self.folder.write(beside, format!("policy:\n  allow_implicit_invocation: {implicit}\n"));
            while self.scan.skills[0].policy.implicit != implicit {
                let next = self.watch.next(DEADLINE).unwrap();
                self.scan = self.source.scan(&next.expect("a batch before the deadline").request());
            }
        }
    }

    /// Follows the watcher until the skills are these, each as `name: description`.
    fn follow(&mut self, expected: &[&str]) -> Changes {
        let begin = Instant::now();
        loop {
            let left = DEADLINE.saturating_sub(begin.elapsed());
            let next = self.watch.next(left).unwrap();
            assert!(next.is_some(), "silence; the skills are {:?}, not {expected:?}", shown(&self.scan));
            let changes = next.unwrap();
            self.batches += 1;
            self.scan = self.source.scan(&changes.request());
            if shown(&self.scan) == expected {
                return changes;
            }
        }
    }
}

fn source(folder: &Folder, root: &str) -> FsSource {
    let rule = RootRule::new(RootBase::Path(folder.path(root)), Scope::User);
    let source =
        FsSource::new(SourceId::new("host"), Place::new(folder.path("")), vec![rule], Reading::lenient());
    // With a cache a scan believes what the watcher says.
    source.with_cache(MetadataCache::in_memory(std::time::SystemTime::now))
}

fn shown(scan: &Scan) -> Vec<String> {
    scan.skills.iter().map(|skill| format!("{}: {}", skill.name, skill.description)).collect()
}

fn described(name: &str, description: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n---\nBody.\n")
}

/// S3-23: new, changed and removed skills are noticed, however an editor writes.
fn s3_23_what_editors_and_installers_do(options: Options) {
    let mut scene = Scene::new(options, "root", |folder| {
        folder.skill("root/a");
    });
    scene.folder.write("root/group/b/SKILL.md", described("b", "New."));
    scene.follow(&["a: Does a.", "b: New."]);
    scene.folder.write("root/a/SKILL.md", described("a", "Edited in place."));
    scene.follow(&["a: Edited in place.", "b: New."]);

    let temporary = scene.folder.write("root/a/.SKILL.md.swp", described("a", "Renamed into place."));
    fs::rename(temporary, scene.folder.path("root/a/SKILL.md")).unwrap();
    scene.follow(&["a: Renamed into place.", "b: New."]);
    scene.folder.write("root/a/SKILL.md", "");
    scene.folder.write("root/a/SKILL.md", described("a", "Truncated and written."));
    scene.follow(&["a: Truncated and written.", "b: New."]);

    fs::rename(scene.folder.path("root/group"), scene.folder.path("root/later")).unwrap();
    scene.folder.write("root/later/b/SKILL.md", described("b", "Written after its folder moved."));
    scene.follow(&["a: Truncated and written.", "b: Written after its folder moved."]);
    fs::remove_dir_all(scene.folder.path("root/later")).unwrap();
    scene.follow(&["a: Truncated and written."]);
    fs::remove_file(scene.folder.path("root/a/SKILL.md")).unwrap();
    scene.follow(&[]);
}

/// A root that is deleted and made again, twice, with the folders above it.
fn a_root_comes_and_goes(options: Options) {
    let mut scene = Scene::new(options, "home/.agents/skills", |folder| {
        folder.directory("home");
    });
    for round in ["One.", "Two.", "Three."] {
        scene.folder.write("home/.agents/skills/a/SKILL.md", described("a", round));
        scene.follow(&[&format!("a: {round}")]);
        scene.folder.write("home/.agents/skills/a/SKILL.md", described("a", &format!("{round} Edited.")));
        scene.follow(&[&format!("a: {round} Edited.")]);
        fs::remove_dir_all(scene.folder.path("home/.agents")).unwrap();
        scene.follow(&[]);
    }
    // The folder above is another one under the same name.
    scene.folder.write("elsewhere/skills/a/SKILL.md", described("a", "Moved here."));
    fs::rename(scene.folder.path("elsewhere"), scene.folder.path("home/.agents")).unwrap();
    scene.follow(&["a: Moved here."]);
    fs::rename(scene.folder.path("home"), scene.folder.path("away")).unwrap();
    scene.follow(&[]);
    fs::rename(scene.folder.path("away"), scene.folder.path("home")).unwrap();
    scene.follow(&["a: Moved here."]);
}

/// What a link leads to is edited, exchanged, taken away and put back, outside the root.
#[cfg(unix)]
fn links_lead_out_of_the_root(options: Options) {
    let mut scene = Scene::new(options, "root", |folder| {
        folder.write("store/one/SKILL.md", described("a", "One."));
        folder.write("store/two/SKILL.md", described("a", "Two."));
        folder.write("file/three.md", described("b", "File."));
        folder.link(folder.path("store/one"), "root/a");
        folder.link("../../file/three.md", "root/b/SKILL.md");
    });
    scene.folder.write("store/one/SKILL.md", described("a", "One, edited."));
    scene.follow(&["a: One, edited.", "b: File."]);
    scene.folder.write("file/three.md", described("b", "File, edited."));
    scene.follow(&["a: One, edited.", "b: File, edited."]);
    fs::remove_file(scene.folder.path("root/a")).unwrap();
    scene.folder.link(scene.folder.path("store/two"), "root/a");
    scene.follow(&["a: Two.", "b: File, edited."]);
    fs::remove_dir_all(scene.folder.path("store")).unwrap();
    scene.follow(&["b: File, edited."]);
    scene.folder.write("store/two/SKILL.md", described("a", "Back."));
    scene.follow(&["a: Back.", "b: File, edited."]);
}

/// The root itself is a link, and then another one.
#[cfg(unix)]
fn the_root_is_a_link(options: Options) {
    let mut scene = Scene::new(options, "root", |folder| {
        folder.write("one/a/SKILL.md", described("a", "One."));
        folder.write("two/a/SKILL.md", described("a", "Two."));
        folder.link("one", "root");
    });
    scene.folder.write("one/a/SKILL.md", described("a", "One, edited."));
    scene.follow(&["a: One, edited."]);
    fs::remove_file(scene.folder.path("root")).unwrap();
    scene.folder.link("two", "root");
    scene.follow(&["a: Two."]);
    scene.folder.write("two/a/SKILL.md", described("a", "Two, edited."));
    scene.follow(&["a: Two, edited."]);
}

/// S3-33: who may choose a skill is written in a file of its own.
fn s3_33_the_file_beside_a_skill(options: Options) {
    let mut scene = Scene::new(options, "root", |folder| {
        folder.skill("root/a");
    });
    let mut say = |implicit: bool| {
        let text = format!("policy:\n  allow_implicit_invocation: {implicit}\n");
        scene.folder.write("root/a/agents/openai.yaml", text);
        while scene.scan.skills[0].policy.implicit != implicit {
            scene.follow(&["a: Does a."]);
        }
    };
    say(false);
    say(true);
    say(false);
    fs::remove_dir_all(scene.folder.path("root/a/agents")).unwrap();
    while !scene.scan.skills[0].policy.implicit {
        scene.follow(&["a: Does a."]);
    }
}

/// A root may be the skill file itself, with the file beside it.
fn the_root_is_a_file(options: Options) {
    let folder = Folder::new();
    folder.write("root/a.md", described("a", "One."));
    let mut rule = RootRule::new(RootBase::Path(folder.path("root/a.md")), Scope::User);
    rule.walk.root_may_be_file = true;
    let place = Place::new(folder.path(""));
    let source = FsSource::new(SourceId::new("host"), place, vec![rule], Reading::lenient());
    let source = Arc::new(source.with_cache(MetadataCache::in_memory(std::time::SystemTime::now)));
    let watch = Watch::sources(vec![source.clone() as Arc<dyn Source>], options).unwrap();
    let mut scene = Scene { scan: source.scan(&ScanRequest::default()), folder, source, watch, batches: 0 };
    scene.folder.write("root/a.md", described("a", "Edited."));
    scene.follow(&["a: Edited."]);
    scene.forbid("root/agents/openai.yaml");
}

/// The file beside a linked skill lies beside what the link leads to.
#[cfg(unix)]
fn the_file_beside_a_linked_skill(options: Options) {
    let mut scene = Scene::new(options, "root", |folder| {
        folder.write("file/SKILL.md", described("a", "File."));
        folder.link("../../file/SKILL.md", "root/a/SKILL.md");
    });
    scene.forbid("file/agents/openai.yaml");
}

/// Loose Markdown files have a file beside them too.
fn the_file_beside_loose_files(options: Options) {
    let folder = Folder::new();
    folder.write("root/a.md", described("a", "One."));
    folder.directory("root/agents");
    let mut rule = RootRule::new(RootBase::Path(folder.path("root")), Scope::User);
    rule.walk.loose_markdown = LooseMarkdown::InRoot;
    let place = Place::new(folder.path(""));
    let source = FsSource::new(SourceId::new("host"), place, vec![rule], Reading::lenient());
    let source = Arc::new(source.with_cache(MetadataCache::in_memory(std::time::SystemTime::now)));
    let watch = Watch::sources(vec![source.clone() as Arc<dyn Source>], options).unwrap();
    let mut scene = Scene { scan: source.scan(&ScanRequest::default()), folder, source, watch, batches: 0 };
    scene.forbid("root/agents/openai.yaml");
}

/// Rules give other roots when a folder becomes a project, or a nearer folder appears.
fn rules_give_other_roots(options: Options) {
    let folder = Folder::new();
    folder.write("up/.skills/a/SKILL.md", described("a", "Above."));
    folder.directory("up/down");
    let order = lorimer_discover::UpwardOrder::OutermostFirst;
    let upward = RootBase::ProjectUpward { relative: ".skills".into(), order };
    let nearest = RootBase::NearestUpward { relative: ".near/skills".into() };
    let rules = [upward, nearest].map(|base| RootRule::new(base, Scope::User)).to_vec();
    let mut place = Place::new(folder.path("up/down"));
    place.project_markers = vec![".marker".to_owned()];
    let source = Arc::new(FsSource::new(SourceId::new("host"), place, rules, Reading::lenient()));
    let watch = Watch::sources(vec![source.clone() as Arc<dyn Source>], options).unwrap();
    let mut scene = Scene { scan: source.scan(&ScanRequest::default()), folder, source, watch, batches: 0 };
    assert!(scene.scan.skills.is_empty());
    scene.folder.write("up/.marker", "");
    scene.follow(&["a: Above."]);
    scene.folder.write("up/.skills/a/SKILL.md", described("a", "Above, edited."));
    scene.follow(&["a: Above, edited."]);
    scene.folder.write("up/.near/skills/b/SKILL.md", described("b", "Near."));
    scene.follow(&["a: Above, edited.", "b: Near."]);
    scene.folder.write("up/down/.near/skills/b/SKILL.md", described("b", "Nearer."));
    scene.follow(&["a: Above, edited.", "b: Nearer."]);
    fs::remove_file(scene.folder.path("up/.marker")).unwrap();
    scene.follow(&["b: Nearer."]);
}

/// Ignore files and the project's marker decide about nested roots, and rules may lie in rules.
#[test]
fn what_decides_about_roots_is_watched() {
    let folder = Folder::new();
    let mut place = Place::new(folder.path("up/down"));
    place.project_markers = vec![".marker".to_owned()];
    place.opened = [folder.path("up/down/deep/file.rs")].into_iter().collect();
    let moved = |otherwise| RootBase::Relocatable {
        variable: "NONE".to_owned(),
        otherwise: Some(Box::new(otherwise)),
        relative: "".into(),
    };
    let watched = |base| {
        let rules = vec![RootRule::new(base, Scope::User)];
        let source = FsSource::new(SourceId::new("host"), place.clone(), rules, Reading::lenient());
        source.watched().into_iter().map(|root| root.path).collect::<BTreeSet<_>>()
    };
    let nested = watched(RootBase::Nested { relative: ".skills".into() });
    let twice = watched(moved(moved(RootBase::ProjectRoot(".skills".into()))));
    for file in ["up/down/.gitignore", "up/down/deep/.gitignore", "up/.marker"] {
        assert!(nested.contains(&folder.path(file)), "{file}");
    }
    assert!(twice.contains(&folder.path("up/.marker")));
}

/// Plugins are installed and renamed: their manifests lie in hidden folders and are no skill files.
fn plugins_come_and_are_renamed(options: Options) {
    let folder = Folder::new();
    let rules = vec![PluginRule::new(RootBase::Path(folder.path("plugins")))];
    let place = Place::new(folder.path(""));
    let plugins = PluginSource::new(SourceId::new("plugins"), place, rules, Reading::lenient());
    let plugins: Arc<dyn Source> = Arc::new(KeepLastGood::new(plugins));
    let watch = Watch::sources(vec![Arc::clone(&plugins)], options).unwrap();
    let named = |expected: &[&str]| {
        let begin = Instant::now();
        loop {
            let changes = watch.next(DEADLINE.saturating_sub(begin.elapsed())).unwrap();
            let scan = plugins.scan(&changes.expect("a batch before the deadline").request());
            if scan.skills.iter().map(|skill| skill.call_name()).eq(expected.iter().copied()) {
                return;
            }
        }
    };
    folder.write("plugins/p/.claude-plugin/plugin.json", "{\"name\": \"p\"}");
    folder.write("plugins/p/skills/a/SKILL.md", skill_text("a"));
    named(&["p:a"]);
    folder.write("plugins/p/.claude-plugin/plugin.json", "{\"name\": \"renamed\"}");
    named(&["renamed:a"]);
    fs::remove_dir_all(folder.path("plugins/p/.claude-plugin")).unwrap();
    named(&[]);
}

/// A registry names plugins, and one of them lies nowhere near the others.
fn registries_name_plugins_elsewhere(options: Options) {
    let folder = Folder::new();
    folder.write("far/away/p/skills/a/SKILL.md", skill_text("a"));
    folder.directory("plugins");
    folder.write("settings/registry.json", "{\"rows\": []}");
    let file = RootBase::Path(folder.path("settings/registry.json"));
    let mut rule = PluginRule::new(RootBase::Path(folder.path("plugins")));
    rule.registry = Some(RegistryRule::new(file, "rows", "path", "project"));
    rule.needs_manifest = false;
    let place = Place::new(folder.path(""));
    let plugins = PluginSource::new(SourceId::new("plugins"), place, vec![rule], Reading::lenient());
    let plugins: Arc<dyn Source> = Arc::new(plugins);
    let watch = Watch::sources(vec![Arc::clone(&plugins)], options).unwrap();
    let follow = |expected: &[&str]| {
        let begin = Instant::now();
        loop {
            let changes = watch.next(DEADLINE.saturating_sub(begin.elapsed())).unwrap();
            let scan = plugins.scan(&changes.expect("a batch before the deadline").request());
            if shown(&scan) == expected {
                return;
            }
        }
    };
    folder.write("settings/registry.json", "{\"rows\": [{\"plugin\": \"p\", \"path\": \"../far/away/p\"}]}");
    follow(&["a: Does a."]);
    folder.write("far/away/p/skills/a/SKILL.md", described("a", "Edited."));
    follow(&["a: Edited."]);
}

/// A burst of writes is a few batches.
fn a_burst_is_a_few_batches(options: Options) {
    let mut scene = Scene::new(options, "root", |folder| {
        folder.skill("root/a");
    });
    for round in 0..500 {
        scene.folder.write("root/a/SKILL.md", described("a", &format!("Version {round}.")));
    }
    scene.follow(&["a: Version 499."]);
    assert!(scene.batches <= 50, "{} batches", scene.batches);
}

macro_rules! on_both {
    ($($(#[$attribute:meta])* $name:ident,)+) => {
        mod by_events {
            $($(#[$attribute])* #[test] fn $name() { super::$name(super::events()); })+
        }

        mod by_polling {
            $($(#[$attribute])* #[test] fn $name() { super::$name(super::polling()); })+
        }
    };
}

on_both! {
    s3_23_what_editors_and_installers_do,
    a_root_comes_and_goes,
    #[cfg(unix)] links_lead_out_of_the_root,
    #[cfg(unix)] the_root_is_a_link,
    s3_33_the_file_beside_a_skill,
    the_root_is_a_file,
    #[cfg(unix)] the_file_beside_a_linked_skill,
    the_file_beside_loose_files,
    rules_give_other_roots,
    plugins_come_and_are_renamed,
    registries_name_plugins_elsewhere,
    a_burst_is_a_few_batches,
}

/// Only what a scan looks at is told, and it is told as all that changed.
#[test]
fn what_lies_beside_a_skill_wakes_nobody() {
    let mut scene = Scene::new(events(), "root", |folder| {
        folder.skill("root/a");
    });
    for other in ["notes.txt", "scripts/run.py", "references/long.md", ".cache/x", "node_modules/b/SKILL.md"]
    {
        scene.folder.write(&format!("root/a/{other}"), "other");
    }
    scene.folder.write("root/a/SKILL.md", described("a", "Edited."));
    let changes = scene.follow(&["a: Edited."]);
    assert!(changes.only_touched);
    let file = scene.folder.path("root/a/SKILL.md");
    let told: BTreeSet<&Path> = changes.touched.iter().map(PathBuf::as_path).collect();
    assert!(told.contains(&*file));
    // New folders may hold skills; what is in them is another matter.
    let folders = ["root/a/scripts", "root/a/references"].map(|folder| scene.folder.path(folder));
    for path in told {
        assert!(path == file || folders.iter().any(|folder| folder == path), "{}", path.display());
    }
    assert_eq!(scene.watch.method(), Method::Events);
}

/// A backend that a test plays.
#[derive(Clone, Default)]
struct Played(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    watched: BTreeSet<PathBuf>,
    inbox: Option<Inbox>,
    /// How many directories may be watched.
    most: Option<usize>,
}

impl Backend for Played {
    fn watch(&mut self, directory: &Path, _below: bool) -> Result<(), BackendError> {
        let mut state = self.0.lock().unwrap();
        if state.most.is_some_and(|most| state.watched.len() >= most) {
            return Err(BackendError::Unable("the system allows no more watches".to_owned()));
        }
        state.watched.insert(directory.to_owned());
        Ok(())
    }

    fn unwatch(&mut self, directory: &Path) {
        self.0.lock().unwrap().watched.remove(directory);
    }
}

impl Played {
    fn start(&self, folder: &Folder, options: Options) -> Watch {
        let source = Arc::new(source(folder, "root"));
        let roots = move || source.watched();
        Watch::with_backend(roots, options, |inbox| {
            self.0.lock().unwrap().inbox = Some(inbox);
            Ok(Box::new(self.clone()))
        })
        .unwrap()
    }

    fn inbox(&self) -> Inbox {
        self.0.lock().unwrap().inbox.clone().unwrap()
    }

    /// The watched directories in the folder.
    fn watched(&self, folder: &Folder) -> Vec<String> {
        let root = folder.path("");
        let state = self.0.lock().unwrap();
        let below = state.watched.iter().filter_map(|path| path.strip_prefix(&root).ok());
        below.map(|path| path.to_string_lossy().into_owned()).collect()
    }
}

fn next(watch: &Watch) -> Changes {
    watch.next(DEADLINE).unwrap().expect("a batch before the deadline")
}

/// Watches follow the folders, and a root that is not there is awaited where it will appear.
#[test]
fn the_nearest_folder_stands_in_for_a_root_that_is_not_there() {
    let folder = Folder::new();
    let played = Played::default();
    let watch = played.start(&folder, events());
    assert_eq!(played.watched(&folder), [""]);
    folder.write("root/group/a/SKILL.md", skill_text("a"));
    played.inbox().changed([folder.path("root")]);
    assert_eq!(next(&watch), Changes::to([folder.path("root")]));
    assert_eq!(played.watched(&folder), ["", "root", "root/group", "root/group/a"]);
    fs::remove_dir_all(folder.path("root/group")).unwrap();
    played.inbox().changed([folder.path("root/group")]);
    next(&watch);
    assert_eq!(played.watched(&folder), ["", "root"]);
}

#[test]
fn lost_events_are_no_promise() {
    let folder = Folder::new();
    folder.skill("root/a");
    let played = Played::default();
    let watch = played.start(&folder, events());
    let file = folder.path("root/a/SKILL.md");
    played.inbox().changed([file.clone()]);
    assert_eq!(next(&watch), Changes::to([file]));
    played.inbox().lost();
    assert_eq!(next(&watch), Changes::unknown());
    // A flood is more than an inbox holds.
    played.inbox().changed((0..20_000).map(|number| folder.path(&format!("root/{number}"))));
    assert!(!next(&watch).only_touched);
}

/// What lies beyond a limit of the walk is not watched, so nothing is promised.
#[test]
fn what_limits_cut_off_is_no_promise() {
    for (directories, entries) in [(2, usize::MAX), (usize::MAX, 2)] {
        let folder = Folder::new();
        let file = folder.skill("root/a");
        folder.skill("root/b");
        let mut rule = RootRule::new(RootBase::Path(folder.path("root")), Scope::User);
        (rule.walk.max_directories, rule.walk.max_entries) = (directories, entries);
        let place = Place::new(folder.path(""));
        let source = FsSource::new(SourceId::new("host"), place, vec![rule], Reading::lenient());
        let played = Played::default();
        let watch = Watch::with_backend(
            move || source.watched(),
            events(),
            |inbox| {
                played.0.lock().unwrap().inbox = Some(inbox);
                Ok(Box::new(played.clone()))
            },
        )
        .unwrap();
        played.inbox().changed([file, folder.path("root/c")]);
        played.inbox().changed([folder.path("root")]);
        assert!(!next(&watch).only_touched);
    }
}

/// Where the system allows no more watches, polling takes over, and says so.
#[test]
fn when_watches_run_out_files_are_looked_at() {
    let folder = Folder::new();
    folder.skill("root/a");
    let mut options = events();
    options.fallback = Duration::from_millis(20);
    // From the start: more folders than watches.
    let played = Played::default();
    played.0.lock().unwrap().most = Some(2);
    let watch = played.start(&folder, options.clone());
    let because = Some("the system allows no more watches".to_owned());
    let polling = Method::Polling { every: options.fallback, because };
    assert_eq!(watch.method(), polling);
    folder.write("root/a/SKILL.md", described("a", "Edited."));
    let changes = next(&watch);
    assert_eq!((changes.touched, changes.only_touched), (vec![folder.path("root/a/SKILL.md")], false));
    drop(watch);
    // Later: folders that come are too many.
    let played = Played::default();
    let watch = played.start(&folder, options.clone());
    assert_eq!(watch.method(), Method::Events);
    let before = played.0.lock().unwrap().watched.len();
    played.0.lock().unwrap().most = Some(before);
    folder.skill("root/b");
    played.inbox().changed([folder.path("root/b")]);
    assert_eq!(next(&watch), Changes::unknown());
    assert_eq!(watch.method(), polling);
    folder.skill("root/c");
    assert!(next(&watch).touched.contains(&folder.path("root/c/SKILL.md")));
    drop(watch);
    // Later: the backend breaks.
    let played = Played::default();
    let watch = played.start(&folder, options.clone());
    played.inbox().broken("the device is gone");
    assert_eq!(next(&watch), Changes::unknown());
    let because = Some("the device is gone".to_owned());
    assert_eq!(watch.method(), Method::Polling { every: options.fallback, because });
}

#[test]
fn a_platform_that_cannot_watch_is_polled() {
    let folder = Folder::new();
    let mut options = events();
    options.fallback = Duration::from_millis(20);
    let roots = {
        let source = source(&folder, "root");
        move || source.watched()
    };
    let unable = |_| Err(BackendError::Unable("not here".to_owned()));
    let watch = Watch::with_backend(roots, options.clone(), unable).unwrap();
    let because = Some("not here".to_owned());
    assert_eq!(watch.method(), Method::Polling { every: options.fallback, because });
    folder.skill("root/a");
    assert!(next(&watch).touched.contains(&folder.path("root/a/SKILL.md")));
}

/// What piled up while nobody asked is one batch.
#[test]
fn a_slow_reader_gets_one_batch() {
    let folder = Folder::new();
    folder.skill("root/a");
    folder.skill("root/b");
    let played = Played::default();
    let mut options = events();
    options.quiet = Duration::ZERO;
    let watch = played.start(&folder, options);
    let files = ["root/a/SKILL.md", "root/b/SKILL.md"].map(|file| folder.path(file));
    let mut told = BTreeSet::new();
    for file in &files {
        played.inbox().changed([file.clone()]);
    }
    while told.len() < 2 {
        told.extend(next(&watch).touched);
    }
    assert_eq!(told.into_iter().collect::<Vec<_>>(), files);
    assert_eq!(watch.try_next().unwrap(), None);
}
