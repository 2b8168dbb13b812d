//! Results that are looked at after a run, a part at a time: of a long table no more is in memory than what is looked at.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::execute::Engine;
use super::in_parts::InParts;
use super::outcome::Done;
use super::shared::Shared;
use crate::cache::Damage;
use crate::frame::Frame;

/// The rows of a result as they are stored.
pub struct Stored {
    parts: Parts,
    /// Where each part begins, and where the last ends.
    starts: Vec<usize>,
    /// The columns that are wanted; nothing for all of them.
    columns: Option<Vec<String>>,
    /// The parts that were looked at last.
    open: Vec<(usize, Frame)>,
}

enum Parts {
    Whole(Arc<Frame>),
    File(Box<InParts>),
}

impl Engine {
    /// The rows of a result; with `columns`, only those that exist of them. No row is read yet.
    ///
    /// # Errors
    /// Why they cannot be had, in words.
    pub fn stored(&self, done: &Done, columns: Option<&[&str]>) -> Result<Stored, String> {
        Stored::of(self.shared(), done, columns)
    }
}

impl Stored {
    pub(super) fn of(
        shared: &Shared,
        done: &Done,
        columns: Option<&[&str]>,
    ) -> Result<Self, String> {
        let results = &shared.results;
        let lost = |damage: Damage| {
            if results.is_absent(&done.output) {
                "not in the bundle that the project was unpacked from".to_owned()
            } else {
                damage.to_string()
            }
        };
        let nodes = &results.nodes;
        // What strangers made is opened by a process of its own, whole.
        let own = !shared.absent.strange_cache;
        let in_parts = own.then(|| InParts::checked(&done.output, nodes)).flatten();
        let parts = if let Some(parts) = in_parts {
            Parts::File(Box::new(parts))
        } else {
            let bytes = nodes.load(&done.output).map_err(lost)?;
            let frame = results.read_table(bytes, columns);
            Parts::Whole(Arc::new(frame.map_err(|error| error.to_string())?))
        };
        let rows = match &parts {
            Parts::Whole(frame) => vec![frame.rows()],
            Parts::File(file) => file.rows().to_vec(),
        };
        let ends = rows.iter().scan(0, |end, rows| {
            *end += rows;
            Some(*end)
        });
        Ok(Self {
            starts: std::iter::once(0).chain(ends).collect(),
            parts,
            columns: columns.map(|all| all.iter().map(|&name| name.to_owned()).collect()),
            open: Vec::new(),
        })
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// How many parts there are.
    pub fn parts(&self) -> usize {
        self.starts.len() - 1
    }

    /// A part, by its place.
    ///
    /// # Errors
    /// Why it cannot be had, in words.
    pub fn part(&self, at: usize) -> Result<Arc<Frame>, String> {
        let file = match &self.parts {
            Parts::Whole(frame) => return Ok(Arc::clone(frame)),
            Parts::File(file) => file,
        };
        let part = match &self.columns {
            None => file.part(at),
            Some(columns) => {
                let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
                file.narrow_part(at, &columns)
            }
        };
        part.map(Arc::new).map_err(|error| error.to_string())
    }

    /// All rows.
    ///
    /// # Errors
    /// Why they cannot be had, in words.
    pub fn whole(&self) -> Result<Arc<Frame>, String> {
        if self.parts() == 1 {
            return self.part(0);
        }
        let parts = (0..self.parts()).map(|at| Ok(Arc::unwrap_or_clone(self.part(at)?)));
        let parts: Vec<Frame> = parts.collect::<Result<_, String>>()?;
        let whole = Frame::joined(&parts);
        whole.map(Arc::new).map_err(|error| error.to_string())
    }

    /// Some columns of all rows.
    ///
    /// # Errors
    /// Why they cannot be had, in words.
    pub fn narrow(&self, columns: &BTreeSet<&str>) -> Result<Frame, String> {
        match &self.parts {
            Parts::Whole(frame) => Ok(frame.only(columns)),
            Parts::File(file) => file.narrow(columns).map_err(|error| error.to_string()),
        }
    }

    /// Rows that stand one after the other. The parts that they are in stay in memory until others are asked for.
    ///
    /// # Errors
    /// Why they cannot be had, in words.
    pub fn window(&mut self, rows: Range<usize>) -> Result<Frame, String> {
        let first = self.starts.partition_point(|start| *start <= rows.start);
        let last = self.starts.partition_point(|start| *start < rows.end);
        // Of no rows the columns are wanted all the same.
        let first = first.min(self.parts()).saturating_sub(1);
        let last = last.clamp(first + 1, self.parts().max(first + 1));
        self.open.retain(|(at, _)| (first..last).contains(at));
        let mut slices = Vec::new();
        for at in first..last {
            if !self.open.iter().any(|(open, _)| *open == at) {
                let part = Arc::unwrap_or_clone(self.part(at)?);
                self.open.push((at, part));
            }
            let open = self.open.iter().find(|(open, _)| *open == at);
            let (start, end) = (self.starts[at], self.starts[at + 1]);
            let inside = rows.start.clamp(start, end) - start..rows.end.clamp(start, end) - start;
            slices.extend(open.map(|(_, part)| part.slice(inside)));
        }
        if slices.len() == 1 {
            return Ok(slices.remove(0));
        }
        Frame::joined(&slices).map_err(|error| error.to_string())
    }
}
