//! What is behind the values of rows that are no statistics themselves but were made of several others, such as the
//! aggregates of a group: for each of these columns an entry in the column `behind`, with counts as statistics have them.
//!
//! The counts of statistics stand in columns of their own and are about all that a row shows. Where a stage takes values out
//! of such a row, they get entries.

use indexmap::IndexMap;
use serde_json::Value;

use super::entries::Entries;
use super::gathered::{Entry, Gathered, write_all};
use super::told::{BEHIND, COMPUTED, COUNTS, WHY, is_counted};
use crate::base::failure::Failure;
use crate::frame::{ColumnData, ColumnView, Frame, Scalar};
use crate::stage::{reason_column, why_absent};
use crate::stats::statistic::T;

/// What is behind the values of a column, row by row.
type Cells = Vec<Option<Gathered>>;

/// What is behind the values of a table, column by column.
#[derive(Default)]
pub(crate) struct Beside {
    columns: IndexMap<String, Known>,
    /// The columns with counts that are about whole rows, if there are any.
    of_rows: Vec<&'static str>,
    /// The column `behind` is somebody's own.
    foreign: bool,
}

/// What is known of a column.
#[derive(Clone, Default)]
struct Known {
    cells: Cells,
    /// The counts of rows say it as well.
    by_rows: bool,
}

/// Whether a table of these columns says what is behind its values.
pub(crate) fn says_behind(has: impl Fn(&str) -> bool) -> bool {
    has(BEHIND) || of_rows(has)
}

/// Whether a column says only what is behind others, in tables that do.
pub(crate) fn only_says(name: &str) -> bool {
    COUNTS.iter().any(|count| count.name == name) || [WHY, COMPUTED, BEHIND].contains(&name)
}

/// Whether a table of these columns has counts that are about whole rows.
fn of_rows(has: impl Fn(&str) -> bool) -> bool {
    has("n") && has("reasons")
}

fn is_number(view: &ColumnView<'_>) -> bool {
    ["numbers", "whole numbers", "truth values"].contains(&view.kind())
}

impl Beside {
    /// What a table says.
    ///
    /// # Errors
    /// When the columns are not what stages write.
    pub(crate) fn of(frame: &Frame) -> Result<Self, Failure> {
        let mut all = Self::default();
        all.read(frame)?;
        if of_rows(|name| frame.has(name)) {
            all.lift(frame)?;
        }
        Ok(all)
    }

    /// Reads the entries.
    fn read(&mut self, frame: &Frame) -> Result<(), Failure> {
        let Ok(column) = frame.column(BEHIND) else {
            return Ok(());
        };
        let mut entries = Entries::default();
        for row in 0..frame.rows() {
            let Some(text) = column.text(row) else {
                continue;
            };
            let of_row = match entries.of_row(&text) {
                Ok(of_row) => of_row,
                // A file may have a column of that name too.
                Err(_) if self.columns.is_empty() => {
                    self.foreign = true;
                    return Ok(());
                }
                Err(error) => {
                    let row = row + 1;
                    return Err(Failure::new(format!("`{BEHIND}` of row {row}: {error}")));
                }
            };
            for (name, gathered) in of_row {
                let known = self.columns.entry(name).or_default();
                known.cells.resize(frame.rows(), None);
                known.cells[row] = Some(gathered);
            }
        }
        Ok(())
    }

