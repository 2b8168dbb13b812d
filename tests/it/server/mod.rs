//! An HTTP server on this machine that answers as it is told to, badly too, and counts.
//!
//! ```ignore
//! let server = Server::start();
//! server.on("/11.txt", [Reply::status(503).header("retry-after", "0"), Reply::text("Alice")]);
//! assert_eq!(server.count("/11.txt"), 0);
//! let server = Server::answering(|request| Reply::json(&format!("{{\"n\": {}}}", request.number)));
//! ```
//!
//! HTTP/1.1 with kept connections, a thread each; bodies of requests need a `content-length`.
//! Nothing here sleeps to win a race: what has to wait waits at a [`Gate`] that the test opens, or
//! until its client goes away. Only [`Reply::after`] takes time, on purpose.

mod reply;
mod wire;

pub(crate) use self::reply::{Gate, Moment, Reply};

use std::collections::{BTreeMap, VecDeque};
use std::io::BufReader;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// How long a test waits for something to happen before it gives up.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// `GET`, `POST`, …
    pub(crate) method: String,
    /// Path and query.
    pub(crate) path: String,
    /// Headers, their names in lower case.
    pub(crate) headers: BTreeMap<String, String>,
    /// The body.
    pub(crate) body: Vec<u8>,
    /// How many requests came before it, over all connections.
    pub(crate) number: usize,
}

/// A running server; it ends when dropped.
pub(crate) struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
}

type Handler = dyn Fn(&Arc<Request>) -> Reply + Send + Sync;

#[derive(Default)]
struct Shared {
    log: Mutex<Vec<Arc<Request>>>,
    came: Condvar,
    script: Mutex<BTreeMap<String, VecDeque<Reply>>>,
    connections: AtomicUsize,
    over: AtomicBool,
}

impl Server {
    /// A server that knows nothing yet: every path is a 404.
    pub(crate) fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let handler = {
            let shared = Arc::clone(&shared);
            move |request: &Arc<Request>| shared.scripted(&request.path)
        };
        Self::serve(shared, Arc::new(handler))
    }

    /// A server that answers with a function.
    pub(crate) fn answering(
        handler: impl Fn(&Arc<Request>) -> Reply + Send + Sync + 'static,
    ) -> Self {
        Self::serve(Arc::default(), Arc::new(handler))
    }

    fn serve(shared: Arc<Shared>, handler: Arc<Handler>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || {
                for stream in listener.incoming() {
                    if shared.over.load(Ordering::SeqCst) {
                        return;
                    }
                    shared.connections.fetch_add(1, Ordering::SeqCst);
                    let (shared, handler) = (Arc::clone(&shared), Arc::clone(&handler));
                    if let Ok(stream) = stream {
                        // A client that goes away ends its connection, and nothing else.
                        std::thread::spawn(move || {
                            let _ = shared.converse(&stream, &*handler);
                        });
                    }
                }
            });
        }
        Self { address, shared }
    }

    /// What a path is answered with, in turn; the last reply is repeated.
    pub(crate) fn on(&self, path: &str, replies: impl IntoIterator<Item = Reply>) {
        let replies: VecDeque<Reply> = replies.into_iter().collect();
        assert!(!replies.is_empty(), "a path needs a reply");
        let mut script = self.shared.script.lock().unwrap();
        script.insert(path.to_owned(), replies);
    }

    /// The url of a path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// All requests so far.
    pub(crate) fn requests(&self) -> Vec<Arc<Request>> {
        self.shared.log.lock().unwrap().clone()
    }

    /// How many requests came for a path.
    pub(crate) fn count(&self, path: &str) -> usize {
        let log = self.shared.log.lock().unwrap();
        log.iter().filter(|request| request.path == path).count()
    }

    /// How many connections there were: as many as requests were under way at once, or more.
    pub(crate) fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }

    /// Waits until so many requests came.
    pub(crate) fn wait_for(&self, count: usize) {
        let log = self.shared.log.lock().unwrap();
        let waited = self
            .shared
            .came
            .wait_timeout_while(log, PATIENCE, |log| log.len() < count);
        assert!(
            !waited.unwrap().1.timed_out(),
            "{count} requests never came"
        );
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::SeqCst);
        // The listener looks up only when somebody comes.
        let _ = TcpStream::connect(self.address);
    }
}

impl Shared {
    fn scripted(&self, path: &str) -> Reply {
        let mut script = self.script.lock().unwrap();
        match script.get_mut(path) {
            Some(replies) if replies.len() > 1 => replies.pop_front().unwrap(),
            Some(replies) => replies[0].clone(),
            None => Reply::status(404),
        }
    }

    /// Answers the requests of one connection until one side ends it.
    fn converse(&self, stream: &TcpStream, handler: &Handler) -> std::io::Result<()> {
        let mut reader = BufReader::new(stream);
        while let Some(mut request) = wire::read(&mut reader)? {
            if self.over.load(Ordering::SeqCst) {
                return Ok(());
            }
            let request = {
                let mut log = self.log.lock().unwrap();
                request.number = log.len();
                let request = Arc::new(request);
                log.push(Arc::clone(&request));
                request
            };
            self.came.notify_all();
            let reply = handler(&request);
            if !wire::deliver(stream, &reply, &self.over) {
                return Ok(());
            }
        }
        Ok(())
    }
}
