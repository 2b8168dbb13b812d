//! Aggregates: what an expression over groups calls to make one value of all rows of a group.

use std::borrow::Cow;

use minijinja::machinery::ast::{CallArg, Expr};

use super::kinds::{self, shown};
use super::walk;

/// How all rows of a group become one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aggregate {
    /// How many rows, or of how many a condition holds.
    Count,
    /// The share of rows of which a condition holds.
    Share,
    /// Whether a condition holds of one row at least.
    Any,
    /// Whether a condition holds of every row.
    All,
    /// The sum.
    Sum,
    /// The arithmetic mean.
    Mean,
    /// The standard deviation.
    Sd,
    /// The smallest value.
    Min,
    /// The largest value.
    Max,
    /// The middle value, or the mean of the two middle ones.
    Median,
    /// The value of the first row.
    First,
    /// A list with an element for each row.
    List,
}

impl Aggregate {
    /// All of them, with their names.
    const NAMED: [(&'static str, Self); 12] = [
        ("count", Self::Count),
        ("share", Self::Share),
        ("any", Self::Any),
        ("all", Self::All),
        ("sum", Self::Sum),
        ("mean", Self::Mean),
        ("sd", Self::Sd),
        ("min", Self::Min),
        ("max", Self::Max),
        ("median", Self::Median),
        ("first", Self::First),
        ("list", Self::List),
    ];

    /// Their names.
    pub(super) fn names() -> impl Iterator<Item = &'static str> {
        Self::NAMED.into_iter().map(|(name, _)| name)
    }

    pub(super) fn of_name(name: &str) -> Option<Self> {
        let mut all = Self::NAMED.into_iter();
        all.find(|(known, _)| *known == name).map(|(_, one)| one)
    }

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        let mut all = Self::NAMED.into_iter();
        all.find(|(_, one)| *one == self)
            .map_or("", |(name, _)| name)
    }

    /// Whether what it is of is a condition.
    pub(crate) fn of_condition(self) -> bool {
        matches!(self, Self::Count | Self::Share | Self::Any | Self::All)
    }

    /// Whether what it is of is a number.
    pub(crate) fn of_number(self) -> bool {
        matches!(self, Self::Sum | Self::Mean | Self::Sd | Self::Median)
    }
}

/// A call of an aggregate.
pub(crate) struct Call<'t, 'e, 's> {
    pub(crate) aggregate: Aggregate,
    /// As it is written, which is what the rest of the expression knows its value by.
    pub(crate) text: Cow<'t, str>,
    /// What it is of: of a list with several each has the name of its field.
    pub(super) of: Vec<(Cow<'e, str>, &'e Expr<'s>)>,
    /// What is taken off n in the denominator of a variance.
    pub(crate) ddof: u8,
}

/// The aggregate that an expression calls, if it calls one.
pub(super) fn called(expr: &Expr<'_>) -> Option<Aggregate> {
    match expr {
        Expr::Call(call) => match &call.expr {
            Expr::Var(var) => Aggregate::of_name(var.id),
            _ => None,
        },
        _ => None,
    }
}

/// The calls of an expression, each once.
///
/// # Errors
/// What is wrong with one.
pub(super) fn calls<'t, 'e, 's>(
    root: &'e Expr<'s>,
    text: &'t str,
) -> Result<Vec<Call<'t, 'e, 's>>, String> {
    let mut calls: Vec<Call<'t, 'e, 's>> = Vec::new();
    let mut open = vec![root];
    while let Some(expr) = open.pop() {
        match (called(expr), expr) {
            (Some(aggregate), Expr::Call(call)) => {
                let text = shown(text, expr);
                if calls.iter().all(|other| other.text != text) {
                    calls.push(read(aggregate, text, &call.args)?);
                }
            }
            _ => open.extend(walk::children(expr).into_iter().rev()),
        }
    }
    Ok(calls)
}

fn read<'t, 'e, 's>(
    aggregate: Aggregate,
    text: Cow<'t, str>,
    arguments: &'e [CallArg<'s>],
) -> Result<Call<'t, 'e, 's>, String> {
    let name = aggregate.name();
    let mut of: Vec<(Cow<'e, str>, &'e Expr<'s>)> = Vec::new();
    for argument in arguments {
        match argument {
            CallArg::Pos(expr) => of.push((
                walk::column(expr).map_or(Cow::Borrowed(""), Cow::Borrowed),
                expr,
            )),
            CallArg::Kwarg(field, expr) if aggregate == Aggregate::List => {
                of.push((Cow::Owned((*field).to_owned()), expr));
            }
            _ => return Err(format!("`{name}` takes no arguments by name")),
        }
    }
    let mut ddof = 1;
    if aggregate == Aggregate::Sd && of.len() == 2 {
        let taken = of.pop().and_then(|(_, expr)| match expr {
            Expr::Const(constant) => u8::try_from(constant.value.clone()).ok(),
            _ => None,
        });
        ddof = taken.filter(|&ddof| ddof < 2).ok_or_else(|| {
            "the second argument of `sd` is taken off n in the denominator: `sd(x, 0)` or `sd(x, 1)`".to_owned()
        })?;
    }
    let wrong = match (aggregate, of.len()) {
        (Aggregate::Count, 0 | 1) => None,
        (Aggregate::List, n) if n > 0 => None,
        (Aggregate::List, _) => Some("columns: `list(node, text)`"),
        (Aggregate::Count, _) => Some("one condition, or nothing to count all rows"),
        (_, 1) => None,
        (one, _) if one.of_condition() => Some("one condition, such as `score == 1`"),
        _ => Some("one column or expression"),
    };
    if let Some(wrong) = wrong {
        return Err(format!("`{name}` takes {wrong}"));
    }
    if of.len() > 1 {
        if of.iter().any(|(field, _)| field.is_empty()) {
            return Err(
                "the fields of a list need names: write `list(node, score = 5 - score)`".to_owned(),
            );
        }
        let twice = (1..of.len()).find(|&at| of[..at].iter().any(|(name, _)| *name == of[at].0));
        if let Some(at) = twice {
            return Err(format!("`list` has the field `{}` twice", of[at].0));
        }
    }
    Ok(Call {
        aggregate,
        text,
        of,
        ddof,
    })
}

/// Whether a list has an object for each row rather than a value.
impl Call<'_, '_, '_> {
    /// The names of the fields of each element, where an element is an object.
    pub(crate) fn fields(&self) -> Option<Vec<&str>> {
        let named = |(field, expr): &(Cow<'_, str>, &Expr<'_>)| {
            walk::column(expr).is_none_or(|column| column != field) && !field.is_empty()
        };
        let objects = self.of.len() > 1 || self.of.iter().any(named);
        (self.aggregate == Aggregate::List && objects)
            .then(|| self.of.iter().map(|(field, _)| &**field).collect())
    }
}

/// What a call makes, as far as that does not depend on its argument.
pub(super) fn typical(aggregate: Aggregate) -> Option<minijinja::value::Value> {
    match aggregate {
        Aggregate::Any | Aggregate::All => Some(true.into()),
        Aggregate::List => Some(Vec::<minijinja::value::Value>::new().into()),
        Aggregate::Min | Aggregate::Max | Aggregate::First => None,
        _ => kinds::typical("sum"),
    }
}
