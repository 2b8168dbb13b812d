//! What is answered, when, and how its delivery goes wrong.

use std::fmt;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// What is answered.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
    /// Nothing is sent before it is open.
    pub(super) gate: Option<Gate>,
    /// Nothing is sent before so much time has passed.
    pub(super) latency: Duration,
    pub(super) delivery: Delivery,
    pub(super) watch: Option<Watch>,
}

/// How a reply gets to its client.
#[derive(Clone, Copy, Debug)]
pub(super) enum Delivery {
    /// As it should.
    Whole,
    /// The connection is reset (RST) instead.
    Reset,
    /// So many bytes of the body are sent, then the connection is closed.
    Cut(usize),
    /// So many bytes of the body are sent, then the connection is reset.
    CutAndReset(usize),
    /// All of it is sent twice.
    Twice,
    /// Nothing is ever sent.
    Never,
    /// The body is sent in so many pieces with a pause before each.
    Drip(usize, Duration),
}

/// Something to wait for; clones are the same gate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gate(Arc<(Mutex<bool>, Condvar)>);

/// What is reported of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// The client went away while the reply waited. Nothing follows.
    Abandoned,
    /// Nothing is waited for any more: it is sent, or goes wrong, from now on.
    Begins,
    /// It is over.
    Ends {
        /// Whether the operating system took every byte.
        whole: bool,
    },
}

/// Who is told of a delivery.
#[derive(Clone)]
pub(super) struct Watch(Arc<dyn Fn(Moment) + Send + Sync>);

impl Reply {
    /// An empty answer with this status.
    pub(crate) fn status(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: Vec::new(),
            gate: None,
            latency: Duration::ZERO,
            delivery: Delivery::Whole,
            watch: None,
        }
    }

    /// A plain text.
    pub(crate) fn text(text: impl Into<Vec<u8>>) -> Self {
        let typed = Self::status(200).header("content-type", "text/plain; charset=utf-8");
        typed.body(text)
    }

    /// JSON.
    pub(crate) fn json(text: &str) -> Self {
        let typed = Self::status(200).header("content-type", "application/json");
        typed.body(text)
    }

    /// Adds a header.
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With this body.
    pub(crate) fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// With another status.
    pub(crate) fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// The status.
    pub(crate) fn code(&self) -> u16 {
        self.status
    }

    /// How many bytes the body has.
    pub(crate) fn length(&self) -> usize {
        self.body.len()
    }

    /// With no more than so many bytes of the body, as if they were all of it.
    pub(crate) fn shortened(mut self, bytes: usize) -> Self {
        self.body.truncate(bytes);
        self
    }

    /// Waits for the gate to open before anything is sent.
    pub(crate) fn behind(mut self, gate: &Gate) -> Self {
        self.gate = Some(gate.clone());
        self
    }

    /// Waits so long, or until the client goes away, before anything is sent.
    pub(crate) fn after(mut self, latency: Duration) -> Self {
        self.latency = latency;
        self
    }

    /// Reports how the delivery gets on: [`Moment::Abandoned`], or that it begins and then that it ends.
    pub(crate) fn watched(mut self, watch: impl Fn(Moment) + Send + Sync + 'static) -> Self {
        self.watch = Some(Watch(Arc::new(watch)));
        self
    }

    /// Resets the connection instead of answering.
    pub(crate) fn reset() -> Self {
        Self::status(200).but_reset()
    }

    /// Resets the connection instead of sending this.
    pub(crate) fn but_reset(self) -> Self {
        self.delivered(Delivery::Reset)
    }

    /// Closes the connection after so many bytes of the body.
    pub(crate) fn cut(self, bytes: usize) -> Self {
        self.delivered(Delivery::Cut(bytes))
    }

    /// Resets the connection after so many bytes of the body.
    pub(crate) fn cut_and_reset(self, bytes: usize) -> Self {
        self.delivered(Delivery::CutAndReset(bytes))
    }

    /// Sends everything, head and body, twice.
    pub(crate) fn twice(self) -> Self {
        self.delivered(Delivery::Twice)
    }

    /// Sends nothing, and waits until the client goes away.
    pub(crate) fn never(self) -> Self {
        self.delivered(Delivery::Never)
    }

    /// Sends the head, then the body in so many pieces with a pause before each.
    pub(crate) fn dripping(self, pieces: usize, pause: Duration) -> Self {
        self.delivered(Delivery::Drip(pieces, pause))
    }

    fn delivered(mut self, delivery: Delivery) -> Self {
        self.delivery = delivery;
        self
    }

    pub(super) fn report(&self, moment: Moment) {
        if let Some(Watch(watch)) = &self.watch {
            watch(moment);
        }
    }
}

impl Gate {
    /// Lets everything through that waits, and will.
    pub(crate) fn open(&self) {
        *self.0.0.lock().unwrap() = true;
        self.0.1.notify_all();
    }

    pub(super) fn pass(&self) {
        let open = self.0.0.lock().unwrap();
        drop(self.0.1.wait_while(open, |open| !*open).unwrap());
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}
