//! What the judgements of a page are made from, so that they need not be made again for a page that shows the same ones:
//! whoever changes a title, a table or a statistic changes none of them, and whoever adds a judge changes no other judge's
//! replies.

use std::collections::{BTreeMap, BTreeSet};

use super::columns::Names;
use super::replies::told_of;
use super::{damaged, generated, judges};
use crate::base::key::Digest;
use crate::engine::{Ended, Loaded};
use crate::plan::NodeId;
use crate::publish::seal::Fingerprint;
use crate::stage::Stage;

/// Digests of what the judgements of a run are made from.
pub(in crate::publish) struct Origin {
    /// Of everything.
    pub(in crate::publish) all: Digest,
    /// Of what the replies of each judge are made from; without those whose rows are not here.
    pub(super) replies: BTreeMap<NodeId, Digest>,
}

impl Origin {
    pub(in crate::publish) fn of(loaded: &[Loaded], ended: &Ended) -> Self {
        let plan = ended.engine.plan();
        let (judges, columns) = judges(loaded, ended);
        let replies = judges.iter().copied();
        let mut replies: BTreeMap<NodeId, Digest> = replies
            .filter_map(|id| Some((id, of_replies(ended, id)?)))
            .collect();
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
            add(&(place, replies.get(&id), left_out(id)));
            add(&(ended.whole.done(id).is_some(), columns.experiments(id)));
            if let Stage::Judge(judge) = &*node.stage {
                add(&Names::of(node, judge));
            }
        }
        let all = fingerprint.digest();
        // What was made when the rows were here shows what is in them.
        replies.retain(|&id, _| {
            let mut read = plan.node(id).inputs.iter().chain([&id]);
            !read.any(|&id| left_out(id))
        });
        Self { all, replies }
    }
}

/// A digest of what the replies of a judge are made from.
fn of_replies(ended: &Ended, id: NodeId) -> Option<Digest> {
    let node = ended.engine.plan().node(id);
    let Stage::Judge(judge) = &*node.stage else {
        return None;
    };
    let done = ended.whole.done(id)?;
    let tell = |call: Option<_>| told_of(call.as_ref());
    let calls = ended.engine.told_of_calls(id, done, tell).ok()?;
    let mut fingerprint = Fingerprint::of_pages();
    // What is in the judge's key, and what else decides about what is shown of a reply. Where files lie, how a model is served
    // and how hard it is worked does not.
    let model = (&judge.model.name, &judge.model.reported);
    let in_no_key = (model, &judge.compare, &judge.prompt);
    fingerprint.add(serde_json::to_vec(judge).ok()?);
    let parts = (done.key, done.output, calls, node.seed, in_no_key);
    fingerprint.add(format!("{parts:?}"));
    Some(fingerprint.digest())
}
