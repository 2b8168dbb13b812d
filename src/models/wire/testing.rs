//! For the tests of this folder: specs, questions, and a server on this machine that says what it is told to.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;

use serde_json::{Map, Value};

use crate::models::ask::{Message, Question, Role};
use crate::models::spec::{
    Limits, ModelSpec, Prices, Provider, Sampling, Server, Thinking, ThinkingSwitch,
};

/// A model with a name and nothing else.
fn named(name: &str, provider: Provider) -> ModelSpec {
    ModelSpec {
        name: "judge".to_owned(),
        provider,
        model: Some(name.to_owned()),
        revision: None,
        system: None,
        sampling: Sampling::default(),
        thinking: None,
        extra: Map::new(),
        context: None,
        tokenizer: None,
        reported: Vec::new(),
        limits: Limits::default(),
        prices: Prices::default(),
    }
}

fn server(url: &str) -> Server {
    Server {
        base_urls: vec![url.to_owned()],
        key: None,
    }
}

/// A model on a server of chat completions.
pub(super) fn openai(name: &str) -> ModelSpec {
    openai_at(name, "http://localhost:8000/v1")
}

/// The same at a url.
pub(super) fn openai_at(name: &str, url: &str) -> ModelSpec {
    named(name, Provider::OpenAi(server(url)))
}

/// A model of Anthropic's.
pub(super) fn anthropic(name: &str) -> ModelSpec {
    named(
        name,
        Provider::Anthropic(server("https://api.anthropic.com/v1")),
    )
}

/// The same model with a key.
pub(super) fn with_key(mut spec: ModelSpec, variable: &str) -> ModelSpec {
    match &mut spec.provider {
        Provider::OpenAi(server) | Provider::Anthropic(server) => {
            server.key = Some(variable.to_owned());
        }
        _ => {}
    }
    spec
}

/// A way to tell a model whether to think.
pub(super) fn thinking(on: bool, by: ThinkingSwitch) -> Thinking {
    let lines = ["/think".to_owned(), "/no_think".to_owned()];
    Thinking {
        on,
        by,
        lines: (by == ThinkingSwitch::System).then_some(lines),
        effort: None,
        budget: None,
        opened: false,
        tag: "think".to_owned(),
    }
}

/// A question of one prompt.
pub(super) fn question(prompt: &str) -> Question {
    conversation(&[(Role::User, prompt)])
}

/// A question of several messages.
pub(super) fn conversation(messages: &[(Role, &str)]) -> Question {
    let messages = messages.iter().map(|(role, content)| Message {
        role: *role,
        content: (*content).to_owned(),
    });
    Question {
        messages: messages.collect(),
        text: String::new(),
        columns: Vec::new(),
        metrics: Arc::from([]),
        repeat: 0,
        attempt: 0,
        schema: None,
    }
}

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
