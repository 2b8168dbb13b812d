//! A server of a model that knows one answer: HTTP/1.1 on the loopback, one thread, connections kept.
//!
//! It reads of a request how long it is and no more, so that little of the processors goes to it. Every answer has an
//! id of its own and counts tokens, as servers of models do: five bytes of a request and four of a reply to one.

use std::collections::VecDeque;
use std::fmt::Write;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::net::{TcpListener, TcpStream};

/// How it answers.
#[derive(Clone, Copy, Default)]
pub(crate) struct Manner {
    /// How long it takes.
    pub(crate) latency: Duration,
    /// Bytes added to a reply that do not compress to nothing.
    pub(crate) noise: usize,
    /// Requests and tokens that it takes in any minute; what exceeds them is refused and not counted.
    pub(crate) allowance: Option<(usize, u64)>,
}

/// What it did so far.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) answered: usize,
    pub(crate) refused: usize,
    pub(crate) tokens: u64,
    /// When the first request came, and the last that was answered.
    pub(crate) span: Option<(Instant, Instant)>,
}

/// A running server; it ends with the process.
pub(crate) struct Server {
    url: String,
    shared: Arc<Shared>,
}

struct Shared {
    manner: Manner,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    tally: Tally,
    minute: VecDeque<(Instant, u64)>,
}

impl Server {
    pub(crate) fn start(manner: Manner) -> Self {
        let shared = Arc::new(Shared {
            manner,
            state: Mutex::default(),
        });
        let (sender, receiver) = std::sync::mpsc::channel();
        let serving = Arc::clone(&shared);
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime can be made");
            runtime.block_on(async {
                let listener = TcpListener::bind("127.0.0.1:0").await;
                let listener = listener.expect("a port is free");
                let _ = sender.send(listener.local_addr().expect("it has an address"));
                while let Ok((stream, _)) = listener.accept().await {
                    let _ = stream.set_nodelay(true);
                    let serving = Arc::clone(&serving);
                    // A client that goes away is no concern of the server.
                    tokio::spawn(async move { serving.converse(&stream).await.ok() });
                }
            });
        });
        let address = receiver.recv().expect("the server starts");
        let url = std::env::var("SERVED_URL").unwrap_or_else(|_| format!("http://{address}/v1"));
        Self { url, shared }
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    pub(crate) fn tally(&self) -> Tally {
        self.shared.state().tally
    }

    /// Does what has to have exactly so many answers, where this server is the one that gives them.
    pub(crate) fn answers<T>(&self, count: usize, work: impl FnOnce() -> T) -> T {
        let before = self.tally().answered;
        let done = work();
        let given = self.tally().answered - before;
        let other = std::env::var_os("SERVED_URL").is_some();
        assert!(
            other || given == count,
            "{given} answers instead of {count}"
        );
        done
    }
}

impl Shared {
    async fn converse(&self, stream: &TcpStream) -> io::Result<()> {
        let mut bytes = vec![0; 64 * 1024];
        let mut filled = 0;
        loop {
            let length = loop {
                if let Some((head, body)) = lengths(&bytes[..filled])
                    && filled >= head + body
                {
                    bytes.copy_within(head + body..filled, 0);
                    filled -= head + body;
                    break body;
                }
                if filled == bytes.len() {
                    bytes.resize(filled * 2, 0);
                }
                stream.readable().await?;
                match stream.try_read(&mut bytes[filled..]) {
                    Ok(0) => return Ok(()),
                    Ok(read) => filled += read,
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    Err(error) => return Err(error),
                }
            };
            let answer = self.answer(length);
            if !self.manner.latency.is_zero() {
                tokio::time::sleep(self.manner.latency).await;
            }
            let mut left = answer.as_bytes();
            while !left.is_empty() {
                match stream.try_write(left) {
                    Ok(written) => left = &left[written..],
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                        stream.writable().await?;
                    }
                    Err(error) => return Err(error),
                }
            }
        }
    }

    fn answer(&self, length: usize) -> String {
        let now = Instant::now();
        let (read, written) = (length as u64 / 5, 20 + self.manner.noise as u64 / 4);
        let mut state = self.state();
        let state = &mut *state;
        let first = state.tally.span.map_or(now, |(first, _)| first);
        if let Some(wait) = self.manner.wait(&mut state.minute, now, read + written) {
            state.tally.refused += 1;
            return whole(
                &format!("429 Too Many Requests\r\nretry-after: {wait}"),
                r#"{"error":{"message":"too many requests","type":"rate_limit_error"}}"#,
            );
        }
        let number = state.tally.answered as u64;
        state.tally.answered += 1;
        state.tally.tokens += read + written;
        state.tally.span = Some((first, now));
        let noise = noise(number, self.manner.noise);
        let total = read + written;
        let score = 1 + number % 5;
        whole(
            "200 OK",
            &format!(
                "{{\"id\":\"chatcmpl-{number:032x}\",\"object\":\"chat.completion\",\"created\":1700000000,\
                \"model\":\"served\",\"choices\":[{{\"index\":0,\"message\":{{\"role\":\"assistant\",\"content\":\
                \"{noise}FINAL Fluency Score: {score}\\nFINAL Coherence Score: 3\"}},\"finish_reason\":\"stop\"}}],\
                \"usage\":{{\"prompt_tokens\":{read},\"completion_tokens\":{written},\"total_tokens\":{total}}}}}"
            ),
        )
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Manner {
    /// Takes a request of so many tokens into the minute, or says after how many seconds one may ask again.
    fn wait(
        &self,
        minute: &mut VecDeque<(Instant, u64)>,
        now: Instant,
        tokens: u64,
    ) -> Option<u64> {
        let (requests, most) = self.allowance?;
        while minute
            .front()
            .is_some_and(|(at, _)| now - *at >= Duration::from_mins(1))
        {
            minute.pop_front();
        }
        let used: u64 = minute.iter().map(|(_, tokens)| tokens).sum();
        if minute.len() >= requests || used + tokens > most {
            return Some(1);
        }
        minute.push_back((now, tokens));
        None
    }
}

fn whole(status: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// How long the head of a request is, with the empty line after it, and how long its body.
fn lengths(bytes: &[u8]) -> Option<(usize, usize)> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&bytes[..end]).ok()?;
    let mut fields = head.lines().filter_map(|line| line.split_once(':'));
    let length = fields.find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let length = length.and_then(|(_, value)| value.trim().parse().ok());
    Some((end + 4, length.unwrap_or(0)))
}

/// A line of about so many letters, other ones for every number.
fn noise(number: u64, length: usize) -> String {
    let mut text = String::with_capacity(length + 18);
    let mut state = number;
    while text.len() < length {
        // One step of `SplitMix64`.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let _ = write!(text, "{:x} ", mixed ^ (mixed >> 31));
    }
    if length > 0 {
        text.push_str("\\n");
    }
    text
}
