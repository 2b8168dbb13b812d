//! What a scanned object consists of, as places in the reply.
//!
//! Must not know what keys and values mean.

use std::ops::Range;

/// An object found in a reply.
#[derive(Debug)]
pub(super) struct Root {
    pub(super) object: Object,
    /// Whether it is closed and well formed to its end.
    pub(super) complete: bool,
}

/// An object. Keys may repeat.
#[derive(Debug)]
pub(super) struct Object {
    pub(super) members: Vec<Member>,
    /// From its opening to its closing brace.
    pub(super) span: Range<usize>,
}

/// One key with its value.
#[derive(Debug)]
pub(super) struct Member {
    /// The key without its quotes, still escaped.
    pub(super) key: Range<usize>,
    pub(super) value: Node,
}

/// A value.
#[derive(Debug)]
pub(super) enum Node {
    Object(Object),
    Array(Vec<Node>),
    /// A string without its quotes, still escaped.
    Text(Range<usize>),
    /// A number, a constant, or words that should have been a string.
    Bare(Range<usize>),
}
