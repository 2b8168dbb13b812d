//! \[17\] Exchange content: units of a text give way to units of other documents (thesis, Eq. 3.10).
//!
//! Finds no units. In the published data the donors are always the first documents of the metadata; here
//! they are drawn.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::donor::Donor;
use super::edit::{Change, NotApplicable};
use super::shortage::{enough, shortage};
use super::{About, Damaged, Intensity, Job, Passages, Refusal, Takes, Target, Work};
use crate::base::draw::Draw;
use crate::language::text::{Span, paragraphs};

/// \[17\] Passages are replaced by those of other documents (Eq. 3.10).
#[derive(Clone, Copy, Debug)]
pub struct ExchangeContent;

impl Work for ExchangeContent {
    type Settings = Passages;

    const ABOUT: About = About {
        usual: Some(Intensity::PerThousand {
            per_thousand: 1.0,
            bias: 2,
        }),
        takes: Takes::Passages,
        ..About::of("exchange-content", Some(17), Target::Coherence)
    };

    fn gives(passages: &Passages, text: &str) -> Vec<Span> {
        // A document that is not divided so has nothing to give.
        passages.of(text).unwrap_or_default()
    }

    fn perform(passages: &Passages, job: &mut Job<'_>) -> Result<Damaged, Refusal> {
        let text = job.subject.text;
        let units = passages.of(text)?;
        let (donors, seeded) = (job.donors(), job.seeded);
        let of_donor = |donor: &str| seeded(&[Self::ABOUT.name, donor]);
        job.make(units.len(), |operations, draw| {
            exchange(text, &units, operations, &donors, of_donor, draw)
        })
    }
}

/// Replaces `operations` of `units`, each by a unit of the same scope from a different one of `donors`,
/// among which the text's own document must not be. The lengths of the two units need not be alike.
///
/// `draw` ranks the donors by lots, and those that come first give. `seeded` gives each donor, by its id, a stream of
/// its own that chooses the unit, such as `Draw::new(seed, &["exchange", document, donor])`. So who gives what
/// depends neither on the order of the donors nor on those that come later. A donor's unit whose paragraphs all stand
/// in the text, as in another edition of the same book, is not given, however its lines are broken; a donor without
/// any other is passed over.
///
/// # Errors
/// When there are too few units, or too few donors that have a unit to give.
pub fn exchange(
    text: &str,
    units: &[Span],
    operations: usize,
    donors: &[Donor<'_>],
    seeded: impl Fn(&str) -> Draw,
    draw: &mut Draw,
) -> Result<Vec<Change>, NotApplicable> {
    enough(operations, "exchange", units.len(), "eligible unit")?;
    let own = Paragraphs::of(text);
    let lots = draw.lots();
    // A heap, because few of many donors come up.
    let ranks = donors
        .iter()
        .enumerate()
        .map(|(at, donor)| Reverse((lots.of(donor.id), donor.id, at)));
    let mut ranked: BinaryHeap<_> = ranks.collect();
    let mut ranked = std::iter::from_fn(|| {
        let Reverse((_, id, at)) = ranked.pop()?;
        Some((seeded(id), donors.get(at)?))
    });
    let mut changes = Vec::new();
    for number in draw.sample(units.len(), operations) {
        let unit = units[number];
        let given = ranked.by_ref().find_map(|(mut draw, donor)| {
            let others: Vec<&str> = donor
                .units
                .iter()
                .copied()
                .filter(|other| *other != unit.of(text) && !own.hold(other))
                .collect();
            draw.pick(&others).map(|&other| (other, donor.id))
        });
        let Some((new, donor)) = given else {
            return Err(shortage(
                operations,
                "exchange",
                operations,
                "eligible donor",
                changes.len(),
            ));
        };
        changes.push(Change::new(0, unit, new).taken_from(donor));
    }
    changes.sort_by_key(|change| change.span);
    for (operation, change) in changes.iter_mut().enumerate() {
        change.operation = operation;
    }
    Ok(changes)
}

/// What a text holds, each paragraph with single blanks for whatever stands between its words.
struct Paragraphs<'t> {
    whole: BTreeSet<String>,
    /// The words that paragraphs begin with, and those that they end with: most passages of other texts can be told by
    /// these without being read.
    first: BTreeSet<&'t str>,
    last: BTreeSet<&'t str>,
}

impl<'t> Paragraphs<'t> {
    fn of(text: &'t str) -> Self {
        let spans = paragraphs(text).into_iter();
        let ends = spans.filter_map(|paragraph| ends(paragraph.span.of(text)));
        let (first, last) = ends.unzip();
        Self {
            whole: read(text).collect(),
            first,
            last,
        }
    }

    /// Whether all paragraphs of a passage are among them.
    fn hold(&self, passage: &str) -> bool {
        let known =
            |(first, last): (&str, &str)| self.first.contains(first) && self.last.contains(last);
        ends(passage).is_none_or(known)
            && read(passage).all(|paragraph| self.whole.contains(&paragraph))
    }
}

/// The first word of a text and its last one, without byte order marks, which are blanks around a paragraph.
fn ends(text: &str) -> Option<(&str, &str)> {
    let is_blank = |letter: char| letter.is_whitespace() || letter == '\u{feff}';
    let mut words = text.trim_matches(is_blank).split_whitespace();
    let first = words.next()?;
    let last = words.next_back().unwrap_or(first);
    Some((first.trim_matches(is_blank), last.trim_matches(is_blank)))
}

