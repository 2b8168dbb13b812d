//! The table that a program's answers come to.

use std::collections::BTreeMap;

use serde_json::Value;

use super::answer::{self, Answer};
use super::row::Row;
use super::{Given, Scorer};
use crate::base::failure::Failure;
use crate::base::wording::{count, list_of};
use crate::frame::{ColumnData, Frame};
use crate::models::score::Reason;
use crate::stage::{FAILED, Output, Reasons};

/// One score with its label, or the code of the reason for there being none, and what there is to say of it.
type Scored = Result<(f64, Option<String>), (&'static str, Option<String>)>;

/// The table of rows and what became of each.
pub(super) fn of(scorer: &Scorer, input: &Frame, rows: &[Row]) -> Result<Output, Failure> {
    let metrics = scorer.metrics.len();
    let per_row = metrics.max(1);
    let base: Vec<usize> = (0..input.rows())
        .flat_map(|row| std::iter::repeat_n(row, per_row))
        .collect();
    let mut output = Output::of(if metrics == 0 {
        input.clone()
    } else {
        input.without(&["text"]).take(&base)?
    });
    output.warnings = unknown(scorer, rows);
    for (name, given) in &scorer.gives {
        let values = rows.iter().map(|row| value(row, name, *given));
        let values: Vec<Result<Value, String>> = values.collect();
        let mut reasons = Reasons::default();
        for &row in &base {
            reasons.push(values[row].as_ref().err().cloned());
        }
        let cells = base.iter().map(|&row| values[row].as_ref().ok());
        let frame = output.frame.with_column(name, column(*given, cells))?;
        output.frame = reasons.add(frame, name)?;
    }
    if metrics == 0 {
        let failed = rows.iter().filter(|row| matches!(row, Row::Failed(_)));
        let failed = failed.count() as u64;
        if failed > 0 {
            // They are asked about again in the next run.
            output.counts.scored = rows.len() as u64 - failed;
            output.counts.unscored.insert(FAILED.to_owned(), failed);
        }
        return Ok(output);
    }
    let (mut score, mut label, mut unscored) = (Vec::new(), Vec::new(), Vec::new());
    let (mut detail, mut explanation) = (Vec::new(), Vec::new());
    for row in rows {
        for metric in &scorer.metrics {
            match scored(scorer, row, metric) {
                Ok((value, named)) => {
                    output.counts.scored += 1;
                    score.push(Some(value));
                    label.push(named);
                    unscored.push(None);
                    detail.push(None);
                }
                Err((code, why)) => {
                    output.counts.unscored(metric, code);
                    score.push(None);
                    label.push(None);
                    unscored.push(Some(code.to_owned()));
                    detail.push(why);
                }
            }
            explanation.push(match row {
                Row::Answered(answer) => answer.explanation.clone(),
                Row::Failed(_) | Row::Absent(_) => None,
            });
        }
    }
    let metric = rows.iter().flat_map(|_| scorer.metrics.iter().cloned());
    for (name, data) in [
        ("metric", ColumnData::text(metric)),
        ("score", ColumnData::Float(score)),
        ("label", ColumnData::Text(label)),
        ("unscored", ColumnData::Text(unscored)),
        ("detail", ColumnData::Text(detail)),
        ("explanation", ColumnData::Text(explanation)),
    ] {
        if scorer.own().any(|own| own == name) {
            output.frame = output.frame.with_column(name, data)?;
        }
    }
    Ok(output)
}

/// The score of a row for a metric.
fn scored(scorer: &Scorer, row: &Row, metric: &str) -> Scored {
    let reason = |reason: &Reason| (reason.code(), reason.detail());
    let answer = match row {
        Row::Answered(answer) => answer,
        Row::Failed(why) => return Err(reason(&Reason::Failed(why.clone()))),
        Row::Absent(why) => return Err(reason(&Reason::NotApplicable(why.clone()))),
    };
    let none = |why: Option<String>| (Reason::NoScoreFound.code(), why);
    let value = match answer.scores.get(metric) {
        None => return Err(none(Some(missing(answer, metric)))),
        Some(Value::Null) => {
            let why = answer.why(metric);
            let silent = || "the program gives no reason".to_owned();
            return Err(none(Some(why.unwrap_or_else(silent))));
        }
        Some(value) => value,
    };
    let found = match &scorer.scale {
        None => answer::number(value).map(|number| (number, None)),
        // A number by itself is no label, unless an alias says so.
        Some(scale) if !scale.labels.is_empty() => {
            let written = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            let label = scale.label(&written);
            label.map(|label| (label.value, Some(label.name.clone())))
        }
        Some(scale) => answer::number(value)
            .filter(|&number| scale.contains(number))
            .map(|number| (number, None)),
    };
    found.ok_or_else(|| reason(&Reason::OffScale(answer::shown(value))))
}

fn missing(answer: &Answer, metric: &str) -> String {
    let named: Vec<&String> = answer.scores.keys().collect();
    match answer.why(metric) {
        Some(why) => why,
        None if named.is_empty() => "the reply has no scores".to_owned(),
        None => format!(
            "the reply has no score for `{metric}`, only for {}",
            list_of(&named)
        ),
    }
}

/// What a row has in a column that the program gives, or why it has nothing.
fn value(row: &Row, name: &str, given: Given) -> Result<Value, String> {
    match row {
        Row::Answered(answer) => answer.given(name, given),
        Row::Failed(why) | Row::Absent(why) => Err(why.clone()),
    }
}

fn column<'v>(given: Given, cells: impl Iterator<Item = Option<&'v Value>>) -> ColumnData {
    match given {
        Given::Number => ColumnData::Float(cells.map(|cell| answer::number(cell?)).collect()),
        Given::Boolean => ColumnData::Bool(cells.map(|cell| cell?.as_bool()).collect()),
        Given::Text => {
            let text = |cell: Option<&Value>| cell?.as_str().map(str::to_owned);
            ColumnData::Text(cells.map(text).collect())
        }
        Given::Json => ColumnData::Json(cells.map(|cell| Some(cell?.to_string())).collect()),
    }
}

/// Says what the program gives under names that the spec does not have.
fn unknown(scorer: &Scorer, rows: &[Row]) -> Vec<String> {
    let mut found: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for row in rows {
        let Row::Answered(answer) = row else { continue };
        for name in answer
            .scores
            .keys()
            .filter(|name| !scorer.metrics.contains(name))
        {
            *found.entry(("metrics", name)).or_default() += 1;
        }
        let given = |name: &str| scorer.gives.iter().any(|(given, _)| given == name);
        for name in answer.gives.keys().filter(|name| !given(name)) {
            *found.entry(("gives", name)).or_default() += 1;
        }
    }
    let found = found.into_iter().map(|((setting, name), times)| {
        let replies = count(times, "reply");
        format!("the program gives `{name}`, which `{setting}` does not name, and which is left out ({replies})")
    });
    found.collect()
}
