//! The messages of the pipe, one JSON object a line.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use lorimer_core::{Content, ReadLimit};
use serde::{Deserialize, Serialize};

use super::{Listing, RemoteError, RemoteSkill};

/// What is asked.
#[derive(Debug, Serialize)]
#[serde(tag = "method", rename_all = "lowercase")]
pub(super) enum Question<'q> {
    List,
    Read {
        uri: &'q str,
        #[serde(skip_serializing_if = "Option::is_none")]
        limit: Option<usize>,
    },
}

impl<'q> Question<'q> {
    pub(super) fn read(uri: &'q str, limit: ReadLimit) -> Self {
        Self::Read { uri, limit: limit.0 }
    }
}

#[derive(Serialize)]
struct Request<'q> {
    id: u64,
    #[serde(flatten)]
    question: &'q Question<'q>,
}

/// Returns the line of a question, line feed included.
pub(super) fn line_of(id: u64, question: &Question<'_>) -> Vec<u8> {
    // Numbers and strings always have a JSON form.
    let mut line = serde_json::to_vec(&Request { id, question }).unwrap_or_default();
    line.push(b'\n');
    line
}

/// An answer, before it is known to which question.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Answer {
    id: Option<u64>,
    error: Option<Refusal>,
    skills: Option<Vec<RemoteSkill>>,
    complete: Option<bool>,
    text: Option<String>,
    base64: Option<String>,
    cut: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Refusal {
    code: String,
    message: String,
}

impl Answer {
    /// Reads a line as the answer to the question of this number.
    pub(crate) fn parse(line: &[u8], id: u64) -> Result<Self, RemoteError> {
        let answer: Self = serde_json::from_slice(line)
            .map_err(|error| RemoteError::Unavailable(format!("the answer is no message: {error}")))?;
        if answer.id != Some(id) {
            return Err(RemoteError::Unavailable("the answer belongs to no question".to_owned()));
        }
        match answer.error {
            None => Ok(answer),
            Some(Refusal { code, .. }) if code == "not-found" => Err(RemoteError::NotFound),
            // A message of another program: enough of it to recognise it by.
            Some(Refusal { message, .. }) => {
                Err(RemoteError::Refused(message.chars().take(200).flat_map(char::escape_debug).collect()))
            }
        }
    }

    pub(crate) fn listing(self) -> Result<Listing, RemoteError> {
        let skills = self.skills.ok_or_else(|| lacks("`skills`"))?;
        Ok(Listing { skills, complete: self.complete.unwrap_or(true) })
    }

    pub(crate) fn content(self) -> Result<Content, RemoteError> {
        let bytes = match (self.text, self.base64) {
            (Some(text), None) => text.into_bytes(),
            (None, Some(base64)) => STANDARD.decode(base64).map_err(|error| {
                RemoteError::Unavailable(format!("the answer's `base64` is none: {error}"))
            })?,
            _ => return Err(lacks("either `text` or `base64`")),
        };
        Ok(Content { cut: self.cut, ..Content::whole(bytes) })
    }
}

fn lacks(what: &str) -> RemoteError {
    RemoteError::Unavailable(format!("the answer lacks {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_are_pinned() {
        assert_eq!(line_of(1, &Question::List), b"{\"id\":1,\"method\":\"list\"}\n");
        let read = Question::read("env:/a/SKILL.md", ReadLimit(Some(10)));
        assert_eq!(
            line_of(2, &read),
            b"{\"id\":2,\"method\":\"read\",\"uri\":\"env:/a/SKILL.md\",\"limit\":10}\n"
        );
    }

    #[test]
    fn answers_are_read_or_named() {
        let content = |line: &str| Answer::parse(line.as_bytes(), 1).and_then(Answer::content);
        assert_eq!(content(r#"{"id":1,"text":"é","cut":true}"#).unwrap().bytes, "é".as_bytes());
        assert_eq!(content(r#"{"id":1,"base64":"/w=="}"#).unwrap().bytes, b"\xff");
        assert!(matches!(content(r#"{"id":1,"error":{"code":"not-found"}}"#), Err(RemoteError::NotFound)));
        assert!(matches!(content(r#"{"id":1,"error":{"message":"no"}}"#), Err(RemoteError::Refused(_))));
        for bad in ["", "[]", "{}", r#"{"id":2,"text":""}"#, r#"{"id":1}"#, r#"{"id":1,"base64":"!"}"#] {
            assert!(matches!(content(bad), Err(RemoteError::Unavailable(_))), "{bad}");
        }
        assert!(Answer::parse(br#"{"id":1}"#, 1).unwrap().listing().is_err());
    }
}
