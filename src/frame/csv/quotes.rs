//! Quotes that enclose cells of csv, and where records end.

use crate::frame::FrameError;

/// Where a place is: where a cell begins, in one without quotes, in a quoted one, behind a quote in a quoted one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum At {
    #[default]
    Start,
    Cell,
    Quoted,
    Closed,
}

/// Goes through csv, at once or piece by piece.
#[derive(Debug, Default)]
pub(super) struct Quotes {
    at: At,
    /// Where the last quote was opened.
    opened: usize,
    /// Behind the last line break that ends a record.
    ended: usize,
    /// How far it came.
    seen: usize,
}

/// A quote that does not enclose a whole cell.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// Something follows the one that closes it.
    Behind(usize),
    /// It stands within a cell.
    Within(usize),
}

impl Quotes {
    /// Goes on in `text`, of which the beginning was seen. Behind the last line break that ends a record.
    fn go_on(&mut self, text: &[u8]) -> Result<usize, Fault> {
        while let Some(&byte) = text.get(self.seen) {
            let place = self.seen;
            if self.at == At::Quoted && byte != b'"' {
                // Cells of texts are long.
                let next = memchr::memchr(b'"', &text[place..]);
                self.seen = next.map_or(text.len(), |next| place + next);
                continue;
            }
            self.at = match (self.at, byte) {
                (At::Quoted, _) => At::Closed,
                (At::Closed, b'"') => At::Quoted,
                (_, b',' | b'\r') => At::Start,
                (_, b'\n') => {
                    self.ended = place + 1;
                    At::Start
                }
                (At::Start, b'"') => {
                    self.opened = place;
                    At::Quoted
                }
                (At::Closed, _) => return Err(Fault::Behind(place)),
                (At::Cell, b'"') => return Err(Fault::Within(place)),
                _ => At::Cell,
            };
            self.seen += 1;
        }
        Ok(self.ended)
    }

    /// How many bytes of `text` are whole records, if its quotes enclose whole cells so far; the beginning was seen.
    pub(super) fn records(&mut self, text: &[u8]) -> Option<usize> {
        self.go_on(text).ok()
    }

    /// Forgets whole records.
    pub(super) fn forget(&mut self, bytes: usize) {
        self.seen -= bytes;
        self.opened = self.opened.saturating_sub(bytes);
        self.ended = 0;
    }

    /// Whether a quote is open.
    pub(super) fn is_open(&self) -> bool {
        self.at == At::Quoted
    }

    /// Refuses quotes that do not enclose whole cells. Such a quote is one that was forgotten or not doubled, and what it
    /// encloses may be many lines that nobody misses.
    pub(super) fn check(mut self, text: &str) -> Result<(), FrameError> {
        let line = |place: usize| 1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..place]).count();
        let (place, message) = match self.go_on(text.as_bytes()) {
            Ok(_) if !self.is_open() => return Ok(()),
            Ok(_) => (
                self.opened,
                "a quote is opened and never closed: close it, or double the quotes inside a cell"
                    .to_owned(),
            ),
            Err(Fault::Within(place)) => (
                place,
                "a quote stands in a cell that does not begin with one: quote the whole cell, and \
                 double the quotes inside of it"
                    .to_owned(),
            ),
            Err(Fault::Behind(place)) => {
                let next = text[place..].chars().next().unwrap_or_default();
                let opened = match line(self.opened) {
                    same if same == line(place) => String::new(),
                    other => format!(" which was opened in line {other}"),
                };
                let message = format!(
                    "`{}` follows the quote that closes the cell{opened}: double the quotes inside of a cell",
                    next.escape_debug(),
                );
                (place, message)
            }
        };
        Err(FrameError::Line {
            line: line(place) as u64,
            message,
        })
    }
}
