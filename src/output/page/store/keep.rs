//! Where packed chunks are kept while a page is made: the store knows their places and holds none of their bytes.

use std::io;

/// Something that takes bytes one after the other and gives them back from any place.
pub trait Keep {
    /// Adds bytes behind all that are there.
    ///
    /// # Errors
    /// When they cannot be kept.
    fn add(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// The bytes of a place.
    ///
    /// # Errors
    /// When they cannot be had, or there are not as many.
    fn read(&mut self, at: u64, length: usize) -> io::Result<Vec<u8>>;
}

impl Keep for Vec<u8> {
    fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.extend_from_slice(bytes);
        Ok(())
    }

    fn read(&mut self, at: u64, length: usize) -> io::Result<Vec<u8>> {
        let start = usize::try_from(at).unwrap_or(usize::MAX);
        let place = start..start.saturating_add(length);
        let bytes = self.get(place).ok_or(io::ErrorKind::UnexpectedEof)?;
        Ok(bytes.to_vec())
    }
}

/// What is kept, with how much there is of it and what went wrong first: nobody who puts a thing down has to ask.
#[derive(Debug)]
pub(super) struct Kept<K> {
    keep: K,
    length: u64,
    failed: Option<io::Error>,
}

impl<K: Keep> Kept<K> {
    pub(super) fn new(keep: K) -> Self {
        Self {
            keep,
            length: 0,
            failed: None,
        }
    }

    /// Adds bytes, and hands back where they begin.
    pub(super) fn add(&mut self, bytes: &[u8]) -> u64 {
        let at = self.length;
        if self.failed.is_none() {
            self.failed = self.keep.add(bytes).err();
        }
        self.length += bytes.len() as u64;
        at
    }

    /// All of it, or what went wrong.
    pub(super) fn end(self) -> io::Result<K> {
        match self.failed {
            Some(error) => Err(error),
            None => Ok(self.keep),
        }
    }
}
