//! One skill file and what was read from it, as bytes.

use std::path::Path;

use indexmap::IndexMap;
use lorimer_core::{
    Dependency, Diagnostic, Digest, Interface, Location, Locator, Policy, Severity, Skill, SkillId, SourceId,
    Span,
};
use serde_json::Value;

use super::codec::{Reader, Writer};
use super::stamp::{Beside, Stamp, Stamps};

/// The first byte of an entry says what it is about.
const SKILL: u8 = 0;
pub(super) const LISTING: u8 = 1;

/// Most fields repeat what stands elsewhere in the entry. These go where the kind of a value would stand.
const AS_NAME: u8 = 0x80;
const AS_DESCRIPTION: u8 = 0x81;

/// What an entry was made for. All of it must be the same when it is used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'a> {
    /// The canonical path.
    pub(super) path: &'a Path,
    /// The folder whose name stands in for a missing one.
    pub(super) folder: &'a str,
    /// Whether the file is a Markdown file that lies about.
    pub(super) loose: bool,
}

impl Subject<'_> {
    pub(super) fn write(&self, writer: &mut Writer) {
        writer.byte(SKILL);
        writer.bytes(self.path.as_os_str().as_encoded_bytes());
        writer.text(self.folder);
        writer.flag(self.loose);
    }

    fn is_next(&self, reader: &mut Reader<'_>) -> bool {
        reader.byte() == Some(SKILL)
            && reader.bytes() == Some(self.path.as_os_str().as_encoded_bytes())
            && reader.str() == Some(self.folder)
            && reader.flag() == Some(self.loose)
    }
}

/// Writes an entry; `None` where something has no faithful form in bytes.
pub(super) fn encode(
    subject: Subject<'_>,
    stamps: &Stamps,
    skill: Option<&Skill>,
    diagnostics: &[Diagnostic],
) -> Option<Vec<u8>> {
    let mut writer = Writer::default();
    subject.write(&mut writer);
    stamps.file.write(&mut writer);
    match &stamps.openai_yaml {
        Beside::Unasked => writer.byte(0),
        Beside::Absent => writer.byte(1),
        Beside::Present(stamp) => {
            writer.byte(2);
            stamp.write(&mut writer);
        }
    }
    writer.length(diagnostics.len());
    for diagnostic in diagnostics {
        write_diagnostic(&mut writer, diagnostic)?;
    }
    writer.flag(skill.is_some());
    if let Some(skill) = skill {
        write_skill(&mut writer, skill);
    }
    Some(writer.into_bytes())
}

/// An entry whose subject fits, before its contents are read.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) stamps: Stamps,
    rest: Reader<'a>,
}

impl<'a> Entry<'a> {
    /// Reads the beginning of an entry; `None` where it is about something else.
    pub(super) fn open(bytes: &'a [u8], subject: Subject<'_>) -> Option<Self> {
        let mut rest = Reader::new(bytes);
        if !subject.is_next(&mut rest) {
            return None;
        }
        let file = Stamp::read(&mut rest)?;
        let openai_yaml = match rest.byte()? {
            0 => Beside::Unasked,
            1 => Beside::Absent,
            2 => Beside::Present(Stamp::read(&mut rest)?),
            _ => return None,
        };
        Some(Self { stamps: Stamps { file, openai_yaml }, rest })
    }

    /// Reads the contents. Scope, root and provenance of the skill are at their defaults.
    pub(super) fn read(mut self, path: &Path, source: &SourceId) -> Option<(Option<Skill>, Vec<Diagnostic>)> {
        let count = self.rest.length()?;
        let diagnostics = (0..count).map(|_| read_diagnostic(&mut self.rest)).collect::<Option<_>>()?;
        let skill = if self.rest.flag()? {
            let id = SkillId::new(source.clone(), Locator::Path(path.to_owned()));
            Some(read_skill(&mut self.rest, id)?)
        } else {
            None
        };
        self.rest.is_empty().then_some((skill, diagnostics))
    }
}

fn write_skill(writer: &mut Writer, skill: &Skill) {
    // Every field is named, so that a new one is not forgotten here.
    let Skill {
        id: _,
        name,
        qualified_name,
        description,
        scope: _,
        root: _,
        group: _,
        policy: Policy { implicit, user_invocable, products },
        dependencies,
        interface,
        frontmatter,
        digest,
        provenance: _,
    } = skill;
    writer.text(name);
    writer.optional_text(qualified_name.as_deref());
    writer.text(description);
    writer.flag(*implicit);
    writer.flag(*user_invocable);
    writer.length(products.len());
    for product in products {
        writer.text(product);
    }
    writer.length(dependencies.len());
    for dependency in dependencies {
        write_dependency(writer, dependency);
    }
    writer.flag(interface.is_some());
    if let Some(interface) = interface {
        write_interface(writer, interface);
    }
    writer.length(frontmatter.len());
    for (key, value) in frontmatter {
        writer.text(key);
        match value {
            Value::String(text) if text == name => writer.byte(AS_NAME),
            Value::String(text) if text == description => writer.byte(AS_DESCRIPTION),
            value => writer.value(value),
        }
    }
    writer.flag(digest.is_some());
    if let Some(digest) = digest {
        writer.raw(digest.as_bytes());
    }
}

