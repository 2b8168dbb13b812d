//! What a finished experiment depends on: results, files, replies. For bundles.
//!
//! Nothing is run and no model is called.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;

use super::call_key::{Posed, form_of};
use super::execute::Engine;
use super::fetch::books_of;
use super::files::patterns_of;
use super::looks::{Look, looks};
use super::outcome::{Done, NodeError, failed, said};
use super::ready;
use super::results::Results;
use super::shared::Shared;
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::models::ask::Needs;
use crate::models::parse::Finish;
use crate::plan::{Node, NodeId};
use crate::stage::{Gives, RowsOf};

/// A value of a column that has more characters than this is taken for a text: titles, names and
/// reasons have fewer.
const LONGEST_LABEL: usize = 300;

/// The columns in which judges keep what models said.
const SAID: [&str; 3] = ["reply", "issues", "detail"];

/// What one node rests on.
#[derive(Clone, Debug)]
pub struct Gathered {
    /// Its key.
    pub key: Digest,
    /// The digest of its result.
    pub output: Digest,
    /// The files its key is made from.
    pub files: Vec<Pattern>,
    /// The books its key is made from: name among the downloads, digest.
    pub books: Vec<(String, Digest)>,
    /// The replies its result is made from.
    pub calls: BTreeSet<Digest>,
    /// Whether its rows are here.
    pub here: bool,
    /// Whether its rows hold texts of documents, or may.
    pub texts: bool,
    /// Whether its rows hold what models said.
    pub replies: bool,
}

/// A name or pattern and the files it stands for.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// As it is resolved.
    pub pattern: PathBuf,
    /// The files and the digests of their bytes.
    pub files: Vec<(PathBuf, Digest)>,
}

/// A node without a result.
#[derive(Clone, Debug)]
pub struct NotReady {
    /// The node's title.
    pub node: String,
    /// What is wrong, where it is more than that it did not run.
    pub why: Option<String>,
}

impl Engine {
    /// What every node of the plan rests on, in plan order.
    ///
    /// # Errors
    /// The nodes that have no result, or whose result cannot be read.
    pub fn gather(&self) -> Result<Vec<Gathered>, Vec<NotReady>> {
        let shared = self.shared();
        let looks = looks(shared, Results::look);
        let mut gathered = Vec::new();
        let mut missing = Vec::new();
        for (id, look) in shared.plan.ids().zip(&looks) {
            let why = match look {
                Look::Key(_, _, Some(done)) => match gathered_of(shared, id, done, &looks) {
                    Ok(node) => {
                        gathered.push(node);
                        continue;
                    }
                    Err(error) => Some(said(&error)),
                },
                Look::Fails(error) => Some(said(error)),
                Look::Key(_, _, None) | Look::Waits(_) => None,
            };
            let node = shared.titles[id.0].clone();
            missing.push(NotReady { node, why });
        }
        if missing.is_empty() {
            Ok(gathered)
        } else {
            Err(missing)
        }
    }
}

fn gathered_of(
    shared: &Shared,
    id: NodeId,
    done: &Done,
    looks: &[Look],
) -> Result<Gathered, NodeError> {
    let node = shared.plan.node(id);
    let mut files = Vec::new();
    for pattern in patterns_of(&node.stage) {
        let found = shared.files.digests(&pattern);
        let found = found.map_err(|error| shared.files.failed(&error))?;
        files.push(Pattern {
            pattern,
            files: found,
        });
    }
    let mut books = Vec::new();
    for name in books_of(&node.stage) {
        let digest = shared.files.known(&shared.books.path_of(&name));
        let digest = digest.ok_or_else(|| failed("a book is no longer in the cache"))?;
        books.push((name, digest));
    }
    let (texts, replies, mut calls) = look_into(shared, node, &done.output)?;
    if let Some(Look::Key(_, _, Some(input))) = node.inputs.first().map(|id| &looks[id.0]) {
        match attempts(shared, node, input, done) {
            Ok(all) => calls.extend(all),
            // Without the texts, as in a bundle that is bundled again, the rows' own calls are all there is.
            Err(_) if !shared.absent.is_nothing() => {}
            Err(error) => {
                let message = format!(
                    "replies that were cut off and asked for again could not be looked up: {}",
                    said(&error)
                );
                shared.warn(Some(&shared.titles[id.0]), message);
            }
        }
    }
    Ok(Gathered {
        key: done.key,
        output: done.output,
        files,
        books,
        calls,
        here: shared.results.nodes.path_of(&done.output).exists(),
        texts,
        replies,
    })
}

