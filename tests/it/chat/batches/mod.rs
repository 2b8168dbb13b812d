//! Batches: requests that are handed in together and fetched later. What both dialects share: what
//! was handed in, how often it was looked at, and what became of it.

mod anthropic;
mod multipart;
mod openai;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use super::Fault;
use super::answer::Answer;
use super::asked::Asked;
use super::dialect::{Dialect, Problem};
use super::faults::Plan;

/// What was done with batches so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BatchCounts {
    /// Files taken.
    pub(crate) uploads: usize,
    /// Batches made.
    pub(crate) created: usize,
    /// Looks at single batches.
    pub(crate) polls: usize,
    /// Lists of batches given.
    pub(crate) lists: usize,
    /// Files of results given.
    pub(crate) downloads: usize,
    /// Batches cancelled.
    pub(crate) cancelled: usize,
    /// How often each prompt was in a batch, by its digest. More than once may be paid twice.
    pub(crate) prompts: BTreeMap<String, usize>,
}

/// All files and batches.
pub(super) struct Batches {
    plan: Plan,
    polls: AtomicUsize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    counts: BatchCounts,
    /// The contents of files; the number of one is its index.
    files: Vec<String>,
    /// The number of a batch is its index.
    batches: Vec<Batch>,
}

/// A batch.
struct Batch {
    dialect: Dialect,
    requests: Vec<BatchRequest>,
    polls: usize,
    cancelled: bool,
    /// In another order than the requests; none until it is done.
    results: Option<Vec<BatchResult>>,
    /// What only `OpenAI`'s have.
    filed: openai::Filed,
}

/// A request of a batch.
struct BatchRequest {
    id: String,
    body: Value,
}

/// What became of a request.
struct BatchResult {
    id: String,
    outcome: Outcome,
    fault: Option<Fault>,
}

enum Outcome {
    Answered(Value),
    Failed(u16, Value),
    Expired,
    Cancelled,
}

impl Batches {
    /// From now on batches are done when they are looked at.
    pub(super) fn finish(&self) {
        self.polls.store(0, Ordering::SeqCst);
    }

    pub(super) fn new(plan: Plan, polls: usize) -> Self {
        Self {
            plan,
            polls: AtomicUsize::new(polls),
            state: Mutex::default(),
        }
    }

    pub(super) fn counts(&self) -> BatchCounts {
        self.state.lock().unwrap().counts.clone()
    }

    /// Ends a batch if it is time to: when it was looked at often enough, or is cancelled. Of a
    /// cancelled one half is done. Answers are numbered from `answers` on.
    fn advance(&self, number: usize, batch: &mut Batch, answers: &AtomicUsize) {
        if batch.results.is_some()
            || !(batch.cancelled || batch.polls >= self.polls.load(Ordering::SeqCst))
        {
            return;
        }
        let mut requests: Vec<&BatchRequest> = batch.requests.iter().collect();
        requests.sort_by_key(|request| {
            *blake3::hash(format!("{number} {}", request.id).as_bytes()).as_bytes()
        });
        let done = requests.len() / if batch.cancelled { 2 } else { 1 };
        let results = requests.into_iter().enumerate().map(|(index, request)| {
            let (outcome, fault) = if index < done {
                self.answer(batch.dialect, &request.body, answers)
            } else {
                (Outcome::Cancelled, None)
            };
            let id = request.id.clone();
            BatchResult { id, outcome, fault }
        });
        batch.results = Some(results.collect());
    }

    /// What becomes of a request.
    fn answer(
        &self,
        dialect: Dialect,
        body: &Value,
        answers: &AtomicUsize,
    ) -> (Outcome, Option<Fault>) {
        let failed = |problem: &Problem| Outcome::Failed(problem.status, dialect.error(problem));
        let asked = match Asked::read(dialect, body) {
            Ok(asked) => asked,
            Err(problem) => return (failed(&problem), None),
        };
        let fault = self.plan.next(&asked.prompt);
        let key = "the key of the batch";
        if fault == Some(Fault::Hang) {
            return (Outcome::Expired, fault);
        }
        if let Some(problem) = fault.and_then(|fault| fault.problem(&asked.model, key)) {
            return (failed(&problem), fault);
        }
        let mut answer = Answer::to(&asked);
        if let Some(fault) = fault {
            fault.bend(&mut answer, key);
        }
        let number = answers.fetch_add(1, Ordering::SeqCst);
        (Outcome::Answered(dialect.answer(&answer, number)), fault)
    }
}

impl State {
    /// Keeps a batch; its number.
    fn keep(&mut self, batch: Batch) -> usize {
        self.counts.created += 1;
        for request in &batch.requests {
            if let Ok(asked) = Asked::read(batch.dialect, &request.body) {
                *self.counts.prompts.entry(asked.prompt).or_default() += 1;
            }
        }
        self.batches.push(batch);
        self.batches.len() - 1
    }

    /// A batch by the number at the end of its id.
    fn batch(&mut self, id: &str, dialect: Dialect) -> Result<(usize, &mut Batch), Problem> {
        let found = numbered(id).and_then(|number| Some((number, self.batches.get_mut(number)?)));
        found
            .filter(|(_, batch)| batch.dialect == dialect)
            .ok_or_else(|| Problem::missing("such batch"))
    }

    /// The page of batches that a query asks for, newest first, and whether there are more; `after` is
    /// the parameter that names the last batch of the page before.
    fn page(&self, dialect: Dialect, query: &str, after: &str) -> (Vec<(usize, &Batch)>, bool) {
        let parameter = |name: &str| {
            let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            pairs.find(|pair| pair.0 == name).map(|pair| pair.1)
        };
        let limit = parameter("limit").and_then(|limit| limit.parse().ok());
        let below = parameter(after).and_then(numbered);
        let batches = self.batches.iter().enumerate().rev();
        let mut page: Vec<(usize, &Batch)> = batches
            .filter(|(_, batch)| batch.dialect == dialect)
            .filter(|(number, _)| below.is_none_or(|below| *number < below))
            .collect();
        let limit = limit.unwrap_or(20);
        let more = page.len() > limit;
        page.truncate(limit);
        (page, more)
    }
}

impl Batch {
    fn new(dialect: Dialect, requests: Vec<BatchRequest>) -> Self {
        Self {
            dialect,
            requests,
            polls: 0,
            cancelled: false,
            results: None,
            filed: openai::Filed::default(),
        }
    }

    /// How many requests came to an outcome.
    fn count(&self, outcome: impl Fn(&Outcome) -> bool) -> usize {
        let results = self.results.iter().flatten();
        results.filter(|result| outcome(&result.outcome)).count()
    }
}

impl BatchResult {
    /// Adds a line of results to a file, or what the fault makes of it.
    fn write(&self, line: &Value, file: &mut String) {
        let line = format!("{line}\n");
        match self.fault {
            Some(Fault::ResetBeforeReply) => {}
            Some(Fault::DuplicateDelivery) => *file += &line.repeat(2),
            Some(Fault::TruncatedJson) => {
                file.extend(line.chars().take(line.chars().count() / 2));
                file.push('\n');
            }
            _ => *file += &line,
        }
    }
}

/// The number at the end of an id.
fn numbered(id: &str) -> Option<usize> {
    id.rsplit(['_', '-']).next()?.parse().ok()
}
