//! One cell of a table.
//!
//! This module must not know about columns or files.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One cell: absent, or a value of one of the four types a column may have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Scalar {
    /// No value.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A finite number.
    Float(f64),
    /// Text.
    Text(String),
}

impl Scalar {
    /// Whether there is no value.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Whether the value is the same as a float, if it is a number.
    pub(super) fn fits_float(&self) -> bool {
        const WHOLE: u64 = 1 << 53;
        !matches!(self, Self::Int(value) if value.unsigned_abs() > WHOLE)
    }

    /// The value as a number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match *self {
            Self::Int(value) => Some(value as f64),
            Self::Float(value) => Some(value),
            _ => None,
        }
    }
}

/// The canonical text of a value: what a join compares and a table prints as a heading. Whole
/// floats print without a fraction, so that `2000` read as a float still equals `2000`.
impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => Ok(()),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value}"),
            Self::Text(value) => f.write_str(value),
        }
    }
}

impl From<&str> for Scalar {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for Scalar {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl From<Option<String>> for Scalar {
    fn from(value: Option<String>) -> Self {
        value.map_or(Self::Null, Self::Text)
    }
}

impl From<Option<f64>> for Scalar {
    /// A number that is not finite has no place in a table and becomes absent.
    fn from(value: Option<f64>) -> Self {
        value
            .filter(|value| value.is_finite())
            .map_or(Self::Null, Self::Float)
    }
}

impl From<u64> for Scalar {
    fn from(value: u64) -> Self {
        Self::Int(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl From<usize> for Scalar {
    fn from(value: usize) -> Self {
        Self::from(value as u64)
    }
}
