//! Estimates of a stage's calls before one is made: how many, how many tokens, what they cost.
//!
//! Prompts are rendered as they would be sent, so calls that are stored already, and prompts that do
//! not fit, are known exactly. Tokens of prompts are counted, of many prompts a sample; how long
//! replies will be is a guess from earlier ones, and a bound.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;
use serde::Serialize;

use super::asked::Asked;
use super::call_key::{Posed, form_of};
use super::context::TooLong;
use super::gauge::{Gauge, price};
use super::outcome::{Done, NodeError};
use super::ready;
use super::shared::Shared;
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::frame::Frame;
use crate::models::ask::{COMPLETION_TOKENS, Needs};
use crate::models::key::Form;
use crate::models::spec::ModelSpec;
use crate::plan::Node;
use crate::stage::{Ask, Asking, Counts, Rows};

/// So many bytes of prompts are counted, which takes a fraction of a second.
const COUNTED: u64 = 4 << 20;

/// What the calls of one node would come to.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Estimate {
    /// Calls that would be made, repeats included; not those that might be made again.
    pub calls: u64,
    /// The fewest that would be made, where answers decide how many are enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_calls: Option<u64>,
    /// Replies that are stored already.
    pub stored: u64,
    /// Prompts that do not fit into the model's context: they would not be sent.
    pub too_long: u64,
    /// Rows without a text to ask about.
    pub not_applicable: u64,
    /// Tokens of the prompts.
    pub read: u64,
    /// Whether that was counted by the model's own tokenizer over all prompts.
    pub exact: bool,
    /// Tokens of the replies: what earlier replies suggest.
    pub written: Option<u64>,
    /// Tokens of the replies: the most, where the spec bounds it.
    pub most_written: Option<u64>,
    /// What that costs: with replies as long as expected (or else as long as they may be).
    pub cost: Option<f64>,
    /// What it costs at most, where replies are bounded.
    pub most_cost: Option<f64>,
    /// Whether the calls are handed in as a batch.
    pub batch: bool,
}

/// What one row would come to.
struct Row {
    bytes: u64,
    tokens: Option<u64>,
}

/// What the calls of a node would come to, if they are made to a server; of other models, whether
/// they are stored. `last` is the table that was read last; without it, only what can be told without reading texts.
pub(super) fn estimate(
    shared: &Shared,
    node: &Node,
    inputs: &[&Done],
    files: &BTreeMap<String, Digest>,
    history: Option<u64>,
    last: Option<&mut Option<(Digest, Arc<Frame>)>>,
) -> Result<Option<Estimate>, NodeError> {
    let [input] = inputs else {
        return Ok(None);
    };
    let asking = ready::asking(&shared.files, node)?;
    let spec = &asking.model;
    let expected = node.stage.asks().map(Ask::expected);
    let served = spec.provider.server().is_some();
    let until = node.stage.asks().and_then(Ask::until);
    let told = served || shared.caller.has_any() || until.is_some();
    if !spec.provider.reads_prompts() || !told {
        return Ok(None);
    }
    if shared.results.is_absent(&input.output)
        && !shared.results.nodes.path_of(&input.output).exists()
    {
        // Whoever runs it is told what is missing; without the texts nobody can count.
        return Ok(None);
    }
    // No prompt has to be rendered to know that its reply is not stored where none is.
    let unstored = !served && !shared.caller.has_any() && spec.context.is_none();
    let makes_rows = node.stage.asks().is_some_and(Ask::makes_rows);
    let asked = match last {
        _ if unstored && !makes_rows && !shared.absent.strange_cache => {
            Asked::hollow(shared, input, &asking, until)?
        }
        Some(last) => Asked::of(shared, node, input, last)?,
        None => return Ok(None),
    };
    let repeats = asking.repeats;
    let groups = match (until, &asked) {
        (Some(until), Asked::Whole(frame)) => {
            Some((until, until.groups(frame, node.seed.unwrap_or(0))?))
        }
        _ => None,
    };
    let least: BTreeSet<usize> = match &groups {
        Some((until, groups)) => until.at_least(groups).collect(),
        None => BTreeSet::new(),
    };
    let rows_of = |questions: &Rows| -> Vec<usize> {
        match &groups {
            Some((_, groups)) => groups.iter().flat_map(|group| group.rows.clone()).collect(),
            None => (0..questions.count()).collect(),
        }
    };
    let part = |at: usize| -> Result<Rows, NodeError> {
        let (rows, before) = asked.part(at, node)?;
        Ok(shared.rows(&asking, rows, Needs::Prompt)?.behind(before))
    };
    if unstored {
        let mut sum = Estimate::default();
        for at in 0..asked.parts() {
            let questions = part(at)?;
            sum.add_unstored(&questions, &rows_of(&questions), &least, repeats);
        }
        return Ok(Some(sum));
    }
    let tokenizer = ready::tokenizer(&shared.files, spec.tokenizer.as_ref())?;
    let gauge = Arc::new(Gauge::new(tokenizer));
    let form = form_of(&asking, files.get("script").copied());
    // A model in this process gives no reply of another's, and its replies need not be read where none was cut off.
    let model = || shared.library.model(spec, &gauge, &shared.files);
    let may_cut = || model().map_or(true, |model| model.may_cut());
    let first = !served && (asking.retry_cut == 0 || !may_cut());
    let mut counting = Counting::new(&least, repeats);
    counting.estimate.batch = asking.batch;
    for at in 0..asked.parts() {
        let questions = part(at)?;
        let rows = rows_of(&questions);
        let looked: Vec<Result<Look, Failure>> = rows
            .par_iter()
            .map(|&row| look(shared, (&asking, first), &form, &questions, &gauge, row))
            .collect();
        counting.add(&questions, rows.into_iter().zip(looked))?;
    }
    let Counting {
        mut estimate,
        to_ask,
        least_calls,
        context,
        ..
    } = counting;
    if let Some(refusal) = expected.and_then(|expected| context.refusal(spec, &expected)) {
        return Err(refusal.into());
    }
    estimate.least_calls = until.map(|_| least_calls);
    if served {
        (estimate.read, estimate.exact) = count(&gauge, part, &to_ask)?;
        estimate.replies(spec, history);
    }
    Ok(Some(estimate))
}

