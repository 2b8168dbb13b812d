//! Running a stage that asks a model: every row becomes a question, many are under way at once, and
//! the answers are put back in the order of the rows.
//!
//! Of a long table the rows that are answered are written away while others are still asked about, so
//! that memory is bounded by what is under way.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use tokio::task::JoinSet;

use super::answers::{Answers, Product};
use super::breaker::Breaker;
use super::calls::{Asker, NoCall, Route};
use super::event::Event;
use super::execute::Shared;
use super::node::{NodeError, failed};
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::base::wording::{count, some_of};
use crate::frame::Frame;
use crate::models::ask::{CallError, Model, Needs};
use crate::plan::NodeId;
use crate::stage::{Answer, Asking, Read, ReadsAnswers, Rows};

/// Questions under way for each call that may be: those that wait have their prompt ready.
const READY: usize = 2;

/// A stage that asks, at work.
pub(super) struct Work {
    pub(super) shared: Arc<Shared>,
    pub(super) title: String,
    pub(super) asking: Asking,
    model: Arc<dyn Model>,
    pub(super) script: Option<Digest>,
    reader: Arc<dyn ReadsAnswers>,
    pub(super) rows: Rows,
    pub(super) route: Route,
    breaker: Breaker,
    /// Calls that this run made in a batch.
    pub(super) batched: Mutex<BTreeSet<Digest>>,
    /// Calls that came to nothing in a batch, which are not made again by this run.
    pub(super) spoilt: Mutex<BTreeMap<Digest, CallError>>,
}

/// What came of the work.
pub(super) struct Asked {
    pub(super) product: Product,
    /// Calls that failed: the result is good for this run and not reused by the next.
    pub(super) failed_calls: bool,
}

/// Asks about every row of `input` and reads the answers.
pub(super) async fn run(
    shared: &Arc<Shared>,
    id: NodeId,
    script: Option<Digest>,
    input: Arc<Frame>,
) -> Result<Asked, NodeError> {
    let node = shared.plan.node(id);
    let asking = shared.asking(node)?;
    let (model, route) = shared.model(&asking.model).await?;
    let template = asking
        .prompt
        .as_ref()
        .and_then(|prompt| shared.templates.get(&prompt.name));
    let rows = Rows::new(asking.clone(), template, Arc::clone(&input), model.needs())?;
    let total = input.rows() * asking.repeats as usize;
    let asks = node.stage.asks();
    let asks = asks.ok_or_else(|| failed("the stage asks nobody"))?;
    let reader = asks.reader()?.into();
    let whole = model.needs() != Needs::Prompt || asks.looks_back();
    let work = Arc::new(Work {
        shared: Arc::clone(shared),
        title: shared.titles[id.0].clone(),
        asking,
        model,
        script,
        reader,
        rows,
        route,
        breaker: Breaker::default(),
        batched: Mutex::default(),
        spoilt: Mutex::default(),
    });
    let rehearsed = Arc::clone(&work);
    shared
        .blocking(move || match &rehearsed.shared.pool {
            Some(pool) => pool.install(|| rehearsed.rows.rehearse()),
            None => rehearsed.rows.rehearse(),
        })
        .await??;
    if work.asking.batch && !shared.offline {
        work.batched().await?;
    }
    let answers = Answers::new(shared, id, input, work.asking.repeats, whole);
    let (product, tally) = work.all(total, answers).await?;
    let (failed, mut warnings) = tally.said(total)?;
    // Of documents that were chosen, the replies to the others are left over by intention.
    if matches!(work.model.needs(), Needs::Columns(_)) && !shared.plan.chooses_before(id) {
        let asked = work.rows.matched()?;
        warnings.extend(work.model.left_over(&asked));
    }
    Ok(Asked {
        product: product.with_warnings(warnings),
        failed_calls: failed,
    })
}

/// Calls that came to nothing, and why.
#[derive(Default)]
struct Tally {
    failed: usize,
    too_long: usize,
    messages: BTreeSet<String>,
}

/// Reasons that are told.
const TOLD: usize = 3;