    /// Takes the counts of rows for those of every number in them that has none of its own.
    fn lift(&mut self, frame: &Frame) -> Result<(), Failure> {
        let counts = COUNTS.iter().map(|count| count.name).chain([WHY]);
        let counts: Vec<&'static str> = counts.filter(|name| frame.has(name)).collect();
        let mut rows: Vec<Gathered> = Vec::with_capacity(frame.rows());
        let mut last = Entry::new();
        for row in 0..frame.rows() {
            let mut entry = Entry::new();
            for name in &counts {
                let value = match frame.column(name)?.scalar(row) {
                    Scalar::Int(n) => Value::from(n),
                    Scalar::Text(text) => Value::from(text),
                    _ => continue,
                };
                entry.insert((*name).to_owned(), value);
            }
            // Rows one after the other are mostly made of as many.
            if let Some(before) = rows.last().filter(|_| entry == last) {
                rows.push(before.clone());
                continue;
            }
            // Counts of a file that stages did not write.
            let Ok(gathered) = Gathered::read(entry.clone()) else {
                return Ok(());
            };
            rows.push(gathered);
            last = entry;
        }
        for name in frame.names() {
            if !is_number(&frame.column(name)?) || (is_counted(name) && name != T) {
                continue;
            }
            let known = self.columns.entry(name.to_owned()).or_default();
            known.by_rows = known.cells.is_empty();
            known.cells.resize(frame.rows(), None);
            for (cell, row) in known.cells.iter_mut().zip(&rows) {
                cell.get_or_insert_with(|| row.clone());
            }
        }
        self.of_rows = counts;
        Ok(())
    }

    /// Whether nothing is known of any column.
    pub(crate) fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// What is behind the values of a column, row by row.
    pub(crate) fn get(&self, name: &str) -> Option<&[Option<Gathered>]> {
        self.columns.get(name).map(|known| known.cells.as_slice())
    }

    /// What is behind what a row makes of these columns.
    pub(crate) fn of_several(&self, names: &[String], row: usize) -> Option<Gathered> {
        let cells = names.iter().filter_map(|name| self.get(name));
        Gathered::merged(cells.filter_map(|cells| cells[row].as_ref()))
    }

    /// Says what is behind the values of a column.
    pub(crate) fn set(&mut self, name: &str, cells: Cells) {
        let by_rows = false;
        self.columns
            .insert(name.to_owned(), Known { cells, by_rows });
    }

    /// Forgets what was behind a column that goes.
    pub(crate) fn forget(&mut self, name: &str) {
        self.columns.shift_remove(name);
    }

    /// The same under other names.
    pub(crate) fn rename(&mut self, called: impl Fn(&str) -> String) {
        let old = std::mem::take(&mut self.columns);
        self.columns = old
            .into_iter()
            .map(|(name, known)| (called(&name), known))
            .collect();
    }

