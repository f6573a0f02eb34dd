//! How often skills were used, out of what sessions have kept.

use std::collections::{HashMap, HashSet};
use std::time::SystemTime;

use lorimer_catalog::Usage;
use lorimer_core::Event;
use lorimer_persist::Record;

/// Counts what a session's records say was handed over: each skill once, by the name that it was found under, however often
/// the session used it. Records keep no time, so `at` says when the session was last used, where that is known.
///
/// Several sessions add up in one [`Usage`]. [`Host::usage`](crate::Host::usage) takes it.
pub fn usage_of(usage: &mut Usage, records: &[Record], at: Option<SystemTime>) {
    let mut names = HashMap::new();
    let mut counted = HashSet::new();
    for record in records {
        let Record::Fact { fact } = record else { continue };
        match fact {
            Event::SkillDiscovered { skill, name } => {
                names.insert(skill, name.as_str());
            }
            Event::SkillInjected { skill, .. } => {
                if let Some(name) = names.get(skill).filter(|name| counted.insert(**name)) {
                    usage.record(*name, at);
                }
            }
            _ => {}
        }
    }
}
