//! Asking until it is enough: round by round, what is needed for certain and as much more as is asked at a time.
//!
//! Answers of one round decide on the next, so they are kept until all groups have ended. Of a long table no more than some
//! megabytes are in memory beside them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use super::answers::{self, Answers};
use super::in_flight::{Takes, Tally, each};
use super::outcome::NodeError;
use super::portions::Portions;
use super::product::Product;
use super::questions::Questions;
use super::workers::blocking;
use crate::base::failure::Failure;
use crate::base::wording::{count, some_of};
use crate::models::ask::Needs;
use crate::stage::{Answer, Ended, Read, ReadsAnswers, Relation, Stopping, Until, numbered};

/// The answers so far, by their numbers.
struct Kept {
    answers: BTreeMap<usize, (Answer, Read)>,
    repeats: usize,
    /// The numbers of the rows that are asked about, where they are not those of the questions.
    rows: Option<Vec<usize>>,
}

impl Kept {
    /// The numbers of the answers about a row.
    fn numbers(&self, row: usize) -> Range<usize> {
        row * self.repeats..(row + 1) * self.repeats
    }
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
        let (row, repeat) = (index / self.repeats, index % self.repeats);
        let row = self.rows.as_ref().map_or(row, |rows| rows[row]);
        self.answers.insert(row * self.repeats + repeat, answer);
        Ok(())
    }

    fn give_up(&mut self) {}
}

/// Asks about rows of each group until it is enough. The table, what came of its calls, and how many they are.
pub(super) async fn run(
    portions: &mut Portions,
    until: &Until,
) -> Result<(Product, Tally, usize), NodeError> {
    // About no row yet: for what is the same for all of them.
    let head = portions.take(&mut BTreeSet::new()).await?.questions;
    let (metrics, repeats) = (head.asking.metrics.len(), head.asking.repeats as usize);
    let at_once = at_once(&head);
    for name in &until.by {
        head.rows.frame().column(name).map_err(Failure::from)?;
    }
    let seed = head.shared.plan.node(head.id).seed.unwrap_or(0);
    let (long, rule) = (Arc::clone(&portions.long), until.clone());
    let groups = blocking(move || {
        let columns: BTreeSet<&str> = rule.by.iter().map(String::as_str).collect();
        let columns = columns.into_iter().chain(["doc_id"]).collect();
        rule.groups(&long.narrow(&columns)?, seed)
    });
    let mut stopping = Stopping::new(until, groups.await??, portions.rows(), metrics);
    let mut kept = Kept {
        answers: BTreeMap::new(),
        repeats,
        rows: None,
    };
    loop {
        let rows = stopping.next(at_once);
        if rows.is_empty() {
            break;
        }
        let mut left: BTreeSet<usize> = rows.iter().copied().collect();
        while !left.is_empty() {
            let portion = portions.take(&mut left).await?;
            kept.rows = portion.rows;
            let asked = portion.asked.into_iter();
            let indices: Vec<usize> = asked.flat_map(|row| kept.numbers(row)).collect();
            each(&portion.questions, indices.into_iter(), &mut kept).await?;
        }
        for row in rows {
            let numbers = kept.numbers(row);
            let said = numbers.filter_map(|index| kept.answers.get(&index));
            let said: Vec<Vec<Option<f64>>> = said.map(|(_, read)| read.numbers()).collect();
            stopping.said(
                row,
                (0..metrics).map(|metric| mean(&said, metric)).collect(),
            );
        }
    }
    let rows = stopping.kept();
    let (product, tally) = put_together(portions, &head, &rows, kept).await?;
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
    portions: &Portions,
    head: &Questions,
    rows: &[(usize, usize)],
    mut kept: Kept,
) -> Result<(Product, Tally), NodeError> {
    let in_parts = portions.long.rows().len() > 1;
    let order: BTreeMap<usize, usize> = rows.iter().copied().collect();
    let mut apart = portions.apart(order.keys().copied());
    if apart.is_empty() {
        apart.insert(0, (0, Vec::new()));
    }
    let (mut tally, mut file) = (Tally::default(), None);
    for (part, (start, rows)) in apart {
        let numbers = rows.iter().map(|row| (*row, order[&(start + row)]));
        let numbers: Vec<(usize, usize)> = numbers.collect();
        let table = Arc::new(numbered(&*portions.table(part).await?, &numbers)?);
        let repeats = head.asking.repeats;
        let mut put = Answers::new(&head.shared, head.id, table, repeats, !in_parts);
        put = put.after(file.take());
        let numbers = rows.into_iter().flat_map(|row| kept.numbers(start + row));
        for (index, number) in numbers.collect::<Vec<_>>().into_iter().enumerate() {
            if let Some(answer) = kept.answers.remove(&number) {
                tally.count(&answer.0);
                put.put(index, answer, &head.reader).await?;
            }
        }
        if !in_parts {
            return Ok((put.end(&head.reader).await?, tally));
        }
        file = put.close(&head.reader).await?;
    }
    Ok((answers::product(file).await?, tally))
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
