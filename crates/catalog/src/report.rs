//! What a listing leaves out, in numbers and in words.

use lorimer_core::{Budget, Code, Diagnostic, Severity};

/// What a listing leaves out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Skills of the request.
    pub total: usize,
    /// Skills that are shown.
    pub included: usize,
    /// Skills that are left out.
    pub omitted: usize,
    /// Descriptions of which the budget cut something, those of omitted skills among them.
    pub cut_descriptions: usize,
    /// Characters that the budget cut from them.
    pub cut_chars: usize,
    /// Descriptions that were too long for the format, whatever the budget.
    pub capped: usize,
}

impl Figures {
    /// Adds those of another part of the listing.
    pub fn add(&mut self, other: Self) {
        let Self { total, included, omitted, cut_descriptions, cut_chars, capped } = other;
        self.total += total;
        self.included += included;
        self.omitted += omitted;
        self.cut_descriptions += cut_descriptions;
        self.cut_chars += cut_chars;
        self.capped += capped;
    }

    /// Returns the characters that were cut from a description on average over all skills, rounded up.
    pub fn average_cut(&self) -> usize {
        if self.total == 0 { 0 } else { self.cut_chars.div_ceil(self.total) }
    }

    /// Returns what a person may want to know (S3-09): at most one finding about the budget, and one about
    /// descriptions that are too long for any budget.
    ///
    /// Shortened descriptions are a note: every skill can still be chosen. A profile whose harness warns about
    /// them raises it.
    pub fn notices(&self, budget: Budget) -> Vec<Diagnostic> {
        let mut notices = Vec::new();
        let counted = |count: usize, one: &str, many: &str| {
            if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
        };
        if self.omitted > 0 {
            let message = format!(
                "{} left out of the listing ({} of {} shown), because its budget of {budget} is spent",
                counted(self.omitted, "skill is", "skills are"),
                self.included,
                self.total,
            );
            notices.push(Diagnostic::new(Code::EntryOmitted, message).with_help(
                "disable skills that are not needed here, or raise the budget; `$name` still loads one that is left out",
            ));
        } else if self.cut_descriptions > 0 {
            let message = format!(
                "{} shortened by {} to fit the listing's budget of {budget}",
                counted(self.cut_descriptions, "description is", "descriptions are"),
                counted(self.cut_chars, "character", "characters"),
            );
            let mut notice = Diagnostic::new(Code::DescriptionShortened, message)
                .with_help("say in the first words of a description when to use the skill");
            notice.severity = Severity::Note;
            notices.push(notice);
        }
        if self.capped > 0 {
            let message = format!(
                "{} too long for the listing, which shows the beginning",
                counted(self.capped, "description is", "descriptions are"),
            );
            notices.push(Diagnostic::new(Code::DescriptionCapped, message));
        }
        notices
    }
}
