//! The verb of this stage.

use std::sync::Arc;

use lorimer_core::{Content, ContextItem, Diagnostic, ReadLimit, Route, Skill};

/// What is to be handed to the model.
#[derive(Clone, Copy, Debug)]
pub struct ActivateRequest<'a> {
    /// The skill.
    pub skill: &'a Skill,
    /// Its file, as its source read it just now.
    pub content: &'a Content,
    /// How it was asked for.
    pub route: Route,
    /// What the user wrote behind the name, for skills that take arguments.
    pub arguments: Option<&'a str>,
}

/// What the model gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activation {
    /// The item.
    pub item: ContextItem,
    /// The bytes of the instructions inside [`ContextItem::text`], without the wrapper around them.
    pub body: std::ops::Range<usize>,
    /// Whether instructions were left out because of a limit.
    pub cut: bool,
    /// What is odd about the body.
    pub diagnostics: Vec<Diagnostic>,
}

/// The bytes cannot become instructions.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ActivateError {
    /// An activator of another kind failed.
    #[error("the body cannot be handed over")]
    Other(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The text is not UTF-8.
    #[error("the text is not UTF-8 at byte {offset}")]
    NotUtf8 {
        /// The first bad byte.
        offset: usize,
    },
}

/// Wraps a body for the model.
///
/// # Contract
///
/// * Pure: only the request counts. It opens nothing and runs nothing.
/// * The item names the skill, and the user's own message is left alone.
/// * What it leaves out it says, in [`Activation::diagnostics`] and with [`Activation::cut`].
pub trait Activator: Send + Sync {
    /// Returns how many bytes of this skill's file the activator can use, so that no more are read.
    fn limit(&self, skill: &Skill) -> ReadLimit {
        let _ = skill;
        ReadLimit(None)
    }

    /// Returns the context item that hands this skill to the model.
    ///
    /// # Errors
    ///
    /// When the bytes cannot become instructions.
    fn activate(&self, request: &ActivateRequest<'_>) -> Result<Activation, ActivateError>;
}

macro_rules! forward {
    ($($pointer:ty),+) => {$(
        impl<A: Activator + ?Sized> Activator for $pointer {
            fn limit(&self, skill: &Skill) -> ReadLimit {
                (**self).limit(skill)
            }

            fn activate(&self, request: &ActivateRequest<'_>) -> Result<Activation, ActivateError> {
                (**self).activate(request)
            }
        }
    )+};
}

forward!(&A, Box<A>, Arc<A>);
