//! What can be read off an expression's syntax tree without any row: columns, names that nothing has.

use std::borrow::Cow;
use std::collections::BTreeSet;

use minijinja::machinery::ast::{CallArg, Expr};
use minijinja::value::Value;
use minijinja::{Environment, ErrorKind};

use super::aggregate::{self, Aggregate};
use super::{kinds, lists};
use crate::base::wording::{did_you_mean, list_of};
use crate::models::template::{FILTERS, TESTS};

/// How many expressions may stand inside each other. Deeper ones are no conditions that a person wrote.
const DEEPEST: usize = 100;

/// The functions that a condition may call.
const FUNCTIONS: [&str; 3] = ["range", "dict", COLUMN];

/// The function that names a column whose name is no plain word: `column('word count')`.
const COLUMN: &str = "column";

/// The column that an expression names, if it is nothing else.
pub(super) fn column<'e>(expr: &'e Expr<'_>) -> Option<&'e str> {
    match expr {
        Expr::Var(var) => Some(var.id),
        Expr::Call(call) => match (&call.expr, call.args.as_slice()) {
            (Expr::Var(var), [CallArg::Pos(Expr::Const(name))]) if var.id == COLUMN => {
                name.value.as_str()
            }
            _ => None,
        },
        _ => None,
    }
}

/// The column whose value an expression has: one that it names, or an aggregate, which is known by how it is written.
pub(super) fn named_by<'n>(expr: &'n Expr<'_>, text: &'n str) -> Option<Cow<'n, str>> {
    match column(expr) {
        Some(name) => Some(Cow::Borrowed(name)),
        None => aggregate::called(expr).map(|_| kinds::shown(text, expr)),
    }
}

/// What an expression names.
#[derive(Debug, Default)]
pub(super) struct Named {
    /// The columns of rows, sorted.
    pub(super) columns: BTreeSet<String>,
    /// Of an expression over groups, the columns outside of aggregates.
    pub(super) outer: BTreeSet<String>,
    /// Those of which it asks `is none`.
    pub(super) asked: BTreeSet<String>,
}

/// Walks through an expression: one over rows, or one over `groups`, which calls aggregates.
///
/// # Errors
/// A comparison with `none`, a filter, test or function that there is not, or too many expressions in each other.
pub(super) fn named(
    root: &Expr<'_>,
    groups: bool,
    environment: &Environment<'_>,
) -> Result<Named, String> {
    let mut named = Named::default();
    let mut open = vec![(root, 0, !groups)];
    while let Some((expr, depth, of_rows)) = open.pop() {
        if depth > DEEPEST {
            return Err(format!(
                "more than {DEEPEST} expressions are nested: use `in [...]`, or several `select` stages"
            ));
        }
        if let Some(name) = column(expr) {
            let columns = if of_rows {
                &mut named.columns
            } else {
                &mut named.outer
            };
            columns.insert(name.to_owned());
            continue;
        }
        match expr {
            Expr::Test(test) => {
                known_test(test.name, environment)?;
                if let ("none", Some(name)) = (test.name, column(&test.expr)) {
                    named.asked.insert(name.to_owned());
                }
            }
            Expr::Filter(filter) => known_filter(filter.name, environment)?,
            Expr::Compare(compare) => {
                let mut sides =
                    std::iter::once(&compare.expr).chain(compare.ops.iter().map(|op| &op.expr));
                if sides.any(is_none) {
                    return Err(NO_EQUAL.to_owned());
                }
            }
            Expr::BinOp(op)
                if kinds::comparison(op.op).is_some()
                    && (is_none(&op.left) || is_none(&op.right)) =>
            {
                return Err(NO_EQUAL.to_owned());
            }
            Expr::Call(call) => {
                match &call.expr {
                    Expr::Var(var) if var.id == COLUMN => {
                        return Err("`column` takes the name of one column, in quotes: `column('word count')`".to_owned());
                    }
                    Expr::Var(var) if FUNCTIONS.contains(&var.id) => {}
                    Expr::Var(var) if groups && aggregate::called(expr).is_some() => {
                        if of_rows {
                            return Err(format!(
                                "`{}` stands in another aggregate: compute one of them in a `group` before",
                                var.id
                            ));
                        }
                    }
                    Expr::Var(var) if aggregate::called(expr).is_some() => {
                        return Err(one_row(var.id));
                    }
                    Expr::Var(var) if groups => {
                        let known: Vec<&str> = Aggregate::names().chain(FUNCTIONS).collect();
                        let near = did_you_mean(var.id, &known);
                        let near = if near.is_empty() {
                            format!(
                                "; there are {}",
                                list_of(&Aggregate::names().collect::<Vec<_>>())
                            )
                        } else {
                            near
                        };
                        return Err(format!("there is no aggregate `{}`{near}", var.id));
                    }
                    Expr::Var(var) => {
                        return Err(format!(
                            "there is no function `{}`{}",
                            var.id,
                            did_you_mean(var.id, &FUNCTIONS)
                        ));
                    }
                    Expr::GetAttr(attr) => {
                        return Err(format!(
                            "columns have no methods: write a filter, such as `|{}`",
                            if attr.name.starts_with("upper") {
                                "upper"
                            } else {
                                "lower"
                            }
                        ));
                    }
                    _ => return Err("only functions can be called".to_owned()),
                }
            }
            _ => {}
        }
        // A chain of `and` or `or` is as deep as it is long, and is evaluated as one.
        let chained = |child: &Expr<'_>| {
            kinds::connective(expr).is_some() && kinds::connective(expr) == kinds::connective(child)
        };
        let of_rows = of_rows || aggregate::called(expr).is_some();
        for child in children(expr) {
            let depth = if chained(child) { depth } else { depth + 1 };
            open.push((child, depth, of_rows));
        }
    }
    Ok(named)
}

