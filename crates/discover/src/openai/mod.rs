//! `agents/openai.yaml`: who may choose a skill, what it needs, and how a user interface shows it.
//!
//! It fails open: a file that cannot be read as a whole, and a field that is over its limit, cost a diagnostic and
//! nothing else (S3-33, S3-35).

mod schema;

use std::fs;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use lorimer_core::{Code, Dependency, Interface, Policy, text};

use crate::boundary::{Limit, OpenError, open};
use crate::frontmatter::yaml::Tree;
use crate::frontmatter::{Finding, Limits};
use schema::{Document, Issue, RawInterface, RawTool};

/// The file is a page of settings; anything larger is something else.
const MAX_BYTES: u64 = 1 << 20;

/// What `agents/openai.yaml` says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata {
    /// Who may choose the skill; the default where the file says nothing.
    pub policy: Policy,
    /// What the skill needs.
    pub dependencies: Vec<Dependency>,
    /// How a user interface may show it; `None` where no field is left.
    pub interface: Option<Interface>,
    /// What was ignored, and why.
    pub findings: Vec<Finding>,
}

/// Reads the bytes of an `agents/openai.yaml`. `skill_directory` is what icon paths are relative to.
///
/// ```
/// use std::path::Path;
/// let metadata = lorimer_discover::openai::parse(b"policy: {allow_implicit_invocation: false}", Path::new("/s/a"));
/// assert!(!metadata.policy.implicit);
/// ```
pub fn parse(bytes: &[u8], skill_directory: &Path) -> Metadata {
    let reader = Reader { file: bytes, skill_directory, findings: Vec::new() };
    match read_document(bytes) {
        Ok(document) => reader.metadata(document),
        Err(Issue { message, place }) => Metadata {
            findings: vec![
                Finding::new(Code::OpenaiYamlInvalid, message)
                    .span(bytes, &place)
                    .help("the skill loads without what this file says"),
            ],
            ..Metadata::default()
        },
    }
}

/// Returns where the file of a skill lies.
pub(crate) fn path_beside(skill_file: &Path) -> Option<PathBuf> {
    Some(skill_file.parent()?.join("agents").join("openai.yaml"))
}

/// The file as it was read.
pub(crate) struct Bytes {
    pub(crate) bytes: Vec<u8>,
    /// What the platform said about it before; `None` where a link led to it, so that whether it may be read depends on
    /// more than the file.
    pub(crate) metadata: Option<fs::Metadata>,
}

/// Reads the file; `None` where there is none. Links on the way below the skill's folder are followed where they keep to
/// the limit.
pub(crate) fn read(path: &Path, limit: &Limit) -> Result<Option<Bytes>, String> {
    let unreadable = |error: std::io::Error| format!("the file cannot be read: {error}");
    let mut linked = false;
    let opened = match open(path) {
        Err(OpenError::NotRegularFile | OpenError::Moved) => {
            linked = true;
            limit.open(path)
        }
        opened => opened,
    };
    let (file, metadata) = match opened {
        Ok(opened) => opened,
        Err(OpenError::NotRegularFile) => return Err("this is not a regular file".to_owned()),
        Err(error) if error.is_absent() => return Ok(None),
        Err(error) => return Err(format!("the file cannot be read: {error}")),
    };
    let most = MAX_BYTES + 1;
    // Room for a byte more than there is, so that the end is found in two reads.
    let room = usize::try_from(metadata.len().min(most)).unwrap_or_default() + 1;
    let mut bytes = Vec::with_capacity(room);
    file.take(most).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(Some(Bytes { bytes, metadata: (!linked).then_some(metadata) }))
}

fn read_document(bytes: &[u8]) -> Result<Document, Issue> {
    let limits = Limits::default();
    if u64::try_from(bytes.len()).is_ok_and(|length| length > MAX_BYTES) {
        return Err(Issue { message: format!("the file has more than {MAX_BYTES} bytes"), place: 0..0 });
    }
    let text = std::str::from_utf8(bytes).map_err(|error| Issue {
        message: "the file is not UTF-8".to_owned(),
        place: error.valid_up_to()..error.valid_up_to() + 1,
    })?;
    let tree = Tree::parse(text, &limits).map_err(|error| Issue {
        message: format!("invalid YAML: {}", error.message),
        place: error.at..error.at,
    })?;
    schema::document(&tree)
}

