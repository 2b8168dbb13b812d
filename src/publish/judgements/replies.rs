//! Prompts and replies of judges, with where in a reply scores were read.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use rayon::ScopeFifo;

use super::parts::parts;
use crate::base::coming::{Coming, coming};
use crate::base::key::Digest;
use crate::base::wording::thousands;
use crate::engine::{Judged, Questions, Verdicts};
use crate::frame::{ColumnView, Frame, FrameError, Scalar};
use crate::language::text::quoted;
use crate::models::ask::{self, COMPLETION_TOKENS, PROMPT_TOKENS, Role};
use crate::models::parse::{Finish, Form};
use crate::models::score::Reason;
use crate::output::page::store::{Issue, Message, Packed, Reply, Score, Units};
use crate::output::report::number::fixed;
use crate::stage::{CHOICE, ITEM, Judge, ORDER, POSITION, Text};

/// Rows that one thread makes ready at a time.
const TOGETHER: usize = 8;

/// The columns of a judge's rows.
pub(super) struct Cells<'f> {
    pub(super) doc_id: Option<ColumnView<'f>>,
    pub(super) section: Option<ColumnView<'f>>,
    pub(super) repeat: Option<ColumnView<'f>>,
    pub(super) metric: Option<ColumnView<'f>>,
    pub(super) score: Option<ColumnView<'f>>,
    order: Option<ColumnView<'f>>,
    pub(super) unscored: Option<ColumnView<'f>>,
    pub(super) detail: Option<ColumnView<'f>>,
    label: Option<ColumnView<'f>>,
    choice: Option<ColumnView<'f>>,
    position: Option<ColumnView<'f>>,
    /// What the reply says itself, where scores are made of more than that.
    written: Option<ColumnView<'f>>,
    mass: Option<ColumnView<'f>>,
    issues: Option<ColumnView<'f>>,
    pub(super) finish: Option<ColumnView<'f>>,
    reply: Option<ColumnView<'f>>,
    item: Option<ColumnView<'f>>,
    call: Option<ColumnView<'f>>,
    /// What replies say of elements beside their verdicts.
    fields: Vec<(&'f str, ColumnView<'f>)>,
    /// What judgements are told apart by, in the order in which it was asked for.
    pub(super) told: Vec<Option<ColumnView<'f>>>,
}

