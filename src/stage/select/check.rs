//! How `select` stages are written, and what that means.

use std::collections::BTreeMap;

use super::raw::{RawSelect, RawTop};
use crate::frame::Scalar;
use crate::stage::check::RowShape;
use crate::stage::check::{Checking, Written};
use crate::stage::check::{Context, columns, condition};
use crate::stage::{Keywords, Select, Top};
use crate::toml::{OneOrMany, Problem, Problems, Range};

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

impl Written for Select {
    type Raw = RawSelect;

    fn check(raw: &RawSelect, checking: &Checking<'_>, problems: &mut Problems) -> Option<Self> {
        let Checking { context, at, .. } = *checking;
        let from = checking.from();
        let path = |key: &str| [at, &[key.to_owned()]].concat();
        let condition = condition::read(
            context,
            &path("where"),
            raw.condition.as_deref(),
            None,
            problems,
        );
        let mut bad = |key: &str, message: String, label: &str, help: &str| {
            context
                .problem("spec::bad-value", message, &path(key), label)
                .help(help)
                .tell(problems);
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
        let top = match &raw.top {
            None => None,
            Some(written) => Some(top(context, &path("top"), written, problems)?),
        };
        let mut bad = |key: &str, message: String, label: &str, help: &str| {
            context
                .problem("spec::bad-value", message, &path(key), label)
                .help(help)
                .tell(problems);
        };
        if raw.sample == Some(0) {
            bad(
                "sample",
                "a sample of 0 keeps nothing".to_owned(),
                "no rows",
                "draw at least 1, or leave `sample` out",
            );
        }
        columns::each_once(context, &path("columns"), &kept, "column", problems);
        if let Some(top) = &top {
            let within = [path("top"), vec!["within".to_owned()]].concat();
            columns::each_once(context, &within, &top.within, "column", problems);
        }
        Some(Select {
            from,
            keep: condition::keep(raw.keep.as_ref()),
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

    fn shape(&self, checking: &Checking<'_>) -> RowShape {
        checking.as_read()
    }
}

/// The first rows in the order of a column, if both are said.
fn top(
    context: &Context<'_>,
    at: &[String],
    written: &RawTop,
    problems: &mut Problems,
) -> Option<Top> {
    let mut bad = |path: &[String], message: &str, label: &str, help: &str| {
        context
            .problem("spec::bad-value", message.to_owned(), path, label)
            .help(help)
            .tell(problems);
    };
    let top = written.by.clone().zip(written.n);
    match top {
        // An axis may have given the number alone.
        Some((_, 0)) => {
            let help =
                "keep at least 1; for none, `where` can name a condition that no row fulfils";
            let number = [at, &["n".to_owned()]].concat();
            bad(&number, "the first 0 rows are none", "no rows", help);
        }
        None => bad(
            at,
            "`top` needs a column and a number",
            "incomplete",
            "write `top = { by = \"year\", n = 10 }`",
        ),
        Some(_) => {}
    }
    let (by, n) = top.filter(|(_, n)| *n > 0)?;
    Some(Top {
        by,
        n,
        smallest: written.smallest.unwrap_or(false),
        within: one_or_many(written.within.as_ref(), &[]),
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
                Problem::error(
                    "spec::bad-name",
                    format!("a column cannot be added under the name `{name}`"),
                )
                .label_at(context.layers.place_of_key(&place), "taken")
                .help("documents, judges or statistics already have a column of this name; use another")
                .tell(problems);
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
