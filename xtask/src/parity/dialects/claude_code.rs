//! The recordings of Claude Code.

use super::Dialect;

pub(super) struct ClaudeCode;

impl Dialect for ClaudeCode {
    fn understood(&self) -> &'static [&'static str] {
        &["chars_per_token", "config_local", "git_init", "usage"]
    }
}
