//! Plain scalars under the rules of YAML 1.1, as PyYAML 6 applies them.

use serde_json::{Number, Value};

/// What a plain scalar is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar {
    Null,
    Bool(bool),
    /// Its decimal digits, as many as there are.
    Integer(String),
    Float(f64),
    Date(Date),
    String,
}

/// A day, and the time of day where there is one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Date {
    day: [u32; 3],
    time: Option<Time>,
}

#[derive(Clone, Debug, PartialEq)]
struct Time {
    clock: [u32; 3],
    micros: u32,
    /// Minutes east of Greenwich.
    zone: Option<i32>,
}

impl Scalar {
    /// Types a plain scalar.
    pub(super) fn of(text: &str) -> Self {
        match text {
            "" | "~" | "null" | "Null" | "NULL" => return Self::Null,
            "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "true" | "True" | "TRUE" => return Self::Bool(true),
            "no" | "No" | "NO" | "off" | "Off" | "OFF" | "false" | "False" | "FALSE" => {
                return Self::Bool(false);
            }
            _ => {}
        }
        if !text.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '+' | '-' | '.')) {
            return Self::String;
        }
        integer(text)
            .map(Self::Integer)
            .or_else(|| float(text).map(Self::Float))
            .or_else(|| date(text).map(Self::Date))
            .unwrap_or(Self::String)
    }

    /// Returns whether Python takes it for nothing.
    pub(super) fn is_nothing(&self, text: &str) -> bool {
        match self {
            Self::Null | Self::Bool(false) => true,
            Self::Integer(digits) => digits == "0",
            Self::Float(number) => *number == 0.0,
            Self::Bool(true) | Self::Date(_) => false,
            Self::String => text.is_empty(),
        }
    }

    /// Returns how Python prints it.
    pub(super) fn shown(&self, text: &str) -> String {
        match self {
            Self::Null => "None".to_owned(),
            Self::Bool(true) => "True".to_owned(),
            Self::Bool(false) => "False".to_owned(),
            Self::Integer(digits) => digits.clone(),
            Self::Float(number) => shown_float(*number),
            Self::Date(date) => date.shown(),
            Self::String => text.to_owned(),
        }
    }

    /// Returns how Python prints it inside a list or a mapping.
    pub(super) fn nested(&self, text: &str) -> String {
        match self {
            Self::Date(date) => date.nested(),
            other => other.shown(text),
        }
    }

    /// Returns it as JSON; what JSON has no type for is its text.
    pub(super) fn json(&self, text: &str) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::Bool(*value),
            Self::Integer(digits) => {
                digits.parse::<i64>().map_or_else(|_| Value::from(digits.clone()), Value::from)
            }
            Self::Float(number) => Number::from_f64(*number).map_or_else(|| Value::from(text), Value::Number),
            Self::Date(_) | Self::String => Value::from(text),
        }
    }
}

/// Reads an integer: grouped by `_`, of base 2, 8 or 16, or in groups of sixty.
fn integer(text: &str) -> Option<String> {
    let (minus, digits) = match text.as_bytes().first()? {
        b'-' => (true, text.get(1..)?),
        b'+' => (false, text.get(1..)?),
        _ => (false, text),
    };
    let based = |digits: &str, radix| {
        let digits = digits.replace('_', "");
        u128::from_str_radix(&digits, radix).ok().map(|number| number.to_string())
    };
    let made_of = |digits: &str, allowed: fn(u8) -> bool| {
        !digits.is_empty() && digits.bytes().all(|byte| byte == b'_' || allowed(byte))
    };
    let decimal = |byte: u8| byte.is_ascii_digit();
    let number = if let Some(digits) = digits.strip_prefix("0b") {
        based(Some(digits).filter(|digits| made_of(digits, |byte| matches!(byte, b'0' | b'1')))?, 2)?
    } else if let Some(digits) = digits.strip_prefix("0x") {
        based(Some(digits).filter(|digits| made_of(digits, |byte| byte.is_ascii_hexdigit()))?, 16)?
    } else if digits == "0" {
        "0".to_owned()
    } else if let Some(digits) = digits.strip_prefix('0') {
        based(Some(digits).filter(|digits| made_of(digits, |byte| matches!(byte, b'0'..=b'7')))?, 8)?
    } else if let Some((first, groups)) = digits.split_once(':') {
        let first = Some(first).filter(|first| made_of(first, decimal) && !first.starts_with('_'))?;
        let first: u128 = first.replace('_', "").parse().ok()?;
        let sum =
            groups.split(':').try_fold(first, |sum, group| sum.checked_mul(60)?.checked_add(sixty(group)?));
        sum?.to_string()
    } else {
        let digits = Some(digits).filter(|digits| made_of(digits, decimal) && !digits.starts_with('_'))?;
        digits.replace('_', "")
    };
    Some(if minus && number != "0" { format!("-{number}") } else { number })
}

