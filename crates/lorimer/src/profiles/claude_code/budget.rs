//! How much the listing may take: a share of the model's window, or what a variable says.

use lorimer_core::{Budget, Unit};

use crate::Host;
use crate::profiles::roots::claude_code::LISTING_BUDGET;

/// Returns the listing's budget: `SLASH_COMMAND_TOOL_CHAR_BUDGET`, or this share of the window, at least one column
/// (observed cases 004 to 046, 274 to 283, 311 to 319). Every name of a model has a window, so the 8,000 characters that
/// the documentation gives for an unknown one are never needed.
pub(super) fn of(host: &Host, fraction: f64) -> Budget {
    let limit = match variable(host) {
        Some(limit) if limit.is_infinite() && limit > 0.0 => None,
        Some(limit) => Some(whole(limit)),
        None => Some(share(host, fraction)),
    };
    Budget { unit: Unit::Columns, limit }
}

/// Returns what the variable says, where it counts: no number and 0 are as if it were not set. A negative number counts,
/// and leaves room for nothing.
fn variable(host: &Host) -> Option<f64> {
    let number = script_number(host.variables.get(LISTING_BUDGET)?)?;
    (number != 0.0).then_some(number)
}

fn share(host: &Host, fraction: f64) -> usize {
    let model = Model::of(host.model.as_deref());
    let window = host.window.unwrap_or(model.window);
    #[expect(clippy::cast_precision_loss, reason = "no window is that large")]
    let window = window as f64;
    whole(window * fraction * model.chars_per_token).max(1)
}

/// Returns the whole part of a number; 0 for less than that.
fn whole(number: f64) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a cast from a float saturates, and the whole part is wanted"
    )]
    let whole = number as usize;
    whole
}

/// What a model's name says about it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Model {
    chars_per_token: f64,
    /// In tokens, where the host does not know it better.
    window: u64,
}

impl Model {
    /// The models of today, and every name that says nothing.
    const CURRENT: Self = Self { chars_per_token: 3.0, window: 1_000_000 };
    const OLDER: Self = Self { chars_per_token: 4.0, window: 200_000 };

    /// Reads a model's name. Models of version 4 and before are older ones, but for names that the program takes for the
    /// current model; `[1m]` behind a name is a window of a million tokens.
    fn of(name: Option<&str>) -> Self {
        let Some(name) = name else { return Self::CURRENT };
        let name = name.trim().to_ascii_lowercase();
        let (name, large) = match name.strip_suffix("[1m]") {
            Some(name) => (name, true),
            None => (name.as_str(), false),
        };
        let version = name.find("claude-").and_then(|at| name.get(at + "claude-".len()..));
        let retired = version.is_some_and(|version| {
            version.strip_prefix("opus-4-1").is_some_and(|rest| rest.is_empty() || rest.starts_with("-2"))
        });
        let major = version.and_then(|version| version.split('-').find_map(|part| part.parse::<u32>().ok()));
        let model =
            if major.is_some_and(|major| major <= 4) && !retired { Self::OLDER } else { Self::CURRENT };
        if large { Self { window: 1_000_000, ..model } } else { model }
    }
}

