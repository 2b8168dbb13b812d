//! `select` stages, and conditions in general.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::grid::Grid;
use super::{Context, columns};
use crate::frame::{Keep, Scalar};
use crate::spec::raw::{RawSelect, RawTop};
use crate::spec::{Axis, OneOrMany, Plain, Problem, Problems, Range};
use crate::stage::{Expression, Keywords, Select, StageName, Top};

/// The ranges of a stage, each with its key and what it counts.
fn ranges(raw: &RawSelect) -> [(&'static str, Option<Range>, &'static str); 3] {
    [
        ("tokens", raw.tokens, "tokens"),
        ("sentences", raw.sentences, "sentences"),
        (
            "sentence-characters",
            raw.sentence_characters,
            "characters in a sentence",
        ),
    ]
}

pub(super) fn check(
    context: &Context<'_>,
    at: &[String],
    raw: &RawSelect,
    from: StageName,
    problems: &mut Problems,
) -> Option<Select> {
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    let condition = condition(
        context,
        &path("where"),
        raw.condition.as_deref(),
        None,
        problems,
    );
    let mut bad = |key: &str, message: String, label: &str, help: &str| {
        problems.push(
            context
                .problem("spec::bad-value", message, &path(key), label)
                .help(help),
        );
    };
    for (key, range, what) in ranges(raw) {
        if let Some(Range { min, max }) = range.filter(|range| range.min > range.max) {
            bad(
                key,
                format!("no text has at least {min} and at most {max} {what}"),
                "the wrong way round",
                "write the smaller number first",
            );
        }
    }
    let keywords = raw.keywords.as_ref().map(|raw| Keywords {
        columns: one_or_many(raw.columns.as_ref(), &["text"]),
        first: raw.first,
        any: one_or_many(raw.any.as_ref(), &[]),
        none: one_or_many(raw.none.as_ref(), &[]),
    });
    if keywords.as_ref().is_some_and(|keywords| {
        let mut words = keywords.any.iter().chain(&keywords.none).peekable();
        words.peek().is_none()
            || words.any(|word| word.trim().is_empty())
            || keywords.columns.is_empty()
    }) {
        bad(
            "keywords",
            "`keywords` needs columns and words to look for".to_owned(),
            "nothing to look for",
            "write `keywords = { columns = [\"genre\"], none = [\"poetry\", \"drama\"] }`",
        );
    }
    let kept = one_or_many(raw.columns.as_ref(), &[]);
    let mut seen = std::collections::BTreeSet::new();
    if let Some(twice) = kept.iter().find(|column| !seen.insert(column.as_str())) {
        bad(
            "columns",
            format!("the column `{twice}` is named twice"),
            "each column once",
            "remove one of the two",
        );
    }
    let top = match &raw.top {
        None => None,
        Some(written) => {
            let Some(top) = top(written) else {
                bad(
                    "top",
                    "`top` needs a column and a number".to_owned(),
                    "incomplete",
                    "write `top = { by = \"year\", n = 10 }`",
                );
                return None;
            };
            Some(top)
        }
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
        keywords,
        tokens: raw.tokens.map(ends),
        sentences: raw.sentences.map(ends),
        sentence_characters: raw.sentence_characters.map(ends),
        top,
        sample: raw.sample,
        columns: kept,
        distinct: raw.distinct.unwrap_or(false),
        add: added(context, &path("add"), raw, problems),
    })
}

/// The first rows in the order of a column, if both are said.
fn top(written: &RawTop) -> Option<Top> {
    Some(Top {
        by: written.by.clone()?,
        n: written.n.filter(|&n| n > 0)?,
        smallest: written.smallest.unwrap_or(false),
    })
}

/// Columns with one value, under names that nothing else gives a column.
fn added(
    context: &Context<'_>,
    at: &[String],
    raw: &RawSelect,
    problems: &mut Problems,
) -> BTreeMap<String, Scalar> {
    let added = raw.add.iter().flatten();
    added
        .filter(|(name, _)| {
            let taken = columns::taken(name);
            if taken {
                let place = [at, &[(*name).clone()]].concat();
                problems.push(
                    Problem::error(
                        "spec::bad-name",
                        format!("a column cannot be added under the name `{name}`"),
                    )
                    .label_at(context.layers.place_of_key(&place), "taken")
                    .help(
                        "documents, judges or statistics have a column of this name; use another",
                    ),
                );
            }
            !taken
        })
        .map(|(name, value)| (name.clone(), value.0.clone()))
        .collect()
}

fn ends(range: Range) -> (u64, u64) {
    (range.min, range.max)
}

fn one_or_many(written: Option<&OneOrMany<String>>, otherwise: &[&str]) -> Vec<String> {
    match written {
        Some(written) => written.0.clone(),
        None => otherwise.iter().map(|&word| word.to_owned()).collect(),
    }
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

/// A condition over columns, if there is one. Of the columns that axes make `grid` says what they hold.
pub(super) fn condition(
    context: &Context<'_>,
    at: &[String],
    raw: Option<&str>,
    grid: Option<&Grid>,
    problems: &mut Problems,
) -> Option<Expression> {
    match Expression::parse(raw?) {
        Ok(expression) => {
            let text = |name: &str| {
                let axis = grid.and_then(|grid| grid.axes.iter().find(|axis| axis.name == name));
                let known = ["doc_id", "metric"].contains(&name) || axis.is_some_and(holds_text);
                known.then(|| Scalar::from(name))
            };
            if let Err(mixed) = expression.check_kinds(text) {
                let mut problem = context.problem(
                    "spec::bad-condition",
                    "this condition compares values of different kinds".to_owned(),
                    at,
                    &mixed.message,
                );
                if let Some(hint) = mixed.hint {
                    problem = problem.help(hint);
                }
                problems.push(problem);
            }
            Some(expression)
        }
        Err(why) => {
            problems.push(
                context
                    .problem("spec::bad-condition", "this condition cannot be read".to_owned(), at, &why)
                    .help(if names_no_word(raw.unwrap_or_default()) {
                        "a column whose name is no plain word is written `column('word count')`"
                    } else {
                        "write comparisons of columns, such as `year >= 1900 and genre == 'Fiction'`"
                    }),
            );
            None
        }
    }
}

/// Whether two words stand where one name is due, or letters that no name in a condition can have.
fn names_no_word(text: &str) -> bool {
    const JOIN: [&str; 3] = ["and", "or", "not"];
    const BETWEEN: [&str; 5] = ["in", "is", "if", "else", "none"];
    let is_name = |word: &str| {
        word.chars().all(|c| c.is_alphanumeric() || c == '_')
            && !word.starts_with(|c: char| c.is_ascii_digit())
            && !JOIN.contains(&word)
            && !BETWEEN.contains(&word)
    };
    let outside = text.split(['\'', '"']).step_by(2).enumerate();
    let mut parts = outside.map(|(index, part)| {
        let words: Vec<&str> = part.split_whitespace().collect();
        let begins = |at: usize| match at.checked_sub(1) {
            Some(before) => JOIN.contains(&words[before]),
            None => index == 0,
        };
        let mut pairs = words.windows(2).enumerate();
        !part.is_ascii()
            || pairs.any(|(at, pair)| begins(at) && pair.iter().all(|word| is_name(word)))
    });
    parts.any(|odd| odd)
}

/// Whether the column of an axis cannot but hold text. One of numbers may be among the documents' columns already, as
/// text or as numbers.
fn holds_text(axis: &Axis) -> bool {
    axis.values.iter().any(|value| match value {
        Scalar::Text(text) => text.parse::<f64>().is_err(),
        _ => false,
    })
}