/// An aggregate is called where there is one row at a time.
fn one_row(aggregate: &str) -> String {
    match aggregate {
        "sum" | "min" | "max" | "first" => format!(
            "`{aggregate}` is a filter over a list here: `[one, other]|{aggregate}`; over the rows of a group it belongs into a `group` stage"
        ),
        _ => format!("`{aggregate}` is over the rows of a group: write it in a `group` stage"),
    }
}

const NO_EQUAL: &str = "nothing equals `none`: write `is none` or `is not none`";

fn is_none(expr: &Expr<'_>) -> bool {
    matches!(expr, Expr::Const(constant) if constant.value.is_none())
}

/// What a call is handed.
pub(super) fn arguments<'e, 's>(
    arguments: &'e [CallArg<'s>],
) -> impl Iterator<Item = &'e Expr<'s>> {
    arguments.iter().map(|argument| match argument {
        CallArg::Pos(expr)
        | CallArg::Kwarg(_, expr)
        | CallArg::PosSplat(expr)
        | CallArg::KwargSplat(expr) => expr,
    })
}

/// The expressions that one is made of; a function's name is none.
pub(super) fn children<'e, 's>(expr: &'e Expr<'s>) -> Vec<&'e Expr<'s>> {
    match expr {
        Expr::Var(_) | Expr::Const(_) => Vec::new(),
        Expr::Slice(slice) => [
            Some(&slice.expr),
            slice.start.as_ref(),
            slice.stop.as_ref(),
            slice.step.as_ref(),
        ]
        .into_iter()
        .flatten()
        .collect(),
        Expr::UnaryOp(op) => vec![&op.expr],
        Expr::BinOp(op) => vec![&op.left, &op.right],
        Expr::Compare(compare) => std::iter::once(&compare.expr)
            .chain(compare.ops.iter().map(|op| &op.expr))
            .collect(),
        Expr::IfExpr(choice) => [
            Some(&choice.test_expr),
            Some(&choice.true_expr),
            choice.false_expr.as_ref(),
        ]
        .into_iter()
        .flatten()
        .collect(),
        Expr::Filter(filter) => filter.expr.iter().chain(arguments(&filter.args)).collect(),
        Expr::Test(test) => std::iter::once(&test.expr)
            .chain(arguments(&test.args))
            .collect(),
        Expr::GetAttr(attr) => vec![&attr.expr],
        Expr::GetItem(item) => vec![&item.expr, &item.subscript_expr],
        Expr::Call(call) => arguments(&call.args).collect(),
        Expr::List(list) => list.items.iter().collect(),
        Expr::Tuple(tuple) => tuple.items.iter().collect(),
        Expr::Map(map) => map.keys.iter().chain(&map.values).collect(),
    }
}

fn known_filter(name: &str, environment: &Environment<'_>) -> Result<(), String> {
    if lists::OWN.contains(&name) {
        return Ok(());
    }
    let error = environment
        .empty_state()
        .apply_filter(name, &[Value::UNDEFINED]);
    match error {
        Err(error) if error.kind() == ErrorKind::UnknownFilter => Err(format!(
            "there is no filter `{name}`{}",
            did_you_mean(name, &[&FILTERS[..], &lists::OWN].concat())
        )),
        _ => Ok(()),
    }
}

fn known_test(name: &str, environment: &Environment<'_>) -> Result<(), String> {
    let error = environment
        .empty_state()
        .perform_test(name, &[Value::UNDEFINED]);
    match error {
        Err(error) if error.kind() == ErrorKind::UnknownTest => Err(format!(
            "there is no test `is {name}`{}",
            did_you_mean(name, &TESTS)
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_filter_and_test_that_is_offered_is_there() {
        let environment = Environment::new();
        for name in FILTERS {
            assert_eq!(known_filter(name, &environment), Ok(()));
        }
        for name in TESTS {
            assert_eq!(known_test(name, &environment), Ok(()));
        }
    }
}
