//! The key of a node, with the digests of the files that it reads.

use std::collections::BTreeMap;

use super::outcome::NodeError;
use super::shared::Shared;
use crate::base::key::{Digest, encode};
use crate::plan::{Node, NodeKey};

/// The key of a node whose inputs have these digests, as JSON and digest.
pub(super) fn key(
    shared: &Shared,
    node: &Node,
    inputs: Vec<Digest>,
) -> Result<(serde_json::Value, Digest, BTreeMap<String, Digest>), NodeError> {
    let files = shared.files.of(node);
    let mut files = files.map_err(|error| shared.files.failed(&error))?;
    files.extend(shared.books.digests(node)?);
    let (fields, key) = encode(&NodeKey::new(node, &files, inputs));
    Ok((fields, key, files))
}
