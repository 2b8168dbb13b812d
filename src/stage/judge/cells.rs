//! The cells that a judge adds to its rows, column by column.

use super::compare::{CHOICE, Chosen, POSITION};
use super::items::{Element, ElementCells};
use super::spans::{self, Text};
use super::{Judge, Verdict};
use crate::base::failure::Failure;
use crate::frame::{ColumnData, Frame};
use crate::models::parse::Parser;
use crate::models::score::{Outcome, Reason};
use crate::stage::likelihood::Likelihoods;
use crate::stage::{Answer, Counts, Reasons};

/// Why there are no marked errors in a reply with a verdict.
const NONE_SAID: &str = "the reply does not say";

/// The cells of every column that any judge adds, a cell for each verdict.
#[derive(Default)]
pub(super) struct Cells {
    score: Vec<Option<f64>>,
    choice: Vec<Option<String>>,
    position: Vec<Option<String>>,
    /// Why there is no choice, and so no position.
    unchosen: [Reasons; 2],
    label: Vec<Option<String>>,
    written: Vec<Option<f64>>,
    mass: Vec<Option<f64>>,
    unscored: Vec<Option<String>>,
    detail: Vec<Option<String>>,
    explanation: Vec<Option<String>>,
    issues: Vec<Option<String>>,
    spans: Vec<Option<String>>,
    /// Why there are no `spans`.
    unmarked: Reasons,
    likelihoods: Likelihoods,
    finish: Vec<Option<String>>,
    reply: Vec<Option<String>>,
    call: Vec<Option<String>>,
    elements: ElementCells,
}

impl Verdict {
    /// Counts the verdict on a metric.
    pub(super) fn count(&self, metric: &str, counts: &mut Counts) {
        counts.contradicted += u64::from(self.contradicted);
        match &self.outcome {
            Outcome::Scored(_) => counts.scored += 1,
            Outcome::Unscored(reason) => counts.unscored(metric, reason.code()),
        }
    }
}

impl Cells {
    /// Takes who was chosen of two, by this verdict.
    pub(super) fn chosen(&mut self, chosen: Option<Chosen>, verdict: &Verdict) {
        let code = verdict
            .outcome
            .reason()
            .map(|reason| reason.code().to_owned());
        for reasons in &mut self.unchosen {
            reasons.push(code.clone());
        }
        let (choice, position) = match chosen {
            Some(chosen) => (Some(chosen.choice), Some(chosen.position.to_owned())),
            None => (None, None),
        };
        self.choice.push(choice);
        self.position.push(position);
    }

    /// Takes an element of a list that has so many verdicts.
    pub(super) fn element(&mut self, element: &Element, verdicts: usize) {
        self.elements.push(element, verdicts);
    }

    /// Takes a verdict; marked errors are looked for in the judged text.
    pub(super) fn verdict(&mut self, verdict: Verdict, judged: Option<&Text<'_>>) {
        let reason = verdict.outcome.reason();
        let code = reason.map(|reason| reason.code().to_owned());
        let spans = verdict.spans.map(|spans| spans::json(&spans, judged));
        let none = || code.clone().unwrap_or_else(|| NONE_SAID.to_owned());
        self.unmarked.push(spans.is_none().then(none));
        self.spans.push(spans);
        self.score.push(verdict.outcome.score());
        self.detail.push(reason.and_then(Reason::detail));
        self.unscored.push(code);
        self.label.push(verdict.label);
        self.written.push(verdict.written);
        self.mass.push(verdict.mass);
        self.explanation.push(verdict.explanation);
        let issues = serde_json::to_string(&verdict.issues);
        self.issues.push(issues.ok());
    }

    /// Takes how likely an answer was.
    pub(super) fn likelihood(&mut self, answer: &Answer, judge: &Judge, verdicts: usize) {
        let found = self.likelihoods.of(answer, &judge.model);
        self.likelihoods.push(&found, verdicts);
    }

    /// What to warn of.
    pub(super) fn warning(&self) -> Option<String> {
        self.likelihoods.warning()
    }

    /// Takes the answer that so many verdicts are of.
    pub(super) fn answer(&mut self, answer: Answer, verdicts: usize) {
        let (finish, mut reply) = match answer.reply {
            Ok(reply) => (Some(reply.finish.word()), Some(reply.text)),
            Err(_) => (None, None),
        };
        for index in 1..=verdicts {
            self.finish.push(finish.map(str::to_owned));
            // The last metric takes the text over: replies are long and there are many.
            let last = index == verdicts;
            let text = if last { reply.take() } else { reply.clone() };
            self.reply.push(text);
            self.call.push(answer.call.map(|digest| digest.to_string()));
        }
    }

    /// Adds those columns to a table that the judge has.
    pub(super) fn add(self, mut frame: Frame, judge: &Judge) -> Result<Frame, Failure> {
        if let Some(items) = &judge.items {
            frame = self.elements.add(frame, items)?;
        }
        let columns = [
            ("score", ColumnData::Float(self.score)),
            (CHOICE, ColumnData::Text(self.choice)),
            (POSITION, ColumnData::Text(self.position)),
            ("label", ColumnData::Text(self.label)),
            ("written", ColumnData::Float(self.written)),
            ("mass", ColumnData::Float(self.mass)),
            ("unscored", ColumnData::Text(self.unscored)),
            ("detail", ColumnData::Text(self.detail)),
            ("explanation", ColumnData::Text(self.explanation)),
            ("issues", ColumnData::Text(self.issues)),
            ("spans", ColumnData::Json(self.spans)),
        ];
        for (name, data) in columns {
            if judge.adds().any(|added| added == name) {
                frame = frame.with_column(name, data)?;
            }
        }
        if judge.chooses_of_two() {
            for (reasons, name) in self.unchosen.into_iter().zip([CHOICE, POSITION]) {
                frame = reasons.add(frame, name)?;
            }
        }
        if judge.logprobs {
            frame = self.likelihoods.add(frame, None)?;
        }
        let of_reply = [
            ("finish", self.finish),
            ("reply", self.reply),
            ("call", self.call),
        ];
        for (name, texts) in of_reply {
            frame = frame.with_column(name, ColumnData::Text(texts))?;
        }
        if judge.parse == Parser::ErrorSpans {
            frame = self.unmarked.add(frame, "spans")?;
        }
        Ok(frame)
    }
}
