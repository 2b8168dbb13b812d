//! \[13\] Insert content: units of another document are put between those of a text (thesis, Eq. A.1).
//!
//! Finds no units and chooses no donor.

use super::donor::Donor;
use super::edit::{Change, NotApplicable};
use super::gap::paragraph_break;
use super::shortage::enough;
use super::{About, Damaged, Intensity, Job, Passages, Refusal, Takes, Target, Work};
use crate::base::draw::{Draw, Lots};
use crate::language::text::Span;

/// \[13\] Passages of another document are put in (Eq. A.1).
#[derive(Clone, Copy, Debug)]
pub struct InsertContent;

impl Work for InsertContent {
    type Settings = Passages;

    const ABOUT: About = About {
        usual: Some(Intensity::Count(2)),
        takes: Takes::Passages,
        ..About::of("insert-content", Some(13), Target::Coherence)
    };

    fn gives(passages: &Passages, text: &str) -> Vec<Span> {
        // A document that is not divided so has nothing to give.
        passages.of(text).unwrap_or_default()
    }

    fn perform(passages: &Passages, job: &mut Job<'_>) -> Result<Damaged, Refusal> {
        let text = job.subject.text;
        let units = passages.of(text)?;
        let donors = job.donors();
        job.make(units.len(), |operations, draw| {
            let donor = giver(&donors, operations, draw.lots())?;
            insert(text, &units, operations, donor, draw)
        })
    }
}

/// Inserts `operations` different units of `donor`, each at a different place: after one of `units` or
/// before the first of them, all equally likely, with an empty line between. The order of the
/// donor's units is random.
///
/// # Errors
/// When the donor has too few units, or the text too few places.
pub fn insert(
    text: &str,
    units: &[Span],
    operations: usize,
    donor: Donor<'_>,
    draw: &mut Draw,
) -> Result<Vec<Change>, NotApplicable> {
    enough(
        operations,
        "insertion",
        donor.units.len(),
        "eligible donor unit",
    )?;
    let places = if units.is_empty() { 0 } else { units.len() + 1 };
    enough(operations, "insertion", places, "insertion place")?;
    let delimiter = paragraph_break(text);
    let given = draw.sample(donor.units.len(), operations);
    let chosen = draw.some(places, operations);
    Ok(chosen
        .into_iter()
        .zip(given)
        .enumerate()
        .map(|(operation, (place, given))| {
            let given = donor.units[given];
            let change = match place.checked_sub(1) {
                Some(before) => {
                    let end = units[before].end;
                    Change::new(
                        operation,
                        Span::new(end, end),
                        format!("{delimiter}{given}"),
                    )
                }
                None => {
                    let start = units[0].start;
                    Change::new(
                        operation,
                        Span::new(start, start),
                        format!("{given}{delimiter}"),
                    )
                }
            };
            change.taken_from(donor.id)
        })
        .collect())
}

/// The document that is taken from: of those with enough to give, the one that is drawn first.
fn giver<'d>(
    donors: &[Donor<'d>],
    operations: usize,
    lots: Lots,
) -> Result<Donor<'d>, NotApplicable> {
    donors
        .iter()
        .filter(|donor| donor.units.len() >= operations)
        .min_by_key(|donor| (lots.of(donor.id), donor.id))
        .copied()
        .ok_or_else(|| {
            NotApplicable(format!(
                "no other document has {operations} passages to give"
            ))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::manipulate::edit::apply;
    use crate::language::manipulate::testing::paragraphs;

    const DONOR: Donor<'static> = Donor {
        id: "JM-2",
        units: &["x", "y", "z"],
    };

    fn inserted(text: &str, operations: usize, seed: u64) -> Result<String, NotApplicable> {
        let mut draw = Draw::new(seed, &["insert"]);
        let changes = insert(text, &paragraphs(text), operations, DONOR, &mut draw)?;
        assert!(
            changes
                .iter()
                .all(|change| change.source.as_deref() == Some("JM-2"))
        );
        Ok(apply(text, changes).unwrap().0)
    }

    #[test]
    fn every_unit_may_come_to_every_place() {
        let text = "TITLE\n\n\n  a\n\nb\n";
        let units = &paragraphs(text)[1..];
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..120 {
            let changes = insert(text, units, 1, DONOR, &mut Draw::new(seed, &[])).unwrap();
            seen.insert(
                apply(text, changes)
                    .unwrap()
                    .0
                    .replace(['x', 'y', 'z'], "?"),
            );
        }
        assert_eq!(
            seen.into_iter().collect::<Vec<_>>(),
            [
                "TITLE\n\n\n  a\n\n?\n\nb\n",
                "TITLE\n\n\n  a\n\nb\n\n?\n",
                "TITLE\n\n\n?\n\n  a\n\nb\n"
            ]
        );
    }

    #[test]
    fn no_unit_and_no_place_is_used_twice() {
        for seed in 0..20 {
            let result = inserted("a\r\n\r\nb", 3, seed).unwrap();
            let mut parts: Vec<&str> = result.split("\r\n\r\n").collect();
            assert_eq!((parts[1], parts[3]), ("a", "b"));
            parts.sort_unstable();
            assert_eq!(parts, ["a", "b", "x", "y", "z"]);
        }
    }

    #[test]
    fn too_few_units_or_places_are_said() {
        let many = "a\n\n".repeat(9);
        for (text, operations, sentence) in [
            (
                many.as_str(),
                4,
                "4 insertions need 4 eligible donor units, and there are 3",
            ),
            (
                "a",
                3,
                "3 insertions need 3 insertion places, and there are 2",
            ),
            (
                "",
                1,
                "1 insertion needs 1 insertion place, and there is none",
            ),
        ] {
            assert_eq!(inserted(text, operations, 0).unwrap_err().0, sentence);
        }
    }
}
