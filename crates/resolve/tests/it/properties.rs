//! What holds for every request.

use std::collections::HashSet;

use lorimer_core::{Refusal, Route, SameName};
use lorimer_resolve::{Call, Options, Refusals, ResolveRequest, Resolver, SigilResolver, Structured};
use proptest::prelude::*;

use crate::support::{id, skill, snapshot};

const NAMES: &str = "[ab]{1,2}:?";

fn text() -> impl Strategy<Value = String> {
    r"(\$[abc]{1,3}[:-]?|\[\$[abc]{1,2}\]\((skill://)?/[0-3]/[ab]{1,2}\)|[ \n`\\x\[(]|\PC){0,12}"
}

proptest! {
    /// S3-12, S3-15, S3-30, S3-32: only skills of the snapshot that are not refused, each at most once, at a place
    /// in the text that asks for it.
    #[test]
    fn s3_32_nothing_refused_or_unknown_is_ever_chosen(
        names in prop::collection::vec((NAMES, any::<bool>()), 0..5),
        texts in prop::collection::vec(text(), 0..3),
        structured in prop::collection::vec((NAMES, "/[0-5]/[ab]{1,2}"), 0..3),
        tool_name in prop::option::of(NAMES),
        strict in any::<bool>(),
    ) {
        let entry = |index: usize, name: &str| format!("/{index}/{}={name}", name.trim_end_matches(':'));
        let skills: Vec<_> =
            names.iter().enumerate().map(|(index, (name, _))| skill(&entry(index, name))).collect();
        let refused: Refusals = skills
            .iter()
            .zip(&names)
            .filter(|(_, (_, refused))| *refused)
            .map(|(skill, _)| (skill.id.clone(), Refusal::new("disabled")))
            .collect();
        let snapshot = snapshot(skills);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let structured: Vec<_> = structured
            .into_iter()
            .map(|(name, locator)| Structured { name, locator })
            .collect();
        let request = ResolveRequest {
            texts: &texts,
            structured: &structured,
            call: tool_name.as_deref().map(|name| Call { name, route: Route::Tool }),
            connectors: &["b"],
            refused: &refused,
same_name: SameName::default(),
        };
        let options = if strict { Options::strict() } else { Options::default() };
        let resolver = SigilResolver::with(options);
        let resolution = resolver.resolve(&snapshot, &request);
        let mut seen = HashSet::new();
        for selected in &resolution.selected {
            prop_assert!(seen.insert(&selected.skill), "each once");
            prop_assert!(refused.get(&selected.skill, selected.route).is_none());
            let skill = snapshot.get(&selected.skill).expect("a skill of the snapshot");
            let Some((text, place)) = selected.place.clone() else { continue };
            let slice = &texts[text][place];
            let plain = format!("${}", skill.call_name());
            let path = skill.id.locator.shown();
            prop_assert!(slice == plain || slice.contains(&path), "{slice} asks for {path}");
            if slice == plain {
                let usable = snapshot.named(skill.call_name()).filter(|skill| refused.get(&skill.id, Route::Mention).is_none());
                prop_assert_eq!(usable.count(), 1);
            }
        }
        for row in &resolution.unresolved {
            prop_assert!(row.candidates.iter().all(|candidate| snapshot.get(candidate).is_some()));
        }
        prop_assert_eq!(resolver.resolve(&snapshot, &request), resolution, "the same every time");
    }
}

/// A text full of variables stays cheap in a large snapshot.
#[test]
fn many_unknown_names_cost_little() {
    let snapshot = snapshot((0..5_000).map(|index| skill(&format!("/s/skill-{index}"))));
    let text: String =
        (0..5_000).flat_map(|index| [format!("$some-{index} "), format!("$OTHER_{index} ")]).collect();
    let refused = Refusals::default();
    let request = ResolveRequest {
        texts: &[&text],
        structured: &[],
        call: None,
        connectors: &[],
        refused: &refused,
        same_name: SameName::default(),
    };
    let start = std::time::Instant::now();
    let resolution = SigilResolver::new().resolve(&snapshot, &request);
    assert_eq!(resolution.unresolved.len(), 5_000);
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
    assert!(snapshot.get(&id("/s/skill-1")).is_some());
}