impl<'f> Cells<'f> {
    fn new(rows: &'f Frame, judge: &'f Judge, told: &[String]) -> Result<Self, FrameError> {
        let there = |name: &str| rows.has(name).then(|| rows.column(name)).transpose();
        Ok(Self {
            doc_id: there("doc_id")?,
            section: there("section")?,
            repeat: there("repeat")?,
            metric: there("metric")?,
            score: there("score")?,
            order: there(ORDER)?,
            unscored: there("unscored")?,
            detail: there("detail")?,
            label: there("label")?,
            choice: there(CHOICE)?,
            position: there(POSITION)?,
            written: there("written")?,
            mass: there("mass")?,
            issues: there("issues")?,
            finish: there("finish")?,
            reply: there("reply")?,
            item: there(ITEM)?,
            call: there("call")?,
            fields: judge
                .items
                .iter()
                .flat_map(|items| &items.fields)
                .filter(|(new, _)| rows.has(new))
                .map(|(new, _)| Ok((new.as_str(), rows.column(new)?)))
                .collect::<Result<_, FrameError>>()?,
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

    /// What must be known of the score in a row besides its number.
    fn says(&self, judge: &Judge, row: usize) -> Option<String> {
        let text = |column| Self::text(column, row).map(Cow::into_owned);
        let mut says: Vec<String> = Vec::new();
        if !judge.scale.labels.is_empty() {
            says.extend(text(self.label.as_ref()));
        }
        if judge.compare.is_some()
            && let Some(choice) = text(self.choice.as_ref())
        {
            let stood = text(self.position.as_ref()).filter(|stood| *stood != choice);
            let stood = stood.map_or(String::new(), |stood| format!(", shown {stood}"));
            says.push(format!("chosen: {choice}{stood}"));
        }
        if judge.expected.is_some() {
            let number = |column| Self::number(column, row);
            says.extend(number(self.written.as_ref()).map(|mark| format!("written: {mark}")));
            let mass = number(self.mass.as_ref());
            says.extend(mass.map(|mass| format!("{} on the scale", fixed(mass, 3))));
        }
        for (name, column) in &self.fields {
            says.extend(column.text(row).map(|said| format!("{name}: {said}")));
        }
        (!says.is_empty()).then(|| says.join(" · "))
    }

    /// The issues that a row holds.
    pub(super) fn issues(&self, row: usize) -> Option<Issues> {
        #[derive(serde::Deserialize)]
        struct Labelled {
            label: Option<String>,
        }
        let cell = Self::text(self.issues.as_ref(), row)?;
        let issues: Vec<Labelled> = serde_json::from_str(&cell).ok()?;
        let labels = issues.iter().filter_map(|issue| issue.label.as_deref());
        let labels = labels.map(|label| label.split_whitespace().collect::<Vec<_>>().join(" "));
        let labels: BTreeSet<String> = labels.filter(|label| !label.is_empty()).collect();
        let labels: Vec<String> = labels.into_iter().collect();
        Some(Issues {
            count: issues.len(),
            labels: labels.join("\n"),
        })
    }
}

/// How many issues a row holds, and their labels, each once and on a line.
pub(super) struct Issues {
    pub(super) count: usize,
    pub(super) labels: String,
}

/// A reply as a page has it.
pub(super) struct One {
    pub(super) packed: Packed,
    /// The issues in each of its rows.
    pub(super) issues: Vec<Option<Issues>>,
    /// The key of its call, and a digest of what is told of that.
    pub(super) told: Option<(String, Digest)>,
}

/// What a judge asked about.
pub(super) struct Read<'a> {
    pub(super) questions: &'a Questions,
    /// The texts that it was to judge.
    pub(super) texts: Option<ColumnView<'a>>,
    /// How many rows of what it read stand before these.
    pub(super) before: usize,
}

/// Some of the questions of a judge, with what came of them.
pub(super) struct Asked<'a> {
    judged: &'a Judged,
    read: &'a Read<'a>,
    pub(super) cells: Cells<'a>,
    /// Which row of the result is the first of the cells.
    first: usize,
}

impl<'a> Asked<'a> {
    pub(super) fn new(
        judged: &'a Judged,
        read: &'a Read<'a>,
        verdicts: &'a Verdicts,
        told: &[String],
    ) -> Result<Self, FrameError> {
        Ok(Self {
            judged,
            read,
            cells: Cells::new(&verdicts.rows, judged.judge(), told)?,
            first: verdicts.first,
        })
    }

    /// Of the documents at these positions, the one that a question is about.
    pub(super) fn document(&self, positions: &[u32], asked: usize) -> Option<usize> {
        let position = positions.get(self.judged.about(asked));
        position.map(|&at| at as usize)
    }

    /// Which of the cells came of a repeat of a question.
    pub(super) fn reply_rows(&self, asked: usize, repeat: usize) -> Range<usize> {
        let rows = self.judged.reply_rows(asked, repeat);
        rows.start - self.first..rows.end - self.first
    }

    /// How often each question was asked.
    pub(super) fn repeats(&self) -> usize {
        self.judged.judge().repeats as usize
    }

    /// Which of the rows that the judge read a question is about.
    fn about(&self, asked: usize) -> usize {
        self.judged.about(asked) - self.read.before
    }

