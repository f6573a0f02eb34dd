//! Runs the steps of a case through the native profile and says what came of them in the words of the cases.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use lorimer::catalog::Catalog;
use lorimer::core::{Budget, Scope, Snapshot, SourceId};
use lorimer::discover::{
    FsSource, Place, PluginRule, PluginSource, Reading, RegistryRule, RootBase, RootRule,
};
use lorimer::persist::MemoryJournal;
use lorimer::profiles::{self, Profile};
use lorimer::{Caller, Host, Lifecycle, Outcome, Session, Settings, SnapshotDiff, Told, TurnInput, View};
use serde_json::{Map, Value};

use super::answer::{Answer, Changes, Failure};
use super::case::{Case, Step};
use super::setting::{Placement, RootGiven, Roots};
use super::{facts, files};

/// A folder of the working copy that no case has: where nothing is to be found.
const NOWHERE: &str = "no-such-folder";

/// One run of a case.
#[derive(Debug)]
pub(crate) struct Driver<'c> {
    case: &'c Case,
    scratch: &'c Path,
    profile: Profile,
    journal: Arc<MemoryJournal>,
    /// Names that were switched on or off, first to last.
    rules: Vec<(String, bool)>,
    /// Counts the sessions that were begun anew, so that none knows another.
    epoch: usize,
    places: Vec<Open>,
}

/// A session in one place. It is opened when it is needed, and again when something around it has changed.
#[derive(Debug)]
struct Open {
    placement: Placement,
    running: Option<(Lifecycle, Session)>,
    /// What was found when somebody looked last.
    seen: Snapshot,
}

impl<'c> Driver<'c> {
    /// Starts a run in a working copy.
    pub(crate) fn start(case: &'c Case, scratch: &'c Path) -> anyhow::Result<Self> {
        let disabled = case.action.config.get("disabled").and_then(Value::as_array);
        let names = disabled.into_iter().flatten().filter_map(Value::as_str);
        Ok(Self {
            case,
            scratch,
            profile: profiles::by_name("native").context("there is no native profile")?,
            journal: Arc::new(MemoryJournal::default()),
            rules: names.map(|name| (name.to_owned(), false)).collect(),
            epoch: 0,
            places: Vec::new(),
        })
    }

    /// Carries out a step. `None` is an operation that the library does not have.
    pub(crate) fn step(&mut self, step: &Step) -> anyhow::Result<Option<Answer>> {
        if step.op == "fs" {
            files::change(self.scratch, &step.given)?;
            return Ok(Some(Answer::default()));
        }
        if step.flag("new_session") {
            self.epoch += 1;
            self.places.clear();
        }
        let name = step.text("name");
        match step.op.as_str() {
            "enable" | "disable" => {
                let name = self.name(step, name)?;
                self.rules.push((name, step.op == "enable"));
                // A host that changes its settings opens its sessions again over their journal.
                self.places.iter_mut().for_each(|open| open.running = None);
                Ok(Some(Answer::default()))
            }
            "resume" => {
                self.open(step)?.running = None;
                Ok(Some(Answer::default()))
            }
            "discover" => self.discover(step).map(Some),
            "catalog" => self.catalog(step).map(Some),
            "resolve_all_listed" => self.resolve_all_listed(step).map(Some),
            "activate" => self.activate(step, name).map(Some),
            "mention" => self.mention(step).map(Some),
            "read_resource" => self.read_resource(step).map(Some),
            "list_resources" => self.list_resources(step).map(Some),
            "reload" => self.reload(step).map(Some),
            "compact" => {
                self.session(step)?.1.compact("What was said before, in short.")?;
                Ok(Some(Answer::default()))
            }
            "post_compaction_context" => self.context(step).map(Some),
            "active_skills" => self.active_skills(step).map(Some),
            "approve" => self.approve(step).map(Some),
            // list_commands, slash, trust, spawn_child, verify_lock, stats, costs, explain, force_enable,
            // touch_path, and whatever cases will ask for next.
            _ => Ok(None),
        }
    }

