//! The rows that judges read: whole where they are few, and part by part where they are many.

use std::sync::{Arc, OnceLock};

use crate::engine::{Engine, Judged, Run, Stored};
use crate::frame::Frame;
use crate::plan::NodeId;

/// The rows of a node, or why they cannot be had.
pub(super) struct Source {
    stored: Result<Stored, String>,
    /// All of them, once somebody needed that.
    whole: OnceLock<Result<Arc<Frame>, String>>,
}

impl Source {
    pub(super) fn of(engine: &Engine, run: &Run, node: NodeId) -> Self {
        let done = run.done(node).ok_or("there is no result".to_owned());
        Self {
            stored: done.and_then(|done| engine.stored(done, None)),
            whole: OnceLock::new(),
        }
    }

    /// Whether there are too many to have them all in memory without need.
    pub(super) fn is_long(&self) -> bool {
        self.parts() > 1
    }

    pub(super) fn parts(&self) -> usize {
        self.stored.as_ref().map_or(1, Stored::parts)
    }

    pub(super) fn part(&self, at: usize) -> Result<Arc<Frame>, String> {
        self.stored.as_ref().map_err(Clone::clone)?.part(at)
    }

    /// All rows, which stay in memory.
    pub(super) fn whole(&self) -> Result<Arc<Frame>, String> {
        let whole = || self.stored.as_ref().map_err(Clone::clone)?.whole();
        self.whole.get_or_init(whole).clone()
    }

    /// Whether these are its rows, as it has them.
    pub(super) fn is(&self, rows: &Arc<Frame>) -> bool {
        let whole = self.whole.get();
        whole.is_some_and(|whole| whole.as_ref().is_ok_and(|whole| Arc::ptr_eq(whole, rows)))
    }

    /// The column that a judge was to judge, of the rows it asked about (`whole`, or where it asks in parts, these): `text`, or
    /// where its prompt shows no text, what it shows instead, such as a report; of several the one with the longest values.
    /// Lists are no texts. Nothing, where the rows cannot be had.
    pub(super) fn judged_column(
        &self,
        judged: &Judged,
        whole: Option<&Result<Arc<Frame>, String>>,
    ) -> Result<String, String> {
        let shows = judged.shows();
        let rows = match whole {
            Some(Err(_)) => return Ok(String::new()),
            _ if shows.is_empty() => return Ok("text".to_owned()),
            Some(Ok(rows)) => Some(rows),
            None => None,
        };
        let mut lengths = vec![0; shows.len()];
        for at in 0..rows.map_or(self.parts(), |_| 1) {
            let part = match rows {
                Some(rows) => Arc::clone(rows),
                None => self.part(at)?,
            };
            for (length, name) in lengths.iter_mut().zip(&shows) {
                *length += length_of(&part, name);
            }
        }
        let mut longest = (0, "text");
        for (length, name) in lengths.into_iter().zip(shows) {
            if length > longest.0 {
                longest = (length, name);
            }
        }
        Ok(longest.1.to_owned())
    }
}

/// How long the texts of a column are together, if it is one of texts.
fn length_of(rows: &Frame, name: &str) -> usize {
    let Ok(column) = rows.column(name) else {
        return 0;
    };
    if column.is_json() {
        return 0;
    }
    let cells = (0..column.len()).filter_map(|row| column.text(row));
    cells.map(|cell| cell.len()).sum()
}
