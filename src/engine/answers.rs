//! Answers on their way into a table: they come in any order and are put away in that of the rows.
//!
//! The table of a model that is asked with prompts is written piece by piece, so that replies that
//! were read are not kept in memory; one of few rows, or of replies that are looked up or computed
//! anyway, is made whole.

use std::collections::VecDeque;
use std::sync::Arc;

use super::outcome::{NodeError, failed};
use super::product::{Product, Stored, label};
use super::shared::Shared;
use super::spill::Spill;
use super::workers::blocking;
use crate::frame::Frame;
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
pub(super) struct File {
    spill: Spill,
    counts: Counts,
    warnings: Vec<String>,
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

    /// The same, where the rows of a longer table were answered before.
    pub(super) fn after(mut self, file: Option<File>) -> Self {
        self.file = file;
        self
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
        if self.file.is_some() {
            return product(self.file.take()).await;
        }
        let answers = self.waiting.into_iter().flatten().collect();
        Ok(Product::Table(tabulate(reader, self.input, answers).await?))
    }

    /// The file with all answers, when they are there.
    pub(super) async fn close(
        mut self,
        reader: &Arc<dyn ReadsAnswers>,
    ) -> Result<Option<File>, NodeError> {
        self.filled = self.waiting.len();
        if self.filled > 0 || self.file.is_none() {
            self.put_away(reader).await?;
        }
        Ok(self.file)
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

/// The table that was written.
pub(super) async fn product(file: Option<File>) -> Result<Product, NodeError> {
    let file = file.ok_or_else(|| failed("there are no rows"))?;
    let spill = file.spill;
    let (blob, rows) = blocking(move || spill.end()).await??;
    Ok(Product::Stored(Box::new(Stored {
        blob,
        rows,
        counts: file.counts,
        warnings: file.warnings,
    })))
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
        None => File {
            spill: Spill::begin(shared, &frame)?,
            counts: Counts::default(),
            warnings: Vec::new(),
        },
    };
    file.counts.add(&output.counts);
    for warning in output.warnings {
        if !file.warnings.contains(&warning) {
            file.warnings.push(warning);
        }
    }
    file.spill = file.spill.push(shared, &frame)?;
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
