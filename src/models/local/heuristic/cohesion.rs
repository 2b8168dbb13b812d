//! Lexical cohesion: whether a paragraph shares content words with what stands around it.
//!
//! Measure: for every paragraph with at least eight content words, the weight of the content words whose
//! stem also occurs in another paragraph within 1,200 tokens, over the weight of all of them; rarer
//! words and names weigh more. The share is drawn towards 0.35 with the force of six weight units, so
//! that short paragraphs are judged mildly. Below a limit L a paragraph is foreign to the degree
//! (L − share) / L; L is 0.3 in the midst of a text and falls to 0.15 as less text stands around the
//! paragraph, so that the beginning, the end and short texts are not blamed for it. The rate is the
//! share of the judged words in foreign paragraphs, by degree, from 0 to 1. Weak: a topic that comes up
//! once by right (a digression, a list) looks foreign; an exchange within one topic does not; a text of a single paragraph cannot be judged. Paragraphs are compared in
//! place and not reordered, so the order of related paragraphs is not examined.

use std::ops::Range;

use super::finding::Signal;
use super::stems::Stems;
use super::text::Document;

/// Reach, in tokens on either side, within which a word counts as taken up again.
const REACH: u32 = 1200;
/// Content words below which a paragraph is not judged.
const LEAST: usize = 8;
/// Share of cohesion below which a paragraph begins to look foreign.
const FOREIGN: f64 = 0.3;
const PRIOR_SHARE: f64 = 0.35;
const PRIOR_WEIGHT: f64 = 6.0;

/// Scores cohesion; the rate is the share of words in foreign paragraphs, 0 to 1.
pub(super) fn cohesion(document: &Document<'_>, stems: &Stems) -> Signal {
    let near = taken_up(document, stems);
    let mut signal = Signal::default();
    let (mut judged, mut foreign, mut at) = (0usize, 0.0, 0);
    for paragraph in &document.paragraphs {
        let count = stems.within(paragraph.tokens.clone()).len();
        let range = at..at + count;
        at += count;
        if count < LEAST || paragraph.heading {
            continue;
        }
        let total: f64 = stems.content[range.clone()].iter().map(|c| c.weight).sum();
        let shared: f64 = range
            .filter(|&i| near[i])
            .map(|i| stems.content[i].weight)
            .sum();
        let share = (shared + PRIOR_SHARE * PRIOR_WEIGHT) / (total + PRIOR_WEIGHT);
        let limit = FOREIGN * f64::midpoint(1.0, surroundings(document, &paragraph.tokens));
        let degree = f64::max(0.0, (limit - share) / limit);
        judged += paragraph.words;
        foreign += degree * paragraph.words as f64;
        if degree > 0.15 {
            let note =
                "opens a paragraph that shares next to nothing with the paragraphs around it";
            let end = (paragraph.tokens.start + 12).min(paragraph.tokens.end);
            signal.add(
                "TRANSITION",
                paragraph.tokens.start..end,
                note,
                1.0 + degree,
            );
        }
    }
    if judged > 0 && document.paragraphs.len() > 2 {
        signal.rate = foreign / judged as f64;
    } else {
        signal.findings.clear();
    }
    signal
}

/// How much of the reach on both sides the document really offers, 0 to 1.
fn surroundings(document: &Document<'_>, tokens: &Range<usize>) -> f64 {
    let reach = REACH as usize;
    let around = tokens.start.min(reach) + (document.tokens.len() - tokens.end).min(reach);
    around as f64 / (2 * reach) as f64
}

/// For each content word, whether its stem stands in another paragraph within reach. Two passes, one from
/// either end; in each a stem remembers its last place in the present and in an earlier paragraph.
fn taken_up(document: &Document<'_>, stems: &Stems) -> Vec<bool> {
    let count = stems.content.len();
    let mut paragraphs = Vec::with_capacity(count);
    let mut paragraph = 0;
    for content in &stems.content {
        while document.paragraphs[paragraph].tokens.end <= content.token as usize {
            paragraph += 1;
        }
        paragraphs.push(paragraph);
    }
    let mut near = vec![false; count];
    let mut pass = |order: &mut dyn Iterator<Item = usize>| {
        let mut places = vec![Places::default(); stems.counts.len()];
        for at in order {
            let content = stems.content[at];
            let earlier = places[content.stem as usize].enter(paragraphs[at], content.token);
            near[at] |= earlier.is_some_and(|token| token.abs_diff(content.token) <= REACH);
        }
    };
    pass(&mut (0..count));
    pass(&mut (0..count).rev());
    near
}

/// The last place of a stem, and the last before its present paragraph.
#[derive(Clone, Copy, Default)]
struct Places {
    last: Option<(usize, u32)>,
    outside: Option<u32>,
}

impl Places {
    /// Notes an occurrence and returns the last one in another paragraph.
    fn enter(&mut self, paragraph: usize, token: u32) -> Option<u32> {
        match self.last {
            Some((p, t)) if p != paragraph => self.outside = Some(t),
            _ => {}
        }
        self.last = Some((paragraph, token));
        self.outside
    }
}

#[cfg(test)]
mod tests {
    use super::{Document, Stems, cohesion};

    const HOUSE: &str = "The ghost walked through the old house and frightened the twins in the library, \
        while the housekeeper counted candles in the corridor and the minister slept.\n\n";
    const LAW: &str = "Parliament debated a tariff upon imported wheat, and merchants petitioned against \
        duties which ruined shipping, insurance, credit and manufacture throughout the provinces.\n\n";

    fn rate(text: &str) -> f64 {
        let document = Document::read(text);
        cohesion(&document, &Stems::of(&document)).rate
    }

    #[test]
    fn a_foreign_paragraph_is_found() {
        assert!(rate(&HOUSE.repeat(5)) < 1e-9);
        let mixed = format!("{}{LAW}{}", HOUSE.repeat(3), HOUSE.repeat(2));
        assert!(rate(&mixed) > 0.02);
    }

    #[test]
    fn more_foreign_paragraphs_give_a_higher_rate() {
        let other = "Whales migrate beneath polar ice, feeding upon krill, navigating by magnetism, and \
            nursing calves among warm tropical lagoons every winter season.\n\n";
        let one = format!("{}{LAW}{HOUSE}", HOUSE.repeat(3));
        let two = format!("{}{LAW}{HOUSE}{other}", HOUSE.repeat(3));
        assert!(rate(&two) > rate(&one));
    }

    #[test]
    fn a_single_paragraph_is_not_judged() {
        assert!(rate(LAW) < 1e-9);
    }
}
