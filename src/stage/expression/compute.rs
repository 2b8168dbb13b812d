//! The values of an expression, row by row: cells of a column, and why those are empty that are.

use std::collections::BTreeMap;

use minijinja::machinery::ast::Expr;
use minijinja::value::Value;

use super::aggregate::{self, Aggregate, Call};
use super::evaluate::{Absent, Cell, Evaluator, TOO_LARGE};
use super::kinds::{Kind, is_there};
use super::mistake::Wrong;
use super::{Expression, environment, holds};
use crate::base::failure::Failure;
use crate::base::wording::{shorten, size};
use crate::frame::{ColumnData, ColumnView, Frame, FrameError, Scalar};
use crate::models::template::value;
use crate::stage::Holds;
use crate::stage::{Reasons, passed_on, why_absent};

/// Why what is made of a group is absent where the group has no row.
pub(crate) const NO_ROWS: &str = "no rows";

/// How long the cells of a column may be together, in bytes; more by so many times what they are made of.
const LARGEST: usize = 512 << 20;
const TIMES: usize = 16;

/// What an expression makes of a table.
pub(crate) struct Computed {
    /// The cells.
    pub(crate) cells: Vec<Scalar>,
    /// Why a cell is empty.
    pub(crate) reasons: Vec<Option<String>>,
}

/// An expression taken apart.
pub(crate) struct Parsed<'e> {
    whole: &'e Expression,
    root: Expr<'e>,
}

impl Expression {
    /// The expression, to be computed.
    ///
    /// # Errors
    /// None: it was read before.
    pub(crate) fn parsed(&self) -> Result<Parsed<'_>, Failure> {
        let root = self.root().map_err(|wrong| self.failure(None, wrong))?;
        Ok(Parsed { whole: self, root })
    }

    /// What its values are if columns hold this, as far as that shows without any row.
    pub(crate) fn holds(&self, known: &dyn Fn(&str) -> Holds) -> Holds {
        let root = self.root();
        root.map_or(Holds::Unknown, |root| holds::holds(&root, known))
    }

    /// The table with the column `name`, and the reasons beside it, that the expression makes of each row. Where no row
    /// has a value the column holds what `holds` says.
    ///
    /// # Errors
    /// A column that is not there, a row that cannot be computed, values of different kinds.
    pub(crate) fn compute(&self, frame: Frame, name: &str, known: Holds) -> Result<Frame, Failure> {
        let parsed = self.parsed()?;
        let computed = parsed.rows(&frame)?;
        computed.add(frame, name, known)
    }
}

impl<'e> Parsed<'e> {
    /// The value of the whole expression for each row.
    ///
    /// # Errors
    /// A column that is not there, a row that cannot be computed, values of different kinds.
    pub(crate) fn rows(&self, frame: &Frame) -> Result<Computed, Failure> {
        self.part(&self.root, frame)
    }

