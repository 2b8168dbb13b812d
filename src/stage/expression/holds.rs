//! What the values of an expression are, as far as that shows without any row.

use minijinja::machinery::ast::{Expr, UnaryOpKind};

use super::aggregate::{self, Aggregate};
use super::{kinds, walk};
use crate::stage::Holds;

/// What an expression makes of columns that hold this.
pub(super) fn holds(expr: &Expr<'_>, known: &dyn Fn(&str) -> Holds) -> Holds {
    if let Some(name) = walk::column(expr) {
        return known(name);
    }
    if let (Some(aggregate), Expr::Call(call)) = (aggregate::called(expr), expr) {
        return match aggregate {
            Aggregate::Any | Aggregate::All => Holds::Truth,
            Aggregate::List => Holds::Json,
            Aggregate::Min | Aggregate::Max | Aggregate::First => walk::arguments(&call.args)
                .next()
                .map_or(Holds::Unknown, |of| holds(of, known)),
            _ => Holds::Numbers,
        };
    }
    match expr {
        Expr::Const(constant) => of_kind(kinds::Kind::of(&constant.value)),
        Expr::UnaryOp(op) if matches!(op.op, UnaryOpKind::Not) => Holds::Truth,
        Expr::UnaryOp(_) => Holds::Numbers,
        Expr::BinOp(op) => match kinds::operator(op.op) {
            Some("a ~ b") => Holds::Text,
            Some(_) => Holds::Numbers,
            None => Holds::Truth,
        },
        Expr::Compare(_) | Expr::Test(_) => Holds::Truth,
        Expr::IfExpr(choice) => {
            let yes = holds(&choice.true_expr, known);
            match &choice.false_expr {
                Some(no) if holds(no, known) != yes => Holds::Unknown,
                _ => yes,
            }
        }
        Expr::Filter(filter) => match filter.name {
            "min" | "max" | "first" | "last" => match &filter.expr {
                Some(Expr::List(list)) => alike(&list.items, known),
                _ => Holds::Unknown,
            },
            name => match kinds::typical(name) {
                Some(value) => of_kind(kinds::Kind::of(&value)),
                None => Holds::Unknown,
            },
        },
        Expr::List(_) | Expr::Tuple(_) | Expr::Map(_) => Holds::Json,
        _ => Holds::Unknown,
    }
}

/// What all of these hold.
fn alike(items: &[Expr<'_>], known: &dyn Fn(&str) -> Holds) -> Holds {
    let mut all = items.iter().map(|item| holds(item, known));
    let first = all.next().unwrap_or(Holds::Unknown);
    if all.all(|other| other == first) {
        first
    } else {
        Holds::Unknown
    }
}

fn of_kind(kind: kinds::Kind) -> Holds {
    match kind {
        kinds::Kind::Text => Holds::Text,
        kinds::Kind::Number => Holds::Numbers,
        kinds::Kind::Truth => Holds::Truth,
        kinds::Kind::List | kinds::Kind::Map => Holds::Json,
        kinds::Kind::Other => Holds::Unknown,
    }
}
