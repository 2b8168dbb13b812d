//! Deciding what goes: by reachability, by age, by size.
//!
//! Pure. Each condition removes on its own; size comes last and takes results before calls, and
//! calls before downloads.

use std::collections::{BTreeMap, BTreeSet};

use super::survey::Survey;
use crate::base::key::Digest;

/// What is to be removed. The default removes nothing but junk.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    /// Nodes not in this set go.
    pub keep_nodes: Option<BTreeSet<Digest>>,
    /// Calls not in this set go.
    pub keep_calls: Option<BTreeSet<Digest>>,
    /// Downloads not in this set go.
    pub keep_downloads: Option<BTreeSet<String>>,
    /// What was stored before this Unix time (seconds) goes.
    pub before: Option<u64>,
    /// Nodes, then calls, then downloads, of each the oldest first, go until this many bytes, or
    /// fewer, are left.
    pub max_bytes: Option<u64>,
}

/// What goes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cut {
    /// Keys of nodes.
    pub nodes: BTreeSet<Digest>,
    /// Digests of results that no remaining node has.
    pub blobs: BTreeSet<Digest>,
    /// Keys of calls.
    pub calls: BTreeSet<Digest>,
    /// Names of downloads.
    pub downloads: BTreeSet<String>,
    /// Size of all that, in bytes.
    pub bytes: u64,
}

/// Something to remove, in the order in which size takes it. Results are computed again from calls,
/// and calls cost money; a download that comes with other bytes the next time changes every key below
/// it, so that its calls are paid for again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Candidate<'s> {
    Node(Digest, Digest, u64),
    Call(Digest, u64),
    Download(&'s str, u64),
}

impl Candidate<'_> {
    fn rank(&self) -> u8 {
        match self {
            Self::Node(..) => 0,
            Self::Call(..) => 1,
            Self::Download(..) => 2,
        }
    }
}

impl Survey {
    /// What `policy` would remove.
    pub fn choose(&self, policy: &Policy) -> Cut {
        let mut choice = Choice::new(self);
        let old = |at: u64| policy.before.is_some_and(|before| at < before);
        let dropped = |keep: &Option<BTreeSet<Digest>>, key: &Digest| {
            keep.as_ref().is_some_and(|keep| !keep.contains(key))
        };
        let mut left = Vec::new();
        for node in &self.nodes {
            let candidate = Candidate::Node(node.key, node.output, node.bytes);
            if old(node.at) || dropped(&policy.keep_nodes, &node.key) {
                choice.remove(candidate);
            } else {
                left.push((node.at, candidate));
            }
        }
        for call in &self.calls {
            let candidate = Candidate::Call(call.key, call.bytes);
            if old(call.at) || dropped(&policy.keep_calls, &call.key) {
                choice.remove(candidate);
            } else {
                left.push((call.at, candidate));
            }
        }
        for download in &self.downloads {
            let candidate = Candidate::Download(&download.name, download.bytes);
            let keep = policy.keep_downloads.as_ref();
            if old(download.at) || keep.is_some_and(|keep| !keep.contains(&download.name)) {
                choice.remove(candidate);
            } else {
                left.push((download.at, candidate));
            }
        }
        if let Some(max) = policy.max_bytes {
            let total = self.bytes();
            // All of one sort before any of the next, whatever their age.
            left.sort_unstable_by_key(|&(at, candidate)| (candidate.rank(), at, candidate));
            for (_, candidate) in left {
                if total - choice.cut.bytes <= max {
                    break;
                }
                choice.remove(candidate);
            }
        }
        choice.cut
    }
}

/// A cut in the making.
struct Choice {
    cut: Cut,
    /// How many remaining nodes have each result.
    users: BTreeMap<Digest, usize>,
    /// Sizes of results in bytes.
    sizes: BTreeMap<Digest, u64>,
}

impl Choice {
    /// Begins with the results that no node has.
    fn new(survey: &Survey) -> Self {
        let mut users = BTreeMap::new();
        for node in &survey.nodes {
            *users.entry(node.output).or_insert(0) += 1;
        }
        let sizes = survey.blobs.iter().map(|blob| (blob.digest, blob.bytes));
        let mut choice = Self {
            cut: Cut::default(),
            users,
            sizes: sizes.collect(),
        };
        for blob in &survey.blobs {
            if !choice.users.contains_key(&blob.digest) {
                choice.remove_blob(blob.digest);
            }
        }
        choice
    }

    fn remove(&mut self, candidate: Candidate<'_>) {
        match candidate {
            Candidate::Download(name, bytes) => {
                self.cut.downloads.insert(name.to_owned());
                self.cut.bytes += bytes;
            }
            Candidate::Call(key, bytes) => {
                self.cut.calls.insert(key);
                self.cut.bytes += bytes;
            }
            Candidate::Node(key, output, bytes) => {
                self.cut.nodes.insert(key);
                self.cut.bytes += bytes;
                if let Some(users) = self.users.get_mut(&output) {
                    *users -= 1;
                    if *users == 0 {
                        self.remove_blob(output);
                    }
                }
            }
        }
    }

    fn remove_blob(&mut self, digest: Digest) {
        self.cut.blobs.insert(digest);
        self.cut.bytes += self.sizes.get(&digest).copied().unwrap_or(0);
    }
}
