//! Which rows a setting keeps: conditions over columns, and values that columns must hold.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::{Axis, Context};
use crate::frame::{Keep, Scalar};
use crate::stage::Expression;
use crate::toml::{OneOrMany, Plain, Problems};

/// Values that columns must hold.
pub(crate) fn keep(raw: Option<&IndexMap<String, OneOrMany<Plain>>>) -> Keep {
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

/// An expression that makes a column, over rows or over `groups` of them; `at` is where it stands.
pub(crate) fn value(
    context: &Context<'_>,
    at: &[String],
    written: &str,
    groups: bool,
    problems: &mut Problems,
) -> Option<Expression> {
    let read = if groups {
        Expression::of_groups(written)
    } else {
        Expression::parse(written)
    };
    let why = match read {
        Ok(expression) => return Some(expression),
        Err(why) => why,
    };
    context
        .problem(
            "spec::bad-expression",
            "this expression cannot be read".to_owned(),
            at,
            &why,
        )
        .help(compared(written).unwrap_or_else(|| match (names_no_word(written), groups) {
            (true, _) => "write `column('word count')` for a column whose name is not a plain word",
            (_, true) => "write aggregates of columns, such as `mean(score)` or `count(score > 3) / count()`",
            (_, false) => "write columns, numbers, texts in quotes and filters, such as `[1, score - 1] | max`",
        }.to_owned()))
        .tell(problems);
    None
}

/// A condition over columns, if there is one. Of the columns that axes make `grid` says what they hold.
pub(crate) fn read(
    context: &Context<'_>,
    at: &[String],
    raw: Option<&str>,
    axes: Option<&[Axis]>,
    problems: &mut Problems,
) -> Option<Expression> {
    let written = raw?;
    match Expression::parse(written) {
        Ok(expression) => {
            let text = |name: &str| {
                let axis = axes.and_then(|axes| axes.iter().find(|axis| axis.name == name));
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
            context
                .problem(
                    "spec::bad-condition",
                    "this condition cannot be read".to_owned(),
                    at,
                    &why,
                )
                .help(compared(written).unwrap_or_else(|| {
                    if names_no_word(written) {
                        "write `column('word count')` for a column whose name is not a plain word"
                    } else {
                        "write comparisons of columns, such as `year >= 1900 and genre == 'Fiction'`"
                    }
                    .to_owned()
                }))
                .tell(problems);
            None
        }
    }
}

/// How to write a comparison that has a single `=`, of which an expression knows none.
fn compared(text: &str) -> Option<String> {
    let mut quote = None;
    let mut at = None;
    for (index, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '\'' | '"') => quote = Some(letter),
            (None, '=') => {
                let before = text[..index].ends_with(['=', '!', '<', '>']);
                if !before && !text[index + 1..].starts_with('=') {
                    at = Some(index);
                    break;
                }
            }
            _ => {}
        }
    }
    let (left, right) = (&text[..at?], &text[at? + 1..]);
    // Within a call it gives an argument its value.
    let open = |sign: char| left.matches(sign).count();
    if open('(') > open(')') {
        return None;
    }
    let word: String = right
        .trim_start()
        .chars()
        .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
        .collect();
    let rest = &right.trim_start()[word.len()..];
    let is_text = word.starts_with(char::is_alphabetic)
        && !["true", "false", "none", "not"].contains(&word.to_lowercase().as_str());
    let left = left.trim_end();
    Some(if is_text && rest.is_empty() {
        format!(
            "`==` compares, and text stands in quotes: `{left} == '{word}'`; without them `{word}` is a column"
        )
    } else {
        format!("`==` compares: `{left} == {}`", right.trim_start())
    })
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
