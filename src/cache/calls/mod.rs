//! Level 2: replies of models, found under the key of the call.
//!
//! Hundreds of thousands of small values live in a few append-only segment files
//! (`calls/00.seg`, …): one file per process writing at the same time, so inodes are few and
//! network file systems are no trouble. `record` frames one value, `scan` finds the frames in a
//! file however damaged, `index` knows where each key stands, `segment` appends under a lock,
//! `writer` gathers what many threads put into one write and one fsync, `store` is the door.
//! The values are opaque, and only answers belong here: errors and refusals are never put.

mod index;
pub(super) mod record;
pub(super) mod scan;
pub(super) mod segment;
mod store;
mod table;
mod writer;

pub use record::LONGEST_VALUE;
pub use store::CallStore;
