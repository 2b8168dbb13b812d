//! \[14\] Repeat content: units of a text are said again (thesis, Eq. A.2).
//!
//! Finds no units.

use std::num::NonZeroU8;

use serde::Serialize;

use super::edit::{Change, NotApplicable};
use super::gap::paragraph_break;
use super::shortage::enough;
use super::{About, Damaged, Intensity, Job, Passages, Refusal, Target, Work};
use crate::base::draw::Draw;
use crate::language::text::Span;

/// \[14\] Passages are repeated (Eq. A.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct RepeatContent(pub Passages);

impl Work for RepeatContent {
    type Settings = Self;

    const ABOUT: About = About {
        usual: Some(Intensity::Count(2)),
        ..About::of("repeat-content", Some(14), Target::Coherence)
    };

    fn perform(Self(passages): &Self, job: &mut Job<'_>) -> Result<Damaged, Refusal> {
        let text = job.subject.text;
        let units = passages.of(text)?;
        let times = u8::try_from(passages.times).unwrap_or(u8::MAX);
        let times = NonZeroU8::new(times).unwrap_or(NonZeroU8::MIN);
        job.make(units.len(), |operations, draw| {
            repeat(text, &units, operations, times, draw)
        })
    }
}

/// Repeats `operations` of `units`, the eligible paragraphs, sections or chapters, each `times` times
/// right after itself, with an empty line between. One operation is one insertion.
///
/// # Errors
/// When there are too few units.
pub fn repeat(
    text: &str,
    units: &[Span],
    operations: usize,
    times: NonZeroU8,
    draw: &mut Draw,
) -> Result<Vec<Change>, NotApplicable> {
    enough(operations, "repetition", units.len(), "eligible unit")?;
    let delimiter = paragraph_break(text);
    let chosen = draw.some(units.len(), operations);
    Ok(chosen
        .into_iter()
        .enumerate()
        .map(|(operation, number)| {
            let unit = units[number];
            let again = format!("{delimiter}{}", unit.of(text));
            Change::new(
                operation,
                Span::new(unit.end, unit.end),
                again.repeat(usize::from(times.get())),
            )
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::manipulate::edit::apply;
    use crate::language::manipulate::testing::paragraphs;

    fn repeated(
        text: &str,
        operations: usize,
        times: u8,
        seed: u64,
    ) -> Result<String, NotApplicable> {
        let mut draw = Draw::new(seed, &["repeat"]);
        let times = NonZeroU8::new(times).unwrap();
        let changes = repeat(text, &paragraphs(text), operations, times, &mut draw)?;
        Ok(apply(text, changes).unwrap().0)
    }

    #[test]
    fn a_unit_is_repeated_after_itself() {
        let text = "a\n\n\nb\n\nc\n";
        let seen: std::collections::BTreeSet<String> = (0..40)
            .map(|seed| repeated(text, 1, 2, seed).unwrap())
            .collect();
        assert_eq!(
            seen.into_iter().collect::<Vec<_>>(),
            [
                "a\n\n\nb\n\nb\n\nb\n\nc\n",
                "a\n\n\nb\n\nc\n\nc\n\nc\n",
                "a\n\na\n\na\n\n\nb\n\nc\n"
            ]
        );
        assert_eq!(
            repeated(text, 3, 1, 0).unwrap(),
            "a\n\na\n\n\nb\n\nb\n\nc\n\nc\n"
        );
    }

    #[test]
    fn a_repeated_passage_keeps_its_indentation() {
        assert_eq!(
            repeated("  a\n  b\n", 1, 1, 0).unwrap(),
            "  a\n  b\n\n  a\n  b\n"
        );
    }

    #[test]
    fn too_few_units_are_said() {
        assert_eq!(
            repeated("a", 2, 1, 0).unwrap_err().0,
            "2 repetitions need 2 eligible units, and there is only 1"
        );
    }
}
