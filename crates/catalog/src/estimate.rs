//! What a listing would cost before there is one.

use lorimer_core::{Size, Unit};

/// Estimates the cost of a listing from typical lengths (S0-14).
///
/// ```
/// use lorimer_catalog::Estimate;
/// let hundred = Estimate::default().tokens(100);
/// assert!((4_900..=7_000).contains(&hundred), "a hundred skills fill the share of a window of 272,000");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Characters of a name. 17 by default.
    pub name: usize,
    /// Characters of a description. 175 by default, the middle of 150 to 200.
    pub description: usize,
    /// Characters of a locator. 50 by default.
    pub locator: usize,
}

impl Default for Estimate {
    fn default() -> Self {
        Self { name: 17, description: 175, locator: 50 }
    }
}

impl Estimate {
    /// Punctuation of a line `- name: description (file: locator)` with its line feed.
    const PUNCTUATION: usize = 14;

    /// Returns what so many skills cost in tokens, when one character is one byte.
    pub fn tokens(&self, skills: usize) -> usize {
        let line = self.name + self.description + self.locator + Self::PUNCTUATION;
        Size::ascii(line).cost(Unit::Tokens).saturating_mul(skills)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S0-14: about 100 typical skills approach the 5,440 tokens of a window of 272,000.
    #[test]
    fn s0_14_a_hundred_typical_skills_approach_the_budget() {
        let with = |description| Estimate { description, ..Estimate::default() }.tokens(100);
        assert_eq!((with(150), with(175), with(200)), (5_800, 6_400, 7_100));
        // Root aliases take most of the locator away again.
        assert_eq!(Estimate { locator: 24, description: 150, ..Estimate::default() }.tokens(100), 5_200);
    }
}
