//! Authorize: who may use a skill, and whether what it needs is there.
//!
//! An [`Authorizer`] executes nothing and asks nobody: a question is a value, and the host asks.

mod authorizer;

pub use authorizer::{Admission, AdmitRequest, Authorizer, ClearRequest, Clearance, McpServer, Question};
