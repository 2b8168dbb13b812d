//! Texts that lie on the disk while a run goes on, and take no memory: in a file without a name, which is gone when nobody
//! holds it, however that comes about.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use fs_err as fs;

use super::disk::read_at;

/// So many bytes are written at once.
const AT_ONCE: usize = 1 << 20;

/// Texts that were set aside.
#[derive(Debug)]
pub struct Aside {
    file: fs::File,
    /// Where each ends.
    ends: Vec<u64>,
}

impl Aside {
    /// Sets texts aside, in a folder that is there.
    ///
    /// # Errors
    /// When the file cannot be written, or could not be read by several at once.
    pub fn of<'t>(folder: &Path, texts: impl Iterator<Item = Cow<'t, str>>) -> io::Result<Self> {
        if !cfg!(unix) {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let file = tempfile::tempfile_in(folder)?;
        let mut to = BufWriter::with_capacity(AT_ONCE, &file);
        let (mut end, mut ends) = (0, Vec::new());
        for text in texts {
            to.write_all(text.as_bytes())?;
            end += text.len() as u64;
            ends.push(end);
        }
        to.flush()?;
        drop(to);
        let file = fs::File::from_parts(file, folder);
        Ok(Self { file, ends })
    }

    /// The text at a place.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn text(&self, at: usize) -> io::Result<String> {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        let length = (self.ends[at] - start) as usize;
        let mut bytes = vec![0; length];
        if read_at(&self.file, &mut bytes, start)? < length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        String::from_utf8(bytes).map_err(|_| io::ErrorKind::InvalidData.into())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn texts_that_were_set_aside_are_read_one_by_one_and_leave_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let texts = ["one", "", "é—\u{1F600}", "", "the last"];
        let aside = Aside::of(folder.path(), texts.into_iter().map(Cow::from)).unwrap();
        for at in (0..texts.len()).rev() {
            assert_eq!(aside.text(at).unwrap(), texts[at]);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        assert!(Aside::of(&folder.path().join("gone"), std::iter::empty()).is_err());
    }
}
