//! Years: a year far later than all the other years a text names.
//!
//! Measure: four-digit numbers from 1000 to 2100 are taken for years. With at least five of them, a year
//! is late if it lies beyond the upper quartile by more than 60 years and by more than three times the
//! distance between the quartiles. The rate is late years per 1,000 words. Weak: it knows nothing of
//! things or words out of their time; numbers that are not years are taken for years; a text without
//! years cannot be judged.

use super::finding::Signal;
use super::text::{Document, Kind};

/// Years needed before any is called late.
const LEAST: usize = 5;

/// Scores late years; the rate is per 1,000 words.
pub(super) fn years(document: &Document<'_>) -> Signal {
    let found: Vec<(usize, i32)> = (0..document.tokens.len())
        .filter_map(|at| Some((at, year(document, at)?)))
        .collect();
    let mut signal = Signal::default();
    if found.len() < LEAST {
        return signal;
    }
    let mut sorted: Vec<i32> = found.iter().map(|f| f.1).collect();
    sorted.sort_unstable();
    let (low, high) = (sorted[sorted.len() / 4], sorted[sorted.len() * 3 / 4]);
    let limit = high + i32::max(60, 3 * (high - low));
    for (at, _) in found.iter().filter(|f| f.1 > limit) {
        let (from, to) = (at.saturating_sub(5), (at + 5).min(document.tokens.len()));
        signal.add(
            "TIME",
            from..to,
            "names a year far later than the other years of the text",
            0.8,
        );
    }
    signal.rate = document.per_thousand(signal.findings.len() as f64);
    signal
}

fn year(document: &Document<'_>, at: usize) -> Option<i32> {
    if document.kind_at(at) != Kind::Number {
        return None;
    }
    let text = document.slice(at);
    let number = (text.len() == 4).then(|| text.parse::<i32>().ok())??;
    (1000..=2100).contains(&number).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::{Document, years};

    #[test]
    fn a_year_out_of_range_is_found_and_an_early_one_is_not() {
        let text =
            "From 1801 to 1805, in 1810, 1812 and 1815, as in 1066, war raged; in 1999 it ended.";
        assert_eq!(years(&Document::read(text)).findings.len(), 1);
        assert!(
            years(&Document::read("In 1801, and in 1999."))
                .findings
                .is_empty()
        );
    }
}
