//! Conditions over the columns of a row, such as `year >= 1900 and genre != 'Poetry'`.
//!
//! The language is minijinja's expressions, the same as inside templates. A row in which a column
//! that the condition uses has no value is not kept, unless the condition asks `is none`: minijinja
//! orders an absent value before every number, which would keep such rows for `year < 1900`. A
//! column that does not exist is an error, not an absent value.

use std::collections::BTreeMap;

use minijinja::value::Value;
use minijinja::{Environment, UndefinedBehavior};
use serde::{Serialize, Serializer};

use super::Failure;
use crate::frame::{Frame, FrameError};
use crate::template::value;

/// A condition over columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    text: String,
    columns: Vec<String>,
}

/// Enters keys as its text.
impl Serialize for Expression {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text.serialize(serializer)
    }
}

impl Expression {
    /// Checks the syntax and finds the columns used.
    ///
    /// # Errors
    /// What is wrong with the expression, as minijinja says it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let environment = environment();
        let expression = environment
            .compile_expression(text)
            .map_err(|error| error.detail().unwrap_or("not an expression").to_owned())?;
        let globals: Vec<&str> = environment.globals().map(|(name, _)| name).collect();
        let mut columns: Vec<String> = expression
            .undeclared_variables(false)
            .into_iter()
            .filter(|name| !globals.contains(&name.as_str()))
            .collect();
        columns.sort();
        Ok(Self {
            text: text.to_owned(),
            columns,
        })
    }

    /// The columns the condition looks at, sorted.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The positions, among `rows`, for which the condition holds.
    ///
    /// # Errors
    /// A missing column, or an expression that cannot be evaluated (named with its row).
    pub fn rows(&self, frame: &Frame, rows: Vec<usize>) -> Result<Vec<usize>, Failure> {
        let environment = environment();
        let expression = environment
            .compile_expression(&self.text)
            .map_err(|error| Failure::new(error.to_string()))?;
        let columns = self
            .columns
            .iter()
            .map(|name| Ok((name.as_str(), frame.column(name)?)))
            .collect::<Result<Vec<_>, FrameError>>()
            .map_err(|error| Failure::from(error).at(&self.text))?;
        let asks_for_absent = self.text.contains("is none") || self.text.contains("is not none");
        let mut kept = Vec::new();
        for row in rows {
            if !asks_for_absent
                && columns
                    .iter()
                    .any(|(_, column)| column.scalar(row).is_null())
            {
                continue;
            }
            let context: BTreeMap<&str, Value> = columns
                .iter()
                .map(|(name, column)| (*name, value(column.scalar(row))))
                .collect();
            let result = expression
                .eval(Value::from_pairs(context))
                .map_err(|error| {
                    let what = error.detail().unwrap_or("it cannot be evaluated");
                    Failure::new(format!("row {}: {what}", row + 1)).at(&self.text)
                })?;
            if result.is_true() {
                kept.push(row);
            }
        }
        Ok(kept)
    }
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::ColumnData;

    fn kept(expression: &str) -> Vec<usize> {
        let frame = Frame::new(vec![
            (
                "year".into(),
                ColumnData::Int(vec![Some(1890), Some(1910), None]),
            ),
            (
                "genre".into(),
                ColumnData::text(["Poetry", "Fiction", "Fiction"]),
            ),
        ])
        .unwrap();
        Expression::parse(expression)
            .unwrap()
            .rows(&frame, vec![0, 1, 2])
            .unwrap()
    }

    #[test]
    fn numbers_and_text_are_compared() {
        assert_eq!(kept("year >= 1900 and genre == 'Fiction'"), [1]);
    }

    #[test]
    fn an_absent_value_is_less_than_nothing() {
        assert_eq!(kept("year < 1900"), [0]);
    }

    #[test]
    fn an_absent_value_can_be_asked_for() {
        assert_eq!(kept("year is none"), [2]);
    }

    #[test]
    fn the_columns_used_are_known_without_running() {
        let expression = Expression::parse("year > 1900 and genre in ['a']").unwrap();
        assert_eq!(expression.columns(), ["genre", "year"]);
    }
}
