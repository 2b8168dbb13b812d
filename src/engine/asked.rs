//! The rows that a judge would ask about, as much of them as a plan needs.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::in_parts::InParts;
use super::outcome::{Done, NodeError, failed};
use super::ready;
use super::shared::Shared;
use crate::base::key::Digest;
use crate::frame::{Frame, Parted};
use crate::plan::Node;
use crate::stage::{Asking, Until, reason_column};

/// The rows that a node asks about: all of them, or part by part as they are stored.
pub(super) enum Asked {
    /// All of them.
    Whole(Arc<Frame>),
    /// What a node reads, where what is asked about a row of it depends on no other.
    Parts(Box<InParts>),
}

impl Asked {
    /// The rows that a node asks about; `last` is the table that was read last.
    pub(super) fn of(
        shared: &Shared,
        node: &Node,
        input: &Done,
        last: &mut Option<(Digest, Arc<Frame>)>,
    ) -> Result<Self, NodeError> {
        let asks = node.stage.asks();
        let in_parts = asks.is_some_and(|asks| asks.in_parts() && asks.until().is_none());
        // Its bytes were compared when it was looked for.
        let path = shared.results.nodes.path_of(&input.output);
        let parts = (in_parts && !shared.absent.strange_cache).then(|| InParts::open(&path));
        match parts.flatten() {
            Some(parts) => Ok(Self::Parts(Box::new(parts))),
            None => Ok(Self::Whole(ready::asked(
                node,
                table(shared, input, last)?,
            )?)),
        }
    }

    /// The table that a node reads, as far as it says how many questions there are: of texts only whether they are there.
    pub(super) fn hollow(
        shared: &Shared,
        input: &Done,
        asking: &Asking,
        until: Option<&Until>,
    ) -> Result<Self, NodeError> {
        // Its bytes were compared when it was looked for.
        let file =
            fs_err::File::open(shared.results.nodes.path_of(&input.output)).map_err(failed)?;
        let prompt = asking.prompt.iter();
        let variables: BTreeSet<&str> = prompt
            .flat_map(|prompt| &prompt.variables)
            .map(String::as_str)
            .collect();
        let reasons: Vec<String> = variables.iter().map(|name| reason_column(name)).collect();
        let by = until.iter().flat_map(|until| &until.by);
        let named = by.chain(&reasons).chain(&asking.adds);
        let mut columns: BTreeSet<&str> = named.map(String::as_str).collect();
        columns.insert("doc_id");
        let frame = Parted::open(file)?.hollow(&columns, &variables)?;
        Ok(Self::Whole(Arc::new(frame)))
    }

    /// In how many parts they are.
    pub(super) fn parts(&self) -> usize {
        match self {
            Self::Whole(_) => 1,
            Self::Parts(parts) => parts.rows().len(),
        }
    }

    /// A part of them, and how many stand before it.
    pub(super) fn part(&self, at: usize, node: &Node) -> Result<(Arc<Frame>, usize), NodeError> {
        match self {
            Self::Whole(frame) => Ok((Arc::clone(frame), 0)),
            Self::Parts(parts) => {
                let before = parts.rows().iter().take(at).sum();
                Ok((ready::asked(node, Arc::new(parts.part(at)?))?, before))
            }
        }
    }
}

/// The table that a node reads. Judges that differ in their models read the same, one after the other.
fn table(
    shared: &Shared,
    input: &Done,
    last: &mut Option<(Digest, Arc<Frame>)>,
) -> Result<Arc<Frame>, NodeError> {
    match last {
        Some((output, frame)) if *output == input.output => Ok(Arc::clone(frame)),
        last => {
            *last = None;
            let frame = Arc::new(shared.results.read(&input.output)?);
            Ok(Arc::clone(&last.insert((input.output, frame)).1))
        }
    }
}
