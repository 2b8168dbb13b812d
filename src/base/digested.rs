//! The digest of a file's bytes, of which no more is in memory than a piece.

use std::io::{self, Read};

use super::key::Digest;

/// So much is read at once, in bytes: of a small file, and of one that turns out large.
const SMALL_PIECE: usize = 8 * 1024;
const PIECE: usize = 256 * 1024;

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
                hasher.update(&bytes[..read]);
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
const LINES: usize = 4 << 20;

/// Hands on what is left to read in pieces of whole lines, the last without an end perhaps. The digest of all, or where
/// `each` stopped.
///
/// # Errors
/// What reading says.
pub fn pieces<E>(
    file: &mut impl Read,
    each: &mut dyn FnMut(&[u8]) -> Result<(), E>,
) -> io::Result<Result<Digest, E>> {
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
        if end > 0
            && let Err(stopped) = each(&kept[..end])
        {
            return Ok(Err(stopped));
        }
        kept.drain(..end);
        if read == 0 {
            return Ok(Ok(Digest::from_bytes(*hasher.finalize().as_bytes())));
        }
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
