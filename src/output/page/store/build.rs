//! Putting a store together.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::document::Stored;
use super::index::{Filled, Index, OfDocuments, position};
use super::shelf::{Shelf, digest, gzip};
use super::{Cell, Chunk, Column, Document, Packed, Store};

/// Documents are long, but for those that are told by their edits.
const DOCUMENTS_PER_CHUNK: usize = 16;

/// Replies are short, and prompts around the same document are alike, which compresses well.
const REPLIES_PER_CHUNK: usize = 64;

/// A store in the making.
#[derive(Debug)]
pub struct Builder {
    columns: Vec<Filled>,
    /// Where each row belongs, and what it is about.
    rows: Vec<(usize, Option<usize>, Option<usize>)>,
    documents: Shelf,
    /// The first document without edits of each text.
    texts: BTreeMap<[u8; 32], usize>,
    /// What is known of documents, by the names of columns.
    of_documents: IndexMap<String, OfDocuments>,
    replies: Shelf,
    notes: Vec<String>,
}

/// A judgement.
#[derive(Clone, Copy, Debug)]
pub struct Row<'t> {
    /// Where it belongs: rows of a smaller number come first, those of one number as they were pushed.
    pub rank: usize,
    /// A cell per column.
    pub cells: &'t [Cell<'t>],
    /// The position of the document that was judged.
    pub document: Option<usize>,
    /// The position of the reply.
    pub reply: Option<usize>,
}

impl Builder {
    /// An empty store whose rows have these columns.
    pub fn new(columns: Vec<Column>) -> Self {
        Self {
            columns: columns.into_iter().map(Filled::new).collect(),
            rows: Vec::new(),
            documents: Shelf::new("documents", DOCUMENTS_PER_CHUNK),
            texts: BTreeMap::new(),
            of_documents: IndexMap::new(),
            replies: Shelf::new("replies", REPLIES_PER_CHUNK),
            notes: Vec::new(),
        }
    }

    /// Puts a document in, unless an equal one is there, and hands back its position.
    pub fn document(&mut self, document: &Document<'_>) -> usize {
        let text = document.text.map(|text| digest(text.as_bytes()));
        let whole = text.filter(|_| document.edits.is_empty());
        let like = match &whole {
            Some(text) => self.texts.get(text).copied(),
            None => document.before.filter(|_| text.is_some()),
        };
        // Text and numbers always have a form as JSON.
        let json = |stored: &Stored<'_>| serde_json::to_vec(stored).unwrap_or_default();
        // What a document is does not depend on which others are there.
        let mut known = json(&document.stored(None, None));
        known.extend(text.unwrap_or_default());
        let stored = document.stored(document.text.filter(|_| like.is_none()), like);
        let position = self.documents.put(digest(&known), || json(&stored));
        if let Some(text) = whole {
            self.texts.entry(text).or_insert(position);
        }
        position
    }

    /// Says what a document has in a column, by which its judgements can be chosen.
    pub fn tell(&mut self, document: usize, column: &str, value: &str) {
        if let Some(known) = self.of_documents.get_mut(column) {
            return known.put(document, value);
        }
        let mut new = OfDocuments::new();
        new.put(document, value);
        self.of_documents.insert(column.to_owned(), new);
    }

    /// Puts a reply in, unless an equal one is there, and hands back its position.
    pub fn reply(&mut self, reply: &Packed) -> usize {
        self.replies.put(reply.digest, || &reply.json)
    }

    /// Adds a judgement.
    pub fn row(&mut self, row: Row<'_>) {
        let cells = row.cells.iter().chain(std::iter::repeat(&Cell::None));
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.push(*cell);
        }
        self.rows.push((row.rank, row.document, row.reply));
    }

    /// Says what is not in the store.
    pub fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// The store; without judgements it has no chunks.
    pub fn build(self) -> Store {
        let notes = self.notes;
        if self.rows.is_empty() {
            return Store {
                notes,
                ..Store::default()
            };
        }
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_by_key(|&row| self.rows[row].0);
        let documents = self.rows.iter().filter_map(|row| row.1).max();
        let documents = documents.map_or(0, |last| last + 1);
        let named = |name: &str| self.columns.iter().any(|column| column.name() == name);
        let told = self.of_documents.iter().filter(|(name, _)| !named(name));
        let of_documents = told.filter_map(|(name, column)| column.json(name, documents));
        let of_documents = of_documents.collect();
        let shown = self.columns.iter().filter(|column| column.is_shown());
        let index = Index {
            rows: order.len(),
            columns: shown.map(|column| column.json(&order)).collect(),
            of_documents,
            documents: order
                .iter()
                .map(|&row| position(self.rows[row].1))
                .collect(),
            replies: order
                .iter()
                .map(|&row| position(self.rows[row].2))
                .collect(),
            documents_per_chunk: DOCUMENTS_PER_CHUNK,
            replies_per_chunk: REPLIES_PER_CHUNK,
        };
        let json = serde_json::to_vec(&index).unwrap_or_default();
        let mut chunks = vec![Chunk {
            name: "index".to_owned(),
            gzip: gzip(&json),
        }];
        chunks.extend(self.documents.end());
        chunks.extend(self.replies.end());
        Store {
            chunks,
            judgements: order.len(),
            notes,
        }
    }
}