    fn discover(&mut self, step: &Step) -> anyhow::Result<Answer> {
        let view = self.view(step)?;
        let skills = view.snapshot.skills().map(|skill| facts::skill(skill)).collect();
        Ok(Answer { skills: Some(skills), ..viewed(&view) })
    }

    fn catalog(&mut self, step: &Step) -> anyhow::Result<Answer> {
        let view = self.turn(step)?;
        Ok(viewed(&view))
    }

    fn resolve_all_listed(&mut self, step: &Step) -> anyhow::Result<Answer> {
        let names: Vec<String> = shown(&self.view(step)?).map(|entry| entry.name.clone()).collect();
        // Asking is loading, and the session under test is not to have loaded anything by that.
        let mut probe = self.session(step)?.0.session("probe")?;
        let mut unresolved = Vec::new();
        for name in names {
            if probe.load_skill(&name, Caller::Model)?.result.is_err() {
                unresolved.push(name);
            }
        }
        Ok(Answer { unresolved: Some(unresolved), ..Answer::default() })
    }

    fn activate(&mut self, step: &Step, name: &str) -> anyhow::Result<Answer> {
        let name = self.name(step, name)?;
        let caller = match step.text("by") {
            "user" => Caller::User,
            "model" => Caller::Model,
            other => anyhow::bail!("nobody is called `{other}`"),
        };
        let answer = self.session(step)?.1.load_skill(&name, caller)?;
        Ok(facts::loaded(&answer))
    }

    /// Says something to the model. A case writes mentions with `@`, the library with `$`.
    fn mention(&mut self, step: &Step) -> anyhow::Result<Answer> {
        let text = with_our_sigil(step.text("text"));
        let turn = self.session(step)?.1.begin(&TurnInput::text(text))?;
        let loaded = turn.selected.iter().filter(|selected| matches!(selected.outcome, Outcome::Loaded(_)));
        let names = loaded.filter_map(|selected| turn.snapshot.get(&selected.skill));
        let listing = lorimer::core::kind::CATALOG;
        let items = turn.items.iter().filter(|item| item.kind != listing);
        let text = items.map(|item| item.text.as_str()).collect::<Vec<_>>().join("\n");
        Ok(Answer {
            activated: Some(names.map(|skill| skill.call_name().to_owned()).collect()),
            handed: Some(facts::handed(text)),
            reports: Some(turn.diagnostics.iter().chain(&turn.notices).map(facts::report).collect()),
            ..Answer::default()
        })
    }

    fn read_resource(&mut self, step: &Step) -> anyhow::Result<Answer> {
        self.resources(step, |lifecycle, skill| facts::resource(lifecycle, skill, step.text("path")))
    }

    fn list_resources(&mut self, step: &Step) -> anyhow::Result<Answer> {
        self.resources(step, facts::resources)
    }

    fn resources(
        &mut self,
        step: &Step,
        ask: impl Fn(&Lifecycle, &lorimer::core::Skill) -> Answer,
    ) -> anyhow::Result<Answer> {
        let name = step.text("skill");
        let snapshot = self.view(step)?.snapshot;
        let lifecycle = &self.session(step)?.0;
        if let Some(skill) = snapshot.named(name).next() {
            return Ok(ask(lifecycle, skill));
        }
        let text = format!("no skill is called {name}");
        Ok(Answer { error: Some(Failure { kind: "unknown-skill".to_owned(), text }), ..Answer::default() })
    }

    fn reload(&mut self, step: &Step) -> anyhow::Result<Answer> {
        self.session(step)?;
        let open = self.open(step)?;
        let before = open.seen.clone();
        if let Some((_, session)) = &mut open.running {
            session.reload();
        }
        let view = self.turn(step)?;
        let diff = SnapshotDiff::between(&before, &view.snapshot);
        let name = |skill: &Arc<lorimer::core::Skill>| skill.call_name().to_owned();
        let changes = Changes {
            added: diff.added.iter().map(name).collect(),
            changed: diff.changed.iter().map(|changed| name(&changed.after)).collect(),
            removed: diff.removed.iter().map(name).collect(),
        };
        Ok(Answer { changes: Some(changes), ..viewed(&view) })
    }

