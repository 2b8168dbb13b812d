//! The rows that a stage asks about, of which a part is in memory at a time.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::asking::rehearse;
use super::outcome::NodeError;
use super::questions::Questions;
use super::ready;
use super::shared::Shared;
use super::workers::blocking;
use crate::base::key::Digest;
use crate::frame::{Frame, FrameError};
use crate::plan::NodeId;
use crate::stage::Long;

/// The rows that a stage asks about, part by part.
pub(super) struct Pages {
    shared: Arc<Shared>,
    id: NodeId,
    script: Option<Digest>,
    pub(super) long: Arc<dyn Long>,
    /// The first row of each part.
    starts: Vec<usize>,
    /// The part that was opened last, and its questions.
    opened: Option<(usize, Arc<Questions>)>,
    /// The parts whose prompts were rendered once.
    rehearsed: BTreeSet<usize>,
}

/// Rows by the part that they stand in: its first row, and their places in it.
type Apart = BTreeMap<usize, (usize, Vec<usize>)>;

impl Pages {
    /// Of a long table.
    pub(super) fn new(
        shared: &Arc<Shared>,
        id: NodeId,
        script: Option<Digest>,
        long: Arc<dyn Long>,
    ) -> Self {
        let mut end = 0;
        let starts = long.rows().iter().map(|rows| {
            end += rows;
            end - rows
        });
        Self {
            shared: Arc::clone(shared),
            id,
            script,
            starts: starts.collect(),
            long,
            opened: None,
            rehearsed: BTreeSet::new(),
        }
    }

    /// Of a table that is in memory, with the questions about it.
    pub(super) fn of_one(questions: &Arc<Questions>) -> Self {
        let (shared, id, script) = (&questions.shared, questions.id, questions.script);
        let frame = Arc::clone(questions.rows.frame());
        let whole = Arc::new(Whole([frame.rows()], frame));
        Self {
            opened: Some((0, Arc::clone(questions))),
            ..Self::new(shared, id, script, whole)
        }
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.long.rows().iter().sum()
    }

    /// The questions about a part. Its prompts are rendered before the first of them is sent.
    pub(super) async fn open(&mut self, at: usize) -> Result<Arc<Questions>, NodeError> {
        if let Some((part, questions)) = &self.opened
            && *part == at
        {
            return Ok(Arc::clone(questions));
        }
        // The part before goes out of memory first.
        self.opened = None;
        let part = blocking({
            let (shared, long, id) = (Arc::clone(&self.shared), Arc::clone(&self.long), self.id);
            move || ready::asked(shared.plan.node(id), Arc::new(long.part(at)?))
        })
        .await??;
        let mut questions = Questions::new(&self.shared, self.id, self.script, part).await?;
        questions.part = at;
        let questions = Arc::new(questions);
        if self.rehearsed.insert(at) {
            rehearse(&questions).await?;
        }
        self.opened = Some((at, Arc::clone(&questions)));
        Ok(questions)
    }

    /// These rows part by part, those of each in the order in which they come.
    pub(super) fn apart(&self, rows: impl Iterator<Item = usize>) -> Apart {
        let mut apart = Apart::new();
        for row in rows {
            let part = self.starts.partition_point(|start| *start <= row) - 1;
            let start = self.starts[part];
            let (_, rows) = apart.entry(part).or_insert((start, Vec::new()));
            rows.push(row - start);
        }
        apart
    }
}

/// A table that is in memory.
#[derive(Debug)]
struct Whole([usize; 1], Arc<Frame>);

impl Long for Whole {
    fn rows(&self) -> &[usize] {
        &self.0
    }

    fn part(&self, _: usize) -> Result<Frame, FrameError> {
        Ok(Frame::clone(&self.1))
    }

    fn narrow(&self, columns: &BTreeSet<&str>) -> Result<Frame, FrameError> {
        Ok(self.1.only(columns))
    }
}