    /// What is behind some columns, under new names: pairs of new and old.
    pub(crate) fn under<'n>(&self, names: impl Iterator<Item = (&'n str, &'n str)>) -> Self {
        let mut some = Self::default();
        for (new, old) in names {
            if let Some(cells) = self.get(old) {
                some.set(new, cells.to_vec());
            }
        }
        some
    }

    /// What is behind these rows.
    #[must_use]
    pub(crate) fn take(mut self, rows: &[Option<usize>]) -> Self {
        for known in self.columns.values_mut() {
            let cell = |row: &Option<usize>| row.and_then(|row| known.cells[row].clone());
            known.cells = rows.iter().map(cell).collect();
        }
        self
    }

    /// Takes up what is behind columns of another table that stand beside these.
    pub(crate) fn merge(&mut self, other: Self) {
        self.columns.extend(other.columns);
    }

    /// A column was made of others: what is behind them is behind it.
    pub(crate) fn derive(&mut self, new: &str, of: &[String]) {
        let known: Vec<&Known> = of
            .iter()
            .filter_map(|name| self.columns.get(name))
            .collect();
        let made = match known.as_slice() {
            [] => {
                self.forget(new);
                return;
            }
            known => Known {
                cells: (0..known[0].cells.len())
                    .map(|row| self.of_several(of, row))
                    .collect(),
                by_rows: known.iter().all(|known| known.by_rows),
            },
        };
        self.columns.insert(new.to_owned(), made);
    }

    /// A column whose cells are one value each, unless something else is known of them. Where rows have counts, or others of
    /// its cells have, it says so.
    pub(crate) fn is_single(&mut self, frame: &Frame, name: &str) -> Result<(), Failure> {
        let view = frame.column(name)?;
        let counted = !self.of_rows.is_empty() && is_number(&view);
        if !counted && !self.columns.contains_key(name) {
            return Ok(());
        }
        let known = self.columns.entry(name.to_owned()).or_default();
        known.cells.resize(frame.rows(), None);
        let other = known.cells.iter().flatten().next().cloned();
        for (row, cell) in known.cells.iter_mut().enumerate() {
            cell.get_or_insert_with(|| match why_absent(frame, name, row) {
                Some(why) => Gathered::of_none(why, other.as_ref()),
                None => Gathered::of_one(),
            });
        }
        Ok(())
    }

    /// What is behind the elements of lists, each of a row and at a place of its list, in a column of whole elements or of
    /// one of their fields.
    pub(crate) fn elements(
        &self,
        list: &str,
        field: &str,
        places: &[(usize, Option<usize>)],
    ) -> Option<Cells> {
        let lists = self.get(list)?;
        let cell =
            |&(row, at): &(usize, Option<usize>)| lists[row].as_ref()?.of_element(at?, field);
        let cells: Cells = places.iter().map(cell).collect();
        cells.iter().any(Option::is_some).then_some(cells)
    }

    /// The table with the reasons why cells of a column are empty, where the counts say why and nothing else does.
    pub(crate) fn explain(&self, frame: Frame, name: &str) -> Result<Frame, Failure> {
        let Some(cells) = self.get(name) else {
            return Ok(frame);
        };
        let beside = reason_column(name);
        let view = frame.column(name)?;
        let own = frame.column(&beside).ok();
        let reason = |row: usize| {
            let own = own.as_ref().and_then(|own| own.text(row));
            match own {
                Some(own) => Some(own.into_owned()),
                None if view.lacks(row) => cells[row].as_ref().and_then(|cell| cell.why.clone()),
                None => None,
            }
        };
        let text = |own: &ColumnView<'_>| ["text", "no values"].contains(&own.kind());
        if !own.as_ref().is_none_or(text) {
            return Ok(frame);
        }
        let reasons: Vec<Option<String>> = (0..frame.rows()).map(reason).collect();
        if reasons.iter().all(Option::is_none) {
            return Ok(frame);
        }
        Ok(frame.with_column(&beside, ColumnData::Text(reasons))?)
    }

    /// The table with the column, if there is anything to say of its columns that the counts of rows do not say.
    ///
    /// # Errors
    /// When the number of rows differs.
    pub(crate) fn add(self, mut frame: Frame) -> Result<Frame, Failure> {
        let counted = !self.of_rows.is_empty() && self.of_rows.iter().all(|name| frame.has(name));
        let mut told: Vec<&String> = Vec::new();
        for (name, known) in &self.columns {
            if !frame.has(name) || (known.by_rows && counted) {
                continue;
            }
            if known.by_rows {
                frame = self.explain(frame, name)?;
            }
            told.push(name);
        }
        if told.is_empty() {
            let own = self.foreign;
            return Ok(if own { frame } else { frame.without(&[BEHIND]) });
        }
        let cells = (0..frame.rows()).map(|row| {
            let of_row = |name: &&'_ String| self.columns[*name].cells[row].as_ref();
            let some = told.iter().filter_map(|name| Some((*name, of_row(name)?)));
            let mut some = some.peekable();
            some.peek()?;
            let mut text = String::new();
            write_all(some, &mut text);
            Some(text)
        });
        let cells = cells.collect();
        Ok(frame.with_column(BEHIND, ColumnData::Text(cells))?)
    }
}

/// Some columns of a table, with what is behind their values.
///
/// # Errors
/// A column that is not there, or one with counts that is not what stages write.
pub(crate) fn with_behind(frame: &Frame, columns: &[String]) -> Result<Frame, Failure> {
    let some = frame.select(columns)?;
    if !says_behind(|name| frame.has(name)) {
        return Ok(some);
    }
    let beside = Beside::of(frame)?;
    if beside.foreign {
        return Ok(some);
    }
    beside.add(some)
}
