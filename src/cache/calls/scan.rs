//! Finding the records of a segment, whatever has happened to it.
//!
//! Reads headers only, hopping from one to the next. Where no header stands it searches byte by
//! byte for the next one, so damage costs the record it hit and no other. Does not judge
//! payloads, and never writes.

use std::io;

use fs_err as fs;

use super::record::{HEADER, Header, MAGIC};
use crate::cache::disk;

/// How much is read at once, in bytes.
const WINDOW: usize = 64 * 1024;

/// What a scan meets, in the order of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// A record that is complete by its length.
    Record {
        /// Where it begins, in bytes from the start of the file.
        offset: u64,
        /// What its header says.
        header: Header,
    },
    /// A stretch where nothing can be recognised.
    Lost {
        /// Where it begins, in bytes from the start of the file.
        offset: u64,
        /// How long it is, in bytes.
        length: u64,
    },
}

/// Where a segment ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tail {
    /// Where a later scan has to begin to see what was added.
    pub(crate) resume: u64,
    /// Where a writer appends. Less than the length of the file exactly if the last record is
    /// incomplete: cutting it off is safe because nobody was told that it was stored, and needed
    /// because its length would lead readers past the records added after it.
    pub(crate) append: u64,
}

/// Reads the segment from byte `from`, which must be a start, a [`Tail::resume`] or 0.
pub(crate) fn scan(file: &fs::File, from: u64, found: &mut dyn FnMut(Found)) -> io::Result<Tail> {
    let size = file.metadata()?.len();
    let mut window = Window::new(file, size);
    let mut position = from;
    while position < size {
        let torn = Tail {
            resume: position,
            append: position,
        };
        let bytes = window.at(position)?;
        if bytes.len() < HEADER {
            return Ok(torn);
        }
        if let Some(header) = Header::read(bytes) {
            if position + header.length() > size {
                return Ok(torn);
            }
            found(Found::Record {
                offset: position,
                header,
            });
            position += header.length();
        } else if let Some(next) = search(&mut window, position + 1)? {
            found(Found::Lost {
                offset: position,
                length: next - position,
            });
            position = next;
        } else if blank(&mut window, position)? {
            // A file that grew before its bytes arrived: a power cut, or a slow network disk.
            return Ok(torn);
        } else {
            found(Found::Lost {
                offset: position,
                length: size - position,
            });
            // Only the last bytes can still become the beginning of a header.
            return Ok(Tail {
                resume: position.max(size - (HEADER as u64 - 1)),
                append: size,
            });
        }
    }
    Ok(Tail {
        resume: position,
        append: position,
    })
}

/// The first place at or after `from` where a header stands.
fn search(window: &mut Window<'_>, from: u64) -> io::Result<Option<u64>> {
    let mut position = from;
    loop {
        let bytes = window.at(position)?;
        if bytes.len() < HEADER {
            return Ok(None);
        }
        let starts = bytes.len() - HEADER + 1;
        let hit = (0..starts)
            .find(|&at| bytes[at..].starts_with(&MAGIC) && Header::read(&bytes[at..]).is_some());
        if let Some(at) = hit {
            return Ok(Some(position + at as u64));
        }
        position += starts as u64;
    }
}

/// Whether there are only zeros from `from` to the end.
fn blank(window: &mut Window<'_>, from: u64) -> io::Result<bool> {
    let mut position = from;
    loop {
        let bytes = window.at(position)?;
        if bytes.is_empty() {
            return Ok(true);
        }
        if bytes.iter().any(|&byte| byte != 0) {
            return Ok(false);
        }
        position += bytes.len() as u64;
    }
}

/// A piece of the file in memory.
struct Window<'f> {
    file: &'f fs::File,
    size: u64,
    base: u64,
    bytes: Vec<u8>,
}

impl<'f> Window<'f> {
    fn new(file: &'f fs::File, size: u64) -> Self {
        Self {
            file,
            size,
            base: 0,
            bytes: Vec::new(),
        }
    }

    /// What stands at `position`: at least a header's length, unless the file ends before.
    fn at(&mut self, position: u64) -> io::Result<&[u8]> {
        let left = self.size.saturating_sub(position);
        let wanted = left.min(HEADER as u64);
        let end = self.base + self.bytes.len() as u64;
        if position < self.base || position + wanted > end {
            self.bytes.resize(left.min(WINDOW as u64) as usize, 0);
            let read = disk::read_at(self.file, &mut self.bytes, position)?;
            self.bytes.truncate(read);
            self.base = position;
        }
        let skip = (position - self.base) as usize;
        Ok(self.bytes.get(skip..).unwrap_or_default())
    }
}
