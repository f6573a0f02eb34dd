//! Selection by the Codex rules: the host rows of spec/codex.md 8.4, and codex-observed.md section 6.

use lorimer_core::{Locator, Route, Skill, SkillId, SourceId};
use lorimer_resolve::SigilResolver;

use crate::support::{Ask, id, shown, skill, snapshot};

const TWO: &[&str] = &["/s/beta/SKILL.md", "/s/alpha/SKILL.md"];

/// Case M9: snapshot order, not the order of the mentions.
#[test]
fn m09_selected_skills_stand_in_snapshot_order() {
    let ask = Ask { texts: &["first $alpha then $beta"], ..Ask::default() };
    assert_eq!(ask.answer(TWO), "/s/beta/SKILL.md; /s/alpha/SKILL.md");
}

/// Texts are handled one after the other (case 286 of the recordings).
#[test]
fn texts_are_handled_one_after_the_other() {
    let ask = Ask { texts: &["$alpha", "$beta and $alpha"], ..Ask::default() };
    assert_eq!(ask.answer(TWO), "/s/alpha/SKILL.md; /s/beta/SKILL.md");
}

/// Case M10, S3-13: structured selections come first, in the order given.
#[test]
fn m10_s3_13_structured_selections_come_first() {
    let ask = Ask { texts: &["$beta"], structured: &[("alpha", "/s/alpha/SKILL.md")], ..Ask::default() };
    let resolution = ask.of(&SigilResolver::new(), &snapshot(TWO.iter().map(|entry| skill(entry))));
    assert_eq!(shown(&resolution), "/s/alpha/SKILL.md; /s/beta/SKILL.md");
    assert_eq!(resolution.selected[0].route, Route::Structured);
    assert_eq!(resolution.selected[0].place, None);
    assert_eq!(resolution.selected[1].route, Route::Mention);
    assert_eq!(resolution.selected[1].place, Some((0, 0..5)));
}

/// Case M11: the path through the user's link is as good as the canonical one.
#[test]
fn m11_every_path_of_a_skill_selects_it() {
    let mut linked = skill("/store/tidy/SKILL.md");
    linked.provenance.discovered = Some("/s/link/SKILL.md".into());
    linked.provenance.aliases.push("/other/SKILL.md".into());
    let snapshot = snapshot([linked]);
    for path in ["/store/tidy/SKILL.md", "/s/link/SKILL.md", "/other/SKILL.md", "skill:///s/link/SKILL.md"] {
        let structured = [("tidy", path)];
        let ask = Ask { structured: &structured, ..Ask::default() };
        assert_eq!(ask.of(&SigilResolver::new(), &snapshot).selected.len(), 1, "{path}");
        let text = format!("[$anything]({path})");
        let texts = [text.as_str()];
        let ask = Ask { texts: &texts, ..Ask::default() };
        assert_eq!(ask.of(&SigilResolver::new(), &snapshot).selected.len(), 1, "{text}");
    }
}

/// Case M12: a structured selection takes its name out of the texts, even when it finds nothing.
#[test]
fn m12_a_structured_selection_blocks_its_name() {
    let missing = Ask { texts: &["$alpha"], structured: &[("alpha", "/nope/SKILL.md")], ..Ask::default() };
    assert_eq!(missing.answer(TWO), "[$alpha](/nope/SKILL.md): unknown (/s/alpha/SKILL.md)");
    let disabled = Ask {
        texts: &["$alpha"],
        structured: &[("alpha", "/s/alpha/SKILL.md")],
        disabled: &["/s/alpha/SKILL.md"],
        ..Ask::default()
    };
    assert_eq!(disabled.answer(TWO), "[$alpha](/s/alpha/SKILL.md): disabled (/s/alpha/SKILL.md)");
}

/// Cases M13 and M14, S3-11, S3-12: nothing is chosen among several, unless a path says which.
#[test]
fn m13_s3_12_ambiguity_is_an_answer() {
    let skills = ["/user/demo/SKILL.md", "/repo/demo/SKILL.md"];
    let plain = Ask { texts: &["$demo $demo"], ..Ask::default() };
    assert_eq!(plain.answer(&skills), "$demo: ambiguous (/user/demo/SKILL.md /repo/demo/SKILL.md)");
    let linked = Ask { texts: &["$demo [$demo](/repo/demo/SKILL.md)"], ..Ask::default() };
    assert_eq!(linked.answer(&skills), "/repo/demo/SKILL.md");
    let one_disabled = Ask { texts: &["$demo"], disabled: &["/user/demo/SKILL.md"], ..Ask::default() };
    assert_eq!(one_disabled.answer(&skills), "/repo/demo/SKILL.md", "only enabled skills count");
}

/// Case M15, S3-12: a connector of the name keeps it from being chosen, and a path gets round that.
#[test]
fn m15_s3_12_a_connector_has_the_name_too() {
    let clash = Ask { texts: &["$Alpha"], connectors: &["alpha"], ..Ask::default() };
    assert_eq!(clash.answer(&["/s/Alpha"]), "$Alpha: connector-clash (/s/Alpha)");
    let linked = Ask { texts: &["[$Alpha](/s/Alpha)"], connectors: &["alpha"], ..Ask::default() };
    assert_eq!(linked.answer(&["/s/Alpha"]), "/s/Alpha");
    let only = Ask { texts: &["$mail"], connectors: &["mail"], ..Ask::default() };
    assert_eq!(only.answer(&["/s/Alpha"]), "", "the connector was meant");
}

