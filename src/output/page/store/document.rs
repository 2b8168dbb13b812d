//! A document as judges read it, with what was done to it.

use serde::Serialize;

use super::packing::{Known, known};
use crate::base::compact::push_text;

/// A document.
#[derive(Clone, Debug, Default)]
pub struct Document<'t> {
    /// Its id.
    pub id: &'t str,
    /// Its id with what tells it apart from others of that id.
    pub label: String,
    /// The text; none where there is none, and [`Document::why`] says why.
    pub text: Option<Text<'t>>,
    /// The position of the document that was judged together with it.
    pub beside: Option<usize>,
    /// Why there is no text.
    pub why: Option<String>,
    /// What else is known of it: pairs of a label and a value.
    pub facts: Vec<(String, String)>,
    /// Lists and trees that belong to it: pairs of a name and the JSON.
    pub lists: Vec<(String, String)>,
    /// What its manipulation changed, in the order of the text.
    pub edits: Vec<Edit<'t>>,
    /// What must be known of the edits, such as why they are not marked.
    pub edits_note: Option<String>,
    /// The position of the document as it was before its manipulation; there must be one where there are edits, and making
    /// them in its text must give this one's.
    pub before: Option<usize>,
}

/// A text, and what it is known by: that is found once, for texts are long.
#[derive(Clone, Copy, Debug)]
pub struct Text<'t> {
    pub(super) text: &'t str,
    pub(super) known: Known,
}

impl<'t> Text<'t> {
    /// A text.
    pub fn new(text: &'t str) -> Self {
        let known = known(text.as_bytes());
        Self { text, known }
    }

    /// What equal texts are known by.
    pub fn known(&self) -> [u8; 16] {
        self.known
    }
}

/// A document as it is stored: what stands before its text.
#[derive(Serialize)]
struct Head<'d> {
    id: &'d str,
    label: &'d str,
}

/// What stands behind its text: most have that of another, or one that follows from their edits.
#[derive(Serialize)]
struct Tail<'d> {
    like: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    beside: Option<usize>,
    why: Option<&'d str>,
    facts: &'d [(String, String)],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    lists: &'d [(String, String)],
    edits: &'d [Edit<'d>],
    edits_note: Option<&'d str>,
    before: Option<usize>,
}

impl Document<'_> {
    /// The document as JSON, with this text or with that of the document `like`.
    pub(super) fn json(&self, text: Option<&str>, like: Option<usize>) -> Vec<u8> {
        let head = Head {
            id: self.id,
            label: &self.label,
        };
        let tail = Tail {
            like,
            beside: self.beside,
            why: self.why.as_deref(),
            facts: &self.facts,
            lists: &self.lists,
            edits: &self.edits,
            edits_note: self.edits_note.as_deref(),
            before: self.before,
        };
        let mut json = Vec::with_capacity(text.map_or(0, str::len) * 9 / 8 + 1024);
        // Texts and numbers always have a form as JSON.
        let _ = serde_json::to_writer(&mut json, &head);
        // Texts are long: they are not looked at byte by byte.
        json.pop();
        json.extend_from_slice(b",\"text\":");
        match text {
            Some(text) => push_text(&mut json, text),
            None => json.extend_from_slice(b"null"),
        }
        let behind = json.len();
        let _ = serde_json::to_writer(&mut json, &tail);
        json[behind] = b',';
        json
    }
}

/// A replacement in a document.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Edit<'t> {
    /// What was done, such as `typos`.
    pub kind: &'t str,
    /// Where the new text begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// What stood there.
    pub original: &'t str,
    /// What stands there now.
    pub text: &'t str,
}
