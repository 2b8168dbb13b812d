//! What a stage came to, on its way into the cache.

use super::outcome::NodeError;
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::base::wording::count;
use crate::cache::Blob;
use crate::frame::{ColumnData, Frame};
use crate::plan::Node;
use crate::stage::{Counts, Output, Relation};

/// What a stage came to.
#[expect(
    clippy::large_enum_variant,
    reason = "there is one for a stage, and it is taken apart at once"
)]
pub(super) enum Product {
    /// A table.
    Table(Output),
    /// A table that was written while it was made.
    Stored(Box<Stored>),
    /// The table that was read.
    Same(Box<Same>),
}

/// A table that is stored already: the one that was read.
pub(super) struct Same {
    pub(super) output: Digest,
    pub(super) rows: u64,
    pub(super) counts: Counts,
    pub(super) warnings: Vec<String>,
}

/// A table that was written while it was made, with its axis values.
pub(super) struct Stored {
    pub(super) blob: Blob,
    pub(super) rows: u64,
    pub(super) counts: Counts,
    pub(super) warnings: Vec<String>,
}

impl Product {
    pub(super) fn counts(&self) -> &Counts {
        match self {
            Self::Table(output) => &output.counts,
            Self::Stored(stored) => &stored.counts,
            Self::Same(same) => &same.counts,
        }
    }

    /// What is told of it.
    fn told(&mut self) -> (&mut Counts, &mut Vec<String>) {
        match self {
            Self::Table(output) => (&mut output.counts, &mut output.warnings),
            Self::Stored(stored) => (&mut stored.counts, &mut stored.warnings),
            Self::Same(same) => (&mut same.counts, &mut same.warnings),
        }
    }

    pub(super) fn with_relation(mut self, relation: Relation) -> Self {
        self.told().0.relation = Some(relation);
        self
    }

    pub(super) fn with_warnings(mut self, more: Vec<String>) -> Self {
        self.told().1.extend(more);
        self
    }
}

/// Adds the axis values set at this node as columns. A column of that name must agree.
pub(super) fn label(frame: Frame, node: &Node) -> Result<Frame, NodeError> {
    let mut frame = frame;
    for (axis, value) in &node.labels {
        if frame.has(axis) {
            let column = frame.column(axis)?;
            let wanted = value.to_string();
            let other = (0..column.len())
                .filter(|&row| column.text(row).is_none_or(|text| text != wanted))
                .count();
            if other > 0 {
                return Err(Failure::new(format!(
                    "axis `{axis}` is `{wanted}` here, but the existing column `{axis}` holds another value in {}",
                    count(other, "row")
                ))
                .hint("give the axis another name, or select the rows that belong to it")
                .into());
            }
        }
        frame = frame
            .clone()
            .with_column(axis, ColumnData::repeat(value, frame.rows()))?;
    }
    Ok(frame)
}
