//! Form: mechanics of the page that do not depend on words.
//!
//! Measure, with weights: a stop or comma without a blank before the next word 1; a sentence that begins
//! with a small letter 0.5; a paragraph of 20 words or more without an end mark 0.5; a straight quotation
//! mark without its partner, where the next paragraph does not go on quoting, 0.3; 80 words without any
//! punctuation 1; a blank before a comma or full stop 0.3. The rate is the sum per 1,000 words. Weak:
//! verse, lists and letters break these habits by right, and a typesetter's habits differ.

use super::finding::Signal;
use super::text::{Case, Document, Kind, Paragraph, is_word};

const LABEL: &str = "PUNCTUATION";

/// Scores the mechanics; the rate is per 1,000 words.
pub(super) fn form(document: &Document<'_>) -> Signal {
    let mut signal = Signal::default();
    for (index, paragraph) in document.paragraphs.iter().enumerate() {
        if paragraph.heading {
            continue;
        }
        joints(document, paragraph, &mut signal);
        bare_run(document, paragraph, &mut signal);
        ending(document, paragraph, &mut signal);
        quotes(document, index, paragraph, &mut signal);
    }
    signal.rate = document.per_thousand(signal.weight());
    signal
}

/// A lower-case word of two letters or more: no abbreviation, no initial, no address.
fn plain(document: &Document<'_>, at: usize) -> bool {
    document.word_at(at).is_some_and(|w| w.text.len() > 1)
        && document.tokens[at].case == Case::Lower
}

fn joints(document: &Document<'_>, paragraph: &Paragraph, signal: &mut Signal) {
    for at in paragraph.tokens.start + 1..paragraph.tokens.end.saturating_sub(1) {
        let mark = document.kind_at(at);
        let full_stop = mark == Kind::Stop && document.slice(at) == ".";
        if !(full_stop || mark == Kind::Comma) {
            continue;
        }
        let span = at - 1..at + 2;
        let next_is_word = is_word(document.kind_at(at + 1));
        if plain(document, at - 1)
            && next_is_word
            && !document.spaced(at)
            && !document.spaced(at + 1)
        {
            if mark == Kind::Comma || !plain(document, at + 1) {
                signal.add(LABEL, span, "has no blank after the mark", 1.0);
            }
        } else if full_stop
            && plain(document, at - 1)
            && plain(document, at + 1)
            && document.spaced(at + 1)
            && ends(document, at - 1)
        {
            signal.add(LABEL, span, "begins a sentence with a small letter", 0.5);
        } else if document.spaced(at) && next_is_word && is_word(document.kind_at(at - 1)) {
            signal.add(LABEL, span, "has a blank before the mark", 0.3);
        }
    }
}

/// Whether a full stop after this word would end a sentence: known words that are no abbreviations.
fn ends(document: &Document<'_>, at: usize) -> bool {
    document.word_at(at).is_some_and(|w| {
        w.known && w.text.len() > 3 && !matches!(w.text.as_str(), "viz" | "vols" | "messrs")
    })
}

fn bare_run(document: &Document<'_>, paragraph: &Paragraph, signal: &mut Signal) {
    let mut run = 0;
    for at in paragraph.tokens.clone() {
        run = if is_word(document.kind_at(at)) {
            run + 1
        } else {
            0
        };
        if run == 80 {
            signal.add(
                LABEL,
                at - 11..at + 1,
                "stands in 80 words without any punctuation",
                1.0,
            );
            run = 0;
        }
    }
}

fn ending(document: &Document<'_>, paragraph: &Paragraph, signal: &mut Signal) {
    let last = paragraph.tokens.end - 1;
    if paragraph.words >= 20
        && is_word(document.kind_at(last))
        && document.tokens[last].case == Case::Lower
    {
        let from = last.saturating_sub(5).max(paragraph.tokens.start);
        signal.add(
            LABEL,
            from..last + 1,
            "ends a paragraph without an end mark",
            0.5,
        );
    }
}

fn quotes(document: &Document<'_>, index: usize, paragraph: &Paragraph, signal: &mut Signal) {
    let is_mark = |at: usize| document.kind_at(at) == Kind::Quote && document.slice(at) == "\"";
    let marks = paragraph.tokens.clone().filter(|&at| is_mark(at)).count();
    let goes_on = document
        .paragraphs
        .get(index + 1)
        .is_some_and(|next| is_mark(next.tokens.start));
    if marks % 2 == 1 && !goes_on {
        let last = paragraph
            .tokens
            .clone()
            .rev()
            .find(|&at| is_mark(at))
            .unwrap_or(paragraph.tokens.start);
        let from = last.saturating_sub(4).max(paragraph.tokens.start);
        let to = (last + 5).min(paragraph.tokens.end);
        signal.add(
            LABEL,
            from..to,
            "has a quotation mark without its partner",
            0.3,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::{Document, form};

    fn notes(text: &str) -> Vec<&'static str> {
        form(&Document::read(text))
            .findings
            .iter()
            .map(|f| f.note)
            .collect()
    }

    #[test]
    fn slips_of_the_page_are_found() {
        assert_eq!(
            notes("He came,saw nothing and left."),
            ["has no blank after the mark"]
        );
        assert_eq!(
            notes("He left the house. then it rained."),
            ["begins a sentence with a small letter"]
        );
        assert_eq!(
            notes("\"Go away, said the man.\n\nHe left."),
            ["has a quotation mark without its partner"]
        );
        assert_eq!(notes(&"very good words ".repeat(40)).len(), 2);
    }

    #[test]
    fn abbreviations_and_continued_quotations_are_fine() {
        let text =
            "At 7 a.m. he met Mr. Otis, etc. and left.\n\n\"He spoke first.\n\n\"He spoke again.\"";
        assert_eq!(notes(text), [] as [&str; 0]);
    }
}
