//! One GET.

use std::io::{self, Read as _};
use std::sync::Arc;
use std::time::Duration;

/// Why nothing was fetched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The server answered, but not with the resource.
    #[error("the server answers with status {0}")]
    Status(u16),
    /// The server names another address, as it stands in the header.
    #[error("the server sends to `{0}`")]
    Redirect(String),
    /// The resource has more bytes than were asked for.
    #[error("the resource has more than {0} bytes")]
    TooLarge(usize),
    /// It took too long.
    #[error("no complete answer came in time")]
    Timeout,
    /// The server cannot be reached, or does not speak HTTP.
    #[error("the server cannot be reached: {0}")]
    Failed(String),
}

/// Gets a resource by its address.
///
/// # Contract
///
/// * A call returns within a time that the implementor bounds; it may block until then.
/// * Redirects are reported, not followed: whether they may be is decided by the caller.
/// * What is returned are the bytes as the server sent them; no encoding is undone, since digests are of those bytes.
pub trait Fetch: Send + Sync {
    /// Returns the whole body of a successful answer, which has at most `limit` bytes.
    ///
    /// # Errors
    ///
    /// When there is no such answer.
    fn get(&self, url: &str, limit: usize) -> Result<Vec<u8>, FetchError>;
}

impl<F: Fetch + ?Sized> Fetch for Arc<F> {
    fn get(&self, url: &str, limit: usize) -> Result<Vec<u8>, FetchError> {
        (**self).get(url, limit)
    }
}

/// A client for HTTPS, with the certificates of the big authorities built in. It sends no cookies and no credentials,
/// reads no environment, and uses no proxy.
#[derive(Debug)]
pub struct HttpFetch {
    agent: ureq::Agent,
}

impl HttpFetch {
    /// Returns a client that waits so long for a whole answer, from the name's resolution to the last byte.
    pub fn new(deadline: Duration) -> Self {
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(deadline))
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .proxy(None)
            .accept_encoding("identity")
            .user_agent(concat!("lorimer/", env!("CARGO_PKG_VERSION")))
            .build();
        Self { agent: config.new_agent() }
    }
}

impl Default for HttpFetch {
    /// Returns a client that waits 10 seconds.
    fn default() -> Self {
        Self::new(Duration::from_secs(10))
    }
}

impl Fetch for HttpFetch {
    fn get(&self, url: &str, limit: usize) -> Result<Vec<u8>, FetchError> {
        let response = self.agent.get(url).call().map_err(failed)?;
        let status = response.status();
        if status.is_redirection() {
            let location = response.headers().get("location").and_then(|location| location.to_str().ok());
            return Err(location.map_or(FetchError::Status(status.as_u16()), |location| {
                FetchError::Redirect(location.chars().take(2_000).collect())
            }));
        }
        if status.as_u16() != 200 {
            return Err(FetchError::Status(status.as_u16()));
        }
        let most = u64::try_from(limit).unwrap_or(u64::MAX);
        let body = response.into_body();
        if body.content_length().is_some_and(|length| length > most) {
            return Err(FetchError::TooLarge(limit));
        }
        let mut bytes = Vec::new();
        let read = body.into_reader().take(most.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|error| failed(ureq::Error::from(error)))?;
        if bytes.len() > limit { Err(FetchError::TooLarge(limit)) } else { Ok(bytes) }
    }
}

fn failed(error: ureq::Error) -> FetchError {
    match error {
        ureq::Error::Timeout(_) => FetchError::Timeout,
        ureq::Error::Io(error) if error.kind() == io::ErrorKind::TimedOut => FetchError::Timeout,
        error => FetchError::Failed(error.to_string()),
    }
}
