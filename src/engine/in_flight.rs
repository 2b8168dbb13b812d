//! Questions in flight: so many at once, until all are answered or no further one can be.

use std::collections::BTreeSet;
use std::sync::Arc;

use tokio::task::JoinSet;

use super::calls::Asker;
use super::cluster::Cluster;
use super::event::Event;
use super::no_call::NoCall;
use super::outcome::NodeError;
use super::questions::Questions;
use super::remote;
use crate::base::failure::Failure;
use crate::base::wording::{count, some_of};
use crate::models::ask::{CallError, Needs};
use crate::stage::{Answer, Read, ReadsAnswers};

/// Questions under way for each call that may be: those that wait have their prompt ready.
const READY: usize = 2;

/// Where answers go, in whatever order they come.
pub(super) trait Takes {
    /// Whether there is room for an answer of this number.
    fn has_room(&self, index: usize) -> bool;

    /// Takes an answer.
    async fn take(
        &mut self,
        index: usize,
        answer: (Answer, Read),
        reader: &Arc<dyn ReadsAnswers>,
    ) -> Result<(), NodeError>;

    /// An answer will never come.
    fn give_up(&mut self);
}

/// Calls that came to nothing, and why.
#[derive(Default)]
pub(super) struct Tally {
    failed: usize,
    too_long: usize,
    messages: BTreeSet<String>,
}

/// Reasons that are told.
const TOLD: usize = 3;

impl Tally {
    pub(super) fn count(&mut self, answer: &Answer) {
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
    pub(super) fn said(self, total: usize) -> Result<(bool, Vec<String>), Failure> {
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

/// Asks the questions of these numbers. Stops asking at the first error that no further question can heal,
/// and lets what is under way finish, so that its replies are kept.
pub(super) async fn each(
    questions: &Arc<Questions>,
    indices: impl ExactSizeIterator<Item = usize> + Clone,
    taker: &mut impl Takes,
) -> Result<(), NodeError> {
    if questions.model.needs() == Needs::Prompt && !questions.shared.offline {
        match &questions.shared.cluster {
            Cluster::None => {}
            Cluster::Job(desk) => {
                remote::take_part(questions, desk, indices.clone().collect()).await?;
            }
            cluster @ Cluster::Fleet(_) => {
                let node = questions.shared.plan.node(questions.id);
                if let Some((fleet, _)) = cluster.fleet_of(node) {
                    remote::wait(questions, fleet, indices.clone().collect()).await?;
                }
            }
        }
    }
    let window = match questions.model.needs() {
        Needs::Text => questions.shared.workers.jobs,
        Needs::Prompt | Needs::Columns(_) => {
            (questions.asking.model.limits.concurrency as usize * READY).max(64)
        }
    };
    let total = indices.len();
    let mut indices = indices.peekable();
    let mut under_way = JoinSet::new();
    // The earliest row's error is told, whichever came first: the same run says the same.
    let mut stop: Option<(usize, NodeError)> = None;
    let mut offline: BTreeSet<usize> = BTreeSet::new();
    loop {
        while under_way.len() < window
            && stop.is_none()
            && let Some(index) = indices.next_if(|&next| taker.has_room(next))
        {
            let questions = Arc::clone(questions);
            under_way.spawn(async move { (index, one(&questions, index).await) });
        }
        let Some(joined) = under_way.join_next().await else {
            break;
        };
        match joined {
            Ok((index, Ok(answer))) => {
                // What was there before a stop is not needed any more.
                if stop.is_none()
                    && let Err(error) = taker.take(index, answer, &questions.reader).await
                {
                    stop = Some((index, error));
                }
            }
            Ok((index, Err(OneError::Offline))) => {
                offline.insert(index);
                taker.give_up();
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
                stop.get_or_insert((usize::MAX, Failure::new(error.to_string()).into()));
            }
        }
        // Raised after the last question was answered: nothing is missing.
        let lacking = indices.len() > 0 || !under_way.is_empty();
        if questions.shared.interrupt.is_raised() && lacking {
            stop.get_or_insert((usize::MAX, NodeError::Interrupted));
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
    Ok(())
}

async fn one(questions: &Questions, index: usize) -> Result<(Answer, Read), OneError> {
    let repeats = questions.asking.repeats as usize;
    let row = index / repeats;
    if let Some(why) = questions.rows.not_applicable(row) {
        let reply = Err(CallError::NotApplicable(why));
        return Ok(answered(questions, Answer { reply, call: None }, false));
    }
    let posed = questions
        .posed(index)
        .map_err(|failure| OneError::Stop(failure.into()))?;
    if let Some(error) = questions.spoilt(&posed) {
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
                    route: &questions.route,
                    breaker: &questions.breaker,
                    came: &questions.came,
                },
                &posed,
            )
            .await;
        match called {
            Ok(called) => {
                let answer = Answer {
                    reply: Ok(called.reply),
                    call: Some(called.key),
                };
                (answer, called.asked)
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
        let reply = questions.model.ask(&posed.question, 0).await;
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
    if questions.was_told(index) {
        let read = questions.reader.read(&answer);
        return Ok((answer, read));
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
