//! How often skills were used, and how long ago.

use std::collections::HashMap;
use std::time::{Duration, SystemTime};

/// How often one skill was used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Used {
    /// How many times.
    pub count: u64,
    /// The last time; `None` when it is not known.
    pub last: Option<SystemTime>,
}

/// How a use counts less the longer ago it is: it halves steadily and never goes below a floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decay {
    /// After this time a use counts half. 7 days by default.
    pub half_life: Duration,
    /// What it counts at least. 0.1 by default.
    pub floor: f64,
}

impl Default for Decay {
    fn default() -> Self {
        Self { half_life: Duration::from_secs(7 * 24 * 60 * 60), floor: 0.1 }
    }
}

impl Decay {
    /// Returns what a use counts after this many seconds. A time to come counts more than one, by the same curve.
    fn factor(self, seconds: f64) -> f64 {
        0.5_f64.powf(seconds / self.half_life.as_secs_f64()).max(self.floor)
    }
}

/// How often skills were used, by the name that they are called by.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Usage {
    rows: HashMap<String, Used>,
}

impl Usage {
    /// Returns the row of a skill.
    pub fn get(&self, name: &str) -> Option<Used> {
        self.rows.get(name).copied()
    }

    /// Returns whether no skill was ever used.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Sets the row of a skill.
    pub fn set(&mut self, name: impl Into<String>, used: Used) {
        self.rows.insert(name.into(), used);
    }

    /// Counts one more use; `at` is its time, where that is known.
    pub fn record(&mut self, name: impl Into<String>, at: Option<SystemTime>) {
        let row = self.rows.entry(name.into()).or_default();
        row.count = row.count.saturating_add(1);
        row.last = row.last.max(at);
    }

    /// Returns weights as [`WholeEntriesByRank`](crate::WholeEntriesByRank) takes them: the count, less for what is long
    /// ago. Without a time to look back from, or for a row without one, nothing is known of age: in the first case every
    /// use counts whole, in the second as little as decay allows.
    ///
    /// ```
    /// use std::time::{Duration, SystemTime};
    /// use lorimer_catalog::{Decay, Usage, Used};
    /// let now = SystemTime::UNIX_EPOCH + Duration::from_secs(100 * 86_400);
    /// let mut usage = Usage::default();
    /// for (name, days) in [("today", 0), ("last-week", 7), ("long-ago", 60)] {
    ///     usage.set(name, Used { count: 10, last: Some(now - Duration::from_secs(days * 86_400)) });
    /// }
    /// let weights = usage.weights(Some(now), Decay::default());
    /// assert_eq!((weights["today"], weights["last-week"], weights["long-ago"]), (10.0, 5.0, 1.0));
    /// ```
    pub fn weights(&self, now: Option<SystemTime>, decay: Decay) -> HashMap<String, f64> {
        let factor = |last: Option<SystemTime>| {
            let Some(now) = now else { return 1.0 };
            let Some(last) = last else { return decay.floor };
            let ago = now
                .duration_since(last)
                .map_or_else(|ahead| -ahead.duration().as_secs_f64(), |ago| ago.as_secs_f64());
            decay.factor(ago)
        };
        let weight = |used: &Used| {
            #[expect(clippy::cast_precision_loss, reason = "a rank needs no more than 53 bits")]
            let count = used.count as f64;
            count * factor(used.last)
        };
        self.rows.iter().map(|(name, used)| (name.clone(), weight(used))).collect()
    }
}

impl FromIterator<(String, Used)> for Usage {
    fn from_iter<I: IntoIterator<Item = (String, Used)>>(rows: I) -> Self {
        Self { rows: rows.into_iter().collect() }
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the same steps give the same bits")]
mod tests {
    use super::*;

    #[test]
    fn age_counts_steadily_and_a_time_to_come_does_no_harm() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000 * 86_400);
        let at = |hours: i64| {
            let distance = Duration::from_secs(hours.unsigned_abs() * 3_600);
            Some(if hours < 0 { now + distance } else { now - distance })
        };
        let weight = |count, last| {
            let usage: Usage = [("a".to_owned(), Used { count, last })].into_iter().collect();
            usage.weights(Some(now), Decay::default())["a"]
        };
        assert!(weight(1, at(21)) > weight(1, at(24)), "not counted in whole days");
        assert!(weight(1, at(-48)).is_finite() && weight(1, at(-48)) > 1.0);
        assert_eq!(weight(3, None), 3.0 * 0.1);
        assert_eq!(weight(0, at(0)), 0.0);
        assert_eq!(weight(10, at(24 * 365)), 1.0);
        let mut usage = Usage::default();
        assert!(usage.is_empty());
        usage.record("a", Some(now));
        usage.record("a", Some(now - Duration::from_secs(1)));
        assert_eq!(usage.get("a"), Some(Used { count: 2, last: Some(now) }));
        assert_eq!(usage.weights(None, Decay::default())["a"], 2.0);
    }
}
