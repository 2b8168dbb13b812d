//! What a manipulation takes from other documents: passages, hay, or the whole of what was cut.

use std::collections::BTreeMap;

use crate::base::failure::Failure;
use crate::base::wording::count;
use crate::frame::Frame;
use crate::language::manipulate::{Donor, HayDonor, HayDonors, Others, Recipe, Takes};
use crate::language::text::Span;
use crate::stage::rows::each;

/// What a manipulation takes from another stage.
#[derive(Default)]
pub(super) struct Giving {
    /// The documents, by id; of one that stands in several rows, all its texts.
    documents: Vec<(String, Vec<String>)>,
    /// What each text can give.
    spans: Vec<Vec<Vec<Span>>>,
    /// Shortened documents are filled up from these.
    wholes: bool,
}

impl Giving {
    pub(super) fn new(recipe: &Recipe, other: &Frame, wholes: bool) -> Result<Self, Failure> {
        let takes = recipe.settings.takes();
        let wholes = wholes && takes == Takes::Wholes;
        let donors = matches!(takes, Takes::Passages | Takes::Hay);
        let mut documents: BTreeMap<String, Vec<String>> = BTreeMap::new();
        if donors || wholes {
            let (ids, texts) = (other.column("doc_id")?, other.column("text")?);
            for row in 0..other.rows() {
                if let (Some(id), Some(text)) = (ids.text(row), texts.text(row)) {
                    let texts = documents.entry(id.into_owned()).or_default();
                    texts.push(text.into_owned());
                }
            }
        }
        let whole = wholes || takes == Takes::Hay;
        if let Some((id, texts)) = documents.iter().find(|(_, texts)| whole && texts.len() > 1) {
            return Err(Failure::new(format!(
                "whole documents are needed, and `{id}` is in {}",
                count(texts.len(), "row")
            ))
            .hint("name a stage with one row per document"));
        }
        let documents: Vec<(String, Vec<String>)> = documents.into_iter().collect();
        let spans = if donors {
            each(documents.len(), |at| {
                let texts = documents[at].1.iter();
                texts.map(|text| recipe.settings.gives(text)).collect()
            })
        } else {
            Vec::new()
        };
        Ok(Self {
            documents,
            spans,
            wholes,
        })
    }

    /// The passages of each document.
    pub(super) fn passages(&self) -> Vec<Vec<&str>> {
        let documents = self.documents.iter().zip(&self.spans);
        documents
            .map(|((_, texts), spans)| {
                let texts = texts.iter().zip(spans);
                texts
                    .flat_map(|(text, spans)| spans.iter().map(|span| span.of(text)))
                    .collect()
            })
            .collect()
    }

    pub(super) fn others<'g>(
        &'g self,
        recipe: &Recipe,
        passages: &'g [Vec<&'g str>],
    ) -> Others<'g> {
        let documents = self.documents.iter();
        match recipe.settings.takes() {
            Takes::Nothing | Takes::Wholes => Others::Nothing,
            Takes::Hay => {
                let donors = documents.zip(&self.spans);
                let donors = donors.filter_map(|((id, texts), spans)| {
                    Some(HayDonor {
                        id,
                        text: texts.first()?,
                        sentences: spans.first()?,
                    })
                });
                Others::Hay(HayDonors::new(donors.collect()))
            }
            Takes::Passages => {
                let donors = documents.zip(passages);
                Others::Passages(donors.map(|((id, _), units)| Donor { id, units }).collect())
            }
        }
    }

    /// The whole document whose beginning `text` is.
    pub(super) fn whole(&self, id: &str, text: &str) -> Result<Option<&str>, Failure> {
        if !self.wholes {
            return Ok(None);
        }
        let found = self
            .documents
            .binary_search_by(|(known, _)| known.as_str().cmp(id))
            .ok()
            .and_then(|at| self.documents[at].1.first());
        let message = match found {
            Some(whole) if whole.starts_with(text) => return Ok(Some(whole)),
            Some(_) => format!(
                "the text of `{id}` is not the beginning of the document in the stage to fill from"
            ),
            None => format!("the stage to fill from has no document `{id}`"),
        };
        Err(Failure::new(message).hint("name the stage that was truncated in `fill`"))
    }
}
