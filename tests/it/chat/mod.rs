//! A server of models on this machine, in the manner of `OpenAI` and of Anthropic, that can be told to
//! fail in every way such servers do.
//!
//! ```ignore
//! let server = ChatServer::setup()
//!     .faults(Faults::none().share(0.3, [Fault::Unavailable, Fault::ResetMidBody]).at_most(2))
//!     .latency(Duration::from_millis(5))
//!     .start();
//! // A spec whose model has `base-url = server.url()` is run, then:
//! assert!(server.answered().values().all(|times| *times == 1));
//! ```
//!
//! What it answers is a pure function of the request: an evaluation form for `Fluency` and `Coherence`,
//! or JSON where a schema or a tool asks for it. Whatever went wrong before, a call that is answered
//! well is answered the same, so the tables made with a faulty server must be those made with a healthy
//! one. Tokens are whitespace-separated words, and four more per message.
//!
//! It answers `POST /v1/chat/completions`, `POST /v1/messages`, `GET /v1/models`, and the endpoints of
//! batches. It does not stream.

mod answer;
mod asked;
mod batches;
mod calls;
mod dialect;
mod fault;
mod faults;
mod schema;
mod serve;
mod tests;
mod window;

pub(crate) use self::batches::BatchCounts;
pub(crate) use self::calls::Call;
pub(crate) use self::fault::{Fault, OTHER_MODEL};
pub(crate) use self::faults::Faults;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use self::batches::Batches;
use self::calls::Calls;
use self::faults::Plan;
use self::serve::Chat;
use self::window::Window;
use crate::server::{Gate, Server};

/// When everything was made, in seconds: 14 November 2023.
const CREATED: u64 = 1_700_000_000;

/// The same as a date.
const CREATED_AT: &str = "2023-11-14T22:13:20Z";

/// A running server of models; it ends when dropped.
pub(crate) struct ChatServer {
    server: Server,
    chat: Arc<Chat>,
}

/// A server before it runs.
#[derive(Debug, Default)]
pub(crate) struct Setup {
    faults: Faults,
    in_batches: Faults,
    around_batches: Faults,
    window: Option<Window>,
    capacity: Option<usize>,
    latency: Duration,
    hold: Option<(usize, Gate)>,
    polls: usize,
}

impl Setup {
    /// What goes wrong with live calls. Calls refused by a limit or for want of capacity are no
    /// attempts to the plan.
    pub(crate) fn faults(mut self, faults: Faults) -> Self {
        self.faults = faults;
        self
    }

    /// What goes wrong with single requests of batches. Errors and strange answers are what they are
    /// live; [`Fault::Hang`] makes a request expire, [`Fault::ResetBeforeReply`] leaves its result out,
    /// [`Fault::DuplicateDelivery`] gives it twice, [`Fault::TruncatedJson`] cuts its line short.
    pub(crate) fn in_batches(mut self, faults: Faults) -> Self {
        let strange = faults.all().find(|fault| !fault.fits_batch());
        assert_eq!(strange, None, "cannot happen to a request of a batch");
        self.in_batches = faults;
        self
    }

    /// What goes wrong with calls about batches, files and models. Method and path stand for the
    /// prompt. Errors are answered instead of doing anything; other faults befall the reply when it
    /// has been done, so that a batch may exist of which its creator never heard.
    pub(crate) fn around_batches(mut self, faults: Faults) -> Self {
        self.around_batches = faults;
        self
    }

    /// Refuses, with 429 and `retry-after`, live calls beyond so many requests and tokens (read and
    /// written) in any stretch of a `minute`, which may be a short one.
    pub(crate) fn limit(
        mut self,
        requests: Option<usize>,
        tokens: Option<u64>,
        minute: Duration,
    ) -> Self {
        self.window = Some(Window::new(requests, tokens, minute));
        self
    }

    /// Refuses live calls, with 429, when as many as this are under way.
    pub(crate) fn capacity(mut self, calls: usize) -> Self {
        self.capacity = Some(calls);
        self
    }

