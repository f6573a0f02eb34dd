//! What a look at a whole skill tells.

use std::fmt::Write as _;

use lorimer_core::{Code, Diagnostic, Locator, Severity};
use lorimer_discover::lint::{Outcome, Subject, lint};

use crate::support::{Folder, codes};

fn look(folder: &Folder, name: &str, text: impl AsRef<[u8]>) -> Outcome {
    let path = folder.write(&format!("{name}/SKILL.md"), text);
    let file = std::fs::read(&path).unwrap();
    let own = folder.path(name);
    let locator = Locator::Path(path);
    lint(&Subject { locator: &locator, file: &file, folder: Some(&own), folder_name: name })
}

fn told(folder: &Folder, outcome: &Outcome) -> String {
    let mut text = folder.told(&outcome.diagnostics);
    for diagnostic in &outcome.diagnostics {
        if let Some(help) = &diagnostic.help {
            let _ = write!(text, "\n  help: {help}");
        }
    }
    text
}

fn of_text(text: &str) -> String {
    let folder = Folder::new();
    let outcome = look(&folder, "tea", text);
    folder.told(&outcome.diagnostics)
}

/// The codes of a skill called `tea` with these further fields and this body.
fn of(fields: &str, body: &str) -> Vec<Code> {
    let folder = Folder::new();
    let text = format!("---\nname: tea\ndescription: Brews tea.\n{fields}---\n{body}");
    codes(&look(&folder, "tea", text).diagnostics)
}

#[test]
fn a_skill_as_the_standard_wants_it_gets_no_finding() {
    let folder = Folder::new();
    folder.write("tea/references/pots.md", "Pots.\n");
    folder.write("tea/scripts/boil.py", "pass\n");
    folder.write("tea/assets/cup.svg", "<svg/>\n");
    let text = "---\nname: tea\ndescription: Brews tea.\nlicense: MIT\ncompatibility: Needs a kettle\n\
                allowed-tools: Bash(kettle:*) Read\nmetadata:\n  author: me\n---\n\n# Tea\n\n\
                Read [pots](references/pots.md) and run `python scripts/boil.py --hot`. ![cup](assets/cup.svg)\n";
    let outcome = look(&folder, "tea", text);
    assert_eq!(folder.told(&outcome.diagnostics), "");
    assert_eq!(outcome.name.map(|span| (span.line, span.column)), Some((2, 7)));
}

#[test]
fn names_that_the_standard_or_a_client_refuses_are_told() {
    let folder = Folder::new();
    let mut all = String::new();
    for (name, own) in [("Brew_Tea", "Brew_Tea"), ("-a--b", "-a--b"), ("tee", "tea"), ("thé", "the\u{301}")]
    {
        let text = format!("---\nname: {name}\ndescription: Brews tea.\n---\nBody\n");
        let outcome = look(&folder, own, text);
        let _ = writeln!(all, "{}", told(&folder, &outcome));
    }
    insta::assert_snapshot!("lint_names", all);
}

#[test]
fn fields_are_told_when_they_are_misspelt_cut_or_of_another_form() {
    let long = "x".repeat(501);
    let text = format!(
        "---\nname: tea\ndescription: count # of cups\nAllowed_Tools: Read\nuser-invokable: false\nmetadata:\n  a:\n    \
         b: c\nlicense:\n  - MIT\ncompatibility: {long}\ntool: x\nargument_hint: x\nargument-hint: y\n---\nBody\n"
    );
    insta::assert_snapshot!("lint_fields", of_text(&text));
    assert_eq!(of("metadata: x\n", "Body\n"), [Code::FieldForm]);
    assert_eq!(of("compatibility:\n", "Body\n"), [Code::CompatibilityLength]);
    assert_eq!(of("version: 2\nx-own: y\nauthor: z\ntriggers: []\n", "Body\n"), [], "fields of their own");
    assert_eq!(of("license: MIT # or later\n", "Body\n"), [], "a comment is what it looks like");
}

#[test]
fn flags_that_leave_nobody_or_do_nothing_are_told() {
    let dead =
        "disable-model-invocation: true\nuser-invocable: no\nwhen_to_use: x\nargument-hint: y\nagent: z\n";
    let text = format!("---\nname: tea\ndescription: Brews tea.\n{dead}---\nBody\n");
    insta::assert_snapshot!("lint_flags", of_text(&text));
    assert_eq!(of("context: fork\nagent: x\nbackground: false\n", "Body\n"), []);
    assert_eq!(of("disable-model-invocation: true\n", "Body\n"), []);
}

#[test]
fn flags_that_the_two_files_set_differently_are_told() {
    let codes = |implicit: bool, fields: &str| {
        let folder = Folder::new();
        let policy = format!("policy:\n  allow_implicit_invocation: {implicit}\n");
        folder.write("tea/agents/openai.yaml", policy);
        let text = format!("---\nname: tea\ndescription: Brews tea.\n{fields}---\nBody\n");
        codes(&look(&folder, "tea", text).diagnostics)
    };
    assert_eq!(codes(true, "disable-model-invocation: true\n"), [Code::FlagsDisagree]);
    assert_eq!(codes(false, "disable-model-invocation: false\n"), [Code::FlagsDisagree]);
    assert_eq!(codes(false, "user-invocable: false\n"), [Code::FlagsDisagree]);
    assert_eq!(codes(false, "disable-model-invocation: true\n"), []);
    assert_eq!(codes(false, ""), []);
    assert_eq!(codes(true, ""), []);
}

