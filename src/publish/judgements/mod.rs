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
mod walk;

use std::collections::BTreeMap;
use std::io;

use self::documents::Documents;
use self::nodes::{damaged, generated, judges};
pub(super) use self::origin::Origin;
use self::walk::Walk;
use super::chunks::{Builder, Chunks};
use crate::base::wording::{count, some_because, some_of};
use crate::engine::{Ended, Loaded};
use crate::output::page::Store;
use crate::output::page::store::Earlier;
use crate::plan::NodeId;

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
