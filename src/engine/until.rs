//! Asking until it is enough: round by round, what is needed for certain and as much more as is asked at a time.
//!
//! Answers of one round decide on the next, so they are kept until all groups have ended.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::answers::Answers;
use super::in_flight::{Takes, Tally, each};
use super::outcome::NodeError;
use super::product::Product;
use super::questions::Questions;
use crate::base::wording::{count, some_of};
use crate::frame::Frame;
use crate::models::ask::Needs;
use crate::plan::NodeId;
use crate::stage::{Answer, Ended, Read, ReadsAnswers, Relation, Stopping, Until, numbered};

/// The answers so far, by their numbers.
#[derive(Default)]
struct Kept(BTreeMap<usize, (Answer, Read)>);

impl Takes for Kept {
    fn has_room(&self, _: usize) -> bool {
        true
    }

    async fn take(
        &mut self,
        index: usize,
        answer: (Answer, Read),
        _: &Arc<dyn ReadsAnswers>,
    ) -> Result<(), NodeError> {
        self.0.insert(index, answer);
        Ok(())
    }

    fn give_up(&mut self) {}
}

/// Asks about rows of each group until it is enough. The table, what came of its calls, and how many they are.
pub(super) async fn run(
    questions: &Arc<Questions>,
    id: NodeId,
    until: &Until,
    input: &Arc<Frame>,
) -> Result<(Product, Tally, usize), NodeError> {
    let shared = &questions.shared;
    let (asking, metrics) = (&questions.asking, questions.asking.metrics.len());
    let repeats = asking.repeats as usize;
    let seed = shared.plan.node(id).seed.unwrap_or(0);
    let at_once = match questions.model.needs() {
        Needs::Prompt => (asking.model.limits.concurrency as usize).div_ceil(repeats),
        // What costs nothing is tried far ahead.
        Needs::Text | Needs::Columns(_) => 1024,
    };
    let mut stopping = Stopping::new(until, until.groups(input, seed)?, input.rows(), metrics);
    let mut answers = Kept::default();
    loop {
        let rows = stopping.next(at_once);
        if rows.is_empty() {
            break;
        }
        let numbers = |row: usize| row * repeats..(row + 1) * repeats;
        let indices: Vec<usize> = rows.iter().flat_map(|&row| numbers(row)).collect();
        each(questions, indices.into_iter(), &mut answers).await?;
        for row in rows {
            let said = numbers(row).filter_map(|index| answers.0.get(&index));
            let said: Vec<Vec<Option<f64>>> = said.map(|(_, read)| read.numbers()).collect();
            stopping.said(
                row,
                (0..metrics).map(|metric| mean(&said, metric)).collect(),
            );
        }
    }
    let kept = stopping.kept();
    let table = Arc::new(numbered(input, &kept)?);
    let total = kept.len() * repeats;
    let mut tally = Tally::default();
    let mut put = Answers::new(shared, id, table, asking.repeats, true);
    let numbers = kept
        .iter()
        .flat_map(|(row, _)| row * repeats..(row + 1) * repeats);
    for (index, number) in numbers.enumerate() {
        if let Some(answer) = answers.0.remove(&number) {
            tally.count(&answer.0);
            put.put(index, answer, &questions.reader).await?;
        }
    }
    let product = put.end(&questions.reader).await?;
    let ended = stopping.ended();
    let mut warnings: Vec<String> = unsettled(&ended).into_iter().collect();
    if until.align && ended.len() == 1 {
        warnings.push(
            "`align` finds one group alone: values of an axis are told apart after a `concat` over it".to_owned(),
        );
    }
    let product = match product {
        Product::Table(mut output) => {
            output.counts.relation = Some(Relation::Until(ended));
            Product::Table(output)
        }
        stored => stored,
    };
    Ok((product.with_warnings(warnings), tally, total))
}

/// The mean over repeats, of those there are.
fn mean(said: &[Vec<Option<f64>>], metric: usize) -> Option<f64> {
    let scores = said
        .iter()
        .filter_map(|scores| scores.get(metric).copied().flatten());
    let (sum, count) = scores.fold((0.0, 0_u32), |(sum, count), score| (sum + score, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// Groups that ended before their mean had settled.
fn unsettled(ended: &[Ended]) -> Option<String> {
    let open: Vec<String> = ended
        .iter()
        .filter(|group| !group.settled)
        .map(|group| group.group.clone())
        .collect();
    if open.is_empty() {
        return None;
    }
    Some(if ended.len() == 1 {
        "the mean has not settled: there are no more rows, or `most` ends the asking".to_owned()
    } else {
        format!(
            "the mean has not settled in {} of {}, which have no more rows or end with `most`: {}",
            open.len(),
            count(ended.len(), "group"),
            some_of(&open)
        )
    })
}
