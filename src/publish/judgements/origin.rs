//! What the judgements of a page are made from, so that they need not be made again for a page that shows the same ones:
//! whoever changes a title, a table or a statistic changes none of them.

use std::collections::BTreeSet;

use super::columns::Names;
use super::{damaged, generated, judges};
use crate::base::key::Digest;
use crate::engine::{Ended, Loaded};
use crate::plan::NodeId;
use crate::publish::seal::Fingerprint;
use crate::stage::Stage;

/// A digest of everything that the judgements of a run are made from.
pub(in crate::publish) fn made_from(loaded: &[Loaded], ended: &Ended) -> Digest {
    let plan = ended.engine.plan();
    let (judges, columns) = judges(loaded, ended);
    let damaged = damaged(plan);
    let mut fingerprint = Fingerprint::of_pages();
    let mut add = |part: &dyn std::fmt::Debug| fingerprint.add(format!("{part:?}"));
    let left_out = |id: NodeId| {
        let output = ended.whole.done(id).map(|done| done.output);
        let mut absent = loaded.iter().map(|loaded| &loaded.absent.results);
        output.is_some_and(|output| absent.any(|absent| absent.contains(&output)))
    };
    for column in columns.list() {
        add(&column.name);
    }
    add(&generated(plan));
    // In the order in which they are put in.
    let read = judges.iter().filter_map(|&id| plan.node(id).inputs.first());
    let read: BTreeSet<(bool, NodeId)> = read.map(|&input| (damaged[input.0], input)).collect();
    for &(_, input) in &read {
        let output = ended.whole.done(input).map(|done| done.output);
        add(&(&plan.node(input).settings, output, left_out(input)));
    }
    for &id in &judges {
        let node = plan.node(id);
        let place = node.inputs.first().map(|input| {
            let place = |(_, read): &(bool, NodeId)| read == input;
            (damaged[input.0], read.iter().position(place))
        });
        let done = ended.whole.done(id).map(|done| (done.key, done.output));
        add(&(
            place,
            done,
            left_out(id),
            node.seed,
            columns.experiments(id),
        ));
        if let Stage::Judge(judge) = &*node.stage {
            // Also what is in no key, such as what a model is called.
            add(&(Names::of(node, judge), judge));
        }
    }
    fingerprint.digest()
}
