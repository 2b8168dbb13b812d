//! The digest of a file's bytes, of which no more is in memory than a piece.

use std::io::{self, Read};
use std::sync::mpsc::{self, SyncSender};
use std::thread;

use super::key::Digest;

/// So much is read at once, in bytes: of a small file, and of one that turns out large.
const SMALL_PIECE: usize = 8 * 1024;
const PIECE: usize = 2 << 20;

/// From so many bytes on several threads are faster than one.
const SEVERAL: usize = 256 * 1024;

/// The digest of what is left to read.
///
/// # Errors
/// What reading says.
pub fn digest(file: &mut impl Read) -> io::Result<Digest> {
    let mut hasher = blake3::Hasher::new();
    // Most files are small, and there may be thousands: what is read into grows with what there is.
    let mut bytes = vec![0; SMALL_PIECE];
    loop {
        match file.read(&mut bytes) {
            Ok(0) => return Ok(Digest::from_bytes(*hasher.finalize().as_bytes())),
            Ok(read) => {
                if read < SEVERAL {
                    hasher.update(&bytes[..read]);
                } else {
                    hasher.update_rayon(&bytes[..read]);
                }
                if read == bytes.len() && read < PIECE {
                    bytes.resize(PIECE.min(4 * read), 0);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
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
        let reading = scope.spawn(move || read_lines(file, &ready));
        for piece in pieces {
            // Which also ends the reading.
            if let Err(stopped) = each(&piece) {
                return Ok(Err(stopped));
            }
        }
        let read = reading.join();
        read.unwrap_or_else(|_| Err(io::Error::other("reading broke off")))
            .map(Ok)
    })
}

/// Reads to the end, or until nobody takes what is read.
fn read_lines(file: &mut impl Read, ready: &SyncSender<Vec<u8>>) -> io::Result<Digest> {
    let mut hasher = blake3::Hasher::new();
    let mut kept = Vec::new();
    loop {
        let before = kept.len();
        let read = file.by_ref().take(LINES as u64).read_to_end(&mut kept)?;
        hasher.update(&kept[before..]);
        let end = match memchr::memrchr(b'\n', &kept[before..]) {
            _ if read == 0 => kept.len(),
            Some(at) => before + at + 1,
            // A line longer than that.
            None => continue,
        };
        let rest = kept.split_off(end);
        let gone = end > 0 && ready.send(kept).is_err();
        if read == 0 || gone {
            return Ok(Digest::from_bytes(*hasher.finalize().as_bytes()));
        }
        kept = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
