//! From judgements, as the engine hands them out, to the store of a page.
//!
//! Nothing fails here: what cannot be shown is said in the notes of the store or in the place of what is missing.

mod ahead;
mod columns;
mod documents;
mod nodes;
mod origin;
mod parts;
mod replies;
mod source;

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::vec;

use rayon::in_place_scope_fifo;

use self::ahead::Ready;
use self::columns::{Columns, Names};
use self::documents::Documents;
use self::nodes::{damaged, generated, judges};
pub(super) use self::origin::Origin;
use self::origin::{has_rows, of_replies};
use self::replies::{Asked, One, Read};
use self::source::Source;
use super::chunks::{Builder, Chunks};
use crate::base::key::Digest;
use crate::base::wording::{count, some_because, some_of};
use crate::engine::{Ended, Judged, Loaded, Told};
use crate::frame::{Frame, FrameError};
use crate::output::page::Store;
use crate::output::page::store::Earlier;
use crate::plan::{Node, NodeId};

/// Rows that judges read which are made ready at once: their prompts and replies are in memory together.
const AT_ONCE: usize = 512;

/// The judgements of a run that came to an end, however it did, with their chunks in a file. Of several experiments each row
/// says in which of them it is.
///
/// # Errors
/// When the chunks cannot be written.
pub(super) fn store(
    loaded: &[Loaded],
    ended: &Ended,
    earlier: Option<(Origin, Earlier<Chunks>)>,
    chunks: Chunks,
) -> io::Result<(Store, Chunks)> {
    let plan = ended.engine.plan();
    let (judges, columns) = judges(loaded, ended);
    let (origin, earlier) = earlier.unzip();
    let mut walk = Walk {
        ran: (loaded, ended),
        builder: Builder::new(columns.list(), chunks, earlier),
        columns,
        documents: Documents::default(),
        missing: Vec::new(),
        without_rows: false,
        origin: origin.as_ref(),
        made_from: BTreeMap::new(),
    };
    let mut without: Vec<String> = Vec::new();
    let mut groups: BTreeMap<(bool, NodeId), Vec<NodeId>> = BTreeMap::new();
    let damaged = damaged(plan);
    for id in judges {
        match plan.node(id).inputs.first() {
            // Documents as they were come first, so that those that were damaged find them there.
            Some(&input) if ended.whole.done(id).is_some() => {
                let group = groups.entry((damaged[input.0], input)).or_default();
                group.push(id);
            }
            _ => without.push(plan.node(id).title()),
        }
    }
    let groups = groups.into_iter();
    let judges =
        groups.flat_map(|((_, input), judges)| judges.into_iter().map(move |id| (id, input)));
    walk.judges(&judges.collect::<Vec<_>>());
    let Walk {
        mut builder,
        missing,
        without_rows,
        made_from,
        ..
    } = walk;
    let whole = missing.is_empty() && !without_rows;
    if !without.is_empty() {
        builder.note(format!(
            "{} without a result: {}",
            count(without.len(), "judge"),
            some_of(&without)
        ));
    }
    if !missing.is_empty() {
        builder.note(format!(
            "the judgements of {} are not available: {}",
            count(missing.len(), "stage"),
            some_because(&missing)
        ));
    }
    let generated = generated(plan);
    if !generated.is_empty() {
        builder.note(format!(
            "judgements alone are listed: what {} wrote is shown where a judge read it",
            some_of(&generated)
        ));
    }
    let (store, chunks) = builder.build()?;
    let made_from = whole.then(|| {
        let origin = origin.unwrap_or_else(|| Origin::with(loaded, ended, made_from));
        origin.all
    });
    Ok((Store { made_from, ..store }, chunks))
}

struct Walk<'a> {
    ran: (&'a [Loaded], &'a Ended),
    builder: Builder,
    columns: Columns,
    documents: Documents,
    /// Judges whose rows are not here, and why.
    missing: Vec<(String, String)>,
    /// Whether the rows that some judge read are not here.
    without_rows: bool,
    /// What judgements are made from, where there are earlier ones.
    origin: Option<&'a Origin>,
    /// What the replies of judges are made from, where there are none.
    made_from: BTreeMap<NodeId, Digest>,
}

/// Where the replies to all questions of a judge lie, question by question and repeat by repeat.
type There = vec::IntoIter<Option<usize>>;

/// A judge whose judgements are being put in.
struct Judging<'j> {
    id: NodeId,
    names: Names,
    /// The node whose rows it read, and the column of these that it was to judge.
    read: &'j Node,
    column: &'j str,
    /// Whether the documents that these are were put in.
    known: bool,
    /// Where its replies lie, if they were there.
    there: Option<There>,
    /// What is told of the calls of those that are put in.
    told: Told,
}

/// The positions of documents, by the column that their texts are in.
type Positions = BTreeMap<String, Vec<u32>>;

