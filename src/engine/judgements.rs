//! Judgements for display: document, prompt, reply and scores of each call.
//!
//! Nothing is run and no model is called: prompts are rendered again as they were sent, replies are read again as they
//! were read. What is not here is said in words and is no error.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::execute::Engine;
use super::outcome::Done;
use super::ready;
use super::shared::Shared;
use super::stored::Stored;
use crate::base::failure::Failure;
use crate::base::key::{Digest, Digesting};
use crate::frame::Frame;
use crate::models::ask::{Message, Needs, Reply};
use crate::models::local::LocalProvider;
use crate::models::parse::{Finish, Form, Reading};
use crate::models::provider::conversation;
use crate::plan::NodeId;
use crate::stage::{
    Ask as _, Asking, CHOICE, ITEM, Judge, ORDER, POSITION, Replies, Rows, Stage, Until,
};

/// The columns of a judge's rows that are its own, those that documents are known by, and the reply.
const COLUMNS: [&str; 17] = [
    "doc_id", "section", "repeat", "metric", "score", CHOICE, POSITION, ORDER, "label", "written",
    "mass", "unscored", "detail", "issues", "finish", "reply", "call",
];

/// The column with the key of a call.
const CALL: &str = "call";

/// Those of them that replies are shown with, and nothing else.
const REPLIES: [&str; 2] = ["reply", CALL];

/// Those of them that are long.
const LONG: [&str; 4] = ["detail", "issues", "reply", "call"];

/// A judge's result, of which a part is in memory at a time.
pub struct Judged {
    shared: Arc<Shared>,
    asking: Asking,
    stored: Stored,
    replies: Replies,
    /// Why no prompt is shown, where nothing is sent.
    unsent: Option<&'static str>,
    /// Of the rows it read, those that it asked about, if not all.
    kept: Option<Vec<usize>>,
    /// Where the rows of each reply begin, and where the last ends: of lists, which have as many as these have elements.
    starts: Option<Vec<usize>>,
}

/// What was asked about rows that a judge read: all of them, or a part.
pub struct Questions {
    input: Result<Arc<Frame>, String>,
    prompts: Result<Rows, String>,
}

/// Some of the rows of a judge's result.
pub struct Verdicts {
    /// The rows.
    pub rows: Frame,
    /// Which row of the result is the first of them.
    pub first: usize,
}

/// A digest in the making of what is told of calls.
#[derive(Default)]
pub struct Told {
    digesting: Digesting,
    last: String,
}

impl Told {
    /// Adds what is told of the next call; of the same as the last, nothing: rows of one reply stand together.
    pub fn add(&mut self, key: &str, told: &Digest) {
        if self.last != key {
            self.digesting.add(told.as_bytes());
            key.clone_into(&mut self.last);
        }
    }

    /// The digest.
    pub fn end(self) -> Digest {
        self.digesting.end()
    }
}

/// Where the rows of each reply begin, and where the last ends: at the first element of a list, or at what is instead of a
/// list.
fn starts(rows: &Frame, metrics: usize) -> Vec<usize> {
    let item = rows.column(ITEM).ok();
    let first = |row: &usize| {
        let item = item.as_ref().and_then(|item| item.scalar(*row).number());
        item.is_none_or(|item| item <= 1.0)
    };
    let starts = (0..rows.rows()).step_by(metrics.max(1)).filter(first);
    starts.chain([rows.rows()]).collect()
}

/// What was asked about one row of what a judge read.
pub type Prompt = Result<Vec<Message>, String>;

impl Engine {
    /// The rows that a node asks about, made of those that it reads.
    ///
    /// # Errors
    /// When they cannot be made of these.
    pub fn asked(&self, id: NodeId, input: Arc<Frame>) -> Result<Arc<Frame>, Failure> {
        ready::asked(self.plan().node(id), input)
    }

    /// Whether what a judge asks about a row depends on no other, so that the rows it reads may be looked at in parts.
    pub fn asks_in_parts(&self, id: NodeId) -> bool {
        match &*self.plan().node(id).stage {
            // With `until`, all rows together tell which of them were asked about.
            Stage::Judge(judge) => judge.in_parts() && judge.until.is_none(),
            _ => false,
        }
    }

