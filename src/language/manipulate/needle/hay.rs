//! Random hay: which other document lends its sentences.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{Room, prose};
use crate::base::draw::Draw;
use crate::base::wording::count;
use crate::language::manipulate::edit::NotApplicable;
use crate::language::text::Span;

/// A document whose sentences may serve as hay.
#[derive(Clone, Copy, Debug)]
pub struct Donor<'d> {
    /// Its id.
    pub id: &'d str,
    /// Its text.
    pub text: &'d str,
    /// Its sentences, headings too.
    pub sentences: &'d [Span],
}

/// A document that hay is taken from.
#[derive(Clone, Debug)]
pub struct Source<'d> {
    pub(super) id: &'d str,
    pub(super) text: &'d str,
    /// Its sentences without the headings.
    pub(super) sentences: Vec<Span>,
}

/// The documents that may serve as hay, the longest first.
#[derive(Debug)]
pub struct Donors<'d> {
    by_length: Vec<Source<'d>>,
    places: BTreeMap<&'d str, usize>,
}

impl<'d> Donors<'d> {
    /// Any documents, in any order; ids are taken to be different.
    pub fn new(documents: Vec<Donor<'d>>) -> Self {
        let sources = documents.into_iter().map(|donor| Source {
            id: donor.id,
            text: donor.text,
            sentences: prose(donor.text, donor.sentences),
        });
        let mut documents: Vec<Source<'d>> = sources.collect();
        documents.sort_by_key(|donor| (Reverse(donor.sentences.len()), donor.id));
        let places = documents
            .iter()
            .enumerate()
            .map(|(place, donor)| (donor.id, place))
            .collect();
        Self {
            by_length: documents,
            places,
        }
    }

    /// A donor for the document `id` of at most `sentences` sentences, headings not counted: each other document that is long enough
    /// for any needle [`find`](super::find) can choose is equally likely, just as if one drew until one
    /// is long enough.
    ///
    /// So one document has the same donor for all needles and positions, and a long document has only
    /// long donors. Other documents do matter here: with one more or one less the draw may differ.
    ///
    /// # Errors
    /// When no other document is long enough.
    pub fn draw(
        &self,
        id: &str,
        sentences: usize,
        room: Room,
        draw: &mut Draw,
    ) -> Result<&Source<'d>, NotApplicable> {
        let needed = room.needed(sentences);
        let long = self
            .by_length
            .partition_point(|donor| donor.sentences.len() >= needed);
        let own = self.places.get(id).copied().filter(|&own| own < long);
        let others = long - usize::from(own.is_some());
        let drawn = draw.below(others);
        let place = drawn + usize::from(own.is_some_and(|own| drawn >= own));
        self.by_length[..long].get(place).ok_or_else(|| {
            NotApplicable(format!(
                "no other document has the {} that random hay at the same place needs",
                count(needed, "sentence"),
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::manipulate::needle::Position;

    const NOTHING: [Span; 60] = [Span { start: 0, end: 0 }; 60];

    fn donor(id: &'static str, sentences: usize) -> Donor<'static> {
        Donor {
            id,
            text: "",
            sentences: &NOTHING[..sentences],
        }
    }

    fn drawn(donors: &Donors<'_>, id: &str, sentences: usize, seed: u64) -> Option<String> {
        let mut draw = Draw::new(seed, &[id]);
        let donor = donors.draw(id, sentences, Room::default(), &mut draw);
        donor.ok().map(|donor| donor.id.to_owned())
    }

    #[test]
    fn only_other_documents_that_are_long_enough_are_drawn_and_all_of_them() {
        let donors = Donors::new(vec![
            donor("short", 33),
            donor("just", 34),
            donor("own", 40),
            donor("long", 60),
        ]);
        let mut seen: Vec<String> = (0..50)
            .filter_map(|seed| drawn(&donors, "own", 40, seed))
            .collect();
        assert_eq!(seen.len(), 50);
        seen.sort();
        seen.dedup();
        assert_eq!(seen, ["just", "long"]);
    }

    #[test]
    fn the_order_of_the_documents_is_irrelevant() {
        let one = Donors::new(vec![donor("a", 40), donor("b", 40), donor("c", 50)]);
        let other = Donors::new(vec![donor("c", 50), donor("b", 40), donor("a", 40)]);
        for seed in 0..20 {
            assert_eq!(drawn(&one, "a", 40, seed), drawn(&other, "a", 40, seed));
        }
    }

    #[test]
    fn the_longest_document_may_have_no_donor() {
        let donors = Donors::new(vec![donor("own", 60), donor("other", 40)]);
        let draw = &mut Draw::new(1, &[]);
        let refused = donors.draw("own", 60, Room::default(), draw).err();
        assert_eq!(
            refused.map(|reason| reason.0).as_deref(),
            Some("no other document has the 44 sentences that random hay at the same place needs")
        );
        let none = Donors::new(Vec::new());
        let room = Room {
            widest: Position {
                before: 0,
                after: 0,
            },
            scan: 0,
        };
        assert!(none.draw("own", 0, room, draw).is_err());
    }
}
