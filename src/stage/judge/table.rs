//! From answers to a judge's table.

use std::collections::BTreeSet;

use super::cells::Cells;
use super::compare::Compare;
use super::items::{Element, ListJudged};
use super::spans::Text;
use super::{Judge, Reading, until};
use crate::base::failure::Failure;
use crate::base::wording::{count, list_of, some_of};
use crate::frame::{ColumnData, Frame};
use crate::models::ask::CallError;
use crate::models::parse::Parser;
use crate::stage::likelihood::LIKELIHOOD;
use crate::stage::{Answer, Counts, Output};

/// Every column that judges may add, in the order of their tables; and `why`, which marks statistics.
pub const RESERVED: [&str; 17] = [
    "repeat",
    "metric",
    "score",
    "label",
    "written",
    "mass",
    "unscored",
    "detail",
    "explanation",
    "issues",
    "spans",
    "logprob",
    "perplexity",
    "finish",
    "reply",
    "call",
    "why",
];

impl Judge {
    /// Whether its replies choose one of two texts.
    pub(super) fn chooses_of_two(&self) -> bool {
        self.compare.as_ref().is_some_and(|compare| compare.chooses)
    }

    /// The columns that this judge adds, which its input cannot have.
    pub(super) fn adds(&self) -> impl Iterator<Item = &str> {
        let labels = !self.scale.labels.is_empty();
        let expected = self.expected.is_some();
        let (marks, logprobs) = (self.parse == Parser::ErrorSpans, self.logprobs);
        let each = RESERVED.into_iter().filter(move |&name| match name {
            "label" => labels,
            "written" | "mass" => expected,
            "spans" => marks,
            name if LIKELIHOOD.contains(&name) => logprobs,
            _ => true,
        });
        let each = each.chain(self.compare.iter().flat_map(Compare::adds));
        let each = each.chain(self.until.is_some().then_some(until::ASKED));
        let of_lists = self.items.iter().flat_map(ListJudged::adds);
        of_lists.chain(each.map(|name| -> &str { name }))
    }
}

/// Puts answers into a table: one row per input row, repeat, element where a list is judged, and metric, with the columns of the
/// input except `text`, then the columns of [`Judge::adds`]. A score that does not exist is an absent cell with a reason, never a number.
///
/// `answers` holds `repeats` answers per input row, in order.
///
/// # Errors
/// Recorded replies that match a row more than once, all of them listed.
pub(super) fn tabulate(
    judge: &Judge,
    input: &Frame,
    answers: Vec<(Answer, Reading)>,
) -> Result<Output, Failure> {
    check_ambiguous(&answers)?;
    let mut warnings = not_recorded(input, judge.repeats as usize, &answers);
    let metrics = judge.metrics.len();
    let repeats = judge.repeats as usize;
    let lists = judge.items.as_ref().map(|items| items.lists(input));
    let lists = lists.transpose()?;
    // Of each row of the result: the row that it is about, and which repeat it is.
    let (mut base, mut repeat) = (Vec::new(), Vec::new());
    let mut counts = Counts::default();
    let mut cells = Cells::default();
    let judged = judge.judged.as_ref().filter(|name| input.has(name));
    let judged = judged.map(|name| input.column(name)).transpose()?;
    let placed = judge.compare.as_ref().map(|compare| compare.placed(input));
    let placed = placed.transpose()?.flatten();
    for (at, (answer, reading)) in answers.into_iter().enumerate() {
        let row = at / repeats;
        let text = judged.as_ref().and_then(|texts| texts.text(row));
        let text = text.as_deref().map(Text::new);
        counts.answered(&answer);
        let elements = match &lists {
            Some(lists) => {
                counts.asked += 1;
                counts.failed += u64::from(reading.has_failed());
                lists.elements(row, reading)
            }
            None => vec![Element::whole(reading.verdicts)],
        };
        let rows = elements.len() * metrics;
        for element in elements {
            cells.element(&element, metrics);
            for (mut verdict, metric) in element.verdicts.into_iter().zip(&judge.metrics) {
                if let Some(placed) = &placed {
                    let chosen = placed.turn(&mut verdict, row);
                    cells.chosen(chosen, &verdict);
                }
                verdict.count(metric, &mut counts);
                cells.verdict(verdict, text.as_ref());
            }
        }
        base.extend(std::iter::repeat_n(row, rows));
        repeat.extend(std::iter::repeat_n(
            i64::try_from(at % repeats + 1).ok(),
            rows,
        ));
        if judge.logprobs {
            cells.likelihood(&answer, judge, rows);
        }
        cells.answer(answer, rows);
    }
    warnings.extend(cells.warning());
    let mut frame = input.without(&["text"]);
    if judge.compare.is_some() {
        let texts = Compare::texts();
        frame = frame.without(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    }
    frame = frame.take(&base)?;
    if repeats > 1 {
        frame = frame.with_column("repeat", ColumnData::Int(repeat))?;
    }
    let metric = judge.metrics.iter().cycle().take(base.len()).cloned();
    frame = frame.with_column("metric", ColumnData::text(metric))?;
    frame = cells.add(frame, judge)?;
    Ok(Output {
        frame,
        counts,
        warnings,
    })
}

fn check_ambiguous(answers: &[(Answer, Reading)]) -> Result<(), Failure> {
    let several: Vec<&str> = answers
        .iter()
        .filter_map(|(answer, _)| match &answer.reply {
            Err(CallError::Ambiguous(what)) => Some(what.as_str()),
            _ => None,
        })
        .collect();
    if several.is_empty() {
        return Ok(());
    }
    let shown = &several[..several.len().min(5)];
    Err(Failure::new(format!(
        "{} with more than one recorded reply: {}",
        count(several.len(), "row"),
        shown.join("; ")
    ))
    .hint("add the columns that distinguish them to the model's `match` or `where`"))
}

fn not_recorded(input: &Frame, repeats: usize, answers: &[(Answer, Reading)]) -> Vec<String> {
    let missing: Vec<usize> = answers
        .iter()
        .enumerate()
        .filter(|(_, (answer, _))| matches!(answer.reply, Err(CallError::NotRecorded { .. })))
        .map(|(index, _)| index / repeats)
        .collect();
    if missing.is_empty() {
        return Vec::new();
    }
    let near: BTreeSet<&String> = answers
        .iter()
        .filter_map(|(answer, _)| match &answer.reply {
            Err(CallError::NotRecorded { near }) => near.as_ref(),
            _ => None,
        })
        .collect();
    let near: Vec<&String> = near.into_iter().collect();
    let instead = match near.as_slice() {
        [] => String::new(),
        near => format!(
            "; {} recorded for what differs in case or blanks alone: {}",
            match near.len() {
                1 => "1 reply is".to_owned(),
                n => format!("{n} replies are"),
            },
            some_of(near)
        ),
    };
    if missing.len() == answers.len() {
        return vec![format!(
            "no recorded reply for any of {}{instead}",
            count(input.rows(), "row")
        )];
    }
    let ids = input.column("doc_id").ok();
    let name = |row: usize| match &ids {
        Some(ids) => ids.text(row).unwrap_or_default().into_owned(),
        None => format!("row {}", row + 1),
    };
    let mut names: Vec<String> = missing.iter().map(|&row| name(row)).collect();
    // A document can be missing under many settings; its name once says which.
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    vec![format!(
        "no recorded reply for {} of {}: {}{instead}",
        missing.len(),
        count(input.rows(), "row"),
        list_of(&names)
    )]
}
