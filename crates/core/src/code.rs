//! The one table of diagnostic codes.
//!
//! Docs, `lorimer explain` and the mapping to other tools' labels are all made from it. A code is never renamed
//! and never used again for something else.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Severity;
use crate::id::serde_as_text;

/// What the table says about a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeInfo {
    /// `stage/what`.
    pub code: &'static str,
    /// Severity, unless a profile or the user says otherwise.
    pub severity: Severity,
    /// What it means and what to do, in one or two sentences.
    pub explanation: &'static str,
}

macro_rules! codes {
    ($($variant:ident = $code:literal, $severity:ident, $explanation:literal;)+) => {
        /// A stable diagnostic code, `stage/what`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = concat!("`", $code, "`: ", $explanation)] $variant,)+
        }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// Returns the row of the table.
            pub fn info(self) -> CodeInfo {
                match self {
                    $(Self::$variant => CodeInfo {
                        code: $code,
                        severity: Severity::$severity,
                        explanation: $explanation,
                    },)+
                }
            }
        }
    };
}

codes! {
    FileUnreadable = "discover/file-unreadable", Error,
        "The file could not be opened or read. Check its permissions and that its disk is there.";
    NotRegularFile = "discover/not-regular-file", Warning,
        "SKILL.md is a pipe, a device, a socket or a directory. Only a regular file can be a skill.";
    FileTooLarge = "discover/file-too-large", Error,
        "The file has more bytes than the profile reads. Move reference material into files beside it.";
    EncodingInvalid = "discover/encoding-invalid", Error,
        "The text is not UTF-8. Save the file as UTF-8; UTF-16 and legacy encodings are not read.";
    ByteOrderMark = "discover/byte-order-mark", Note,
        "The file starts with a byte order mark. It is skipped here, but several harnesses then see no frontmatter.";
    FrontmatterMissing = "discover/frontmatter-missing", Error,
        "The file has no frontmatter. Start it with a line `---`, the fields, and another line `---`.";
    FrontmatterUnclosed = "discover/frontmatter-unclosed", Error,
        "The frontmatter has no closing line `---`, so nothing says where the instructions begin.";
    FrontmatterMisplaced = "discover/frontmatter-misplaced", Note,
        "Blank lines or a comment stand before the frontmatter. They are skipped here; most harnesses reject the file.";
    FrontmatterInvalidYaml = "discover/frontmatter-invalid-yaml", Error,
        "The frontmatter is not valid YAML, and the one safe repair (quoting a plain value) does not make it so.";
    FrontmatterNotMapping = "discover/frontmatter-not-mapping", Error,
        "The frontmatter is YAML, but no list of `key: value` fields.";
    FrontmatterRepaired = "discover/frontmatter-repaired", Warning,
        "A plain value was not valid YAML and was read as if it were quoted. Quote it: strict harnesses drop the skill.";
    FrontmatterDuplicateKey = "discover/frontmatter-duplicate-key", Error,
        "A field stands twice in the frontmatter. Harnesses differ in which one counts; keep one.";
    FrontmatterTooLarge = "discover/frontmatter-too-large", Error,
        "The frontmatter is larger, deeper or expands further than the limits allow.";
    FieldWrongType = "discover/field-wrong-type", Error,
        "A field that must be text is a list or a mapping.";
    InvocationFieldMisspelt = "discover/invocation-field-misspelt", Error,
        "A field about who may choose the skill is written so that it would be read as unknown, which would open what it was to close. Write it with hyphens.";
    NameMissing = "discover/name-missing", Note,
        "There is no `name`; the folder's name is used. The standard requires a name, so some harnesses reject this.";
    NameTooLong = "discover/name-too-long", Error,
        "The name has more than 64 characters.";
    NameInvalid = "discover/name-invalid", Error,
        "The name has invisible characters or changes the direction of writing, so it can pass for another name.";
    DescriptionMissing = "discover/description-missing", Error,
        "There is no description, or it is blank. A model could never choose the skill.";
    DescriptionTooLong = "discover/description-too-long", Warning,
        "The description has more than the 1,024 characters of the standard. Most harnesses cut or reject it.";
    HiddenCharacters = "discover/hidden-characters", Warning,
        "The text has invisible characters. A person does not see them, a model reads them; remove them.";
    OpenaiYamlInvalid = "discover/openai-yaml-invalid", Warning,
        "agents/openai.yaml could not be read as a whole. The skill loads without interface, policy and dependencies.";
    OpenaiYamlFieldIgnored = "discover/openai-yaml-field-ignored", Warning,
        "One field of agents/openai.yaml is over its limit or malformed and was dropped.";
    SymlinkDangling = "discover/symlink-dangling", Warning,
        "A link under a skill root leads nowhere.";
    SymlinkFileRefused = "discover/symlink-file-refused", Warning,
        "SKILL.md is a link, and this profile reads only regular files. Link the folder instead.";
    SymlinkCycle = "discover/symlink-cycle", Note,
        "A link leads back to a folder that was visited already. It is not followed again.";
    SymlinkEscape = "discover/symlink-escape", Warning,
        "A link leads out of its skill root, and this profile does not follow such links. Copy the skill, or allow its folder: the native profile follows a project's links to what `skills.link_targets` names.";
    FileNameCase = "discover/file-name-case", Warning,
        "The file is called like SKILL.md in another case, so it is not found everywhere. Rename it to SKILL.md.";
    RootNotDirectory = "discover/root-not-directory", Warning,
        "A skill root is not a directory.";
    RootMissing = "discover/root-missing", Warning,
        "A place that was named for this run is not there, so no skills come from it.";
    DirectoryUnreadable = "discover/directory-unreadable", Warning,
        "A directory under a skill root could not be listed, so skills below it are not found.";
    LimitDepth = "discover/limit-depth", Warning,
        "A SKILL.md lies deeper below its root than the profile looks, so it is not loaded.";
    LimitDirectories = "discover/limit-directories", Warning,
        "A root holds more directories than the profile visits. Skills in the others are not found.";
    LimitEntries = "discover/limit-entries", Warning,
        "A root holds more entries than the profile reads. Skills behind them are not found.";
    LimitSkills = "discover/limit-skills", Warning,
        "A root holds more skills than the profile takes from it. Those behind are not loaded.";
    ReservedName = "discover/reserved-name", Warning,
        "The harness keeps a folder of this name for something else, so skills in it are not found. Rename it.";
    IgnoredByRule = "discover/ignored-by-rule", Note,
        "An ignore file below the skill root names this skill, so it is not loaded. Harnesses that read no ignore files find it.";
    SameFile = "discover/same-file", Note,
        "The same SKILL.md was reached by several paths and is listed once.";
    NameCollision = "discover/name-collision", Warning,
        "Several skills have the same name, so a bare mention of it is ambiguous.";
    Shadowed = "discover/shadowed", Note,
        "A skill nearer to the working directory has the same name, so a bare mention means that one. This one can be selected by its path.";
    PluginManifestInvalid = "discover/plugin-manifest-invalid", Warning,
        "A plugin's manifest is not valid JSON, has no usable name, or names a folder outside the plugin. That part is ignored.";
    PluginRegistryInvalid = "discover/plugin-registry-invalid", Warning,
        "The file that says which plugins are installed cannot be used, or a row of it cannot. The plugins in question are not loaded.";
    PluginVersionUnclear = "discover/plugin-version-unclear", Warning,
        "Several versions of a plugin lie side by side and nothing says which is installed, so none is loaded.";
    QualifiedNameTooLong = "discover/qualified-name-too-long", Error,
        "The plugin's name and the skill's name together have more characters than a qualified name may have.";
    ArchiveInvalid = "discover/archive-invalid", Error,
        "The archive is damaged, is no zip or tar.gz, or says two things about one entry. Nothing of it is used; pack it again.";
    ArchiveEntryRefused = "discover/archive-entry-refused", Warning,
        "An entry of an archive has an unsafe or repeated name, is a link or a device, is encrypted, or is too large. It is not used.";
    ArchiveLimit = "discover/archive-limit", Error,
        "The archive has more bytes or entries, packed or unpacked, than the limits allow. Nothing of it is used.";
    RemoteUnavailable = "discover/remote-unavailable", Error,
        "The other side cannot be reached, broke off, took too long or answered nonsense. Its skills are missing from this scan.";
    RemoteInvalid = "discover/remote-invalid", Warning,
        "The other side offers something that cannot be used: a malformed, repeated or over-long address, or too many skills.";
    IndexInvalid = "discover/index-invalid", Warning,
        "The index of skills, or an entry of it, does not follow the discovery format, so it is ignored.";
    DigestMismatch = "discover/digest-mismatch", Error,
        "What was downloaded is not what the index promises: its SHA-256 digest differs. It is not used.";
    KeptLastGood = "discover/kept-last-good", Warning,
        "The file or its folder cannot be read as it is now, so the skill is listed as it was read last. Mend what the finding beside this one says.";
    RootVanished = "discover/root-vanished", Warning,
        "A skill root that was there is gone, as when a disk is not mounted. Its skills are not listed, and they are not known to be deleted.";
    NameFolderDiffers = "check/name-folder-differs", Warning,
        "The name is not the name of the skill's folder. The standard wants them equal, and VS Code then does not load the skill.";
    NameCharacters = "check/name-characters", Warning,
        "The name has other characters than lower-case letters, digits and single hyphens inside, which is all that the standard allows.";
    NameNotAscii = "check/name-not-ascii", Note,
        "The name has letters outside ASCII. The standard's validator accepts them; several clients and uploads refuse the skill.";
    FieldMisspelt = "check/field-misspelt", Warning,
        "A field is called almost like one that harnesses know, so it is ignored. Keys are exact: lower case, with hyphens.";
    FieldForm = "check/field-form", Warning,
        "A field of the standard has another form than the standard gives it: a text is a list, `metadata` is no mapping of texts.";
    CompatibilityLength = "check/compatibility-length", Warning,
        "`compatibility` is empty or has more than the 500 characters of the standard.";
    ValueCutByComment = "check/value-cut-by-comment", Warning,
        "A plain value ends at ` #`, because YAML takes the rest of the line for a comment. Put the value in quotes.";
    Unreachable = "check/unreachable", Warning,
        "Neither the model nor the user may start the skill, so nobody can.";
    FlagsDisagree = "check/flags-disagree", Warning,
        "The frontmatter and agents/openai.yaml say different things about who may choose the skill, and harnesses read one or the other.";
    FieldWithoutEffect = "check/field-without-effect", Note,
        "A field has no effect next to the others: what it belongs to is switched off or not asked for.";
    FenceBlanks = "check/fence-blanks", Note,
        "A line `---` has blanks behind it. They are ignored here; readers that compare the line exactly see no frontmatter.";
    BodyEmpty = "check/body-empty", Warning,
        "There are no instructions behind the frontmatter, so the model learns nothing by loading the skill.";
    BodyLong = "check/body-long", Note,
        "The instructions are longer than the 5,000 tokens or 500 lines that the standard recommends. Move details into files beside them.";
    ReferenceMissing = "check/reference-missing", Warning,
        "The instructions name a file of the skill that is not there.";
    ReferenceOutside = "check/reference-outside", Warning,
        "The instructions name a file outside the skill's folder. It is missing wherever the skill is installed by itself.";
    MachinePath = "check/machine-path", Warning,
        "The instructions hold a path into somebody's home directory, which exists on one machine only.";
    FolderEmpty = "check/folder-empty", Note,
        "A folder of the skill has no files in it.";
    StandardFileMissing = "agentskills/file-missing", Error,
        "The standard's validator finds no SKILL.md there, or no folder.";
    StandardFrontmatter = "agentskills/frontmatter-invalid", Error,
        "The standard's validator cannot read the frontmatter. It knows a small part of YAML and ends at the second `---`, wherever that stands.";
    StandardFieldUnexpected = "agentskills/field-unexpected", Error,
        "The standard has six fields, and the frontmatter has others.";
    StandardFieldMissing = "agentskills/field-missing", Error,
        "`name` and `description` are required by the standard, as texts that are not blank.";
    StandardName = "agentskills/name-invalid", Error,
        "The name breaks a rule of the standard about length, characters or hyphens, or is not the folder's name.";
    StandardDescription = "agentskills/description-invalid", Error,
        "The description has more than the 1,024 characters of the standard.";
    StandardCompatibility = "agentskills/compatibility-invalid", Error,
        "`compatibility` is no text, or has more than the 500 characters of the standard.";
    NamesOverBudget = "catalog/names-over-budget", Warning,
        "The names alone take more than the listing's budget. This harness never leaves a name out, so the listing is larger than that; disable skills that are not needed here.";
    DescriptionCapped = "catalog/description-capped", Note,
        "The listing shows only the beginning of a very long description.";
    DescriptionShortened = "catalog/description-shortened", Warning,
        "Descriptions were shortened to fit the budget of the listing.";
    EntryOmitted = "catalog/entry-omitted", Warning,
        "Skills were left out of the listing because its budget is spent. The model cannot choose them by itself.";
    EntryBroken = "catalog/entry-broken", Warning,
        "A name or a description holds a line break, and this profile passes it through as its harness does, so one entry can look like several.";
    MentionUnknown = "resolve/unknown", Warning,
        "No skill has this name or path. Nothing was chosen; similar names are only suggestions.";
    MentionAmbiguous = "resolve/ambiguous", Warning,
        "Several enabled skills have this name. Nothing was chosen; select one by its path.";
    MentionConnectorClash = "resolve/connector-clash", Warning,
        "A connector has the name of the skill. Nothing was chosen; select the skill by its path.";
    MentionRefused = "resolve/refused", Warning,
        "The skill exists but may not be used here.";
    BodyCut = "activate/body-cut", Warning,
        "The body is longer than the limit of its kind of source, so the model got only its beginning.";
    BodyUnreadable = "activate/body-unreadable", Error,
        "The body could not be read when it was needed. The listing may be older than the disk.";
    WrapperNotEscaped = "activate/wrapper-not-escaped", Warning,
        "The body contains the closing tag of its own wrapper, and this profile passes it through as its harness does.";
    WrapperEscaped = "activate/wrapper-escaped", Note,
        "The body contains the closing tag of its own wrapper; it was defused so that the text stays inside.";
    RuleIgnored = "authorize/rule-ignored", Warning,
        "A rule of the configuration names no skill, or names one in two ways, and was ignored.";
    DependencyMissing = "authorize/dependency-missing", Warning,
        "The skill needs something that the session does not have. It was loaded, but it cannot be carried out yet.";
    DependencyInvalid = "authorize/dependency-invalid", Warning,
        "A declared dependency cannot be checked: its transport is unknown, or its address or command is missing.";
    JournalTornTail = "persist/torn-tail", Warning,
        "The last line of the journal was incomplete, as after a crash while writing. It was set aside.";
    JournalUnknownRecord = "persist/unknown-record", Warning,
        "The journal holds a record of a newer kind. It is kept, and ignored in the replay.";
    ConfigIgnored = "config/ignored", Warning,
        "A setting is not used: it may not stand there, or its value is beyond what is allowed.";
    ConfigUntrusted = "config/untrusted", Note,
        "The project's own configuration is ignored because its folder is not trusted.";
}

impl Code {
    /// Returns the code's text, `stage/what`.
    pub fn as_str(self) -> &'static str {
        self.info().code
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The text is no code of the table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a diagnostic code")]
pub struct UnknownCode(String);

impl FromStr for Code {
    type Err = UnknownCode;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .iter()
            .copied()
            .find(|code| code.as_str() == text)
            .ok_or_else(|| UnknownCode(text.to_owned()))
    }
}

serde_as_text!(Code);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_kebab_case_unique_and_explained() {
        let mut seen = std::collections::HashSet::new();
        for code in Code::ALL {
            let info = code.info();
            assert!(seen.insert(info.code), "{} stands twice", info.code);
            let (stage, what) = info.code.split_once('/').expect("stage/what");
            let kebab = |part: &str| {
                !part.is_empty()
                    && part.chars().all(|character| character.is_ascii_lowercase() || character == '-')
            };
            assert!(kebab(stage) && kebab(what), "{}", info.code);
            assert!(info.explanation.ends_with('.'), "{}", info.code);
            assert_eq!(info.code.parse(), Ok(*code));
        }
        assert!("discover/nonsense".parse::<Code>().is_err());
    }
}
