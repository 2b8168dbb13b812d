//! The digest of a file's bytes, of which no more is in memory than a piece.

use std::io::{self, Read};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use super::key::{Digest, Digesting};

/// So much is read at once, in bytes: of a small file, and of one that turns out large.
const SMALL_PIECE: usize = 8 * 1024;
const PIECE: usize = 1 << 20;

/// The digest of what is left to read.
///
/// # Errors
/// What reading says.
pub fn digest(file: &mut (impl Read + Send)) -> io::Result<Digest> {
    let mut digesting = Digesting::default();
    // Most files are small, and there may be thousands: what is read into grows with what there is.
    let (mut bytes, mut room) = (Vec::new(), SMALL_PIECE);
    loop {
        bytes.clear();
        bytes.reserve_exact(room);
        let read = file.by_ref().take(room as u64).read_to_end(&mut bytes)?;
        digesting.add(&bytes);
        if read < room {
            return Ok(digesting.end());
        }
        if room == PIECE {
            return digest_long(file, digesting);
        }
        room = PIECE.min(4 * room);
    }
}

/// The digest of a long file from here on: its next piece is read while one is digested.
fn digest_long(file: &mut (impl Read + Send), mut digesting: Digesting) -> io::Result<Digest> {
    let (fill, empty) = mpsc::channel::<Vec<u8>>();
    let (filled, pieces) = mpsc::channel::<(Vec<u8>, usize)>();
    thread::scope(|scope| {
        let reading = scope.spawn(move || {
            for mut bytes in empty {
                let read = read_some(file, &mut bytes)?;
                if read == 0 || filled.send((bytes, read)).is_err() {
                    break;
                }
            }
            Ok(())
        });
        // No more is in memory than these.
        for _ in 0..3 {
            let _ = fill.send(vec![0; PIECE]);
        }
        for (bytes, read) in pieces {
            digesting.add(&bytes[..read]);
            // Nobody takes it once all is read.
            let _ = fill.send(bytes);
        }
        let read = reading.join();
        read.unwrap_or_else(|_| Err(broken_off()))?;
        Ok(digesting.end())
    })
}

fn read_some(file: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

fn broken_off() -> io::Error {
    io::Error::other("reading broke off")
}

/// About so many bytes are handed on at once.
const LINES: usize = 2 << 20;

/// Hands on what is left to read in pieces of whole lines, the last without an end perhaps; the next piece is read while
/// one is worked on. The digest of all, or where `each` stopped.
///
/// # Errors
/// What reading says.
pub fn pieces<E>(
    file: &mut (impl Read + Send),
    each: &mut dyn FnMut(&[u8]) -> Result<(), E>,
) -> io::Result<Result<Digest, E>> {
    thread::scope(|scope| {
        // Nothing is kept in the channel: a piece that was read waits until it is taken.
        let (ready, pieces) = mpsc::sync_channel(0);
        let (done, empty) = mpsc::channel();
        let reading = scope.spawn(move || read_lines(file, &ready, &empty));
        for piece in pieces {
            // Which also ends the reading.
            if let Err(stopped) = each(&piece) {
                return Ok(Err(stopped));
            }
            // Nobody takes it once all is read.
            let _ = done.send(piece);
        }
        let read = reading.join();
        read.unwrap_or_else(|_| Err(broken_off())).map(Ok)
    })
}

/// Reads to the end, or until nobody takes what is read, into what is empty again.
fn read_lines(
    file: &mut impl Read,
    ready: &SyncSender<Vec<u8>>,
    empty: &Receiver<Vec<u8>>,
) -> io::Result<Digest> {
    let mut digesting = Digesting::default();
    let mut kept = Vec::new();
    loop {
        let before = kept.len();
        // And some more to see the end by, so that nothing is moved for it.
        kept.reserve(LINES + 32);
        let read = file.by_ref().take(LINES as u64).read_to_end(&mut kept)?;
        digesting.add(&kept[before..]);
        let end = match memchr::memrchr(b'\n', &kept[before..]) {
            _ if read == 0 => kept.len(),
            Some(at) => before + at + 1,
            // A line longer than that.
            None => continue,
        };
        let mut rest = empty.try_recv().unwrap_or_default();
        rest.clear();
        rest.extend_from_slice(&kept[end..]);
        kept.truncate(end);
        let gone = end > 0 && ready.send(kept).is_err();
        if read == 0 || gone {
            return Ok(digesting.end());
        }
        kept = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_of_a_file_is_that_of_its_bytes_however_they_are_read() {
        /// Gives some bytes at a time.
        struct Slow<'a>(&'a [u8], usize);
        impl Read for Slow<'_> {
            fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
                let most = into.len().min(self.1);
                self.0.read(&mut into[..most])
            }
        }
        for length in [0, 1, SMALL_PIECE, PIECE - 1, 2 * PIECE, 7 * PIECE + 5] {
            let bytes: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
            for step in [usize::MAX, PIECE, 4_000] {
                let found = digest(&mut Slow(&bytes, step)).unwrap();
                assert_eq!(found, Digest::of(&bytes), "{length} {step}");
            }
        }
    }

    #[test]
    fn a_file_that_cannot_be_read_to_its_end_has_no_digest() {
        /// As many bytes as were asked for, until so many were read.
        struct Broken(usize);
        impl Read for Broken {
            fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
                self.0 = self.0.checked_sub(into.len()).ok_or_else(broken_off)?;
                Ok(into.len())
            }
        }
        for after in [0, SMALL_PIECE, 5 * PIECE] {
            assert!(digest(&mut Broken(after)).is_err(), "{after}");
        }
    }

    #[test]
    fn pieces_are_whole_lines_and_all_of_the_file() {
        let long = "x".repeat(LINES + 7);
        for text in [
            String::new(),
            "a\nb".to_owned(),
            format!("a\n{long}\nb\n"),
            format!("{long}{long}"),
            format!("{}\n", "y\n".repeat(LINES)),
        ] {
            let mut found = Vec::new();
            let digest = pieces(&mut text.as_bytes(), &mut |piece: &[u8]| {
                found.push(piece.to_vec());
                Ok::<_, ()>(())
            });
            assert_eq!(digest.unwrap(), Ok(Digest::of(&text)));
            assert!(found.concat() == text.as_bytes());
            found.pop();
            assert!(found.iter().all(|piece| piece.ends_with(b"\n")));
        }
    }
}
