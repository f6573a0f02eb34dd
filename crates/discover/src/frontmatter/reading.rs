//! How a `SKILL.md` is read: one policy per field, so that dialects are composed, not coded.

use super::FenceRule;

/// Which bytes must be UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// One bad byte anywhere rejects the file, so the whole file is read.
    WholeFile,
    /// Only the frontmatter counts, so a body is never read for metadata.
    FrontmatterOnly,
    /// Nothing is rejected: bad bytes are read as U+FFFD.
    Lossy,
    /// Nothing is rejected: a file with a bad byte is read as one without any field.
    FieldsOrNone,
}

/// What stands between the fences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// YAML.
    Yaml,
    /// One `key: value` a line, split at the first colon, both sides trimmed; lines without a colon don't
    /// count, and the last of several lines with one key does (S1-08).
    Lines,
}

/// What happens when the text between the fences is no YAML mapping, also after the repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnInvalidYaml {
    /// The file is rejected.
    Reject,
    /// The file is read as if there were no fields.
    NoFields,
    /// The text is read again as one `key: value` a line.
    Lines,
}

/// Which line of the body stands in for a missing description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyLine {
    /// None: a description is never made up, and a body is never read for it.
    None,
    /// The first line that is not blank, without the marks of a heading.
    First,
    /// The first line that is neither blank nor a heading.
    FirstBesidesHeadings,
}

/// What a value that is no text counts as where a text is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherValues {
    /// It is of the wrong type. A number and the like are text unless [`Reading::strings_only`] says otherwise.
    Wrong,
    /// Its text in JSON; null is the word that was written.
    JsonText,
    /// Its text in Python, after YAML 1.1: `on` is `True`, `12:30` is a number. A description that Python takes for
    /// nothing is missing.
    PythonText,
    /// The same, except that a name that is no string in YAML 1.1 is of the wrong type.
    PythonNames,
    /// What is no string in YAML 1.1 is of the wrong type. A description that Python takes for nothing is missing, and one
    /// that is a list or a mapping is its text in JSON.
    PythonStrings,
}

impl OtherValues {
    /// Returns whether values are typed as a reader in Python types them.
    pub(crate) fn are_python(self) -> bool {
        matches!(self, Self::PythonText | Self::PythonNames | Self::PythonStrings)
    }
}

/// Which values count of a field that says yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum YesNo {
    /// `true` and `false`; anything else is as if nothing were written.
    TrueFalse,
    /// These, and `yes`, `on`, `1`, `no`, `off`, `0` in any case; anything else is as if nothing were written.
    Words,
    /// The same; anything else is a no.
    WordsOrNo,
    /// The same; anything else rejects the skill, and so does a known misspelling of the field's key.
    WordsOrReject,
}

/// What a name may look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameRule {
    /// Anything goes.
    Any,
    /// No angle bracket, no control character, no invisible one and no no-break space.
    NoMarkup,
    /// Small letters and digits of ASCII in groups, with one hyphen between two of them.
    Kebab,
    /// The same, but another name only gets a warning for each thing that is wrong with it.
    KebabAdvised,
}

/// What a key that stands twice does. `name`, `description` and `metadata` are the keys that a reader knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duplicates {
    /// A known key that stands twice rejects the file; of others the last one counts, and a warning says so.
    RejectKnown,
    /// Any key that stands twice rejects the file.
    RejectAll,
    /// The last one counts.
    LastWins,
}

/// Bounds on what YAML may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the text between the fences; `None` is no limit.
    pub frontmatter_bytes: Option<usize>,
    /// Nodes of the document as it is written.
    pub nodes: usize,
    /// Nesting of lists and mappings.
    pub depth: usize,
    /// Nodes and scalar bytes of all values together, once aliases are expanded.
    pub expanded: usize,
    /// Whether values over that limit reject the file. Otherwise they are left out of the fields.
    pub reject: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { frontmatter_bytes: Some(1 << 20), nodes: 10_000, depth: 32, expanded: 4 << 20, reject: true }
    }
}

