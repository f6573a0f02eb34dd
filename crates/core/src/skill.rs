//! A skill as its source describes it: metadata only, never the body.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::id::path_text;
use crate::{Digest, Revision, Scope, SkillId};

/// One Agent Skill as its source describes it. The body is never part of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Skill {
    /// Identity.
    pub id: SkillId,
    /// Name as written in the frontmatter, or the folder's name where the source's rules allow that.
    pub name: String,
    /// Name with its namespace (`plugin:skill`), where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qualified_name: Option<String>,
    /// Description, whole. Empty only where the source's rules accept that.
    pub description: String,
    /// Whose skill it is.
    pub scope: Scope,
    /// The root that it was found under.
    pub root: Root,
    /// The group that its source files it under, where it has groups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<Group>,
    /// Who may choose it.
    pub policy: Policy,
    /// What it needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<Dependency>,
    /// How a user interface may show it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interface: Option<Interface>,
    /// Every frontmatter key, in file order.
    pub frontmatter: IndexMap<String, serde_json::Value>,
    /// Digest of the bytes that the metadata was read from, where the source knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// The ways by which it was reached.
    #[serde(default)]
    pub provenance: Provenance,
}

impl Skill {
    /// Returns a skill with this identity, name and description, everything else at its default: user scope, an
    /// unnamed root, implicit and user invocation allowed.
    pub fn new(id: SkillId, name: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            id,
            name: name.into(),
            qualified_name: None,
            description: description.into(),
            scope: Scope::User,
            root: Root::default(),
            group: None,
            policy: Policy::default(),
            dependencies: Vec::new(),
            interface: None,
            frontmatter: IndexMap::new(),
            digest: None,
            provenance: Provenance::default(),
        }
    }

    /// Returns the name that a model or a user calls it by: the qualified one where there is one.
    pub fn call_name(&self) -> &str {
        self.qualified_name.as_deref().unwrap_or(&self.name)
    }

    /// Returns where the skill was found, as people and models should see it: the path through the user's own
    /// links where there is one, otherwise the locator.
    pub fn shown_location(&self) -> String {
        match &self.provenance.discovered {
            Some(path) => path.to_string_lossy().into_owned(),
            None => self.id.locator.shown(),
        }
    }

    /// Returns every local path by which this skill is known: canonical, discovered, then aliases.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let aliases = self.provenance.aliases.iter().map(PathBuf::as_path);
        self.id.locator.as_path().into_iter().chain(self.provenance.discovered.as_deref()).chain(aliases)
    }
}

/// The root that a skill was found under.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Root {
    /// The root's path or URI as it may be shown, with `/` between its parts.
    pub path: String,
    /// The root's place among all roots of the snapshot, in discovery order.
    pub order: u32,
}

/// A group of skills that a listing may show under one heading.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// Its name, as in `a/b` for the folder `b` in `a`.
    pub name: String,
    /// What is said about it, whole; empty where nothing is.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
}

/// Who may choose a skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// The model may choose it by itself (`allow_implicit_invocation`, S3-33).
    pub implicit: bool,
    /// The user may call it by name.
    pub user_invocable: bool,
    /// Products that it is for; empty means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub products: Vec<String>,
}

impl Default for Policy {
    fn default() -> Self {
        Self { implicit: true, user_invocable: true, products: Vec::new() }
    }
}

/// Something that a skill declares to need (`dependencies.tools` of `agents/openai.yaml`, S3-35).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Dependency {
    /// What it is: `mcp`, `env_var`, …, as written.
    pub kind: String,
    /// Its name; for `mcp` the server's name.
    pub value: String,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// `streamable_http` or `stdio`, as written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transport: Option<String>,
    /// Command of a `stdio` server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Address of a `streamable_http` server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Port of the OAuth callback, where the server fixes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oauth_callback_port: Option<u16>,
}

/// How a user interface may show a skill. Nothing here reaches the model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields of `interface` in agents/openai.yaml, under their own names")]
pub struct Interface {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub short_description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icon_small: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icon_large: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brand_color: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_prompt: Option<String>,
}

/// The ways by which a skill was reached, and the state of what was reached.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The path by which it was found, through links; `None` where that is the locator itself.
    #[serde(default, with = "optional_path", skip_serializing_if = "Option::is_none")]
    pub discovered: Option<PathBuf>,
    /// Further paths that lead to the same file.
    #[serde(default, with = "path_text", skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<PathBuf>,
    /// The folder that the skill is meant for, relative to the working directory (`apps/web`), where it lies beside what
    /// it serves; `None` where it serves the whole session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serves: Option<String>,
    /// In which state the skill's files were, where the source knows that without reading a body. No listing shows
    /// it, so a snapshot's digest leaves it out. It has no meaning for another process and is not written.
    #[serde(skip)]
    pub revision: Option<Revision>,
}

mod optional_path {
    use super::{PathBuf, path_text};
    use serde::{Deserializer, Serializer};

    #[expect(clippy::ref_option, reason = "the signature that serde asks for")]
    pub(super) fn serialize<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
        path_text::serialize(path.as_slice(), serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<PathBuf>, D::Error> {
        Ok(path_text::deserialize(deserializer)?.into_iter().next())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Locator, SourceId};

    /// S3-14, S3-35: origin, locator, policy and dependencies travel with every skill.
    #[test]
    fn s3_14_a_full_skill_round_trips_through_json() {
        let id = SkillId::new(SourceId::new("host"), Locator::Path("/r/a/SKILL.md".into()));
        let mut skill = Skill::new(id, "a", "Does a.");
        skill.qualified_name = Some("p:a".to_owned());
        skill.scope = Scope::Plugin { name: "p".to_owned() };
        skill.group = Some(Group { name: "tools/tea".to_owned(), description: "All about tea.".to_owned() });
        skill.policy = Policy { implicit: false, user_invocable: true, products: vec!["codex".to_owned()] };
        skill.dependencies.push(Dependency {
            kind: "mcp".to_owned(),
            value: "github".to_owned(),
            url: Some("https://example.invalid/mcp".to_owned()),
            ..Dependency::default()
        });
        skill.interface = Some(Interface { display_name: Some("A".to_owned()), ..Interface::default() });
        skill.frontmatter.insert("zeta".to_owned(), serde_json::json!({"b": 1, "a": [true, null]}));
        skill.frontmatter.insert("alpha".to_owned(), serde_json::json!("x"));
        skill.digest = Some(Digest::of(b"a"));
        skill.provenance.discovered = Some("/link/a/SKILL.md".into());
        skill.provenance.aliases.push("/other/a/SKILL.md".into());

        let json = serde_json::to_string(&skill).unwrap();
        let back: Skill = serde_json::from_str(&json).unwrap();
        assert_eq!(back, skill);
        assert_eq!(back.frontmatter.keys().collect::<Vec<_>>(), ["zeta", "alpha"]);
        assert_eq!(serde_json::to_string(&back).unwrap(), json, "nested keys keep their order too");
        assert_eq!(skill.call_name(), "p:a");
        assert_eq!(skill.shown_location(), "/link/a/SKILL.md");
        assert_eq!(skill.paths().count(), 3);
    }
}
