//! Tense: finite verbs outside quotations that leave the tense of their surroundings.
//!
//! Measure: verbs that the tagger calls past (`VBD`) or present (`VBZ`, `VBP`) are looked at in order,
//! dialogue left out. One that is of another tense than both its neighbours and than five in six of the six
//! before and the six after it weighs 0.3; the rate is the sum per 1,000 words. Weak: general truths,
//! letters and comments stand in the present within a past narrative by right, a single one such as
//! `as is well known` looks like a slip, and a text that mixes tenses hides them all.

use super::finding::Signal;
use super::text::{Document, Kind};
use crate::language::text::{Tag, tagged};

/// How many verbs before and after are looked at.
const AROUND: usize = 6;

/// Fewest verbs around a verb that tell a tense.
const ENOUGH: usize = 8;

/// A finite verb outside quotations.
struct Verb {
    /// The token it begins in.
    token: usize,
    past: bool,
}

/// Scores the tense of narration; the rate is per 1,000 words.
pub(super) fn tense(document: &Document<'_>) -> Signal {
    let mut signal = Signal::default();
    let verbs = finite_verbs(document);
    for (at, verb) in verbs.iter().enumerate() {
        let from = at.saturating_sub(AROUND);
        let to = (at + AROUND + 1).min(verbs.len());
        let other = |at: usize| verbs[at].past != verb.past;
        let others = (from..to).filter(|&at| other(at)).count();
        let around = to - from - 1;
        let alone = (at == 0 || other(at - 1)) && (at + 1 == verbs.len() || other(at + 1));
        if around < ENOUGH || !alone || others * 6 < around * 5 {
            continue;
        }
        let first = verb.token.saturating_sub(3);
        let last = (verb.token + 4).min(document.tokens.len());
        signal.add("TENSE", first..last, "leaves the tense around it", 0.3);
    }
    signal.rate = document.per_thousand(signal.weight());
    signal
}

fn finite_verbs(document: &Document<'_>) -> Vec<Verb> {
    // Without tags there are no findings: the weights are inside the program.
    let found = tagged(document.text).ok();
    let words = found.as_ref().map_or(&[][..], |found| &found.words);
    let mut words = words.iter().peekable();
    let mut verbs = Vec::new();
    for paragraph in document.paragraphs.iter().filter(|p| !p.heading) {
        let mut quoted = false;
        for at in paragraph.tokens.clone() {
            if document.kind_at(at) == Kind::Quote
                && document.slice(at) != "'"
                && document.slice(at) != "\u{2019}"
            {
                quoted = !quoted;
            }
            let token = document.tokens[at];
            while words
                .next_if(|word| word.span.start < token.start as usize)
                .is_some()
            {}
            let Some(word) = words.next_if(|word| word.span.start == token.start as usize) else {
                continue;
            };
            let past = match word.tag {
                Tag::Vbd => true,
                Tag::Vbz | Tag::Vbp => false,
                _ => continue,
            };
            if !quoted {
                verbs.push(Verb { token: at, past });
            }
        }
    }
    verbs
}

#[cfg(test)]
mod tests {
    use super::{Document, tense};

    const STORY: &str = "The old man walked home. He had a dog. It was old. They were glad. She SLOT in \
        the garden. Nobody came. The gate stood open and the rain fell. He sat down. His wife called \
        him.";

    fn findings(verb: &str) -> usize {
        let text = STORY.replace("SLOT", verb);
        tense(&Document::read(&text)).findings.len()
    }

    #[test]
    fn one_present_among_past_verbs_is_a_hint() {
        assert_eq!(findings("works"), 1);
        assert_eq!(findings("worked"), 0);
    }

    #[test]
    fn dialogue_is_left_alone() {
        assert_eq!(findings("worked. \"She works.\" They talked"), 0);
    }

    #[test]
    fn mixed_tenses_hide_each_other() {
        let text = "She was tall. He is old. It was cold. He is here. They were glad. It is late.";
        assert!(tense(&Document::read(text)).findings.is_empty());
    }
}