/// Reads one group of sixty: one or two digits, below 60.
fn sixty(group: &str) -> Option<u128> {
    let short = matches!(group.len(), 1 | 2) && group.bytes().all(|byte| byte.is_ascii_digit());
    group.parse().ok().filter(|value: &u128| short && *value < 60)
}

/// Reads a number with a point. Without one, `1e3` is text; with one, an exponent needs its sign.
fn float(text: &str) -> Option<f64> {
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => (-1.0, text.get(1..)?),
        b'+' => (1.0, text.get(1..)?),
        _ => (1.0, text),
    };
    match digits {
        ".inf" | ".Inf" | ".INF" => return Some(sign * f64::INFINITY),
        ".nan" | ".NaN" | ".NAN" => return Some(f64::NAN).filter(|_| text.starts_with('.')),
        _ => {}
    }
    let digits_only = |part: &str| part.bytes().all(|byte| byte == b'_' || byte.is_ascii_digit());
    let (whole, rest) = digits.split_once('.')?;
    if let Some((first, groups)) = whole.split_once(':') {
        let fraction: f64 = Some(rest).filter(|rest| digits_only(rest)).and_then(fraction)?;
        let first: f64 = Some(first).filter(|first| digits_only(first))?.replace('_', "").parse().ok()?;
        let sum = groups.split(':').try_fold(first, |sum, group| {
            let group = u32::try_from(sixty(group)?).ok()?;
            Some(sum * 60.0 + f64::from(group))
        });
        return Some(sign * (sum? + fraction));
    }
    let (fraction, exponent) = match rest.find(['e', 'E']) {
        Some(at) => (rest.get(..at)?, rest.get(at + 1..)?),
        None => (rest, "+0"),
    };
    let exponent_is_signed = exponent
        .strip_prefix(['+', '-'])
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()));
    let begins = if whole.is_empty() {
        text.starts_with('.') && fraction.starts_with(|first: char| first.is_ascii_digit())
    } else {
        whole.starts_with(|first: char| first.is_ascii_digit())
    };
    if !(begins && exponent_is_signed && digits_only(whole) && digits_only(fraction)) {
        return None;
    }
    let number: f64 = format!("0{whole}.{fraction}0e{exponent}").replace('_', "").parse().ok()?;
    Some(sign * number)
}

fn fraction(digits: &str) -> Option<f64> {
    format!("0.{}0", digits.replace('_', "")).parse().ok()
}

/// Prints a number with a point: the shortest form that reads back, with an exponent from 1e16 and below 1e-4.
fn shown_float(number: f64) -> String {
    if number.is_nan() {
        return "nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let size = number.abs();
    if size != 0.0 && !(1e-4..1e16).contains(&size) {
        let shown = format!("{number:e}");
        let (mantissa, exponent) = shown.split_once('e').unwrap_or((&shown, "0"));
        let (sign, digits) = match exponent.strip_prefix('-') {
            Some(digits) => ('-', digits),
            None => ('+', exponent),
        };
        return format!("{mantissa}e{sign}{digits:0>2}");
    }
    let shown = number.to_string();
    if shown.contains('.') { shown } else { format!("{shown}.0") }
}

/// Reads a day, or a day and a time of day.
fn date(text: &str) -> Option<Date> {
    let (year, rest) = text.split_once('-')?;
    let (month, rest) = rest.split_once('-')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (day, rest) = rest.split_at_checked(digits)?;
    let number = |digits: &str, lengths: std::ops::RangeInclusive<usize>| {
        let fits = lengths.contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse::<u32>().ok().filter(|_| fits)
    };
    let least = if rest.is_empty() { 2 } else { 1 };
    let day = [number(year, 4..=4)?, number(month, least..=2)?, number(day, least..=2)?];
    if !is_day(day) {
        return None;
    }
    if rest.is_empty() {
        return Some(Date { day, time: None });
    }
    let clock = match rest.strip_prefix(['T', 't']) {
        Some(clock) => clock,
        None => Some(rest.trim_start_matches([' ', '\t'])).filter(|clock| clock.len() < rest.len())?,
    };
    let (hour, rest) = clock.split_once(':')?;
    let (minute, rest) = rest.split_once(':')?;
    let (second, rest) = rest.split_at_checked(2)?;
    let clock = [number(hour, 1..=2)?, number(minute, 2..=2)?, number(second, 2..=2)?];
    if clock[0] > 23 || clock[1] > 59 || clock[2] > 59 {
        return None;
    }
    let (micros, rest) = match rest.strip_prefix('.') {
        None => (0, rest),
        Some(rest) => {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let (fraction, rest) = rest.split_at_checked(digits)?;
            (format!("{fraction:0<6}").get(..6)?.parse().ok()?, rest)
        }
    };
    let zone = zone(rest.trim_start_matches([' ', '\t']))?;
    Some(Date { day, time: Some(Time { clock, micros, zone }) })
}

/// Reads what stands behind a time of day: nothing, `Z`, or hours and minutes from Greenwich.
#[expect(clippy::option_option, reason = "no zone at all, none written, one written")]
fn zone(text: &str) -> Option<Option<i32>> {
    if text.is_empty() {
        return Some(None);
    }
    if text == "Z" {
        return Some(Some(0));
    }
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let rest = text.strip_prefix(['+', '-'])?;
    let (hours, minutes) = rest.split_once(':').unwrap_or((rest, "00"));
    let fits = matches!(hours.len(), 1 | 2)
        && minutes.len() == 2
        && hours.bytes().chain(minutes.bytes()).all(|byte| byte.is_ascii_digit());
    let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    (fits && hours < 24).then_some(Some(sign * (hours * 60 + minutes)))
}

fn is_day([year, month, day]: [u32; 3]) -> bool {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(leap),
        _ => 0,
    };
    year > 0 && (1..=days).contains(&day)
}

