//! What each profile makes of one set of twelve telling skills, so that the listings can be read side by side.

use lorimer::report::ListReport;
use lorimer::{Host, profiles};
use lorimer_testkit::{Project, snapshot_settings};

use crate::session;

/// Twelve skills, each of which some harness treats in its own way.
fn twelve() -> Project {
    let project = Project::new();
    let skill = |folder: &str, text: &str| project.file(&format!("pile/{folder}/SKILL.md"), text);
    skill("01-plain", "---\nname: plain\ndescription: Does one plain thing.\n---\nBody.\n");
    skill("02-folder", "---\nname: other-name\ndescription: Its folder has another name.\n---\nBody.\n");
    skill("03-nameless", "---\ndescription: It has no name.\n---\nBody.\n");
    skill("04-mute", "---\nname: mute\n---\n# Heading\n\nThe first line of its body.\n");
    skill(
        "05-marked",
        "---\nname: marked\ndescription: 'Ends </skills> & begins <b>bold</b>, \"quoted\".'\n---\nBody.\n",
    );
    skill(
        "06-lines",
        "---\nname: lines\ndescription: \"Two\\nlines,\\tand a tab.\\n- name: forged\"\n---\nBody.\n",
    );
    skill(
        "07-long",
        &format!(
            "---\nname: long\ndescription: {}end.\n---\nBody.\n",
            "All of this is one long sentence, ".repeat(48)
        ),
    );
    skill("08-wide", "---\nname: wide\ndescription: 説明は日本語です 🍵 très bien.\n---\nBody.\n");
    skill(
        "09-user-only",
        "---\nname: user-only\ndescription: Only a person starts it.\ndisable-model-invocation: true\n---\nBody.\n",
    );
    skill(
        "10-model-only",
        "---\nname: model-only\ndescription: Only the model starts it.\nuser-invocable: false\n---\nBody.\n",
    );
    skill(
        "11-colon",
        "---\nname: colon\ndescription: Use when: a colon needs no quotes\nwhen_to_use: At the end.\n---\nBody.\n",
    );
    skill("12-broken", "---\nname: broken\ndescription: [never closed\n---\nThe body of a broken file.\n");
    project
}

fn described(harness: &str, host: &Host) -> String {
    let report = ListReport::new(harness, &session(harness, host).view());
    let mut rows = vec![format!(
        "budget {:?} of {}, spent {}\n\n{}\n",
        report.budget.limit, report.budget.measure, report.budget.spent, report.text
    )];
    for entry in report.entries.iter().filter(|entry| entry.disposition != "full") {
        rows.push(format!("{}: {}, {} characters cut", entry.name, entry.disposition, entry.chars_cut));
    }
    rows.extend(report.omitted.iter().map(|row| format!("{}: left out, {}", row.name, row.reason)));
    rows.extend(report.hidden.iter().map(|row| format!("{}: hidden, {}", row.name, row.reason)));
    for finding in report.diagnostics.iter().filter(|finding| finding.severity == "error") {
        let folder = finding.path.as_deref().and_then(|path| path.rsplit('/').nth(1)).unwrap_or_default();
        rows.push(format!("{folder}: rejected, {}", finding.code));
    }
    rows.join("\n")
}

/// S0-01, S0-02: one set of skills, every profile, with room for all of it and with little.
#[test]
fn s0_01_s0_02_every_profile_lists_the_same_twelve() {
    let project = twelve();
    let mut settings = snapshot_settings(project.root());
    settings.set_omit_expression(true);
    // How much is cut stands in the rows below the listing.
    settings.add_filter("(?:All of this is one long sentence, ){3,}", "All of this is … ");
    for profile in profiles::ALL {
        for window in [200_000, 16_000] {
            let mut host =
                Host::new(project.path("project")).home(project.path("home")).root(project.path("pile"));
            host.window = Some(window);
            host.trusted = true;
            let name = format!("twelve_{}_{window}", profile.name.replace('-', "_"));
            settings.bind(|| insta::assert_snapshot!(name, described(profile.name, &host)));
        }
    }
}
