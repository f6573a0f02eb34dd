//! Differences that are meant: what a profile does not reproduce, and why.
//!
//! One file per harness in `xtask/waivers`. A waiver names one case and one recorded field, as in `list.entries`, so
//! that it hides nothing else; one that is not needed any more is a failure too.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;
use serde::Deserialize;

/// One difference that is meant.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub(crate) struct Waiver {
    /// Id of the case.
    pub(crate) case: String,
    /// Operation and field, as in `list.entries`.
    pub(crate) field: String,
    /// Why it is not reproduced.
    pub(crate) reason: String,
}

/// The waivers of all harnesses, by harness and case.
#[derive(Debug, Default)]
pub(crate) struct Waivers(BTreeMap<(String, String), Vec<Waiver>>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    waiver: Vec<Waiver>,
}

impl Waivers {
    /// Reads the files of a folder, each named for its harness.
    pub(crate) fn read(folder: &Path) -> anyhow::Result<Self> {
        let mut all = Self::default();
        let listing =
            std::fs::read_dir(folder).with_context(|| format!("cannot list `{}`", folder.display()))?;
        for entry in listing {
            let path = entry?.path();
            let Some(harness) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
            if path.extension().is_some_and(|extension| extension == "toml") {
                let context = || format!("cannot read `{}`", path.display());
                let text = std::fs::read_to_string(&path).with_context(context)?;
                let file: File = toml::from_str(&text).with_context(context)?;
                for waiver in file.waiver {
                    let blank = waiver.reason.trim().is_empty();
                    anyhow::ensure!(!blank, "{}: `{}` gives no reason", path.display(), waiver.case);
                    let key = (harness.to_owned(), waiver.case.clone());
                    all.0.entry(key).or_default().push(waiver);
                }
            }
        }
        Ok(all)
    }

    /// Returns the waivers of a case.
    pub(crate) fn of(&self, harness: &str, case: &str) -> &[Waiver] {
        self.0.get(&(harness.to_owned(), case.to_owned())).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_waiver_names_a_case_a_field_and_a_reason() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pi.toml");
        let text = "[[waiver]]\ncase = \"014\"\nfield = \"list.loaded\"\nreason = \"a defect\"\n";
        std::fs::write(&file, text).unwrap();
        let waivers = Waivers::read(folder.path()).unwrap();
        assert_eq!(waivers.of("pi", "014").len(), 1);
        assert!(waivers.of("pi", "015").is_empty() && waivers.of("hermes", "014").is_empty());
        std::fs::write(&file, text.replace("a defect", " ")).unwrap();
        assert!(Waivers::read(folder.path()).unwrap_err().to_string().contains("no reason"));
        std::fs::write(&file, text.replace("reason", "why")).unwrap();
        Waivers::read(folder.path()).unwrap_err();
    }
}
