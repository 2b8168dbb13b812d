//! Why nothing could be fetched.

use std::time::Duration;

use thiserror::Error;

use crate::base::wording::count;

/// Nothing was fetched, and why. Urls are shown as they were asked for.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FetchError {
    /// A url that is none.
    #[error("`{url}` is not a url: {why}")]
    NoUrl {
        /// What was given.
        url: String,
        /// What is wrong with it.
        why: String,
    },
    /// This machine cannot make connections of that sort, as without certificates.
    #[error("no connection can be made from here: {why}")]
    NoClient {
        /// What is missing.
        why: String,
    },
    /// No connection, or none that lasted until the whole answer was there.
    #[error("`{url}` cannot be fetched: {why}")]
    Broken {
        /// What was asked for.
        url: String,
        /// What happened, in the system's words.
        why: String,
    },
    /// An answer that says there is nothing.
    #[error("`{url}` answers {status}")]
    Status {
        /// What was asked for.
        url: String,
        /// The status with its name, as `404 Not Found`.
        status: Status,
    },
    /// The server asks to be left alone for longer than is waited for.
    #[error("`{url}` answers {status} and asks to come back in {}", count(seconds(*wait), "second"))]
    Later {
        /// What was asked for.
        url: String,
        /// The status with its name.
        status: Status,
        /// How long it asks to wait.
        wait: Duration,
    },
    /// More bytes than are taken.
    #[error("`{url}` is larger than {} MB, which is the limit", limit / 1_000_000)]
    TooLarge {
        /// What was asked for.
        url: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// Bytes in an encoding that was not asked for.
    #[error("`{url}` comes as `{encoding}`, which was not asked for")]
    Encoded {
        /// What was asked for.
        url: String,
        /// The content encoding.
        encoding: String,
    },
    /// The last of several attempts failed.
    #[error("{last} ({})", count(*attempts as usize, "attempt"))]
    GaveUp {
        /// How many there were.
        attempts: u32,
        /// Why the last one failed.
        last: Box<FetchError>,
    },
    /// Everything was asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// An HTTP status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(u16);

impl Status {
    /// The status of a number.
    pub fn of(code: u16) -> Self {
        Self(code)
    }

    /// The number.
    pub fn code(self) -> u16 {
        self.0
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let known = reqwest::StatusCode::from_u16(self.0).ok();
        match known.and_then(|status| status.canonical_reason()) {
            Some(reason) => write!(f, "{} {reason}", self.0),
            None => write!(f, "{}", self.0),
        }
    }
}

impl FetchError {
    /// The failure itself, without how often it was tried.
    pub fn cause(&self) -> &Self {
        match self {
            Self::GaveUp { last, .. } => last.cause(),
            other => other,
        }
    }
}

fn seconds(wait: Duration) -> usize {
    usize::try_from(wait.as_secs()).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_url_and_the_status() {
        let url = "https://mirror.example/11".to_owned();
        let status = Status::of(503);
        let last = FetchError::Status {
            url: url.clone(),
            status,
        };
        let gave_up = FetchError::GaveUp {
            attempts: 3,
            last: Box::new(last.clone()),
        };
        assert_eq!(
            gave_up.to_string(),
            "`https://mirror.example/11` answers 503 Service Unavailable (3 attempts)"
        );
        assert_eq!(gave_up.cause(), &last);
        let wait = Duration::from_hours(1);
        assert_eq!(
            FetchError::Later { url, status, wait }.to_string(),
            "`https://mirror.example/11` answers 503 Service Unavailable and asks to come back in 3600 seconds"
        );
    }
}
