//! The seal at the end of a page: what it was made from, how long it is, and what it begins with.
//!
//! A page whose seal is right was made from the same and is whole: it is left alone without being drawn. What people see is
//! in the first megabytes and checked byte for byte; of the compressed judgements behind, which nobody edits by hand and
//! which carry checks of their own, the length is.
//!
//! Not even that is read of a page that was not touched since it was written: the last digits of the time at which it was are
//! set to some that follow from its seal and from the digits before. Whoever writes to it, whenever, sets others; a copy has
//! others too and is read. What is changed in place by programs that put the time back is not noticed.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::base::exit::Error;
use crate::base::key::{Digest, Digesting};
use crate::base::regular;
use crate::output::page;
use crate::publish::whole::Pending;

/// How many bytes are checked.
const CHECKED: u64 = 16 << 20;

/// How the seal begins.
const OPENING: &str = "<!-- tribunal: made from ";

/// A digest of everything that a page is made from.
#[derive(Default)]
pub(super) struct Fingerprint(Digesting);

impl Fingerprint {
    /// Of nothing but how this program draws pages.
    pub(super) fn of_pages() -> Self {
        let mut fingerprint = Self::default();
        fingerprint.add(page::VERSION.to_le_bytes());
        fingerprint.add(env!("CARGO_PKG_VERSION"));
        for part in page::drawn_with() {
            fingerprint.add(part);
        }
        fingerprint
    }

    /// Adds a part; where one ends and the next begins counts too.
    pub(super) fn add(&mut self, part: impl AsRef<[u8]>) {
        let part = part.as_ref();
        self.0.add(&(part.len() as u64).to_le_bytes());
        self.0.add(part);
    }

    /// The digest of all parts.
    pub(super) fn digest(self) -> Digest {
        self.0.end()
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
    sealed_by(path).is_some()
}

/// What a page that is as it was written was made from.
pub(super) fn sealed_by(path: &Path) -> Option<Digest> {
    let (end, _) = end(&mut regular::open(path).ok()?).ok()?;
    let at = memchr::memmem::rfind(&end, OPENING.as_bytes())?;
    let digest = end[at + OPENING.len()..]
        .split(|byte| *byte == b',')
        .next()?;
    let digest = std::str::from_utf8(digest).ok()?.parse().ok()?;
    is_whole(path, &digest).then_some(digest)
}

/// Where the seal of a file begins, if it has one.
pub(super) fn place(file: &mut File) -> io::Result<Option<u64>> {
    let (end, all) = end(file)?;
    let at = memchr::memmem::rfind(&end, OPENING.as_bytes());
    Ok(at.map(|at| all - (end.len() - at) as u64))
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
    let mut file = regular::open(path)?;
    let (end, all) = end(&mut file)?;
    let Some(at) = memchr::memmem::rfind(&end, OPENING.as_bytes()) else {
        return Ok(false);
    };
    let length = all - (end.len() - at) as u64;
    // Another one's page need not be read.
    let Some(beginning) = told(&end[at..], made_from, length) else {
        return Ok(false);
    };
    if is_marked(&file, &end[at..]) {
        return Ok(true);
    }
    file.rewind()?;
    let mut checked = Checked::default();
    let mut left = file.take(length.min(CHECKED));
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = left.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        checked.add(&buffer[..read]);
    }
    Ok(checked.beginning() == beginning)
}

/// What a seal says of the beginning, if it is one of what was made from this and is so long.
fn told(said: &[u8], made_from: &Digest, length: u64) -> Option<Digest> {
    let digest = said.rsplit(|byte| *byte == b',').next()?;
    let digest = std::str::from_utf8(digest)
        .ok()?
        .trim()
        .strip_suffix(" -->")?;
    let digest = digest.parse().ok()?;
    (seal(made_from, length, &digest).as_bytes() == said).then_some(digest)
}

/// So long, in nanoseconds, is the time in which a file is marked: whoever asks which of two files is newer is told right, unless
/// they were written at almost the same moment.
const MOMENT: u64 = 10_000_000;

