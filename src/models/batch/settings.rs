//! How batches are run. None of this is in any key.

use std::time::Duration;

use crate::models::provider::batches::Batches;

/// How batches are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The most requests in a batch.
    pub most_requests: usize,
    /// The most bytes in the file or body of a batch.
    pub most_bytes: usize,
    /// How long to wait before a new batch is first looked at.
    pub first_look: Duration,
    /// How long to wait between two looks at most; the pause grows by half each time.
    pub longest_pause: Duration,
    /// How often a step that may heal is tried.
    pub attempts: u32,
    /// How many looks in a row may fail. Longer than `attempts`, for a batch takes hours anyhow.
    pub failed_looks: u32,
    /// How many more times questions that expired are put into a batch.
    pub rounds: u32,
}

impl Settings {
    /// The limits of the server, and the defaults for the rest: looks after 5 s to 60 s, 6 attempts, 120
    /// failed looks (about two hours), 3 more rounds.
    pub(crate) fn of(format: &Batches) -> Self {
        Self {
            most_requests: format.most_requests,
            most_bytes: format.most_bytes,
            first_look: Duration::from_secs(5),
            longest_pause: Duration::from_mins(1),
            attempts: 6,
            failed_looks: 120,
            rounds: 3,
        }
    }

    /// The pause after one of `pause`.
    pub(super) fn longer(&self, pause: Duration) -> Duration {
        pause
            .saturating_add(pause / 2)
            .min(self.longest_pause)
            .max(Duration::from_millis(1))
    }
}
