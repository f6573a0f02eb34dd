use lorimer_core::{Code, Event, Route};
use lorimer_observe::{Funnel, FunnelCounts};
use proptest::prelude::*;

use crate::{denied, discovered, id, injected, rejected, rendered, resolved};

fn events() -> impl Strategy<Value = Vec<Event>> {
    let routes = prop::sample::select(vec![Route::Listing, Route::Mention, Route::Structured, Route::Tool]);
    let one =
        (0_u8..18, "[abc]", routes, "[xy]", 0_usize..9).prop_map(|(kind, name, route, reason, number)| {
            let skill = id(&name);
            match kind {
                0 => discovered(&name),
                1 => rejected(&name, Code::NameTooLong),
                2 => rendered(number),
                3 => Event::EntryListed { skill },
                4 => Event::EntryShortened { skill, chars_cut: number, name_only: number % 2 == 0 },
                5 => Event::EntryOmitted { skill, reason },
                6 => resolved(&name, route),
                7 => Event::MentionUnresolved { mention: name, reason },
                8 => denied(&name, route, &reason),
                9 => injected(&name, route),
                10 => Event::SkillInjectionFailed { skill, route, reason },
                11 => Event::BodyCut { skill, kept: number },
                12 => Event::SkillCleared { skill },
                13 => Event::SkillBlocked { skill, reason },
                14 => Event::SkillWaiting { skill, question: reason },
                15 => Event::DependencyFailed { skill, dependency: name, reason },
                16 => Event::SessionRolledBack { turns: 1 },
                _ => Event::SkillShadowed { skill, by: None },
            }
        });
    prop::collection::vec(one, 0..60)
}

proptest! {
    /// S3-53: in whatever order events come, nothing is lost and nothing is counted twice.
    #[test]
    fn s3_53_the_numbers_add_up(events in events()) {
        let counts = Funnel::from_iter(&events).counts();
        prop_assert_eq!(counts.check(), Ok(()));
        let loads = events.iter().filter(|event| matches!(event, Event::SkillInjected { .. })).count();
        prop_assert!(counts.loaded >= loads, "no load is lost");
        let unresolved = events.iter().filter(|event| matches!(event, Event::MentionUnresolved { .. })).count();
        prop_assert_eq!(counts.unresolved.values().sum::<usize>(), unresolved);
        prop_assert!(counts.to_string().starts_with("discovered"));
    }

    /// S3-54: a funnel can be computed live, from a journal, or half and half.
    #[test]
    fn s3_54_folding_in_two_halves_is_folding_at_once(events in events(), cut in 0_usize..60) {
        let (before, after) = events.split_at(cut.min(events.len()));
        let mut funnel = Funnel::from_iter(before);
        funnel.extend(after);
        prop_assert_eq!(funnel, Funnel::from_iter(&events));
    }

    #[test]
    fn sums_of_sessions_add_up(one in events(), two in events()) {
        let mut counts = FunnelCounts::default();
        counts.add(&Funnel::from_iter(&one).counts());
        counts.add(&Funnel::from_iter(&two).counts());
        prop_assert_eq!(counts.check(), Ok(()));
    }

    /// S3-54: what is exported as JSON is enough to compute the funnel elsewhere.
    #[test]
    fn s3_54_exported_events_give_the_same_funnel(events in events()) {
        let lines: Vec<_> = events.iter().map(|event| serde_json::to_string(event).unwrap()).collect();
        let back: Vec<Event> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        prop_assert_eq!(Funnel::from_iter(&back).counts(), Funnel::from_iter(&events).counts());
    }
}
