//! Judges one after the other, each read by another thread while the one before it is put in.

use std::sync::Arc;

use rayon::{Scope, in_place_scope};

use super::source::Source;
use super::{Positions, There, Walk};
use crate::base::coming::{Coming, coming};
use crate::base::key::Digest;
use crate::engine::{Ended, Judged};
use crate::frame::Frame;
use crate::plan::NodeId;

/// What is needed to put a judge in.
pub(super) struct Ready {
    /// All rows that it asked about, where it does not ask in parts.
    pub(super) whole: Option<Result<Arc<Frame>, String>>,
    /// What its result is made of.
    pub(super) judged: Judged,
    /// What its replies are made from, if these are not in that: the page that is there has them.
    there: Option<Digest>,
}

impl Ready {
    fn of(
        ended: &Ended,
        id: NodeId,
        source: &Source,
        (told, there): (&[String], Option<Digest>),
    ) -> Result<Self, String> {
        let engine = &ended.engine;
        let done = ended.whole.done(id).ok_or("there is no result")?;
        // What is asked about all rows together has to be looked at together.
        let in_parts = source.is_long() && engine.asks_in_parts(id);
        let whole = (!in_parts).then(|| {
            let asked = engine.asked(id, source.whole()?);
            asked.map_err(|failure| failure.message)
        });
        let all = whole.as_ref().and_then(|rows| rows.as_deref().ok());
        let judged = engine.judged(id, done, all, (told, there.is_none()))?;
        Ok(Self {
            whole,
            judged,
            there,
        })
    }
}

impl<'a> Walk<'a> {
    /// Judges, each with the node whose rows it read; those that read the same stand together. While one is put in, another
    /// thread reads what is needed for the next.
    pub(super) fn judges(&mut self, judges: &[(NodeId, NodeId)]) {
        let told = self.columns.told_apart_by().to_vec();
        in_place_scope(|scope| {
            let first = judges.first();
            let mut next = first.map(|&judge| self.read(scope, judge, None, &told));
            let mut positions = Positions::new();
            let mut last = None;
            for (at, &(id, input)) in judges.iter().enumerate() {
                let Some((source, ready)) = next.take().map(Coming::wait) else {
                    break;
                };
                next = judges.get(at + 1).map(|&judge| {
                    let same = (judge.1 == input).then(|| Arc::clone(&source));
                    self.read(scope, judge, same, &told)
                });
                if last.replace(input) != Some(input) {
                    positions.clear();
                }
                let put =
                    ready.and_then(|ready| self.judge(id, (input, &source), ready, &mut positions));
                if let Err(why) = put {
                    self.builder.end_judge(None);
                    let title = self.ran.1.engine.plan().node(id).title();
                    self.missing.push((title, why));
                }
            }
        });
    }

    /// Has another thread read what a judge read, unless that is here, and what came of it: without replies that the page that
    /// is there has.
    fn read<'s>(
        &mut self,
        scope: &Scope<'s>,
        (id, input): (NodeId, NodeId),
        source: Option<Arc<Source>>,
        told: &'s [String],
    ) -> Coming<(Arc<Source>, Result<Ready, String>)>
    where
        'a: 's,
    {
        let ended = self.ran.1;
        let there = self.own(id);
        let there = there.filter(|own| self.builder.has_replies(own));
        let (giving, coming) = coming();
        scope.spawn(move |_| {
            let source =
                source.unwrap_or_else(|| Arc::new(Source::of(&ended.engine, &ended.whole, input)));
            let ready = Ready::of(ended, id, &source, (told, there));
            giving.give((source, ready));
        });
        coming
    }

    /// What the replies of a judge are made from, where there are earlier ones.
    pub(super) fn own(&self, id: NodeId) -> Option<Digest> {
        self.origin?.replies.get(&id).copied()
    }

    /// Puts the replies of a judge in that the page that is there has, if it is ready without them. Where they cannot be had
    /// after all, it is made ready with them.
    pub(super) fn take_over(
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
}
