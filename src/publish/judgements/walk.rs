//! Judges put into a store one after the other: the documents that they read, what they asked, and what came of it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::vec;

use rayon::{in_place_scope, in_place_scope_fifo};

use super::ahead::{self, Ready};
use super::columns::{Columns, Names};
use super::documents::Documents;
use super::origin::{Origin, has_rows, of_replies};
use super::replies::{Asked, One, Read};
use super::source::Source;
use crate::base::coming::Coming;
use crate::base::key::Digest;
use crate::engine::{Ended, Judged, Loaded, Told};
use crate::frame::{Frame, FrameError};
use crate::plan::{Node, NodeId};
use crate::publish::chunks::Builder;

/// Rows that judges read which are made ready at once: their prompts and replies are in memory together.
const AT_ONCE: usize = 512;

/// What is put into a store on the way from judge to judge.
pub(super) struct Walk<'a> {
    pub(super) ran: (&'a [Loaded], &'a Ended),
    pub(super) builder: Builder,
    pub(super) columns: Columns,
    pub(super) documents: Documents,
    /// Judges whose rows are not here, and why.
    pub(super) missing: Vec<(String, String)>,
    /// Whether the rows that some judge read are not here.
    pub(super) without_rows: bool,
    /// What judgements are made from, where there are earlier ones.
    pub(super) origin: Option<&'a Origin>,
    /// What the replies of judges are made from, where there are none.
    pub(super) made_from: BTreeMap<NodeId, Digest>,
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
    /// Judges, each with the node whose rows it read; those that read the same stand together. While one is put in, another
    /// thread reads what is needed for the next.
    pub(super) fn judges(&mut self, judges: &[(NodeId, NodeId)]) {
        let ended = self.ran.1;
        let told = self.columns.told_apart_by().to_vec();
        in_place_scope(|scope| {
            let begin = |walk: &mut Self, at: usize, source| {
                let &judge = judges.get(at)?;
                let there = walk.own(judge.0);
                let there = there.filter(|own| walk.builder.has_replies(own));
                Some(ahead::read(scope, ended, judge, source, (&told, there)))
            };
            let mut next = begin(self, 0, None);
            let mut positions = Positions::new();
            let mut last = None;
            for (at, &(id, input)) in judges.iter().enumerate() {
                let Some((source, ready)) = next.take().map(Coming::wait) else {
                    break;
                };
                let after = judges.get(at + 1);
                let same = after.filter(|(_, other)| *other == input);
                next = begin(self, at + 1, same.map(|_| Arc::clone(&source)));
                if last.replace(input) != Some(input) {
                    positions.clear();
                }
                let put =
                    ready.and_then(|ready| self.judge(id, (input, &source), ready, &mut positions));
                if let Err(why) = put {
                    self.builder.end_judge(None);
                    let title = ended.engine.plan().node(id).title();
                    self.missing.push((title, why));
                }
            }
        });
    }

    /// What the replies of a judge are made from, where there are earlier ones.
    fn own(&self, id: NodeId) -> Option<Digest> {
        self.origin?.replies.get(&id).copied()
    }

    /// Puts the replies of a judge in that the page that is there has, if it is ready without them. Where they cannot be had
    /// after all, it is made ready with them.
    fn take_over(
        &mut self,
        id: NodeId,
        source: &Source,
        ready: Ready,
    ) -> Result<(Ready, Option<There>), String> {
        let Some(own) = ready.there else {
            return Ok((ready, None));
        };
        let judged = &ready.judged;
        let questions = judged.asked() * judged.judge().repeats as usize;
        if let Some(positions) = self.builder.take_over(own, questions) {
            return Ok((ready, Some(positions.into_iter())));
        }
        let told = self.columns.told_apart_by();
        let ready = Ready::of(self.ran.1, id, source, (told, None))?;
        Ok((ready, None))
    }

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