/// Gives a file with this seal, all of which is written, the time that says so.
pub(super) fn mark(file: &File, seal: &[u8]) -> io::Result<()> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |now| u64::try_from(now.as_nanos()).unwrap_or(0));
    // Not in the future, whatever is drawn.
    let moment = (now / MOMENT).saturating_sub(1);
    let time = moment * MOMENT + drawn(moment, seal);
    file.set_modified(UNIX_EPOCH + Duration::from_nanos(time))
}

/// Whether a file has the time that it was given when it was written with this seal.
pub(super) fn is_marked(file: &File, seal: &[u8]) -> bool {
    let time = file.metadata().and_then(|about| about.modified()).ok();
    let time = time.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let nanos = time.and_then(|time| u64::try_from(time.as_nanos()).ok());
    nanos.is_some_and(|nanos| nanos % MOMENT == drawn(nanos / MOMENT, seal))
}

/// The nanoseconds of a moment that belong to a seal. Some file systems keep hundreds of them only.
fn drawn(moment: u64, seal: &[u8]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&moment.to_le_bytes());
    hasher.update(seal);
    let drawn = hasher.finalize().as_bytes().first_chunk().copied();
    // None at all is what is there where times are whole seconds.
    (u64::from_le_bytes(drawn.unwrap_or_default()) % (MOMENT / 100 - 1) + 1) * 100
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
        checked: Checked::default(),
    };
    let written = draw(&mut sealing).and_then(|()| sealing.finish(made_from));
    let seal = written.map_err(|error| crate::publish::whole::failed(path, &error))?;
    // Where times cannot be set the page is read.
    let _ = mark(pending.file(), seal.as_bytes());
    pending.keep()
}

/// A digest of what comes first of something that is written or read.
#[derive(Default)]
pub(super) struct Checked {
    digesting: Digesting,
    length: u64,
}

impl Checked {
    /// Adds what comes next.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        let left = CHECKED.saturating_sub(self.length);
        let checked = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len());
        self.digesting.add(&bytes[..checked]);
        self.length += bytes.len() as u64;
    }

    fn beginning(&self) -> Digest {
        self.digesting.clone().end()
    }

    /// The seal of what was added, if it was made from this.
    pub(super) fn seal(&self, made_from: &Digest) -> String {
        seal(made_from, self.length, &self.beginning())
    }
}

/// A page that is being written.
pub(super) struct Sealing<'f> {
    out: BufWriter<&'f mut File>,
    checked: Checked,
}

impl Sealing<'_> {
    /// Puts the seal behind it and hands it back.
    fn finish(mut self, made_from: &Digest) -> io::Result<String> {
        let seal = self.checked.seal(made_from);
        self.out.write_all(seal.as_bytes())?;
        self.out.flush()?;
        Ok(seal)
    }
}

impl Write for Sealing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.checked.add(&bytes[..written]);
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
    fn a_page_that_nobody_touched_is_not_read_and_a_copy_is() {
        let (_folder, path) = page("<p>4.75</p>");
        let changed = fs_err::read_to_string(&path).unwrap();
        let changed = changed.replace("4.75", "4.95");
        let copy = path.with_file_name("copy.html");
        fs_err::copy(&path, &copy).unwrap();
        assert!(is_whole(&copy, &Digest::of("this")));
        // Which is how it is known that it was not read.
        let time = fs_err::metadata(&path).unwrap().modified().unwrap();
        assert!(time < std::time::SystemTime::now());
        fs_err::write(&path, &changed).unwrap();
        assert!(!is_whole(&path, &Digest::of("this")));
        let file = File::options().write(true).open(&path).unwrap();
        file.set_modified(time).unwrap();
        assert!(is_whole(&path, &Digest::of("this")));
        file.set_modified(time + Duration::from_secs(1)).unwrap();
        assert!(!is_whole(&path, &Digest::of("this")));
        // The time of one page is not that of another.
        file.set_modified(time).unwrap();
        assert!(!is_whole(&path, &Digest::of("that")));
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
            let mut fingerprint = Fingerprint::default();
            for part in parts {
                fingerprint.add(part);
            }
            fingerprint.digest()
        };
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["ab"]), of(&["ab", ""]));
    }
}
