//! The rows that a stage asks about, of which no more than some megabytes are in memory at a time.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::breaker::Breaker;
use super::context::TooLong;
use super::outcome::NodeError;
use super::questions::Questions;
use super::ready;
use super::shared::Shared;
use super::workers::blocking;
use crate::base::key::Digest;
use crate::frame::{Frame, FrameError};
use crate::plan::NodeId;
use crate::stage::Long;

/// About so many bytes of rows are asked about together.
const PORTION: usize = 16 << 20;

/// The rows that a stage asks about.
pub(super) struct Portions {
    shared: Arc<Shared>,
    id: NodeId,
    script: Option<Digest>,
    pub(super) long: Arc<dyn Long>,
    /// The first row of each part.
    starts: Vec<usize>,
    /// What stops the asking about all of them.
    breaker: Arc<Breaker>,
    /// The questions about a table that is in memory.
    whole: Option<Arc<Questions>>,
    /// How many portions there were.
    taken: usize,
}

/// Questions about some rows.
pub(super) struct Portion {
    pub(super) questions: Arc<Questions>,
    /// Which of the questions' rows are meant.
    pub(super) asked: Vec<usize>,
    /// The numbers of the questions' rows in the whole table, where they are not the same.
    pub(super) rows: Option<Vec<usize>>,
}

/// Rows by the part that they stand in: its first row, and their places in it.
pub(super) type Apart = BTreeMap<usize, (usize, Vec<usize>)>;

impl Portions {
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
            breaker: Arc::default(),
            whole: None,
            taken: 0,
        }
    }

    /// Of a table that is in memory, with the questions about it.
    pub(super) fn of_one(questions: &Arc<Questions>) -> Self {
        let (shared, id, script) = (&questions.shared, questions.id, questions.script);
        let frame = Arc::clone(questions.rows.frame());
        let whole = Arc::new(Whole([frame.rows()], frame));
        Self {
            whole: Some(Arc::clone(questions)),
            ..Self::new(shared, id, script, whole)
        }
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.long.rows().iter().sum()
    }

    /// The rows of a part.
    pub(super) async fn table(&self, part: usize) -> Result<Arc<Frame>, NodeError> {
        if let Some(questions) = &self.whole {
            return Ok(Arc::clone(questions.rows.frame()));
        }
        let (shared, long, id) = (Arc::clone(&self.shared), Arc::clone(&self.long), self.id);
        let table = move || ready::asked(shared.plan.node(id), Arc::new(long.part(part)?));
        Ok(blocking(table).await??)
    }

    /// The questions about the rows of a part.
    pub(super) async fn part(&self, part: usize) -> Result<Arc<Questions>, NodeError> {
        match &self.whole {
            Some(questions) => Ok(Arc::clone(questions)),
            None => {
                let mut questions = self.questions(part, self.table(part).await?).await?;
                questions.rows = questions.rows.behind(self.starts[part]);
                Ok(Arc::new(questions))
            }
        }
    }

    async fn questions(&self, number: usize, table: Arc<Frame>) -> Result<Questions, NodeError> {
        let mut questions = Questions::new(&self.shared, self.id, self.script, table).await?;
        questions.part = number;
        questions.breaker = Arc::clone(&self.breaker);
        Ok(questions)
    }

    /// Questions about the first of these rows, which are taken away: all of them, or as many as make a portion. They are
    /// gathered from wherever they stand, so that as many calls are under way as there may be.
    pub(super) async fn take(&mut self, rows: &mut BTreeSet<usize>) -> Result<Portion, NodeError> {
        if let Some(questions) = &self.whole {
            return Ok(Portion {
                questions: Arc::clone(questions),
                asked: std::mem::take(rows).into_iter().collect(),
                rows: None,
            });
        }
        let (mut tables, mut numbers, mut bytes) = (Vec::new(), Vec::new(), 0);
        for (part, (start, here)) in self.apart(rows.iter().copied()) {
            if bytes >= PORTION {
                break;
            }
            numbers.extend(here.iter().map(|row| start + row));
            // Nothing of the part but these rows stays in memory.
            let (shared, long, id) = (Arc::clone(&self.shared), Arc::clone(&self.long), self.id);
            let some = move || {
                let rows = long.some_rows(part, &here)?;
                ready::asked(shared.plan.node(id), Arc::new(rows))
            };
            let some = Arc::unwrap_or_clone(blocking(some).await??);
            bytes += some.bytes();
            tables.push(some);
        }
        for row in &numbers {
            rows.remove(row);
        }
        let table = if tables.is_empty() {
            self.table(0).await?.emptied()
        } else {
            Frame::joined(&tables)?
        };
        self.taken += 1;
        Ok(Portion {
            questions: Arc::new(self.questions(self.taken, Arc::new(table)).await?),
            asked: (0..numbers.len()).collect(),
            rows: Some(numbers),
        })
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

    /// Renders all prompts as they will be, so that what is wrong with one, or that many do not fit, is known before the
    /// first is sent.
    pub(super) async fn rehearse(&self) -> Result<(), NodeError> {
        let mut long = TooLong::default();
        for part in 0..self.long.rows().len() {
            let questions = self.part(part).await?;
            long = blocking(move || {
                questions.shared.workers.compute(|| {
                    questions.rows.rehearse()?;
                    let (spec, gauge) = (&questions.asking.model, &questions.route.gauge);
                    long.look(&questions.rows, spec, gauge)
                })
            })
            .await??;
        }
        let asks = self.shared.plan.node(self.id).stage.asks();
        let refusal = asks.and_then(|asks| long.refusal(asks.model(), &asks.expected()));
        refusal.map_or(Ok(()), |refusal| Err(refusal.into()))
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
