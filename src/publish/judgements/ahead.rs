//! What is needed to put a judge in, read by another thread while the one before it is put in.

use std::sync::Arc;

use rayon::Scope;

use super::source::Source;
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
    pub(super) there: Option<Digest>,
}

impl Ready {
    /// What a judge asked about, with the rows that it read from `source`, and what came of it.
    pub(super) fn of(
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

/// Has another thread read what a judge read, unless that is here as `source`, and what came of it; of its replies, nothing where
/// they are `there`.
pub(super) fn read<'s>(
    scope: &Scope<'s>,
    ended: &'s Ended,
    (id, input): (NodeId, NodeId),
    source: Option<Arc<Source>>,
    (told, there): (&'s [String], Option<Digest>),
) -> Coming<(Arc<Source>, Result<Ready, String>)> {
    let (giving, coming) = coming();
    scope.spawn(move |_| {
        let source = source.unwrap_or_else(|| {
            let source = Source::of(&ended.engine, &ended.whole, input);
            Arc::new(source)
        });
        let ready = Ready::of(ended, id, &source, (told, there));
        giving.give((source, ready));
    });
    coming
}
