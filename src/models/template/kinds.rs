//! Kinds of values, and which of them may be compared with which, in conditions of specs and in templates.
//!
//! minijinja compares anything with anything: it orders every text after every number, and nothing equals a
//! value of another kind. Either answer is no answer to what was asked.

use minijinja::machinery::ast::CompareOpKind;
use minijinja::value::{Value, ValueKind};

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Number,
    Truth,
    List,
    Map,
    Other,
}

impl Kind {
    /// The kind of a value that is there.
    pub(crate) fn of(value: &Value) -> Self {
        match value.kind() {
            ValueKind::String => Self::Text,
            ValueKind::Number => Self::Number,
            ValueKind::Bool => Self::Truth,
            ValueKind::Seq | ValueKind::Iterable => Self::List,
            ValueKind::Map => Self::Map,
            _ => Self::Other,
        }
    }

    /// The kind in words.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Number => "a number",
            Self::Truth => "true or false",
            Self::List => "a list",
            Self::Map => "a table of values",
            Self::Other => "no value",
        }
    }
}

/// The first two values of different kinds among two that are compared: they themselves, or what stands in the same
/// place of two lists.
pub(crate) fn unlike(one: &Value, other: &Value) -> Option<(Value, Value)> {
    let kinds = (Kind::of(one), Kind::of(other));
    if kinds.0 != kinds.1 {
        return Some((one.clone(), other.clone()));
    }
    if kinds.0 != Kind::List {
        return None;
    }
    let (ones, others) = (one.try_iter().ok()?, other.try_iter().ok()?);
    ones.zip(others)
        .filter(|(one, other)| is_there(one) && is_there(other))
        .find_map(|(one, other)| unlike(&one, &other))
}

/// The first two neighbours of different kinds in a list.
pub(crate) fn mixed(list: &Value) -> Option<(Value, Value)> {
    let items: Vec<Value> = list.try_iter().ok()?.filter(is_there).collect();
    items.windows(2).find_map(|pair| unlike(&pair[0], &pair[1]))
}

/// Whether there is a value.
pub(crate) fn is_there(value: &Value) -> bool {
    !value.is_none() && !value.is_undefined()
}

/// A comparison, in whatever form it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
    In,
    NotIn,
}

impl Comparison {
    /// What two values of one kind compare to.
    pub(crate) fn holds(self, one: &Value, other: &Value) -> bool {
        match self {
            Self::Equal => one == other,
            Self::Unequal => one != other,
            Self::Less => one < other,
            Self::AtMost => one <= other,
            Self::Greater => one > other,
            Self::AtLeast => one >= other,
            Self::In | Self::NotIn => false,
        }
    }

    /// The comparison that a test such as `is lessthan(3)` makes.
    pub(crate) fn of_test(name: &str) -> Option<Self> {
        Some(match name {
            "eq" | "equalto" | "==" | "sameas" => Self::Equal,
            "ne" | "!=" => Self::Unequal,
            "lt" | "lessthan" | "<" => Self::Less,
            "le" | "<=" => Self::AtMost,
            "gt" | "greaterthan" | ">" => Self::Greater,
            "ge" | ">=" => Self::AtLeast,
            "in" => Self::In,
            _ => return None,
        })
    }
}

impl From<CompareOpKind> for Comparison {
    fn from(op: CompareOpKind) -> Self {
        match op {
            CompareOpKind::Eq => Self::Equal,
            CompareOpKind::Ne => Self::Unequal,
            CompareOpKind::Lt => Self::Less,
            CompareOpKind::Lte => Self::AtMost,
            CompareOpKind::Gt => Self::Greater,
            CompareOpKind::Gte => Self::AtLeast,
            CompareOpKind::In => Self::In,
            CompareOpKind::NotIn => Self::NotIn,
        }
    }
}
