//! The columns of elements: place, id and what else the reply says.

use super::{Element, ITEM, ITEM_ID, ListJudged};
use crate::base::failure::Failure;
use crate::frame::{ColumnData, Frame};
use crate::stage::Reasons;

/// The cells of these columns, one for each row of the result.
#[derive(Default)]
pub(in crate::stage::judge) struct ElementCells {
    item: Vec<Option<i64>>,
    no_item: Reasons,
    id: Texts,
    fields: Vec<Texts>,
}

/// Texts, and why some are not there.
#[derive(Default)]
struct Texts(Vec<Option<String>>, Reasons);

impl Texts {
    fn push(&mut self, value: &Result<String, String>) {
        self.0.push(value.as_ref().ok().cloned());
        self.1.push(value.as_ref().err().cloned());
    }

    fn add(self, frame: Frame, name: &str) -> Result<Frame, Failure> {
        self.1
            .add(frame.with_column(name, ColumnData::Text(self.0))?, name)
    }
}

impl ElementCells {
    /// Takes an element that has so many rows.
    pub(in crate::stage::judge) fn push(&mut self, element: &Element, rows: usize) {
        self.fields
            .resize_with(element.fields.len(), Texts::default);
        for _ in 0..rows {
            self.item.push(element.item);
            let why = element.id.as_ref().err().cloned();
            self.no_item.push(why.filter(|_| element.item.is_none()));
            self.id.push(&element.id);
            for (cells, field) in self.fields.iter_mut().zip(&element.fields) {
                cells.push(field);
            }
        }
    }

    /// Adds the columns to a table.
    pub(in crate::stage::judge) fn add(
        self,
        frame: Frame,
        of: &ListJudged,
    ) -> Result<Frame, Failure> {
        let frame = frame.with_column(ITEM, ColumnData::Int(self.item))?;
        let mut frame = self.no_item.add(frame, ITEM)?;
        if of.id.is_some() {
            frame = self.id.add(frame, ITEM_ID)?;
        }
        let mut fields = self.fields.into_iter();
        for (name, _) in &of.fields {
            frame = fields.next().unwrap_or_default().add(frame, name)?;
        }
        Ok(frame)
    }
}
