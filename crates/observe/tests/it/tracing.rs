use std::fmt::{self, Write as _};
use std::sync::{Arc, Mutex};

use lorimer_core::{Event, Route};
use lorimer_observe::{Observer as _, Tracing};
use tracing::field::{Field, Visit};
use tracing::{Level, Metadata, Subscriber, span};

use crate::{denied, discovered, id, injected, rendered};

/// Writes every event above a level as one line.
#[derive(Clone)]
struct Lines {
    most: Level,
    lines: Arc<Mutex<String>>,
}

struct Line<'a>(&'a mut String);

impl Visit for Line<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let _ = write!(self.0, " {field}={value:?}");
    }
}

impl Subscriber for Lines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= self.most && metadata.target() == "lorimer"
    }
    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }
    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn event(&self, event: &tracing::Event<'_>) {
        let mut lines = self.lines.lock().unwrap();
        let _ = write!(lines, "{}", event.metadata().level());
        event.record(&mut Line(&mut lines));
        lines.push('\n');
    }
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
}

fn lines(most: Level, events: &[Event]) -> String {
    let lines = Lines { most, lines: Arc::default() };
    tracing::subscriber::with_default(lines.clone(), || {
        for event in events {
            Tracing.observe(event);
        }
    });
    lines.lines.lock().unwrap().clone()
}

/// S3-52: omissions, refusals and failures are warnings of their own, and say whether a person or the model asked.
#[test]
fn s3_52_one_event_each_at_a_sensible_level() {
    let events = [
        discovered("tea"),
        rendered(7),
        Event::EntryOmitted { skill: id("rice"), reason: "budget".to_owned() },
        denied("nuts", Route::Listing, "disabled"),
        denied("nuts", Route::Tool, "disabled"),
        injected("tea", Route::Mention),
        Event::HistoryCompacted { bodies_dropped: 2 },
    ];
    insta::assert_snapshot!(lines(Level::TRACE, &events), @r#"
    DEBUG event="skill.discovered" skill="host#path:/tea/SKILL.md" subject="tea"
    INFO event="catalog.rendered" subject="told" reason="900 spent of 8000 chars" amount=3 total=5
    WARN event="catalog.entry_omitted" skill="host#path:/rice/SKILL.md" reason="budget"
    DEBUG event="skill.denied" skill="host#path:/nuts/SKILL.md" route="listing" reason="disabled"
    WARN event="skill.denied" skill="host#path:/nuts/SKILL.md" route="tool" reason="disabled"
    INFO event="skill.injected" skill="host#path:/tea/SKILL.md" route="mention" subject="sha256:230d8358dc8e8890b4c58deeb62912ee2f20357ae92a5cc861b98e68fe31acb5" amount=10
    INFO event="history.compacted" amount=2
    "#);
    assert_eq!(lines(Level::WARN, &events).lines().count(), 2);
}
