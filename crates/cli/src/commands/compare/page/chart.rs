//! Stacked bars, one chart a harness.

use lorimer::compare::{Comparison, Listing, Standing};

use crate::commands::compare::steps::window;
use crate::commands::rows;

/// Units between the bottoms of two neighbouring bars.
const STEP: usize = 44;
/// Units of the highest bar, and of its bottom from above.
const HEIGHT: usize = 96;
const BOTTOM: usize = 112;

/// Charts about one question.
pub(super) struct Group {
    pub(super) title: &'static str,
    pub(super) about: String,
    pub(super) width: usize,
    pub(super) names: Vec<String>,
    pub(super) charts: Vec<Chart>,
}

/// The chart of one harness.
pub(super) struct Chart {
    pub(super) name: &'static str,
    /// The chart in words.
    pub(super) label: String,
    pub(super) bars: Vec<Bar>,
    pub(super) cells: Vec<String>,
}

/// One listing.
pub(super) struct Bar {
    pub(super) name: String,
    pub(super) x: usize,
    pub(super) middle: usize,
    pub(super) top: usize,
    pub(super) visible: usize,
    pub(super) parts: Vec<Stretch>,
}

/// A part of a bar.
pub(super) struct Stretch {
    pub(super) class: &'static str,
    pub(super) y: String,
    pub(super) height: String,
    pub(super) title: String,
}

type Step<'c> = (String, &'c [Option<Listing>]);

pub(super) fn groups(comparison: &Comparison) -> Vec<Group> {
    let mut groups = Vec::new();
    let windows: Vec<Step> =
        comparison.windows.iter().map(|step| (short(step.window), step.listings.as_slice())).collect();
    let about =
        "The same skills in other context windows, in tokens. The number above a bar is what the model sees.";
    groups.push(group(comparison, "By window", about.to_owned(), &windows));
    if let Some(growth) = &comparison.growth {
        let steps: Vec<Step> =
            growth.steps.iter().map(|step| (step.skills.to_string(), step.listings.as_slice())).collect();
        let mut about = "Parts of the skills, each with the ones before it.".to_owned();
        if let Some(step) = growth.steps.iter().find(|step| step.audit) {
            about = format!("{about} From {} on it pays to look through them.", step.skills);
        }
        groups.push(group(comparison, "As skills are added", about, &steps));
    }
    groups.retain(|group| !group.names.is_empty());
    groups
}

/// Returns the name of a window, short enough to stand below a bar.
fn short(tokens: Option<u64>) -> String {
    match tokens {
        Some(tokens) if tokens >= 1_000_000 && tokens % 100_000 == 0 => {
            let (whole, tenths) = (tokens / 1_000_000, tokens % 1_000_000 / 100_000);
            if tenths == 0 { format!("{whole}M") } else { format!("{whole}.{tenths}M") }
        }
        Some(tokens) if tokens >= 1_000 && tokens % 1_000 == 0 => format!("{}k", tokens / 1_000),
        _ => window(tokens),
    }
}

fn group(comparison: &Comparison, title: &'static str, about: String, steps: &[Step]) -> Group {
    let listings = steps.iter().flat_map(|(_, listings)| listings.iter().flatten());
    let most = listings.map(|listing| listing.counts.found()).max().unwrap_or_default().max(1);
    let charts = comparison.columns.iter().enumerate().map(|(index, column)| {
        let own = |listings: &[Option<Listing>]| listings.get(index).copied().flatten();
        let words = steps.iter().filter_map(|(name, listings)| {
            let counts = own(listings)?.counts;
            Some(format!("{name}: {} visible, {} whole", counts.visible(), counts.whole))
        });
        let cells = steps.iter().map(|(_, listings)| match own(listings) {
            Some(Listing { counts, .. }) => format!("{} / {}", counts.visible(), counts.whole),
            None => "-".to_owned(),
        });
        let bars = steps
            .iter()
            .enumerate()
            .filter_map(|(place, (name, listings))| Some(bar(name, place, &own(listings)?, most)));
        let name = column.profile.name;
        Chart {
            name,
            label: format!("{name}, {}", words.collect::<Vec<_>>().join("; ")),
            bars: bars.collect(),
            cells: cells.collect(),
        }
    });
    Group {
        title,
        about,
        width: steps.len().max(5) * STEP,
        names: steps.iter().map(|(name, _)| name.clone()).collect(),
        charts: charts.collect(),
    }
}

fn bar(name: &str, place: usize, listing: &Listing, most: usize) -> Bar {
    let tenths = |number: usize| number * HEIGHT * 10 / most;
    let decimal = |tenths: usize| format!("{}.{}", tenths / 10, tenths % 10);
    let mut below = 0;
    let mut parts = Vec::new();
    for standing in Standing::ALL {
        let number = listing.counts.get(standing);
        if number == 0 {
            continue;
        }
        let (from, to) = (tenths(below), tenths(below + number));
        below += number;
        parts.push(Stretch {
            class: standing.as_str(),
            y: decimal((BOTTOM * 10).saturating_sub(to)),
            height: decimal(to - from),
            title: format!("{number} {}", rows::meaning(standing)),
        });
    }
    let x = place * STEP + 9;
    let top = BOTTOM.saturating_sub(tenths(below) / 10 + 4).max(10);
    Bar { name: name.to_owned(), x, middle: x + 13, top, visible: listing.counts.visible(), parts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_have_short_names() {
        let names = [Some(8_000), Some(1_000_000), Some(1_500_000), Some(4_096), None].map(short);
        assert_eq!(names, ["8k", "1M", "1.5M", "4096", "unknown"]);
    }
}
