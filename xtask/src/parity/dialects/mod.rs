//! What is special about the recordings of single harnesses: options, words and operations that no other has.
//!
//! One file per harness; a rule that several share lives in the files around this folder.

mod claude_code;
mod codex;
mod deepseek;
mod hermes;
mod openclaw;
mod pi;

use lorimer::core::Skill;
use lorimer::{Host, Turn, View};
use serde_json::{Map, Value};

use super::case::{Options, Step};
use super::drive::Driver;
use super::host::Labels;
use super::layout::Layout;

/// How one harness's recordings are read.
pub(crate) trait Dialect {
    /// Options beyond the common ones that [`Self::surroundings`] applies, or that change nothing here.
    fn understood(&self) -> &'static [&'static str] {
        &[]
    }

    /// Applies the harness's own options.
    fn surroundings(&self, host: &mut Host, options: &Options, layout: &Layout) -> anyhow::Result<()> {
        let _ = (host, options, layout);
        Ok(())
    }

    /// Returns the harness's word for where a skill comes from.
    fn scope(&self, labels: &Labels, skill: &Skill) -> Value {
        Value::from(labels.of(skill).unwrap_or_else(|| skill.scope.kind()))
    }

    /// Returns the path of a skill's file as the recordings give it: without links, or as it was found.
    fn path(&self, skill: &Skill) -> String {
        skill.id.locator.shown()
    }

    /// Puts the answer of a `list` into the harness's words: keys may be added, changed and removed.
    fn listed(&self, view: &View, answer: &mut Map<String, Value>) {
        let _ = (view, answer);
    }

    /// Adds to the answer of a `list` what depends on the surroundings, as the folders that are searched.
    fn placed(&self, host: &Host, labels: &Labels, view: &View, answer: &mut Map<String, Value>) {
        let _ = (host, labels, view, answer);
    }

    /// Puts the answer of a `turn` into the harness's words.
    fn turned(&self, turn: &Turn, answer: &mut Map<String, Value>) {
        let _ = (turn, answer);
    }

    /// Returns which keys besides `op` and `expect` a step of this operation may have, so that [`Self::step`] can run
    /// it; `None` leaves it to the common operations.
    fn operation(&self, step: &Step) -> Option<&'static [&'static str]> {
        let _ = step;
        None
    }

    /// Returns whether leaving out a step that only reads, as a `load`, makes the later ones meaningless.
    fn changes(&self, step: &Step) -> bool {
        let _ = step;
        false
    }

    /// Runs a step that [`Self::operation`] knows.
    fn step(&self, driver: &mut Driver, step: &Step, layout: &Layout) -> anyhow::Result<Map<String, Value>> {
        let _ = (driver, layout);
        anyhow::bail!("the operation `{}` is not built", step.op)
    }

    /// Returns whether two words for what is wrong with a file may stand for each other in this harness's recordings.
    fn same_kind(&self, recorded: &str, ours: &str) -> bool {
        recorded == ours
    }

    /// Returns whether the recording would have one of our facts too: `field` is `errors`, `warnings` or `logged`.
    fn counts(&self, field: &str, fact: &Value) -> bool {
        codex::counts(field, fact)
    }
}

/// Returns how a harness's recordings are read.
pub(crate) fn of(harness: &str) -> &'static dyn Dialect {
    match harness {
        "claude-code" => &claude_code::ClaudeCode,
        "codex" => &codex::Codex,
        "deepseek" => &deepseek::DeepSeek,
        "hermes" => &hermes::Hermes,
        "openclaw" => &openclaw::OpenClaw,
        "pi" => &pi::Pi,
        _ => &Plain,
    }
}

/// Recordings without anything special.
struct Plain;

impl Dialect for Plain {}
