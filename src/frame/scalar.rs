//! One cell of a table.
//!
//! This module must not know about columns or files.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::base::json::Json;

/// One cell: absent, or a value of one of the five types a column may have.
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
    /// A list or an object, as JSON: on one line without blanks and with the keys in the order in which they were given;
    /// what a model wrote, as it wrote it.
    Json(String),
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

    /// The order of two cells: numbers by size, texts by their characters, false before true; absent ones last.
    pub fn order(&self, other: &Self) -> Ordering {
        let rank = |cell: &Self| match cell {
            Self::Bool(_) => 0,
            Self::Int(_) | Self::Float(_) => 1,
            Self::Text(_) => 2,
            Self::Json(_) => 3,
            Self::Null => 4,
        };
        match (self, other) {
            (Self::Int(one), Self::Int(other)) => one.cmp(other),
            (Self::Text(one), Self::Text(other)) | (Self::Json(one), Self::Json(other)) => {
                one.cmp(other)
            }
            (Self::Bool(one), Self::Bool(other)) => one.cmp(other),
            _ => match (self.number(), other.number()) {
                (Some(one), Some(other)) => (one + 0.0).total_cmp(&(other + 0.0)),
                _ => rank(self).cmp(&rank(other)),
            },
        }
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
/// floats print without a fraction, so that `2000` read as a float still equals `2000`; zero has no sign.
impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => Ok(()),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            // Negative zero is zero.
            Self::Float(value) => write!(f, "{}", value + 0.0),
            Self::Text(value) | Self::Json(value) => f.write_str(value),
        }
    }
}

impl From<Json> for Scalar {
    fn from(value: Json) -> Self {
        match value {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Bool(value),
            // A whole number too large for the column stays as it is written.
            Json::Number(n) if n.is_u64() && n.as_i64().is_none() => Self::Text(n.to_string()),
            Json::Number(n) => n.as_i64().map_or_else(|| Self::from(n.as_f64()), Self::Int),
            Json::Text(value) => Self::Text(value),
            nested @ (Json::List(_) | Json::Object(_)) => Self::Json(nested.to_string()),
            long @ Json::Long(_) => Self::Text(long.to_string()),
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
