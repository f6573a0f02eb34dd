//! Which addresses may be asked.

use fluent_uri::{Uri, UriRef};

/// An address that may be asked, and who answers there.
#[derive(Clone, Debug)]
pub(super) struct Address {
    uri: Uri<String>,
    origin: Origin,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Origin {
    secure: bool,
    host: String,
    port: u16,
}

impl Address {
    /// Reads an absolute address; `plain_http` also allows one without encryption.
    pub(super) fn parse(text: &str, plain_http: bool) -> Result<Self, String> {
        let uri = Uri::parse(text).map_err(|error| format!("`{}` is no address: {error}", shown(text)))?;
        Self::of(uri.to_owned(), plain_http)
    }

    /// Resolves what stands in a document at this address (RFC 3986, section 5). It must lead to the same origin, or to
    /// one of the hosts that are allowed by name.
    pub(super) fn follow(&self, text: &str, hosts: &[String], plain_http: bool) -> Result<Self, String> {
        let wrong = |why: String| format!("`{}` {why}", shown(text));
        let reference = UriRef::parse(text).map_err(|error| wrong(format!("is no address: {error}")))?;
        let uri = reference
            .strip_fragment()
            .resolve_against(&self.uri)
            .map_err(|error| wrong(format!("leads nowhere: {error}")))?;
        let target = Self::of(uri, plain_http)?;
        let allowed = target.origin == self.origin
            || hosts.iter().any(|host| host.eq_ignore_ascii_case(&target.origin.host));
        if allowed {
            Ok(target)
        } else {
            Err(wrong("leads to another host, which is not allowed".to_owned()))
        }
    }

    fn of(uri: Uri<String>, plain_http: bool) -> Result<Self, String> {
        let wrong = |why: &str| format!("`{}` {why}", shown(uri.as_str()));
        let secure = match uri.scheme().as_str().to_ascii_lowercase().as_str() {
            "https" => true,
            "http" if plain_http => false,
            _ => return Err(wrong("is no https address")),
        };
        let authority = uri.authority().ok_or_else(|| wrong("names no host"))?;
        if authority.host().is_empty() || authority.has_userinfo() || uri.has_fragment() {
            return Err(wrong("has no host, or has a user's name or a fragment"));
        }
        let port = authority.port_to_u16().map_err(|_| wrong("has a port that is none"))?;
        let origin = Origin {
            secure,
            host: authority.host().to_ascii_lowercase(),
            port: port.unwrap_or(if secure { 443 } else { 80 }),
        };
        Ok(Self { uri, origin })
    }

    pub(super) fn as_str(&self) -> &str {
        self.uri.as_str()
    }
}

/// Returns the beginning of somebody else's text, without anything that would not show.
pub(super) fn shown(text: &str) -> String {
    text.chars().take(200).flat_map(char::escape_debug).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const INDEX: &str = "https://example.com/.well-known/agent-skills/index.json";

    #[test]
    fn addresses_are_resolved_against_the_index() {
        let index = Address::parse(INDEX, false).unwrap();
        let follow =
            |text: &str| index.follow(text, &["cdn.example".to_owned()], false).map(|to| to.uri.to_string());
        for (text, target) in [
            ("a/SKILL.md", "https://example.com/.well-known/agent-skills/a/SKILL.md"),
            ("/a.zip#x", "https://example.com/a.zip"),
            ("../a.zip", "https://example.com/.well-known/a.zip"),
            ("//CDN.example/a", "https://CDN.example/a"),
            ("https://EXAMPLE.com:443/a", "https://EXAMPLE.com:443/a"),
        ] {
            assert_eq!(follow(text).as_deref(), Ok(target));
        }
        for text in [
            "http://example.com/a",
            "https://example.com:8443/a",
            "https://example.com.evil/a",
            "https://user@example.com/a",
            "file:///a",
            "https:///a",
            "https://example.com:99999/",
            "a b",
            "",
        ] {
            let followed = follow(text);
            assert!(followed.is_err() || text.is_empty(), "{text}: {followed:?}");
        }
    }

    #[test]
    fn only_encrypted_addresses_unless_told_otherwise() {
        assert!(Address::parse("http://127.0.0.1:1/", false).is_err());
        assert!(Address::parse("http://127.0.0.1:1/", true).is_ok());
        for text in ["", "/a", "ftp://a/", "https://", "https://a/#b"] {
            assert!(Address::parse(text, true).is_err(), "{text}");
        }
    }
}
