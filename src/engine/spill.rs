//! A table that is written into the cache while its rows come, so that no more of it is in memory than a part.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use super::outcome::{NodeError, failed};
use super::shared::Shared;
use crate::base::lock::lock;
use crate::cache::Blob;
use crate::frame::{Frame, FrameError, ParquetStream, Parted, aligned};

/// A table on its way into the cache.
pub(super) struct Spill {
    stream: ParquetStream<Shelf>,
    shelf: Shelf,
    /// Its columns, without a row.
    like: Frame,
    rows: u64,
}

/// The blob that is written to, shared with the writer of parquet, which does not give it back.
#[derive(Clone)]
struct Shelf(Arc<Mutex<Option<Blob>>>);

impl Write for Shelf {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut blob = lock(&self.0);
        match &mut *blob {
            Some(blob) => blob.write(bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Spill {
    /// Begins a table with the columns of `first`, of which no row is written yet.
    pub(super) fn begin(shared: &Shared, first: &Frame) -> Result<Self, NodeError> {
        let blob = shared.results.nodes.begin_blob();
        let blob = blob.map_err(|error| failed(error.in_full()))?;
        let shelf = Shelf(Arc::new(Mutex::new(Some(blob))));
        Ok(Self {
            stream: ParquetStream::begin(shelf.clone(), first)?,
            shelf,
            like: first.emptied(),
            rows: 0,
        })
    }

    /// Adds a part. One with a column that those before lack has them written once more, with the column.
    pub(super) fn push(mut self, shared: &Shared, part: Frame) -> Result<Self, NodeError> {
        if part.rows() == 0 {
            return Ok(self);
        }
        if !part.fits(&self.like) {
            let both = Frame::stack(&[self.like.clone(), part.emptied()])?;
            if !both.fits(&self.like) {
                self = self.widened(shared, &both)?;
            }
            return self.push_fitting(aligned(&part, &both)?);
        }
        self.push_fitting(part)
    }

    fn push_fitting(mut self, part: Frame) -> Result<Self, NodeError> {
        self.rows += part.rows() as u64;
        self.stream.push(part)?;
        Ok(self)
    }

    /// The same rows with other columns.
    fn widened(self, shared: &Shared, like: &Frame) -> Result<Self, NodeError> {
        let mut wider = Self::begin(shared, like)?;
        let (blob, _) = self.end()?;
        let bytes = blob.read().map_err(|error| failed(error.in_full()))?;
        let parts = Parted::open(io::Cursor::new(bytes))?;
        for at in 0..parts.rows().len() {
            wider = wider.push_fitting(aligned(&parts.part(at)?, like)?)?;
        }
        Ok(wider)
    }

    /// The bytes, and how many rows they are.
    pub(super) fn end(self) -> Result<(Blob, u64), NodeError> {
        self.stream.end()?;
        let blob = lock(&self.shelf.0).take();
        let gone = || FrameError::Damaged("the result is gone".to_owned());
        Ok((blob.ok_or_else(gone)?, self.rows))
    }
}