    /// Returns what the model is told in the next turn, before the user has said anything.
    fn context(&mut self, step: &Step) -> anyhow::Result<Answer> {
        let turn = self.session(step)?.1.begin(&TurnInput::default())?;
        let text = turn.items.iter().map(|item| item.text.as_str()).collect::<Vec<_>>().join("\n");
        Ok(Answer {
            restated: Some(turn.told == Told::Sent),
            listing: (turn.told == Told::Sent).then(|| listing(&turn.catalog)),
            handed: Some(facts::handed(text)),
            ..Answer::default()
        })
    }

    fn active_skills(&mut self, step: &Step) -> anyhow::Result<Answer> {
        let open = self.open(step)?;
        let seen = open.seen.clone();
        let session = &self.session(step)?.1;
        let names = session.state().visible_bodies().map(|body| match seen.get(body.skill) {
            Some(skill) => skill.call_name().to_owned(),
            None => body.skill.to_string(),
        });
        Ok(Answer { active: Some(names.collect()), ..Answer::default() })
    }

    /// A person says yes to everything that waits.
    fn approve(&mut self, step: &Step) -> anyhow::Result<Answer> {
        let session = &mut self.session(step)?.1;
        let questions: Vec<String> = session.questions().map(|question| question.id.clone()).collect();
        for question in questions {
            session.answer(&question, &lorimer::Answer::Approved(Vec::new()))?;
        }
        Ok(Answer::default())
    }

    /// Returns the name that a step means: as it is, or as the listing shows the skill of a file.
    fn name(&mut self, step: &Step, name: &str) -> anyhow::Result<String> {
        let Some(file) = name.strip_prefix("$listed:") else { return Ok(name.to_owned()) };
        let view = self.view(step)?;
        let entry = shown(&view).find(|entry| {
            view.snapshot
                .get(&entry.skill)
                .is_some_and(|skill| skill.paths().any(|path| path.ends_with(file)))
        });
        // A file that is not listed has no listed name, and asking for it shows that.
        Ok(entry.map_or_else(|| name.to_owned(), |entry| entry.name.clone()))
    }

    /// Begins a turn, so that the model has been shown the listing and what follows sees what it says.
    fn turn(&mut self, step: &Step) -> anyhow::Result<View> {
        let view = self.view(step)?;
        self.session(step)?.1.begin(&TurnInput::default())?;
        Ok(view)
    }

    fn view(&mut self, step: &Step) -> anyhow::Result<View> {
        let view = self.session(step)?.1.view();
        self.open(step)?.seen = view.snapshot.clone();
        Ok(view)
    }

    fn session(&mut self, step: &Step) -> anyhow::Result<&mut (Lifecycle, Session)> {
        let open = self.open(step)?;
        if open.running.is_none() {
            let placement = open.placement.clone();
            let lifecycle = self.lifecycle(&placement)?;
            let number = self.places.iter().position(|open| open.placement == placement).unwrap_or_default();
            let session = lifecycle.session(&format!("field-{}-{number}", self.epoch))?;
            let first = session.view().snapshot;
            let open = self.open(step)?;
            if open.seen.is_empty() {
                open.seen = first;
            }
            open.running = Some((lifecycle, session));
        }
        self.open(step)?.running.as_mut().context("the session was just opened")
    }

    fn open(&mut self, step: &Step) -> anyhow::Result<&mut Open> {
        let placement = Placement::of(&self.case.action.config, step);
        let known = self.places.iter().position(|open| open.placement == placement);
        let place = known.unwrap_or_else(|| {
            self.places.push(Open { placement, running: None, seen: Snapshot::empty() });
            self.places.len() - 1
        });
        self.places.get_mut(place).context("the place is known")
    }

