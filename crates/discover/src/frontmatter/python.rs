//! Values as Python prints what its YAML 1.1 reader makes of them.

use super::value::Expansion;
use super::yaml::{NodeId, Tree, View};

/// Returns a value's text.
pub(super) fn text(tree: &Tree<'_>, id: NodeId, expansion: &mut Expansion) -> Option<String> {
    match tree.view(id)? {
        View::Scalar { text, plain: true } => Some(plain(text)),
        View::Scalar { text, .. } => Some(text.to_owned()),
        // The expansion bounds what aliases may come to.
        View::List(_) | View::Map(_) => expansion.json(tree, id).ok().map(|_| nested(tree, id)),
    }
}

/// Returns the text of a value inside a list or a mapping, where texts stand in quotes.
fn nested(tree: &Tree<'_>, id: NodeId) -> String {
    match tree.view(id) {
        Some(View::Scalar { text, plain: is_plain }) => match if is_plain { typed(text) } else { None } {
            Some(text) => text,
            None if text.contains('\'') && !text.contains('"') => format!("\"{text}\""),
            None => format!("'{}'", text.replace('\'', "\\'")),
        },
        Some(View::List(items)) => {
            let items: Vec<String> = items.iter().map(|item| nested(tree, *item)).collect();
            format!("[{}]", items.join(", "))
        }
        Some(View::Map(entries)) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{}: {}", nested(tree, *key), nested(tree, *value)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
        None => "None".to_owned(),
    }
}

fn plain(text: &str) -> String {
    typed(text).unwrap_or_else(|| text.to_owned())
}

/// Returns the text of a plain scalar that is no string in YAML 1.1.
fn typed(text: &str) -> Option<String> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Some("None".to_owned()),
        "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "true" | "True" | "TRUE" => {
            return Some("True".to_owned());
        }
        "no" | "No" | "NO" | "off" | "Off" | "OFF" | "false" | "False" | "FALSE" => {
            return Some("False".to_owned());
        }
        _ => {}
    }
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    integer(digits.strip_prefix('+').unwrap_or(digits)).map(|number| (sign * number).to_string())
}

/// Reads an integer of YAML 1.1: grouped by `_`, of base 2, 8 or 16, or in groups of sixty.
fn integer(digits: &str) -> Option<i64> {
    if !digits.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let digits = digits.replace('_', "");
    if let Some(digits) = digits.strip_prefix("0x") {
        return i64::from_str_radix(digits, 16).ok();
    }
    if let Some(digits) = digits.strip_prefix("0b") {
        return i64::from_str_radix(digits, 2).ok();
    }
    if digits.contains(':') {
        return digits.split(':').enumerate().try_fold(0_i64, |number, (index, group)| {
            let value: i64 = group.parse().ok().filter(|value| index == 0 || (0..60).contains(value))?;
            number.checked_mul(60)?.checked_add(value)
        });
    }
    let octal = digits.len() > 1 && digits.starts_with('0');
    i64::from_str_radix(&digits, if octal { 8 } else { 10 }).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontmatter::Limits;

    #[test]
    fn values_print_as_python_has_them() {
        for (yaml, shown) in [
            ("on", "True"),
            ("No", "False"),
            ("12:30:00", "45000"),
            ("010", "8"),
            ("1_000", "1000"),
            ("0x1F", "31"),
            ("~", "None"),
            ("2024-01-01", "2024-01-01"),
            ("\"on\"", "on"),
            ("[a, 1, it's, no]", "['a', 1, \"it's\", False]"),
            ("{a: b}", "{'a': 'b'}"),
            ("12:99", "12:99"),
            ("99999999999999999999", "99999999999999999999"),
        ] {
            let limits = Limits::default();
            let tree = Tree::parse(yaml, &limits).unwrap();
            let mut expansion = Expansion::new(limits.expanded, limits.depth);
            assert_eq!(text(&tree, tree.root().unwrap(), &mut expansion).as_deref(), Some(shown), "{yaml}");
        }
    }
}
