//! `namespace:name`.

use std::collections::HashSet;
use std::sync::Arc;

use lorimer_core::{Code, Diagnostic, Locator, Skill};

/// Characters of a qualified name, unless a source is told otherwise: two names of 64 and the colon.
pub(super) const MAX_CHARS: usize = 129;

/// Puts skills into their namespaces. Those whose name becomes too long are taken out and returned.
pub(super) fn qualify(
    skills: &mut Vec<Arc<Skill>>,
    max_chars: usize,
    diagnostics: &mut Vec<Diagnostic>,
    mut namespace: impl FnMut(&Skill, &mut Vec<Diagnostic>) -> Option<String>,
) -> HashSet<Locator> {
    let mut refused = HashSet::new();
    skills.retain_mut(|skill| {
        let Some(namespace) = namespace(skill, diagnostics) else { return true };
        let qualified = format!("{namespace}:{}", skill.name);
        let length = qualified.chars().count();
        if length <= max_chars {
            Arc::make_mut(skill).qualified_name = Some(qualified);
            return true;
        }
        let message = format!("the qualified name has {length} characters, more than {max_chars}");
        diagnostics
            .push(Diagnostic::new(Code::QualifiedNameTooLong, message).at(skill.id.locator.clone(), None));
        refused.insert(skill.id.locator.clone());
        false
    });
    refused
}
