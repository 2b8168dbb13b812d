//! Continuity of names: paragraphs whose people and places belong to no other part of the text.
//!
//! Measure: a paragraph with at least two different names is estranged if none of them occurs in any
//! other paragraph. The rate is the share of the words of paragraphs with two names or more that stand in
//! estranged ones, 0 to 1, and 0 where fewer than four paragraphs can be judged. Weak: what is a name is
//! told by its capitals alone; essays and histories name many people once; what the names refer to is
//! not resolved.

use super::finding::Signal;
use super::text::{Document, Paragraph};

/// Paragraphs with names needed before any is called estranged.
const LEAST: usize = 4;

/// Scores the continuity of names; the rate is a share, 0 to 1.
pub(super) fn names(document: &Document<'_>) -> Signal {
    let homes = homes(document);
    let mut signal = Signal::default();
    let (mut judged, mut words, mut estranged) = (0, 0usize, 0usize);
    for paragraph in document.paragraphs.iter().filter(|p| !p.heading) {
        let found = names_in(document, paragraph);
        if found.len() < 2 {
            continue;
        }
        judged += 1;
        words += paragraph.words;
        if found
            .iter()
            .all(|&(_, word)| homes[word as usize] == Home::One)
        {
            estranged += paragraph.words;
            let (at, _) = found[0];
            let from = at.saturating_sub(5).max(paragraph.tokens.start);
            let to = (at + 7).min(paragraph.tokens.end);
            signal.add(
                "ENTITY",
                from..to,
                "brings in names that occur in no other paragraph",
                0.6,
            );
        }
    }
    if judged >= LEAST {
        signal.rate = estranged as f64 / words as f64;
    } else {
        signal.findings.clear();
    }
    signal
}

#[derive(Clone, Copy, PartialEq)]
enum Home {
    None,
    One,
    Many,
}

/// Whether each name occurs in one paragraph or in several.
fn homes(document: &Document<'_>) -> Vec<Home> {
    let mut homes = vec![Home::None; document.types.len()];
    for paragraph in &document.paragraphs {
        for (_, word) in names_in(document, paragraph) {
            let home = &mut homes[word as usize];
            *home = if *home == Home::None {
                Home::One
            } else {
                Home::Many
            };
        }
    }
    homes
}

/// The distinct names of a paragraph with their first tokens, in the order of their types.
fn names_in(document: &Document<'_>, paragraph: &Paragraph) -> Vec<(usize, u32)> {
    let mut found: Vec<(usize, u32)> = paragraph
        .tokens
        .clone()
        .filter(|&at| document.word_at(at).is_some_and(super::text::Type::is_name))
        .map(|at| (at, document.tokens[at].word))
        .collect();
    found.sort_by_key(|&(at, word)| (word, at));
    found.dedup_by_key(|f| f.1);
    found
}

#[cfg(test)]
mod tests {
    use super::{Document, names};

    #[test]
    fn a_paragraph_with_names_of_its_own_is_estranged() {
        let cast = "One day old Virginia met young Washington.\n\n".repeat(4);
        assert!(names(&Document::read(&cast)).findings.is_empty());
        let mixed = format!("{cast}It is said that old Boucher taught young Fragonard.\n\n");
        assert_eq!(names(&Document::read(&mixed)).findings.len(), 1);
    }
}