    /// Returns the native profile in these surroundings.
    fn lifecycle(&self, placement: &Placement) -> anyhow::Result<Lifecycle> {
        let at = |path: &str| -> PathBuf { plain(self.scratch, path) };
        let mut host = Host::new(at(&placement.cwd));
        host.home = placement.home.as_deref().map(at);
        host.system_root = Some(at(NOWHERE));
        host.settings = self.settings()?;
        if let Roots::Derived(roots) = &placement.roots {
            host.roots = roots.iter().map(|root| at(root)).collect();
        }
        let mut builder = self.profile.builder(&host)?.journal(Arc::clone(&self.journal));
        let mut place = Place::new(&host.cwd);
        place.home.clone_from(&host.home);
        place.variables.clone_from(&placement.env);
        let files = |rules| FsSource::new(SourceId::new("given"), place.clone(), rules, Reading::lenient());
        // The profile has no words for these, so they take the place of its own roots.
        match &placement.roots {
            Roots::Own | Roots::Derived(_) => {}
            Roots::Given(roots) => {
                let rule =
                    |root: &RootGiven| RootRule::new(RootBase::Path(at(&root.path)), root.scope.clone());
                let source = files(roots.iter().map(rule).collect());
                builder = builder.sources(|_| Vec::new()).source(source);
            }
            Roots::Moved { variable, otherwise } => {
                let otherwise = Some(Box::new(RootBase::Home(otherwise.into())));
                let (variable, relative) = (variable.clone(), "skills".into());
                let base = RootBase::Relocatable { variable, otherwise, relative };
                let source = files(vec![RootRule::new(base, Scope::User)]);
                builder = builder.sources(|_| Vec::new()).source(source);
            }
            Roots::Registry { file, project } => {
                let registry = RegistryRule::new(RootBase::Path(at(file)), "installed", "path", "project");
                let rule = PluginRule {
                    registry: Some(registry.for_project(project)),
                    needs_manifest: false,
                    ..PluginRule::new(RootBase::Path(host.cwd.clone()))
                };
                let id = SourceId::new("plugins");
                let source = PluginSource::new(id, place.clone(), vec![rule], Reading::lenient());
                builder = builder.sources(|_| Vec::new()).source(source);
            }
        }
        let budget =
            self.case.action.config.get("budget").and_then(|budget| budget.get("max_chars")?.as_u64());
        if let Some(limit) = budget {
            let limit = usize::try_from(limit)?;
            builder = builder.options(|options| options.budget = Budget::chars(limit));
        }
        Ok(builder.build())
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        let mut settings = Settings::default();
        let rule = |(name, enabled): &(String, bool)| {
            let mut table = Map::new();
            table.insert("name".to_owned(), Value::from(name.as_str()));
            table.insert("enabled".to_owned(), Value::from(*enabled));
            Value::Object(table)
        };
        let rules: Value = self.rules.iter().map(rule).collect();
        settings.set("skills.config", toml::Value::try_from(&rules)?)?;
        Ok(settings)
    }
}

/// Joins without `.`, so that no path is shown that nobody would write.
fn plain(folder: &Path, path: &str) -> PathBuf {
    folder.join(path).components().filter(|part| *part != std::path::Component::CurDir).collect()
}

fn with_our_sigil(text: &str) -> String {
    let word = |word: &str| word.strip_prefix('@').map_or_else(|| word.to_owned(), |name| format!("${name}"));
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

fn shown(view: &View) -> impl Iterator<Item = &lorimer::catalog::Entry> {
    view.catalog.shown().filter(|_| view.listing)
}

fn viewed(view: &View) -> Answer {
    let found = view.diagnostics.iter().chain(&view.catalog.notices);
    let shown = if view.listing { listing(&view.catalog) } else { super::answer::Listing::default() };
    Answer { reports: Some(found.map(facts::report).collect()), listing: Some(shown), ..Answer::default() }
}

fn listing(catalog: &Catalog) -> super::answer::Listing {
    let entries = catalog.shown().map(|entry| (entry.name.clone(), entry.description.clone())).collect();
    super::answer::Listing { text: catalog.text(), entries }
}