/// How a `SKILL.md` is read.
///
/// [`Default`] is [`Reading::lenient`]: what a careful reader would accept, with a diagnostic where others
/// would not.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent policies, each with a name that says what it does"
)]
pub struct Reading {
    /// How a fence line is recognised.
    pub fence: FenceRule,
    /// Whether a byte order mark before the opening fence is skipped.
    pub skip_byte_order_mark: bool,
    /// Whether blank lines, HTML comments and `#` comments before the opening fence are skipped.
    pub skip_leading_comments: bool,
    /// Which bytes must be UTF-8.
    pub encoding: Encoding,
    /// What stands between the fences.
    pub syntax: Syntax,
    /// Whether plain values that are no valid YAML are quoted for a second try.
    pub repair: bool,
    /// Characters that make the repair quote a plain value that starts with one of them. A colon before white space
    /// inside the value always does.
    pub repair_starts: &'static [char],
    /// Keys whose values are repaired; `None` is every key.
    pub repair_keys: Option<&'static [&'static str]>,
    /// Whether a control character that YAML forbids makes the text invalid.
    pub mind_control_characters: bool,
    /// Whether NEL, LS and PS end a line in YAML, as in version 1.1.
    pub unicode_line_breaks: bool,
    /// What happens when the text is no YAML mapping, also after the repair.
    pub on_invalid_yaml: OnInvalidYaml,
    /// What a key that stands twice does.
    pub duplicates: Duplicates,
    /// Whether frontmatter without any field is no mapping either.
    pub reject_empty: bool,
    /// Whether a file without frontmatter is a skill without fields.
    pub accept_missing_frontmatter: bool,
    /// Whether a skill needs a description that is not blank.
    pub require_description: bool,
    /// Which line of the body stands in for a missing description.
    pub description_from_body: BodyLine,
    /// UTF-16 units that such a line may have; a longer one ends with three dots, which count.
    pub body_line_units: Option<usize>,
    /// Whether the folder's name stands in for a missing name.
    pub name_from_folder: bool,
    /// Whether the folder's name is the skill's name, whatever the file says; its own name is then a label.
    pub name_is_folder: bool,
    /// Whether a Markdown file that lies about without a name is called like its folder, and not like itself.
    pub loose_name_from_folder: bool,
    /// Fields that a Markdown file that lies about does not have, whatever stands in it.
    pub loose_ignores: &'static [&'static str],
    /// What a name may look like; any other one rejects the skill.
    pub name_rule: NameRule,
    /// Whether name and description must be strings as YAML types them, so that a number is none.
    pub strings_only: bool,
    /// Whether a name or a description of the wrong type counts as missing, without an error of its own.
    pub wrong_type_is_missing: bool,
    /// What a value that is no text counts as where name and description are wanted.
    pub other_values: OtherValues,
    /// Whether `metadata` must be a mapping, and its `short-description` text.
    pub typed_metadata: bool,
    /// Whether `disable-model-invocation` and `user-invocable` set who may choose the skill.
    pub invocation_fields: bool,
    /// Which values of these fields count.
    pub yes_no: YesNo,
    /// Whether runs of white space in name and description become one space.
    pub fold_whitespace: bool,
    /// Whether white space at the ends of name and description is dropped, where it is not folded anyway.
    pub trim: bool,
    /// Whether a name or a description of white space alone counts as one.
    pub keep_blank_text: bool,
    /// Whether a name of white space alone counts as one.
    pub keep_blank_name: bool,
    /// Whether a name without any character counts as one.
    pub keep_empty_name: bool,
    /// Whether a name with invisible or direction-changing characters rejects the skill, and such characters in the
    /// part of the file that was read are reported.
    pub mind_hidden_characters: bool,
    /// Whether lengths are counted in UTF-16 code units and not in characters.
    pub utf16_lengths: bool,
    /// Characters that a name may have; a longer one rejects the skill.
    pub max_name_chars: Option<usize>,
    /// Characters above which a name gets a warning.
    pub long_name_chars: Option<usize>,
    /// Characters above which a description gets a warning.
    pub long_description_chars: Option<usize>,
    /// Characters at the beginning of a file that are parsed, a CRLF counted once; what lies behind is not there. It needs
    /// an [`Encoding`] for which the whole file is read.
    pub parsed_chars: Option<usize>,
    /// Bytes at the beginning of a file that must not hold a NUL, or the file is no text.
    pub binary_probe_bytes: Option<usize>,
    /// Bytes that a file may have, body included.
    pub max_file_bytes: Option<usize>,
    /// Bounds on what YAML may cost.
    pub limits: Limits,
}

