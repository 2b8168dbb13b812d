//! The rows of the result, column by column.

use super::elements::{self, Lack};
use super::nodes::Node;
use super::{Explode, TREE_COLUMNS};
use crate::base::failure::Failure;
use crate::base::json::Json;
use crate::frame::{ColumnData, Frame, Scalar};
use crate::stage::Reasons;

/// What a row is of.
pub(super) enum Of<'e> {
    /// Nothing, and why.
    Nothing(&'e str),
    /// An element of a list.
    Element(&'e Json),
    /// A node of a tree.
    Node(&'e Node),
}

/// The rows of the result.
pub(super) struct Rows<'s> {
    /// The row of the input that each is of, and the place of its element there.
    base: Vec<(usize, Option<usize>)>,
    whole: Option<Cells>,
    /// The columns of fields, each with the field.
    pub(super) fields: Vec<(&'s str, Cells)>,
    tree: Option<[Cells; 4]>,
    index: Option<Cells>,
    /// How many elements or nodes there are.
    pub(super) elements: usize,
}

impl<'s> Rows<'s> {
    pub(super) fn new(explode: &'s Explode) -> Self {
        let [level, node, parent, ancestors] = TREE_COLUMNS;
        let fields = explode.fields.iter().flatten();
        Self {
            base: Vec::new(),
            whole: explode.whole().map(|(_, name)| Cells::new(name, Cell::Any)),
            fields: fields
                .map(|(new, field)| (field.as_str(), Cells::new(new, Cell::Any)))
                .collect(),
            tree: explode.tree.as_ref().map(|_| {
                [
                    Cells::new(level, Cell::Any),
                    Cells::new(node, Cell::Any),
                    Cells::new(parent, Cell::Any),
                    Cells::new(ancestors, Cell::List),
                ]
            }),
            index: (explode.index.as_ref()).map(|name| Cells::new(name, Cell::Whole)),
            elements: 0,
        }
    }

    /// The next row: of a row of the input, the element at this place of its list.
    pub(super) fn push(&mut self, row: usize, place: usize, of: &Of<'_>) {
        self.base.push((row, place.checked_sub(1)));
        let (json, whole, node) = match of {
            Of::Nothing(why) => {
                let all = self.whole.iter_mut().chain(self.tree.iter_mut().flatten());
                let all = all.chain(&mut self.index);
                for cells in all.chain(self.fields.iter_mut().map(|(_, cells)| cells)) {
                    cells.push(Err(Lack::of(*why)));
                }
                return;
            }
            Of::Element(json) => (*json, elements::whole(json), None),
            Of::Node(node) => {
                let text = node.text.clone();
                (
                    &node.json,
                    text.map(Scalar::Text).map_err(Lack::fault),
                    Some(*node),
                )
            }
        };
        self.elements += 1;
        if let Some(cells) = &mut self.whole {
            cells.push(whole);
        }
        for (field, cells) in &mut self.fields {
            cells.push(elements::field(json, field));
        }
        if let (Some(cells), Some(node)) = (&mut self.tree, node) {
            let parent = node.parent().ok_or_else(|| Lack::of("at the top"));
            let ancestors = node.ancestors().into_iter().map(Json::Text).collect();
            let row = [
                node.level.clone().map(Scalar::Text).map_err(Lack::fault),
                Ok(Scalar::Text(node.number())),
                parent.map(Scalar::Text),
                Ok(Scalar::from(Json::List(ancestors))),
            ];
            for (cells, value) in cells.iter_mut().zip(row) {
                cells.push(value);
            }
        }
        if let Some(cells) = &mut self.index {
            cells.push(Ok(Scalar::from(place)));
        }
    }

    /// Where each row comes from: the row of the input, and the place of its element there.
    pub(super) fn places(&self) -> &[(usize, Option<usize>)] {
        &self.base
    }

    /// The table of these rows, whose other columns are those of `input`.
    pub(super) fn add(self, input: &Frame) -> Result<Frame, Failure> {
        let base: Vec<usize> = self.base.iter().map(|(row, _)| *row).collect();
        let mut frame = input.take(&base)?;
        let fields = self.fields.into_iter().map(|(_, cells)| cells);
        let all = self.whole.into_iter().chain(fields);
        for cells in all.chain(self.tree.into_iter().flatten()).chain(self.index) {
            frame = cells.add(frame)?;
        }
        Ok(frame)
    }
}

/// A column of elements: values, or why there are none.
pub(super) struct Cells {
    name: String,
    holds: Cell,
    values: Vec<Scalar>,
    reasons: Reasons,
    /// The rows with a value.
    pub(super) there: usize,
    /// The rows whose elements are not as declared.
    pub(super) faults: usize,
}

/// What a column of elements holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    /// Whatever the elements are.
    Any,
    /// Whole numbers, even where there are none.
    Whole,
    /// Lists, even where there are none.
    List,
}

impl Cells {
    fn new(name: &str, holds: Cell) -> Self {
        Self {
            name: name.to_owned(),
            holds,
            values: Vec::new(),
            reasons: Reasons::default(),
            there: 0,
            faults: 0,
        }
    }

    /// The next row.
    fn push(&mut self, value: Result<Scalar, Lack>) {
        match value {
            Ok(value) => {
                self.values.push(value);
                self.reasons.push(None);
                self.there += 1;
            }
            Err(lack) => {
                self.values.push(Scalar::Null);
                self.faults += usize::from(lack.fault);
                self.reasons.push(Some(lack.why));
            }
        }
    }

    /// The table with the column, and with that of its reasons.
    fn add(self, frame: Frame) -> Result<Frame, Failure> {
        let data = match self.holds {
            Cell::Whole if self.there == 0 => ColumnData::Int(vec![None; self.values.len()]),
            Cell::List if self.there == 0 => ColumnData::Json(vec![None; self.values.len()]),
            Cell::Any | Cell::Whole | Cell::List => ColumnData::infer(self.values),
        };
        self.reasons
            .add(frame.with_column(&self.name, data)?, &self.name)
    }
}
