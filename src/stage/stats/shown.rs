//! The tables that `table` and `figure` stages hand on: fields, what is shown, the counts behind it, and what is said of it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use super::told::COUNTS;
use super::{Behind, Counts, Told};
use crate::base::failure::Failure;
use crate::frame::{ColumnData, ColumnView, Frame, FrameError, Scalar};
use crate::output::report::Family;

/// A row that a table or a figure shows.
pub(crate) trait Shows: Sized + 'static {
    /// The columns before the counts.
    const BEFORE: &'static [Told<Self>];
    /// The columns after them.
    const AFTER: &'static [Told<Self>];
    /// The columns about a corrected p-value, right behind the counts.
    const FAMILY: &'static [Told<Family>] = &[];
    /// What names its place.
    fn fields(&self) -> &[String];
    /// What is behind its value.
    fn counts(&self) -> &Counts;
    /// The family of its p-value.
    fn family(&self) -> Option<&Family> {
        None
    }
}

/// The rows as a table: their fields under these names, then what they show.
pub(crate) fn frame<R: Shows>(fields: &[&String], rows: &[R]) -> Result<Frame, FrameError> {
    let fields = fields.iter().enumerate().map(|(at, name)| {
        let texts = rows.iter().map(|row| row.fields()[at].as_str());
        ((*name).clone(), ColumnData::text(texts))
    });
    let counts = COUNTS.iter().map(|told| {
        let of = |row: &R| row.counts().get(told.name).clone();
        (told.name.to_owned(), told.typed(rows.iter().map(of)))
    });
    let family = R::FAMILY.iter().map(|told| {
        let of = |row: &R| row.family().map_or(Scalar::Null, told.of);
        (told.name.to_owned(), told.typed(rows.iter().map(of)))
    });
    let own = |told: &Told<R>| (told.name.to_owned(), told.column(rows));
    let before = fields.chain(R::BEFORE.iter().map(own)).chain(counts);
    let all = before.chain(family).chain(R::AFTER.iter().map(own));
    Frame::new(all.collect())
}

/// Reads what [`frame`] made.
pub(crate) struct Reader<'f> {
    columns: BTreeMap<&'static str, ColumnView<'f>>,
}

impl<'f> Reader<'f> {
    pub(crate) fn of<R: Shows>(frame: &'f Frame) -> Result<Self, FrameError> {
        let own = R::BEFORE.iter().chain(R::AFTER).map(|told| told.name);
        let family = R::FAMILY.iter().map(|told| told.name);
        let names = own.chain(family).chain(Behind::counts());
        let columns = names.map(|name| Ok((name, frame.column(name)?)));
        Ok(Self {
            columns: columns.collect::<Result<_, FrameError>>()?,
        })
    }

    /// The numbers of a column, by row. A column is looked up once, not for each row.
    pub(crate) fn numbers(
        &self,
        name: &str,
    ) -> impl Fn(usize) -> Result<Option<f64>, FrameError> + use<'_, 'f> {
        let column = &self.columns[name];
        |row| column.number(row)
    }

    pub(crate) fn scalar(&self, name: &str, row: usize) -> Scalar {
        self.columns[name].scalar(row)
    }

    /// The counts of a column.
    pub(crate) fn counts(&self, name: &str) -> impl Fn(usize) -> Option<u64> + use<'_, 'f> {
        let column = &self.columns[name];
        |row| match column.scalar(row) {
            Scalar::Int(n) => u64::try_from(n).ok(),
            _ => None,
        }
    }

    /// The texts of a column.
    pub(crate) fn texts(&self, name: &str) -> impl Fn(usize) -> Option<String> + use<'_, 'f> {
        let column = &self.columns[name];
        |row| column.text(row).map(Cow::into_owned)
    }

    /// What the texts of a column say as JSON.
    pub(crate) fn json<'n, T: DeserializeOwned>(
        &self,
        name: &'n str,
    ) -> impl Fn(usize) -> Result<Option<T>, Failure> + use<'_, 'f, 'n, T> {
        let column = &self.columns[name];
        move |row| {
            let text = column.text(row);
            let read = text.map(|text| serde_json::from_str(&text)).transpose();
            read.map_err(|error| Failure::new(format!("`{name}` of row {}: {error}", row + 1)))
        }
    }
}

/// The texts of several columns, row by row.
pub(crate) fn texts<'f>(
    frame: &'f Frame,
    names: &[String],
) -> Result<impl Fn(usize) -> Vec<String> + use<'f>, FrameError> {
    let columns = names.iter().map(|name| frame.column(name));
    let columns = columns.collect::<Result<Vec<_>, FrameError>>()?;
    Ok(move |row| {
        let texts = columns.iter().map(|column| column.text(row));
        texts
            .map(|text| text.unwrap_or_default().into_owned())
            .collect()
    })
}