impl Tally {
    fn count(&mut self, answer: &Answer) {
        match &answer.reply {
            Err(CallError::Failed(message)) => {
                self.failed += 1;
                self.messages.insert(message.clone());
                // The first in order, whichever came first.
                while self.messages.len() > TOLD {
                    self.messages.pop_last();
                }
            }
            Err(CallError::TooLong(_)) => self.too_long += 1,
            _ => {}
        }
    }

    /// Whether calls failed, and what to say of those that came to nothing.
    ///
    /// # Errors
    /// When all failed: a table without a single answer tells nothing.
    fn said(self, total: usize) -> Result<(bool, Vec<String>), Failure> {
        let mut warnings = Vec::new();
        if self.too_long > 0 {
            if self.too_long == total {
                return Err(Failure::new(match total {
                    1 => "its only prompt does not fit into what the model can read".to_owned(),
                    _ => format!("none of {total} prompts fits into what the model can read"),
                })
                .hint("cut the documents with a `truncate` stage, or take a model with a longer `context`"));
            }
            let (fit, sent, them) = match self.too_long {
                1 => ("does", "was", "it"),
                _ => ("do", "were", "them"),
            };
            warnings.push(format!(
                "{} of {} {fit} not fit into what the model can read and {sent} not sent; a `truncate` stage would cut {them}",
                self.too_long,
                count(total, "prompt")
            ));
        }
        let told: Vec<&str> = self.messages.iter().map(String::as_str).collect();
        let told = told.join("; ");
        if self.failed == total && total > 0 {
            return Err(Failure::new(match total {
                1 => format!("its only call failed: {told}"),
                _ => format!("all {total} calls failed: {told}"),
            }));
        }
        if self.failed > 0 {
            warnings.push(format!(
                "{} of {} failed and are made again by the next run: {told}",
                self.failed,
                count(total, "call")
            ));
        }
        Ok((self.failed > 0, warnings))
    }
}

impl Work {
    /// All answers, in order. Stops asking at the first error that no further question can heal,
    /// and lets what is under way finish, so that its replies are kept.
    async fn all(
        self: &Arc<Self>,
        total: usize,
        mut answers: Answers,
    ) -> Result<(Product, Tally), NodeError> {
        let window = match self.model.needs() {
            Needs::Text => self.shared.jobs,
            Needs::Prompt | Needs::Columns(_) => {
                (self.asking.model.limits.concurrency as usize * READY).max(64)
            }
        };
        let mut tally = Tally::default();
        let mut under_way = JoinSet::new();
        // The earliest row's error is told, whichever came first: the same run says the same.
        let mut stop: Option<(usize, NodeError)> = None;
        let mut offline: BTreeSet<usize> = BTreeSet::new();
        let mut next = 0;
        loop {
            while next < total
                && under_way.len() < window
                && stop.is_none()
                && answers.has_room(next)
            {
                let work = Arc::clone(self);
                let index = next;
                under_way.spawn(async move { (index, work.one(index).await) });
                next += 1;
            }
            let Some(joined) = under_way.join_next().await else {
                break;
            };
            match joined {
                Ok((index, Ok(answer))) => {
                    tally.count(&answer.0);
                    // What was there before a stop is not needed any more.
                    if stop.is_none()
                        && let Err(error) = answers.put(index, answer, &self.reader).await
                    {
                        stop = Some((index, error));
                    }
                }
                Ok((index, Err(OneError::Offline))) => {
                    offline.insert(index);
                    answers.give_up();
                }
                Ok((index, Err(OneError::Stop(error)))) => {
                    // A failure counts for more than what was left out because of it.
                    let rank = |index: usize, error: &NodeError| {
                        (!matches!(error, NodeError::Failed(_)), index)
                    };
                    let first = stop.as_ref().map(|(index, error)| rank(*index, error));
                    if first.is_none_or(|first| rank(index, &error) < first) {
                        stop = Some((index, error));
                    }
                }
                Err(error) => {
                    stop.get_or_insert((total, Failure::new(error.to_string()).into()));
                }
            }
            // Raised after the last question was answered: nothing is missing.
            if self.shared.interrupt.is_raised() && (next < total || !under_way.is_empty()) {
                stop.get_or_insert((total, NodeError::Interrupted));
            }
        }
        match (stop, self.breaker.why()) {
            (Some((_, NodeError::Interrupted)), Some(why))
                if !self.shared.interrupt.is_raised() =>
            {
                return Err(Failure::new(why)
                    .hint("what was answered is stored; the next run goes on from there")
                    .into());
            }
            (Some((_, error)), _) => return Err(error),
            (None, _) => {}
        }
        if !offline.is_empty() {
            return Err(self.not_stored(&offline, total).into());
        }
        Ok((answers.end(&self.reader).await?, tally))
    }