impl Date {
    fn shown(&self) -> String {
        let [year, month, day] = self.day;
        let day = format!("{year:04}-{month:02}-{day:02}");
        let Some(Time { clock: [hour, minute, second], micros, zone }) = &self.time else { return day };
        let micros = if *micros == 0 { String::new() } else { format!(".{micros:06}") };
        let zone = zone.map_or_else(String::new, |zone| {
            let sign = if zone < 0 { '-' } else { '+' };
            format!("{sign}{:02}:{:02}", zone.abs() / 60, zone.abs() % 60)
        });
        format!("{day} {hour:02}:{minute:02}:{second:02}{micros}{zone}")
    }

    fn nested(&self) -> String {
        let [year, month, day] = self.day;
        let Some(Time { clock: [hour, minute, second], micros, zone }) = &self.time else {
            return format!("datetime.date({year}, {month}, {day})");
        };
        let mut parts = vec![year, month, day, *hour, *minute];
        if *second > 0 || *micros > 0 {
            parts.push(*second);
        }
        if *micros > 0 {
            parts.push(*micros);
        }
        let mut parts: Vec<String> = parts.iter().map(u32::to_string).collect();
        parts.extend(zone.map(|zone| {
            let seconds = zone.rem_euclid(24 * 60) * 60;
            match (zone, zone < 0) {
                (0, _) => "tzinfo=datetime.timezone.utc".to_owned(),
                (_, false) => format!("tzinfo=datetime.timezone(datetime.timedelta(seconds={seconds}))"),
                (_, true) => {
                    format!("tzinfo=datetime.timezone(datetime.timedelta(days=-1, seconds={seconds}))")
                }
            }
        }));
        format!("datetime.datetime({})", parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> String {
        Scalar::of(text).shown(text)
    }

    #[test]
    fn numbers_print_as_python_prints_them() {
        for (text, expected) in [
            ("1.50", "1.5"),
            ("1.", "1.0"),
            (".5", "0.5"),
            ("-.5", "-.5"),
            ("1e3", "1e3"),
            ("1.0e3", "1.0e3"),
            ("1.5e+3", "1500.0"),
            ("1.0e-5", "1e-05"),
            ("1.0e+16", "1e+16"),
            (".inf", "inf"),
            ("-.INF", "-inf"),
            (".nan", "nan"),
            ("1:30.5", "90.5"),
            ("0o17", "0o17"),
            ("08", "08"),
            ("-0", "0"),
            ("+7", "7"),
            ("0b1_0", "2"),
            ("_1", "_1"),
            ("1_", "1"),
            ("0:30", "0:30"),
            ("1:2:3", "3723"),
            ("=", "="),
            ("-", "-"),
            (".", "."),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn days_and_times_print_as_python_prints_them() {
        for (text, expected) in [
            ("2024-02-29", "2024-02-29"),
            ("2023-02-29", "2023-02-29"),
            ("2024-1-1", "2024-1-1"),
            ("2024-1-1T2:03:04Z", "2024-01-01 02:03:04+00:00"),
            ("2024-01-01 02:03:04.5 +2", "2024-01-01 02:03:04.500000+02:00"),
            ("2024-01-01t02:03:04-01:30", "2024-01-01 02:03:04-01:30"),
            ("2024-01-01T25:00:00", "2024-01-01T25:00:00"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
        let nested = |text: &str| Scalar::of(text).nested(text);
        assert_eq!(nested("2024-01-01 02:03:00"), "datetime.datetime(2024, 1, 1, 2, 3)");
        assert!(nested("2024-01-01 02:03:04-01:00").contains("days=-1, seconds=82800"));
        assert_eq!(Scalar::of("2023-02-29"), Scalar::String, "there is no such day");
    }

    proptest! {
        #[test]
        fn nothing_panics(text in r"[-+.:0-9eExXbTZ_ ]{0,24}|\PC{0,12}") {
            let scalar = Scalar::of(&text);
            let _ = (scalar.shown(&text), scalar.nested(&text), scalar.json(&text), scalar.is_nothing(&text));
        }
    }
}
