//! A table that is written into the cache while its rows come, so that no more of it is in memory than a part.

use std::io::{self, Write};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use super::outcome::{NodeError, failed};
use super::shared::Shared;
use crate::base::lock::lock;
use crate::cache::Blob;
use crate::frame::{Frame, FrameError, Packed, ParquetStream, Parted, aligned};

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
    pub(super) fn push(mut self, shared: &Shared, part: &Frame) -> Result<Self, NodeError> {
        if part.rows() == 0 {
            return Ok(self);
        }
        if !part.fits(&self.like) {
            let both = Frame::stack(&[self.like.clone(), part.emptied()])?;
            if !both.fits(&self.like) {
                self = self.widened(shared, &both)?;
            }
            return self.push_fitting(&aligned(part, &both)?);
        }
        self.push_fitting(part)
    }

    fn push_fitting(self, part: &Frame) -> Result<Self, NodeError> {
        let rows = part.rows();
        self.push_packed(&part.to_parquet_quickly()?, rows)
    }

    /// Adds a part of so many rows with the columns of the first one, packed.
    fn push_packed(mut self, part: &[u8], rows: usize) -> Result<Self, NodeError> {
        self.rows += rows as u64;
        self.stream.append(part)?;
        Ok(self)
    }

    /// The same rows with other columns.
    fn widened(self, shared: &Shared, like: &Frame) -> Result<Self, NodeError> {
        let mut wider = Self::begin(shared, like)?;
        let (blob, _) = self.end()?;
        let bytes = blob.read().map_err(|error| failed(error.in_full()))?;
        let parts = Parted::open(io::Cursor::new(bytes))?;
        for at in 0..parts.rows().len() {
            wider = wider.push_fitting(&aligned(&parts.part(at)?, like)?)?;
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

/// A table that is packed and written beside the work, so that its next rows are made meanwhile.
pub(super) struct Writing {
    parts: SyncSender<Part>,
    writer: JoinHandle<Result<Spill, NodeError>>,
    packing: Sender<Pack>,
    /// The columns of the first part, without a row; nothing, once there was a part with others.
    like: Option<Frame>,
}

/// A part on its way to the writer.
enum Part {
    Whole(Frame),
    /// So many rows that are being packed.
    Packing(usize, Receiver<Result<Vec<u8>, FrameError>>),
}

/// A part that is to be packed.
type Pack = Box<dyn FnOnce() + Send>;

/// How many threads pack. They stay until all is packed, and so does their memory.
const PACKERS: usize = 2;

impl Writing {
    /// Begins a table with the columns of `first`, of which no row is written yet.
    pub(super) fn begin(shared: &Arc<Shared>, first: &Frame) -> Result<Self, NodeError> {
        let mut spill = Spill::begin(shared, first)?;
        let shared = Arc::clone(shared);
        // No more is in memory than the part whose turn it is to be written, those that are packed meanwhile, and the one
        // that comes.
        let (parts, waiting) = mpsc::sync_channel(1);
        let writer = thread::spawn(move || {
            for part in waiting {
                spill = match part {
                    Part::Whole(part) => spill.push(&shared, &part)?,
                    Part::Packing(rows, packed) => {
                        let packed = packed.recv();
                        let packed = packed.map_err(|_| failed("packing the result broke off"))?;
                        spill.push_packed(&packed?, rows)?
                    }
                };
            }
            Ok(spill)
        });
        let (packing, waiting) = mpsc::channel::<Pack>();
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..PACKERS {
            let waiting = Arc::clone(&waiting);
            thread::spawn(move || {
                let next = || lock(&waiting).recv();
                while let Ok(pack) = next() {
                    pack();
                }
            });
        }
        Ok(Self {
            parts,
            writer,
            packing,
            like: Some(first.emptied()),
        })
    }

    /// Adds a part. What went wrong with one before it is said here or at the end.
    pub(super) fn push(self, part: Frame) -> Result<Self, NodeError> {
        self.push_over(part, None)
    }

    /// The same for a part that was made of rows `before`: what it holds as they do is not packed again.
    pub(super) fn push_over(
        mut self,
        part: Frame,
        before: Option<Packed>,
    ) -> Result<Self, NodeError> {
        // Once columns came to it, the writer alone knows which ones the table has.
        self.like = self.like.filter(|like| part.fits(like));
        let part = if self.like.is_some() && part.rows() > 0 {
            let rows = part.rows();
            let (done, packed) = mpsc::channel();
            // Where nobody packs or waits any more, the writer has failed and says so.
            let _ = self.packing.send(Box::new(move || {
                let _ = done.send(part.to_parquet_over(before.as_ref()));
            }));
            Part::Packing(rows, packed)
        } else {
            Part::Whole(part)
        };
        if self.parts.send(part).is_ok() {
            return Ok(self);
        }
        // The writer has stopped, which it does only when it fails.
        self.end()?;
        Err(failed("a part of the result was not written"))
    }

    /// The table with all parts that were added.
    pub(super) fn end(self) -> Result<Spill, NodeError> {
        drop(self.parts);
        let written = self.writer.join();
        written.unwrap_or_else(|_| Err(failed("writing the result broke off")))
    }
}
