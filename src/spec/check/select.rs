//! `select` stages, and conditions in general.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::Context;
use crate::spec::raw::RawSelect;
use crate::spec::{OneOrMany, Plain, Problems};
use crate::stage::{Expression, Keep, Select, StageName, Top};

pub(super) fn check(
    context: &Context<'_>,
    at: &[String],
    raw: &RawSelect,
    from: StageName,
    problems: &mut Problems,
) -> Option<Select> {
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    let condition = condition(context, &path("where"), raw.condition.as_deref(), problems);
    let mut bad = |key: &str, message: String, label: &str, help: &str| {
        problems.push(
            context
                .problem("spec::bad-value", message, &path(key), label)
                .help(help),
        );
    };
    if let Some([least, most]) = raw.tokens.filter(|[least, most]| least > most) {
        bad(
            "tokens",
            format!("no text has at least {least} and at most {most} tokens"),
            "the wrong way round",
            "write the smaller number first",
        );
    }
    let top = match &raw.top {
        Some(top) => match (&top.by, top.n) {
            (Some(by), Some(n)) if n > 0 => Some(Top {
                by: by.clone(),
                n,
                smallest: top.smallest.unwrap_or(false),
            }),
            _ => {
                bad(
                    "top",
                    "`top` needs a column and a number".to_owned(),
                    "incomplete",
                    "write `top = { by = \"year\", n = 10 }`",
                );
                return None;
            }
        },
        None => None,
    };
    if raw.sample == Some(0) {
        bad(
            "sample",
            "a sample of 0 keeps nothing".to_owned(),
            "no rows",
            "draw at least 1, or leave `sample` out",
        );
    }
    Some(Select {
        from,
        keep: keep(raw.keep.as_ref()),
        condition,
        ids: raw
            .ids
            .as_ref()
            .map(|ids| ids.iter().map(ToString::to_string).collect()),
        tokens: raw.tokens.map(|[least, most]| (least, most)),
        top,
        sample: raw.sample,
    })
}

/// Values that columns must hold.
pub(super) fn keep(raw: Option<&IndexMap<String, OneOrMany<Plain>>>) -> Keep {
    Keep(
        raw.into_iter()
            .flatten()
            .map(|(column, values)| {
                (
                    column.clone(),
                    values.iter().map(ToString::to_string).collect(),
                )
            })
            .collect::<BTreeMap<_, _>>(),
    )
}

/// A condition over columns, if there is one.
pub(super) fn condition(
    context: &Context<'_>,
    at: &[String],
    raw: Option<&str>,
    problems: &mut Problems,
) -> Option<Expression> {
    match Expression::parse(raw?) {
        Ok(expression) => Some(expression),
        Err(why) => {
            problems.push(
                context
                    .problem("spec::bad-condition", "this condition cannot be read".to_owned(), at, &why)
                    .help("write comparisons of columns, such as `year >= 1900 and genre == 'Fiction'`"),
            );
            None
        }
    }
}
