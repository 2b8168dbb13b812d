//! ROUGE-1, ROUGE-2 and ROUGE-L of words: small letters a to z and digits, whatever else stands in the text.

use super::grams::{Grams, Numbers};
use super::stem::stem;
use crate::base::wording::count;

/// What ROUGE counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    /// Words.
    One,
    /// Pairs of words.
    Two,
    /// The longest sequence of words that both have.
    Longest,
}

/// Whether words are cut to their stems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stems {
    /// Words as they are.
    Whole,
    /// Words without their endings, by Porter's rules for English.
    Cut,
}

/// Words of fewer letters keep their endings.
const STEMMED: usize = 4;

/// The best F over all references.
pub(super) fn best(
    text: &str,
    references: &[&str],
    overlap: Overlap,
    stems: Stems,
) -> Result<f64, String> {
    let least = match overlap {
        Overlap::One | Overlap::Longest => 1,
        Overlap::Two => 2,
    };
    let own = words(text, stems);
    let theirs = references.iter().map(|reference| words(reference, stems));
    let theirs: Vec<Vec<String>> = theirs.filter(|words| words.len() >= least).collect();
    let values = theirs.iter().map(|theirs| one(&own, theirs, overlap));
    values.max_by(f64::total_cmp).ok_or_else(|| {
        format!(
            "the reference has fewer than {} of a to z and 0 to 9, which ROUGE counts",
            count(least, "word")
        )
    })
}

fn one(own: &[String], theirs: &[String], overlap: Overlap) -> f64 {
    let mut numbers = Numbers::default();
    let own = numbers.of(own.iter().map(String::as_str));
    let theirs = numbers.of(theirs.iter().map(String::as_str));
    let (matched, of_own, of_theirs) = match overlap {
        Overlap::One => in_both(&own, &theirs, 1),
        Overlap::Two => in_both(&own, &theirs, 2),
        Overlap::Longest => (
            longest(&own, &theirs),
            own.len() as u64,
            theirs.len() as u64,
        ),
    };
    let precision = matched as f64 / of_own.max(1) as f64;
    let recall = matched as f64 / of_theirs.max(1) as f64;
    if precision + recall > 0.0 {
        2.0 * precision * recall / (precision + recall)
    } else {
        0.0
    }
}

fn in_both(own: &[u32], theirs: &[u32], n: usize) -> (u64, u64, u64) {
    let (own, theirs) = (Grams::of(own, n), Grams::of(theirs, n));
    (own.matched(&theirs), own.total(), theirs.total())
}

/// The length of the longest sequence that both have, with gaps.
fn longest(one: &[u32], other: &[u32]) -> u64 {
    let mut row = vec![0_u64; other.len() + 1];
    for word in one {
        let mut before = 0;
        for (at, same) in other.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if word == same {
                before + 1
            } else {
                above.max(row[at])
            };
            before = above;
        }
    }
    row.last().copied().unwrap_or_default()
}

fn words(text: &str, stems: Stems) -> Vec<String> {
    let text = text.to_lowercase();
    let words = text.split(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit()));
    let words = words.filter(|word| !word.is_empty());
    words
        .map(|word| match stems {
            Stems::Cut if word.len() >= STEMMED => stem(word),
            Stems::Cut | Stems::Whole => word.to_owned(),
        })
        .collect()
}
