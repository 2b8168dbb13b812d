//! The key of a node.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Node;
use crate::base::key::{Digest, KEY_FORMAT};
use crate::frame::Scalar;
use crate::stage::Stage;

/// Everything the result of a node depends on.
#[derive(Clone, Debug, Serialize)]
pub struct NodeKey<'n> {
    /// Form of this key.
    pub format: u32,
    /// The stage's kind.
    pub kind: &'static str,
    /// The kind's version, bumped by hand.
    pub version: u32,
    /// The parameters, templates as digests.
    pub parameters: &'n Stage,
    /// Axis values that become columns here.
    pub labels: &'n BTreeMap<String, Scalar>,
    /// Digests of the files it reads, by role.
    pub files: &'n BTreeMap<String, Digest>,
    /// Digests of the contents of what it reads, in order.
    pub inputs: Vec<Digest>,
    /// The stages that these come from, if the result names them.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub reads: &'n [Read],
    /// The seed, where randomness is used.
    pub seed: Option<u64>,
    /// The stage's name, where randomness is used: it is part of what is drawn from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<String>,
}

/// A stage that is read, and how many of the inputs are its instances: in the key all inputs are one list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Read {
    /// The stage's name.
    pub stage: String,
    /// How many of the inputs.
    pub inputs: usize,
}

impl<'n> NodeKey<'n> {
    /// The key of a node whose inputs are known.
    pub fn new(node: &'n Node, files: &'n BTreeMap<String, Digest>, inputs: Vec<Digest>) -> Self {
        let kind = node.stage.kind();
        Self {
            format: KEY_FORMAT,
            kind: kind.name(),
            version: kind.version(),
            parameters: &node.stage,
            labels: &node.labels,
            files,
            inputs,
            reads: &node.reads,
            seed: node.seed,
            stage: node.seed.map(|_| node.name.to_string()),
        }
    }
}
