//! Elements: each skill is an element with one inside for each of its fields.

use lorimer_core::Size;

/// How much of its entries a listing of elements shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Descriptions as they are.
    Whole,
    /// Descriptions on one line, cut.
    Cut,
    /// No descriptions.
    Names,
}

/// The fields of an entry, escaped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a> {
    pub(crate) name: &'a str,
    /// Empty for an entry without one.
    pub(crate) description: &'a str,
    pub(crate) location: &'a str,
}

const PURPOSE: &str = "Every one of the skills below holds instructions for one particular task.";
const BY_DESCRIPTION: &str =
    "Where a skill's description fits the task at hand, read the file at its location.";
const BY_CUT_DESCRIPTION: &str =
    "Where the shortened description of a skill fits this task, read the file at its location.";
const BY_NAME: &str = "Where a skill's name fits the task at hand, read the file at its location.";
const RELATIVE_PATHS: &str = "A relative path in such a file starts at the folder which the file lies in, so put the \
     path of that folder in front of it wherever a command or a tool is given such a path.";
const OPEN: &str = "<available_skills>";
const CLOSE: &str = "</available_skills>";

impl Detail {
    fn by(self) -> &'static str {
        match self {
            Self::Whole => BY_DESCRIPTION,
            Self::Cut => BY_CUT_DESCRIPTION,
            Self::Names => BY_NAME,
        }
    }

    /// Returns the size of what stands around the elements, two line feeds in front of it included.
    pub(crate) fn frame(self) -> Size {
        let parts = [PURPOSE, self.by(), RELATIVE_PATHS, OPEN, CLOSE];
        // Two in front, one behind each line of the introduction, an empty line, one behind the opening tag.
        parts.iter().fold(Size::ascii(7), |sum, part| sum.plus(Size::of(part)))
    }

    /// Returns the line that says what the listing does not show; `None` when that is nothing.
    pub(crate) fn notice(self, shown: usize, of: usize) -> Option<String> {
        let how = match self {
            Self::Whole => "",
            Self::Cut => "descriptions shortened",
            Self::Names => "descriptions omitted",
        };
        let more = "See `openclaw skills check` for more.";
        if shown < of {
            let form = if how.is_empty() { String::new() } else { format!(" (the short form, {how})") };
            return Some(format!("⚠️ This list is cut: it shows {shown} of {of}{form}. {more}"));
        }
        (self != Self::Whole).then(|| format!("⚠️ This list of skills is a short form ({how}). {more}"))
    }

    /// Returns the listing of these elements, without line feeds around it.
    pub(crate) fn listing(self, elements: &[String]) -> String {
        let mut text = [PURPOSE, self.by(), RELATIVE_PATHS, "", OPEN].join("\n");
        text.push('\n');
        text.extend(elements.iter().map(String::as_str));
        text.push_str(CLOSE);
        text
    }
}

impl Fields<'_> {
    /// Returns the element, with its line feed.
    pub(crate) fn element(&self) -> String {
        let Self { name, description, location } = self;
        let description = match *description {
            "" => String::new(),
            text => format!("    <description>{text}</description>\n"),
        };
        format!(
            "  <skill>\n    <name>{name}</name>\n{description}    <location>{location}</location>\n  </skill>\n"
        )
    }

    /// Returns the size of the element without any of its fields' texts.
    pub(crate) fn tags(described: bool) -> Size {
        // `the length of element()` with empty fields; a description's tags count only where it has one.
        Size::ascii(if described { 97 } else { 65 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lorimer_core::text::escape_markup;
    use proptest::prelude::*;

    /// The lengths of OpenClaw 2026.9.6 (its notes, 2.2 and 2.5): the words differ, decisions must not.
    #[test]
    fn lengths_are_those_of_the_program() {
        for (detail, frame) in [(Detail::Whole, 370), (Detail::Cut, 378), (Detail::Names, 363)] {
            assert_eq!(detail.frame(), Size::ascii(frame));
            assert_eq!(detail.listing(&[]).len() + 2, frame);
        }
        let notice = |detail: Detail, shown, of| detail.notice(shown, of).map(|text| Size::of(&text).utf16);
        assert_eq!(notice(Detail::Whole, 20, 20), None);
        assert_eq!(notice(Detail::Whole, 0, 20), Some(76));
        assert_eq!(notice(Detail::Names, 0, 20), Some(115));
        assert_eq!(notice(Detail::Cut, 20, 20), Some(102));
        assert_eq!(notice(Detail::Names, 20, 20), Some(100));
    }

    proptest! {
        #[test]
        fn an_element_has_the_size_of_its_tags_and_texts(name: String, text: String, location: String) {
            let (name, description, location) =
                (escape_markup(&name), escape_markup(&text), escape_markup(&location));
            let fields = Fields { name: &name, description: &description, location: &location };
            let texts = [&name, &description, &location].map(|text| Size::of(text));
            let size = texts.into_iter().fold(Fields::tags(!text.is_empty()), Size::plus);
            prop_assert_eq!(Size::of(&fields.element()).utf16, size.utf16);
            prop_assert_eq!(fields.element().matches('<').count(), if text.is_empty() { 6 } else { 8 });
        }
    }
}
