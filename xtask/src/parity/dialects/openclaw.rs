//! The recordings of OpenClaw.

use lorimer::Host;

use super::Dialect;
use crate::parity::case::Options;
use crate::parity::layout::Layout;

pub(super) struct OpenClaw;

impl Dialect for OpenClaw {
    fn understood(&self) -> &'static [&'static str] {
        &["bundled", "state_dir"]
    }

    fn surroundings(&self, host: &mut Host, options: &Options, layout: &Layout) -> anyhow::Result<()> {
        for (option, variable) in
            [("state_dir", "OPENCLAW_STATE_DIR"), ("bundled", "OPENCLAW_BUNDLED_SKILLS_DIR")]
        {
            if let Some(folder) = options.text(option) {
                let folder = layout.place(folder).to_string_lossy().into_owned();
                host.variables.insert(variable.to_owned(), folder);
            }
        }
        Ok(())
    }
}