impl Walk<'_> {
    fn judge(
        &mut self,
        id: NodeId,
        (input, source): (NodeId, &Source),
        ready: Ready,
        positions: &mut Positions,
    ) -> Result<(), String> {
        let (loaded, ended) = self.ran;
        let plan = ended.engine.plan();
        let node = plan.node(id);
        let own = self.own(id);
        let (ready, there) = self.take_over(id, source, ready)?;
        let Ready {
            whole, mut judged, ..
        } = ready;
        let column = source.judged_column(&judged, whole.as_ref())?;
        // Of pairs every judge makes its own.
        let mut own_positions = Positions::new();
        let positions = match &whole {
            Some(Ok(rows)) if !source.is(rows) => &mut own_positions,
            _ => positions,
        };
        let known = positions
            .get(&column)
            .is_some_and(|known| !known.is_empty());
        let positions = positions.entry(column.clone()).or_default();
        let mut judging = Judging {
            id,
            names: Names::of(node, judged.judge()),
            read: plan.node(input),
            column: &column,
            known,
            there,
            told: Told::default(),
        };
        let mut lacks = false;
        let mut first = 0;
        for part in 0..whole.as_ref().map_or(source.parts(), |_| 1) {
            let (rows, last) = match &whole {
                Some(rows) => (rows.clone(), judged.asked()),
                None => {
                    let rows = source.part(part)?;
                    let last = judged.asked().min(first + rows.rows());
                    (Ok(rows), last)
                }
            };
            lacks |= rows.is_err();
            self.part(&mut judging, &mut judged, &rows, first..last, positions)?;
            first = last;
        }
        if judging.there.is_none() {
            let own = if self.origin.is_some() {
                own
            } else {
                let own = of_replies(ended, id, judging.told.end());
                self.made_from.extend(own.map(|own| (id, own)));
                own.filter(|_| has_rows(loaded, ended, id))
            };
            self.builder.end_judge(own.filter(|_| !lacks));
        }
        self.without_rows |= lacks;
        Ok(())
    }

    /// What a judge asked about some rows and what came of it, and the documents that these rows are, if they are not there.
    fn part(
        &mut self,
        judging: &mut Judging<'_>,
        judged: &mut Judged,
        rows: &Result<Arc<Frame>, String>,
        asked: Range<usize>,
        positions: &mut Vec<u32>,
    ) -> Result<(), String> {
        let (node, column) = (judging.read, judging.column);
        if let Err(why) = rows
            && !judging.known
        {
            self.named(node, judged, why, positions)?;
        }
        let rows_there = rows.as_ref().ok();
        let texts = rows_there.filter(|rows| rows.has(column));
        let texts = texts.map(|rows| rows.column(column)).transpose();
        let questions = judged.questions(rows.clone());
        let read = Read {
            questions: &questions,
            texts: texts.map_err(in_words)?,
            before: asked.start,
        };
        let mut new = rows_there.filter(|_| !judging.known);
        for start in asked.clone().step_by(AT_ONCE) {
            let asked = start..asked.end.min(start + AT_ONCE);
            let verdicts = judged.verdicts(asked.clone())?;
            let apart = self.columns.told_apart_by();
            let said = Asked::new(judged, &read, &verdicts, apart).map_err(in_words)?;
            in_place_scope_fifo(|scope| {
                let coming = judging.there.is_none();
                let coming = coming.then(|| said.pack(scope, asked.clone()));
                if let Some(rows) = new.take() {
                    self.put_documents(node, rows, column, positions)?;
                }
                self.push(judging, (&said, asked), positions, coming);
                Ok::<_, String>(())
            })?;
        }
        match new {
            Some(rows) => self.put_documents(node, rows, column, positions),
            None => Ok(()),
        }
    }

    /// Puts the documents of a node's rows in.
    fn put_documents(
        &mut self,
        node: &Node,
        rows: &Frame,
        column: &str,
        positions: &mut Vec<u32>,
    ) -> Result<(), String> {
        let put = self
            .documents
            .put(&mut self.builder, node, rows, column, positions);
        put.map_err(in_words)
    }

    /// Puts in what is known of documents of which a judge's rows alone are here.
    fn named(
        &mut self,
        node: &Node,
        judged: &mut Judged,
        why: &str,
        positions: &mut Vec<u32>,
    ) -> Result<(), String> {
        let count = judged.asked();
        for start in (0..count).step_by(AT_ONCE) {
            let asked = start..count.min(start + AT_ONCE);
            let verdicts = judged.verdicts(asked.clone())?;
            let firsts = asked.map(|row| judged.reply_rows(row, 0).start - verdicts.first);
            let builder = &mut self.builder;
            Documents::named(builder, node, &verdicts.rows, firsts, why, positions)
                .map_err(in_words)?;
        }
        Ok(())
    }

    /// Puts the replies to some questions in, if they are not there but are coming, and the judgements that came of them.
    fn push(
        &mut self,
        judging: &mut Judging<'_>,
        (said, asked): (&Asked<'_>, Range<usize>),
        positions: &[u32],
        mut coming: Option<impl Iterator<Item = Option<One>>>,
    ) {
        for row in asked {
            let document = said.document(positions, row);
            for repeat in 0..said.repeats() {
                let one = coming.as_mut().map(|coming| coming.next().flatten());
                let reply = match &one {
                    None => judging.there.as_mut().and_then(Iterator::next).flatten(),
                    Some(one) => self.reply(&mut judging.told, one.as_ref()),
                };
                let rows = said.reply_rows(row, repeat);
                let issues = match one.flatten() {
                    Some(one) => one.issues,
                    None => rows.clone().map(|row| said.cells.issues(row)).collect(),
                };
                for (at, issues) in rows.zip(&issues) {
                    self.columns.push(
                        &mut self.builder,
                        (judging.id, &judging.names),
                        (&said.cells, at),
                        issues.as_ref(),
                        (document, reply),
                    );
                }
            }
        }
    }

    /// Puts a reply in, and hands back where it lies.
    fn reply(&mut self, all: &mut Told, one: Option<&One>) -> Option<usize> {
        if let Some((key, digest)) = one.and_then(|one| one.told.as_ref()) {
            all.add(key, digest);
        }
        self.builder.reply(one.map(|one| &one.packed))
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
fn in_words(error: FrameError) -> String {
    error.to_string()
}
