//! `agents/openai.yaml`.

use std::path::Path;

use insta::assert_snapshot;
use lorimer_core::{Code, Diagnostic, Policy};
use lorimer_discover::openai::{Metadata, parse};
use lorimer_discover::{Reading, ScanRequest, Source, WalkPolicy};

use crate::support::{Folder, codes, names};

fn read(text: &str) -> Metadata {
    parse(text.as_bytes(), Path::new("/s/a"))
}

fn told(metadata: &Metadata) -> String {
    let diagnostics =
        metadata.findings.iter().cloned().map(|finding| finding.at(std::path::PathBuf::from("y")));
    diagnostics.map(|diagnostic: Diagnostic| diagnostic.to_string()).collect::<Vec<_>>().join("\n")
}

/// S3-33: implicit invocation is allowed unless the file says no.
#[test]
fn s3_33_implicit_invocation() {
    for (text, implicit) in [
        ("", true),
        ("policy:", true),
        ("policy: {}", true),
        ("policy:\n  allow_implicit_invocation: true", true),
        ("policy:\n  allow_implicit_invocation: false", false),
        ("policy:\n  allow_implicit_invocation: False\n  unknown: [x]\nother: 1", false),
    ] {
        let metadata = read(text);
        assert_eq!((metadata.policy.implicit, metadata.findings.len()), (implicit, 0), "{text}");
    }
    let products = read("policy:\n  products: [codex, CHATGPT, atlas]").policy.products;
    assert_eq!(products, ["codex", "chatgpt", "atlas"]);
}

/// S3-33: the file fails open. A wrong type anywhere makes all of it void.
#[test]
fn s3_33_a_wrong_type_voids_the_file() {
    for text in [
        "policy:\n  allow_implicit_invocation: \"no\"",
        "policy:\n  allow_implicit_invocation: no",
        "policy: [x]",
        "policy:\n  products: codex",
        "policy:\n  products: [other]",
        "policy:\n  allow_implicit_invocation: false\n  allow_implicit_invocation: true",
        "interface: [x]",
        "interface:\n  display_name: [x]",
        "dependencies:\n  tools: {type: mcp}",
        "dependencies:\n  tools: [mcp]",
        "dependencies:\n  tools:\n    - {type: mcp, value: x, oauth: {callbackPort: 70000}}",
        "a: [",
        "- a",
    ] {
        let metadata = read(&format!("{text}\n"));
        assert_eq!(metadata.policy, Policy::default(), "{text}");
        assert_eq!(metadata.findings.len(), 1, "{text}");
        assert_eq!(metadata.findings[0].code, Code::OpenaiYamlInvalid, "{text}");
    }
    let text = "policy:\n  allow_implicit_invocation: no\n";
    assert_snapshot!(told(&read(text)), @"y:2:30: warning[discover/openai-yaml-invalid]: `allow_implicit_invocation` must be true or false");
    assert_eq!(parse(b"a: \xFF", Path::new("/")).findings[0].code, Code::OpenaiYamlInvalid);
}

/// S3-35: a skill declares the MCP servers that it needs.
#[test]
fn s3_35_dependencies() {
    let metadata = read(
        "dependencies:\n  tools:\n    - type: mcp\n      value: github\n      description: GitHub   server\n      \
         transport: streamable_http\n      url: https://example.invalid/mcp\n      oauth: {callbackPort: 3118}\n    - type: env_var\n      \
         value: TOKEN\n    - type: mcp\n    - value: lonely\n    - {type: anything, value: 5, command: run it}\n",
    );
    let kinds: Vec<_> =
        metadata.dependencies.iter().map(|need| (need.kind.as_str(), need.value.as_str())).collect();
    assert_eq!(kinds, [("mcp", "github"), ("env_var", "TOKEN"), ("anything", "5")]);
    let github = &metadata.dependencies[0];
    assert_eq!(github.description.as_deref(), Some("GitHub server"));
    assert_eq!(github.oauth_callback_port, Some(3118));
    assert_snapshot!(told(&metadata), @r"
    y:11:7: warning[discover/openai-yaml-field-ignored]: this tool was ignored: it has no usable `type` and `value`
    y:12:7: warning[discover/openai-yaml-field-ignored]: this tool was ignored: it has no usable `type` and `value`
    ");
}

#[test]
fn fields_over_their_limit_are_dropped_one_by_one() {
    let with = |label: usize, sentence: usize| {
        read(&format!(
            "interface:\n  display_name: {}\n  short_description: {}\n  default_prompt: ''\n",
            "é".repeat(label),
            "x".repeat(sentence)
        ))
    };
    let fine = with(64, 1024);
    assert!(fine.findings.is_empty());
    let interface = fine.interface.unwrap();
    assert_eq!(interface.display_name.unwrap().chars().count(), 64);
    assert_eq!(interface.default_prompt, None);
    let over = with(65, 1024);
    assert_eq!(over.interface.as_ref().unwrap().display_name, None);
    assert!(over.interface.as_ref().unwrap().short_description.is_some());
    assert_snapshot!(told(&over), @"y:2:17: warning[discover/openai-yaml-field-ignored]: `interface.display_name` was ignored: it has more than 64 characters");
    assert_eq!(with(65, 1025).interface, None, "nothing left");
}

#[test]
fn icons_lie_below_assets_and_colors_have_six_digits() {
    let icon = |path: &str| {
        read(&format!("interface: {{icon_small: \"{path}\"}}")).interface.and_then(|i| i.icon_small)
    };
    assert_eq!(icon("assets/a.png").as_deref(), Some("/s/a/assets/a.png"));
    assert_eq!(icon("./assets/./b/a.png").as_deref(), Some("/s/a/assets/b/a.png"));
    for bad in ["/assets/a.png", "a.png", "assets/../a.png", "../assets/a.png", ""] {
        assert_eq!(icon(bad), None, "{bad}");
    }
    let color = |color: &str| {
        read(&format!("interface: {{brand_color: '{color}'}}")).interface.and_then(|i| i.brand_color)
    };
    assert_eq!(color(" #1a2B3c ").as_deref(), Some("#1a2B3c"));
    for bad in ["#123", "1a2b3c", "#1a2b3g", "#1a2b3cc", "red"] {
        assert_eq!(color(bad), None, "{bad}");
    }
}

#[cfg(unix)]
#[test]
fn the_file_beside_the_canonical_skill_counts_and_never_costs_the_skill() {
    let folder = Folder::new();
    let outside = Folder::new();
    outside.skill("real");
    outside.write("real/agents/openai.yaml", "policy: {allow_implicit_invocation: false}");
    folder.link(outside.path("real"), "link");
    folder.skill("broken");
    folder.write("broken/agents/openai.yaml", "a: [");
    folder.skill("odd");
    folder.directory("odd/agents/openai.yaml");
    folder.skill("plain");
    let source = folder.source(Reading::lenient(), WalkPolicy::default());
    let scan = source.scan(&ScanRequest::default());
    assert_eq!(names(&scan), ["broken", "real", "odd", "plain"]);
    let implicit: Vec<bool> = scan.skills.iter().map(|skill| skill.policy.implicit).collect();
    assert_eq!(implicit, [true, false, true, true]);
    assert_eq!(codes(&scan.diagnostics), [Code::OpenaiYamlInvalid; 2]);
    let without = folder.source(Reading::lenient(), WalkPolicy::default()).with_openai_yaml(false);
    assert!(without.scan(&ScanRequest::default()).skills.iter().all(|skill| skill.policy.implicit));
}
