//! Which sentence becomes the needle: the middle one, or one near it that can be altered.

use super::{Needle, Position, prose};
use crate::base::draw::Draw;
use crate::base::wording::count;
use crate::language::manipulate::edit::{Change, NotApplicable};
use crate::language::text::Annotations;

/// Where a needle may be looked for, the same for all positions of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// The most sentences that any position of the experiment has before the needle and after it; the
    /// needle's own document must have as many around it.
    pub widest: Position,
    /// How many sentences above and below the middle are tried when the middle one cannot be altered.
    pub scan: usize,
}

/// The paper's: positions up to (9, 9), five sentences above and below.
impl Default for Room {
    fn default() -> Self {
        Self {
            widest: Position {
                before: 9,
                after: 9,
            },
            scan: 5,
        }
    }
}

impl Room {
    /// The places of a document of `sentences` sentences to be tried, counted from 1: the middle one,
    /// then the one above, the one below, the second above and so on, without those too near to an
    /// end of the document.
    fn places(self, sentences: usize) -> impl Iterator<Item = usize> {
        let middle = sentences.div_ceil(2);
        let last = sentences.saturating_sub(self.widest.after);
        (0..=self.scan)
            .take_while(move |&away| away < sentences)
            .flat_map(move |away| {
                let above = middle.checked_sub(away);
                let below = (away > 0).then(|| middle.saturating_add(away));
                above.into_iter().chain(below)
            })
            .filter(move |&place| place > self.widest.before && place <= last)
    }

    /// How many sentences another document must have so that every needle [`find`] can choose in a
    /// document of `sentences` sentences finds as many after its place there.
    pub(super) fn needed(self, sentences: usize) -> usize {
        let last = self.places(sentences).max().unwrap_or(sentences);
        last.saturating_add(self.widest.after)
    }
}

/// An altered sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Which sentence of the document it is, headings not counted, from 1 (the paper's m).
    pub index: usize,
    /// The changes, counted in the document.
    pub changes: Vec<Change>,
}

/// Chooses and alters a sentence of a document. The draw is used only for the sentence that is
/// altered in the end.
///
/// # Errors
/// When the document is too short for [`Room`], or no sentence that is tried can be altered: the
/// paper then takes the next document.
pub fn find(
    text: &str,
    annotations: &Annotations,
    needle: Needle,
    room: Room,
    draw: &mut Draw,
) -> Result<Found, NotApplicable> {
    let sentences = prose(text, &annotations.sentences);
    let mut tried = 0;
    for index in room.places(sentences.len()) {
        tried += 1;
        let Some(&sentence) = sentences.get(index - 1) else {
            continue;
        };
        if let Some(changes) = needle.alter(text, annotations, sentence, draw) {
            return Ok(Found { index, changes });
        }
    }
    let Position { before, after } = room.widest;
    let reason = if tried == 0 {
        format!(
            "no sentence near the middle has {} before it and {} after it: the document has {}",
            count(before, "sentence"),
            count(after, "sentence"),
            count(sentences.len(), "sentence"),
        )
    } else {
        let wants = needle.wants();
        match tried {
            1 => format!("the middle sentence lacks {wants}"),
            _ => format!("none of the {tried} middle sentences has {wants}"),
        }
    };
    Err(NotApplicable(reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(sentences: usize, before: usize, after: usize, scan: usize) -> Vec<usize> {
        let widest = Position { before, after };
        Room { widest, scan }.places(sentences).collect()
    }

    #[test]
    fn the_middle_comes_first_and_then_what_is_nearest() {
        assert_eq!(places(41, 9, 9, 2), [21, 20, 22, 19, 23]);
        assert_eq!(places(40, 9, 9, 1), [20, 19, 21]);
        assert_eq!(places(1, 0, 0, 5), [1]);
    }

    #[test]
    fn forty_sentences_have_room_for_all_positions_of_the_paper() {
        assert_eq!(places(40, 9, 9, 5).len(), 11);
    }

    #[test]
    fn places_too_near_to_an_end_are_left_out() {
        assert_eq!(places(10, 4, 4, 5), [5, 6]);
        assert_eq!(places(10, 5, 5, 5), [0; 0]);
        assert_eq!(places(0, 0, 0, 5), [0; 0]);
        assert_eq!(places(3, 0, 0, usize::MAX), [2, 1, 3]);
    }

    #[test]
    fn a_donor_must_be_long_enough_for_the_last_place_tried() {
        assert_eq!(Room::default().needed(40), 25 + 9);
        assert_eq!(Room::default().needed(1000), 505 + 9);
    }
}