    /// The aggregates that it calls.
    ///
    /// # Errors
    /// None: they were read before.
    pub(crate) fn calls(&self) -> Result<Vec<Call<'e, '_, 'e>>, Failure> {
        aggregate::calls(&self.root, &self.whole.text).map_err(Failure::new)
    }

    /// The aggregate that it is, if it is nothing else.
    pub(crate) fn is_call(&self) -> bool {
        aggregate::called(&self.root).is_some()
    }

    /// What a call is of: the column that it names and nothing else, or a value for each row.
    ///
    /// # Errors
    /// As of [`Self::rows`].
    pub(crate) fn of_call(
        &self,
        call: &Call<'_, '_, '_>,
        at: usize,
        frame: &Frame,
    ) -> Result<Option<Computed>, Failure> {
        match call.of.get(at) {
            Some((_, expr)) if super::walk::column(expr).is_none() => {
                self.part(expr, frame).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The column that an argument of a call names.
    pub(crate) fn column_of(call: &'e Call<'_, '_, '_>, at: usize) -> Option<&'e str> {
        call.of
            .get(at)
            .and_then(|(_, expr)| super::walk::column(expr))
    }

    /// The columns that an argument of a call is made of.
    pub(crate) fn columns_of(&self, call: &Call<'_, '_, '_>, at: usize) -> Vec<String> {
        let mut names = Vec::new();
        if let Some((_, expr)) = call.of.get(at) {
            collect(expr, &self.whole.text, &mut names);
        }
        names
    }

    fn part(&self, part: &Expr<'_>, frame: &Frame) -> Result<Computed, Failure> {
        let mut names = Vec::new();
        collect(part, &self.whole.text, &mut names);
        let columns = names
            .iter()
            .map(|name| Ok((name.as_str(), frame.column(name)?)))
            .collect::<Result<BTreeMap<&str, ColumnView<'_>>, FrameError>>()
            .map_err(|error| Failure::from(error).at(&self.whole.text))?;
        let mut evaluator = Evaluator::new(&self.whole.text, environment(), false);
        let mut computed = Computed {
            cells: Vec::with_capacity(frame.rows()),
            reasons: Vec::with_capacity(frame.rows()),
        };
        let (read, mut made) = (std::cell::Cell::new(0), 0);
        for row in 0..frame.rows() {
            let cell = |name: &str| match columns.get(name).map(|column| column.scalar(row)) {
                None | Some(Scalar::Null) => Cell::Absent,
                Some(scalar) => {
                    read.set(read.get() + length(&scalar));
                    Cell::Value(value(scalar))
                }
            };
            let found = match evaluator.value(part, &cell) {
                Ok(found) => found,
                // Without the value nobody can say, and what cannot be computed then could be with it.
                Err(Wrong::Failed(_)) if evaluator.lacks_column() => None,
                Err(wrong) => return Err(self.whole.failure(Some(row), wrong)),
            };
            let noted = evaluator.noted();
            let (cell, why) = match found.map(scalar) {
                Some(Ok(cell)) => (cell, None),
                Some(Err(why)) => (Scalar::Null, Some(why.to_owned())),
                None => (Scalar::Null, Some(because(&noted, frame, row))),
            };
            made += length(&cell);
            if made > LARGEST.saturating_add(read.get().saturating_mul(TIMES)) {
                let limit = size(LARGEST as u64);
                let message = format!("row {}: the column grows beyond {limit}", row + 1);
                return Err(Failure::new(message).at(&self.whole.text));
            }
            computed.cells.push(cell);
            computed.reasons.push(why);
        }
        self.one_kind(&computed.cells)?;
        Ok(computed)
    }

    /// Refuses values of different kinds in one column.
    fn one_kind(&self, cells: &[Scalar]) -> Result<(), Failure> {
        let kind = |cell: &Scalar| match cell {
            Scalar::Null => "no value",
            Scalar::Bool(_) => "true or false",
            Scalar::Int(_) | Scalar::Float(_) => "a number",
            Scalar::Text(_) => "text",
            Scalar::Json(_) => "a list or an object",
        };
        let mut there = cells.iter().enumerate().filter(|(_, cell)| !cell.is_null());
        let Some((first, one)) = there.next() else {
            return Ok(());
        };
        let Some((row, other)) = there.find(|(_, other)| kind(other) != kind(one)) else {
            return Ok(());
        };
        let shown = |cell: &Scalar| shorten(&cell.to_string(), 30);
        Err(Failure::new(format!(
            "row {} is {} (`{}`), and row {} {} (`{}`)",
            first + 1,
            kind(one),
            shown(one),
            row + 1,
            kind(other),
            shown(other)
        ))
        .at(&self.whole.text)
        .hint("a column holds values of one kind: make all of them text with `|string`, or numbers with `|float`"))
    }
}

impl Computed {
    /// The table with these cells as a column, and the reasons beside it.
    ///
    /// # Errors
    /// When the number of rows differs.
    pub(crate) fn add(self, frame: Frame, name: &str, known: Holds) -> Result<Frame, Failure> {
        let frame = frame.with_column(name, typed(self.cells, known))?;
        let mut reasons = Reasons::default();
        for why in self.reasons {
            reasons.push(why);
        }
        reasons.add(frame, name)
    }
}

/// How long a cell is, in bytes.
fn length(cell: &Scalar) -> usize {
    match cell {
        Scalar::Text(text) | Scalar::Json(text) => text.len(),
        _ => 0,
    }
}

/// A column of these cells; where none has a value, of what it is known to hold.
pub(crate) fn typed(cells: Vec<Scalar>, known: Holds) -> ColumnData {
    let rows = cells.len();
    match (cells.iter().all(Scalar::is_null), known) {
        (true, Holds::Numbers) => ColumnData::Float(vec![None; rows]),
        (true, Holds::Truth) => ColumnData::Bool(vec![None; rows]),
        (true, Holds::Json) => ColumnData::Json(vec![None; rows]),
        _ => ColumnData::infer(cells),
    }
}

/// The columns that a part names, and the aggregates.
fn collect(expr: &Expr<'_>, text: &str, names: &mut Vec<String>) {
    match super::walk::named_by(expr, text) {
        Some(name) => {
            if !names.iter().any(|known| *known == name) {
                names.push(name.into_owned());
            }
        }
        None => {
            for child in super::walk::children(expr) {
                collect(child, text, names);
            }
        }
    }
}

/// Why there is no value.
fn because(noted: &[Absent], frame: &Frame, row: usize) -> String {
    let mut reasons: Vec<String> = Vec::new();
    for absent in noted {
        let why = match absent {
            Absent::Why(why) => why.clone(),
            Absent::Column(name) => {
                let why = why_absent(frame, name, row).unwrap_or_else(|| "no value".to_owned());
                if why == NO_ROWS {
                    why
                } else {
                    passed_on(name, &why)
                }
            }
        };
        if !reasons.contains(&why) {
            reasons.push(why);
        }
    }
    reasons.join("; ")
}

/// A value as a cell.
///
/// # Errors
/// Why no cell can hold it.
fn scalar(value: Value) -> Result<Scalar, &'static str> {
    match Kind::of(&value) {
        _ if !is_there(&value) => Err("there is none"),
        Kind::Text => Ok(Scalar::Text(value.as_str().unwrap_or_default().to_owned())),
        Kind::Truth => Ok(Scalar::Bool(value.is_true())),
        Kind::Number if value.is_integer() => {
            i64::try_from(value).map(Scalar::Int).map_err(|_| TOO_LARGE)
        }
        Kind::Number => match f64::try_from(value) {
            Ok(number) if number.is_finite() => Ok(Scalar::Float(number + 0.0)),
            _ => Err(TOO_LARGE),
        },
        Kind::List | Kind::Map | Kind::Other => serde_json::to_string(&value)
            .map(Scalar::Json)
            .map_err(|_| "it cannot be written as JSON"),
    }
}

impl Call<'_, '_, '_> {
    /// Whether it only counts rows.
    pub(crate) fn counts_rows(&self) -> bool {
        self.aggregate == Aggregate::Count && self.of.is_empty()
    }

    /// Of how many arguments it is.
    pub(crate) fn arguments(&self) -> usize {
        self.of.len()
    }
}
