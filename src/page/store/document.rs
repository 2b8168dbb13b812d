//! A document as judges read it, with what was done to it.

use serde::Serialize;

/// A document.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Document<'t> {
    /// Its id.
    pub id: &'t str,
    /// Its id with what tells it apart from others of that id.
    pub label: String,
    /// The text; none where there is none, and [`Document::why`] says why.
    pub text: Option<&'t str>,
    /// Why there is no text.
    pub why: Option<String>,
    /// What else is known of it: pairs of a label and a value.
    pub facts: Vec<(String, String)>,
    /// What its manipulation changed, in the order of the text.
    pub edits: Vec<Edit<'t>>,
    /// What must be known of the edits, such as why they are not marked.
    pub edits_note: Option<String>,
    /// The position of the document as it was before its manipulation.
    pub before: Option<usize>,
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
