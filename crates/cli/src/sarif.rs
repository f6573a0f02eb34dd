//! Findings as SARIF 2.1.0, the form that code scanners exchange.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Component, Path};

use lorimer::core::{Code, Diagnostic, Edit, Fix, Location, Locator};
use lorimer::report::CheckReport;
use serde::Serialize;

use crate::output::below;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Name of the folder that paths are relative to.
const SOURCE_ROOT: &str = "SRCROOT";

/// A log file (section 3.13 of the standard).
#[derive(Debug, Serialize)]
pub(crate) struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    original_uri_base_ids: BTreeMap<&'static str, ArtifactLocation>,
    column_kind: &'static str,
    results: Vec<ReportedResult>,
    properties: Properties,
}

#[derive(Debug, Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: Text<&'static str>,
    default_configuration: Configuration,
}

#[derive(Debug, Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Debug, Serialize)]
struct Text<T> {
    text: T,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ReportedResult {
    rule_id: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: &'static str,
    message: Text<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<ResultLocation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<ReportedFix>,
}

/// A fix (section 3.55 of the standard). It can only replace text, so a new name for a file is in the message alone.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ReportedFix {
    artifact_changes: [ArtifactChange; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange {
    artifact_location: ArtifactLocation,
    replacements: Vec<Replacement>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: DeletedRegion,
    inserted_content: Text<String>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum DeletedRegion {
    #[serde(rename_all = "camelCase")]
    Text { start_line: u32, start_column: u32, end_column: u32 },
    /// A byte order mark is no character of the text, so only its bytes can be named.
    #[serde(rename_all = "camelCase")]
    Bytes { byte_offset: usize, byte_length: usize },
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultLocation {
    physical_location: PhysicalLocation,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
}

/// What the standard has no place for.
#[derive(Debug, Serialize)]
struct Properties {
    profile: String,
    skills: usize,
    complete: bool,
}

impl Log {
    /// Describes findings; paths below `cwd` are relative to it.
    pub(crate) fn new(diagnostics: &[Diagnostic], report: &CheckReport, cwd: &Path) -> Self {
        let root = ArtifactLocation { uri: format!("{}/", file_uri(cwd)), uri_base_id: None };
        let driver = Driver {
            name: env!("CARGO_BIN_NAME"),
            semantic_version: env!("CARGO_PKG_VERSION"),
            rules: Code::ALL.iter().copied().map(Rule::new).collect(),
        };
        let run = Run {
            tool: Tool { driver },
            original_uri_base_ids: BTreeMap::from([(SOURCE_ROOT, root)]),
            // Columns of a span count characters.
            column_kind: "unicodeCodePoints",
            results: diagnostics.iter().map(|diagnostic| ReportedResult::new(diagnostic, cwd)).collect(),
            properties: Properties {
                profile: report.profile.clone(),
                skills: report.skills,
                complete: report.complete,
            },
        };
        Self { schema: SCHEMA, version: "2.1.0", runs: [run] }
    }
}

impl Rule {
    fn new(code: Code) -> Self {
        let info = code.info();
        Self {
            id: info.code,
            short_description: Text { text: info.explanation },
            default_configuration: Configuration { level: info.severity.as_str() },
        }
    }
}

impl ReportedResult {
    fn new(diagnostic: &Diagnostic, cwd: &Path) -> Self {
        let text = match &diagnostic.help {
            Some(help) => format!("{}\nhelp: {help}", diagnostic.message),
            None => diagnostic.message.clone(),
        };
        Self {
            rule_id: diagnostic.code.as_str(),
            rule_index: Code::ALL.iter().position(|code| *code == diagnostic.code),
            // Our severities have the names of its levels.
            level: diagnostic.severity.as_str(),
            message: Text { text },
            locations: diagnostic.location.iter().map(|location| result_location(location, cwd)).collect(),
            fixes: fix(diagnostic, cwd).into_iter().collect(),
        }
    }
}

fn fix(diagnostic: &Diagnostic, cwd: &Path) -> Option<ReportedFix> {
    let location = diagnostic.location.as_ref()?;
    let edits = diagnostic.fix.as_ref().map(Fix::edits).filter(|edits| !edits.is_empty())?;
    let change = ArtifactChange {
        artifact_location: artifact_location(&location.locator, cwd),
        replacements: edits.iter().map(replacement).collect(),
    };
    Some(ReportedFix { artifact_changes: [change] })
}

fn replacement(edit: &Edit) -> Replacement {
    let span = edit.span;
    let width = u32::try_from(edit.old.chars().count()).unwrap_or(u32::MAX);
    let deleted_region = if edit.old.contains('\u{feff}') {
        DeletedRegion::Bytes { byte_offset: span.start, byte_length: span.end - span.start }
    } else {
        let end_column = span.column.saturating_add(width);
        DeletedRegion::Text { start_line: span.line, start_column: span.column, end_column }
    };
    Replacement { deleted_region, inserted_content: Text { text: edit.new.clone() } }
}

fn result_location(location: &Location, cwd: &Path) -> ResultLocation {
    let artifact_location = artifact_location(&location.locator, cwd);
    let region = location.span.map(|span| Region { start_line: span.line, start_column: span.column });
    ResultLocation { physical_location: PhysicalLocation { artifact_location, region } }
}

fn artifact_location(locator: &Locator, cwd: &Path) -> ArtifactLocation {
    match locator {
        Locator::Path(path) => match below(path, cwd) {
            Some(relative) => {
                ArtifactLocation { uri: relative_uri(relative), uri_base_id: Some(SOURCE_ROOT) }
            }
            None => ArtifactLocation { uri: file_uri(path), uri_base_id: None },
        },
        Locator::Uri(uri) => ArtifactLocation { uri: escaped(uri.as_bytes(), URI), uri_base_id: None },
        Locator::Package { .. } => {
            ArtifactLocation { uri: escaped(locator.shown().as_bytes(), SEGMENTS), uri_base_id: None }
        }
    }
}

/// Bytes beside the unreserved ones that a segment of a path may hold. A colon is left out: before the first slash
/// it would end a scheme.
const SEGMENT: &[u8] = b"!$&'()*+,;=@";
const SEGMENTS: &[u8] = b"/!$&'()*+,;=@";
/// The same for text that should be a URI already: its own escapes and delimiters stay.
const URI: &[u8] = b"%:/?#[]!$&'()*+,;=@";

/// Returns `file:///…`, without a slash at the end.
fn file_uri(path: &Path) -> String {
    let mut uri = "file://".to_owned();
    for component in path.components() {
        match component {
            Component::RootDir => {}
            // `C:` of Windows keeps its colon (RFC 8089, appendix E.2).
            Component::Prefix(prefix) => {
                let _ = write!(uri, "/{}", prefix.as_os_str().to_string_lossy());
            }
            other => {
                uri.push('/');
                uri.push_str(&segment(other));
            }
        }
    }
    uri
}

fn relative_uri(path: &Path) -> String {
    let segments: Vec<String> = path.components().map(segment).collect();
    // The folder itself.
    if segments.is_empty() { "./".to_owned() } else { segments.join("/") }
}

fn segment(component: Component<'_>) -> String {
    escaped(component.as_os_str().as_encoded_bytes(), SEGMENT)
}

/// Percent-encodes every byte that is neither unreserved (RFC 3986, section 2.3) nor in `allowed`.
fn escaped(bytes: &[u8], allowed: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for byte in bytes {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(byte) || allowed.contains(byte) {
            text.push(char::from(*byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uri(locator: Locator) -> (String, bool) {
        let location = Location { locator, span: None };
        let artifact =
            result_location(&location, Path::new("/r/my repo")).physical_location.artifact_location;
        (artifact.uri, artifact.uri_base_id.is_some())
    }

    fn path_uri(path: &str) -> (String, bool) {
        uri(Locator::Path(path.into()))
    }

    #[test]
    fn uris_are_escaped_and_relative_where_they_can_be() {
        assert_eq!(path_uri("/r/my repo/a b/SKILL.md"), ("a%20b/SKILL.md".into(), true));
        assert_eq!(path_uri("/r/my repo/c:d/é#?%.md"), ("c%3Ad/%C3%A9%23%3F%25.md".into(), true));
        assert_eq!(path_uri("/r/my repo"), ("./".into(), true));
        assert_eq!(path_uri("/r/my other/SKILL.md"), ("file:///r/my%20other/SKILL.md".into(), false));
        let outside = "file:///r/my%20repo/../x/SKILL.md";
        assert_eq!(path_uri("/r/my repo/../x/SKILL.md"), (outside.into(), false));
        let remote = Locator::Uri("skill://host/a%20b c\n".into());
        assert_eq!(uri(remote), ("skill://host/a%20b%20c%0A".into(), false));
        let package = Locator::Package { package: "p:1".into(), resource: "a/SKILL.md".into() };
        assert_eq!(uri(package), ("p%3A1/a/SKILL.md".into(), false));
        assert_eq!(file_uri(Path::new("/r/my repo")), "file:///r/my%20repo");
        assert_eq!(file_uri(Path::new("/")), "file://");
    }

    #[cfg(unix)]
    #[test]
    fn a_name_that_is_no_text_keeps_its_bytes() {
        use std::os::unix::ffi::OsStrExt as _;

        let path = Path::new(std::ffi::OsStr::from_bytes(b"/x/\xff.md"));
        assert_eq!(file_uri(path), "file:///x/%FF.md");
    }
}
