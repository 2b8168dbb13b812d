//! Finds objects in a text, JSON or nearly so, in time linear in the text.
//!
//! Nothing is read over and over: where an object turns out malformed, what it held so far is handed out as
//! incomplete and the search goes on from where the cursor stopped. Must not know what keys and values mean.

use std::ops::Range;

use super::cursor::Cursor;
use super::text::Within;
use super::tree::{Member, Node, Object, Root};

/// How deep objects and arrays may lie in one another; the levels that are read end long before.
const DEEPEST: usize = 32;

/// Hands out the objects of a text in their order.
pub(super) struct Scanner<'r> {
    cursor: Cursor<'r>,
}

/// An object or array that is open.
struct Frame {
    start: usize,
    body: Body,
}

enum Body {
    Object {
        members: Vec<Member>,
        /// The key whose value comes next.
        key: Option<Range<usize>>,
    },
    Array(Vec<Node>),
}

/// How a step went.
enum Step {
    More,
    /// A string or bare value.
    Value(Node),
    /// An object or array opens.
    Open(Body),
    /// The innermost object or array ends.
    End,
    Malformed,
}

impl<'r> Scanner<'r> {
    /// Looks for objects in `text` from the byte `from` on; `cut` says that more would have followed.
    pub(super) fn new(text: &'r str, from: usize, cut: bool) -> Self {
        let cursor = Cursor::new(text, from, cut);
        Self { cursor }
    }

    /// Reads the object whose brace has just been passed.
    fn root(&mut self) -> Root {
        let (node, complete) = self.whole(Body::object());
        let nothing = Object {
            members: Vec::new(),
            span: self.cursor.at..self.cursor.at,
        };
        let object = match node {
            Some(Node::Object(object)) => object,
            _ => nothing,
        };
        Root { object, complete }
    }

    /// The next object, or array that `stands` for itself, that no other is around; with its place.
    pub(super) fn next_value(
        &mut self,
        stands: &dyn Fn(usize) -> bool,
    ) -> Option<(Node, Range<usize>)> {
        loop {
            let next = memchr::memchr2(b'{', b'[', self.cursor.rest().as_bytes())?;
            let start = self.cursor.at + next;
            let object = self.cursor.rest().as_bytes()[next] == b'{';
            self.cursor.at = start + 1;
            if !object && !stands(start) {
                continue;
            }
            let body = if object {
                Body::object()
            } else {
                Body::Array(Vec::new())
            };
            if let (Some(node), _) = self.whole(body) {
                return Some((node, start..self.cursor.at));
            }
        }
    }

    /// Reads the object or array whose bracket has just been passed, and whether it is complete.
    fn whole(&mut self, body: Body) -> (Option<Node>, bool) {
        let mut open = vec![Frame::new(self.cursor.at - 1, body)];
        let mut complete = false;
        let mut node = None;
        while node.is_none() {
            let depth = open.len();
            let Some(top) = open.last_mut() else { break };
            match self.step(top) {
                Step::More => {}
                Step::Value(node) => top.add(node),
                Step::Open(body) if depth < DEEPEST => {
                    self.cursor.at += 1;
                    open.push(Frame::new(self.cursor.at - 1, body));
                }
                Step::End => {
                    complete = depth == 1;
                    node = self.close(&mut open);
                }
                Step::Open(_) | Step::Malformed => {
                    while !open.is_empty() {
                        node = self.close(&mut open);
                    }
                }
            }
        }
        (node, complete)
    }

    /// Ends the innermost object or array here; returns it if there is none around it.
    fn close(&self, open: &mut Vec<Frame>) -> Option<Node> {
        let frame = open.pop()?;
        let node = match frame.body {
            Body::Object { members, .. } => Node::Object(Object {
                members,
                span: frame.start..self.cursor.at,
            }),
            Body::Array(entries) => Node::Array(entries),
        };
        match open.last_mut() {
            Some(around) => around.add(node),
            None => return Some(node),
        }
        None
    }

    /// Reads the next part of the innermost object or array; a bracket that opens is not yet passed.
    fn step(&mut self, top: &mut Frame) -> Step {
        let (within, key) = match &mut top.body {
            Body::Object { key, .. } => (Within::Object, key),
            Body::Array(_) => (Within::Array, &mut None),
        };
        let awaits_value = key.is_some();
        self.cursor.skip(!awaits_value);
        let Some(next) = self.cursor.rest().chars().next() else {
            return Step::Malformed;
        };
        if within == Within::Object && !awaits_value {
            *key = match next {
                '}' => {
                    self.cursor.at += 1;
                    return Step::End;
                }
                '"' | '\'' => self.cursor.key(next),
                _ => self.cursor.bare_key(),
            };
            return key.as_ref().map_or(Step::Malformed, |_| Step::More);
        }
        match next {
            '{' => Step::Open(Body::object()),
            '[' => Step::Open(Body::Array(Vec::new())),
            '"' | '\'' => self
                .cursor
                .string(next, within)
                .map_or(Step::Malformed, |span| Step::Value(Node::Text(span))),
            ']' if within == Within::Array => {
                self.cursor.at += 1;
                Step::End
            }
            // The value is missing.
            '}' | ',' if within == Within::Object => {
                *key = None;
                Step::More
            }
            _ => self
                .cursor
                .bare(within)
                .map_or(Step::Malformed, |span| Step::Value(Node::Bare(span))),
        }
    }
}

impl Body {
    fn object() -> Self {
        let (members, key) = (Vec::new(), None);
        Self::Object { members, key }
    }
}

impl Frame {
    fn new(start: usize, body: Body) -> Self {
        Self { start, body }
    }

    /// Adds a value: under the key that awaits one, or as the next entry.
    fn add(&mut self, value: Node) {
        match &mut self.body {
            Body::Object { members, key } => {
                members.extend(key.take().map(|key| Member { key, value }));
            }
            Body::Array(entries) => entries.push(value),
        }
    }
}

impl Iterator for Scanner<'_> {
    type Item = Root;

    fn next(&mut self) -> Option<Root> {
        loop {
            let brace = memchr::memchr(b'{', self.cursor.rest().as_bytes())?;
            self.cursor.at += brace + 1;
            let root = self.root();
            if !root.object.members.is_empty() {
                return Some(root);
            }
        }
    }
}
