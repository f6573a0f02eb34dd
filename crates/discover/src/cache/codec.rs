//! Values as bytes: numbers in seven-bit groups, texts behind their length.
//!
//! A reader trusts nothing: what is short, malformed or nested too deeply is `None`.

use serde_json::{Map, Number, Value};

/// Values in a file are nested as deeply as the readings allow, and those allow less.
const MAX_DEPTH: usize = 200;

/// Collects bytes.
#[derive(Debug, Default)]
pub(super) struct Writer(Vec<u8>);

impl Writer {
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self(Vec::with_capacity(bytes))
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    pub(super) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    pub(super) fn flag(&mut self, flag: bool) {
        self.byte(u8::from(flag));
    }

    pub(super) fn number(&mut self, mut number: u64) {
        loop {
            let [low, ..] = number.to_le_bytes();
            number >>= 7;
            if number == 0 {
                return self.byte(low & 0x7f);
            }
            self.byte(low | 0x80);
        }
    }

    pub(super) fn signed(&mut self, number: i64) {
        // The sign goes into the last bit, so that small numbers of both signs are short.
        self.number(((number << 1) ^ (number >> 63)).cast_unsigned());
    }

    pub(super) fn length(&mut self, length: usize) {
        self.number(u64::try_from(length).unwrap_or(u64::MAX));
    }

    /// Writes bytes without their length.
    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.length(bytes.len());
        self.0.extend_from_slice(bytes);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    pub(super) fn optional_text(&mut self, text: Option<&str>) {
        self.flag(text.is_some());
        if let Some(text) = text {
            self.text(text);
        }
    }

    pub(super) fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.byte(0),
            Value::Bool(value) => {
                self.byte(1);
                self.flag(*value);
            }
            Value::Number(number) => self.json_number(number),
            Value::String(text) => {
                self.byte(5);
                self.text(text);
            }
            Value::Array(items) => {
                self.byte(6);
                self.length(items.len());
                for item in items {
                    self.value(item);
                }
            }
            Value::Object(map) => {
                self.byte(7);
                self.length(map.len());
                for (key, value) in map {
                    self.text(key);
                    self.value(value);
                }
            }
        }
    }

    fn json_number(&mut self, number: &Number) {
        if let Some(number) = number.as_u64() {
            self.byte(2);
            self.number(number);
        } else if let Some(number) = number.as_i64() {
            self.byte(3);
            self.signed(number);
        } else {
            self.byte(4);
            self.number(number.as_f64().unwrap_or_default().to_bits());
        }
    }
}

/// Takes bytes apart.
#[derive(Clone, Debug)]
pub(super) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn left(&self) -> usize {
        self.0.len()
    }

    pub(super) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    /// Returns the next byte and leaves it there.
    pub(super) fn peek(&self) -> Option<u8> {
        self.0.first().copied()
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*byte)
    }

    pub(super) fn flag(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    pub(super) fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    pub(super) fn length(&mut self) -> Option<usize> {
        let length = usize::try_from(self.number()?).ok()?;
        // Everything takes at least a byte, so a length beyond the rest is wrong, and is not made room for.
        (length <= self.0.len()).then_some(length)
    }

    pub(super) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.length()?;
        self.take(length)
    }

    pub(super) fn str(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    pub(super) fn text(&mut self) -> Option<String> {
        self.str().map(str::to_owned)
    }

    #[expect(clippy::option_option, reason = "nothing readable, no text, a text")]
    pub(super) fn optional_text(&mut self) -> Option<Option<String>> {
        Some(if self.flag()? { Some(self.text()?) } else { None })
    }

    pub(super) fn value(&mut self) -> Option<Value> {
        self.nested(0)
    }

    fn nested(&mut self, depth: usize) -> Option<Value> {
        if depth > MAX_DEPTH {
            return None;
        }
        Some(match self.byte()? {
            0 => Value::Null,
            1 => Value::Bool(self.flag()?),
            2 => Value::Number(self.number()?.into()),
            3 => Value::Number(self.signed()?.into()),
            4 => Value::Number(Number::from_f64(f64::from_bits(self.number()?))?),
            5 => Value::String(self.text()?),
            6 => {
                let length = self.length()?;
                Value::Array((0..length).map(|_| self.nested(depth + 1)).collect::<Option<_>>()?)
            }
            7 => {
                let length = self.length()?;
                let mut map = Map::new();
                for _ in 0..length {
                    map.insert(self.text()?, self.nested(depth + 1)?);
                }
                Value::Object(map)
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::Bool),
            any::<i64>().prop_map(|number| Value::Number(number.into())),
            any::<u64>().prop_map(|number| Value::Number(number.into())),
            any::<f64>().prop_map(|number| Number::from_f64(number).map_or(Value::Null, Value::Number)),
            any::<String>().prop_map(Value::String),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
                prop::collection::vec((any::<String>(), inner), 0..4)
                    .prop_map(|entries| Value::Object(entries.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn values_and_numbers_come_back(value in values(), signed in any::<i64>(), number in any::<u64>()) {
            let mut writer = Writer::default();
            writer.value(&value);
            writer.signed(signed);
            writer.number(number);
            let bytes = writer.into_bytes();
            let mut reader = Reader::new(&bytes);
            // Text, because zero and minus zero are equal.
            prop_assert_eq!(reader.value().map(|value| value.to_string()), Some(value.to_string()));
            prop_assert_eq!(reader.signed(), Some(signed));
            prop_assert_eq!(reader.number(), Some(number));
            prop_assert!(reader.is_empty());
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let _ = Reader::new(&bytes).value();
            let _ = Reader::new(&bytes).optional_text();
        }
    }

    #[test]
    fn endless_nesting_ends() {
        let bytes: Vec<u8> = [6, 1].into_iter().cycle().take(100_000).collect();
        assert_eq!(Reader::new(&bytes).value(), None);
    }
}
