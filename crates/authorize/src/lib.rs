//! Authorize: who may use a skill, and whether what it needs is there.
//!
//! An [`Authorizer`] executes nothing and asks nobody: a question is a value, and the host asks. [`Gate`] is the
//! policy made of rules, a product, the skill's own wishes and its declared MCP servers; [`Requirements`] asks for what
//! a skill's metadata requires of the machine; [`Permissions`] is the policy made of rules for tool calls, what a user
//! made of single skills, and the files that the session has opened; [`AllowAll`] says yes to everything.

mod allow_all;
mod authorizer;
mod conditions;
mod dependencies;
mod gate;
mod needs;
mod paths;
mod permissions;
mod requirements;
mod rules;

pub use allow_all::AllowAll;
pub use authorizer::{Admission, AdmitRequest, Authorizer, ClearRequest, Clearance, McpServer, Question};
pub use conditions::{Conditions, Platforms, ToolSets};
pub use dependencies::{MissingDependencies, MissingPolicy, missing_dependencies};
pub use gate::{Gate, Standing};
pub use needs::Needs;
pub use paths::PathCondition;
pub use permissions::{CallRule, Permissions, Visibility};
pub use requirements::{Missing, Programs, Requirements, SkillSettings};
pub use rules::{Rule, RuleEntry, RuleSet, Selector};
