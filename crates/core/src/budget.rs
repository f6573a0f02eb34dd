//! Budgets of a listing.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a budget counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Estimated tokens: a quarter of the UTF-8 bytes of each line, rounded up.
    Tokens,
    /// Unicode scalar values.
    Chars,
    /// UTF-8 bytes.
    Bytes,
    /// Entries, whatever their size.
    Entries,
    /// Nothing is counted.
    None,
}

impl Unit {
    /// Returns what a line of `chars` characters in `bytes` bytes costs; the line feed is part of the line.
    ///
    /// ```
    /// use lorimer_core::Unit;
    /// assert_eq!(Unit::Tokens.cost(9, 9), 3);
    /// assert_eq!(Unit::Chars.cost(9, 12), 9);
    /// ```
    pub fn cost(self, chars: usize, bytes: usize) -> usize {
        match self {
            Self::Tokens => bytes.div_ceil(4),
            Self::Chars => chars,
            Self::Bytes => bytes,
            Self::Entries => 1,
            Self::None => 0,
        }
    }

    /// Returns the unit's name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tokens => "tokens",
            Self::Chars => "chars",
            Self::Bytes => "bytes",
            Self::Entries => "entries",
            Self::None => "none",
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// How much a listing may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// What is counted.
    pub unit: Unit,
    /// How many units may be spent; `None` is no limit.
    pub limit: Option<usize>,
}

impl Budget {
    /// No limit, nothing counted.
    pub const UNBOUNDED: Self = Self { unit: Unit::None, limit: None };

    /// Returns a budget of so many tokens.
    pub const fn tokens(limit: usize) -> Self {
        Self { unit: Unit::Tokens, limit: Some(limit) }
    }

    /// Returns a budget of so many characters.
    pub const fn chars(limit: usize) -> Self {
        Self { unit: Unit::Chars, limit: Some(limit) }
    }

    /// Returns whether `cost` units fit.
    pub fn allows(&self, cost: usize) -> bool {
        self.limit.is_none_or(|limit| cost <= limit)
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.limit {
            Some(limit) => write!(formatter, "{limit} {}", self.unit),
            None => formatter.write_str("unlimited"),
        }
    }
}
