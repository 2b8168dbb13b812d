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
//! Nothing here sleeps: what has to wait waits at a [`Gate`] that the test opens.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// How long a test waits for a request before it gives up.
const PATIENCE: Duration = Duration::from_mins(1);

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

/// What is answered.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    /// Nothing is sent before it is open.
    gate: Option<Gate>,
    fault: Option<Fault>,
}

/// How a reply goes wrong.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// The connection is reset (RST) instead.
    Reset,
    /// So many bytes of the body are sent, then the connection is closed.
    Cut(usize),
    /// So many bytes of the body are sent, then the connection is reset.
    CutAndReset(usize),
}

/// Something to wait for; clones are the same gate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gate(Arc<(Mutex<bool>, Condvar)>);

/// A running server; it ends when dropped.
pub(crate) struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
}

type Handler = dyn Fn(&Request) -> Reply + Send + Sync;

#[derive(Default)]
struct Shared {
    log: Mutex<Vec<Request>>,
    came: Condvar,
    script: Mutex<BTreeMap<String, VecDeque<Reply>>>,
    connections: AtomicUsize,
    over: AtomicBool,
}

impl Reply {
    /// An empty answer with this status.
    pub(crate) fn status(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: Vec::new(),
            gate: None,
            fault: None,
        }
    }

    /// A plain text.
    pub(crate) fn text(text: impl Into<Vec<u8>>) -> Self {
        let typed = Self::status(200).header("content-type", "text/plain; charset=utf-8");
        typed.body(text)
    }

    /// JSON.
    #[expect(dead_code, reason = "for servers of models, which are tested next")]
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

    /// Waits for the gate to open before anything is sent.
    pub(crate) fn behind(mut self, gate: &Gate) -> Self {
        self.gate = Some(gate.clone());
        self
    }

    /// Resets the connection instead of answering.
    pub(crate) fn reset() -> Self {
        Self {
            fault: Some(Fault::Reset),
            ..Self::status(200)
        }
    }

    /// Closes the connection after so many bytes of the body.
    pub(crate) fn cut(mut self, bytes: usize) -> Self {
        self.fault = Some(Fault::Cut(bytes));
        self
    }

    /// Resets the connection after so many bytes of the body.
    pub(crate) fn cut_and_reset(mut self, bytes: usize) -> Self {
        self.fault = Some(Fault::CutAndReset(bytes));
        self
    }
}

impl Gate {
    /// Lets everything through that waits, and will.
    pub(crate) fn open(&self) {
        *self.0.0.lock().unwrap() = true;
        self.0.1.notify_all();
    }

    fn pass(&self) {
        let open = self.0.0.lock().unwrap();
        drop(self.0.1.wait_while(open, |open| !*open).unwrap());
    }
}

impl Server {
    /// A server that knows nothing yet: every path is a 404.
    pub(crate) fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let handler = {
            let shared = Arc::clone(&shared);
            move |request: &Request| shared.scripted(&request.path)
        };
        Self::serve(shared, Arc::new(handler))
    }

    /// A server that answers with a function.
    #[expect(dead_code, reason = "for servers of models, which are tested next")]
    pub(crate) fn answering(handler: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
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
    pub(crate) fn requests(&self) -> Vec<Request> {
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
        while let Some(mut request) = read(&mut reader)? {
            {
                let mut log = self.log.lock().unwrap();
                request.number = log.len();
                log.push(request.clone());
            }
            self.came.notify_all();
            let reply = handler(&request);
            if let Some(gate) = &reply.gate {
                gate.pass();
            }
            if !write(stream, &reply)? {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// The next request of a connection; none when it is over.
fn read(reader: &mut impl BufRead) -> std::io::Result<Option<Request>> {
    let mut first = String::new();
    if reader.read_line(&mut first)? == 0 {
        return Ok(None);
    }
    let mut words = first.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next().unwrap(), words.next().unwrap());
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let length = headers
        .get("content-length")
        .map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(Some(Request {
        method,
        path,
        headers,
        body,
        number: 0,
    }))
}

/// Sends a reply; whether the connection can go on.
fn write(mut stream: &TcpStream, reply: &Reply) -> std::io::Result<bool> {
    let body = match reply.fault {
        None => &reply.body[..],
        Some(Fault::Reset) => {
            reset(stream)?;
            return Ok(false);
        }
        Some(Fault::Cut(bytes) | Fault::CutAndReset(bytes)) => &reply.body[..bytes],
    };
    let (status, length) = (reply.status, reply.body.len());
    let mut sent = format!("HTTP/1.1 {status} -\r\ncontent-length: {length}\r\n").into_bytes();
    for (name, value) in &reply.headers {
        write!(sent, "{name}: {value}\r\n")?;
    }
    sent.extend_from_slice(b"\r\n");
    sent.extend_from_slice(body);
    stream.write_all(&sent)?;
    stream.flush()?;
    if let Some(Fault::CutAndReset(_)) = reply.fault {
        reset(stream)?;
    }
    Ok(reply.fault.is_none())
}

/// Makes the end of the connection a reset.
fn reset(stream: &TcpStream) -> std::io::Result<()> {
    socket2::SockRef::from(stream).set_linger(Some(Duration::ZERO))
}
