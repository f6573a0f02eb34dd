#![doc = include_str!("../README.md")]

mod answer;
pub mod check;
mod commands;
pub mod compare;
mod gather;
mod history;
mod host;
mod lifecycle;
mod news;
mod origins;
pub mod profiles;
mod programs;
mod reload;
pub mod report;
mod session;
mod settings;
mod stages;
mod steps;
mod tell;
mod tool;
mod turn;
mod view;

pub use lorimer_activate as activate;
pub use lorimer_authorize as authorize;
pub use lorimer_catalog as catalog;
pub use lorimer_core as core;
pub use lorimer_discover as discover;
pub use lorimer_observe as observe;
pub use lorimer_persist as persist;
pub use lorimer_resolve as resolve;

pub use answer::Answer;
pub use gather::SnapshotOrder;
pub use host::Host;
pub use lifecycle::{Builder, Lifecycle, Options, Refresh, Update};
pub use lorimer_core::{FindingDiff, SnapshotDiff};
pub use origins::Origin;
pub use reload::Reloaded;
pub use session::{Session, SessionError};
pub use settings::{ConfigError, Settings};
pub use stages::{Cleared, Clearing, LoadError, Loaded, Selection};
pub use steps::{Outcome, Selected};
pub use tool::{Caller, ToolAnswer, ToolError};
pub use turn::{Told, Turn, TurnInput};
pub use view::View;
