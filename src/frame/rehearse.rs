//! Reading other people's parquet files, first in a process that may come to nothing.
//!
//! A few bytes of a parquet file can stand for any number of rows, whether it was made so or a byte of it was damaged:
//! decoders believe lengths inside of pages and ask for memory to match, and a process that asks for too much is ended
//! by its allocator, which no guard can catch. So this program is started once more, with a limit on its memory and its
//! time, and reads the file to its end. Where that goes well it is read here, which then takes no more. What was read may
//! still stand for more, see `foreign`. Results in the cache carry digests and need none of this.

use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::sync::OnceLock;

use super::{Frame, FrameError};
use crate::base::wording::size;

/// The hidden verb of the process that rehearses.
const VERB: &str = "__rehearse-parquet";

/// The memory that reading any file may take, in bytes.
const MEMORY: u64 = 512 << 20;

/// And so much more for every byte of the file.
const MEMORY_PER_BYTE: u64 = 64;

/// The processor time that reading any file may take, in seconds, and the bytes of the file for which there is one more.
const SECONDS: u64 = 60;
const BYTES_PER_SECOND: u64 = 1 << 20;

/// The program to start, which answers [`VERB`] with [`rehearsed`].
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Has [`Frame::from_foreign_parquet`] start this program, which must begin with [`rehearsed`]. Without one, files are
/// read right away.
pub fn rehearse_with(program: PathBuf) {
    let _ = PROGRAM.set(program);
}

/// The memory that a file of this length may take, in bytes: to be read, and for its cells, each by itself.
pub(super) fn memory_for(length: u64) -> u64 {
    MEMORY.saturating_add(length.saturating_mul(MEMORY_PER_BYTE))
}

/// Sees that a file can be read within the limits.
pub(super) fn rehearse(bytes: &[u8], columns: Option<&[&str]>) -> Result<(), FrameError> {
    let Some(program) = PROGRAM.get() else {
        return Ok(());
    };
    let length = bytes.len() as u64;
    let memory = memory_for(length);
    let seconds = SECONDS + length / BYTES_PER_SECOND;
    let started = Command::new(program)
        .arg(VERB)
        .args([memory.to_string(), seconds.to_string()])
        .args(
            columns
                .map(|_| "--")
                .into_iter()
                .chain(columns.into_iter().flatten().copied()),
        )
        .env_clear()
        // The stacks of threads that do nothing count as memory.
        .envs([
            ("POLARS_MAX_THREADS", "1"),
            ("RAYON_NUM_THREADS", "1"),
            // So does what the allocator holds on to, or asks for ahead, in KiB: which of the two it is differs by system.
            ("_RJEM_MALLOC_CONF", "retain:false"),
            ("MIMALLOC_ARENA_RESERVE", "1024"),
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    // Where no process can be started the file is read all the same: that it is harmless is likely.
    let Ok(mut child) = started else {
        return Ok(());
    };
    if let Some(mut input) = child.stdin.take() {
        // A process that ended early is asked below how it ended.
        let _ = input.write_all(bytes);
    }
    let Ok(ended) = child.wait_with_output() else {
        return Ok(());
    };
    if ended.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&ended.stderr);
    Err(why(&said, ended.status, memory, seconds))
}

fn why(said: &str, status: ExitStatus, memory: u64, seconds: u64) -> FrameError {
    if said.contains("memory allocation of") || said.contains("capacity overflow") {
        return FrameError::TooLarge(format!("more than {} of memory", size(memory)));
    }
    if was_out_of_time(status) {
        return FrameError::TooLarge(format!("more than {seconds} seconds"));
    }
    FrameError::Damaged("its parts do not fit together".to_owned())
}

#[cfg(unix)]
fn was_out_of_time(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    // Those of SIGXCPU and of SIGKILL, which follows where the first is not obeyed.
    matches!(status.signal(), Some(24 | 9))
}

#[cfg(not(unix))]
fn was_out_of_time(_: ExitStatus) -> bool {
    false
}

/// Answers the hidden verb, if the arguments are its: reads the file on standard input within the limits they name. A
/// file that is refused with a reason is refused again, with that reason, by who asked; so that is success, too.
pub fn rehearsed(arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let arguments: Vec<OsString> = arguments.collect();
    let [verb, memory, seconds, columns @ ..] = &*arguments else {
        return None;
    };
    if verb != VERB {
        return None;
    }
    let number = |text: &OsStr| text.to_str()?.parse::<u64>().ok();
    let (Some(memory), Some(seconds)) = (number(memory), number(seconds)) else {
        return Some(ExitCode::FAILURE);
    };
    limit(memory, seconds);
    let mut bytes = Vec::new();
    if std::io::stdin().lock().read_to_end(&mut bytes).is_err() {
        return Some(ExitCode::FAILURE);
    }
    let columns: Option<Vec<&str>> = columns
        .split_first()
        .map(|(_, names)| names.iter().filter_map(|name| name.to_str()).collect());
    let _ = Frame::from_parquet(bytes, columns.as_deref());
    Some(ExitCode::SUCCESS)
}

#[cfg(unix)]
fn limit(memory: u64, seconds: u64) {
    use nix::sys::resource::{Resource, setrlimit};
    // Data are what is allocated; the program itself and what threads set aside without using it are not among them.
    // Systems that know no such limit are left with the one on addresses, or none.
    #[cfg(target_os = "linux")]
    let _ = setrlimit(Resource::RLIMIT_DATA, memory, memory);
    #[cfg(not(target_os = "linux"))]
    let _ = setrlimit(Resource::RLIMIT_AS, memory, memory);
    let _ = setrlimit(Resource::RLIMIT_CPU, seconds, seconds.saturating_add(1));
    // What ends here is no crash that anybody wants to look into.
    let _ = setrlimit(Resource::RLIMIT_CORE, 0, 0);
}

#[cfg(not(unix))]
fn limit(_: u64, _: u64) {}
