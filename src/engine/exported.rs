//! The rows of results that become files.

use std::sync::Arc;

use super::in_parts::InParts;
use crate::base::key::Digest;
use crate::cache::{Damage, NodeStore};

/// The rows of a result, which are read when somebody wants them.
#[derive(Clone, Debug)]
pub struct Exported {
    output: Digest,
    rows: Where,
}

#[derive(Clone, Debug)]
enum Where {
    /// In memory, as parquet.
    Here(Arc<Vec<u8>>),
    /// In the cache.
    Stored(NodeStore),
}

/// Rows as they are stored.
pub enum Opened {
    /// As parquet, in memory.
    Whole(Arc<Vec<u8>>),
    /// In the cache, from where they are read part by part.
    Long(Box<InParts>),
}

impl Exported {
    /// The rows that these bytes hold.
    pub fn here(bytes: Vec<u8>) -> Self {
        Self {
            output: Digest::of(&bytes),
            rows: Where::Here(Arc::new(bytes)),
        }
    }

    /// The rows of a result in the cache.
    pub fn stored(output: Digest, nodes: &NodeStore) -> Self {
        Self {
            output,
            rows: Where::Stored(nodes.clone()),
        }
    }

    /// The digest of the result that holds them.
    pub fn output(&self) -> &Digest {
        &self.output
    }

    /// The rows.
    ///
    /// # Errors
    /// When the result was lost or altered since it was looked for.
    pub fn open(&self) -> Result<Opened, Damage> {
        let nodes = match &self.rows {
            Where::Here(bytes) => return Ok(Opened::Whole(Arc::clone(bytes))),
            Where::Stored(nodes) => nodes,
        };
        if let Some(parts) = InParts::checked(&self.output, nodes) {
            return Ok(Opened::Long(Box::new(parts)));
        }
        nodes
            .load(&self.output)
            .map(|bytes| Opened::Whole(Arc::new(bytes)))
    }
}