    async fn one(&self, index: usize) -> Result<(Answer, Read), OneError> {
        let repeats = self.asking.repeats as usize;
        let repeat = u32::try_from(index % repeats).unwrap_or(u32::MAX);
        let row = index / repeats;
        if let Some(why) = self.rows.not_applicable(row) {
            let reply = Err(CallError::NotApplicable(why));
            return Ok(self.answered(Answer { reply, call: None }, false));
        }
        let question = self
            .rows
            .question(row, repeat)
            .map_err(|failure| OneError::Stop(failure.into()))?;
        if let Some(error) = self.spoilt(&question) {
            let reply = Err(error);
            return Ok(self.answered(Answer { reply, call: None }, true));
        }
        let (answer, asked) = if self.model.needs() == Needs::Prompt {
            let called = self
                .shared
                .caller
                .call(
                    Asker {
                        model: &*self.model,
                        asking: &self.asking,
                        script: self.script,
                        route: &self.route,
                        breaker: &self.breaker,
                    },
                    &question,
                )
                .await;
            match called {
                Ok(called) => {
                    let batched = !called.asked && self.was_batched(&called.key);
                    if batched {
                        self.shared.caller.not_reused();
                    }
                    let answer = Answer {
                        reply: Ok(called.reply),
                        call: Some(called.key),
                    };
                    (answer, called.asked || batched)
                }
                Err(NoCall::Error(error)) => {
                    let asked = !matches!(error, CallError::TooLong(_));
                    let reply = Err(error);
                    (Answer { reply, call: None }, asked)
                }
                Err(NoCall::Offline) => return Err(OneError::Offline),
                Err(NoCall::Interrupted) => return Err(OneError::Stop(NodeError::Interrupted)),
                Err(NoCall::Cache(why)) => return Err(OneError::Stop(Failure::new(why).into())),
            }
        } else {
            // Rows of all judges together share the processors.
            let _place = match self.model.needs() {
                Needs::Text => Some(self.shared.computing.acquire().await),
                Needs::Prompt | Needs::Columns(_) => None,
            };
            let reply = self.model.ask(&question, 0).await;
            (Answer { reply, call: None }, false)
        };
        if let Err(CallError::Fatal(why)) = &answer.reply {
            let name = &self.asking.model.name;
            // What stops a server's model is no fault of the document that came first.
            let served = self.asking.model.provider.server().is_some();
            let failure = Failure::new(if served {
                format!("model `{name}`: {why}")
            } else {
                let document = self.rows.document(row);
                format!("model `{name}`, document `{document}`: {why}")
            });
            return Err(OneError::Stop(failure.into()));
        }
        Ok(self.answered(answer, asked))
    }

    /// Reads an answer and tells that it is there.
    fn answered(&self, answer: Answer, asked: bool) -> (Answer, Read) {
        let read = self.reader.read(&answer);
        (self.shared.sink)(Event::Answered {
            node: self.title.clone(),
            asked,
            spent: if asked {
                self.shared.caller.spent()
            } else {
                None
            },
        });
        (answer, read)
    }

    fn not_stored(&self, missing: &BTreeSet<usize>, total: usize) -> Failure {
        let repeats = self.asking.repeats as usize;
        let mut names: Vec<String> = Vec::new();
        for index in missing {
            let name = self.rows.document(index / repeats);
            if names.last() != Some(&name) {
                names.push(name);
            }
        }
        Failure::new(format!(
            "{} of {total} not stored, and nobody may be asked: {}",
            count(missing.len(), "call"),
            some_of(&names)
        ))
        .hint(
            self.shared
                .absent
                .hint_online("run once without `--offline`, or unpack a bundle that holds them"),
        )
    }
}

/// Why one row has no answer.
enum OneError {
    /// Its call is not stored, and nobody may be asked.
    Offline,
    /// Nothing more should be asked.
    Stop(NodeError),
}
