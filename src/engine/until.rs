//! Asking until it is enough: round by round, what is needed for certain and as much more as is asked at a time.
//!
//! Answers of one round decide on the next, so they are kept until all groups have ended. Of a long table no more than a part is
//! in memory beside them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::answers::{self, Answers};
use super::in_flight::{Takes, Tally, each};
use super::outcome::NodeError;
use super::pages::Pages;
use super::product::Product;
use super::questions::Questions;
use super::workers::blocking;
use crate::base::wording::{count, some_of};
use crate::models::ask::Needs;
use crate::stage::{Answer, Ended, Read, ReadsAnswers, Relation, Stopping, Until, numbered};

/// The answers so far, by their numbers.
#[derive(Default)]
struct Kept {
    answers: BTreeMap<usize, (Answer, Read)>,
    /// The number of the first answer about the part that is asked about.
    start: usize,
}

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
        self.answers.insert(self.start + index, answer);
        Ok(())
    }

    fn give_up(&mut self) {}
}

/// Asks about rows of each group until it is enough. The table, what came of its calls, and how many they are.
pub(super) async fn run(
    pages: &mut Pages,
    until: &Until,
) -> Result<(Product, Tally, usize), NodeError> {
    let first = pages.open(0).await?;
    let metrics = first.asking.metrics.len();
    let repeats = first.asking.repeats as usize;
    let at_once = at_once(&first);
    let seed = first.shared.plan.node(first.id).seed.unwrap_or(0);
    let (long, rule) = (Arc::clone(&pages.long), until.clone());
    let groups = blocking(move || {
        let columns: BTreeSet<&str> = rule.by.iter().map(String::as_str).collect();
        let columns = columns.into_iter().chain(["doc_id"]).collect();
        rule.groups(&long.narrow(&columns)?, seed)
    });
    let mut stopping = Stopping::new(until, groups.await??, pages.rows(), metrics);
    let mut kept = Kept::default();
    loop {
        let rows = stopping.next(at_once);
        if rows.is_empty() {
            break;
        }
        for (part, (start, rows)) in pages.apart(rows.iter().copied()) {
            let questions = pages.open(part).await?;
            kept.start = start * repeats;
            let numbers = |row: usize| row * repeats..(row + 1) * repeats;
            let indices: Vec<usize> = rows.into_iter().flat_map(numbers).collect();
            each(&questions, indices.into_iter(), &mut kept).await?;
        }
        for row in rows {
            let numbers = row * repeats..(row + 1) * repeats;
            let said = numbers.filter_map(|index| kept.answers.get(&index));
            let said: Vec<Vec<Option<f64>>> = said.map(|(_, read)| read.numbers()).collect();
            stopping.said(
                row,
                (0..metrics).map(|metric| mean(&said, metric)).collect(),
            );
        }
    }
    let rows = stopping.kept();
    let (product, tally) = put_together(pages, &rows, kept, repeats).await?;
    let ended = stopping.ended();
    let mut warnings: Vec<String> = unsettled(&ended).into_iter().collect();
    if until.align && ended.len() == 1 {
        warnings.push(
            "`align` finds one group alone: values of an axis are told apart after a `concat` over it".to_owned(),
        );
    }
    let product = product.with_relation(Relation::Until(ended));
    Ok((product.with_warnings(warnings), tally, rows.len() * repeats))
}

/// As many rows as are tried at a time beyond what is needed for certain.
fn at_once(questions: &Questions) -> usize {
    let asking = &questions.asking;
    match questions.model.needs() {
        Needs::Prompt => {
            (asking.model.limits.concurrency as usize).div_ceil(asking.repeats as usize)
        }
        // What costs nothing is tried far ahead.
        Needs::Text | Needs::Columns(_) => 1024,
    }
}

/// The table of the rows that were asked about, each with its number in the order of its group.
async fn put_together(
    pages: &mut Pages,
    rows: &[(usize, usize)],
    mut kept: Kept,
    repeats: usize,
) -> Result<(Product, Tally), NodeError> {
    let in_parts = pages.long.rows().len() > 1;
    let order: BTreeMap<usize, usize> = rows.iter().copied().collect();
    let mut apart = pages.apart(order.keys().copied());
    if apart.is_empty() {
        apart.insert(0, (0, Vec::new()));
    }
    let (mut tally, mut file, mut whole) = (Tally::default(), None, None);
    for (part, (start, rows)) in apart {
        let questions = pages.open(part).await?;
        let numbers = rows.iter().map(|row| (*row, order[&(start + row)]));
        let numbers: Vec<(usize, usize)> = numbers.collect();
        let table = Arc::new(numbered(questions.rows.frame(), &numbers)?);
        let (shared, asking) = (&questions.shared, &questions.asking);
        let mut put = Answers::new(shared, questions.id, table, asking.repeats, !in_parts);
        put = put.after(file.take());
        let numbers = rows.into_iter().map(|row| start + row);
        let numbers = numbers.flat_map(|row| row * repeats..(row + 1) * repeats);
        for (index, number) in numbers.enumerate() {
            if let Some(answer) = kept.answers.remove(&number) {
                tally.count(&answer.0);
                put.put(index, answer, &questions.reader).await?;
            }
        }
        if in_parts {
            file = put.close(&questions.reader).await?;
        } else {
            whole = Some(put.end(&questions.reader).await?);
        }
    }
    let product = match whole {
        Some(product) => product,
        None => answers::product(file).await?,
    };
    Ok((product, tally))
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
