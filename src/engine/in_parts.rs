//! A result in the cache that is read part by part. The whole is checked once and the parts are read later, so it is watched
//! meanwhile: what somebody writes to has another time from then on.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use fs_err::File;

use crate::base::key::Digest;
use crate::base::stamp::Stamp;
use crate::cache::NodeStore;
use crate::frame::{Frame, FrameError, Packed, Parted};
use crate::stage::Long;

/// A result that is stored in several parts.
pub struct InParts {
    parts: Parted<File>,
    /// The same file, to ask the system about it.
    file: File,
    /// What the system said of it before anything was read.
    stamp: Option<Stamp>,
}

impl std::fmt::Debug for InParts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} parts", self.parts.rows().len())
    }
}

impl InParts {
    /// Opens a result of which nothing is checked; nothing, if it has no several parts.
    pub(super) fn open(path: &Path) -> Option<Self> {
        let file = File::open(path).ok()?;
        let own = file.try_clone().ok()?;
        let stamp = Stamp::of_file(own.file());
        let parts = Parted::in_several(file)?;
        Some(Self {
            parts,
            file: own,
            stamp,
        })
    }

    /// Whether this is the result with that digest, and nobody has touched it since it was opened.
    pub(super) fn is(&self, output: &Digest, nodes: &NodeStore) -> bool {
        let checked = nodes.check(output);
        // By its number on the disk, too: what was checked is what is read.
        checked.is_ok_and(|checked| Stamp::of_file(checked.file()) == self.stamp)
            && self.is_untouched()
    }

    /// A result that is the one with that digest; what is damaged is to be read whole, and made again.
    pub(super) fn checked(output: &Digest, nodes: &NodeStore) -> Option<Self> {
        let parts = Self::open(&nodes.path_of(output))?;
        parts.is(output, nodes).then_some(parts)
    }

    /// Whether nobody has touched it since it was opened.
    pub(super) fn is_untouched(&self) -> bool {
        self.stamp.is_some() && Stamp::of_file(self.file.file()) == self.stamp
    }

    /// What was read, if it is what was opened.
    fn untouched<T>(&self, read: Result<T, FrameError>) -> Result<T, FrameError> {
        if self.is_untouched() {
            read
        } else {
            Err(FrameError::Changed(self.file.path().display().to_string()))
        }
    }

    /// How many rows each part has.
    pub fn rows(&self) -> &[usize] {
        self.parts.rows()
    }

    /// A part, by its place.
    ///
    /// # Errors
    /// When the file cannot be read, or was changed.
    pub fn part(&self, at: usize) -> Result<Frame, FrameError> {
        self.untouched(self.parts.part(at))
    }

    /// Some columns of a part, by its place: those of them that there are.
    ///
    /// # Errors
    /// The same.
    pub fn narrow_part(&self, at: usize, columns: &[&str]) -> Result<Frame, FrameError> {
        self.untouched(self.parts.narrow_part(at, columns))
    }

    /// Some columns of all parts, those of them that there are.
    ///
    /// # Errors
    /// The same.
    pub fn narrow(&self, columns: &BTreeSet<&str>) -> Result<Frame, FrameError> {
        self.untouched(self.parts.narrow(columns))
    }

    /// Writes it as a parquet file for other programs.
    ///
    /// # Errors
    /// The same, or when it cannot be written.
    pub fn write_for_others(&self, to: &mut impl Write) -> Result<(), FrameError> {
        self.untouched(self.parts.write_for_others(to))
    }
}

impl Long for InParts {
    fn rows(&self) -> &[usize] {
        self.parts.rows()
    }

    fn part(&self, at: usize) -> Result<Frame, FrameError> {
        self.part(at)
    }

    fn packed(&self, at: usize) -> Result<(Frame, Option<Packed>), FrameError> {
        let (rows, packed) = self.untouched(self.parts.packed(at))?;
        Ok((rows, Some(packed)))
    }

    fn some_rows(&self, at: usize, rows: &[usize]) -> Result<Frame, FrameError> {
        self.untouched(self.parts.some_rows(at, rows))
    }

    fn narrow_part(&self, at: usize, columns: &[&str]) -> Result<Frame, FrameError> {
        self.narrow_part(at, columns)
    }

    fn narrow(&self, columns: &BTreeSet<&str>) -> Result<Frame, FrameError> {
        self.narrow(columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::{ColumnData, ParquetStream};

    fn stored(nodes: &NodeStore) -> Digest {
        let text = |n: usize| format!("text {n} ").repeat(300);
        let part = |n| Frame::new(vec![("text".to_owned(), ColumnData::text([text(n)]))]).unwrap();
        let mut bytes = Vec::new();
        let mut stream = ParquetStream::begin(&mut bytes, &part(0)).unwrap();
        for n in 0..3 {
            stream
                .append(&part(n).to_parquet_quickly().unwrap())
                .unwrap();
        }
        stream.end().unwrap();
        nodes.restore(&bytes).unwrap();
        Digest::of(&bytes)
    }

    #[test]
    fn what_is_changed_while_it_is_read_is_not_read_on() {
        let folder = tempfile::tempdir().unwrap();
        let nodes = NodeStore::open(folder.path()).unwrap();
        let output = stored(&nodes);
        let parts = InParts::checked(&output, &nodes).unwrap();
        assert!(parts.part(2).is_ok() && parts.is(&output, &nodes));
        let path = nodes.path_of(&output);
        let bytes = fs_err::read(&path).unwrap();
        let at = memchr::memmem::find(&bytes, b"text 2").unwrap();
        let mut changed = bytes.clone();
        changed[at + 5] = b'7';
        fs_err::write(&path, &changed).unwrap();
        let said = parts.part(2).unwrap_err().to_string();
        assert!(said.contains("was changed while it was read"), "{said}");
        assert!(parts.narrow(&BTreeSet::from(["text"])).is_err());
        assert!(parts.write_for_others(&mut Vec::new()).is_err());
        assert!(!parts.is(&output, &nodes));
        assert!(InParts::checked(&output, &nodes).is_none());
        // Another file of that name is not the one that is read.
        nodes.restore(&bytes).unwrap();
        assert!(!parts.is(&output, &nodes));
        assert!(InParts::checked(&output, &nodes).is_some());
    }
}
