//! Tests of the server itself, over the wire.

mod answers;
mod batches;
mod counts;
mod faults;
mod limits;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Result, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use super::ChatServer;

/// How long a reply that should come is waited for.
const PATIENCE: Duration = Duration::from_secs(20);

/// What the tests give as their key.
const KEY: &str = "sk-0123456789";

/// A connection.
struct Client(BufReader<TcpStream>);

/// A response.
#[derive(Debug)]
struct Got {
    status: u16,
    headers: BTreeMap<String, String>,
    body: String,
}

impl Client {
    fn new(server: &ChatServer) -> Self {
        let url = server.url();
        let address = url.trim_start_matches("http://").trim_end_matches("/v1");
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Self(BufReader::new(stream))
    }

    fn send(&mut self, method: &str, path: &str, kind: &str, body: &str) -> Result<()> {
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer {KEY}\r\n\
             Anthropic-Version: 2023-06-01\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        self.0.get_mut().write_all(request.as_bytes())
    }

    fn ask(&mut self, body: &Value) -> Result<Got> {
        self.begin(body)?;
        self.receive()
    }

    /// Asks without waiting for the reply.
    fn begin(&mut self, body: &Value) -> Result<()> {
        let path = "/v1/chat/completions";
        self.send("POST", path, "application/json", &body.to_string())
    }

    fn receive(&mut self) -> Result<Got> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line)? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            match line.trim_end() {
                "" => break,
                line => lines.push(line.to_owned()),
            }
        }
        let headers: BTreeMap<String, String> = lines[1..]
            .iter()
            .map(|line| line.split_once(": ").unwrap())
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let mut body = vec![0; headers["content-length"].parse().unwrap()];
        self.0.read_exact(&mut body)?;
        Ok(Got {
            status: lines[0].split(' ').nth(1).unwrap().parse().unwrap(),
            headers,
            body: String::from_utf8(body).unwrap(),
        })
    }
}

impl Got {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// What an OpenAI-style model said.
    fn text(&self) -> String {
        let content = &self.json()["choices"][0]["message"]["content"];
        content.as_str().unwrap().to_owned()
    }
}

/// One request on a connection of its own.
fn call(server: &ChatServer, method: &str, path: &str, body: &str) -> Result<Got> {
    let mut client = Client::new(server);
    client.send(method, path, "application/json", body)?;
    client.receive()
}

fn get(server: &ChatServer, path: &str) -> Got {
    call(server, "GET", path, "").unwrap()
}

fn post(server: &ChatServer, path: &str, body: &Value) -> Got {
    call(server, "POST", path, &body.to_string()).unwrap()
}

fn ask(server: &ChatServer, body: &Value) -> Result<Got> {
    Client::new(server).ask(body)
}

/// An OpenAI-style question about the `n`-th text.
fn question(n: usize) -> Value {
    json!({"model": "judge", "messages": [
        {"role": "system", "content": "Be strict."},
        {"role": "user", "content": format!("Grade text number {n}, please.")},
    ]})
}

/// An Anthropic-style question about the `n`-th text.
fn message(n: usize) -> Value {
    json!({"model": "judge", "max_tokens": 100, "system": "Be strict.", "messages": [
        {"role": "user", "content": format!("Grade text number {n}, please.")},
    ]})
}
