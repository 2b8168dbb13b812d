//! Judgements for display: document, prompt, reply and scores of each call.
//!
//! Nothing is run and no model is called: prompts are rendered again as they were sent, replies are read again as they
//! were read. What is not here is said in words and is no error.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::execute::Engine;
use super::outcome::Done;
use super::ready;
use super::shared::Shared;
use crate::base::failure::Failure;
use crate::frame::{Frame, FrameError};
use crate::models::ask::{Message, Needs, Reply};
use crate::models::local::LocalProvider;
use crate::models::parse::{Finish, Form, Reader, Reading};
use crate::models::provider::conversation;
use crate::plan::NodeId;
use crate::stage::{Ask as _, CHOICE, ITEM, Judge, ORDER, POSITION, Rows, Stage, Until};

/// The columns of a judge's rows that are its own, those that documents are known by, and the reply.
const COLUMNS: [&str; 17] = [
    "doc_id", "section", "repeat", "metric", "score", CHOICE, POSITION, ORDER, "label", "written",
    "mass", "unscored", "detail", "issues", "finish", "reply", "call",
];

/// The rows of a judge, with what it takes to show how each came about.
pub struct Judged {
    shared: Arc<Shared>,
    judge: Judge,
    rows: Frame,
    reader: Reader,
    prompts: Result<Rows, String>,
    /// Of the rows it read, those that it asked about, if not all.
    kept: Option<Vec<usize>>,
    /// Where replies have different numbers of rows.
    lists: Option<OfLists>,
}

/// The replies about lists, which have as many rows as these have elements.
struct OfLists {
    /// The rows that were asked about.
    input: Result<Arc<Frame>, String>,
    /// Where the rows of each reply begin, and where the last ends.
    starts: Vec<usize>,
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
    /// The rows of a result as they are stored; with `columns`, only those that exist of them.
    ///
    /// # Errors
    /// Why they cannot be had, in words.
    pub fn rows_of(&self, done: &Done, columns: Option<&[&str]>) -> Result<Frame, String> {
        let shared = self.shared();
        let bytes = shared.results.nodes.load(&done.output).map_err(|damage| {
            if shared.results.is_absent(&done.output) {
                "not in the bundle that the project was unpacked from".to_owned()
            } else {
                damage.to_string()
            }
        })?;
        shared
            .results
            .read_table(bytes, columns)
            .map_err(|error| error.to_string())
    }

    /// The rows that a node asks about, made of those that it reads.
    ///
    /// # Errors
    /// When they cannot be made of these.
    pub fn asked(&self, id: NodeId, input: Arc<Frame>) -> Result<Arc<Frame>, Failure> {
        ready::asked(self.plan().node(id), input)
    }

    /// What a judge's result is made of. `input` are the rows it asked about, or why they cannot be had; `more` are names of
    /// columns that its rows are wanted with, where they have them.
    ///
    /// # Errors
    /// Why its rows cannot be had, in words.
    pub fn judged(
        &self,
        id: NodeId,
        done: &Done,
        input: Result<Arc<Frame>, String>,
        more: &[String],
    ) -> Result<Judged, String> {
        let shared = self.shared();
        let node = shared.plan.node(id);
        let Stage::Judge(judge) = &*node.stage else {
            return Err("not a judge".to_owned());
        };
        let wanted: BTreeSet<&str> = COLUMNS
            .into_iter()
            .chain(more.iter().map(String::as_str))
            .chain(judge.until.iter().flat_map(Until::reads))
            .chain(judge.items.is_some().then_some(ITEM))
            .chain(
                judge
                    .items
                    .iter()
                    .flat_map(|items| &items.fields)
                    .map(|(new, _)| new.as_str()),
            )
            .collect();
        let wanted: Vec<&str> = wanted.into_iter().collect();
        let rows = self.rows_of(done, Some(&wanted))?;
        let reader = judge.parser().map_err(|failure| failure.message)?;
        let asking = judge.asking();
        let kept = match (&judge.until, &input) {
            (Some(until), Ok(input)) => {
                let kept = until.kept(input, node.seed.unwrap_or(0), &rows);
                Some(kept.map_err(|failure| failure.message)?)
            }
            _ => None,
        };
        let lists = judge.items.as_ref().map(|_| OfLists {
            input: input.clone(),
            starts: starts(&rows, judge.metrics.len()),
        });
        let unsent = judge.model.provider.local().and_then(LocalProvider::unsent);
        let prompts = match unsent {
            Some(why) => Err(why.to_owned()),
            None => input.and_then(|input| {
                let rows = shared.rows(&asking, input, Needs::Prompt);
                rows.map_err(|error| error.message)
            }),
        };
        Ok(Judged {
            shared: Arc::clone(shared),
            judge: (**judge).clone(),
            rows,
            reader,
            prompts,
            kept,
            lists,
        })
    }
}

