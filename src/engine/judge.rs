//! Running a judge: every row becomes a question, many are under way at once, and the answers are
//! put back in the order of the rows.

use std::collections::BTreeSet;
use std::sync::Arc;

use tokio::task::JoinSet;

use super::breaker::Breaker;
use super::calls::NoCall;
use super::event::Event;
use super::execute::Shared;
use super::node::NodeError;
use crate::frame::Frame;
use crate::key::Digest;
use crate::model::{CallError, Model, Needs};
use crate::parse::evaluation_form::Reader;
use crate::stage::{Answer, Failure, Judge, Output, Reading, Rows, read_reply, tabulate};
use crate::wording::{count, some_of};

/// Rows under way at once where a question costs waiting, not computing.
const WINDOW: usize = 256;

/// A judge at work.
struct Work {
    shared: Arc<Shared>,
    title: String,
    judge: Judge,
    model: Arc<dyn Model>,
    script: Option<Digest>,
    reader: Reader,
    rows: Rows,
    breaker: Breaker,
}

/// What came of a judge's work.
pub(super) struct Judged {
    pub(super) output: Output,
    /// Calls that failed: the result is good for this run and not reused by the next.
    pub(super) failed_calls: bool,
}

/// Asks about every row of `input` and reads the answers.
pub(super) async fn run(
    shared: &Arc<Shared>,
    title: &str,
    judge: &Judge,
    script: Option<Digest>,
    input: Arc<Frame>,
) -> Result<Judged, NodeError> {
    let (model, spec) = (Arc::clone(shared), judge.model.clone());
    let model = shared
        .blocking(move || model.library.model(&spec, &model.files))
        .await??;
    let template = judge
        .prompt
        .as_ref()
        .and_then(|prompt| shared.templates.get(&prompt.name));
    let rows = Rows::new(judge, template, Arc::clone(&input), model.needs())?;
    let reader = Reader::new(&judge.metrics).map_err(|error| Failure::new(error.to_string()))?;
    let work = Arc::new(Work {
        shared: Arc::clone(shared),
        title: title.to_owned(),
        judge: judge.clone(),
        model,
        script,
        reader,
        rows,
        breaker: Breaker::default(),
    });
    let total = input.rows() * judge.repeats as usize;
    let answers = work.all(total).await?;
    let failed = failed_calls(&answers)?;
    let judge = judge.clone();
    let mut output = shared
        .blocking(move || tabulate(&judge, &input, answers))
        .await??;
    let failed_calls = failed.is_some();
    output.warnings.extend(failed);
    Ok(Judged {
        output,
        failed_calls,
    })
}

/// What to say of calls that failed, if some did.
///
/// # Errors
/// When all did: a table without a single answer tells nothing.
fn failed_calls(answers: &[(Answer, Reading)]) -> Result<Option<String>, Failure> {
    let mut failed = 0;
    let mut messages = BTreeSet::new();
    for (answer, _) in answers {
        if let Err(CallError::Failed(message)) = &answer.reply {
            failed += 1;
            messages.insert(message);
        }
    }
    let total = answers.len();
    let told: Vec<&String> = messages.into_iter().take(3).collect();
    let told = told
        .iter()
        .map(|message| message.as_str())
        .collect::<Vec<_>>()
        .join("; ");
    if failed == 0 {
        Ok(None)
    } else if failed == total {
        Err(Failure::new(match total {
            1 => format!("its only call failed: {told}"),
            _ => format!("all {total} calls failed: {told}"),
        }))
    } else {
        Ok(Some(format!(
            "{failed} of {} failed and are made again by the next run: {told}",
            count(total, "call")
        )))
    }
}

impl Work {
    /// All answers, in order. Stops asking at the first error that no further question can heal,
    /// and lets what is under way finish, so that its replies are kept.
    async fn all(self: &Arc<Self>, total: usize) -> Result<Vec<(Answer, Reading)>, NodeError> {
        let window = match self.model.needs() {
            Needs::Text => self.shared.jobs,
            Needs::Prompt | Needs::Columns(_) => WINDOW,
        };
        let mut answers: Vec<Option<(Answer, Reading)>> = vec![None; total];
        let mut under_way = JoinSet::new();
        // The earliest row's error is told, whichever came first: the same run says the same.
        let mut stop: Option<(usize, NodeError)> = None;
        let mut offline: BTreeSet<usize> = BTreeSet::new();
        let mut next = 0;
        loop {
            while next < total && under_way.len() < window && stop.is_none() {
                let work = Arc::clone(self);
                let index = next;
                under_way.spawn(async move { (index, work.one(index).await) });
                next += 1;
            }
            let Some(joined) = under_way.join_next().await else {
                break;
            };
            match joined {
                Ok((index, Ok(answer))) => answers[index] = Some(answer),
                Ok((index, Err(OneError::Offline))) => {
                    offline.insert(index);
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
            if self.shared.interrupt.is_raised() {
                stop.get_or_insert((total, NodeError::Interrupted));
            }
        }
        // Raised after the last question was answered: nothing is missing.
        let complete = answers.iter().all(Option::is_some);
        match (stop, self.breaker.why()) {
            (Some((_, NodeError::Interrupted)), _) if complete => {}
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
        Ok(answers.into_iter().flatten().collect())
    }

    async fn one(&self, index: usize) -> Result<(Answer, Reading), OneError> {
        let repeats = self.judge.repeats as usize;
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
        let (answer, asked) = if self.model.needs() == Needs::Prompt {
            let called = self
                .shared
                .caller
                .call(
                    &*self.model,
                    &self.judge,
                    self.script,
                    &question,
                    &self.breaker,
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
                Err(NoCall::Error(error)) => (
                    Answer {
                        reply: Err(error),
                        call: None,
                    },
                    true,
                ),
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
            let reply = self.model.ask(&question).await;
            (Answer { reply, call: None }, false)
        };
        if let Err(CallError::Fatal(why)) = &answer.reply {
            let name = &self.judge.model.name;
            let document = self.rows.document(row);
            let failure = Failure::new(format!("model `{name}`, document `{document}`: {why}"));
            return Err(OneError::Stop(failure.into()));
        }
        Ok(self.answered(answer, asked))
    }

    /// Reads an answer and tells that it is there.
    fn answered(&self, answer: Answer, asked: bool) -> (Answer, Reading) {
        let reading = read_reply(&self.reader, &self.judge, &answer.reply);
        (self.shared.sink)(Event::Answered {
            node: self.title.clone(),
            asked,
        });
        (answer, reading)
    }

    fn not_stored(&self, missing: &BTreeSet<usize>, total: usize) -> Failure {
        let repeats = self.judge.repeats as usize;
        let mut names: Vec<String> = Vec::new();
        for index in missing {
            let name = self.rows.document(index / repeats);
            if names.last() != Some(&name) {
                names.push(name);
            }
        }
        Failure::new(format!(
            "{} of {total} not stored, and `--offline` asks nobody: {}",
            count(missing.len(), "call"),
            some_of(&names)
        ))
        .hint("run once without `--offline`, or unpack a bundle that holds them")
    }
}

/// Why one row has no answer.
enum OneError {
    /// Its call is not stored, and nobody may be asked.
    Offline,
    /// Nothing more should be asked.
    Stop(NodeError),
}
