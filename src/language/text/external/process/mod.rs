//! Drives the program that annotates: starts it, hands it the texts, reads its replies.
//!
//! Texts and complaints go through unnamed files, and only the replies through a pipe. So there is
//! no thread, and the two programs cannot wait for each other, however much either writes and
//! whether or not the other reads it. It costs a copy of the texts on disk while the program runs.
//!
//! There is no time limit: a model may take minutes to load, and a slow one hours to answer. The
//! program stays in the terminal's foreground, so that Ctrl-C reaches it too; on an error it is
//! killed. Where it is a wrapper that starts another program, only the wrapper is: the other ends
//! when it next tries to write.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};

use super::error::{ExternalError, Failure};
use super::reply::{check_greeting, decode};
use super::{Want, encode};
use crate::language::text::Annotations;

/// The longest line that is read, in bytes: so much, and so much again for each byte of the text. A
/// word, a sentence and an entity for each character take fewer.
const LINE: u64 = 64 * 1024;
const LINE_PER_BYTE: u64 = 128;

/// How much of the end of what the program complains about is read, in bytes.
const COMPLAINTS: u64 = 4 * 1024;

/// How many lines of it a message quotes.
const COMPLAINT_LINES: usize = 3;

/// What the program said about all the texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotated {
    /// The annotations, one for each text, in the order of the texts.
    pub documents: Vec<Annotations>,
    /// How often it gave an entity a label that is unknown here, such as `PER`.
    pub ignored: BTreeMap<String, usize>,
    /// How often it gave a word a tag that the Penn Treebank does not have, such as `VERB`.
    pub foreign: BTreeMap<String, usize>,
}

/// Has a program annotate texts; `declared` is the name and version that its greeting must give.
/// Where there are no texts it is not started.
pub fn annotate(
    command: &[String],
    declared: &str,
    texts: &[&str],
    want: Want,
) -> Result<Annotated, ExternalError> {
    if texts.is_empty() {
        return Ok(Annotated::default());
    }
    let mut program = Program::start(command, texts, want)?;
    let greeting = program.line(LINE)?;
    check_greeting(&greeting, declared).map_err(|error| program.failed(error))?;
    let mut annotated = Annotated::default();
    for (document, text) in texts.iter().enumerate() {
        let limit = LINE.saturating_add(LINE_PER_BYTE.saturating_mul(text.len() as u64));
        let line = program.line(limit)?;
        let reply = decode(&line, document, text, want).map_err(|error| program.failed(error))?;
        program.answered += 1;
        annotated.documents.push(reply.annotations);
        for (all, of_one) in [
            (&mut annotated.ignored, reply.ignored),
            (&mut annotated.foreign, reply.foreign),
        ] {
            for (label, times) in of_one {
                *all.entry(label).or_default() += times;
            }
        }
    }
    program.finish()?;
    Ok(annotated)
}

/// A program under way, which is killed when it is dropped.
struct Program {
    command: String,
    child: Child,
    replies: BufReader<ChildStdout>,
    complaints: File,
    asked: usize,
    answered: usize,
}

impl Program {
    fn start(command: &[String], texts: &[&str], want: Want) -> Result<Self, ExternalError> {
        let [program, arguments @ ..] = command else {
            return Err(ExternalError::NoCommand);
        };
        let command = command.join(" ");
        let talk = |problem| ExternalError::Talk {
            command: command.clone(),
            problem,
        };
        let requests = requests(texts, want).map_err(talk)?;
        let complaints = tempfile::tempfile().map_err(talk)?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(requests)
            .stdout(Stdio::piped())
            .stderr(complaints.try_clone().map_err(talk)?)
            .spawn()
            .map_err(|problem| ExternalError::Start {
                program: program.clone(),
                problem,
            })?;
        let Some(replies) = child.stdout.take() else {
            return Err(talk(io::ErrorKind::BrokenPipe.into()));
        };
        Ok(Self {
            command,
            child,
            replies: BufReader::new(replies),
            complaints,
            asked: texts.len(),
            answered: 0,
        })
    }

    /// The next line, which must be there and at most `limit` bytes long.
    fn line(&mut self, limit: u64) -> Result<Vec<u8>, ExternalError> {
        let mut line = Vec::new();
        (&mut self.replies)
            .take(limit)
            .read_until(b'\n', &mut line)
            .map_err(|problem| self.broken(problem))?;
        if line.ends_with(b"\n") {
            return Ok(line);
        }
        if line.len() as u64 == limit {
            let answered = self.answered;
            return Err(self.failed(Failure::LongLine { limit, answered }));
        }
        // A line without an end is what a program leaves that dies while it writes.
        let status = self.wait()?;
        Err(self.ended(status))
    }

    /// Sees that it says no more and ends well.
    fn finish(mut self) -> Result<(), ExternalError> {
        let more = self
            .replies
            .fill_buf()
            .map(|bytes| !bytes.is_empty())
            .map_err(|problem| self.broken(problem))?;
        if more {
            let asked = self.asked;
            return Err(self.failed(Failure::TooMany { asked }));
        }
        let status = self.wait()?;
        if status.success() {
            return Ok(());
        }
        Err(self.ended(status))
    }

    /// Waits for its end, which it has announced by closing its output.
    fn wait(&mut self) -> Result<ExitStatus, ExternalError> {
        self.child.wait().map_err(|problem| self.broken(problem))
    }

    fn ended(&mut self, status: ExitStatus) -> ExternalError {
        let (answered, asked) = (self.answered, self.asked);
        self.failed(Failure::Ended {
            status,
            answered,
            asked,
        })
    }

    /// Stops it, and says why.
    fn failed(&mut self, failure: impl Into<Failure>) -> ExternalError {
        // Before its complaints are read: the place in that file is shared with it.
        self.stop();
        ExternalError::Failed {
            command: self.command.clone(),
            failure: failure.into(),
            complaints: self.complaints(),
        }
    }

    fn stop(&mut self) {
        // Both fail where it has ended already, which is what they are for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    fn broken(&self, problem: io::Error) -> ExternalError {
        ExternalError::Talk {
            command: self.command.clone(),
            problem,
        }
    }

    /// The last lines of its standard error, as they stand at the end of a message; nothing where
    /// there are none. Failing to read them is no reason to hide the error they belong to.
    fn complaints(&mut self) -> String {
        let end = last_bytes(&mut self.complaints, COMPLAINTS).unwrap_or_default();
        let end = String::from_utf8_lossy(&end);
        let lines: Vec<&str> = end
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        let last = &lines[lines.len().saturating_sub(COMPLAINT_LINES)..];
        if last.is_empty() {
            return String::new();
        }
        format!("; it complained: `{}`", last.join(" / "))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.stop();
    }
}

/// All requests in a file without a name, to be read from its start.
fn requests(texts: &[&str], want: Want) -> io::Result<File> {
    let mut file = BufWriter::new(tempfile::tempfile()?);
    for (id, text) in texts.iter().enumerate() {
        encode(&mut file, id, text, want)?;
    }
    file.flush()?;
    let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.rewind()?;
    Ok(file)
}

/// The end of a file, at most `most` bytes.
fn last_bytes(file: &mut File, most: u64) -> io::Result<Vec<u8>> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(most)))?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
