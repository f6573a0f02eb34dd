//! Runs the steps of a case through our library and says what came of them in the words of the recordings.
//!
//! This is the only file that knows both sides.

use std::sync::Arc;

use anyhow::Context as _;
use lorimer::persist::MemoryJournal;
use lorimer::profiles::{self, Profile};
use lorimer::{Builder, ConfigError, Host, Session, Told, TurnInput, View};
use serde_json::{Map, Value, json};

use super::answer::{listing, refused, turned};
use super::case::Options;
use super::dialects::{self, Dialect};
use super::host::{Labels, host};
use super::layout::Layout;

/// Returns whether there is a profile for the harness.
pub(crate) fn knows(harness: &str) -> bool {
    profiles::by_name(harness).is_some()
}

/// A conversation under one profile, over restarts.
pub(crate) struct Driver {
    profile: Profile,
    dialect: &'static dyn Dialect,
    /// Where it runs; a change counts from the next start on.
    pub(crate) host: Host,
    journal: Arc<MemoryJournal>,
    /// `Err` when the profile refuses its settings, as the harness does.
    pub(crate) session: Result<Session, ConfigError>,
    /// Whether the model was ever told a listing.
    told: bool,
    /// Whether this process has looked for skills, for harnesses that look once.
    looked: bool,
}

impl Driver {
    /// Starts the conversation.
    pub(crate) fn start(harness: &str, options: &Options, layout: &Layout) -> anyhow::Result<Self> {
        let profile = profiles::by_name(harness).with_context(|| format!("no profile `{harness}`"))?;
        let dialect = dialects::of(harness);
        let host = host(options, dialect, layout)?;
        let journal = Arc::new(MemoryJournal::default());
        let session = open(&profile, &host, &journal)?;
        Ok(Self { profile, dialect, host, journal, session, told: false, looked: false })
    }

    /// The program noticed that something changed.
    pub(crate) fn reload(&mut self) {
        if let Ok(session) = &mut self.session {
            session.reload();
        }
    }

    /// The history becomes a summary; what the summary says is never compared.
    pub(crate) fn compact(&mut self) -> anyhow::Result<()> {
        if let Ok(session) = &mut self.session {
            session.compact("summary")?;
        }
        Ok(())
    }

    /// A new process goes on with the conversation.
    pub(crate) fn resume(&mut self) -> anyhow::Result<()> {
        self.session = open(&self.profile, &self.host, &self.journal)?;
        self.looked = false;
        Ok(())
    }

    /// A new process begins a new conversation.
    pub(crate) fn restart(&mut self) -> anyhow::Result<()> {
        self.journal = Arc::default();
        self.told = false;
        self.resume()
    }

    /// Looks for skills, unless this process has looked before.
    pub(crate) fn look_once(&mut self) {
        if !std::mem::replace(&mut self.looked, true) {
            self.reload();
        }
    }

    /// Returns the listing of other parts than the profile's, in a session of its own.
    pub(crate) fn list_with(
        &self,
        builder: Result<Builder, ConfigError>,
    ) -> anyhow::Result<Map<String, Value>> {
        Ok(match builder {
            Ok(builder) => self.answer(&builder.build().session("parity")?.view()),
            Err(error) => refused(&error),
        })
    }

    fn answer(&self, view: &View) -> Map<String, Value> {
        let labels = Labels::new(self.profile.name, &self.host);
        let mut answer = listing(self.dialect, &labels, view);
        self.dialect.listed(view, &mut answer);
        self.dialect.placed(&self.host, &labels, view, &mut answer);
        answer
    }

    /// Returns the listing as a model would get it now, and everything that was found.
    pub(crate) fn list(&self) -> Map<String, Value> {
        match &self.session {
            Ok(session) => self.answer(&session.view()),
            Err(error) => refused(error),
        }
    }

    /// Runs a turn.
    pub(crate) fn turn(&mut self, input: &TurnInput) -> anyhow::Result<Map<String, Value>> {
        let session = match &mut self.session {
            Ok(session) => session,
            Err(error) => return Ok(refused(error)),
        };
        let turn = session.begin(input)?;
        let mut answer = turned(&turn, self.told);
        answer.insert("bodies_in_context".to_owned(), json!(session.state().visible_bodies().count()));
        self.dialect.turned(&turn, &mut answer);
        self.told |= matches!(turn.told, Told::Sent | Told::Updated | Told::NoneLeft | Told::Unchanged);
        Ok(answer)
    }
}

/// Reads what a turn is given: a text or several, and the selections of a user interface.
pub(crate) fn turn_input(given: &Map<String, Value>) -> TurnInput {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut input = TurnInput::default();
    match given.get("input") {
        Some(Value::Array(texts)) => {
            for item in texts {
                input = input.and_text(text(item));
            }
        }
        Some(one) => input = input.and_text(text(one)),
        None => {}
    }
    let selected = given.get("select").and_then(Value::as_array);
    for item in selected.into_iter().flatten() {
        let part = |key: &str| item.get(key).map(text).unwrap_or_default();
        input = input.select(part("name"), part("path"));
    }
    input
}

fn open(
    profile: &Profile,
    host: &Host,
    journal: &Arc<MemoryJournal>,
) -> anyhow::Result<Result<Session, ConfigError>> {
    match profile.builder(host) {
        Ok(builder) => Ok(Ok(builder.journal(Arc::clone(journal)).build().session("parity")?)),
        Err(error) => Ok(Err(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parity::answer::object;

    #[test]
    fn inputs_are_one_text_or_several_and_selections() {
        let given = object(json!({"input": ["a", "b"], "select": [{"name": "n", "path": "/p"}]}));
        let input = turn_input(&given);
        assert_eq!(input.texts, ["a", "b"]);
        let first = input.structured.first().unwrap();
        assert_eq!((first.name.as_str(), first.locator.as_str()), ("n", "/p"));
        assert_eq!(turn_input(&object(json!({"input": "a"}))).texts, ["a"]);
    }
}
