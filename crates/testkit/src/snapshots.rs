//! Snapshots that are the same on every machine.

use std::path::Path;

/// Returns insta settings that replace what differs from run to run: paths below `root` start with `[ROOT]`,
/// digests are `[DIGEST]`, times `[TIME]`.
pub fn snapshot_settings(root: &Path) -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.add_filter(&literal(&root.to_string_lossy()), "[ROOT]");
    // Paths stand in texts, so how long a text is depends on the machine.
    settings.add_filter(r"text has \d+ tokens", "text has [COUNT] tokens");
    settings.add_filter(r"sha256:[0-9a-f]{64}", "[DIGEST]");
    settings.add_filter(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "[TIME]");
    settings
}

/// Returns a pattern that matches exactly this text.
fn literal(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len() * 2);
    for character in text.chars() {
        if character.is_ascii_punctuation() {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
}
