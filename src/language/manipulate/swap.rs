//! \[11\] Swap content: units of a text change places (thesis, Eq. 3.8).
//!
//! Finds no units, and does not look at what they say beyond whether two are the same.

use std::collections::BTreeMap;

use super::edit::{Change, NotApplicable};
use super::shortage::shortage;
use super::{About, Damaged, Intensity, Job, Passages, Refusal, Target, Work};
use crate::base::draw::Draw;
use crate::language::text::Span;

/// \[11\] Passages change places (Eq. 3.8).
#[derive(Clone, Copy, Debug)]
pub struct SwapContent;

impl Work for SwapContent {
    type Settings = Passages;

    const ABOUT: About = About {
        usual: Some(Intensity::Count(2)),
        ..About::of("swap-content", Some(11), Target::Coherence)
    };

    fn perform(passages: &Passages, job: &mut Job<'_>) -> Result<Damaged, Refusal> {
        let text = job.subject.text;
        let units = passages.of(text)?;
        job.make(units.len(), |operations, draw| {
            swap(text, &units, operations, draw)
        })
    }
}

/// Swaps `operations` pairs of `units`, the eligible paragraphs, sections or chapters. No unit is in two
/// swaps; two units that read the same are no pair, since nothing would change; what stands
/// between units stays. One operation is two changes.
///
/// # Errors
/// When there are not enough units for so many pairs of different texts.
pub fn swap(
    text: &str,
    units: &[Span],
    operations: usize,
    draw: &mut Draw,
) -> Result<Vec<Change>, NotApplicable> {
    let needed = operations.saturating_mul(2);
    if units.len() < needed {
        return Err(shortage(
            operations,
            "swap",
            needed,
            "eligible unit",
            units.len(),
        ));
    }
    // Of units that read the same at most one per pair is taken, and they are put beside one another;
    // then the two halves of the row, laid side by side, are pairs of different texts. Units
    // that are all different come in random order, so every pairing is equally likely.
    let mut groups: Vec<Vec<Span>> = Vec::new();
    let mut names = BTreeMap::new();
    let mut taken = 0;
    for number in draw.sample(units.len(), units.len()) {
        if taken == needed {
            break;
        }
        let unit = units[number];
        let name = *names.entry(unit.of(text).trim_start()).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        if groups[name].len() < operations {
            groups[name].push(unit);
            taken += 1;
        }
    }
    if taken < needed {
        return Err(NotApplicable(format!(
            "{}, since the others read the same",
            shortage(operations, "swap", needed, "eligible unit", taken).0
        )));
    }
    let row = groups.concat();
    let (left, right) = row.split_at(operations);
    let mut pairs: Vec<(Span, Span)> = left
        .iter()
        .zip(right)
        .map(|(&one, &other)| (one.min(other), one.max(other)))
        .collect();
    pairs.sort_unstable();
    Ok(pairs
        .into_iter()
        .enumerate()
        .flat_map(|(operation, (one, other))| {
            [
                Change::new(operation, one, other.of(text)),
                Change::new(operation, other, one.of(text)),
            ]
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::manipulate::edit::apply;
    use crate::language::manipulate::testing::paragraphs;

    fn swapped(text: &str, operations: usize, seed: u64) -> Result<String, NotApplicable> {
        let mut draw = Draw::new(seed, &["swap"]);
        let changes = swap(text, &paragraphs(text), operations, &mut draw)?;
        Ok(apply(text, changes).unwrap().0)
    }

    #[test]
    fn two_units_change_places_and_delimiters_stay() {
        assert_eq!(swapped("one\n\n\ntwo\n", 1, 0).unwrap(), "two\n\n\none\n");
    }

    #[test]
    fn a_passage_keeps_its_indentation() {
        let text = "PROEM\n\nprose\n\n    one line\n    another line\n";
        let units = crate::language::text::Scope::Paragraph
            .units(text, 0)
            .unwrap();
        let changes = swap(text, &units, 1, &mut Draw::new(0, &[])).unwrap();
        let (swapped, edits) = apply(text, changes).unwrap();
        assert_eq!(
            swapped,
            "PROEM\n\n    one line\n    another line\n\nprose\n"
        );
        assert!(
            edits
                .iter()
                .all(|edit| edit.before.of(text) == edit.original)
        );
    }

    #[test]
    fn no_unit_is_in_two_swaps() {
        let text = "a\n\nb\n\nc\n\nd\n\ne\n\nf\n\ng";
        for seed in 0..20 {
            let result = swapped(text, 3, seed).unwrap();
            let moved = result.split("\n\n").zip(text.split("\n\n"));
            assert_eq!(moved.filter(|(now, before)| now != before).count(), 6);
        }
    }

    #[test]
    fn every_pair_may_be_drawn() {
        let text = "a\n\nb\n\nc";
        let seen: std::collections::BTreeSet<String> = (0..60)
            .map(|seed| swapped(text, 1, seed).unwrap())
            .collect();
        assert_eq!(seen.len(), 3);
    }

    #[test]
    fn units_that_read_the_same_are_no_pair() {
        let text = "* * *\n\na\n\n* * *\n\nb\n\n* * *";
        for seed in 0..20 {
            let result = swapped(text, 2, seed).unwrap();
            let same = result.split("\n\n").zip(text.split("\n\n"));
            assert_eq!(same.filter(|(now, before)| now == before).count(), 1);
        }
        assert_eq!(
            swapped("x\n\nx\n\nx\n\nx\n\ny", 2, 0).unwrap_err().0,
            "2 swaps need 4 eligible units, and there are 3, since the others read the same"
        );
    }

    #[test]
    fn too_few_units_are_said() {
        assert_eq!(
            swapped("one\n\ntwo\n\nthree\n\nfour", 3, 0).unwrap_err().0,
            "3 swaps need 6 eligible units, and there are 4"
        );
        assert!(swapped("one", usize::MAX, 0).is_err());
    }
}