impl Judged {
    /// The judge.
    pub fn judge(&self) -> &Judge {
        &self.judge
    }

    /// Its rows: for each row it read, one per repeat, element where a list was judged, and metric, in this order.
    pub fn rows(&self) -> &Frame {
        &self.rows
    }

    /// How many rows it asked about.
    pub fn asked(&self) -> usize {
        let repeats = self.judge.repeats as usize;
        let replies = match &self.lists {
            Some(lists) => lists.starts.len() - 1,
            None => self
                .rows
                .rows()
                .checked_div(self.judge.metrics.len())
                .unwrap_or(0),
        };
        replies.checked_div(repeats).unwrap_or(0)
    }

    /// The rows that the reply to a repeat of the question about a row came to.
    pub fn reply_rows(&self, asked: usize, repeat: usize) -> Range<usize> {
        let reply = asked * self.judge.repeats as usize + repeat;
        let metrics = self.judge.metrics.len();
        match &self.lists {
            Some(lists) => lists.starts[reply]..lists.starts[reply + 1],
            None => reply * metrics..(reply + 1) * metrics,
        }
    }

    /// What a form says, row by row, of the row that the judge read.
    pub fn readings<'f>(&self, form: &'f Form, about: usize) -> Cow<'f, [Reading]> {
        let lists = self.judge.items.as_ref().zip(self.lists.as_ref());
        let lists = lists.and_then(|(items, of)| items.lists(of.input.as_ref().ok()?).ok());
        match lists {
            Some(lists) => Cow::Owned(lists.readings(about, form)),
            None => Cow::Borrowed(&form.readings),
        }
    }

    /// The elements of the list of the row that the judge read, as people read them; none where it judges no list.
    pub fn elements(&self, about: usize) -> Vec<String> {
        let lists = self.judge.items.as_ref().zip(self.lists.as_ref());
        let lists = lists.and_then(|(items, of)| items.lists(of.input.as_ref().ok()?).ok());
        lists.map_or_else(Vec::new, |lists| lists.shown(about))
    }

    /// The column that it was to judge, of the rows it read: `text`, or where the prompt shows no text, what it shows
    /// instead, such as a report; of several the one with the longest values. Lists are no texts.
    pub fn judged_column(&self, input: &Frame) -> String {
        let variables = self.judge.prompt.iter().flat_map(|p| &p.variables);
        let variables: Vec<&String> = variables.collect();
        let text = "text".to_owned();
        if variables.is_empty() || variables.contains(&&text) {
            return text;
        }
        let length = |name: &str| -> Result<usize, FrameError> {
            let column = input.column(name)?;
            if column.is_json() {
                return Ok(0);
            }
            let cells = (0..column.len()).filter_map(|row| column.text(row));
            Ok(cells.map(|cell| cell.len()).sum())
        };
        let mut longest = (0, text);
        for name in variables {
            let length = length(name).unwrap_or_default();
            if length > longest.0 {
                longest = (length, name.clone());
            }
        }
        longest.1
    }

    /// Which of the rows that the judge read is the one that it asked about as number `row`.
    pub fn about(&self, row: usize) -> usize {
        let kept = self.kept.as_ref();
        kept.and_then(|kept| kept.get(row).copied()).unwrap_or(row)
    }

    /// The prompt about a row that the judge read, as it was sent.
    ///
    /// # Errors
    /// Why there is none, in words.
    pub fn prompt(&self, row: usize) -> Prompt {
        let prompts = self.prompts.as_ref().map_err(Clone::clone)?;
        if let Some(why) = prompts.not_applicable(row) {
            return Err(format!("no model was called: {why}"));
        }
        let question = prompts
            .question(row, 0)
            .map_err(|failure| failure.message)?;
        Ok(match self.judge.model.provider.server() {
            Some(_) => conversation(&self.judge.model, &question.messages),
            None => question.messages,
        })
    }

    /// What the reader of replies makes of one, and where in it.
    pub fn read(&self, reply: &str, finish: Finish) -> Form {
        let judge = &self.judge;
        self.reader
            .read(reply, finish, &judge.scale, judge.model.thoughts())
    }

    /// The stored call that a row names, with what the server said of it.
    pub fn call(&self, key: &str) -> Option<Reply> {
        let key = key.parse().ok()?;
        let stored = self.shared.caller.stored(&key, &self.judge.model);
        stored.ok().flatten()
    }
}
