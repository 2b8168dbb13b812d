//! What operators and filters of an expression make of which kinds of values.

use std::borrow::Cow;

use minijinja::machinery::ast::{BinOpKind, Expr};
use minijinja::value::Value;

use super::walk;
pub(super) use crate::models::template::kinds::{Comparison, Kind, is_there, mixed, unlike};

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
        "int" | "float" | "round" | "abs" | "length" | "count" | "sum" | "t_p" => Value::from(1),
        "string" | "lower" | "upper" | "trim" | "title" | "capitalize" | "replace" | "join" => {
            Value::from("text")
        }
        "bool" | "intersects" => Value::from(true),
        "sort" | "unique" | "list" => Value::from(Vec::<Value>::new()),
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