struct Reader<'a> {
    file: &'a [u8],
    skill_directory: &'a Path,
    findings: Vec<Finding>,
}

/// Limits in characters.
const LABEL: usize = 64;
const SENTENCE: usize = 1024;

impl Reader<'_> {
    fn metadata(mut self, document: Document) -> Metadata {
        let mut policy = Policy::default();
        if let Some(implicit) = document.implicit {
            policy.implicit = implicit;
        }
        policy.products = document.products;
        let interface = self.interface(document.interface);
        let tools = document.tools.into_iter();
        let dependencies = tools.filter_map(|tool| self.dependency(tool)).collect();
        Metadata { policy, dependencies, interface, findings: self.findings }
    }

    fn interface(&mut self, raw: RawInterface) -> Option<Interface> {
        let interface = Interface {
            display_name: self.text(raw.display_name, "interface.display_name", LABEL),
            short_description: self.text(raw.short_description, "interface.short_description", SENTENCE),
            icon_small: self.icon(raw.icon_small, "interface.icon_small"),
            icon_large: self.icon(raw.icon_large, "interface.icon_large"),
            brand_color: self.color(raw.brand_color),
            default_prompt: self.text(raw.default_prompt, "interface.default_prompt", SENTENCE),
        };
        (interface != Interface::default()).then_some(interface)
    }

    fn dependency(&mut self, raw: RawTool) -> Option<Dependency> {
        let place = raw.place.clone();
        let kind = self.text(raw.kind, "type", LABEL);
        let value = self.text(raw.value, "value", SENTENCE);
        let (Some(kind), Some(value)) = (kind, value) else {
            self.ignore("this tool", "it has no usable `type` and `value`", &place);
            return None;
        };
        Some(Dependency {
            kind,
            value,
            description: self.text(raw.description, "description", SENTENCE),
            transport: self.text(raw.transport, "transport", LABEL),
            command: self.text(raw.command, "command", SENTENCE),
            url: self.text(raw.url, "url", SENTENCE),
            oauth_callback_port: raw.oauth_callback_port,
        })
    }

    fn ignore(&mut self, what: &str, why: &str, place: &std::ops::Range<usize>) {
        let message = format!("{what} was ignored: {why}");
        self.findings.push(Finding::new(Code::OpenaiYamlFieldIgnored, message).span(self.file, place));
    }

    /// Folds white space; an empty text is absent, and one over the limit is ignored.
    fn text(&mut self, raw: Option<schema::Text>, field: &str, limit: usize) -> Option<String> {
        let raw = raw?;
        let text = text::fold_whitespace(&raw.text).into_owned();
        if text.chars().count() > limit {
            self.ignore(&format!("`{field}`"), &format!("it has more than {limit} characters"), &raw.place);
            return None;
        }
        (!text.is_empty()).then_some(text)
    }

    fn color(&mut self, raw: Option<schema::Text>) -> Option<String> {
        let raw = raw?;
        let color = raw.text.trim();
        let digits = color.strip_prefix('#').filter(|digits| digits.len() == 6);
        if digits.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit())) {
            return Some(color.to_owned());
        }
        self.ignore("`interface.brand_color`", "it is not `#` and six hexadecimal digits", &raw.place);
        None
    }

    /// Accepts a relative path below `assets`, and returns it below the skill's directory.
    fn icon(&mut self, raw: Option<schema::Text>, field: &str) -> Option<String> {
        let raw = raw?;
        if raw.text.is_empty() {
            return None;
        }
        let components =
            Path::new(&raw.text).components().filter(|component| *component != Component::CurDir);
        let relative: PathBuf = components.clone().collect();
        let plain = components.clone().all(|component| matches!(component, Component::Normal(_)));
        let in_assets = components.clone().next() == Some(Component::Normal("assets".as_ref()));
        if plain && in_assets {
            return Some(self.skill_directory.join(relative).to_string_lossy().into_owned());
        }
        self.ignore(&format!("`{field}`"), "it is not a path below `assets`", &raw.place);
        None
    }
}