/// What was counted so far, part by part.
struct Counting<'l> {
    /// The rows that are asked about in any case.
    least: &'l BTreeSet<usize>,
    repeats: u32,
    estimate: Estimate,
    /// Of each part, the rows about which somebody is asked, each with the bytes of its prompt and its calls.
    to_ask: Vec<Vec<(usize, u64, u64)>>,
    /// The calls to be made.
    seen: BTreeSet<Digest>,
    least_calls: u64,
    context: TooLong,
}

impl<'l> Counting<'l> {
    fn new(least: &'l BTreeSet<usize>, repeats: u32) -> Self {
        Self {
            least,
            repeats,
            estimate: Estimate::default(),
            to_ask: Vec::new(),
            seen: BTreeSet::new(),
            least_calls: 0,
            context: TooLong::default(),
        }
    }

    /// Counts the rows of a part.
    fn add(
        &mut self,
        questions: &Rows,
        looked: impl Iterator<Item = (usize, Result<Look, Failure>)>,
    ) -> Result<(), Failure> {
        let mut to_ask = Vec::new();
        let estimate = &mut self.estimate;
        for (row, look) in looked {
            let Look::Asked {
                stored,
                missing,
                bytes,
                too_long,
            } = look?
            else {
                estimate.not_applicable += 1;
                continue;
            };
            let is_too_long = too_long.is_some();
            self.context.add(|| questions.document(row), too_long);
            if is_too_long {
                estimate.too_long += u64::from(self.repeats);
                continue;
            }
            estimate.stored += stored;
            // Rows with the same prompt share a call.
            let new = missing.into_iter().filter(|key| self.seen.insert(*key));
            let new = new.count() as u64;
            if new > 0 {
                estimate.calls += new;
                self.least_calls += if self.least.contains(&row) { new } else { 0 };
                to_ask.push((row, bytes, new));
            }
        }
        self.to_ask.push(to_ask);
        Ok(())
    }
}

/// What is asked about a row, and which replies to it are stored; of those `first`, where no other is asked for.
fn look(
    shared: &Shared,
    (asking, first): (&Asking, bool),
    form: &Arc<Form>,
    questions: &Rows,
    gauge: &Gauge,
    row: usize,
) -> Result<Look, Failure> {
    if questions.not_applicable(row).is_some() {
        return Ok(Look::NotApplicable);
    }
    let mut stored = 0;
    let mut missing = Vec::new();
    let mut posed = Posed::new(questions.question(row, 0)?, form);
    for repeat in 0..asking.repeats {
        posed.question.repeat = repeat;
        let missing_one = if first {
            shared.caller.missing_first(&posed)
        } else {
            shared.caller.missing(asking, &posed)
        };
        match missing_one? {
            Some((key, _)) => missing.push(key),
            None => stored += 1,
        }
    }
    let question = &posed.question;
    let bytes = question.messages.iter().map(|one| one.content.len() as u64);
    Ok(Look::Asked {
        stored,
        missing,
        bytes: bytes.sum(),
        too_long: gauge.too_long(&asking.model, question),
    })
}

