//! Any bytes as an `agents/openai.yaml`.

use std::path::{Component, Path};

use lorimer_core::{Code, Policy};

use super::check_span;
use crate::openai::{Metadata, parse};

/// Reads bytes and checks what comes of it.
pub fn openai_yaml(bytes: &[u8]) {
    let folder = Path::new("/skills/a");
    let read = parse(bytes, folder);
    assert_eq!(read, parse(bytes, folder), "reading twice");
    for finding in &read.findings {
        assert!(matches!(finding.code, Code::OpenaiYamlInvalid | Code::OpenaiYamlFieldIgnored));
        check_span(bytes, &finding.span.expect("a finding about this file has a place"));
    }
    let Metadata { policy, dependencies, interface, findings } = &read;
    if findings.iter().any(|finding| finding.code == Code::OpenaiYamlInvalid) {
        assert_eq!((policy, dependencies.len(), interface), (&Policy::default(), 0, &None), "it fails open");
    }
    assert!(policy.user_invocable, "the file has no word for that");
    if let Some(interface) = interface {
        let icons = [&interface.icon_small, &interface.icon_large];
        for icon in icons.into_iter().flatten() {
            let below = Path::new(icon).strip_prefix(folder.join("assets")).expect("an icon lies in assets");
            assert!(below.components().all(|part| matches!(part, Component::Normal(_))), "{icon}");
        }
        let texts = [
            &interface.display_name,
            &interface.short_description,
            &interface.default_prompt,
            &interface.brand_color,
        ];
        texts.into_iter().flatten().for_each(|text| check_text(text));
    }
    for dependency in dependencies {
        let optional = [&dependency.description, &dependency.transport, &dependency.command, &dependency.url];
        let needed = [&dependency.kind, &dependency.value];
        needed.into_iter().chain(optional.into_iter().flatten()).for_each(|text| check_text(text));
    }
}

/// A text that is kept is one line, says something, and is within the largest limit.
fn check_text(text: &str) {
    assert!(!text.is_empty() && text.chars().count() <= 1024);
    assert_eq!(lorimer_core::text::fold_whitespace(text), text);
}