    /// What a judge's result is made of, with or without its `replies`. `input` are all rows it asked about, where it does
    /// not ask in parts; `more` are names of columns that its rows are wanted with, where they have them.
    ///
    /// # Errors
    /// Why its rows cannot be had, in words.
    pub fn judged(
        &self,
        id: NodeId,
        done: &Done,
        input: Option<&Frame>,
        (more, replies): (&[String], bool),
    ) -> Result<Judged, String> {
        let shared = self.shared();
        let node = shared.plan.node(id);
        let Stage::Judge(judge) = &*node.stage else {
            return Err("not a judge".to_owned());
        };
        let fields = judge.items.iter().flat_map(|items| &items.fields);
        let own = COLUMNS.into_iter();
        let wanted: BTreeSet<&str> = own
            .filter(|name| replies || !REPLIES.contains(name))
            .chain(more.iter().map(String::as_str))
            .chain(judge.until.iter().flat_map(Until::reads))
            .chain(judge.items.is_some().then_some(ITEM))
            .chain(fields.map(|(new, _)| new.as_str()))
            .collect();
        let wanted: Vec<&str> = wanted.into_iter().collect();
        let stored = Stored::of(shared, done, Some(&wanted))?;
        let kept = match (&judge.until, input) {
            (Some(until), Some(input)) => {
                // Of replies it is not known from the rows alone, and they are long.
                let short = wanted.iter().filter(|name| !LONG.contains(name));
                let rows = stored.narrow(&short.copied().collect())?;
                let kept = until.kept(input, node.seed.unwrap_or(0), &rows);
                Some(kept.map_err(|failure| failure.message)?)
            }
            _ => None,
        };
        let starts = match &judge.items {
            Some(_) => Some(starts(
                &stored.narrow(&BTreeSet::from([ITEM]))?,
                judge.metrics.len(),
            )),
            None => None,
        };
        Ok(Judged {
            shared: Arc::clone(shared),
            asking: judge.asking(),
            replies: Replies::of((**judge).clone(), &shared.said)
                .map_err(|failure| failure.message)?,
            unsent: judge.model.provider.local().and_then(LocalProvider::unsent),
            stored,
            kept,
            starts,
        })
    }

    /// A digest of what is to be told of the stored calls that a judge's rows name, one after the other: a result holds what was
    /// replied, and not what else the server said.
    ///
    /// # Errors
    /// Why its rows cannot be had, in words.
    pub fn told_of_calls(
        &self,
        id: NodeId,
        done: &Done,
        tell: impl Fn(Option<Reply>) -> Digest + Sync,
    ) -> Result<Digest, String> {
        let shared = self.shared();
        let mut told = Told::default();
        let Stage::Judge(judge) = &*shared.plan.node(id).stage else {
            return Ok(told.end());
        };
        let stored = Stored::of(shared, done, Some(&[CALL]))?;
        for part in 0..stored.parts() {
            let rows = stored.part(part)?;
            let Ok(calls) = rows.column(CALL) else {
                continue;
            };
            let mut keys: Vec<_> = (0..calls.len()).filter_map(|row| calls.text(row)).collect();
            keys.dedup();
            let digests = keys.par_iter();
            let digests = digests.map(|key| tell(call(shared, judge, key)));
            let digests: Vec<Digest> = digests.collect();
            for (key, digest) in keys.iter().zip(&digests) {
                told.add(key, digest);
            }
        }
        Ok(told.end())
    }
}

impl Judged {
    /// The judge.
    pub fn judge(&self) -> &Judge {
        self.replies.judge()
    }

    /// How many rows it asked about.
    pub fn asked(&self) -> usize {
        let repeats = self.judge().repeats as usize;
        let replies = match &self.starts {
            Some(starts) => starts.len() - 1,
            None => self
                .stored
                .rows()
                .checked_div(self.judge().metrics.len())
                .unwrap_or(0),
        };
        replies.checked_div(repeats).unwrap_or(0)
    }

