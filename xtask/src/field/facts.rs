//! Our values in the words of the cases.

use lorimer::core::{Diagnostic, Locator, ReadLimit, Severity, Skill};
use lorimer::discover::{ReadError, Source};
use lorimer::{Lifecycle, ToolAnswer, ToolError};
use serde_json::Map;

use super::answer::{Answer, Failure, Handed, Report, SkillFact};
use crate::cases::kinds;

/// Describes a skill. Cases say what was found by the names that skills give themselves, without a plugin's.
pub(crate) fn skill(skill: &Skill) -> SkillFact {
    SkillFact {
        name: skill.name.clone(),
        description: skill.description.clone(),
        scope: skill.scope.kind(),
        location: skill.shown_location().into(),
        paths: skill.paths().map(Into::into).collect(),
        typed: Map::from_iter([("allowed_tools".to_owned(), skill.allowed_tools().into())]),
        frontmatter: skill.frontmatter.iter().map(|(key, value)| (key.clone(), value.clone())).collect(),
    }
}

/// Describes a finding.
pub(crate) fn report(diagnostic: &Diagnostic) -> Report {
    let path = diagnostic.location.as_ref().and_then(|location| location.locator.as_path());
    let help = diagnostic.help.as_deref().unwrap_or_default();
    Report {
        kind: kinds::neutral(diagnostic.code),
        warns: diagnostic.severity >= Severity::Warning,
        is_error: diagnostic.severity == Severity::Error,
        path: path.map(Into::into),
        line: diagnostic.line(),
        text: format!("{diagnostic} {help}").trim_end().to_owned(),
    }
}

/// Returns a text that holds no instructions.
pub(crate) fn handed(text: String) -> Handed {
    Handed { text, ..Handed::default() }
}

/// Describes what loading a skill by its name gave.
pub(crate) fn loaded(answer: &ToolAnswer) -> Answer {
    let mut given = handed(answer.item.text.clone());
    let error = match &answer.result {
        Ok(cleared) => {
            let loaded = cleared.loaded();
            loaded.body().clone_into(&mut given.body);
            given.inert = commands(&given.body)
                .filter(|command| given.text.contains(command))
                .map(str::to_owned)
                .collect();
            given.base = directory(loaded.skill()).map(Into::into);
            None
        }
        Err(error) => {
            given.needs_confirmation = matches!(error, ToolError::NeedsApproval { .. });
            Some(Failure { kind: kind_of(error, &answer.diagnostics).to_owned(), text: error.text(None) })
        }
    };
    let reports = answer.diagnostics.iter().map(report).collect();
    Answer { handed: Some(given), error, reports: Some(reports), ..Answer::default() }
}

/// Returns the places of a body whose output some harnesses put in their stead: a command in back quotes behind `!`.
fn commands(body: &str) -> impl Iterator<Item = &str> {
    body.match_indices("!`").filter_map(|(start, mark)| {
        let from = start + mark.len();
        let end = from + body.get(from..)?.find('`')?;
        body.get(start..=end)
    })
}

/// Returns the neutral kind of what kept a skill from being loaded.
fn kind_of<'a>(error: &'a ToolError, said: &[Diagnostic]) -> &'a str {
    match error {
        ToolError::BlankName | ToolError::Unknown { .. } => "unknown-skill",
        ToolError::Ambiguous { .. } => "ambiguous-name",
        ToolError::Refused { refusal, .. } => match refusal.rule.as_str() {
            "explicit-only" | "not-user-invocable" => "invocation-not-allowed",
            "product" => "not-in-scope",
            rule => rule,
        },
        ToolError::NeedsApproval { .. } => "needs-approval",
        ToolError::Failed { .. } => {
            said.iter().rev().find_map(|diagnostic| kinds::neutral(diagnostic.code)).unwrap_or("failed")
        }
    }
}

fn directory(skill: &Skill) -> Option<&std::path::Path> {
    skill.id.locator.as_path()?.parent()
}

