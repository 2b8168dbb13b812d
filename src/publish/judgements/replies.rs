//! Prompts and replies of judges, with where in a reply scores were read.

use std::borrow::Cow;
use std::ops::Range;

use rayon::prelude::*;

use crate::base::wording::thousands;
use crate::engine::Judged;
use crate::frame::{ColumnView, Frame, FrameError};
use crate::language::text::quoted;
use crate::models::ask::{COMPLETION_TOKENS, PROMPT_TOKENS, Role};
use crate::models::parse::{Finish, Form};
use crate::models::score::Reason;
use crate::output::page::store::{Issue, Message, Packed, Part, Reply, Score, Units};

/// A document that is shorter than this stands in the prompt as a part of its text. In bytes.
const SHORTEST_PART: usize = 200;

/// The columns of a judge's rows.
pub(super) struct Cells<'f> {
    pub(super) doc_id: Option<ColumnView<'f>>,
    pub(super) section: Option<ColumnView<'f>>,
    pub(super) repeat: Option<ColumnView<'f>>,
    pub(super) metric: Option<ColumnView<'f>>,
    pub(super) score: Option<ColumnView<'f>>,
    pub(super) unscored: Option<ColumnView<'f>>,
    pub(super) detail: Option<ColumnView<'f>>,
    issues: Option<ColumnView<'f>>,
    pub(super) finish: Option<ColumnView<'f>>,
    reply: Option<ColumnView<'f>>,
    call: Option<ColumnView<'f>>,
    /// What judgements are told apart by, in the order in which it was asked for.
    pub(super) told: Vec<Option<ColumnView<'f>>>,
}

impl<'f> Cells<'f> {
    fn new(rows: &'f Frame, told: &[String]) -> Result<Self, FrameError> {
        let there = |name: &str| rows.has(name).then(|| rows.column(name)).transpose();
        Ok(Self {
            doc_id: there("doc_id")?,
            section: there("section")?,
            repeat: there("repeat")?,
            metric: there("metric")?,
            score: there("score")?,
            unscored: there("unscored")?,
            detail: there("detail")?,
            issues: there("issues")?,
            finish: there("finish")?,
            reply: there("reply")?,
            call: there("call")?,
            told: told
                .iter()
                .map(|name| there(name))
                .collect::<Result<_, _>>()?,
        })
    }

    /// A cell as text, if there is such a column.
    pub(super) fn text<'c>(column: Option<&'c ColumnView<'f>>, row: usize) -> Option<Cow<'c, str>> {
        column?.text(row)
    }

    /// A cell as a number, if there is such a column.
    pub(super) fn number(column: Option<&ColumnView<'f>>, row: usize) -> Option<f64> {
        column?.scalar(row).number()
    }

    /// How many issues a row holds.
    pub(super) fn issues(&self, row: usize) -> Option<usize> {
        let cell = Self::text(self.issues.as_ref(), row)?;
        let issues: Vec<serde::de::IgnoredAny> = serde_json::from_str(&cell).ok()?;
        Some(issues.len())
    }
}

/// The questions of a judge, about rows whose texts and documents these are.
pub(super) struct Asked<'a> {
    judged: &'a Judged,
    pub(super) cells: Cells<'a>,
    texts: Option<ColumnView<'a>>,
    documents: &'a [usize],
}

impl<'a> Asked<'a> {
    pub(super) fn new(
        judged: &'a Judged,
        texts: Option<ColumnView<'a>>,
        documents: &'a [usize],
        told: &[String],
    ) -> Result<Self, FrameError> {
        Ok(Self {
            judged,
            cells: Cells::new(judged.rows(), told)?,
            texts,
            documents,
        })
    }

    /// The questions about these rows and their replies, repeat by repeat; none where nothing was asked and nothing said.
    pub(super) fn pack(&self, rows: Range<usize>) -> Vec<Vec<Option<Packed>>> {
        rows.into_par_iter().map(|row| self.row(row)).collect()
    }

    fn row(&self, row: usize) -> Vec<Option<Packed>> {
        let judge = self.judged.judge();
        let text = self.texts.as_ref().and_then(|texts| texts.text(row));
        let document = text.as_deref().zip(self.documents.get(row).copied());
        let (prompt, note) = match self.judged.prompt(row) {
            Ok(messages) => {
                let messages = messages.into_iter().map(|message| Message {
                    role: role(message.role),
                    parts: parts(message.content, document),
                });
                (Some(messages.collect::<Vec<Message>>()), None)
            }
            Err(why) => (None, Some(why)),
        };
        let metrics = judge.metrics.len();
        let repeats = judge.repeats as usize;
        let firsts = (0..repeats).map(|repeat| (row * repeats + repeat) * metrics);
        firsts
            .map(|first| self.one(first, document, prompt.as_deref(), note.as_deref()))
            .collect()
    }