    /// How long the model takes to answer. Errors come at once.
    pub(crate) fn latency(mut self, latency: Duration) -> Self {
        self.latency = latency;
        self
    }

    /// Answers so many live calls at once; the replies to all others wait at the gate.
    pub(crate) fn hold_after(mut self, calls: usize, gate: &Gate) -> Self {
        self.hold = Some((calls, gate.clone()));
        self
    }

    /// Batches are done when they are looked at for the `polls`-th time; at the first without this.
    pub(crate) fn polls(mut self, polls: usize) -> Self {
        self.polls = polls;
        self
    }

    /// Starts it.
    pub(crate) fn start(self) -> ChatServer {
        let chat = Arc::new(Chat {
            calls: Calls::default(),
            plan: Plan::new(self.faults),
            around_batches: Plan::new(self.around_batches),
            batches: Batches::new(Plan::new(self.in_batches), self.polls),
            window: self.window.map(Mutex::new),
            capacity: self.capacity,
            latency: self.latency,
            hold: self.hold,
            answers: AtomicUsize::new(0),
        });
        let handler = {
            let chat = Arc::clone(&chat);
            move |request: &Arc<_>| chat.serve(request)
        };
        let server = Server::answering(handler);
        ChatServer { server, chat }
    }
}

impl ChatServer {
    /// A healthy server without limits.
    pub(crate) fn start() -> Self {
        Self::setup().start()
    }

    /// A server to be set up.
    pub(crate) fn setup() -> Setup {
        Setup::default()
    }

    /// The base url, which ends in `/v1`.
    pub(crate) fn url(&self) -> String {
        self.server.url("/v1")
    }

    /// The server below, which knows requests of every kind and connections.
    pub(crate) fn server(&self) -> &Server {
        &self.server
    }

    /// All live calls so far, in the order in which they came.
    pub(crate) fn calls(&self) -> Vec<Call> {
        self.chat.calls.all()
    }

    /// How many live calls came.
    pub(crate) fn count(&self) -> usize {
        self.calls().len()
    }

    /// How often each prompt was asked, by its digest.
    pub(crate) fn asked(&self) -> BTreeMap<String, usize> {
        tally(self.calls().into_iter().map(|call| call.prompt))
    }

    /// How often each prompt was answered well and whole. More than once has been paid twice.
    pub(crate) fn answered(&self) -> BTreeMap<String, usize> {
        let calls = self.calls().into_iter();
        tally(calls.filter(Call::answered).map(|call| call.prompt))
    }

    /// How many live calls each status was answered to; no answer is no status.
    pub(crate) fn statuses(&self) -> BTreeMap<u16, usize> {
        tally(self.calls().into_iter().filter_map(|call| call.status))
    }

    /// The most live calls under way at once. A call is under way from when it has come until its
    /// reply begins, or fails to; one that hangs no longer is. So this is never more than clients have
    /// under way, unless they gave up waiting at a gate.
    pub(crate) fn most_in_flight(&self) -> usize {
        self.chat.calls.most_in_flight()
    }

    /// Waits until so many live calls came.
    pub(crate) fn wait_for(&self, calls: usize) {
        self.chat.calls.wait_for(calls);
    }

    /// Waits until so many replies to live calls, good and bad, were written whole.
    pub(crate) fn wait_for_replies(&self, replies: usize) {
        self.chat.calls.wait_for_replies(replies);
    }

    /// Has all batches be done the next time they are looked at.
    pub(crate) fn finish_batches(&self) {
        self.chat.batches.finish();
    }

    /// What was done with batches.
    pub(crate) fn batches(&self) -> BatchCounts {
        self.chat.batches.counts()
    }
}

/// How often each thing is there.
fn tally<T: Ord>(things: impl Iterator<Item = T>) -> BTreeMap<T, usize> {
    let mut tally = BTreeMap::new();
    for thing in things {
        *tally.entry(thing).or_default() += 1;
    }
    tally
}
