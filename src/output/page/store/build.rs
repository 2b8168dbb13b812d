//! Putting a store together.

use std::collections::BTreeMap;
use std::io;

use indexmap::IndexMap;

use super::keep::Keep;
use super::kept::Kept;
use super::of_documents::OfDocuments;
use super::packing::{Known, gzip, known};
use super::replies::Replies;
use super::rows::Rows;
use super::shelf::Shelf;
use super::{Column, Document, Earlier, Packed, Row, Store};
use crate::base::key::Digest;

/// Documents are long, but for those that are told by their edits.
const DOCUMENTS_PER_CHUNK: usize = 16;

/// A store in the making.
#[derive(Debug)]
pub struct Builder<K = Vec<u8>> {
    rows: Rows,
    documents: Shelf,
    /// The first document without edits of each text.
    texts: BTreeMap<Known, u32>,
    /// What is known of documents, by the names of columns.
    of_documents: IndexMap<String, OfDocuments>,
    replies: Replies,
    notes: Vec<String>,
    kept: Kept<K>,
}

impl<K: Keep> Builder<K> {
    /// An empty store whose rows have these columns, and whose chunks go to `keep`; what is the same in an earlier store is
    /// taken from there.
    pub fn new(columns: Vec<Column>, keep: K, earlier: Option<Earlier<K>>) -> Self {
        Self {
            rows: Rows::new(columns),
            documents: Shelf::new("documents", DOCUMENTS_PER_CHUNK),
            texts: BTreeMap::new(),
            of_documents: IndexMap::new(),
            replies: Replies::new(),
            notes: Vec::new(),
            kept: Kept::new(keep, earlier),
        }
    }

    /// Puts a document in, unless an equal one is there, and hands back its position.
    pub fn document(&mut self, document: &Document<'_>) -> usize {
        let text = document.text.map(|text| text.known);
        let whole = text.filter(|_| document.edits.is_empty());
        let like = match &whole {
            Some(text) => self.texts.get(text).map(|&at| at as usize),
            None => document.before.filter(|_| text.is_some()),
        };
        // What a document is does not depend on which others are there.
        let mut all = document.json(None, None);
        all.extend(text.unwrap_or_default());
        let json = || {
            let text = document.text.filter(|_| like.is_none());
            document.json(text.map(|text| text.text), like)
        };
        let position = self.documents.put(&mut self.kept, known(&all), json);
        if let Some(text) = whole {
            let position = u32::try_from(position).unwrap_or(u32::MAX);
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

    /// Puts in what came of the next question of a judge, unless an equal reply of it is there, and hands back its position.
    pub fn reply(&mut self, reply: Option<&Packed>) -> Option<usize> {
        self.replies.put(reply, &mut self.kept)
    }

    /// Ends the replies of a judge, which were made from this, if nothing of it was missing.
    pub fn end_judge(&mut self, made_from: Option<Digest>) {
        self.replies.end_judge(made_from, &mut self.kept);
    }

    /// Whether an earlier store has the replies of a judge that were made from this.
    pub fn has_replies(&mut self, made_from: &Digest) -> bool {
        let earlier = self.kept.earlier();
        earlier.is_some_and(|earlier| earlier.has(made_from))
    }

    /// Takes all replies of a judge that was asked so much from an earlier store, and hands back the position of what came of
    /// each question; nothing, where they are not there.
    pub fn take_over(&mut self, made_from: Digest, questions: usize) -> Option<Vec<Option<usize>>> {
        self.replies.take_over(made_from, questions, &mut self.kept)
    }

    /// Adds a judgement.
    pub fn row(&mut self, row: Row<'_>) {
        self.rows.push(row, &mut self.kept);
    }

    /// Says what is not in the store.
    pub fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// The store, and what keeps its chunks; without judgements there are none.
    ///
    /// # Errors
    /// When some could not be kept.
    pub fn build(self) -> io::Result<(Store, K)> {
        let (notes, mut kept) = (self.notes, self.kept);
        // What rows have a column of is told by that.
        let mut told = self.of_documents;
        told.retain(|name, _| !self.rows.named(name));
        let rows = self.rows.end(&mut kept);
        if rows.count == 0 {
            let store = Store {
                notes,
                ..Store::default()
            };
            return Ok((store, kept.end()?));
        }
        let told = told.iter();
        let told: Vec<_> = told
            .filter_map(|(name, column)| column.json(name, rows.documents))
            .collect();
        let index = rows.index(&told, [DOCUMENTS_PER_CHUNK, Replies::per_chunk()]);
        let json = serde_json::to_vec(&index).unwrap_or_default();
        let mut chunks = vec![kept.put("index".to_owned(), &gzip(&json))];
        chunks.extend(rows.chunks);
        chunks.extend(self.documents.end(&mut kept));
        let (replies, judges) = self.replies.all(&mut kept);
        chunks.extend(replies);
        let store = Store {
            chunks,
            judgements: rows.count,
            judges,
            notes,
            ..Store::default()
        };
        Ok((store, kept.end()?))
    }
}
