//! What was exchanged in documents of task 17, told from the texts.
//!
//! The task puts paragraphs of other gold documents in the place of a document's own. Its metadata
//! repeats those documents whole, is too large for the repository and missing there, but paragraph for
//! paragraph the texts say all: which differs from gold, and where else it stands.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::base::wording::count;

/// The task's number.
pub(super) const TASK: &str = "17";

/// Where paragraphs stand in the gold documents of one length.
#[derive(Debug, Default)]
pub(super) struct Donors {
    places: BTreeMap<[u8; 32], Vec<(String, usize)>>,
}

/// What can be told about a document.
pub(super) struct Exchanged {
    /// Of each paragraph that came in: its index, the place of what it replaces in the gold text (in
    /// characters), and the document and index it comes from.
    pub(super) exchanges: Value,
    /// The places again, as the other tasks' metadata has them.
    pub(super) spans: Value,
    /// How many came from no gold document that there is.
    pub(super) unknown: usize,
}

impl Donors {
    /// Adds a gold document; documents added first are found first.
    pub(super) fn add(&mut self, doc_id: &str, text: &str) {
        for (index, paragraph) in text.split("\n\n").enumerate() {
            let places = self.places.entry(digest(paragraph)).or_default();
            places.push((doc_id.to_owned(), index));
        }
    }

    /// What was exchanged in a document.
    ///
    /// # Errors
    /// Why that cannot be told.
    pub(super) fn diff(&self, doc_id: &str, gold: &str, text: &str) -> Result<Exchanged, String> {
        let [before, after] = [gold, text].map(|text| text.split("\n\n").count());
        if before != after {
            return Err(format!(
                "it has {}, and the gold text has {before}",
                count(after, "paragraph")
            ));
        }
        let mut start = 0;
        let mut found = Exchanged {
            exchanges: json!([]),
            spans: json!([]),
            unknown: 0,
        };
        for (index, (own, now)) in gold.split("\n\n").zip(text.split("\n\n")).enumerate() {
            let end = start + own.chars().count();
            if own != now {
                let places = self.places.get(&digest(now));
                let donor = places
                    .into_iter()
                    .flatten()
                    .find(|(donor, _)| donor != doc_id);
                found.unknown += usize::from(donor.is_none());
                push(&mut found.spans, json!([start, end]));
                let exchange = json!({
                    "paragraph": index,
                    "gold_char_span": [start, end],
                    "donor_doc_id": donor.map(|(doc_id, _)| doc_id),
                    "donor_paragraph": donor.map(|(_, index)| index),
                });
                push(&mut found.exchanges, exchange);
            }
            start = end + 2;
        }
        Ok(found)
    }
}

fn push(list: &mut Value, item: Value) {
    if let Value::Array(items) = list {
        items.push(item);
    }
}

fn digest(paragraph: &str) -> [u8; 32] {
    *blake3::hash(paragraph.as_bytes()).as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exchange_names_the_place_and_the_donor() {
        let mut donors = Donors::default();
        donors.add("a", "Ä.\n\nOwn.\n\nLast.");
        donors.add("b", "First of b.\n\nSecond of b.");
        let found = donors
            .diff(
                "a",
                "Ä.\n\nOwn.\n\nLast.",
                "Ä.\n\nSecond of b.\n\nFrom nowhere.",
            )
            .unwrap();
        assert_eq!(found.spans, json!([[4, 8], [10, 15]]));
        assert_eq!(
            found.exchanges,
            json!([
                {"paragraph": 1, "gold_char_span": [4, 8], "donor_doc_id": "b", "donor_paragraph": 1},
                {"paragraph": 2, "gold_char_span": [10, 15], "donor_doc_id": null, "donor_paragraph": null},
            ])
        );
        assert_eq!(found.unknown, 1);
    }

    #[test]
    fn texts_of_different_numbers_of_paragraphs_cannot_be_compared() {
        let error = Donors::default().diff("a", "One.\n\nTwo.", "One.").err();
        assert_eq!(
            error.as_deref(),
            Some("it has 1 paragraph, and the gold text has 2")
        );
    }
}
