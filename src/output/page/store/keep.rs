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
