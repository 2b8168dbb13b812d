//! Where the judgements lie: chunks of compressed JSON, each opened when somebody looks at what is in it.
//!
//! The chunks are an agreement between what writes them and the script of the page (`src/output/page/assets`):
//!
//! `index` — one row per score that was asked for (document × metric × repeat × instance of a judge):
//! ```json
//! { "rows": 3,
//!   "columns": [
//!     { "name": "judge",    "kind": "choice", "values": ["vanilla", "memory"], "codes": [0, 0, 1] },
//!     { "name": "model",    "kind": "choice", "values": ["m"], "codes": [0, 0, -1] },
//!     { "name": "score",    "kind": "number", "numbers": [4.5, null, 2] },
//!     { "name": "unscored", "kind": "choice", "values": ["no_score"], "codes": [-1, 0, -1] } ],
//!   "documents": [0, 0, 4],
//!   "replies":   [0, 1, 2],
//!   "documents_per_chunk": 1, "replies_per_chunk": 64 }
//! ```
//! Columns stand in the order in which they are shown: `judge`, the axes, `doc_id`, `metric`, `score`, `unscored`,
//! `detail`, `issues` (their number), … A code of -1 is no value. A column of lists has `"kind": "list"`, the texts that
//! stand in any list as `values`, and `lists` of their positions, to which its codes point. `of_documents` holds columns of
//! documents, with a code or number for each document and not for each row. `documents` and `replies` are positions among all
//! documents and replies, -1 for none. Equal documents are there once, so are equal texts and equal replies.
//!
//! `documents-<k>` — a list of documents, the first of which has position `k * documents_per_chunk`:
//! ```json
//! [{ "id": "one", "label": "one · typos · 2000", "text": "…", "like": null, "why": null, "facts": [["title", "…"]],
//!    "edits": [{ "kind": "typos", "start": 10, "end": 14, "original": "word", "text": "wrod" }],
//!    "edits_note": null, "before": 3 }]
//! ```
//! `before` is the position of the document as it was before its manipulation, or null. `text` may be null: then the text is
//! that of the document at the position `like`, with the edits made in it, of which there may be none; where `like` is null
//! too, `why` says why there is no text (a document that a manipulation did not fit).
//!
//! `replies-<k>` — a list of replies, the first of which has position `k * replies_per_chunk`:
//! ```json
//! [{ "prompt": [ {"role": "system", "parts": ["…"]}, {"role": "user", "parts": ["Grade: ", {"document": 4}, "…"]} ],
//!    "prompt_note": null,
//!    "reply": "…", "thoughts": null, "finish": "stop", "facts": [["model", "…"], ["tokens read", "812"]],
//!    "scores": [ { "metric": "fluency", "score": 4.5, "unscored": null, "detail": null, "contradicted": false,
//!                  "spans": [[120, 123]] } ],
//!    "issues": [ { "metric": "fluency", "label": "spelling", "text": "…", "spans": [[0, 20]], "quotes": [[310, 325]] } ] }]
//! ```
//! `parts` are texts, and documents that stand in the prompt word for word. `reply` and `finish` are null where there is
//! none (the call failed, the prompt was too long); `thoughts` are what the model thought where the server keeps that
//! apart. `spans` are places in the reply that the score or issue was read from, `quotes` places in the document that an
//! issue quotes; `contradicted` says that the reply names another score for the metric too.
//!
//! All places count UTF-16 code units, as the script's strings do ([`Units`]).
//!
//! A [`Builder`] takes documents, replies and rows in any amount: it holds the digests of what it has seen, and no more
//! texts than make a few chunks. The same pushes give the same bytes, however many threads compress them.

mod build;
mod document;
mod index;
mod reply;
mod shelf;
#[cfg(test)]
mod tests;
mod units;

pub use self::build::{Builder, Row};
pub use self::document::{Document, Edit};
pub use self::index::{Cell, Column, Holds};
pub use self::reply::{Issue, Message, Packed, Part, Reply, Score};
pub use self::units::Units;

/// The chunks of all judgements.
#[derive(Clone, Debug, Default)]
pub struct Store {
    /// The chunks, `index` first; empty, if nothing was judged.
    pub chunks: Vec<Chunk>,
    /// How many judgements there are: rows of the index.
    pub judgements: usize,
    /// What is not in the store and why, in words, such as texts that were left out.
    pub notes: Vec<String>,
}

/// Compressed JSON under a name.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// Its name: letters, digits and hyphens.
    pub name: String,
    /// The JSON, compressed with gzip, the same bytes for the same JSON.
    pub gzip: Vec<u8>,
}

impl Store {
    /// The bytes of all chunks as they are kept.
    pub fn size(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.gzip.len()).sum()
    }
}
