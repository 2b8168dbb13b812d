//! Why a run of batches ends early. Whatever the reason, no answer is lost: what is with a server is
//! written down, and the next run fetches it.

use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use crate::base::wording::count_of;
use crate::cache::CacheError;

/// Why a run of batches ended early.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum BatchError {
    /// It was asked to stop.
    #[error("{}", interrupted(*.under_way))]
    Interrupted {
        /// How many batches are with the server.
        under_way: usize,
    },
    /// The server refused a batch as a whole, after or instead of taking it.
    #[error("the server refused {what}: {why}{}", of_status(*.status))]
    Refused {
        /// What it refused: a batch and its name, or a step.
        what: String,
        /// The status of its reply, if that is how it refused.
        status: Option<u16>,
        /// What it said.
        why: String,
    },
    /// The server has no such thing as batches.
    #[error(
        "the server takes no batches ({status} at `…{path}`): leave `batch` out; it says: {why}"
    )]
    NoBatches {
        /// The status of its reply.
        status: u16,
        /// What it does not have, such as `/files`.
        path: String,
        /// What it said.
        why: String,
    },
    /// The server could not be asked.
    #[error("{what} failed {}: {why}", times(*.attempts))]
    GaveUp {
        /// What was tried, such as `GET /batches/b1`.
        what: String,
        /// How often in a row.
        attempts: u32,
        /// What went wrong the last time.
        why: String,
    },
    /// No request can be made at all.
    #[error("{0}")]
    Fatal(String),
    /// A batch that was sent is not known to the server.
    #[error(
        "the server does not know the batch `{id}`, sent {} ago: use the key it was sent with; or, if it is lost (servers keep results for about a month), delete `{}` to ask its questions again",
        days(*.age), path.display()
    )]
    Gone {
        /// The server's name for it.
        id: String,
        /// How long ago it was sent.
        age: Duration,
        /// Where it is written down.
        path: PathBuf,
    },
    /// Some of the questions are in a batch with another server.
    #[error(
        "some of the questions were sent in a batch to `{base_url}`: set `base-url` to that to get the answers, or delete `{}` to ask them again here",
        path.display()
    )]
    OtherServer {
        /// The other server.
        base_url: String,
        /// Where the batch is written down.
        path: PathBuf,
    },
    /// What is known of batches could not be written or read.
    #[error("{}", .0.in_full())]
    Cache(#[from] CacheError),
    /// Answers could not be stored.
    #[error("{0}")]
    Store(String),
}

fn interrupted(under_way: usize) -> String {
    match under_way {
        0 => "interrupted: no batch is with the server".to_owned(),
        1 => "interrupted: the batch goes on; the next run picks it up".to_owned(),
        many => format!("interrupted: {many} batches go on; the next run picks them up"),
    }
}

fn of_status(status: Option<u16>) -> String {
    status.map_or_else(String::new, |status| format!(" (status {status})"))
}

fn times(attempts: u32) -> String {
    match attempts {
        1 => "once".to_owned(),
        many => format!("{many} times in a row"),
    }
}

fn days(age: Duration) -> String {
    let hours = usize::try_from(age.as_secs() / 3600).unwrap_or(usize::MAX);
    match hours / 24 {
        0 => count_of(hours, "hour", "hours"),
        days => count_of(days, "day", "days"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_say_what_to_do() {
        let told = |error: BatchError| error.to_string();
        assert_eq!(
            told(BatchError::Interrupted { under_way: 1 }),
            "interrupted: the batch goes on; the next run picks it up"
        );
        assert_eq!(
            told(BatchError::Interrupted { under_way: 2 }),
            "interrupted: 2 batches go on; the next run picks them up"
        );
        assert_eq!(
            told(BatchError::Gone {
                id: "b1".to_owned(),
                age: Duration::from_hours(49),
                path: PathBuf::from("x.json")
            }),
            "the server does not know the batch `b1`, sent 2 days ago: use the key it was sent with; or, if it is lost (servers keep results for about a month), delete `x.json` to ask its questions again"
        );
        assert_eq!(
            told(BatchError::NoBatches {
                status: 404,
                path: "/files".to_owned(),
                why: "no such route".to_owned()
            }),
            "the server takes no batches (404 at `…/files`): leave `batch` out; it says: no such route"
        );
        assert_eq!(
            told(BatchError::GaveUp {
                what: "GET /batches/b1".to_owned(),
                attempts: 6,
                why: "connection refused".to_owned()
            }),
            "GET /batches/b1 failed 6 times in a row: connection refused"
        );
    }
}