/// The tokens of prompts, part by part, each with its row, its bytes and its calls, and whether they were counted exactly.
fn count(
    gauge: &Gauge,
    part: impl Fn(usize) -> Result<Rows, NodeError>,
    to_ask: &[Vec<(usize, u64, u64)>],
) -> Result<(u64, bool), NodeError> {
    let total: u64 = to_ask.iter().flatten().map(|(_, bytes, _)| bytes).sum();
    let every = usize::try_from(total / COUNTED).unwrap_or(usize::MAX) + 1;
    let mut counted: Vec<Row> = Vec::new();
    for (at, to_ask) in to_ask.iter().enumerate() {
        let is_counted = |index: usize| (counted.len() + index).is_multiple_of(every);
        let some = (0..to_ask.len()).any(is_counted);
        let questions = some.then(|| part(at)).transpose()?;
        let rows: Vec<Result<Row, Failure>> = to_ask
            .par_iter()
            .enumerate()
            .map(|(index, &(row, bytes, _))| {
                let questions = questions.as_ref().filter(|_| is_counted(index));
                let tokens = questions.map(|questions| {
                    Ok::<u64, Failure>(gauge.question(&questions.question(row, 0)?))
                });
                Ok(Row {
                    bytes,
                    tokens: tokens.transpose()?,
                })
            })
            .collect();
        counted.extend(rows.into_iter().collect::<Result<Vec<Row>, _>>()?);
    }
    let calls: Vec<u64> = to_ask
        .iter()
        .flatten()
        .map(|(_, _, calls)| *calls)
        .collect();
    Ok((tokens(&counted, &calls), every == 1 && gauge.is_exact()))
}

enum Look {
    NotApplicable,
    Asked {
        stored: u64,
        missing: Vec<Digest>,
        bytes: u64,
        too_long: Option<String>,
    },
}

/// The tokens of all calls; of prompts that were not counted, as many to a byte as of the others.
fn tokens(rows: &[Row], calls: &[u64]) -> u64 {
    let counted = || rows.iter().filter_map(|row| Some((row.tokens?, row.bytes)));
    let (tokens, bytes) = counted().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    let per_byte = if bytes == 0 {
        0.0
    } else {
        tokens as f64 / bytes as f64
    };
    rows.iter()
        .zip(calls)
        .map(|(row, calls)| {
            let one = row
                .tokens
                .unwrap_or_else(|| (row.bytes as f64 * per_byte).round() as u64);
            one * calls
        })
        .sum()
}

impl Estimate {
    /// Adds what is asked about rows where no reply is stored.
    fn add_unstored(
        &mut self,
        questions: &Rows,
        rows: &[usize],
        least: &BTreeSet<usize>,
        repeats: u32,
    ) {
        let asked = |row: &&usize| questions.not_applicable(**row).is_none();
        let calls = |rows: usize| rows as u64 * u64::from(repeats);
        let all = rows.iter().filter(asked).count();
        self.calls += calls(all);
        self.not_applicable += (rows.len() - all) as u64;
        *self.least_calls.get_or_insert(0) += calls(least.iter().filter(asked).count());
    }

    /// Adds what replies would come to.
    fn replies(&mut self, spec: &ModelSpec, mean: Option<u64>) {
        let most = spec.sampling.max_tokens.map(u64::from);
        self.written = mean.map(|mean| mean * self.calls);
        self.most_written = most.map(|most| most * self.calls);
        let (read, batch) = (self.read, self.batch);
        let cost = |written| price(spec, read, written, batch);
        self.most_cost = self.most_written.and_then(cost);
        self.cost = cost(self.written.or(self.most_written).unwrap_or(0));
    }
}

/// How many tokens replies had on average, if servers said so.
pub(super) fn mean_reply(counts: &Counts) -> Option<u64> {
    let replies: u64 = counts.models.values().sum();
    let tokens = counts.usage.get(COMPLETION_TOKENS)?;
    (replies > 0).then(|| tokens.div_ceil(replies))
}
