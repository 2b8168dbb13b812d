//! A server in memory that takes batches in both dialects, and loses, refuses or hangs on request.

mod replies;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;
use serde_json::Value;
use tokio::sync::Notify;

use crate::models::batch::transport::{Key, Response, Transport, TransportError};
use crate::models::dialect::Dialect;

pub(super) const BASE: &str = "http://server.example/v1";

/// What becomes of a request in a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Answered,
    BadRequest,
    Expired,
    Canceled,
    Errored,
    Unmentioned,
    Twice,
    TwiceOtherwise,
}

/// What happens to one request to the server.
#[derive(Clone, Debug)]
pub(super) enum Fault {
    /// It arrives, the reply does not.
    ReplyLost,
    /// It does not arrive.
    NotSent,
    /// Nothing can be sent at all.
    Impossible,
    /// The server asks to wait, and does nothing.
    Wait(Duration),
    /// Another reply, and nothing is done.
    Says(u16, String),
    /// It arrives; the reply is another.
    DoneBut(String),
    /// It hangs, before or after it is done.
    Hangs { done: bool },
}

#[derive(Clone, Debug, Default)]
pub(super) struct FakeBatch {
    pub(super) ids: Vec<String>,
    pub(super) mark: Option<String>,
    pub(super) created_at: u64,
    pub(super) looks: u32,
    pub(super) errors: Option<Value>,
    /// Not ours.
    pub(super) foreign: bool,
}

type Fates = Box<dyn Fn(usize, &str) -> Fate + Send>;

pub(super) struct State {
    pub(super) files: BTreeMap<String, Vec<u8>>,
    pub(super) batches: Vec<FakeBatch>,
    /// Every request, as `GET /batches`, and whether it had the key.
    pub(super) log: Vec<(String, bool)>,
    /// Looks before a batch is over.
    pub(super) looks: u32,
    /// By number of the batch and key of the call.
    pub(super) fate: Fates,
    /// The first whose text occurs in the request and whose number of passes is used up strikes, once.
    pub(super) faults: Vec<(String, usize, Fault)>,
    /// At which requests of all it hangs.
    pub(super) hang_at: Option<(usize, bool)>,
    pub(super) now: u64,
    /// How many batches may be under way.
    pub(super) room: usize,
    /// Where results are said to be.
    pub(super) results_base: String,
    pub(super) no_results_here: bool,
    pub(super) drops_marks: bool,
}

pub(super) struct Fake {
    dialect: Dialect,
    state: Mutex<State>,
    pub(super) hanging: Notify,
}

impl Fake {
    pub(super) fn new(dialect: Dialect) -> Self {
        let state = State {
            files: BTreeMap::new(),
            batches: Vec::new(),
            log: Vec::new(),
            looks: 2,
            fate: Box::new(|_, _| Fate::Answered),
            faults: Vec::new(),
            hang_at: None,
            now: 1_000_000,
            room: usize::MAX,
            results_base: BASE.to_owned(),
            no_results_here: false,
            drops_marks: false,
        };
        Self {
            dialect,
            state: Mutex::new(state),
            hanging: Notify::new(),
        }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    async fn serve(&self, what: String, key: Key, body: &[u8]) -> Result<Response, TransportError> {
        let fault = {
            let mut state = self.state();
            state.log.push((what.clone(), key == Key::Sent));
            let number = state.log.len() - 1;
            match state.hang_at {
                Some((at, done)) if at == number => Some(Fault::Hangs { done }),
                _ => state.fault(&what),
            }
        };
        let done = |()| {
            let (status, body) = self.state().reply(self.dialect, &what, body);
            response(status, body)
        };
        match fault {
            None => Ok(done(())),
            Some(Fault::Says(status, body)) => Ok(response(status, body)),
            Some(Fault::Wait(after)) => Ok(Response {
                after: Some(after),
                ..response(429, "wait".to_owned())
            }),
            Some(Fault::Impossible) => Err(TransportError::Fatal("no key".to_owned())),
            Some(Fault::NotSent) => Err(TransportError::NotSent("connection refused".to_owned())),
            Some(Fault::ReplyLost) => {
                done(());
                Err(TransportError::MayHeal("connection lost".to_owned()))
            }
            Some(Fault::DoneBut(body)) => {
                done(());
                Ok(response(200, body))
            }
            Some(Fault::Hangs { done: arrives }) => {
                if arrives {
                    done(());
                }
                self.hanging.notify_one();
                std::future::pending().await
            }
        }
    }
}

fn response(status: u16, body: String) -> Response {
    Response {
        status,
        body: body.into_bytes(),
        after: None,
    }
}

impl State {
    fn fault(&mut self, what: &str) -> Option<Fault> {
        let at = self
            .faults
            .iter()
            .position(|fault| what.contains(&fault.0))?;
        if self.faults[at].1 > 0 {
            self.faults[at].1 -= 1;
            return None;
        }
        Some(self.faults.remove(at).2)
    }
}

#[async_trait]
impl Transport for Fake {
    async fn get(&self, url: &str, key: Key) -> Result<Response, TransportError> {
        let path = url
            .strip_prefix(BASE)
            .map_or(format!("/{url}"), str::to_owned);
        self.serve(format!("GET {path}"), key, b"").await
    }

    async fn post(
        &self,
        url: &str,
        content_type: &str,
        body: Arc<Vec<u8>>,
    ) -> Result<Response, TransportError> {
        let path = url.strip_prefix(BASE).unwrap();
        let begins = match content_type.split_once("boundary=") {
            Some((_, boundary)) => format!("--{boundary}\r\n"),
            None => "{".to_owned(),
        };
        assert!(body.starts_with(begins.as_bytes()));
        self.serve(format!("POST {path}"), Key::Sent, &body).await
    }
}
