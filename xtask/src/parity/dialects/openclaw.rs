//! The recordings of OpenClaw.

mod lists;
mod turns;

use lorimer::{Host, Turn, View};
use serde_json::{Map, Value};

use super::Dialect;
use crate::parity::answer::{refused, text};
use crate::parity::case::{Options, Step};
use crate::parity::drive::Driver;
use crate::parity::host::Labels;
use crate::parity::layout::Layout;

pub(super) struct OpenClaw;

impl Dialect for OpenClaw {
    fn understood(&self) -> &'static [&'static str] {
        &["bundled", "state_dir", "execution"]
    }

    fn surroundings(&self, host: &mut Host, options: &Options, layout: &Layout) -> anyhow::Result<()> {
        for (option, variable) in
            [("state_dir", "OPENCLAW_STATE_DIR"), ("bundled", "OPENCLAW_BUNDLED_SKILLS_DIR")]
        {
            if let Some(folder) = options.text(option) {
                let folder = layout.place(folder).to_string_lossy().into_owned();
                host.variables.insert(variable.to_owned(), folder);
            }
        }
        host.execution = options.text("execution").map(|folder| layout.place(folder));
        // The recordings' machine had these two, and the programs that every system has.
        host.environment = ["HOME", "PATH"].map(str::to_owned).into();
        host.environment.extend(options.map("env").keys().cloned());
        let path = host.variables.get("PATH").map(Into::into).or_else(|| std::env::var_os("PATH"));
        host.programs = std::env::split_paths(&path.unwrap_or_default()).collect();
        Ok(())
    }

    fn listed(&self, view: &View, answer: &mut Map<String, Value>) {
        lists::listed(view, answer);
    }

    fn placed(&self, host: &Host, labels: &Labels, view: &View, answer: &mut Map<String, Value>) {
        lists::placed(host, labels, view, answer);
    }

    fn turned(&self, turn: &Turn, answer: &mut Map<String, Value>) {
        turns::turned(turn, answer);
    }

    fn operation(&self, step: &Step) -> Option<&'static [&'static str]> {
        (step.op == "commands").then_some(&[])
    }

    fn step(
        &self,
        driver: &mut Driver,
        _step: &Step,
        _layout: &Layout,
    ) -> anyhow::Result<Map<String, Value>> {
        match &driver.session {
            Ok(session) => Ok(turns::commands(session)),
            Err(error) => Ok(refused(error)),
        }
    }

    fn counts(&self, field: &str, fact: &Value) -> bool {
        let (code, severity) = (text(fact, "code"), text(fact, "severity"));
        match field {
            // A file that is no skill file is a warning here and an error there.
            "errors" => {
                code.starts_with("discover/") && (severity == "error" || code == "discover/not-regular-file")
            }
            // What nobody says to the model stands in no recording.
            "warnings" => code.starts_with("catalog/") && fact.get("told") == Some(&Value::Bool(true)),
            _ => false,
        }
    }
}