/// S3-51: a body that is too long.
#[test]
fn s3_51_a_body_that_is_empty_or_too_long_is_told() {
    assert_eq!(of("", " \n\n"), [Code::BodyEmpty]);
    assert_eq!(of("", &"x\n".repeat(500)), []);
    assert_eq!(of("", &"x\n".repeat(501)), [Code::BodyLong]);
    assert_eq!(of("", &"x".repeat(20_000)), []);
    let text = format!("---\nname: tea\ndescription: Brews tea.\n---\n\n{}", "four\n".repeat(5_000));
    insta::assert_snapshot!("lint_body", of_text(&text));
}

#[test]
fn hidden_characters_are_told_one_by_one_in_frontmatter_and_body() {
    let text = "---\nname: tea\ndescription: A \u{202e}word.\n---\nPour\u{200b}\u{200b} and \u{e0068}\u{e0069}stir.\n";
    insta::assert_snapshot!("lint_hidden", of_text(text));
    let many = format!("---\nname: tea\ndescription: d\n---\n{}", "a\u{200b}".repeat(20));
    let folder = Folder::new();
    let outcome = look(&folder, "tea", many);
    assert_eq!(outcome.diagnostics.len(), 8);
    assert!(outcome.diagnostics[7].message.contains("12 more"), "{}", outcome.diagnostics[7].message);
}

#[test]
fn files_that_are_named_and_not_there_are_told() {
    let folder = Folder::new();
    folder.write("tea/Guide.md", "x");
    folder.write("tea/scripts/boil.py", "x");
    folder.write("other/SKILL.md", "x");
    let text = "---\nname: tea\ndescription: Brews tea.\n---\n\
                See [guide](guide.md), [more](more.md#part) and ![cup](assets/cup-1.svg).\n\
                Run `python scripts/boil.py`, `python scripts/steep.py`, then `references/leaves.md` and `references/roots.md`.\n\
                [other](../other/SKILL.md) and [gone](../gone/x.md)\n\
                ```sh\npython scripts/pour.py\npython references/no.md\n```\n";
    let outcome = look(&folder, "tea", text);
    insta::assert_snapshot!("lint_references", told(&folder, &outcome));
}

#[test]
fn a_skill_without_any_of_its_files_is_told_once() {
    let body = "See [a](references/a.md), [b](b.md) and `scripts/c.py`.\n";
    assert_eq!(of("", body), [Code::ReferenceMissing]);
    assert_eq!(of("", "See [a](references/a.md) and [b](b.md).\n"), [Code::ReferenceMissing; 2]);
}

#[test]
fn what_is_no_reference_is_not_told() {
    let body = "Call `foo.bar()`, edit `src/main.rs` and `docs/x.md`, see <https://example.invalid/a.md>.\n\
                [site](https://example.invalid/x.md) [part](#part) [root](/x.md) [url](url) [pic](image.png)\n\
                Write `scripts/<name>.sh` or e.g. `scripts/deploy.sh`. Example: `references/finance.md`.\n\
                `[link](x.md)` <!-- [old](old.md) -->\n\
                ```md\n[a](b.md)\n```\n";
    assert_eq!(of("", body), []);
    let folder = Folder::new();
    folder.write("other/x.md", "x");
    let outcome = look(&folder, "tea", "---\nname: tea\ndescription: d\n---\n[x](../other/x.md)\n");
    let told: Vec<_> = outcome.diagnostics.iter().map(|told| (told.code, told.severity)).collect();
    assert_eq!(told, [(Code::ReferenceOutside, Severity::Note)], "it is there, but elsewhere");
}

#[test]
fn paths_of_one_machine_are_told() {
    assert_eq!(of("", "Run /Users/carla/bin/kettle.\n"), [Code::MachinePath]);
    assert_eq!(of("", "Run /Users/you/bin/kettle.\n"), []);
}

#[test]
fn empty_folders_are_told() {
    let folder = Folder::new();
    folder.directory("tea/scripts");
    let outcome = look(&folder, "tea", "---\nname: tea\ndescription: d\n---\nBody\n");
    assert_eq!(
        folder.told(&outcome.diagnostics),
        "tea/scripts: note[check/folder-empty]: the folder `scripts` is empty"
    );
}

#[test]
fn a_file_without_usable_frontmatter_is_looked_at_as_far_as_it_goes() {
    for text in ["", "no fence", "---\nname: tea\n", "---\n\"x\n---\n/Users/carla/x\n", "\u{feff}"] {
        let folder = Folder::new();
        let outcome = look(&folder, "tea", text);
        assert!(codes(&outcome.diagnostics).iter().all(|code| *code == Code::MachinePath), "{text:?}");
    }
}

#[test]
fn a_collision_gets_the_place_of_the_name() {
    let folder = Folder::new();
    let outcome = look(&folder, "tea", "---\nname: tea\ndescription: d\n---\nBody\n");
    let mut collision = Diagnostic::new(Code::NameCollision, "m").at(folder.path("tea/SKILL.md"), None);
    outcome.complete(&mut collision);
    assert_eq!(collision.line(), Some(2));
}
