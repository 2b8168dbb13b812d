//! Expressions over the columns of a row: conditions such as `year >= 1900 and genre != 'Poetry'`, and values such as
//! `[1, score - 1] | max`; and over the rows of a group, such as `mean(score)`.
//!
//! The language is minijinja's expressions, the same as inside templates, but values of different kinds are never
//! compared: minijinja orders every text after every number, so `year >= 1900` would hold for every year that is text.
//! A row in which a column that the condition uses has no value is not kept, unless the condition asks `is none`, and
//! such rows are counted where what they lack might have kept them. A value that is made of an absent one is absent, and
//! has its reason. A column that does not exist is an error, not an absent value.

mod aggregate;
mod calls;
mod chance;
mod compute;
mod decided;
mod evaluate;
mod holds;
mod kinds;
mod lists;
mod mistake;
mod walk;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use minijinja::machinery::parse_expr;
use minijinja::{Environment, UndefinedBehavior};
use serde::{Serialize, Serializer};

pub(crate) use self::aggregate::{Aggregate, Call};
pub(crate) use self::compute::{Computed, NO_ROWS, Parsed, typed};
use self::decided::Decided;
use self::evaluate::{Cell, Evaluator};
use self::mistake::Wrong;
use crate::base::failure::Failure;
use crate::base::wording::{choice_of, count, shorten};
use crate::frame::{ColumnView, Frame, FrameError, Scalar};
use crate::models::template::{limit, of_condition, value};
use crate::stage::StageName;

/// The most steps that a condition may take for a row.
const STEPS: u64 = 1_000_000;

/// A condition or a value over columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    text: String,
    columns: Vec<String>,
    /// Of an expression over groups, the columns that stand in no aggregate.
    outer: Vec<String>,
    /// The columns of which it asks `is none`.
    asked: Vec<String>,
}

/// The rows that a condition keeps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Their positions.
    pub rows: Vec<usize>,
    /// Those of which it cannot say whether they are kept, since they lack a value.
    pub open: Vec<usize>,
    /// How many these are, in a sentence.
    pub undecided: Option<String>,
}

impl Kept {
    /// The rows; what is to be said of others goes to the warnings.
    pub fn noting(self, warnings: &mut Vec<String>) -> Vec<usize> {
        warnings.extend(self.undecided);
        self.rows
    }

    /// The same, and that a `where` keeps none, if the table has rows; `of` says whose, where several are read.
    pub fn noting_none(
        self,
        table: &Frame,
        of: Option<&StageName>,
        warnings: &mut Vec<String>,
    ) -> Vec<usize> {
        let rows = self.noting(warnings);
        if rows.is_empty() && table.rows() > 0 {
            let all = count(table.rows(), "row");
            let of = of.map_or(String::new(), |of| format!(" of `{of}`"));
            warnings.push(format!("`where` keeps none of {all}{of}"));
        }
        rows
    }
}

/// Enters keys as its text.
impl Serialize for Expression {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text.serialize(serializer)
    }
}

impl Expression {
    /// The rows of a table that a part's `where` keeps, or all; what is to be told of it goes to `warnings`.
    ///
    /// # Errors
    /// As [`Self::rows`].
    pub(crate) fn rows_of_part(
        condition: Option<&Self>,
        table: &Frame,
        from: &StageName,
        warnings: &mut Vec<String>,
    ) -> Result<Vec<usize>, Failure> {
        let all = (0..table.rows()).collect();
        match condition {
            Some(condition) => {
                Ok(condition
                    .rows(table, all)?
                    .noting_none(table, Some(from), warnings))
            }
            None => Ok(all),
        }
    }

