//! For the tests of this folder: answers, and a server on this machine that says what it is told to.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::JoinHandle;

use serde_json::Value;

/// A completion with a text, under an id.
pub(super) fn completion(id: &str, model: &str, text: &str, prompt_tokens: u64) -> Value {
    serde_json::json!({
        "id": id, "object": "chat.completion", "created": 1, "model": model,
        "choices": [{"index": 0, "finish_reason": "stop", "logprobs": null,
            "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": prompt_tokens, "completion_tokens": 2, "total_tokens": prompt_tokens + 2},
    })
}

/// An answer as bytes.
pub(super) fn http(status: &str, headers: &str, body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 {status}\r\ncontent-length: {}\r\n{headers}\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// A good answer as bytes.
pub(super) fn ok(body: &Value) -> Vec<u8> {
    http(
        "200 OK",
        "content-type: application/json\r\n",
        &body.to_string(),
    )
}

/// What was asked of a [`Told`] server.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) line: String,
    pub(super) headers: BTreeMap<String, String>,
    pub(super) body: Vec<u8>,
}

/// A server that is told what to answer: a list for each connection, in the order in which they come. After the last
/// answer of a list the connection is closed, after the last list the server.
pub(super) struct Told {
    pub(super) url: String,
    thread: JoinHandle<Vec<Asked>>,
}

impl Told {
    pub(super) fn to_say(connections: Vec<Vec<Vec<u8>>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let thread = std::thread::spawn(move || {
            let mut asked = Vec::new();
            for answers in connections {
                let (mut stream, _) = listener.accept().unwrap();
                for answer in answers {
                    let Some(request) = read(&mut stream) else {
                        break;
                    };
                    asked.push(request);
                    stream.write_all(&answer).unwrap();
                }
            }
            asked
        });
        Self { url, thread }
    }

    /// What was asked, once all is said.
    pub(super) fn was_asked(self) -> Vec<Asked> {
        self.thread.join().unwrap()
    }
}

/// A request, or none if the other side has gone.
pub(super) fn read(stream: &mut TcpStream) -> Option<Asked> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap();
    let mut lines = head.lines();
    let line = lines.next().unwrap().to_owned();
    let headers: BTreeMap<String, String> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let length = headers
        .get("content-length")
        .map_or(0, |n| n.parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).unwrap();
    Some(Asked {
        line,
        headers,
        body,
    })
}
