use lorimer_core::{Code, Event, Route};
use lorimer_observe::{Funnel, FunnelCounts, LiveFunnel, Observer as _};

use crate::{denied, discovered, id, injected, rejected, rendered, resolved};

/// S3-52, S3-53: what was shortened and left out, what was asked for, and where each of the others stopped and why.
fn two_turns() -> Vec<Event> {
    let mut events: Vec<_> = ["tea", "rice", "soup", "cake", "nuts", "deploy"].map(discovered).to_vec();
    events.extend([
        rejected("broken", Code::DescriptionMissing),
        denied("nuts", Route::Listing, "disabled"),
        denied("deploy", Route::Listing, "explicit-only"),
        Event::EntryListed { skill: id("tea") },
        Event::EntryShortened { skill: id("rice"), chars_cut: 40, name_only: false },
        Event::EntryShortened { skill: id("soup"), chars_cut: 12, name_only: true },
        Event::EntryOmitted { skill: id("cake"), reason: "budget".to_owned() },
        rendered(52),
        Event::MentionUnresolved { mention: "$toast".to_owned(), reason: "unknown".to_owned() },
        resolved("tea", Route::Mention),
        resolved("deploy", Route::Command),
        resolved("nuts", Route::Structured),
        denied("nuts", Route::Structured, "disabled"),
        injected("tea", Route::Mention),
        Event::BodyCut { skill: id("tea"), kept: 8_000 },
        Event::SkillCleared { skill: id("tea") },
        injected("deploy", Route::Command),
        Event::DependencyMissing { skill: id("deploy"), dependency: "mcp:cloud".to_owned() },
        Event::SkillWaiting { skill: id("deploy"), question: "mcp-dependency:cloud".to_owned() },
        // The second turn.
        resolved("tea", Route::Tool),
        injected("tea", Route::Tool),
        Event::SkillBlocked { skill: id("tea"), reason: "untrusted".to_owned() },
        resolved("rice", Route::Mention),
        Event::SkillInjectionFailed {
            skill: id("rice"),
            route: Route::Mention,
            reason: "file-unreadable".to_owned(),
        },
    ]);
    events
}

#[test]
fn s3_53_the_funnel_shows_where_everything_stopped() {
    let counts = Funnel::from_iter(&two_turns()).counts();
    assert_eq!(counts.check(), Ok(()));
    insta::assert_snapshot!(counts, @r"
    discovered      6
      listed        3  full 1, shortened 1, name-only 1
      omitted       1  budget 1
      hidden        2  disabled 1, explicit-only 1
    asked for       6
      unresolved    1  unknown 1
      resolved      5
        denied      1  disabled 1
        failed      1  file-unreadable 1
        loaded      3  command 1, mention 1, tool 1
          blocked   1  untrusted 1
          waiting   1
          cleared   1
    rejected        1  discover/description-missing 1
    bodies cut      1
    chars cut      52
    dependencies    1  missing 1
    ");
}

/// S3-53: a skill that is loaded in two turns is loaded twice, and it is one skill.
#[test]
fn s3_53_requests_are_counted_not_skills() {
    let events = [discovered("tea"), injected("tea", Route::Mention), injected("tea", Route::Mention)];
    let counts = Funnel::from_iter(&events).counts();
    assert_eq!((counts.discovered, counts.asked, counts.loaded, counts.unchecked), (1, 2, 2, 2));
}

#[test]
fn an_answer_moves_what_waits_and_an_install_what_was_blocked() {
    let waiting = Event::SkillWaiting { skill: id("a"), question: "q".to_owned() };
    let cleared = Event::SkillCleared { skill: id("a") };
    let blocked = Event::SkillBlocked { skill: id("a"), reason: "declined".to_owned() };
    let counts = |events: &[&Event]| {
        let mut funnel = Funnel::from_iter([&injected("a", Route::Mention)]);
        funnel.extend(events.iter().copied());
        let counts = funnel.counts();
        (counts.loaded, counts.waiting, counts.blocked.values().sum::<usize>(), counts.cleared)
    };
    assert_eq!(counts(&[&waiting]), (1, 1, 0, 0));
    assert_eq!(counts(&[&waiting, &cleared]), (1, 0, 0, 1));
    assert_eq!(counts(&[&waiting, &blocked]), (1, 0, 1, 0));
    assert_eq!(counts(&[&blocked, &cleared]), (1, 0, 0, 1));
}

/// A skill keeps the furthest state that it ever had, and a repaired file is no longer rejected.
#[test]
fn what_was_seen_was_seen() {
    let events = [
        rejected("tea", Code::NameTooLong),
        rejected("tea", Code::NameTooLong),
        discovered("tea"),
        Event::EntryListed { skill: id("tea") },
        denied("tea", Route::Listing, "disabled"),
    ];
    let counts = Funnel::from_iter(&events).counts();
    assert_eq!((counts.discovered, counts.listed_full, counts.rejected.len()), (1, 1, 0));
    assert_eq!(Funnel::from_iter(&events[..2]).counts().rejected["discover/name-too-long"], 1);
}

#[test]
fn a_live_funnel_is_the_same_fold() {
    let live = LiveFunnel::new();
    for event in &two_turns() {
        live.observe(event);
    }
    assert_eq!(live.counts(), Funnel::from_iter(&two_turns()).counts());
    assert_eq!(live.funnel(), Funnel::from_iter(&two_turns()));
}

/// The names of the fields are stable, and numbers of several sessions can be added.
#[test]
fn the_numbers_are_data() {
    let mut counts = Funnel::from_iter(&two_turns()).counts();
    let json = serde_json::to_string(&counts).unwrap();
    insta::assert_snapshot!(json, @r#"{"rejected":{"discover/description-missing":1},"discovered":6,"listed":3,"listed_full":1,"listed_shortened":1,"listed_name_only":1,"omitted":{"budget":1},"hidden":{"disabled":1,"explicit-only":1},"undecided":0,"chars_cut":52,"asked":6,"unresolved":{"unknown":1},"resolved":5,"denied":{"disabled":1},"failed":{"file-unreadable":1},"pending":0,"loaded":3,"loaded_by_route":{"command":1,"mention":1,"tool":1},"bodies_cut":1,"cleared":1,"waiting":1,"blocked":{"untrusted":1},"unchecked":0,"dependencies":{"missing":1}}"#);
    assert_eq!(serde_json::from_str::<FunnelCounts>(&json).unwrap(), counts);
    let once = counts.clone();
    counts.add(&once);
    assert_eq!(counts.check(), Ok(()));
    assert_eq!((counts.asked, counts.hidden["disabled"]), (12, 2));
}

#[test]
fn numbers_that_do_not_add_up_are_named() {
    let counts = FunnelCounts { discovered: 2, undecided: 1, ..FunnelCounts::default() };
    let equation = counts.check().unwrap_err();
    assert_eq!(equation, "discovered is 2, but listed + omitted + hidden + undecided is 1");
}
