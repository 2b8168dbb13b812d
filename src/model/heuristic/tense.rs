//! Tense: finite verbs outside quotations that leave the tense of their paragraph.
//!
//! Measure: unmistakable finite forms (`was`, `had`, `is`, `has`, a subject pronoun with a past or a
//! present form) are counted per paragraph, dialogue left out. Where three in four or more of at least
//! four agree, each of the others weighs 0.3; the rate is the sum per 1,000 words. Weak: general truths,
//! letters and comments stand in the present within a past narrative by right, so this is only a hint.

use super::classes::Classes;
use super::finding::Signal;
use super::text::{Document, Kind, Paragraph};
use super::verb_words::{is_bare, is_past, is_third_person};

#[derive(Clone, Copy, PartialEq)]
enum Tense {
    Past,
    Present,
}

/// Scores the tense of narrative paragraphs; the rate is per 1,000 words.
pub(super) fn tense(document: &Document<'_>) -> Signal {
    let mut signal = Signal::default();
    for paragraph in document.paragraphs.iter().filter(|p| !p.heading) {
        let verbs = finite_verbs(document, paragraph);
        let past = verbs.iter().filter(|(_, t)| *t == Tense::Past).count();
        let present = verbs.len() - past;
        let (usual, odd) = if past > present {
            (Tense::Past, present)
        } else {
            (Tense::Present, past)
        };
        if verbs.len() < 4 || odd * 4 > verbs.len() {
            continue;
        }
        for (at, found) in verbs {
            if found != usual {
                let from = at.saturating_sub(3).max(paragraph.tokens.start);
                let to = (at + 4).min(paragraph.tokens.end);
                signal.add("TENSE", from..to, "leaves the tense of its paragraph", 0.3);
            }
        }
    }
    signal.rate = document.per_thousand(signal.weight());
    signal
}

fn finite_verbs(document: &Document<'_>, paragraph: &Paragraph) -> Vec<(usize, Tense)> {
    let mut verbs = Vec::new();
    let mut quoted = false;
    for at in paragraph.tokens.clone() {
        if document.kind_at(at) == Kind::Quote
            && document.slice(at) != "'"
            && document.slice(at) != "\u{2019}"
        {
            quoted = !quoted;
        }
        if quoted {
            continue;
        }
        let Some(word) = document.word_at(at) else {
            continue;
        };
        let before = at.checked_sub(1).and_then(|b| document.word_at(b));
        let subject = before.is_some_and(|w| w.is(Classes::SUBJECT));
        let tense = match word.text.as_str() {
            "was" | "were" | "had" | "did" => Some(Tense::Past),
            "is" | "are" | "am" | "has" | "does" => Some(Tense::Present),
            _ if subject && is_past(word) => Some(Tense::Past),
            other if subject && (is_bare(word) || is_third_person(other)) => Some(Tense::Present),
            _ => None,
        };
        verbs.extend(tense.map(|t| (at, t)));
    }
    verbs
}

#[cfg(test)]
mod tests {
    use super::{Document, tense};

    #[test]
    fn one_present_among_past_verbs_is_a_hint() {
        let text = "She was tall. He had a dog. It was old. They were glad. She is a dancer.";
        assert_eq!(tense(&Document::read(text)).findings.len(), 1);
    }

    #[test]
    fn dialogue_and_mixed_paragraphs_are_left_alone() {
        let quoted = "She was tall. He had a dog. It was old. They were glad. \"She is a dancer.\"";
        let mixed = "She was tall. He is old. It was cold. He is here.";
        assert!(tense(&Document::read(quoted)).findings.is_empty());
        assert!(tense(&Document::read(mixed)).findings.is_empty());
    }
}
