//! Budgets of a listing.

use std::fmt;

use serde::{Deserialize, Serialize};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr as _};

/// How large a piece of text is, in everything that a harness may charge.
///
/// The size of two texts together is taken as the sum of theirs. That is exact but for columns, where a character
/// that joins two others may stand at the border.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Unicode scalar values.
    pub chars: usize,
    /// UTF-8 bytes.
    pub bytes: usize,
    /// UTF-16 code units.
    pub utf16: usize,
    /// Columns on a terminal; a line feed counts as one. Wide characters and emoji, whatever they are joined of, take
    /// two, combining marks none. Arabic letters take one each, also where a font would join two of them.
    pub columns: usize,
}

impl Size {
    /// One line feed.
    pub const LINE_FEED: Self = Self::ascii(1);

    /// Returns the size of so many ASCII characters.
    pub const fn ascii(count: usize) -> Self {
        Self { chars: count, bytes: count, utf16: count, columns: count }
    }

    /// Returns the size of `text`.
    pub fn of(text: &str) -> Self {
        // Most text is ASCII, and then nothing needs to be counted.
        if text.is_ascii() {
            return Self::ascii(text.len());
        }
        let (mut chars, mut utf16) = (0, 0);
        for character in text.chars() {
            chars += 1;
            utf16 += character.len_utf16();
        }
        Self { chars, bytes: text.len(), utf16, columns: columns(text) }
    }

    /// Returns the size of both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            chars: self.chars.saturating_add(other.chars),
            bytes: self.bytes.saturating_add(other.bytes),
            utf16: self.utf16.saturating_add(other.utf16),
            columns: self.columns.saturating_add(other.columns),
        }
    }

    /// Returns what a line of this size costs; the line feed is part of the line.
    ///
    /// ```
    /// use lorimer_core::{Size, Unit};
    /// assert_eq!(Size::of("123456789").cost(Unit::Tokens), 3);
    /// assert_eq!(Size::of("schön").cost(Unit::Chars), 5);
    /// assert_eq!(Size::of("schön").cost(Unit::Bytes), 6);
    /// ```
    pub fn cost(self, unit: Unit) -> usize {
        match unit {
            Unit::Tokens => self.bytes.div_ceil(4),
            Unit::Chars => self.chars,
            Unit::Utf16 => self.utf16,
            Unit::Columns => self.columns,
            Unit::Bytes => self.bytes,
            Unit::Entries => 1,
            Unit::None => 0,
        }
    }

    /// Returns what this one has more than the other; 0 where it has less.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self {
            chars: self.chars.saturating_sub(other.chars),
            bytes: self.bytes.saturating_sub(other.bytes),
            utf16: self.utf16.saturating_sub(other.utf16),
            columns: self.columns.saturating_sub(other.columns),
        }
    }
}

/// Returns the columns of a text. Joined letters are a matter of fonts, and programs that measure text do not look at
/// fonts, so Arabic is measured letter by letter.
fn columns(text: &str) -> usize {
    let is_arabic = |character: char| matches!(character, '\u{600}'..='\u{6ff}');
    if !text.contains(is_arabic) {
        return text.width();
    }
    let letters = |text: &str| -> usize { text.chars().filter_map(UnicodeWidthChar::width).sum() };
    let (mut columns, mut rest) = (0, text);
    while let Some(start) = rest.find(is_arabic) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|character| !is_arabic(character)).unwrap_or(from.len());
        let (arabic, behind) = from.split_at(end);
        columns += before.width() + letters(arabic);
        rest = behind;
    }
    columns + rest.width()
}

/// What a budget counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Estimated tokens: a quarter of the UTF-8 bytes of each line, rounded up.
    Tokens,
    /// Unicode scalar values.
    Chars,
    /// UTF-16 code units, as programs in JavaScript count characters.
    Utf16,
    /// Columns that the text takes on a terminal: two for wide characters and emoji, none for combining marks.
    Columns,
    /// UTF-8 bytes.
    Bytes,
    /// Entries, whatever their size.
    Entries,
    /// Nothing is counted.
    None,
}

impl Unit {
    /// Returns the unit's name in reports. Whatever a harness takes for a character is `chars`;
    /// [`Self::measure`] says which.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tokens => "tokens",
            Self::Chars | Self::Utf16 | Self::Columns => "chars",
            Self::Bytes => "bytes",
            Self::Entries => "entries",
            Self::None => "none",
        }
    }

    /// Returns how the unit is counted, for a person.
    pub fn measure(self) -> &'static str {
        match self {
            Self::Tokens => "quarters of a line's bytes, rounded up",
            Self::Chars => "Unicode scalar values",
            Self::Utf16 => "UTF-16 code units",
            Self::Columns => "columns of a terminal",
            Self::Bytes => "UTF-8 bytes",
            Self::Entries => "entries",
            Self::None => "nothing",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_a_size_in_every_unit() {
        let size = |chars, bytes, utf16, columns| Size { chars, bytes, utf16, columns };
        assert_eq!(Size::of("plain"), Size::ascii(5));
        assert_eq!(Size::of("日本"), size(2, 6, 2, 4));
        assert_eq!(Size::of("🍵"), size(1, 4, 2, 2));
        assert_eq!(Size::of("e\u{301}"), size(2, 3, 2, 1));
        assert_eq!(Size::of("ab").minus(Size::of("é")), size(1, 0, 1, 1));
        assert_eq!(Size::of("\u{644}\u{627} x").columns, 4, "lam and alef are two letters");
        assert_eq!(Size::of("日本").plus(Size::LINE_FEED).cost(Unit::Columns), 5);
        assert_eq!(Size::of("🍵").cost(Unit::Utf16), 2);
    }
}
