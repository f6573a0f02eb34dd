//! The tour's own small project: every kind of skill that a newcomer should have met.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

const BREW_TEA: &str = "\
---
name: brew-tea
description: Brews a pot of tea. Use when somebody is tired, cold or disappointed.
---
1. Warm the pot.
2. One spoon of leaves for each cup, and one for the pot.
3. Pour boiling water, wait four minutes.
";

const BREW_TEA_EDITED: &str = "\
---
name: brew-tea
description: Brews a pot of tea. Use when somebody is tired, cold or disappointed.
---
1. Warm the pot.
2. One spoon of leaves for each cup. Leave out the one for the pot: the guests complained.
3. Pour boiling water, wait three minutes.
";

const FIELD_NOTES: &str = "\
---
name: field-notes
description: Keeps field notes while you walk through an unfamiliar code base. Use it when you open a repository for \
the first time, when you look for the place where a behaviour is decided, or when somebody asks how two parts are \
connected. It writes down what was read, what was guessed and what was proven, with file and line, so that the next \
reader does not start from nothing, and it keeps questions that are still open apart from those that were answered.
---
Write one note per question. Say what you read, what you concluded, and how sure you are.
";

const RELEASE_PROJECT: &str = "\
---
name: release
description: Cuts a release of this project, with its own checklist.
---
Run the tests, write the change log, tag, publish.
";

const RELEASE_USER: &str = "\
---
name: release
description: Your personal way to cut a release.
---
Ask twice, tag once.
";

const OLD_HABITS: &str = "\
---
name: old-habits
description: How things were done before the move.
---
Kept for reference.
";

const DEPLOY: &str = "\
---
name: deploy
description: Puts the current build on the production machines.
---
Announce it, deploy, watch the graphs for ten minutes.
";

const DEPLOY_POLICY: &str = "\
policy:
  allow_implicit_invocation: false
";

const TRACKER: &str = "\
---
name: tracker
description: Sorts new reports in the issue tracker.
---
Label, find duplicates, ask for what is missing.
";

const TRACKER_NEEDS: &str = "\
dependencies:
  tools:
    - type: mcp
      value: tracker
      description: The issue tracker
      transport: streamable_http
      url: https://tracker.example.invalid/mcp
";

const BROKEN: &str = "\
---
name: half-finished
description: \"Never closed its quote
---
Nobody can read this.
";

/// Writes the project, the home directory and their skills below `root`.
pub(crate) fn write(root: &Path) -> io::Result<()> {
    let project = root.join("project");
    std::fs::create_dir_all(project.join(".git"))?;
    std::fs::create_dir_all(root.join("etc"))?;
    let skills = project.join(".agents/skills");
    for (folder, text) in [
        ("brew-tea", BREW_TEA),
        ("field-notes", FIELD_NOTES),
        ("release", RELEASE_PROJECT),
        ("old-habits", OLD_HABITS),
        ("deploy", DEPLOY),
        ("tracker", TRACKER),
        ("half-finished", BROKEN),
    ] {
        put(&skills.join(folder).join("SKILL.md"), text)?;
    }
    put(&skills.join("deploy/agents/openai.yaml"), DEPLOY_POLICY)?;
    put(&skills.join("tracker/agents/openai.yaml"), TRACKER_NEEDS)?;
    put(&root.join("home/.agents/skills/release/SKILL.md"), RELEASE_USER)
}

/// Changes the instructions of one skill, and not its description.
pub(crate) fn edit_brew_tea(root: &Path) -> io::Result<()> {
    put(&root.join("project/.agents/skills/brew-tea/SKILL.md"), BREW_TEA_EDITED)
}

/// Returns a body that is longer than what an attached environment may hand over.
pub(crate) fn handbook() -> String {
    let mut text = String::from("# Handbook\n\n");
    for chapter in 1..=150 {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{chapter}. Before you change tool number {chapter}, note how it was set up.");
    }
    text
}

fn put(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, text)
}