impl Reading {
    /// Returns our own rules: tolerant of what editors and people do, with a diagnostic for each leniency.
    pub fn lenient() -> Self {
        Self {
            fence: FenceRule::Column0,
            skip_byte_order_mark: true,
            skip_leading_comments: true,
            encoding: Encoding::FrontmatterOnly,
            syntax: Syntax::Yaml,
            repair: true,
            repair_starts: &['[', '{', '@', '`'],
            repair_keys: None,
            mind_control_characters: true,
            unicode_line_breaks: false,
            on_invalid_yaml: OnInvalidYaml::Reject,
            duplicates: Duplicates::RejectKnown,
            reject_empty: false,
            accept_missing_frontmatter: false,
            require_description: true,
            description_from_body: BodyLine::None,
            body_line_units: None,
            name_from_folder: true,
            name_is_folder: false,
            loose_name_from_folder: false,
            loose_ignores: &[],
            name_rule: NameRule::Any,
            strings_only: false,
            wrong_type_is_missing: false,
            other_values: OtherValues::Wrong,
            typed_metadata: false,
            invocation_fields: true,
            yes_no: YesNo::TrueFalse,
            fold_whitespace: true,
            trim: false,
            keep_blank_text: false,
            keep_blank_name: false,
            keep_empty_name: false,
            mind_hidden_characters: true,
            utf16_lengths: false,
            max_name_chars: None,
            long_name_chars: Some(64),
            long_description_chars: Some(1024),
            parsed_chars: None,
            binary_probe_bytes: None,
            max_file_bytes: None,
            limits: Limits::default(),
        }
    }

    /// Returns the rules of a reader that trims each line before it looks for a fence, wants UTF-8 in the whole
    /// file, and skips nothing before the opening fence.
    pub fn trimmed_fences() -> Self {
        Self {
            fence: FenceRule::Trimmed,
            skip_byte_order_mark: false,
            skip_leading_comments: false,
            encoding: Encoding::WholeFile,
            unicode_line_breaks: true,
            typed_metadata: true,
            invocation_fields: false,
            max_name_chars: Some(64),
            long_name_chars: None,
            long_description_chars: None,
            mind_hidden_characters: false,
            limits: Limits {
                frontmatter_bytes: None,
                nodes: usize::MAX,
                depth: 128,
                reject: false,
                ..Limits::default()
            },
            ..Self::lenient()
        }
    }

    /// Returns the rules of a minimal reader: `---` + LF at the very start, one `key: value` a line, no YAML, and
    /// nothing is an error (S1-08).
    pub fn minimal() -> Self {
        Self {
            fence: FenceRule::Minimal,
            skip_byte_order_mark: false,
            skip_leading_comments: false,
            encoding: Encoding::Lossy,
            syntax: Syntax::Lines,
            repair: false,
            duplicates: Duplicates::LastWins,
            accept_missing_frontmatter: true,
            require_description: false,
            invocation_fields: false,
            fold_whitespace: false,
            max_name_chars: None,
            long_name_chars: None,
            long_description_chars: None,
            mind_hidden_characters: false,
            limits: Limits { frontmatter_bytes: None, ..Limits::default() },
            ..Self::lenient()
        }
    }
}

impl Default for Reading {
    fn default() -> Self {
        Self::lenient()
    }
}
