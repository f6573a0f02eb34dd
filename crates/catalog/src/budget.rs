//! How much of the context window a listing may take.

use lorimer_core::{Budget, Unit};

/// Derives the budget of a listing from the context window (S0-05..S0-07, S3-07, S3-08).
///
/// It bounds the listing only. Bodies have a limit of their own, where they have one at all (S3-10).
///
/// ```
/// use lorimer_catalog::WindowShare;
/// use lorimer_core::Budget;
/// let share = WindowShare::default();
/// assert_eq!(share.budget(Some(272_000), None), Budget::tokens(5_440));
/// assert_eq!(share.budget(None, None), Budget::chars(8_000));
/// assert_eq!(share.budget(Some(272_000), Some(20_000)), Budget::tokens(10_000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowShare {
    /// Share of the window, in per cent. 2 by default.
    pub percent: u64,
    /// The least share of a known window, in tokens. 1 by default.
    pub floor: usize,
    /// The budget when the window is unknown or 0. 8,000 characters by default.
    pub unknown: Budget,
    /// The most tokens that a user may configure. It does not bound the share of the window. 10,000 by default.
    pub configured_cap: usize,
}

impl Default for WindowShare {
    fn default() -> Self {
        Self { percent: 2, floor: 1, unknown: Budget::chars(8_000), configured_cap: 10_000 }
    }
}

impl WindowShare {
    /// Returns the budget: what the user configured, at most the cap; otherwise the share of the window;
    /// otherwise the budget for an unknown window.
    ///
    /// Whether a configured 0 is an error is for the settings to say; here it is a budget of nothing.
    pub fn budget(&self, window: Option<u64>, configured: Option<usize>) -> Budget {
        if let Some(tokens) = configured {
            return Budget::tokens(tokens.min(self.configured_cap));
        }
        let Some(window) = window.filter(|window| *window > 0) else { return self.unknown };
        let share = u128::from(window) * u128::from(self.percent) / 100;
        let tokens = usize::try_from(share).unwrap_or(usize::MAX);
        Budget { unit: Unit::Tokens, limit: Some(tokens.max(self.floor)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(window: u64) -> Budget {
        WindowShare::default().budget(Some(window), None)
    }

    /// S0-05, S0-13, S3-07: 2 % of a known window, at least one token, no upper bound.
    #[test]
    fn s0_05_s0_13_two_per_cent_of_the_window() {
        assert_eq!(tokens(272_000), Budget::tokens(5_440));
        assert_eq!(tokens(1_000_000), Budget::tokens(20_000));
        for (window, limit) in [(1, 1), (40, 1), (49, 1), (50, 1), (99, 1), (100, 2), (149, 2), (10_000, 200)]
        {
            assert_eq!(tokens(window), Budget::tokens(limit), "{window}");
        }
        assert!(tokens(u64::MAX).limit.is_some_and(|limit| limit > 10_000));
    }

    /// S3-07: an unknown window, and a window of 0, give 8,000 characters.
    #[test]
    fn s3_07_an_unknown_window_counts_characters() {
        assert_eq!(WindowShare::default().budget(None, None), Budget::chars(8_000));
        assert_eq!(tokens(0), Budget::chars(8_000));
    }

    /// S0-06, S0-07, S3-08: the setting replaces the share in both directions, up to 10,000 tokens.
    #[test]
    fn s0_06_s0_07_a_configured_budget_is_capped() {
        let share = WindowShare::default();
        for (window, configured, limit) in [
            (Some(100_000), 5_000, 5_000),
            (None, 50_000, 10_000),
            (Some(8_000), 10_000, 10_000),
            (Some(8_000), 20_000, 10_000),
            (Some(1_000_000), 1, 1),
        ] {
            assert_eq!(share.budget(window, Some(configured)), Budget::tokens(limit));
        }
    }
}
