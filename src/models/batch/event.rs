//! What a batch run asks of whoever runs it, and what it tells.

use async_trait::async_trait;
use serde_json::Value;

use crate::base::key::Digest;
use crate::models::provider::batches::Outcome;

/// What happens to batches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BatchEvent {
    /// A batch is about to be sent, which may take minutes. The upload of a file is left half-way when it is
    /// time to stop; the request that creates the batch, which with Anthropic is the upload, is not, for the
    /// name of the batch is in the reply: until [`Submitted`](Self::Submitted) a stop waits for that.
    Uploading {
        /// How many requests it has.
        requests: usize,
        /// How many bytes are sent.
        bytes: usize,
    },
    /// A batch was sent.
    Submitted {
        /// The server's name for it.
        id: String,
        /// How many requests it has.
        requests: usize,
    },
    /// A batch that an earlier run sent was found.
    Resumed {
        /// The server's name for it.
        id: String,
        /// How many requests it has.
        requests: usize,
    },
    /// The server is getting on.
    Progress {
        /// The server's name for the batch.
        id: String,
        /// Requests answered.
        done: u64,
        /// Requests over without an answer.
        failed: u64,
        /// Requests in the batch.
        of: u64,
    },
    /// A batch is over, and all its answers are stored.
    Ended {
        /// The server's name for it.
        id: String,
    },
    /// A batch was refused. Those under way are waited for, then the run fails with this message.
    Refused(String),
    /// Another process is working on a batch with some of the questions; its answers are waited for.
    Waiting {
        /// How many of the questions.
        questions: usize,
    },
    /// Something a person should know.
    Warning(String),
}

/// Whoever runs batches: where requests come from and answers go.
#[async_trait]
pub trait Host: Send + Sync {
    /// The body of the request for a question. The same each time it is asked for, which is only done for
    /// questions that the run wants.
    fn params(&self, id: &Digest) -> Value;

    /// Whether the answer to a question is stored, so that it need not be fetched or asked for.
    ///
    /// Asked of any question that is written down, of this run or another. To be answered as where it is
    /// decided what a run wants, or that would be wanted and never asked; and quickly, for other processes wait
    /// meanwhile. An answer that another process has stored and that is not noticed here is paid for twice.
    fn stored(&self, id: &Digest) -> bool;

    /// Takes what became of a question. No more than 1,000 answers are handed on before they are to be stored.
    ///
    /// Answers come for questions of this run and for others that were in the same batch, which an earlier
    /// run asked: they are paid for. The same answer may come again after a crash.
    fn take(&self, id: &Digest, outcome: Outcome);

    /// Returns when everything taken until now is stored durably. Then the batch is forgotten.
    ///
    /// # Errors
    /// A sentence, if something could not be stored. The run ends, and the next one fetches all results again.
    async fn settle(&self) -> Result<(), String>;

    /// Takes an event.
    fn tell(&self, event: BatchEvent);

    /// Whether to stop. What is with the server stays there.
    fn stop(&self) -> bool;

    /// Seconds since 1970.
    fn now(&self) -> u64;
}
