//! Where the judgements lie: compressed chunks, each opened when somebody looks at what is in it.
//!
//! The chunks are an agreement between what writes them and the script of the page (`src/output/page/assets`):
//!
//! `index` — what is said of all rows, of which there is one per score that was asked for (document × metric × repeat ×
//! instance of a judge):
//! ```json
//! { "rows": 3,
//!   "columns": [
//!     { "name": "judge",    "kind": "choice", "at": 0, "values": ["vanilla", "memory"] },
//!     { "name": "model",    "kind": "choice", "at": 2, "values": ["m"] },
//!     { "name": "score",    "kind": "number", "at": 5 },
//!     { "name": "unscored", "kind": "choice", "at": 6, "values": ["no_score"] } ],
//!   "blocks": [[[1, 2], [0, 1]]],
//!   "documents_per_chunk": 1, "replies_per_chunk": 64 }
//! ```
//! Columns stand in the order in which they are shown: `judge`, the axes, `doc_id`, `metric`, `score`, `unscored`,
//! `detail`, `issues` (their number), … A column of lists has `"kind": "list"`, the texts that stand in any list as `values`,
//! and `lists` of their positions, to which its codes point. Where values do not stand in the order of their codes, `numbered`
//! has the place of each code. `blocks` says of each chunk of rows which places they have among all: the first two rows of
//! `rows-0` above are those at 1 and 2, the next is that at 0. `of_documents` holds columns of documents, with a code
//! (`codes`, -1 for none) or number (`numbers`) for each document and not for each row.
//!
//! `rows-<k>` — the cells of some thousand rows, no JSON but bytes (`cells`): column by column, of which `at` in the index
//! counts the place, then the positions of the documents and of the replies among all. Codes and positions begin with 1; 0 is
//! no value. Equal documents are there once, so are equal texts and equal replies.
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
//! `replies-<k>` — a list of replies, the first of which has position `k * replies_per_chunk`; where those of a judge end, there
//! may be fewer than that:
//! ```json
//! [{ "prompt": [ {"role": "system", "parts": ["…"]}, {"role": "user", "parts": ["Grade: ", null, "…"]} ],
//!    "prompt_note": null,
//!    "reply": "…", "thoughts": null, "finish": "stop", "facts": [["model", "…"], ["tokens read", "812"]],
//!    "scores": [ { "metric": "fluency", "score": 4.5, "unscored": null, "detail": null, "contradicted": false,
//!                  "spans": [[120, 123]] } ],
//!    "issues": [ { "metric": "fluency", "label": "spelling", "text": "…", "spans": [[0, 20]], "quotes": [[310, 325]] } ] }]
//! ```
//! `parts` are texts, and null where the document of the judgement stands in the prompt word for word. `reply` and `finish` are null where there is
//! none (the call failed, the prompt was too long); `thoughts` are what the model thought where the server keeps that
//! apart. `spans` are places in the reply that the score or issue was read from, `quotes` places in the document that an
//! issue quotes; `contradicted` says that the reply names another score for the metric too.
//!
//! `positions-<k>` — for the script nothing: which of its replies came of each question of the judge number `k`, for a store that
//! takes the replies of that judge over (`replies`).
//!
//! All places count UTF-16 code units, as the script's strings do ([`Units`]).
//!
//! A [`Builder`] takes documents, replies and rows in any amount: it holds what it knows them by, the values of columns, and
//! no more texts and rows than make a few chunks; packed chunks go to what [`Keep`]s them. The same pushes give the same bytes,
//! however many threads compress them.

mod build;
mod cells;
mod document;
mod earlier;
mod index;
mod keep;
mod kept;
mod of_documents;
#[cfg(test)]
mod opened;
mod packing;
mod press;
mod replies;
mod reply;
mod rows;
mod shelf;
#[cfg(test)]
mod tests;
mod units;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use self::build::Builder;
pub use self::document::{Document, Edit, Text};
pub use self::earlier::{Earlier, OfJudge};
pub use self::index::{Cell, Column, Holds};
pub use self::keep::Keep;
pub use self::reply::{Issue, Message, Packed, Part, Reply, Score};
pub use self::rows::Row;
pub use self::units::Units;
use crate::base::key::Digest;

/// The chunks of all judgements. What is written of it for those who take it over stands beside the chunks and has no list of
/// them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Store {
    /// The chunks, `index` first; empty, if nothing was judged.
    #[serde(skip)]
    pub chunks: Vec<Chunk>,
    /// How many judgements there are: rows of the index.
    pub judgements: usize,
    /// Whose the replies are, judge by judge.
    pub judges: Vec<OfJudge>,
    /// What is not in the store and why, in words, such as texts that were left out.
    pub notes: Vec<String>,
    /// How to look at the judgements of a page that has no room for them.
    #[serde(skip)]
    pub apart: Option<String>,
    /// A digest of everything it was made from, if nothing of that was missing: whoever would make one from the same can
    /// take it over.
    pub made_from: Option<Digest>,
}

/// Where something compressed lies that has a name; what is the same lies in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its name: letters, digits and hyphens.
    pub name: String,
    /// Where its bytes begin among those that are kept: compressed with gzip, the same for the same content.
    pub at: u64,
    /// How many there are.
    pub length: usize,
}

/// What the chunks of replies are called.
const REPLIES: &str = "replies";

/// What chunks are called that say which reply came of which question of a judge.
const POSITIONS: &str = "positions";

/// What is in chunks, in the order in which a store lists them.
const SORTS: [&str; 5] = ["index", "rows", "documents", REPLIES, POSITIONS];

impl Chunk {
    /// One that is listed somewhere; nothing, where that is no name of one.
    pub fn read(name: String, at: u64, length: usize) -> Option<Self> {
        let mut letters = name.bytes();
        let fits = letters.all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        fits.then_some(Self { name, at, length })
    }

    /// What chunks are sorted by in a store: what is in them, and their number.
    pub fn rank(&self) -> (usize, u64) {
        let (sort, number) = self.name.split_once('-').unwrap_or((&self.name, "0"));
        let known = SORTS.iter().position(|known| *known == sort);
        // A number that is none belongs to no store of ours.
        (
            known.unwrap_or(SORTS.len()),
            number.parse().unwrap_or(u64::MAX),
        )
    }
}

impl Store {
    /// The bytes of all chunks as they are kept.
    pub fn size(&self) -> usize {
        let places = self.chunks.iter();
        let places: BTreeMap<u64, usize> = places.map(|chunk| (chunk.at, chunk.length)).collect();
        places.values().sum()
    }
}
