//! The one table from our diagnostic codes to the neutral kinds of the recordings.

use lorimer::core::Code;

/// Returns the neutral kind of a code; `None` for what no recording has a word for.
pub(crate) fn neutral(code: Code) -> Option<&'static str> {
    Some(match code {
        Code::FileUnreadable | Code::DirectoryUnreadable => "unreadable",
        Code::NotRegularFile => "not-regular-file",
        Code::EncodingInvalid => "invalid-encoding",
        Code::FrontmatterMissing
        | Code::FrontmatterUnclosed
        | Code::FrontmatterInvalidYaml
        | Code::FrontmatterNotMapping
        | Code::FrontmatterDuplicateKey
        | Code::FrontmatterTooLarge
        | Code::InvocationFieldMisspelt => "invalid-frontmatter",
        Code::FrontmatterMisplaced => "misplaced-frontmatter",
        Code::FrontmatterRepaired => "recovered-frontmatter",
        Code::FieldWrongType => "wrong-type",
        Code::NameMissing | Code::NameTooLong | Code::NameInvalid | Code::QualifiedNameTooLong => {
            "invalid-name"
        }
        Code::DescriptionMissing => "missing-description",
        Code::DescriptionTooLong => "description-too-long",
        Code::HiddenCharacters => "hidden-characters",
        Code::OpenaiYamlInvalid => "metadata-file-ignored",
        Code::OpenaiYamlFieldIgnored => "metadata-field-ignored",
        Code::SymlinkDangling => "symlink-dangling",
        Code::SymlinkFileRefused => "symlink-file-refused",
        Code::SymlinkEscape => "symlink-escape",
        Code::SymlinkCycle => "symlink-cycle",
        Code::FileNameCase => "wrong-filename-case",
        Code::RootNotDirectory => "root-not-directory",
        Code::RootMissing => "not-found",
        Code::LimitDepth => "too-deep",
        Code::LimitDirectories | Code::LimitEntries | Code::LimitSkills => "scan-limit",
        Code::IgnoredByRule => "ignored-by-rule",
        Code::ReservedName => "reserved-name",
        Code::KeptLastGood => "kept-last-good",
        Code::RootVanished => "root-vanished",
        Code::NameCollision => "name-collision",
        Code::SameFile | Code::Shadowed => "shadowed",
        Code::DescriptionShortened => "budget-truncated",
        Code::EntryOmitted => "budget-omitted",
        Code::MentionUnknown => "unknown-skill",
        Code::MentionAmbiguous => "ambiguous-name",
        Code::MentionRefused => "invocation-not-allowed",
        Code::BodyUnreadable => "skill-missing",
        Code::ConfigUntrusted => "untrusted",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a harness says about files is recorded, so every code about a skill file needs a word, except for what no
    /// recording remarks on.
    #[test]
    fn every_code_about_skill_files_has_a_kind() {
        let elsewhere = ["plugin-", "archive-", "remote-", "index-", "digest-"];
        let lacking: Vec<&str> = Code::ALL
            .iter()
            .filter(|code| neutral(**code).is_none())
            .filter_map(|code| code.as_str().strip_prefix("discover/"))
            .filter(|code| !elsewhere.iter().any(|place| code.starts_with(place)))
            .collect();
        assert_eq!(lacking, ["file-too-large", "byte-order-mark"]);
    }
}