/// Whether a node's rows hold texts, whether they hold what models said, and the calls they name.
fn look_into(
    shared: &Shared,
    node: &Node,
    output: &Digest,
) -> Result<(bool, bool, BTreeSet<Digest>), NodeError> {
    let kind = node.name.kind;
    // Left out of the bundle that the project was unpacked from.
    if !shared.results.nodes.path_of(output).exists() {
        return Ok((true, true, BTreeSet::new()));
    }
    let frame = shared.results.read(output)?;
    let mut calls = BTreeSet::new();
    let (mut texts, mut replies) = (false, kind.asks());
    for name in frame.names() {
        let column = frame.column(name)?;
        let said = SAID.contains(&name);
        replies |= said;
        let is_call = name == "call" || name.ends_with("_call");
        for row in 0..column.len() {
            let Some(value) = column.text(row) else {
                continue;
            };
            if is_call && let Ok(key) = value.parse() {
                calls.insert(key);
            }
            texts |= !said && value.chars().nth(LONGEST_LABEL).is_some();
        }
    }
    // Rows of these are scores and counts; all others are there for the sake of texts.
    let of_documents = |id: &NodeId| shared.plan.node(*id).name.kind.gives_documents();
    // A program may give either.
    let scores = kind.gives(RowsOf::Scores) && frame.has("metric") && !frame.has("text");
    texts |= match kind.about().gives {
        Gives::Rows(_) => kind.gives_documents() && !scores,
        Gives::Shown => false,
        Gives::File => node.inputs.iter().any(of_documents),
    };
    calls.retain(|key| shared.caller.has(key));
    Ok((texts, replies, calls))
}

/// The stored calls that a node's questions came to, also those that were cut off and asked again.
fn attempts(
    shared: &Shared,
    node: &Node,
    input: &Done,
    done: &Done,
) -> Result<BTreeSet<Digest>, NodeError> {
    let asks = node.name.kind.asks();
    let prompted = node
        .stage
        .model()
        .is_some_and(|model| model.provider.reads_prompts());
    if !asks || !prompted {
        return Ok(BTreeSet::new());
    }
    let asking = ready::asking(&shared.files, node)?;
    let frame = Arc::new(shared.results.read(&input.output)?);
    let frame = ready::asked(node, frame)?;
    let rows = shared.rows(&asking, frame, Needs::Prompt)?;
    let script = done.files.get("script").and_then(|digest| digest.as_str());
    let form = form_of(&asking, script.and_then(|digest| digest.parse().ok()));
    let found: Vec<Result<Vec<Digest>, Failure>> = (0..rows.count())
        .into_par_iter()
        .map(|row| {
            let mut keys = Vec::new();
            if rows.not_applicable(row).is_some() {
                return Ok(keys);
            }
            let mut posed = Posed::new(rows.question(row, 0)?, &form);
            for repeat in 0..asking.repeats {
                posed.question.repeat = repeat;
                for attempt in 0..=asking.retry_cut {
                    let key = posed.key(attempt);
                    let Some(reply) = shared.caller.stored(&key, &asking.model)? else {
                        break;
                    };
                    keys.push(key);
                    if reply.finish != Finish::Length {
                        break;
                    }
                }
            }
            Ok(keys)
        })
        .collect();
    let mut keys = BTreeSet::new();
    for found in found {
        keys.extend(found?);
    }
    Ok(keys)
}