    /// Which rows of the result the reply to a repeat of the question about a row came to.
    pub fn reply_rows(&self, asked: usize, repeat: usize) -> Range<usize> {
        let reply = asked * self.judge().repeats as usize + repeat;
        let metrics = self.judge().metrics.len();
        match &self.starts {
            Some(starts) => starts[reply]..starts[reply + 1],
            None => reply * metrics..(reply + 1) * metrics,
        }
    }

    /// What came of asking about some rows: a row for each repeat, element where a list was judged, and metric, in this order.
    ///
    /// # Errors
    /// Why it cannot be had, in words.
    pub fn verdicts(&mut self, asked: Range<usize>) -> Result<Verdicts, String> {
        let first = self.reply_rows(asked.start, 0).start;
        let end = match asked.end.checked_sub(1) {
            Some(last) if last >= asked.start => {
                let repeat = (self.judge().repeats as usize).saturating_sub(1);
                self.reply_rows(last, repeat).end
            }
            _ => first,
        };
        Ok(Verdicts {
            rows: self.stored.window(first..end)?,
            first,
        })
    }

    /// What was asked about rows, or why these are not known.
    pub fn questions(&self, input: Result<Arc<Frame>, String>) -> Questions {
        let prompts = match self.unsent {
            Some(why) => Err(why.to_owned()),
            None => input.clone().and_then(|input| {
                let rows = self.shared.rows(&self.asking, input, Needs::Prompt);
                rows.map_err(|error| error.message)
            }),
        };
        Questions { input, prompts }
    }

    /// What a form says, row by row, of a row that the judge read.
    pub fn readings<'f>(
        &self,
        questions: &Questions,
        form: &'f Form,
        about: usize,
    ) -> Cow<'f, [Reading]> {
        let (items, input) = (self.judge().items.as_ref(), questions.input.as_ref());
        match items.and_then(|items| items.lists(input.ok()?).ok()) {
            Some(lists) => Cow::Owned(lists.readings(about, form)),
            None => Cow::Borrowed(&form.readings),
        }
    }

    /// The elements of the list of a row that the judge read, as people read them; none where it judges no list.
    pub fn elements(&self, questions: &Questions, about: usize) -> Vec<String> {
        let (items, input) = (self.judge().items.as_ref(), questions.input.as_ref());
        let lists = items.and_then(|items| items.lists(input.ok()?).ok());
        lists.map_or_else(Vec::new, |lists| lists.shown(about))
    }

    /// The prompt about a row that the judge read, as it was sent.
    ///
    /// # Errors
    /// Why there is none, in words.
    pub fn prompt(&self, questions: &Questions, row: usize) -> Prompt {
        let prompts = questions.prompts.as_ref().map_err(Clone::clone)?;
        if let Some(why) = prompts.not_applicable(row) {
            return Err(format!("no model was called: {why}"));
        }
        let question = prompts
            .question(row, 0)
            .map_err(|failure| failure.message)?;
        Ok(match self.judge().model.provider.server() {
            Some(_) => conversation(&self.judge().model, &question.messages),
            None => question.messages.to_vec(),
        })
    }

    /// The variables of its prompt of which it was to judge one; nothing, where it was to judge `text`.
    pub fn shows(&self) -> Vec<&str> {
        let variables = self.judge().prompt.iter().flat_map(|p| &p.variables);
        let variables: Vec<&str> = variables.map(String::as_str).collect();
        if variables.contains(&"text") {
            Vec::new()
        } else {
            variables
        }
    }

    /// Which of the rows that the judge read is the one that it asked about as number `row`.
    pub fn about(&self, row: usize) -> usize {
        let kept = self.kept.as_ref();
        kept.and_then(|kept| kept.get(row).copied()).unwrap_or(row)
    }

    /// What the reader of replies makes of one, and where in it.
    pub fn read(&self, reply: &str, finish: Finish) -> Arc<Form> {
        self.replies.read(reply, finish)
    }

    /// The stored call that a row names, with what the server said of it.
    pub fn call(&self, key: &str) -> Option<Reply> {
        call(&self.shared, self.judge(), key)
    }
}

fn call(shared: &Shared, judge: &Judge, key: &str) -> Option<Reply> {
    let key = key.parse().ok()?;
    let stored = shared.caller.stored(&key, &judge.model);
    stored.ok().flatten()
}
