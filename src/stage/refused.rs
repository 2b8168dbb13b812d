//! Documents without text, and why: what a manipulation does not fit, what cleaning leaves nothing of, what
//! cannot be cut. They keep their rows; nobody judges them.

use std::borrow::Cow;

use super::{DAMAGE_COLUMNS, reason_column};
use crate::base::failure::Failure;
use crate::frame::{ColumnData, ColumnView, Frame};

/// The column that says why a document has no text.
pub const NOT_APPLICABLE: &str = "not_applicable";

/// Why a row has no text; nothing, where it has one.
pub(super) fn why_not(frame: &Frame, row: usize) -> Option<String> {
    let text = frame.column("text").ok();
    if text
        .as_ref()
        .is_some_and(|column| column.text(row).is_some())
    {
        return None;
    }
    let said = frame.column(NOT_APPLICABLE).ok();
    let said = said.and_then(|column| column.text(row).map(Cow::into_owned));
    said.or_else(|| text.map(|_| "there is no text".to_owned()))
}

/// Whether an earlier stage said why a row has no text.
pub(super) fn told(frame: &Frame, row: usize) -> bool {
    let reason = frame.column(NOT_APPLICABLE);
    why_not(frame, row).is_some() && reason.is_ok_and(|column| column.text(row).is_some())
}

/// The column of reasons that a stage is making.
pub(super) struct Refused<'f> {
    name: String,
    earlier: Option<ColumnView<'f>>,
    reasons: Vec<Option<String>>,
}

impl<'f> Refused<'f> {
    /// For the rows of a stage that reads `input`.
    ///
    /// # Errors
    /// When the column cannot be read.
    pub(super) fn new(input: &'f Frame) -> Result<Self, Failure> {
        Self::of(input, "text")
    }

    /// The same, where the stage changes another column than `text`.
    ///
    /// # Errors
    /// When the column cannot be read.
    pub(super) fn of(input: &'f Frame, changed: &str) -> Result<Self, Failure> {
        let name = reason_column(changed);
        let there = input.has(&name);
        Ok(Self {
            earlier: there.then(|| input.column(&name)).transpose()?,
            name,
            reasons: Vec::new(),
        })
    }

    /// The next row, and why it has no text.
    pub(super) fn push(&mut self, why: Option<String>) {
        self.reasons.push(why);
    }

    /// The next row, which had no text before: the reason stays.
    pub(super) fn keep(&mut self, row: usize) {
        let said = self.earlier.as_ref().and_then(|column| column.text(row));
        self.reasons.push(said.map(Cow::into_owned));
    }

    /// Adds the column, if it was there or says anything.
    ///
    /// # Errors
    /// When the number of rows differs.
    pub(super) fn add(self, frame: Frame) -> Result<Frame, Failure> {
        if self.earlier.is_none() && self.reasons.iter().all(Option::is_none) {
            return Ok(frame);
        }
        Ok(frame.with_column(&self.name, ColumnData::Text(self.reasons))?)
    }
}

/// The table without what manipulations recorded of its texts, for stages that change the texts: the places
/// would no longer fit. Which manipulation it was stays.
pub(super) fn without_record(frame: &Frame) -> Frame {
    let places: Vec<&str> = DAMAGE_COLUMNS
        .into_iter()
        .filter(|name| ["edits", "operations", "candidates", "unaltered"].contains(name))
        .collect();
    frame.without(&places)
}
