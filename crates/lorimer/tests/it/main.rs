//! The facade over real folders: whole turns of every profile.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests may")]

mod claude_code;
mod codex;
mod compare;
mod deepseek;
mod failures;
mod harnessx;
mod hermes;
mod library;
mod native;
mod openclaw;
mod overlap;
mod persist;
mod pi;
mod properties;
mod questions;
mod reload;
mod roots;
mod sessions;
mod turns;
mod twelve;

use lorimer::{Host, Lifecycle, Session, profiles};

fn lifecycle(profile: &str, host: &Host) -> Lifecycle {
    profiles::by_name(profile).expect("a profile").lifecycle(host).expect("no setting is wrong")
}

fn session(profile: &str, host: &Host) -> Session {
    lifecycle(profile, host).session("test").expect("a new session")
}

/// Returns the kinds of a turn's items.
fn kinds(turn: &lorimer::Turn) -> Vec<&str> {
    turn.items.iter().map(|item| item.kind.as_str()).collect()
}

/// Returns the codes of what a turn found odd.
fn codes(turn: &lorimer::Turn) -> Vec<&'static str> {
    turn.diagnostics.iter().chain(&turn.notices).map(|diagnostic| diagnostic.code.as_str()).collect()
}