    /// Checks the syntax and finds the columns used.
    ///
    /// # Errors
    /// What is wrong with the expression, as minijinja says it.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::read(text, false)
    }

    /// The same of an expression over the rows of a group, in which aggregates are called.
    ///
    /// # Errors
    /// The same.
    pub fn of_groups(text: &str) -> Result<Self, String> {
        let expression = Self::read(text, true)?;
        let root = parse_expr(text).map_err(|_| "not an expression".to_owned())?;
        aggregate::calls(&root, text)?;
        Ok(expression)
    }

    fn read(text: &str, groups: bool) -> Result<Self, String> {
        of_condition(text)?;
        let root = parse_expr(text)
            .map_err(|error| error.detail().unwrap_or("not an expression").to_owned())?;
        let named = walk::named(&root, groups, environment())?;
        Ok(Self {
            text: text.to_owned(),
            columns: named.columns.into_iter().collect(),
            outer: named.outer.into_iter().collect(),
            asked: named.asked.into_iter().collect(),
        })
    }

    /// The expression as it is written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The columns of rows that it looks at, sorted.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Of an expression over groups that is a list of objects and nothing else, their fields.
    pub(crate) fn fields(&self) -> Option<Vec<String>> {
        let root = self.root().ok()?;
        aggregate::called(&root)?;
        let calls = aggregate::calls(&root, &self.text).ok()?;
        let fields = calls.first()?.fields()?;
        Some(fields.into_iter().map(str::to_owned).collect())
    }

    /// Of an expression over groups, the columns of groups that it looks at, sorted.
    pub(crate) fn outer(&self) -> &[String] {
        &self.outer
    }

    /// Whether values of different kinds meet in the condition, as far as that shows without any row; `known` is a value
    /// of those columns of which one is known.
    ///
    /// # Errors
    /// What meets what, with a hint.
    pub fn check_kinds(&self, known: impl Fn(&str) -> Option<Scalar>) -> Result<(), Failure> {
        self.look_through(known, true)
    }

    /// The same of an expression that need be no condition.
    ///
    /// # Errors
    /// The same.
    pub(crate) fn check_value(
        &self,
        known: impl Fn(&str) -> Option<Scalar>,
    ) -> Result<(), Failure> {
        self.look_through(known, false)
    }

    fn look_through(
        &self,
        known: impl Fn(&str) -> Option<Scalar>,
        condition: bool,
    ) -> Result<(), Failure> {
        let cell = |name: &str| match known(name) {
            Some(scalar) if !scalar.is_null() => Cell::Value(value(scalar)),
            _ => Cell::Unknown,
        };
        let mut evaluator = Evaluator::new(&self.text, environment(), true);
        let looked = self.root().and_then(|root| {
            for call in aggregate::calls(&root, &self.text).unwrap_or_default() {
                evaluator.fits(&call, &cell)?;
            }
            if condition {
                evaluator.truth(&root, &cell).map(drop)
            } else {
                evaluator.value(&root, &cell).map(drop)
            }
        });
        match looked {
            Err(Wrong::Mixed { message, hint }) => Err(Failure::new(message).hint(hint)),
            // Anything else depends on the values of rows.
            Ok(()) | Err(Wrong::Failed(_)) => Ok(()),
        }
    }

    /// The condition, to be asked of many rows of which some columns are known.
    pub(crate) fn deciding(&self) -> Deciding<'_> {
        Deciding {
            root: self.root().ok(),
            evaluator: Evaluator::new(&self.text, environment(), false),
        }
    }

    fn root(&self) -> Result<minijinja::machinery::ast::Expr<'_>, Wrong> {
        Ok(parse_expr(&self.text)?)
    }

    /// Those of `rows` for which the condition holds.
    ///
    /// # Errors
    /// A missing column, or an expression that cannot be evaluated (named with its row).
    pub fn rows(&self, frame: &Frame, rows: Vec<usize>) -> Result<Kept, Failure> {
        let columns = self
            .columns
            .iter()
            .map(|name| Ok((name.as_str(), frame.column(name)?)))
            .collect::<Result<BTreeMap<_, _>, FrameError>>()
            .map_err(|error| Failure::from(error).at(&self.text))?;
        let root = self.root().map_err(|wrong| self.failure(None, wrong))?;
        let mut evaluator = Evaluator::new(&self.text, environment(), false);
        let all = rows.len();
        let mut kept = Vec::new();
        let mut undecided = Undecided::default();
        let mut decided = Decided::new(columns.values());
        for row in rows {
            if let Some(holds) = decided.of(row) {
                kept.extend(holds.then_some(row));
                continue;
            }
            let cell = |name: &str| match columns.get(name).map(|column| column.scalar(row)) {
                None | Some(Scalar::Null) => Cell::Absent,
                Some(scalar) => Cell::Value(value(scalar)),
            };
            let lacking = self.lacking(&columns, row);
            match evaluator.truth(&root, &cell) {
                Ok(Some(holds)) if lacking.is_empty() => {
                    decided.note(holds);
                    kept.extend(holds.then_some(row));
                }
                Ok(Some(false)) => {}
                // Without the value nobody can say, and what cannot be computed then could be with it.
                Err(Wrong::Failed(_)) if !lacking.is_empty() => undecided.add(row, lacking),
                Ok(_) => undecided.add(row, lacking),
                Err(wrong) => return Err(self.failure(Some(row), wrong)),
            }
        }
        Ok(Kept {
            rows: kept,
            undecided: undecided.sentence(&self.text, all),
            open: undecided.rows,
        })
    }

    /// The columns without a value in a row, apart from those of which the condition asks that.
    fn lacking<'s>(
        &'s self,
        columns: &BTreeMap<&str, ColumnView<'_>>,
        row: usize,
    ) -> Vec<&'s String> {
        let absent = |name: &&String| {
            let column = columns.get(name.as_str());
            column.is_some_and(|column| column.scalar(row).is_null())
        };
        let needed = self
            .columns
            .iter()
            .filter(|name| !self.asked.contains(name));
        needed.filter(absent).collect()
    }

    fn failure(&self, row: Option<usize>, wrong: Wrong) -> Failure {
        let place = row.map_or(String::new(), |row| format!("row {}: ", row + 1));
        match wrong {
            Wrong::Failed(what) => Failure::new(format!("{place}{what}")),
            Wrong::Mixed { message, hint } => Failure::new(format!("{place}{message}")).hint(hint),
        }
        .at(&self.text)
    }
}