    /// The questions about these rows and their replies, repeat by repeat; none where nothing was asked and nothing said. Other
    /// threads make them ready while those that are ready are taken.
    pub(super) fn pack<'s>(
        &'s self,
        scope: &ScopeFifo<'s>,
        rows: Range<usize>,
    ) -> impl Iterator<Item = Option<One>> + use<'s> {
        let mut all = Vec::new();
        for start in rows.clone().step_by(TOGETHER) {
            let some = start..rows.end.min(start + TOGETHER);
            let (giving, coming) = coming();
            scope.spawn_fifo(move |_| {
                let packed = some.flat_map(|row| self.row(row));
                giving.give(packed.collect::<Vec<_>>());
            });
            all.push(coming);
        }
        all.into_iter().flat_map(Coming::wait)
    }

    fn row(&self, row: usize) -> Vec<Option<One>> {
        let judge = self.judged.judge();
        let about = self.about(row);
        let texts = self.read.texts.as_ref();
        let text = texts.and_then(|texts| texts.text(about));
        let document = text.as_deref();
        let (prompt, note) = match self.judged.prompt(self.read.questions, about) {
            Ok(messages) => {
                let messages = messages.into_iter().map(|message| Message {
                    role: role(message.role),
                    parts: parts(message.content, document),
                });
                (Some(messages.collect::<Vec<Message>>()), None)
            }
            Err(why) => (None, Some(why)),
        };
        (0..judge.repeats as usize)
            .map(|repeat| {
                let rows = self.reply_rows(row, repeat);
                self.one(rows, row, document, prompt.as_deref(), note.as_deref())
            })
            .collect()
    }

    /// The reply about a row that was asked about, whose verdicts stand in these rows.
    fn one(
        &self,
        metrics: Range<usize>,
        asked: usize,
        document: Option<&str>,
        prompt: Option<&[Message]>,
        note: Option<&str>,
    ) -> Option<One> {
        let (cells, first) = (&self.cells, metrics.start);
        let reply = Cells::text(cells.reply.as_ref(), first);
        if reply.is_none() && prompt.is_none() {
            return None;
        }
        let finish = Cells::text(cells.finish.as_ref(), first);
        let texts: Vec<[Option<Cow<'_, str>>; 3]> = metrics
            .clone()
            .map(|row| {
                let texts = [&cells.metric, &cells.unscored, &cells.detail]
                    .map(|column| Cells::text(column.as_ref(), row));
                self.of_element(row, texts)
            })
            .collect();
        let form = reply.as_deref().map(|reply| {
            let finish = finish.as_deref().and_then(Finish::from_word);
            self.judged.read(reply, finish.unwrap_or(Finish::Unknown))
        });
        let units = reply.as_deref().map(Units::new);
        let place = |bytes: &Range<usize>| units.as_ref().map(|units| units.place(bytes));
        let judge = self.judged.judge();
        let (about, questions) = (self.about(asked), self.read.questions);
        let readings = form.as_ref();
        let readings = readings.map(|form| self.judged.readings(questions, form, about));
        let elements = self.judged.elements(questions, about);
        let scores = metrics.clone().zip(&texts).enumerate();
        let scores = scores.map(|(index, (row, [metric, unscored, detail]))| {
            let score = Cells::number(cells.score.as_ref(), row);
            let unscored = unscored.as_deref();
            let read = readings.as_ref().and_then(|readings| readings.get(index));
            // What the result holds is what counts; places are told where it is read the same today.
            let read = read.filter(|read| {
                let said = read.outcome.score().map(|said| self.stored(said, row));
                let reason = read.outcome.reason().map(Reason::code);
                said == self.written(row) && (judge.expected.is_some() || reason == unscored)
            });
            Score {
                metric: metric.as_deref().unwrap_or_default(),
                about: self.element(row).and_then(|at| elements.get(at)),
                item: self.element(row),
                score,
                says: cells.says(judge, row),
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
            list: judge.items.as_ref().map(|items| items.column.as_str()),
            scores: scores.collect(),
            issues: issues(form.as_deref(), &place, document),
        };
        Some(One {
            packed: reply.pack(),
            issues: metrics.map(|row| cells.issues(row)).collect(),
            told: call.map(|key| (key.into_owned(), told_of(stored.as_ref()))),
        })
    }

    /// The number that the reply of a row says, as it is stored.
    fn written(&self, row: usize) -> Option<f64> {
        let cells = &self.cells;
        let expected = self.judged.judge().expected.is_some();
        let column = if expected {
            &cells.written
        } else {
            &cells.score
        };
        Cells::number(column.as_ref(), row)
    }

    /// What is stored of a number that the reply of a row says.
    fn stored(&self, said: f64, row: usize) -> f64 {
        let order = Cells::text(self.cells.order.as_ref(), row);
        let compare = self.judged.judge().compare.as_ref().zip(order);
        compare.map_or(said, |(compare, order)| compare.stored(said, &order))
    }

    /// The texts of a row, its metric with the place of the element that it is about.
    fn of_element<'c>(
        &self,
        row: usize,
        texts: [Option<Cow<'c, str>>; 3],
    ) -> [Option<Cow<'c, str>>; 3] {
        let item = Cells::number(self.cells.item.as_ref(), row);
        let [metric, unscored, detail] = texts;
        let metric = match (item, metric) {
            (Some(item), Some(metric)) if self.judged.judge().items.is_some() => {
                Some(Cow::Owned(format!("{metric} {item}")))
            }
            (_, metric) => metric,
        };
        [metric, unscored, detail]
    }

    /// The place of the element that a row is about.
    fn element(&self, row: usize) -> Option<usize> {
        let Scalar::Int(item) = self.cells.item.as_ref()?.scalar(row) else {
            return None;
        };
        usize::try_from(item).ok()?.checked_sub(1)
    }

    fn facts(&self, key: Option<&str>, call: Option<&ask::Reply>) -> Vec<(&'static str, String)> {
        let spec = &self.judged.judge().model;
        let reported = call.and_then(|call| call.model.as_ref());
        let model = reported.or(spec.model.as_ref()).unwrap_or(&spec.name);
        let mut facts = vec![("model", model.clone())];
        facts.extend(call.into_iter().flat_map(facts_of));
        facts.extend(key.map(|key| ("call", key.to_owned())));
        facts
    }
}

/// What is told of a call beside who replied and what was thought and said.
fn facts_of(call: &ask::Reply) -> impl Iterator<Item = (&'static str, String)> {
    let tokens = |name: &str| call.usage.get(name).map(|tokens| thousands(*tokens));
    let facts = [
        ("revision", call.revision.clone()),
        ("tokens read", tokens(PROMPT_TOKENS)),
        ("tokens written", tokens(COMPLETION_TOKENS)),
    ];
    let facts = facts.into_iter();
    facts.filter_map(|(label, fact)| Some((label, fact?)))
}

/// A digest of what is told of a call beside the reply.
pub(super) fn told_of(call: Option<&ask::Reply>) -> Digest {
    let told = call.map(|call| {
        (
            &call.model,
            &call.thoughts,
            facts_of(call).collect::<Vec<_>>(),
        )
    });
    Digest::of(format!("{told:?}"))
}

/// The issues of a reply, with what they quote of the document.
fn issues<'f>(
    form: Option<&'f Form>,
    place: &dyn Fn(&Range<usize>) -> Option<[usize; 2]>,
    document: Option<&str>,
) -> Vec<Issue<'f>> {
    let issues = form.map_or(&[][..], |form| &form.issues);
    let mut units: Option<Units<'_>> = None;
    let spans = form.and_then(|form| form.spans.as_ref());
    let mut judged: Option<Text<'_>> = None;
    let issues = issues.iter().enumerate().map(|(at, issue)| {
        let quotes = document.map_or_else(Vec::new, |text| {
            let places = match spans.and_then(|spans| spans.get(at)) {
                Some(span) => {
                    let location = span.location.as_deref().unwrap_or_default();
                    let found = judged.get_or_insert_with(|| Text::new(text)).find(location);
                    found.place().cloned().into_iter().collect()
                }
                None => quoted(&issue.text, text),
            };
            let places = places.into_iter();
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

fn role(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}