/// Reads a number as `Number(text)` of JavaScript does; `None` for what is none.
fn script_number(text: &str) -> Option<f64> {
    let text = text.trim_matches(|character: char| {
        character == '\u{feff}' || (character.is_whitespace() && character != '\u{85}')
    });
    let radix = [("0x", 16), ("0o", 8), ("0b", 2)];
    let lower = text.to_ascii_lowercase();
    if let Some((digits, radix)) =
        radix.iter().find_map(|(prefix, radix)| Some((lower.strip_prefix(prefix)?, *radix)))
    {
        let digits: Option<Vec<u32>> = digits.chars().map(|digit| digit.to_digit(radix)).collect();
        let digits = digits.filter(|digits| !digits.is_empty())?;
        return Some(digits.into_iter().fold(0.0, |sum, digit| sum * f64::from(radix) + f64::from(digit)));
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    match unsigned {
        "" if text.is_empty() => return Some(0.0),
        "Infinity" => return Some(if text.starts_with('-') { f64::NEG_INFINITY } else { f64::INFINITY }),
        _ => {}
    }
    // Rust also knows `inf` and `nan`.
    let plain =
        |character: char| character.is_ascii_digit() || matches!(character, '.' | 'e' | 'E' | '+' | '-');
    if unsigned.contains(|character| !plain(character)) {
        return None;
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_javascript() {
        for (text, number) in [
            (" 200 ", Some(200.0)),
            ("0x80", Some(128.0)),
            ("0B11", Some(3.0)),
            ("0o17", Some(15.0)),
            ("1e3", Some(1_000.0)),
            ("200.7", Some(200.7)),
            (".5", Some(0.5)),
            ("5.", Some(5.0)),
            ("-3", Some(-3.0)),
            ("+3", Some(3.0)),
            ("", Some(0.0)),
            ("  ", Some(0.0)),
            ("Infinity", Some(f64::INFINITY)),
            ("-Infinity", Some(f64::NEG_INFINITY)),
            ("abc", None),
            ("200abc", None),
            ("1_000", None),
            ("inf", None),
            ("nan", None),
            ("0x", None),
            ("-0x10", None),
            ("+", None),
            ("1e", None),
            (".", None),
            ("1 2", None),
        ] {
            assert_eq!(script_number(text), number, "{text:?}");
        }
    }

    #[test]
    fn the_name_of_a_model_says_how_it_is_counted() {
        for (name, chars_per_token, window) in [
            (None, 3.0, 1_000_000),
            (Some("opus"), 3.0, 1_000_000),
            (Some("claude-opus-5-5"), 3.0, 1_000_000),
            (Some("claude-sonnet-5-5"), 3.0, 1_000_000),
            (Some("claude-opus-5-5[1m]"), 3.0, 1_000_000),
            (Some("something-else"), 3.0, 1_000_000),
            (Some("claude-opus-4-1"), 3.0, 1_000_000),
            (Some("claude-sonnet-4-5"), 4.0, 200_000),
            (Some("claude-sonnet-4-20250514"), 4.0, 200_000),
            (Some("claude-haiku-4-5"), 4.0, 200_000),
            (Some("claude-opus-4-6[1m]"), 4.0, 1_000_000),
            (Some("claude-3-5-haiku-20241022"), 4.0, 200_000),
            (Some("us.anthropic.claude-sonnet-4-5-20250929-v1:0"), 4.0, 200_000),
        ] {
            assert_eq!(Model::of(name), Model { chars_per_token, window }, "{name:?}");
        }
    }

    /// Rows 24 to 27 of the notes, and what was observed of the models.
    #[test]
    fn the_budget_is_a_share_of_the_window_or_what_the_variable_says() {
        let host = |model: Option<&str>, window, variable: Option<&str>| {
            let mut host = Host::new("/p");
            host.model = model.map(str::to_owned);
            host.window = window;
            host.variables.extend(variable.map(|value| (LISTING_BUDGET.to_owned(), value.to_owned())));
            host
        };
        let limit = |model, window, variable, fraction| of(&host(model, window, variable), fraction).limit;
        let older = Some("claude-sonnet-4-5");
        assert_eq!(limit(older, Some(200_000), None, 0.01), Some(8_000));
        assert_eq!(limit(older, Some(1_000_000), None, 0.01), Some(40_000));
        assert_eq!(limit(None, None, None, 0.01), Some(30_000));
        assert_eq!(limit(older, Some(200_000), None, 0.000_33), Some(264));
        assert_eq!(limit(older, Some(200_000), None, 1e-9), Some(1));
        assert_eq!(limit(older, None, Some("500"), 0.5), Some(500));
        assert_eq!(limit(older, None, Some("200.7"), 0.5), Some(200));
        assert_eq!(limit(older, None, Some("0"), 0.01), Some(8_000));
        assert_eq!(limit(older, None, Some("200abc"), 0.01), Some(8_000));
        assert_eq!(limit(older, None, Some("-5"), 0.01), Some(0));
        assert_eq!(limit(older, None, Some("Infinity"), 0.01), None);
    }
}