/// Rows of which a condition cannot say whether they are kept.
#[derive(Default)]
struct Undecided<'c> {
    rows: Vec<usize>,
    columns: Vec<&'c String>,
}

impl<'c> Undecided<'c> {
    fn add(&mut self, row: usize, lacking: Vec<&'c String>) {
        self.rows.push(row);
        for column in lacking {
            if !self.columns.contains(&column) {
                self.columns.push(column);
            }
        }
    }

    fn sentence(&self, condition: &str, all: usize) -> Option<String> {
        let condition = shorten(condition, 80);
        let rows = format!("{} of {}", self.rows.len(), count(all, "row"));
        match (self.rows.len(), self.columns.as_slice()) {
            (0, _) => None,
            (_, []) => Some(format!(
                "`{condition}` has no answer for {rows}, which it leaves out"
            )),
            (_, columns @ [first, ..]) => Some(format!(
                "`{condition}` leaves out {rows} without a value in {}; begin it with `{first} is not none and` if that is meant",
                choice_of(columns)
            )),
        }
    }
}

/// What a condition says of rows of which some columns are known.
pub(crate) struct Deciding<'e> {
    root: Option<minijinja::machinery::ast::Expr<'e>>,
    evaluator: Evaluator<'e>,
}

impl Deciding<'_> {
    /// Whether it holds, if that follows from what is known alone.
    pub(crate) fn decide(&mut self, known: impl Fn(&str) -> Option<Scalar>) -> Option<bool> {
        let cell = |name: &str| match known(name) {
            Some(scalar) if !scalar.is_null() => Cell::Value(value(scalar)),
            _ => Cell::Unknown,
        };
        self.evaluator.truth(self.root.as_ref()?, &cell).ok()?
    }
}

/// Made once: an expression is a small thing beside it.
fn environment() -> &'static Environment<'static> {
    static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        limit(&mut environment);
        environment.set_fuel(Some(STEPS));
        environment
    });
    &ENVIRONMENT
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod value_tests;
