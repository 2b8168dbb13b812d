//! Kinds of values, and which of them may be compared with which.
//!
//! minijinja compares anything with anything: it orders every text after every number, and nothing equals a
//! value of another kind. Either answer is no answer to what was asked.

use std::borrow::Cow;

use minijinja::machinery::ast::{BinOpKind, CompareOpKind, Expr};
use minijinja::value::{Value, ValueKind};

use super::walk;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Number,
    Truth,
    List,
    Map,
    Other,
}

impl Kind {
    /// The kind of a value that is there.
    pub(super) fn of(value: &Value) -> Self {
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
    pub(super) fn name(self) -> &'static str {
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
pub(super) fn unlike(one: &Value, other: &Value) -> Option<(Value, Value)> {
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
pub(super) fn mixed(list: &Value) -> Option<(Value, Value)> {
    let items: Vec<Value> = list.try_iter().ok()?.filter(is_there).collect();
    items.windows(2).find_map(|pair| unlike(&pair[0], &pair[1]))
}

/// Whether there is a value.
pub(super) fn is_there(value: &Value) -> bool {
    !value.is_none() && !value.is_undefined()
}

/// A comparison, in whatever form it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
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
    pub(super) fn holds(self, one: &Value, other: &Value) -> bool {
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
    pub(super) fn of_test(name: &str) -> Option<Self> {
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

/// The comparison that an operator makes.
pub(super) fn comparison(op: BinOpKind) -> Option<Comparison> {
    Some(match op {
        BinOpKind::Eq => Comparison::Equal,
        BinOpKind::Ne => Comparison::Unequal,
        BinOpKind::Lt => Comparison::Less,
        BinOpKind::Lte => Comparison::AtMost,
        BinOpKind::Gt => Comparison::Greater,
        BinOpKind::Gte => Comparison::AtLeast,
        BinOpKind::In => Comparison::In,
        _ => return None,
    })
}

/// What joins conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Connective {
    And,
    Or,
}

/// What joins the two sides of an expression, if it is conditions that it joins.
pub(super) fn connective(expr: &Expr<'_>) -> Option<Connective> {
    match expr {
        Expr::BinOp(op) => match op.op {
            BinOpKind::ScAnd => Some(Connective::And),
            BinOpKind::ScOr => Some(Connective::Or),
            _ => None,
        },
        _ => None,
    }
}

/// An operator as it is written, and whether it is one of arithmetic.
pub(super) fn operator(op: BinOpKind) -> Option<&'static str> {
    Some(match op {
        BinOpKind::Add => "a + b",
        BinOpKind::Sub => "a - b",
        BinOpKind::Mul => "a * b",
        BinOpKind::Div => "a / b",
        BinOpKind::FloorDiv => "a // b",
        BinOpKind::Rem => "a % b",
        BinOpKind::Pow => "a ** b",
        BinOpKind::Concat => "a ~ b",
        _ => return None,
    })
}

/// What a filter makes of any value, where that is known: a value of that kind, to find out which kinds meet.
pub(super) fn typical(filter: &str) -> Option<Value> {
    Some(match filter {
        "int" | "float" | "round" | "abs" | "length" | "count" | "sum" => Value::from(1),
        "string" | "lower" | "upper" | "trim" | "title" | "capitalize" | "replace" | "join" => {
            Value::from("text")
        }
        "bool" => Value::from(true),
        _ => return None,
    })
}

/// An expression as it stands in the condition.
pub(super) fn shown<'t>(text: &'t str, expr: &Expr<'_>) -> Cow<'t, str> {
    // The span of a filter is that of its name alone.
    let (mut start, mut end) = (text.len(), 0);
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        let span = expr.span();
        start = start.min(span.start_offset as usize);
        end = end.max(span.end_offset as usize);
        open.extend(walk::children(expr));
    }
    // Nor do spans hold parentheses around what they begin or end with.
    let count = |from: usize, to: usize, sign: char| {
        text.get(from..to).unwrap_or_default().matches(sign).count()
    };
    while count(start, end, ')') > count(start, end, '(')
        && let Some(before) = text[..start].rfind('(')
    {
        start = before;
    }
    while count(start, end, '(') > count(start, end, ')')
        && let Some(behind) = text[end..].find(')')
    {
        end += behind + 1;
    }
    match text.get(start..end).map(str::trim) {
        Some(slice) if !slice.is_empty() => Cow::Borrowed(slice),
        _ => Cow::Owned(expr.description().to_owned()),
    }
}
