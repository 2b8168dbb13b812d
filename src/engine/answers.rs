//! Answers on their way into a table: they come in any order and are put away in that of the rows.
//!
//! The table of a model that is asked with prompts is written piece by piece, so that replies that
//! were read are not kept in memory; one of few rows, or of replies that are looked up or computed
//! anyway, is made whole.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use super::outcome::{NodeError, failed};
use super::product::{Product, Stored, label};
use super::shared::Shared;
use super::workers::blocking;
use crate::base::lock::lock;
use crate::cache::Blob;
use crate::frame::{Frame, ParquetStream};
use crate::plan::NodeId;
use crate::stage::{Answer, Counts, Output, Read, ReadsAnswers};

/// So many answers make a piece.
const PIECE: usize = 4096;

/// So many pieces may wait for their first answers: one that is long in coming must not stop the
/// others, nor may all others pile up behind it.
const AHEAD: usize = 8;

/// Answers that are not put away yet.
pub(super) struct Answers {
    shared: Arc<Shared>,
    id: NodeId,
    input: Arc<Frame>,
    repeats: usize,
    total: usize,
    /// How many answers make a piece; all, for a table that is made whole.
    piece: usize,
    /// The first answer that is not put away.
    front: usize,
    waiting: VecDeque<Option<(Answer, Read)>>,
    /// How many of the first piece are there.
    filled: usize,
    /// Nothing is put away any more: an answer will never come.
    given_up: bool,
    file: Option<File>,
}

/// The file that pieces go to.
struct File {
    stream: ParquetStream<Shelf>,
    shelf: Shelf,
    rows: u64,
    counts: Counts,
    warnings: Vec<String>,
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

impl Answers {
    /// For the answers about the rows of `input`.
    pub(super) fn new(
        shared: &Arc<Shared>,
        id: NodeId,
        input: Arc<Frame>,
        repeats: u32,
        whole: bool,
    ) -> Self {
        let repeats = repeats as usize;
        let total = input.rows() * repeats;
        let piece = (PIECE / repeats).max(1) * repeats;
        Self {
            shared: Arc::clone(shared),
            id,
            repeats,
            total,
            piece: if whole || total <= piece {
                total
            } else {
                piece
            },
            input,
            front: 0,
            waiting: VecDeque::new(),
            filled: 0,
            given_up: false,
            file: None,
        }
    }

    /// Whether the question of this number may be asked yet.
    pub(super) fn has_room(&self, index: usize) -> bool {
        index < self.front.saturating_add(self.piece.saturating_mul(AHEAD))
    }

    /// An answer will never come: what comes after it is forgotten.
    pub(super) fn give_up(&mut self) {
        self.given_up = true;
        self.waiting.clear();
        // There is room for all, so that all that is missing is found.
        self.piece = self.total.max(1);
    }

    /// Takes an answer.
    pub(super) async fn put(
        &mut self,
        index: usize,
        answer: (Answer, Read),
        reader: &Arc<dyn ReadsAnswers>,
    ) -> Result<(), NodeError> {
        if self.given_up {
            return Ok(());
        }
        let at = index - self.front;
        if self.waiting.len() <= at {
            self.waiting.resize_with(at + 1, || None);
        }
        self.waiting[at] = Some(answer);
        if at < self.piece {
            self.filled += 1;
        }
        while self.piece < self.total
            && self.filled == self.piece.min(self.total - self.front)
            && self.filled > 0
        {
            self.put_away(reader).await?;
        }
        Ok(())
    }

    /// The table, when all answers are there.
    pub(super) async fn end(
        mut self,
        reader: &Arc<dyn ReadsAnswers>,
    ) -> Result<Product, NodeError> {
        let Some(file) = self.file.take() else {
            let answers = self.waiting.into_iter().flatten().collect();
            return Ok(Product::Table(tabulate(reader, self.input, answers).await?));
        };
        let shelf = file.shelf;
        let stream = file.stream;
        blocking(move || stream.end()).await??;
        let blob = lock(&shelf.0)
            .take()
            .ok_or_else(|| failed("the result is gone"))?;
        Ok(Product::Stored(Box::new(Stored {
            blob,
            rows: file.rows,
            counts: file.counts,
            warnings: file.warnings,
        })))
    }

    /// Writes the first piece away.
    async fn put_away(&mut self, reader: &Arc<dyn ReadsAnswers>) -> Result<(), NodeError> {
        let taken: Vec<_> = self.waiting.drain(..self.filled).flatten().collect();
        let rows: Vec<usize> =
            (self.front / self.repeats..(self.front + self.filled) / self.repeats).collect();
        self.front += self.filled;
        let next = self.piece.min(self.total - self.front);
        let first = self.waiting.iter().take(next);
        self.filled = first.filter(|answer| answer.is_some()).count();
        let input = Arc::new(self.input.take(&rows)?);
        let output = tabulate(reader, input, taken).await?;
        let (shared, id) = (Arc::clone(&self.shared), self.id);
        let file = self.file.take();
        self.file = Some(blocking(move || append(&shared, id, file, output)).await??);
        Ok(())
    }
}

fn append(
    shared: &Shared,
    id: NodeId,
    file: Option<File>,
    output: Output,
) -> Result<File, NodeError> {
    let frame = label(output.frame, shared.plan.node(id))?;
    let mut file = match file {
        Some(file) => file,
        None => {
            let blob = shared
                .results
                .nodes
                .begin_blob()
                .map_err(|error| failed(error.in_full()))?;
            let shelf = Shelf(Arc::new(Mutex::new(Some(blob))));
            File {
                stream: ParquetStream::begin(shelf.clone(), &frame)?,
                shelf,
                rows: 0,
                counts: Counts::default(),
                warnings: Vec::new(),
            }
        }
    };
    file.rows += frame.rows() as u64;
    file.counts.add(&output.counts);
    for warning in output.warnings {
        if !file.warnings.contains(&warning) {
            file.warnings.push(warning);
        }
    }
    file.stream.push(frame)?;
    Ok(file)
}

async fn tabulate(
    reader: &Arc<dyn ReadsAnswers>,
    input: Arc<Frame>,
    answers: Vec<(Answer, Read)>,
) -> Result<Output, NodeError> {
    let reader = Arc::clone(reader);
    Ok(blocking(move || reader.tabulate(&input, answers)).await??)
}
