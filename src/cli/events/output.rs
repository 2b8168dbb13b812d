//! Writing results to the standard output. What cannot be written is remembered, for a command must not end well then.

use std::io::{self, Write};
use std::sync::OnceLock;

/// What the system said when something could not be written; the first counts.
static LOST: OnceLock<String> = OnceLock::new();

/// Writes a result, with a line break at its end.
pub fn write_out(text: &str) {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let mut out = io::stdout();
    note(writeln!(out, "{text}").and_then(|()| out.flush()));
}

/// Takes note of how writing a result went.
pub fn note(written: io::Result<()>) {
    match written {
        // A reader that went away, as in `| head`, has seen enough, and is no reason to stop the work.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            LOST.get_or_init(|| error.to_string());
        }
        _ => {}
    }
}

/// Why some result could not be written, if so.
pub fn unwritten() -> Option<&'static str> {
    LOST.get().map(String::as_str)
}
