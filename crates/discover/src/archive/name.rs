//! Which names an entry of an archive may have.

/// A path in an archive that is longer is nobody's file name.
const MAX_BYTES: usize = 1024;

/// Returns the entry's path in its plain form, `a/b/c`, or why it is not safe. Nothing is ever unpacked to a disk, but a
/// name that would lead elsewhere there would also mislead whoever reads it.
pub(crate) fn plain_name(raw: &[u8]) -> Result<String, &'static str> {
    let name = std::str::from_utf8(raw).map_err(|_| "its name is not UTF-8")?;
    if name.len() > MAX_BYTES {
        return Err("its name is too long");
    }
    if name.chars().any(char::is_control) {
        return Err("its name has control characters");
    }
    if name.contains('\\') {
        return Err("its name has a backslash, which is a separator elsewhere");
    }
    if name.starts_with('/') {
        return Err("its name is an absolute path");
    }
    let mut parts = Vec::new();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." => return Err("its name leads upwards"),
            drive if parts.is_empty() && drive.get(1..2) == Some(":") => {
                return Err("its name starts with a drive");
            }
            part => parts.push(part),
        }
    }
    if parts.is_empty() { Err("it has no name") } else { Ok(parts.join("/")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_or_refused() {
        for (raw, plain) in [("a/SKILL.md", "a/SKILL.md"), ("./a//b/./c", "a/b/c"), ("é/..x", "é/..x")] {
            assert_eq!(plain_name(raw.as_bytes()).as_deref(), Ok(plain));
        }
        let long = "x".repeat(1025);
        for raw in
            ["", "/", ".", "./", "/etc/passwd", "..", "a/../b", "a\\b", "C:/x", "c:", "a\nb", "a\0", &long]
        {
            assert!(plain_name(raw.as_bytes()).is_err(), "{raw:?}");
        }
        assert!(plain_name(b"\xff").is_err());
    }
}