fn read_skill(reader: &mut Reader<'_>, id: SkillId) -> Option<Skill> {
    let name = reader.text()?;
    let qualified_name = reader.optional_text()?;
    let mut skill = Skill::new(id, name, reader.str()?);
    skill.qualified_name = qualified_name;
    skill.policy.implicit = reader.flag()?;
    skill.policy.user_invocable = reader.flag()?;
    let products = reader.length()?;
    skill.policy.products = (0..products).map(|_| reader.text()).collect::<Option<_>>()?;
    let dependencies = reader.length()?;
    skill.dependencies = (0..dependencies).map(|_| read_dependency(reader)).collect::<Option<_>>()?;
    skill.interface = if reader.flag()? { Some(read_interface(reader)?) } else { None };
    let fields = reader.length()?;
    skill.frontmatter = IndexMap::with_capacity(fields.min(64));
    for _ in 0..fields {
        let key = reader.text()?;
        let repeated = match reader.peek()? {
            AS_NAME => Some(&skill.name),
            AS_DESCRIPTION => Some(&skill.description),
            _ => None,
        };
        let value = if let Some(text) = repeated {
            reader.byte()?;
            Value::String(text.clone())
        } else {
            reader.value()?
        };
        skill.frontmatter.insert(key, value);
    }
    skill.digest =
        if reader.flag()? { Some(Digest::from_bytes(*reader.take(32)?.first_chunk()?)) } else { None };
    Some(skill)
}

fn write_dependency(writer: &mut Writer, dependency: &Dependency) {
    let Dependency { kind, value, description, transport, command, url, oauth_callback_port } = dependency;
    writer.text(kind);
    writer.text(value);
    for text in [description, transport, command, url] {
        writer.optional_text(text.as_deref());
    }
    writer.flag(oauth_callback_port.is_some());
    writer.number(u64::from(oauth_callback_port.unwrap_or_default()));
}

fn read_dependency(reader: &mut Reader<'_>) -> Option<Dependency> {
    Some(Dependency {
        kind: reader.text()?,
        value: reader.text()?,
        description: reader.optional_text()?,
        transport: reader.optional_text()?,
        command: reader.optional_text()?,
        url: reader.optional_text()?,
        oauth_callback_port: {
            let known = reader.flag()?;
            let port = u16::try_from(reader.number()?).ok()?;
            known.then_some(port)
        },
    })
}

fn write_interface(writer: &mut Writer, interface: &Interface) {
    let Interface { display_name, short_description, icon_small, icon_large, brand_color, default_prompt } =
        interface;
    for text in [display_name, short_description, icon_small, icon_large, brand_color, default_prompt] {
        writer.optional_text(text.as_deref());
    }
}

fn read_interface(reader: &mut Reader<'_>) -> Option<Interface> {
    Some(Interface {
        display_name: reader.optional_text()?,
        short_description: reader.optional_text()?,
        icon_small: reader.optional_text()?,
        icon_large: reader.optional_text()?,
        brand_color: reader.optional_text()?,
        default_prompt: reader.optional_text()?,
    })
}

fn write_diagnostic(writer: &mut Writer, diagnostic: &Diagnostic) -> Option<()> {
    let Diagnostic { code, severity, message, location, help, fix } = diagnostic;
    // Only a check of the whole file proposes one, and that is never kept.
    if fix.is_some() {
        return None;
    }
    writer.text(code.as_str());
    writer.byte(match severity {
        Severity::Note => 0,
        Severity::Warning => 1,
        Severity::Error => 2,
    });
    writer.text(message);
    writer.optional_text(help.as_deref());
    writer.flag(location.is_some());
    if let Some(Location { locator, span }) = location {
        let text = locator.to_string();
        // On some platforms not every path has a text form.
        if text.parse().as_ref() != Ok(locator) {
            return None;
        }
        writer.text(&text);
        writer.flag(span.is_some());
        if let Some(Span { start, end, line, column }) = span {
            writer.length(*start);
            writer.length(*end);
            writer.number(u64::from(*line));
            writer.number(u64::from(*column));
        }
    }
    Some(())
}

fn read_diagnostic(reader: &mut Reader<'_>) -> Option<Diagnostic> {
    let code = reader.str()?.parse().ok()?;
    let severity = match reader.byte()? {
        0 => Severity::Note,
        1 => Severity::Warning,
        2 => Severity::Error,
        _ => return None,
    };
    let mut diagnostic = Diagnostic::new(code, reader.str()?);
    diagnostic.severity = severity;
    diagnostic.help = reader.optional_text()?;
    if reader.flag()? {
        let locator = reader.str()?.parse().ok()?;
        let span = if reader.flag()? {
            Some(Span {
                start: usize::try_from(reader.number()?).ok()?,
                end: usize::try_from(reader.number()?).ok()?,
                line: u32::try_from(reader.number()?).ok()?,
                column: u32::try_from(reader.number()?).ok()?,
            })
        } else {
            None
        };
        diagnostic.location = Some(Location { locator, span });
    }
    Some(diagnostic)
}
