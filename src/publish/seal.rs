//! The seal at the end of a page: what it was made from, how long it is, and what it begins with.
//!
//! A page whose seal is right was made from the same and is whole: it is left alone without being drawn. What people see is
//! in the first megabytes and checked byte for byte; of the compressed judgements behind, which nobody edits by hand and
//! which carry checks of their own, the length is.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::base::exit::Error;
use crate::base::key::Digest;
use crate::publish::whole::Pending;

/// How many bytes are checked.
const CHECKED: u64 = 16 << 20;

/// How the seal begins.
const OPENING: &str = "<!-- tribunal: made from ";

/// A digest of everything that a page is made from.
pub(super) struct Fingerprint(blake3::Hasher);

impl Fingerprint {
    /// Of nothing yet.
    pub(super) fn new() -> Self {
        Self(blake3::Hasher::new())
    }

    /// Adds a part; where one ends and the next begins counts too.
    pub(super) fn add(&mut self, part: impl AsRef<[u8]>) {
        let part = part.as_ref();
        self.0.update(&(part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    /// The digest of all parts.
    pub(super) fn digest(&self) -> Digest {
        Digest::from_bytes(*self.0.finalize().as_bytes())
    }
}

/// The seal of a page.
fn seal(made_from: &Digest, length: u64, beginning: &Digest) -> String {
    format!("{OPENING}{made_from}, {length} bytes, {beginning} -->\n")
}

/// Whether a page was made from this and is as it was written.
pub(super) fn is_whole(path: &Path, made_from: &Digest) -> bool {
    look(path, made_from).unwrap_or(false)
}

/// Whether a file is a page as it was written, whatever it was made from.
pub(super) fn is_sealed(path: &Path) -> bool {
    let sealed = || -> io::Result<bool> {
        let (end, _) = end(&mut File::open(path)?)?;
        let Some(at) = memchr::memmem::rfind(&end, OPENING.as_bytes()) else {
            return Ok(false);
        };
        let digest = end[at + OPENING.len()..].split(|byte| *byte == b',').next();
        let digest = digest.and_then(|digest| std::str::from_utf8(digest).ok()?.parse().ok());
        digest.map_or(Ok(false), |digest| look(path, &digest))
    };
    sealed().unwrap_or(false)
}

/// The last bytes of a file, as many as hold any seal, and how long the file is.
fn end(file: &mut File) -> io::Result<(Vec<u8>, u64)> {
    let all = file.metadata()?.len();
    // As long as any seal with these digests, and longer.
    let tail = all.min(512);
    file.seek(SeekFrom::End(-i64::try_from(tail).unwrap_or(0)))?;
    let mut end = Vec::new();
    file.read_to_end(&mut end)?;
    Ok((end, all))
}

fn look(path: &Path, made_from: &Digest) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let (end, all) = end(&mut file)?;
    let Some(at) = memchr::memmem::rfind(&end, OPENING.as_bytes()) else {
        return Ok(false);
    };
    let length = all - (end.len() - at) as u64;
    // Another one's page need not be read.
    if !end[at + OPENING.len()..].starts_with(made_from.to_string().as_bytes()) {
        return Ok(false);
    }
    file.rewind()?;
    let mut hasher = blake3::Hasher::new();
    let mut beginning = file.take(length.min(CHECKED));
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = beginning.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        hasher.update(&buffer[..read]);
    }
    let beginning = Digest::from_bytes(*hasher.finalize().as_bytes());
    Ok(&end[at..] == seal(made_from, length, &beginning).as_bytes())
}

/// Writes a page whole or not at all, bit by bit, with its seal.
pub(super) fn write(
    path: &Path,
    made_from: &Digest,
    draw: impl FnOnce(&mut Sealing<'_>) -> io::Result<()>,
) -> Result<(), Error> {
    let mut pending = Pending::begin(path)?;
    let mut sealing = Sealing {
        out: BufWriter::with_capacity(1 << 16, pending.file()),
        hasher: blake3::Hasher::new(),
        length: 0,
    };
    let written = draw(&mut sealing).and_then(|()| sealing.finish(made_from));
    written.map_err(|error| crate::publish::whole::failed(path, &error))?;
    pending.keep()
}

/// A page that is being written.
pub(super) struct Sealing<'f> {
    out: BufWriter<&'f mut File>,
    hasher: blake3::Hasher,
    length: u64,
}

impl Sealing<'_> {
    fn finish(mut self, made_from: &Digest) -> io::Result<()> {
        let beginning = Digest::from_bytes(*self.hasher.finalize().as_bytes());
        let seal = seal(made_from, self.length, &beginning);
        self.out.write_all(seal.as_bytes())?;
        self.out.flush()
    }
}

impl Write for Sealing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        let left = CHECKED.saturating_sub(self.length);
        let checked = usize::try_from(left).unwrap_or(usize::MAX).min(written);
        self.hasher.update(&bytes[..checked]);
        self.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index.html");
        write(&path, &Digest::of("this"), |out| {
            out.write_all(text.as_bytes())
        })
        .unwrap();
        (folder, path)
    }

    #[test]
    fn a_page_is_whole_if_it_was_made_from_the_same_and_nobody_touched_it() {
        let (_folder, path) = page("<p>4.75</p>");
        assert!(is_whole(&path, &Digest::of("this")));
        assert!(!is_whole(&path, &Digest::of("that")));
        assert!(!is_whole(&path.with_extension("gone"), &Digest::of("this")));
        assert!(is_sealed(&path));
        let text = fs_err::read_to_string(&path).unwrap();
        let changes = [
            text.replace("4.75", "4.95"),
            text.replace("4.75", "4.755"),
            text[..text.len() - 1].to_owned(),
            format!("{text} "),
            String::new(),
        ];
        for changed in changes {
            fs_err::write(&path, &changed).unwrap();
            assert!(!is_whole(&path, &Digest::of("this")), "{changed}");
            assert!(!is_sealed(&path), "{changed}");
        }
    }

    #[test]
    fn of_a_long_page_the_length_counts_where_the_bytes_do_not() {
        let (_folder, path) = page(&"x".repeat(17 << 20));
        assert!(is_whole(&path, &Digest::of("this")));
        let mut bytes = fs_err::read(&path).unwrap();
        bytes.remove(16 << 20);
        fs_err::write(&path, &bytes).unwrap();
        assert!(!is_whole(&path, &Digest::of("this")));
    }

    #[test]
    fn parts_are_told_apart() {
        let of = |parts: &[&str]| {
            let mut fingerprint = Fingerprint::new();
            for part in parts {
                fingerprint.add(part);
            }
            fingerprint.digest()
        };
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["ab"]), of(&["ab", ""]));
    }
}
