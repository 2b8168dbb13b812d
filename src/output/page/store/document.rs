//! A document as judges read it, with what was done to it.

use serde::Serialize;

/// A document.
#[derive(Clone, Debug, Default)]
pub struct Document<'t> {
    /// Its id.
    pub id: &'t str,
    /// Its id with what tells it apart from others of that id.
    pub label: String,
    /// The text; none where there is none, and [`Document::why`] says why.
    pub text: Option<&'t str>,
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

/// A document as it is stored: most have the text of another, or one that follows from its edits.
#[derive(Serialize)]
pub(super) struct Stored<'d> {
    pub(super) id: &'d str,
    pub(super) label: &'d str,
    pub(super) text: Option<&'d str>,
    pub(super) like: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) beside: Option<usize>,
    pub(super) why: Option<&'d str>,
    pub(super) facts: &'d [(String, String)],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) lists: &'d [(String, String)],
    pub(super) edits: &'d [Edit<'d>],
    pub(super) edits_note: Option<&'d str>,
    pub(super) before: Option<usize>,
}

impl Document<'_> {
    /// The document with this text, or with that of the document `like`.
    pub(super) fn stored<'d>(&'d self, text: Option<&'d str>, like: Option<usize>) -> Stored<'d> {
        Stored {
            id: self.id,
            label: &self.label,
            text,
            like,
            beside: self.beside,
            why: self.why.as_deref(),
            facts: &self.facts,
            lists: &self.lists,
            edits: &self.edits,
            edits_note: self.edits_note.as_deref(),
            before: self.before,
        }
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
