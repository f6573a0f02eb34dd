//! The skill tools as plain function tools, for chat APIs and MCP.
//!
//! So far there is one tool, `load_skill`. It is an ordinary function tool: the host dispatches it like any other one,
//! and the result goes back to the model as the result of the call. Serving and reading skills over MCP come later.
//!
//! ```
//! use lorimer::{Lifecycle, core::SourceId, discover::MemorySource};
//! use lorimer_mcp::LoadSkill;
//!
//! let source = MemorySource::new(SourceId::new("memory"));
//! source.add("brew-tea", "Brews tea.", "Warm the pot.");
//! let mut session = Lifecycle::builder().source(source).build().session("s")?;
//!
//! let arguments = serde_json::json!({"name": "brew-tea"}); // from the model's tool call
//! assert!(LoadSkill::call(&mut session, &arguments)?.item.text.contains("Warm the pot."));
//! # Ok::<(), lorimer::SessionError>(())
//! ```

mod load_skill;

pub use load_skill::LoadSkill;