/// Case M16, S3-30: a path that is no skill's finds nothing, and the name is no way round it.
#[test]
fn m16_s3_30_an_arbitrary_path_is_no_skill() {
    let missing = Ask { texts: &["[$alpha](/etc/passwd) [$beta](s/beta/SKILL.md)"], ..Ask::default() };
    assert_eq!(
        missing.answer(TWO),
        "[$alpha](/etc/passwd): unknown (/s/alpha/SKILL.md); [$beta](s/beta/SKILL.md): unknown (/s/beta/SKILL.md)"
    );
    let other_kinds =
        Ask { texts: &["[$alpha](app://x) [$alpha](mcp://x) [$alpha](plugin://x)"], ..Ask::default() };
    assert_eq!(other_kinds.answer(TWO), "");
}

/// S3-32: a disabled skill cannot be mentioned, by name or by path.
#[test]
fn s3_32_disabled_skills_are_not_there() {
    let ask = Ask {
        texts: &["$alpha [$x](/s/alpha/SKILL.md)"],
        disabled: &["/s/alpha/SKILL.md"],
        ..Ask::default()
    };
    assert_eq!(
        ask.answer(TWO),
        "[$x](/s/alpha/SKILL.md): disabled (/s/alpha/SKILL.md); $alpha: disabled (/s/alpha/SKILL.md)"
    );
}

/// Case M17: each skill once, however often it is asked for.
#[test]
fn m17_each_skill_once() {
    let link = "[$alpha](/s/alpha/SKILL.md)";
    let ask = Ask {
        texts: &[link, "$alpha $alpha", link],
        structured: &[("alpha", "/s/alpha/SKILL.md"), ("x", "/s/alpha/SKILL.md")],
        tool_name: Some("alpha"),
        ..Ask::default()
    };
    assert_eq!(ask.answer(TWO), "/s/alpha/SKILL.md");
}

/// Case M19: whether a skill is listed does not matter to a mention.
#[test]
fn m19_hidden_skills_can_be_mentioned() {
    let mut hidden = skill("/s/hidden");
    hidden.policy.implicit = false;
    let ask = Ask { texts: &["$hidden"], ..Ask::default() };
    assert_eq!(shown(&ask.of(&SigilResolver::new(), &snapshot([hidden]))), "/s/hidden");
}

/// Cases M6 and M7: the whole name, with its namespace, and in its own capitals.
#[test]
fn m06_names_are_compared_exactly() {
    let mut search = skill("/p/search");
    search.qualified_name = Some("slack:search".to_owned());
    let snapshot = snapshot([search, skill("/s/doc"), skill("/s/docs"), skill("/s/doc_x")]);
    let answer =
        |texts: &[&str]| shown(&Ask { texts, ..Ask::default() }.of(&SigilResolver::new(), &snapshot));
    assert_eq!(answer(&["$slack:search"]), "/p/search");
    assert_eq!(answer(&["$doc … $docs … $doc_x"]), "/s/doc; /s/docs; /s/doc_x");
    assert_eq!(answer(&["$search"]), "$search: unknown ()");
    assert_eq!(answer(&["$DOC"]), "$DOC: unknown (/s/doc /s/docs /s/doc_x)");
}

/// Variables, prices and shell words are not reported; what looks like a skill's name is, with suggestions.
#[test]
fn unknown_mentions_are_reported_when_they_look_like_one() {
    let ask = Ask { texts: &["$5 $5k $EDITOR $_ $HOME $alhpa $alhpa $nonsense"], ..Ask::default() };
    assert_eq!(ask.answer(TWO), "$alhpa: unknown (/s/alpha/SKILL.md); $nonsense: unknown ()");
}

/// S3-14, S3-15: remote skills are found by their URI, and only the snapshot counts.
#[test]
fn s3_15_the_snapshot_is_all_there_is() {
    let source = SourceId::new("remote");
    let uri = SkillId::new(source.clone(), Locator::Uri("skill://pkg/tidy".to_owned()));
    let package =
        SkillId::new(source, Locator::Package { package: "p".to_owned(), resource: "r".to_owned() });
    let snapshot = snapshot([Skill::new(uri.clone(), "a", ""), Skill::new(package.clone(), "b", "")]);
    let ask = Ask { structured: &[("a", "skill://pkg/tidy"), ("b", "p/r")], ..Ask::default() };
    let resolution = ask.of(&SigilResolver::new(), &snapshot);
    assert_eq!(
        resolution.selected.iter().map(|selected| &selected.skill).collect::<Vec<_>>(),
        [&uri, &package]
    );
    // This very file exists, and is no skill.
    let here = file!();
    let structured = [("a", here)];
    let ask = Ask { structured: &structured, ..Ask::default() };
    assert!(ask.of(&SigilResolver::new(), &snapshot).selected.is_empty());
    assert_ne!(id(here), uri);
}
