//! What the judgements of a page are made from, so that they need not be made again for a page that shows the same ones:
//! whoever changes a title, a table or a statistic changes none of them, and whoever adds a judge changes no other judge's
//! replies.

use std::collections::{BTreeMap, BTreeSet};

use super::columns::Names;
use super::nodes::{damaged, generated, judges};
use super::replies::told_of;
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
        Self::with(loaded, ended, BTreeMap::new())
    }

    /// The same where it is known of some judges what their replies are made from.
    pub(super) fn with(
        loaded: &[Loaded],
        ended: &Ended,
        mut replies: BTreeMap<NodeId, Digest>,
    ) -> Self {
        let plan = ended.engine.plan();
        let (judges, columns) = judges(loaded, ended);
        for &id in &judges {
            if !replies.contains_key(&id) {
                replies.extend(of_judge(ended, id).map(|made_from| (id, made_from)));
            }
        }
        let damaged = damaged(plan);
        let mut fingerprint = Fingerprint::of_pages();
        let mut add = |part: &dyn std::fmt::Debug| fingerprint.add(format!("{part:?}"));
        let left_out = |id| is_left_out(loaded, ended, id);
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
        replies.retain(|&id, _| has_rows(loaded, ended, id));
        Self { all, replies }
    }
}

/// Whether the rows of a node were left out of the bundle that this runs in.
fn is_left_out(loaded: &[Loaded], ended: &Ended, id: NodeId) -> bool {
    let output = ended.whole.done(id).map(|done| done.output);
    let mut absent = loaded.iter().map(|loaded| &loaded.absent.results);
    output.is_some_and(|output| absent.any(|absent| absent.contains(&output)))
}

/// Whether the rows of a judge and those that it read are here: what was made when they were shows what is in them.
pub(super) fn has_rows(loaded: &[Loaded], ended: &Ended, id: NodeId) -> bool {
    let mut read = ended.engine.plan().node(id).inputs.iter().chain([&id]);
    !read.any(|&id| is_left_out(loaded, ended, id))
}

/// A digest of what the replies of a judge are made from.
fn of_judge(ended: &Ended, id: NodeId) -> Option<Digest> {
    let tell = |call: Option<_>| told_of(call.as_ref());
    let done = ended.whole.done(id)?;
    let calls = ended.engine.told_of_calls(id, done, tell).ok()?;
    of_replies(ended, id, calls)
}

/// The same by a digest of what is told of its calls.
pub(super) fn of_replies(ended: &Ended, id: NodeId, calls: Digest) -> Option<Digest> {
    let node = ended.engine.plan().node(id);
    let Stage::Judge(judge) = &*node.stage else {
        return None;
    };
    let done = ended.whole.done(id)?;
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
