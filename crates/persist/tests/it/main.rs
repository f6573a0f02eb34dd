//! What a journal keeps, and what is rebuilt from it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test, and what helps it, may stop where it fails"
)]

mod jsonl;
mod replay;
mod torn;

use lorimer_core::{ContextItem, Digest, Event, Locator, Role, SkillId, SourceId, kind};
use lorimer_persist::{Record, SessionId};
use proptest::prelude::*;

fn session(name: &str) -> SessionId {
    SessionId::new(name).expect("a valid name")
}

fn message(text: &str) -> Record {
    Record::UserMessage { text: text.to_owned() }
}

fn turn(index: u64) -> Record {
    Record::Turn { index, snapshot: Digest::of(&index.to_le_bytes()) }
}

fn told(section: &str, text: Option<&str>) -> Record {
    Record::Catalog { section: section.to_owned(), text: text.map(str::to_owned) }
}

fn skill_id(name: &str) -> SkillId {
    SkillId::new(SourceId::new("host"), Locator::Path(format!("/{name}/SKILL.md").into()))
}

fn injected(name: &str, body: &str) -> Record {
    Record::Item {
        item: ContextItem {
            role: Role::User,
            kind: kind::SELECTED_SKILL.to_owned(),
            text: format!("<skill>\n{body}\n</skill>"),
            skill: Some(skill_id(name)),
        },
        digest: Some(Digest::of(body.as_bytes())),
    }
}

fn any_record() -> impl Strategy<Value = Record> {
    prop_oneof![
        any::<u64>().prop_map(turn),
        (0_u64..6).prop_map(turn),
        ("[ab]", prop::option::of(any::<String>()))
            .prop_map(|(section, text)| Record::Catalog { section, text }),
        any::<String>().prop_map(|text| Record::UserMessage { text }),
        ("[a-c]", any::<String>()).prop_map(|(name, body)| injected(&name, &body)),
        any::<String>().prop_map(|question| Record::Asked { question }),
        (0_u64..4).prop_map(|turns| Record::RolledBack { turns }),
        (any::<String>(), prop::option::of(0_usize..3))
            .prop_map(|(summary, messages)| Record::Compacted { summary, messages }),
        any::<u64>().prop_map(|turns| Record::Fact { fact: Event::SessionResumed { turns } }),
    ]
}