fn read(text: &str) -> impl Iterator<Item = String> {
    paragraphs(text).into_iter().map(|paragraph| {
        let words: Vec<&str> = paragraph.span.of(text).split_whitespace().collect();
        words.join(" ")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::manipulate::edit::apply;
    use crate::language::manipulate::testing::paragraphs;

    const TEXT: &str = "a\n\nb\n\n\nc\n\nd";

    fn exchanged(
        donors: &[Donor<'_>],
        operations: usize,
        seed: u64,
    ) -> Result<Vec<Change>, NotApplicable> {
        let seeded = |donor: &str| Draw::new(seed, &["exchange", "JM-0", donor]);
        let mut draw = Draw::new(seed, &["exchange", "JM-0"]);
        exchange(
            TEXT,
            &paragraphs(TEXT),
            operations,
            donors,
            seeded,
            &mut draw,
        )
    }

    fn donors() -> Vec<Donor<'static>> {
        ["JM-1", "JM-2", "JM-3", "JM-4", "JM-5"]
            .into_iter()
            .map(|id| Donor {
                id,
                units: &["one", "two", "three"],
            })
            .collect()
    }

    #[test]
    fn each_unit_comes_from_another_donor() {
        for seed in 0..20 {
            let changes = exchanged(&donors(), 4, seed).unwrap();
            let sources: std::collections::BTreeSet<_> =
                changes.iter().map(|change| change.source.clone()).collect();
            assert_eq!(sources.len(), 4);
            let (text, edits) = apply(TEXT, changes).unwrap();
            assert_eq!(text.split("\n\n").count(), 4);
            assert!(
                edits
                    .iter()
                    .all(|edit| edit.source.is_some() && edit.new.len() >= 3)
            );
        }
    }

    #[test]
    fn the_order_of_the_donors_does_not_matter() {
        let mut other = donors();
        other.reverse();
        for seed in 0..20 {
            assert_eq!(exchanged(&donors(), 3, seed), exchanged(&other, 3, seed));
        }
    }

    #[test]
    fn donors_that_come_later_do_not_matter() {
        for seed in 0..20 {
            let changes = exchanged(&donors(), 2, seed).unwrap();
            let used: Vec<Donor<'_>> = donors()
                .into_iter()
                .filter(|donor| {
                    changes
                        .iter()
                        .any(|change| change.source.as_deref() == Some(donor.id))
                })
                .collect();
            assert_eq!(used.len(), 2);
            assert_eq!(exchanged(&used, 2, seed).unwrap(), changes);
        }
    }

    #[test]
    fn every_donor_may_come_first() {
        let seen: std::collections::BTreeSet<_> = (0..80)
            .map(|seed| exchanged(&donors(), 1, seed).unwrap()[0].source.clone())
            .collect();
        assert_eq!(seen.len(), 5);
    }

    #[test]
    fn a_donor_that_would_change_nothing_is_passed_over() {
        let same = Donor {
            id: "JM-6",
            units: &["a", "a"],
        };
        let none = Donor {
            id: "JM-7",
            units: &[],
        };
        let given = [same, none, donors()[0]];
        for seed in 0..20 {
            for change in exchanged(&given, 1, seed).unwrap() {
                assert_ne!(change.span.of(TEXT), change.new);
                assert_ne!(change.source.as_deref(), Some("JM-7"));
            }
        }
    }

    #[test]
    fn what_the_text_already_holds_is_not_put_in() {
        let edition = Donor {
            id: "JM-8",
            units: &["b", "c\n\nd", "d\n\nnew", "  a", "\u{feff}b\n\n\u{feff}c"],
        };
        for seed in 0..20 {
            let changes = exchanged(&[edition], 1, seed).unwrap();
            assert_eq!(changes[0].new, "d\n\nnew");
        }
        let same = Donor {
            units: &["b", "c"],
            ..edition
        };
        assert!(exchanged(&[same], 1, 0).is_err());
    }

    #[test]
    fn only_donors_that_come_up_have_a_stream_of_their_own() {
        let ids: Vec<String> = (0..2_000).map(|number| format!("JM-{number:04}")).collect();
        let donors: Vec<Donor<'_>> = ids
            .iter()
            .map(|id| Donor {
                id,
                units: &["one", "two"],
            })
            .collect();
        let drawn = std::cell::Cell::new(0);
        let seeded = |donor: &str| {
            drawn.set(drawn.get() + 1);
            Draw::new(3, &["exchange", "JM-0", donor])
        };
        let draw = &mut Draw::new(3, &["exchange", "JM-0"]);
        let changes = exchange(TEXT, &paragraphs(TEXT), 3, &donors, seeded, draw).unwrap();
        assert_eq!(changes.len(), 3);
        assert_eq!(drawn.get(), 3);
    }

    #[test]
    fn a_passage_is_read_only_where_its_first_and_last_words_are_known() {
        let own = Paragraphs::of("\u{feff}One two.\n\nThree\tfour five.");
        for held in [
            "One  two.",
            "Three four\nfive.\n\n\u{feff}One two.",
            "\u{feff}",
            "",
        ] {
            assert!(own.hold(held), "{held:?}");
        }
        for new in ["One five.", "One new two.", "Three", "two. One"] {
            assert!(!own.hold(new), "{new:?}");
        }
    }

    #[test]
    fn too_few_units_or_donors_are_said() {
        assert_eq!(
            exchanged(&donors(), 5, 0).unwrap_err().0,
            "5 exchanges need 5 eligible units, and there are 4"
        );
        assert_eq!(
            exchanged(&donors()[..2], 3, 0).unwrap_err().0,
            "3 exchanges need 3 eligible donors, and there are 2"
        );
    }
}
