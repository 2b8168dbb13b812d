//! `tribunal view`: what it serves, and what is in the judgements that it serves.

mod documents;
mod elements;
mod marked;
mod missing;
mod opened;
mod prompts;
mod rows;
mod served;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use self::opened::Opened;
use crate::crash::signal;
use crate::lab::Lab;

/// A page that is served.
struct View {
    process: Child,
    port: u16,
}

/// An answer of the server.
struct Answer {
    status: u16,
    /// By names in lower case.
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

impl View {
    /// Serves the project of a lab.
    #[track_caller]
    fn of(lab: &Lab, args: &[&str]) -> Self {
        Self::start(&mut lab.command(&[&["view"], args].concat()))
    }

    #[track_caller]
    fn start(command: &mut Command) -> Self {
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(process.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://127.0.0.1:");
        let port = address.and_then(|rest| rest.strip_suffix('/')?.parse().ok());
        let Some(port) = port else {
            let mut said = String::new();
            let _ = process.stderr.take().unwrap().read_to_string(&mut said);
            panic!("it says `{line}` and {said}");
        };
        Self { process, port }
    }

    fn get(&self, path: &str) -> Answer {
        let host = format!("127.0.0.1:{}", self.port);
        self.ask(&format!("GET {path} HTTP/1.1\r\nhost: {host}\r\n"))
    }

    /// The answer to a request, without its last line.
    fn ask(&self, request: &str) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let request = format!("{request}connection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
        let body = answer.split_off(end.unwrap() + 4);
        let head = String::from_utf8(answer).unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap();
        let headers = lines.filter_map(|line| line.split_once(": "));
        Answer {
            status: status.parse().unwrap(),
            headers: headers
                .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
                .collect(),
            body,
        }
    }

    /// Stops it as a person does: the exit code, and what it said.
    fn stop(mut self) -> (Option<i32>, String) {
        signal(&self.process, "INT");
        let code = self.process.wait().unwrap().code();
        let mut said = String::new();
        let mut stderr = self.process.stderr.take().unwrap();
        stderr.read_to_string(&mut said).unwrap();
        (code, said)
    }
}

impl Drop for View {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The judgements of a lab's project, which was run.
#[track_caller]
fn judgements(lab: &Lab) -> Opened {
    Opened::of(&View::of(lab, &[]))
}
