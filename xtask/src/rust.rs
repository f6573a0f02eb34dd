//! Just enough of Rust's lexical grammar to tell code from comments and from text in literals.
//!
//! The checks look for words. A word inside a string is no code, so the source is split into two views of the same
//! shape (same lines, same columns), in which everything that does not belong to the view is blank.

/// The two views of a source file.
#[derive(Debug)]
pub(crate) struct Views {
    /// Code: comments and the insides of string and character literals are blank.
    pub(crate) code: String,
    /// Comments: everything else is blank.
    pub(crate) comments: String,
}

#[derive(Clone, Copy)]
enum Part {
    Code,
    Comment,
    Literal,
}

/// Splits a source file into its views.
pub(crate) fn split(source: &str) -> Views {
    let characters: Vec<char> = source.chars().collect();
    let mut splitter = Splitter {
        characters: &characters,
        position: 0,
        views: Views { code: String::with_capacity(source.len()), comments: String::new() },
    };
    while splitter.peek(0).is_some() {
        splitter.step();
    }
    splitter.views
}

struct Splitter<'a> {
    characters: &'a [char],
    position: usize,
    views: Views,
}

impl Splitter<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.characters.get(self.position + ahead).copied()
    }

    /// Takes one character into the view that it belongs to.
    fn take(&mut self, part: Part) {
        let Some(character) = self.peek(0) else { return };
        let blank = if character == '\n' { '\n' } else { ' ' };
        let (code, comment) = match part {
            Part::Code => (character, blank),
            Part::Comment => (blank, character),
            Part::Literal => (blank, blank),
        };
        self.views.code.push(code);
        self.views.comments.push(comment);
        self.position += 1;
    }

    fn step(&mut self) {
        match (self.peek(0), self.peek(1)) {
            (Some('/'), Some('/')) => {
                while self.peek(0).is_some_and(|character| character != '\n') {
                    self.take(Part::Comment);
                }
            }
            (Some('/'), Some('*')) => self.block_comment(),
            (Some('"'), _) => self.string(),
            (Some('\''), _) => self.quote(),
            (Some(character), _) if character.is_alphanumeric() || character == '_' => self.word(),
            _ => self.take(Part::Code),
        }
    }

    fn block_comment(&mut self) {
        let mut depth = 0_usize;
        while self.peek(0).is_some() {
            match (self.peek(0), self.peek(1)) {
                (Some('/'), Some('*')) => depth += 1,
                (Some('*'), Some('/')) => depth -= 1,
                _ => {
                    self.take(Part::Comment);
                    continue;
                }
            }
            self.take(Part::Comment);
            self.take(Part::Comment);
            if depth == 0 {
                return;
            }
        }
    }

    fn string(&mut self) {
        self.take(Part::Code);
        loop {
            match self.peek(0) {
                None => return,
                Some('"') => return self.take(Part::Code),
                Some('\\') => {
                    self.take(Part::Literal);
                    self.take(Part::Literal);
                }
                Some(_) => self.take(Part::Literal),
            }
        }
    }

    /// A quote begins a character (`'x'`, `'\n'`) or a lifetime (`'a`).
    fn quote(&mut self) {
        let is_character = self.peek(1) == Some('\\') || self.peek(2) == Some('\'');
        self.take(Part::Code);
        if !is_character {
            return;
        }
        if self.peek(0) == Some('\\') {
            self.take(Part::Literal);
        }
        self.take(Part::Literal);
        while self.peek(0).is_some_and(|character| character != '\'' && character != '\n') {
            self.take(Part::Literal);
        }
        self.take(Part::Code);
    }

    /// A word is code, unless it is the prefix of a raw string (`r"…"`, `br#"…"#`).
    fn word(&mut self) {
        let mut word = String::new();
        while let Some(character) =
            self.peek(0).filter(|character| character.is_alphanumeric() || *character == '_')
        {
            word.push(character);
            self.take(Part::Code);
        }
        if !matches!(word.as_str(), "r" | "br" | "cr") {
            return;
        }
        let rest = self.characters.get(self.position..).unwrap_or_default();
        let hashes = rest.iter().take_while(|character| **character == '#').count();
        if self.peek(hashes) != Some('"') {
            return;
        }
        for _ in 0..=hashes {
            self.take(Part::Code);
        }
        while self.peek(0).is_some() {
            let closes = self.peek(0) == Some('"') && (1..=hashes).all(|ahead| self.peek(ahead) == Some('#'));
            if closes {
                for _ in 0..=hashes {
                    self.take(Part::Code);
                }
                return;
            }
            self.take(Part::Literal);
        }
    }
}

/// Returns the 0-based lines of `text` in which `word` stands as a whole word.
pub(crate) fn lines_with_word(text: &str, word: &str) -> Vec<usize> {
    text.lines().enumerate().filter(|(_, line)| has_word(line, word)).map(|(number, _)| number).collect()
}

/// Returns whether `word` stands in `text` and is not a part of a longer identifier.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    let is_part = |character: Option<char>| {
        character.is_some_and(|character| character.is_alphanumeric() || character == '_')
    };
    text.match_indices(word).any(|(start, found)| {
        let (before, behind) = (text.get(..start), text.get(start + found.len()..));
        !is_part(before.and_then(|before| before.chars().next_back()))
            && !is_part(behind.and_then(|behind| behind.chars().next()))
    })
}

/// Returns the number of lines before the unit tests of a file; all of them where there are none.
pub(crate) fn lines_before_tests(views: &Views) -> usize {
    let tests = views.code.lines().position(|line| line.trim_start().starts_with("#[cfg(test)]"));
    tests.unwrap_or_else(|| views.code.lines().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_no_code() {
        let source = "let a = \"x // y\"; // tail \"b\"\n/* one /* two */ three */ let c = 'q';\n";
        let views = split(source);
        assert!(has_word(&views.code, "let") && has_word(&views.code, "c"));
        for hidden in ["x", "y", "tail", "one", "two", "three", "q"] {
            assert!(!has_word(&views.code, hidden), "{hidden} is no code");
        }
        assert!(has_word(&views.comments, "tail") && has_word(&views.comments, "three"));
        assert!(!has_word(&views.comments, "x"));
        assert_eq!(views.code.lines().count(), 2);
        assert_eq!(views.code.chars().count(), source.chars().count());
    }

    #[test]
    fn raw_strings_end_at_their_own_hashes() {
        let views = split("let a = r#\"in \" side\"#; after\nlet r = br\"x\\\"; last");
        assert!(!has_word(&views.code, "side") && has_word(&views.code, "after"));
        assert!(!has_word(&views.code, "x") && has_word(&views.code, "last"));
    }

    #[test]
    fn lifetimes_do_not_open_a_character() {
        let views = split("fn f<'a>(x: &'a str) -> char { '\\'' } // tail\nlet q = '\"'; code");
        assert!(has_word(&views.code, "str"));
        assert!(has_word(&views.code, "code"), "the quoted quote opens no string");
        assert!(!has_word(&views.code, "tail"));
    }

    #[test]
    fn words_are_whole() {
        assert!(has_word("a fix-it b", "fix"));
        assert!(!has_word("prefix fixed", "fix"));
        assert_eq!(lines_with_word("a\nb a\nab", "a"), [0, 1]);
    }

    #[test]
    fn unit_tests_do_not_count_as_lines() {
        assert_eq!(lines_before_tests(&split("a\nb\n#[cfg(test)]\nmod tests {}\n")), 2);
        assert_eq!(lines_before_tests(&split("a\n// #[cfg(test)]\nb\n")), 3);
    }
}
