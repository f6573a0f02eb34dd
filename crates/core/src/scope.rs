//! Whose skill it is.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::id::serde_as_text;

/// Whose skill it is. No `Ord` on purpose: which scope comes first is a profile's choice ([`ScopeOrder`]).
///
/// The text form (`Display`, serde) is `system`, `admin`, `user`, `project` or `project:DEPTH`, `plugin:NAME`,
/// `environment:ID`, `orchestrator`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Ships with the product.
    System,
    /// Put on the machine by its administrator.
    Admin,
    /// Belongs to the user.
    User,
    /// Belongs to the project.
    Project {
        /// Directories between the project root (0) and the directory that holds the skill root.
        depth: u16,
    },
    /// Comes with a plugin.
    Plugin {
        /// The plugin's name.
        name: String,
    },
    /// Belongs to an attached execution environment.
    Environment {
        /// The environment's id.
        id: String,
    },
    /// Advertised by the session's orchestrator.
    Orchestrator,
}

impl Scope {
    /// Returns the scope's kind without its details: `system`, `admin`, `user`, `project`, `plugin`,
    /// `environment` or `orchestrator`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Admin => "admin",
            Self::User => "user",
            Self::Project { .. } => "project",
            Self::Plugin { .. } => "plugin",
            Self::Environment { .. } => "environment",
            Self::Orchestrator => "orchestrator",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.kind())?;
        match self {
            Self::Project { depth } if *depth > 0 => write!(formatter, ":{depth}"),
            Self::Plugin { name: detail } | Self::Environment { id: detail } => {
                write!(formatter, ":{detail}")
            }
            _ => Ok(()),
        }
    }
}

/// The text is not the text form of a scope.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a scope (system, admin, user, project[:DEPTH], plugin:NAME, environment:ID, orchestrator)"
)]
pub struct ParseScopeError(String);

impl FromStr for Scope {
    type Err = ParseScopeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (kind, detail) = match text.split_once(':') {
            Some((kind, detail)) => (kind, Some(detail)),
            None => (text, None),
        };
        match (kind, detail) {
            ("system", None) => Ok(Self::System),
            ("admin", None) => Ok(Self::Admin),
            ("user", None) => Ok(Self::User),
            ("project", None) => Ok(Self::Project { depth: 0 }),
            ("project", Some(depth)) => depth
                .parse()
                .map(|depth| Self::Project { depth })
                .map_err(|_| ParseScopeError(text.to_owned())),
            ("plugin", Some(name)) => Ok(Self::Plugin { name: name.to_owned() }),
            ("environment", Some(id)) => Ok(Self::Environment { id: id.to_owned() }),
            ("orchestrator", None) => Ok(Self::Orchestrator),
            _ => Err(ParseScopeError(text.to_owned())),
        }
    }
}

serde_as_text!(Scope);

/// A profile's ranking of scope kinds, first to last.
///
/// ```
/// use lorimer_core::{Scope, ScopeOrder};
/// let order = ScopeOrder::new(&["project", "user"]);
/// assert!(order.rank(&Scope::Project { depth: 3 }) < order.rank(&Scope::User));
/// assert!(order.rank(&Scope::User) < order.rank(&Scope::System)); // unranked kinds come last
/// let plugin = Scope::Plugin { name: "p".to_owned() };
/// assert_eq!(ScopeOrder::new(&["user|plugin"]).rank(&plugin), 0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ScopeOrder(&'static [&'static str]);

impl ScopeOrder {
    /// Returns the order that ranks these kinds ([`Scope::kind`]) first to last, and all others after them. Kinds with a
    /// bar between them, as in `user|plugin`, share a rank.
    pub const fn new(kinds: &'static [&'static str]) -> Self {
        Self(kinds)
    }

    /// Returns the rank of `scope`; lower comes first. Depth does not matter.
    pub fn rank(&self, scope: &Scope) -> usize {
        let is_of = |kinds: &&str| kinds.split('|').any(|kind| kind == scope.kind());
        self.0.iter().position(is_of).unwrap_or(self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s3_03_scopes_name_every_origin_and_round_trip() {
        let all = [
            Scope::System,
            Scope::Admin,
            Scope::User,
            Scope::Project { depth: 0 },
            Scope::Project { depth: 2 },
            Scope::Plugin { name: "acme:tools".to_owned() },
            Scope::Environment { id: "box".to_owned() },
            Scope::Orchestrator,
        ];
        for scope in all {
            let json = serde_json::to_string(&scope).unwrap();
            assert_eq!(serde_json::from_str::<Scope>(&json).unwrap(), scope, "{json}");
        }
        for text in ["", "Project", "project:x", "user:me", "plugin"] {
            assert!(text.parse::<Scope>().is_err(), "{text}");
        }
    }
}
