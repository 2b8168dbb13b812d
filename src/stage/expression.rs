//! Conditions over the columns of a row, such as `year >= 1900 and genre != 'Poetry'`.
//!
//! The language is minijinja's expressions, the same as inside templates. A row in which a column
//! that the condition uses has no value is not kept, unless the condition asks `is none`: minijinja
//! orders an absent value before every number, which would keep such rows for `year < 1900`. It also
//! orders every text after every number, so a comparison of a text column with a number, or the
//! other way round, is refused. A column that does not exist is an error, not an absent value.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use minijinja::value::Value;
use minijinja::{Environment, UndefinedBehavior};
use regex::Regex;
use serde::{Serialize, Serializer};

use super::Failure;
use crate::frame::{ColumnView, Frame, FrameError};
use crate::template::{of_condition, value};
use crate::wording::shorten;

/// The most steps that a condition may take for a row.
const STEPS: u64 = 1_000_000;

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
        if equals_none(text) {
            return Err("nothing equals `none`: write `is none` or `is not none`".to_owned());
        }
        of_condition(text)?;
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

    /// The condition as it is written.
    pub fn text(&self) -> &str {
        &self.text
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
        let mut needed = Vec::new();
        for (name, column) in &columns {
            self.check_comparisons(name, column)?;
            if !self.asks_whether_absent(name)? {
                needed.push(column);
            }
        }
        let mut kept = Vec::new();
        for row in rows {
            if needed.iter().any(|column| column.scalar(row).is_null()) {
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

    /// Refuses to compare a column of text with a number, or one of numbers with text.
    fn check_comparisons(&self, name: &str, column: &ColumnView<'_>) -> Result<(), Failure> {
        let word = regex::escape(name);
        let operator = r"(?:==|!=|<=|>=|<|>|in\s*[\[(]|not\s+in\s*[\[(])";
        let literal = r#"(-?\d[\d.]*|'[^']*'|"[^"]*")"#;
        for pattern in [
            format!(r"\b{word}\b\s*{operator}\s*{literal}"),
            format!(r"{literal}\s*(?:==|!=|<=|>=|<|>)\s*{word}\b"),
        ] {
            for found in regex(&pattern)
                .map_err(Failure::new)?
                .captures_iter(&self.text)
            {
                let literal = &found[1];
                let of_text = literal.starts_with(['\'', '"']);
                let (fits, other, repair) = match column.kind() {
                    "text" => (
                        of_text,
                        "a number",
                        format!("write `'{literal}'`, or correct the column"),
                    ),
                    "numbers" | "whole numbers" => {
                        let plain = literal.trim_matches(['\'', '"']);
                        (!of_text, "text", format!("write `{plain}` without quotes"))
                    }
                    _ => (true, "", String::new()),
                };
                if !fits {
                    let example = (0..column.len())
                        .find_map(|row| Some((row + 1, column.text(row)?)))
                        .map_or(String::new(), |(row, text)| {
                            format!(" (row {row}: `{}`)", shorten(&text, 30))
                        });
                    return Err(Failure::new(format!(
                        "`{name}` holds {}{example}, and is compared with {other}",
                        column.kind()
                    ))
                    .at(&self.text)
                    .hint(repair));
                }
            }
        }
        Ok(())
    }

    /// Whether the condition asks `is none` or `is not none` of a column.
    fn asks_whether_absent(&self, name: &str) -> Result<bool, Failure> {
        let pattern = format!(r"\b{}\s+is\s+(?:not\s+)?none\b", regex::escape(name));
        Ok(regex(&pattern).map_err(Failure::new)?.is_match(&self.text))
    }
}

/// Whether something is compared with `none`: `== none` or `!= none`.
fn equals_none(text: &str) -> bool {
    text.match_indices('=').any(|(at, _)| {
        let rest = text[at + 1..].trim_start().strip_prefix("none");
        let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        text[..at].ends_with(['=', '!']) && rest.is_some_and(ends)
    })
}

fn regex(pattern: &str) -> Result<Regex, String> {
    Regex::new(pattern).map_err(|error| error.to_string())
}

/// Made once: a condition is a small thing beside it.
fn environment() -> &'static Environment<'static> {
    static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_fuel(Some(STEPS));
        environment
    });
    &ENVIRONMENT
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
    fn asking_for_one_absent_column_does_not_let_others_through() {
        assert_eq!(kept("genre is not none and year < 1900"), [0]);
    }

    #[test]
    fn text_is_not_compared_with_a_number() {
        let frame =
            Frame::new(vec![("year".into(), ColumnData::text(["1850", "c. 1890"]))]).unwrap();
        let error = |text: &str| {
            let expression = Expression::parse(text).unwrap();
            expression.rows(&frame, vec![0, 1]).unwrap_err().message
        };
        for text in ["year >= 1900", "1900 < year", "year in [1850, 1860]"] {
            assert_eq!(
                error(text),
                format!(
                    "`{text}`: `year` holds text (row 1: `1850`), and is compared with a number"
                )
            );
        }
    }

    #[test]
    fn equality_with_none_is_refused() {
        let error = Expression::parse("year == none").unwrap_err();
        assert_eq!(
            error,
            "nothing equals `none`: write `is none` or `is not none`"
        );
    }

    #[test]
    fn the_columns_used_are_known_without_running() {
        let expression = Expression::parse("year > 1900 and genre in ['a']").unwrap();
        assert_eq!(expression.columns(), ["genre", "year"]);
    }
}
