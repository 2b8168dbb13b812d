//! Running a stage that asks a model: every row becomes a question, many are under way at once, and
//! the answers are put back in the order of the rows.
//!
//! Of a long table the rows that are answered are written away while others are still asked about, so
//! that memory is bounded by what is under way.

use std::collections::BTreeSet;
use std::sync::Arc;

use tokio::task::JoinSet;

use super::answers::Answers;
use super::batch;
use super::calls::Asker;
use super::event::Event;
use super::no_call::NoCall;
use super::outcome::NodeError;
use super::product::Product;
use super::questions::Questions;
use super::shared::Shared;
use super::workers::blocking;
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::base::wording::{count, some_of};
use crate::frame::Frame;
use crate::models::ask::{CallError, Needs};
use crate::plan::NodeId;
use crate::stage::{Answer, Ask, Read};

/// Questions under way for each call that may be: those that wait have their prompt ready.
const READY: usize = 2;

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
    let questions = Questions::new(shared, id, script, Arc::clone(&input)).await?;
    let questions = Arc::new(questions);
    let total = input.rows() * questions.asking.repeats as usize;
    let asks = shared.plan.node(id).stage.asks();
    let looks_back = asks.is_some_and(Ask::looks_back);
    let whole = questions.model.needs() != Needs::Prompt || looks_back;
    blocking({
        let questions = Arc::clone(&questions);
        move || {
            let rehearse = || questions.rows.rehearse();
            questions.shared.workers.compute(rehearse)
        }
    })
    .await??;
    if questions.asking.batch && !shared.offline {
        batch::hand_in(&questions).await?;
    }
    let answers = Answers::new(shared, id, input, questions.asking.repeats, whole);
    let (product, tally) = all(&questions, total, answers).await?;
    let (failed, mut warnings) = tally.said(total)?;
    // Of documents that were chosen, the replies to the others are left over by intention.
    if matches!(questions.model.needs(), Needs::Columns(_)) && !shared.plan.chooses_before(id) {
        let asked = questions.rows.matched()?;
        warnings.extend(questions.model.left_over(&asked));
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
                    1 => "its only prompt does not fit into the model's context".to_owned(),
                    _ => format!("none of {total} prompts fits into the model's context"),
                })
                .hint("cut the documents with a `truncate` stage, or take a model with a longer `context`"));
            }
            let (fit, sent, them) = match self.too_long {
                1 => ("does", "was", "it"),
                _ => ("do", "were", "them"),
            };
            warnings.push(format!(
                "{} of {} {fit} not fit into the model's context and {sent} not sent; a `truncate` stage would cut {them}",
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

/// All answers, in order. Stops asking at the first error that no further question can heal,
/// and lets what is under way finish, so that its replies are kept.
async fn all(
    questions: &Arc<Questions>,
    total: usize,
    mut answers: Answers,
) -> Result<(Product, Tally), NodeError> {
    let window = match questions.model.needs() {
        Needs::Text => questions.shared.workers.jobs,
        Needs::Prompt | Needs::Columns(_) => {
            (questions.asking.model.limits.concurrency as usize * READY).max(64)
        }
    };
    let mut tally = Tally::default();
    let mut under_way = JoinSet::new();
    // The earliest row's error is told, whichever came first: the same run says the same.
    let mut stop: Option<(usize, NodeError)> = None;
    let mut offline: BTreeSet<usize> = BTreeSet::new();
    let mut next = 0;
    loop {
        while next < total && under_way.len() < window && stop.is_none() && answers.has_room(next) {
            let questions = Arc::clone(questions);
            let index = next;
            under_way.spawn(async move { (index, one(&questions, index).await) });
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
                    && let Err(error) = answers.put(index, answer, &questions.reader).await
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
        if questions.shared.interrupt.is_raised() && (next < total || !under_way.is_empty()) {
            stop.get_or_insert((total, NodeError::Interrupted));
        }
    }
    match (stop, questions.breaker.why()) {
        (Some((_, NodeError::Interrupted)), Some(why))
            if !questions.shared.interrupt.is_raised() =>
        {
            return Err(Failure::new(why)
                .hint("finished replies are stored; the next run resumes from there")
                .into());
        }
        (Some((_, error)), _) => return Err(error),
        (None, _) => {}
    }
    if !offline.is_empty() {
        return Err(not_stored(questions, &offline, total).into());
    }
    Ok((answers.end(&questions.reader).await?, tally))
}

async fn one(questions: &Questions, index: usize) -> Result<(Answer, Read), OneError> {
    let repeats = questions.asking.repeats as usize;
    let repeat = u32::try_from(index % repeats).unwrap_or(u32::MAX);
    let row = index / repeats;
    if let Some(why) = questions.rows.not_applicable(row) {
        let reply = Err(CallError::NotApplicable(why));
        return Ok(answered(questions, Answer { reply, call: None }, false));
    }
    let question = questions
        .rows
        .question(row, repeat)
        .map_err(|failure| OneError::Stop(failure.into()))?;
    if let Some(error) = questions.spoilt(&question) {
        let reply = Err(error);
        return Ok(answered(questions, Answer { reply, call: None }, true));
    }
    let (answer, asked) = if questions.model.needs() == Needs::Prompt {
        let called = questions
            .shared
            .caller
            .call(
                Asker {
                    model: &*questions.model,
                    asking: &questions.asking,
                    script: questions.script,
                    route: &questions.route,
                    breaker: &questions.breaker,
                },
                &question,
            )
            .await;
        match called {
            Ok(called) => {
                let batched = !called.asked && questions.was_batched(&called.key);
                if batched {
                    questions.shared.caller.account.not_reused();
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
        let _place = match questions.model.needs() {
            Needs::Text => Some(questions.shared.workers.computing.acquire().await),
            Needs::Prompt | Needs::Columns(_) => None,
        };
        let reply = questions.model.ask(&question, 0).await;
        (Answer { reply, call: None }, false)
    };
    if let Err(CallError::Fatal(why)) = &answer.reply {
        let name = &questions.asking.model.name;
        // What stops a server's model is no fault of the document that came first.
        let served = questions.asking.model.provider.server().is_some();
        let failure = Failure::new(if served {
            format!("model `{name}`: {why}")
        } else {
            let document = questions.rows.document(row);
            format!("model `{name}`, document `{document}`: {why}")
        });
        return Err(OneError::Stop(failure.into()));
    }
    Ok(answered(questions, answer, asked))
}

/// Reads an answer and tells that it is there.
fn answered(questions: &Questions, answer: Answer, asked: bool) -> (Answer, Read) {
    let read = questions.reader.read(&answer);
    (questions.shared.sink)(Event::Answered {
        node: questions.title.clone(),
        asked,
        spent: if asked {
            questions.shared.caller.account.budget.spent()
        } else {
            None
        },
    });
    (answer, read)
}

fn not_stored(questions: &Questions, missing: &BTreeSet<usize>, total: usize) -> Failure {
    let repeats = questions.asking.repeats as usize;
    let mut names: Vec<String> = Vec::new();
    for index in missing {
        let name = questions.rows.document(index / repeats);
        if names.last() != Some(&name) {
            names.push(name);
        }
    }
    Failure::new(format!(
        "{} of {total} not cached, and no model may be called: {}",
        count(missing.len(), "call"),
        some_of(&names)
    ))
    .hint(
        questions
            .shared
            .absent
            .hint_online("run once without `--offline`, or unpack a bundle that holds them"),
    )
}

/// Why one row has no answer.
enum OneError {
    /// Its call is not cached, and no model may be called.
    Offline,
    /// Nothing more should be asked.
    Stop(NodeError),
}
