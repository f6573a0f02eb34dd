//! Which programs the machine has.

use std::path::{Path, PathBuf};

use lorimer_authorize::Programs;

/// Programs in some folders, looked for whenever somebody asks: what was installed meanwhile is found.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProgramsIn(pub(crate) Vec<PathBuf>);

impl Programs for ProgramsIn {
    fn has(&self, name: &str) -> bool {
        !name.is_empty() && self.0.iter().any(|folder| can_run(&folder.join(name)))
    }
}

#[cfg(unix)]
fn can_run(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path)
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn can_run(path: &Path) -> bool {
    let with = |extension: &str| {
        let mut named = path.as_os_str().to_owned();
        named.push(extension);
        PathBuf::from(named)
    };
    ["", ".exe", ".cmd", ".bat", ".com"].iter().any(|extension| with(extension).is_file())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_program_is_a_file_that_can_be_run() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, mode: u32| {
            let path = folder.path().join(name);
            std::fs::write(&path, "").unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        put("tool", 0o755);
        put("text", 0o644);
        std::fs::create_dir(folder.path().join("folder")).unwrap();
        let programs = ProgramsIn(vec!["/nowhere".into(), folder.path().to_owned()]);
        assert_eq!(
            ["tool", "text", "folder", "none", ""].map(|name| programs.has(name)),
            [true, false, false, false, false]
        );
        put("late", 0o700);
        assert!(programs.has("late"));
    }
}
