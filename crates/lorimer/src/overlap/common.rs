//! How common words are in descriptions of skills, so that a set of three skills can be judged too.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::words::key;

/// Words that at least so many of a thousand descriptions have, counted over the 4,202 different descriptions of public
/// skills that were written one by one.
const COMMON: [(u16, &str); 7] = [
    (400, "and for or use when"),
    (200, "a the to user with"),
    (100, "ai api data from in on skill this using via"),
    (
        50,
        "agent agents an analysis any asks build building by cli code content covers create design generate is \
         manage management need of patterns s search that up wants you",
    ),
    (
        30,
        "2 about access across add app applications architecture as automation based be before best check claude \
         comprehensive context control creating development expert files find get guidance implementing including \
         integration into issues it like list local managing mcp mentions model models multi needs new not \
         optimization performance production project projects python query requests research review run security \
         set should specific structured supports systems task tasks test testing text time tools trigger triggers \
         used web what work workflow workflows working writing your",
    ),
    (
        20,
        "1 3 4 all also analyze analyzing apps are asked audit browser cloud commands components custom database \
         debugging do documentation email features file first framework full generation google handling i js json \
         key memory messages monitoring multiple native no one only operations other pipelines plan planning \
         platform practices product provides quality react read ready real request requires sdk send server service \
         services setting setup single skills state status strategies structure summaries system their through \
         token tool track tracking ui update users video without write x",
    ),
    (
        14,
        "5 actions adding advanced after apis at audio auth authentication auto between business calls can changes \
         chat checking checks ci clawdbot codex complete compliance concise configuration configure configuring \
         creates creation cross deploy deployment docs document documents driven error event execution existing \
         extract feature fetch fix flow generates generating github guide handles help high history how image \
         images implement implementation information infrastructure invoke knowledge language level library llm \
         macos make markdown master media meeting metrics modern monitor more my network next notes open optimize \
         output page pages powered proactively processing prompt protocol queries reference reports rest results \
         reviewing risk routing running says session sessions smart social source start strategy support templates \
         tests tokens training type types typescript updates url validation view visual voice vs want whenever zoom",
    ),
];

/// The share of descriptions that have a word which is not in the table, for want of anything better.
const RARE: f64 = 0.0006;

static SHARES: LazyLock<HashMap<u64, f64>> = LazyLock::new(|| {
    let mut shares = HashMap::new();
    for (per_mille, words) in COMMON {
        for word in words.split_whitespace() {
            let share: &mut f64 = shares.entry(key(word)).or_default();
            *share = share.max(f64::from(per_mille) / 1000.0);
        }
    }
    shares
});

/// Returns the share of descriptions that have this word, in 0..=1.
pub(super) fn share(word: u64) -> f64 {
    SHARES.get(&word).copied().unwrap_or(RARE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_the_trade_is_common_and_a_product_is_not() {
        assert!(share(key("using")) >= 0.1);
        assert!(share(key("Files")) > share(key("slack")));
        assert!((share(key("slack")) - RARE).abs() < f64::EPSILON);
    }
}