    /// The reply whose metrics stand in the rows from `first` on.
    fn one(
        &self,
        first: usize,
        document: Option<(&str, usize)>,
        prompt: Option<&[Message]>,
        note: Option<&str>,
    ) -> Option<Packed> {
        let cells = &self.cells;
        let reply = Cells::text(cells.reply.as_ref(), first);
        if reply.is_none() && prompt.is_none() {
            return None;
        }
        let finish = Cells::text(cells.finish.as_ref(), first);
        let metrics = first..first + self.judged.judge().metrics.len();
        let texts: Vec<[Option<Cow<'_, str>>; 3]> = metrics
            .clone()
            .map(|row| {
                [&cells.metric, &cells.unscored, &cells.detail]
                    .map(|column| Cells::text(column.as_ref(), row))
            })
            .collect();
        let form = reply.as_deref().map(|reply| {
            let finish = finish.as_deref().and_then(Finish::from_word);
            self.judged.read(reply, finish.unwrap_or(Finish::Unknown))
        });
        let units = reply.as_deref().map(Units::new);
        let place = |bytes: &Range<usize>| units.as_ref().map(|units| units.place(bytes));
        let scores = metrics.zip(&texts).enumerate();
        let scores = scores.map(|(index, (row, [metric, unscored, detail]))| {
            let score = Cells::number(cells.score.as_ref(), row);
            let unscored = unscored.as_deref();
            let read = form.as_ref().and_then(|form| form.readings.get(index));
            // What the result holds is what counts; places are told where it is read the same today.
            let read = read.filter(|read| {
                read.outcome.score() == score && read.outcome.reason().map(Reason::code) == unscored
            });
            Score {
                metric: metric.as_deref().unwrap_or_default(),
                score,
                unscored,
                detail: detail.as_deref(),
                contradicted: score.is_some() && read.is_some_and(|read| read.contradicted),
                spans: read
                    .and_then(|read| place(read.span.as_ref()?))
                    .into_iter()
                    .collect(),
            }
        });
        let not_sent = texts
            .iter()
            .any(|[_, unscored, _]| unscored.as_deref() == Some("too-long"));
        let call = Cells::text(cells.call.as_ref(), first);
        let stored = call.as_deref().and_then(|key| self.judged.call(key));
        let reply = Reply {
            prompt,
            prompt_note: note.or(not_sent.then_some("it was too long and was not sent")),
            reply: reply.as_deref(),
            thoughts: stored.as_ref().and_then(|call| call.thoughts.as_deref()),
            finish: finish.as_deref(),
            facts: self.facts(call.as_deref(), stored.as_ref()),
            scores: scores.collect(),
            issues: issues(form.as_ref(), &place, document),
        };
        Some(reply.pack())
    }

    fn facts(
        &self,
        key: Option<&str>,
        call: Option<&crate::models::ask::Reply>,
    ) -> Vec<(&'static str, String)> {
        let spec = &self.judged.judge().model;
        let reported = call.and_then(|call| call.model.as_ref());
        let model = reported.or(spec.model.as_ref()).unwrap_or(&spec.name);
        let mut facts = vec![("model", model.clone())];
        if let Some(call) = call {
            facts.extend(call.revision.clone().map(|revision| ("revision", revision)));
            for (label, name) in [
                ("tokens read", PROMPT_TOKENS),
                ("tokens written", COMPLETION_TOKENS),
            ] {
                let tokens = call.usage.get(name);
                facts.extend(tokens.map(|tokens| (label, thousands(*tokens))));
            }
        }
        facts.extend(key.map(|key| ("call", key.to_owned())));
        facts
    }
}

/// The issues of a reply, with what they quote of the document.
fn issues<'f>(
    form: Option<&'f Form>,
    place: &dyn Fn(&Range<usize>) -> Option<[usize; 2]>,
    document: Option<(&str, usize)>,
) -> Vec<Issue<'f>> {
    let issues = form.map_or(&[][..], |form| &form.issues);
    let mut units: Option<Units<'_>> = None;
    let issues = issues.iter().map(|issue| {
        let quotes = document.map_or_else(Vec::new, |(text, _)| {
            let places = quoted(&issue.text, text).into_iter();
            places
                .map(|bytes| units.get_or_insert_with(|| Units::new(text)).place(&bytes))
                .collect()
        });
        Issue {
            metric: issue.metric.as_deref(),
            label: issue.label.as_deref(),
            text: &issue.text,
            spans: place(&issue.span).into_iter().collect(),
            quotes,
        }
    });
    issues.collect()
}

/// A message in parts: the document where it stands word for word, and the text around it.
fn parts(content: String, document: Option<(&str, usize)>) -> Vec<Part> {
    let Some((text, document)) = document.filter(|(text, _)| text.len() >= SHORTEST_PART) else {
        return vec![Part::Text(content)];
    };
    let mut parts = Vec::new();
    let mut pieces = content.split(text);
    let add = |parts: &mut Vec<Part>, piece: &str| {
        if !piece.is_empty() {
            parts.push(Part::Text(piece.to_owned()));
        }
    };
    add(&mut parts, pieces.next().unwrap_or_default());
    for piece in pieces {
        parts.push(Part::Document { document });
        add(&mut parts, piece);
    }
    parts
}

fn role(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}
