//! Asking a program that may never answer.

use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How long is waited between two looks at whether it has ended.
const LOOK: Duration = Duration::from_millis(2);

/// What came of a command.
pub(super) enum Answer {
    Said(Vec<u8>),
    Failed,
    Late,
}

/// What a command writes, if it ends well and within `patience`; else it is ended.
pub(super) fn answer(command: &mut Command, patience: Duration) -> Answer {
    let until = Instant::now() + patience;
    let command = command.stdin(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = command.stdout(Stdio::piped()).spawn() else {
        return Answer::Failed;
    };
    let (send, written) = mpsc::channel();
    if let Some(mut out) = child.stdout.take() {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let read = out.read_to_end(&mut bytes);
            // Who asked may be gone.
            let _ = send.send(read.map(|_| bytes));
        });
    }
    let bytes = written.recv_timeout(patience);
    let mut ended = child.try_wait().unwrap_or_default();
    while bytes.is_ok() && ended.is_none() && Instant::now() < until {
        std::thread::sleep(LOOK);
        ended = child.try_wait().unwrap_or_default();
    }
    match (ended, bytes) {
        (Some(status), Ok(Ok(bytes))) if status.success() => Answer::Said(bytes),
        (Some(_), _) => Answer::Failed,
        (None, _) => {
            let _ = child.kill();
            let _ = child.wait();
            Answer::Late
        }
    }
}
