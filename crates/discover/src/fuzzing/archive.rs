//! Any bytes as an archive.

use std::io::Cursor;

use lorimer_core::ReadLimit;

use crate::archive::{ArchiveLimits, Contents, read_file};
use crate::{Reading, WalkPolicy};

/// Reads bytes as an archive, within small limits, and checks what comes of it.
pub fn archive(bytes: &[u8]) {
    let limits =
        ArchiveLimits { packed_bytes: 1 << 20, entries: 64, entry_bytes: 1 << 12, total_bytes: 1 << 14 };
    let (reading, policy) = (Reading::lenient(), WalkPolicy::default());
    let look = || Contents::of(&mut Cursor::new(bytes), &limits, &reading, &policy);
    let (Ok(contents), Ok(again)) = (look(), look()) else {
        assert_eq!(look().is_err(), look().is_err(), "looking twice");
        return;
    };
    assert_eq!(format!("{contents:?}"), format!("{again:?}"), "looking twice");
    let refused: Vec<_> = contents.refused.iter().filter_map(|refused| refused.plain.clone()).collect();
    let (skills, _) = contents.skills(&policy);
    for skill in &skills {
        let packed = skill.openai_yaml.iter().map(|(name, _)| name);
        for name in [&skill.file].into_iter().chain(&skill.beside).chain(packed) {
            check_name(name);
            assert!(!refused.contains(name), "`{name}` is refused, and offered");
            let content = read_file(&mut Cursor::new(bytes), &limits, name, ReadLimit(Some(100)))
                .expect("the archive was read before")
                .expect("a file that is offered is there");
            assert!(content.bytes.len() <= 100);
        }
        assert!(skill.folder.is_empty() || skill.file.starts_with(&format!("{}/", skill.folder)));
    }
}

/// The name of an entry leads nowhere else, on any platform.
fn check_name(name: &str) {
    assert!(!name.contains(['\\', '\0']) && !name.contains(char::is_control), "{name:?}");
    assert!(name.split('/').all(|part| !matches!(part, "" | "." | "..")), "{name:?}");
}
