//! Listening to a program: its answers line by line, and the end of its complaints.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::LINE;
use crate::base::lock::lock;

/// So many lines are read ahead.
const AHEAD: usize = 16;

/// How much of the end of what a program complains about is kept, in bytes.
const KEPT: usize = 4 * 1024;

/// How many lines of it a message quotes, and how many characters of each.
const QUOTED: usize = 3;
const QUOTED_LINE: usize = 300;

/// How long the end of a program's complaints is waited for, once it is stopped: what it started and let go of may hold
/// the pipe open.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// What is heard.
pub(super) enum Heard {
    /// A line, with its end.
    Line(Vec<u8>),
    /// So many bytes without the end of a line.
    Long(u64),
    /// The output was closed. A line without an end is what a program leaves that dies while it writes.
    End,
    /// The pipe is broken.
    Broken(io::Error),
}

/// Listens to answers; the lines may be so long.
pub(super) fn answers(
    output: impl Read + Send + 'static,
    limits: Vec<u64>,
) -> io::Result<Receiver<Heard>> {
    let (to, from) = sync_channel(AHEAD);
    thread::Builder::new().spawn(move || read(output, &limits, &to))?;
    Ok(from)
}

fn read(output: impl Read, limits: &[u64], to: &SyncSender<Heard>) {
    let mut output = BufReader::new(output);
    let mut limits = limits.iter().copied();
    loop {
        let limit = limits.next().unwrap_or(LINE);
        let mut line = Vec::new();
        let heard = match (&mut output).take(limit).read_until(b'\n', &mut line) {
            Err(problem) => Heard::Broken(problem),
            Ok(_) if line.ends_with(b"\n") => Heard::Line(line),
            Ok(_) if line.len() as u64 == limit => Heard::Long(limit),
            Ok(_) => Heard::End,
        };
        let last = !matches!(heard, Heard::Line(_));
        // Nobody listens any more, or there is nothing more to hear.
        if to.send(heard).is_err() || last {
            return;
        }
    }
}

/// The end of a program's complaints, which are read however many there are.
pub(super) struct Complaints {
    kept: Arc<Mutex<Vec<u8>>>,
    over: Receiver<()>,
}

impl Complaints {
    pub(super) fn of(mut errors: impl Read + Send + 'static) -> io::Result<Self> {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let (end, over) = sync_channel(1);
        let shelf = Arc::clone(&kept);
        thread::Builder::new().spawn(move || {
            let mut piece = [0; 2 * KEPT];
            while let Ok(length @ 1..) = errors.read(&mut piece) {
                let mut kept = lock(&shelf);
                kept.extend_from_slice(&piece[..length]);
                let spare = kept.len().saturating_sub(KEPT);
                kept.drain(..spare);
            }
            drop(end);
        })?;
        Ok(Self { kept, over })
    }

    /// The last lines, of a program that is stopped; empty where there are none.
    pub(super) fn last(&self) -> String {
        // Nothing is ever sent: the thread's end is what is waited for.
        let (Ok(()) | Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected)) =
            self.over.recv_timeout(LAST_WORDS);
        let kept = lock(&self.kept);
        let text = String::from_utf8_lossy(&kept);
        let lines: Vec<&str> = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        let last = lines[lines.len().saturating_sub(QUOTED)..].iter();
        let last: Vec<String> = last.map(|line| end_of(line)).collect();
        last.join(" / ")
    }
}

/// The end of a line, where what went wrong usually stands.
fn end_of(line: &str) -> String {
    let length = line.chars().count();
    if length <= QUOTED_LINE {
        return line.to_owned();
    }
    let end: String = line.chars().skip(length - QUOTED_LINE).collect();
    format!("…{end}")
}
