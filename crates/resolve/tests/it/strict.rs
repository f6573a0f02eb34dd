//! The stricter rules.

use lorimer_resolve::{Options, SigilResolver};

use crate::support::{Ask, shown, skill, snapshot};

fn answer(text: &str, skills: &[&str]) -> String {
    let snapshot = snapshot(skills.iter().map(|entry| skill(entry)));
    let texts = [text];
    shown(&Ask { texts: &texts, ..Ask::default() }.of(&SigilResolver::with(Options::strict()), &snapshot))
}

#[test]
fn punctuation_belongs_to_the_sentence_unless_a_skill_has_it() {
    assert_eq!(answer("use $alpha: it is good", &["/s/alpha"]), "/s/alpha");
    assert_eq!(answer("$alpha- $beta:-", &["/s/alpha", "/s/beta"]), "/s/alpha; /s/beta");
    assert_eq!(answer("$alpha:", &["/s/alpha", "/s/x=alpha:"]), "/s/x");
    assert_eq!(answer("$PATH: $- $:", &["/s/alpha"]), "");
    assert_eq!(answer("$alhpa: please", &["/s/alpha"]), "$alhpa: unknown (/s/alpha)");
}

#[test]
fn code_and_words_are_left_alone() {
    assert_eq!(answer("```sh\necho $alpha\n``` foo$alpha \\$alpha", &["/s/alpha"]), "");
    assert_eq!(answer("(`$alpha`)", &["/s/alpha"]), "/s/alpha");
}
