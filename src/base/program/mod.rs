//! Programs of the user's that are handed lines and answer with lines: started, listened to, stopped.
//!
//! What is handed over goes through an unnamed file, so that a program may read as far ahead as it likes and the two never
//! wait for each other. Two threads listen: one to its answers, a few lines ahead; one to what it complains about, of which
//! the end is kept. A program leads a process group of its own, and whatever it started goes with it: when it fails, when
//! it is silent for too long, when the run is to stop, and when nobody wants it any more.
//!
//! What the lines mean is not known here.

mod listen;
mod process;
#[cfg(test)]
#[cfg(unix)]
mod tests;

use std::io;
use std::process::ExitStatus;
use std::time::Duration;

pub use self::process::Program;

/// How many bytes a line may have that belongs to no request.
pub const LINE: u64 = 64 * 1024;

/// How a program is run.
pub struct Run<'r> {
    /// The program and its arguments.
    pub command: &'r [String],
    /// How many bytes its answers may have: of the first line, the second and so on.
    pub lines: Vec<u64>,
    /// How long it may say nothing; any time, where there is no limit.
    pub patience: Option<Duration>,
    /// Whether the run is to stop.
    pub stop: &'r dyn Fn() -> bool,
}

/// Why there is no line.
#[derive(Debug)]
pub enum Trouble {
    /// There is no command.
    NoCommand,
    /// The program cannot be started.
    Start(io::Error),
    /// A file or a pipe between the two does not work.
    Talk(io::Error),
    /// It writes a line that is longer than this.
    Long(u64),
    /// It writes on after the last line that it should.
    More,
    /// It ended.
    Ended(ExitStatus),
    /// It said nothing for so long.
    Silent(Duration),
    /// The run is to stop.
    Stopped,
}

/// A program's complaints as they stand at the end of a message; nothing where there are none.
pub fn complained(complaints: &str) -> String {
    if complaints.is_empty() {
        return String::new();
    }
    format!("; it complained: `{complaints}`")
}
