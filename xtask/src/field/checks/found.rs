//! Expectations about the skills that were found.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{Gap, Seen, Verdict, equal, flag_of, map_of, said, sorted, text_of, texts_of, verdict};
use crate::field::answer::SkillFact;

fn skills<'a>(seen: &Seen<'a>) -> Result<&'a Vec<SkillFact>, Gap> {
    said(seen.answer.skills.as_ref())
}

fn names<'a>(seen: &Seen<'a>) -> Result<BTreeSet<&'a str>, Gap> {
    Ok(skills(seen)?.iter().map(|skill| skill.name.as_str()).collect())
}

fn optional<'a>(seen: &Seen<'a>) -> Result<Vec<&'a str>, Gap> {
    seen.expect.get("discovered_optional").map_or(Ok(Vec::new()), texts_of)
}

pub(super) fn discovered(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let (got, optional) = (names(seen)?, optional(seen)?);
    let wanted: BTreeSet<&str> = texts_of(wanted)?.into_iter().collect();
    let agrees = wanted.is_subset(&got) && got.difference(&wanted).all(|name| optional.contains(name));
    verdict(agrees, || sorted(&wanted), || sorted(&got))
}

/// What may be absent says something only beside what has to be there.
pub(super) fn discovered_optional(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    texts_of(wanted)?;
    let beside = ["discovered", "discovered_superset"].iter().any(|key| seen.expect.contains_key(*key));
    if beside { Ok(None) } else { Err(Gap::NotUnderstood) }
}

pub(super) fn discovered_superset(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let got = names(seen)?;
    let wanted: BTreeSet<&str> = texts_of(wanted)?.into_iter().collect();
    verdict(wanted.is_subset(&got), || sorted(&wanted), || sorted(&got))
}

pub(super) fn each_once(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let all = skills(seen)?;
    let mut known = BTreeSet::new();
    let twice: Vec<&str> =
        all.iter().map(|skill| skill.name.as_str()).filter(|name| !known.insert(*name)).collect();
    let once = twice.is_empty() == flag_of(wanted)?;
    verdict(once, || wanted.clone(), || Value::from(format!("found more than once: {}", twice.join(", "))))
}

/// Compares a fact of each named skill. Of several skills with one name, one has to agree.
fn each(
    wanted: &Value,
    seen: &Seen<'_>,
    fact: impl Fn(&SkillFact) -> Value,
    want: impl Fn(&Value) -> Result<Value, Gap>,
) -> Verdict {
    let all = skills(seen)?;
    let (mut wants, mut got) = (Map::new(), Map::new());
    for (name, value) in map_of(wanted)? {
        let value = want(value)?;
        let facts: Vec<Value> = all.iter().filter(|skill| skill.name == *name).map(&fact).collect();
        if !facts.contains(&value) {
            wants.insert(name.clone(), value);
            got.insert(name.clone(), facts.first().cloned().unwrap_or(Value::Null));
        }
    }
    verdict(got.is_empty(), || Value::Object(wants), || Value::Object(got))
}

pub(super) fn descriptions(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    each(wanted, seen, |skill| Value::from(skill.description.as_str()), |text| Ok(text_of(text)?.into()))
}

pub(super) fn scopes(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    each(wanted, seen, |skill| Value::from(skill.scope), |text| Ok(text_of(text)?.into()))
}

pub(super) fn locations(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let place = |path: &Value| Ok(Value::from(seen.scratch.join(text_of(path)?).to_string_lossy()));
    each(wanted, seen, |skill| Value::from(skill.location.to_string_lossy()), place)
}

pub(super) fn locations_if_found(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let got = names(seen)?;
    let mut found = map_of(wanted)?.clone();
    found.retain(|name, _| got.contains(name.as_str()));
    locations(&Value::Object(found), seen)
}

/// Compares fields of the frontmatter, under the names that they have there, with `_` for `-`. Of a field that the
/// library has a word for, its word counts.
pub(super) fn fields(wanted: &Value, seen: &Seen<'_>) -> Verdict {
    let all = skills(seen)?;
    for (name, fields) in map_of(wanted)? {
        let skill = all.iter().find(|skill| skill.name == *name);
        for (key, value) in map_of(fields)? {
            let got = skill.and_then(|skill| {
                skill.typed.get(key).or_else(|| skill.frontmatter.get(&key.replace('_', "-")))
            });
            if let differs @ Some(_) = equal(value, got.cloned().unwrap_or_default())? {
                return Ok(differs);
            }
        }
    }
    Ok(None)
}
