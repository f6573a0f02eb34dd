//! What is handed to the model.

use serde::{Deserialize, Serialize};

use crate::SkillId;

/// Stable kinds of context items; stored items are recognised by them for ever.
pub mod kind {
    /// The listing of skills.
    pub const CATALOG: &str = "skills.catalog";
    /// The instructions of one skill that was selected (S3-17).
    pub const SELECTED_SKILL: &str = "skills.selected_skill_instructions";
    /// The result of a skill tool.
    pub const TOOL_RESULT: &str = "skills.tool_result";
    /// Something the model is told about skills that is no listing and no body.
    pub const NOTICE: &str = "skills.notice";
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The system prompt.
    System,
    /// The harness, outside the system prompt.
    Developer,
    /// The user, or something in the user's place.
    User,
    /// The result of a tool call.
    Tool,
}

impl Role {
    /// Returns the role's name as it stands in chat protocols.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Developer => "developer",
            Self::User => "user",
            Self::Tool => "tool",
        }
    }
}

/// One piece of context for the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextItem {
    /// Who speaks.
    pub role: Role,
    /// What it is; see [`kind`].
    pub kind: String,
    /// The text, exactly as the model gets it.
    pub text: String,
    /// The skill that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill: Option<SkillId>,
}

impl ContextItem {
    /// Returns whether the item was put there by the skill lifecycle, so that it is no message of the user's own
    /// even where its role is `user` (S3-46).
    pub fn is_contextual(&self) -> bool {
        self.kind.starts_with("skills.")
    }
}