/// Returns the source of a skill, and the folder of its resources.
fn origin<'a>(lifecycle: &'a Lifecycle, skill: &'a Skill) -> Option<(&'a dyn Source, &'a std::path::Path)> {
    let source = lifecycle.sources().iter().find(|source| *source.id() == skill.id.source)?;
    Some((&**source, directory(skill)?))
}

/// Reads a file beside a skill. The library names the files that may be read and refuses all others; nothing is
/// decided here.
pub(crate) fn resource(lifecycle: &Lifecycle, skill: &Skill, path: &str) -> Answer {
    let Some((source, folder)) = origin(lifecycle, skill) else { return no_source() };
    let read = source
        .files(&skill.id.locator)
        .and_then(|_| source.read(&Locator::Path(folder.join(path)), ReadLimit(None)));
    match read {
        Ok(content) => {
            let text = String::from_utf8_lossy(&content.bytes).into_owned();
            Answer { content: Some(text), ..Answer::default() }
        }
        Err(error) => unread(&error),
    }
}

/// Lists the files beside a skill, by their paths below its folder.
pub(crate) fn resources(lifecycle: &Lifecycle, skill: &Skill) -> Answer {
    let Some((source, folder)) = origin(lifecycle, skill) else { return no_source() };
    match source.files(&skill.id.locator) {
        Ok(files) => {
            let below = |file: &Locator| {
                let path = file.as_path()?;
                Some(path.strip_prefix(folder).unwrap_or(path).to_string_lossy().into_owned())
            };
            Answer { resources: Some(files.iter().filter_map(below).collect()), ..Answer::default() }
        }
        Err(error) => unread(&error),
    }
}

fn no_source() -> Answer {
    let text = "the skill has no source on this machine".to_owned();
    Answer { error: Some(Failure { kind: "not-found".to_owned(), text }), ..Answer::default() }
}

fn unread(error: &ReadError) -> Answer {
    let kind = match error {
        ReadError::NotListed(_) | ReadError::NotFound(_) => "not-found",
        ReadError::NotRegularFile(_) => "not-regular-file",
        ReadError::Outside(_) => "path-escape",
        _ => "unreadable",
    };
    Answer { error: Some(Failure { kind: kind.to_owned(), text: error.to_string() }), ..Answer::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lorimer::core::{Code, Refusal};

    #[test]
    fn commands_are_told_from_other_quotes() {
        let body = "a !`b; c` `d` !`e`\n!`f\ng` !`h";
        assert_eq!(commands(body).collect::<Vec<_>>(), ["!`b; c`", "!`e`", "!`f\ng`"]);
    }

    #[test]
    fn errors_have_the_words_of_the_cases() {
        let refused = |rule: &str| ToolError::Refused { name: "a".to_owned(), refusal: Refusal::new(rule) };
        for (error, kind) in [
            (ToolError::BlankName, "unknown-skill"),
            (refused("explicit-only"), "invocation-not-allowed"),
            (refused("disabled"), "disabled"),
            (refused("product"), "not-in-scope"),
            (ToolError::Ambiguous { name: "a".to_owned(), locations: Vec::new() }, "ambiguous-name"),
        ] {
            assert_eq!(kind_of(&error, &[]), kind);
        }
        let failed = ToolError::Failed { name: "a".to_owned(), reason: "gone".to_owned() };
        assert_eq!(kind_of(&failed, &[Diagnostic::new(Code::BodyUnreadable, "gone")]), "skill-missing");
        assert_eq!(kind_of(&failed, &[]), "failed");
        let unread = |error: ReadError| unread(&error).error.unwrap().kind;
        let locator = || Locator::Path("/a".into());
        assert_eq!(unread(ReadError::Outside(locator())), "path-escape");
        assert_eq!(unread(ReadError::NotListed(locator())), "not-found");
        assert_eq!(unread(ReadError::NotRegularFile(locator())), "not-regular-file");
    }
}
