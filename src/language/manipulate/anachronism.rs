//! \[24\] Temporal inconsistencies: statements of the 21st century at the ends of paragraphs (thesis,
//! Eq. 3.11).
//!
//! Finds no paragraphs, and does not check that a statement is out of place: in a text about our own
//! time it is none.

use serde::Serialize;

use super::closing::place_for_sentence;
use super::edit::{Change, NotApplicable};
use super::shortage::enough;
use super::{About, Damaged, Intensity, Job, Refusal, Target, Work, statements};
use crate::base::draw::Draw;
use crate::language::text::{Span, units};

/// \[24\] Sentences about things of the 21st century are added (Eq. 3.11).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TemporalInconsistencies {
    /// The fewest characters of a paragraph that takes part.
    pub min_characters: usize,
    /// The sentences to add; the built-in ones, if none are given.
    pub statements: Option<Vec<String>>,
}

impl Default for TemporalInconsistencies {
    fn default() -> Self {
        Self {
            min_characters: 50,
            statements: None,
        }
    }
}

impl Work for TemporalInconsistencies {
    type Settings = Self;

    const ABOUT: About = About {
        usual: Some(Intensity::PerThousand {
            per_thousand: 1.0,
            bias: 1,
        }),
        ..About::of("temporal-inconsistencies", Some(24), Target::Coherence)
    };

    fn perform(settings: &Self, job: &mut Job<'_>) -> Result<Damaged, Refusal> {
        let text = job.subject.text;
        let units = units(text, settings.min_characters);
        let statements: Vec<&str> = match &settings.statements {
            Some(own) => own.iter().map(String::as_str).collect(),
            None => statements::modern(),
        };
        job.make(units.len(), |operations, draw| {
            anachronism(text, &units, operations, &statements, draw)
        })
    }
}

/// Appends one of `statements` to `operations` of `units`, the eligible paragraphs, with one blank
/// before it. No statement comes twice before each has come once.
///
/// Only paragraphs that end a sentence are taken, so that the text stays grammatical (98 of 100 in the
/// published gold documents); one that breaks off after an initial or a title (`W.` before `Sombart`) does not.
/// The statement stands after closing quotation marks, as narration, but inside brackets that hold the
/// whole paragraph.
///
/// # Errors
/// When there are too few paragraphs that end a sentence, or no statements.
pub fn anachronism(
    text: &str,
    units: &[Span],
    operations: usize,
    statements: &[&str],
    draw: &mut Draw,
) -> Result<Vec<Change>, NotApplicable> {
    let places: Vec<usize> = units
        .iter()
        .filter_map(|unit| Some(unit.start + place_for_sentence(unit.of(text))?))
        .collect();
    enough(operations, "statement", places.len(), "paragraph end")?;
    if statements.is_empty() && operations > 0 {
        return Err(NotApplicable("the list of statements is empty".to_owned()));
    }
    let chosen = draw.some(places.len(), operations);
    let mut order = Vec::new();
    Ok(chosen
        .into_iter()
        .enumerate()
        .map(|(operation, number)| {
            if order.is_empty() {
                order = draw.sample(statements.len(), statements.len());
            }
            let statement = order.pop().map_or("", |number| statements[number]);
            let place = Span::new(places[number], places[number]);
            Change::new(operation, place, format!(" {statement}"))
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::manipulate::edit::apply;
    use crate::language::manipulate::testing::paragraphs;

    fn changed(
        text: &str,
        operations: usize,
        statements: &[&str],
    ) -> Result<String, NotApplicable> {
        let mut draw = Draw::new(7, &["anachronism"]);
        let changes = anachronism(text, &paragraphs(text), operations, statements, &mut draw)?;
        Ok(apply(text, changes).unwrap().0)
    }

    #[test]
    fn a_statement_follows_the_paragraph() {
        assert_eq!(
            changed(
                "HEAD\n\n\n“I know,” he said.\n\nAnd so:\n",
                1,
                &["A phone rang."]
            )
            .unwrap(),
            "HEAD\n\n\n“I know,” he said. A phone rang.\n\nAnd so:\n"
        );
    }

    #[test]
    fn no_statement_comes_twice_while_the_list_lasts() {
        let result = changed(&"A.\n\n".repeat(7), 7, &["B.", "C.", "D."]).unwrap();
        let statements: Vec<&str> = result
            .split_whitespace()
            .filter(|word| *word != "A.")
            .collect();
        assert_eq!(statements.len(), 7);
        for round in statements.chunks(3) {
            let different: std::collections::BTreeSet<_> = round.iter().collect();
            assert_eq!(different.len(), round.len(), "{statements:?}");
        }
    }

    #[test]
    fn too_few_paragraphs_or_no_statements_are_said() {
        assert_eq!(
            changed("A.\n\nB:\n\nC", 2, &["D."]).unwrap_err().0,
            "2 statements need 2 paragraph ends, and there is only 1"
        );
        assert_eq!(
            changed("A.", 1, &[]).unwrap_err().0,
            "the list of statements is empty"
        );
        assert_eq!(changed("A.", 0, &[]).unwrap(), "A.");
    }
}
