//! chrF: sequences of up to six characters, blanks left out, and for chrF++ of up to two words; recall counts twice as much
//! as precision.

use super::blanks::{between_blanks, is_blank};
use super::grams::{Grams, Numbers};

/// The longest sequence of characters.
const CHARACTERS: usize = 6;

/// How much more recall counts than precision, squared.
const FACTOR: f64 = 4.0;

/// The best value over all references, with sequences of up to so many words.
pub(super) fn best(text: &str, references: &[&str], words: usize) -> Result<f64, String> {
    let values = references
        .iter()
        .map(|reference| one(text, reference, words));
    values
        .max_by(f64::total_cmp)
        .ok_or_else(|| "there is no reference".to_owned())
}

fn one(text: &str, reference: &str, words: usize) -> f64 {
    let letters = |text: &str| -> Vec<u32> {
        let letters = text.chars().filter(|&c| !is_blank(c));
        letters.map(u32::from).collect()
    };
    let (own, theirs) = (letters(text), letters(reference));
    let mut sums = Sums::default();
    for n in 1..=CHARACTERS {
        sums.add(&Grams::of(&own, n), &Grams::of(&theirs, n));
    }
    if words > 0 {
        let mut numbers = Numbers::default();
        let own = numbers.of(without_marks(text));
        let theirs = numbers.of(without_marks(reference));
        for n in 1..=words {
            sums.add(&Grams::of(&own, n), &Grams::of(&theirs, n));
        }
    }
    sums.value()
}

/// Precision and recall over all lengths that both texts have.
#[derive(Default)]
struct Sums {
    precision: f64,
    recall: f64,
    lengths: u32,
}

impl Sums {
    fn add(&mut self, own: &Grams, theirs: &Grams) {
        let (of_own, of_theirs) = (own.total(), theirs.total());
        if of_own > 0 && of_theirs > 0 {
            let matched = own.matched(theirs) as f64;
            self.precision += matched / of_own as f64;
            self.recall += matched / of_theirs as f64;
            self.lengths += 1;
        }
    }

    fn value(&self) -> f64 {
        let lengths = f64::from(self.lengths.max(1));
        let (precision, recall) = (self.precision / lengths, self.recall / lengths);
        if precision + recall > 0.0 {
            100.0 * ((1.0 + FACTOR) * precision * recall / (FACTOR * precision + recall))
        } else {
            0.0
        }
    }
}

/// Words, and the mark at the end of one, or else at its beginning, by itself.
fn without_marks(text: &str) -> impl Iterator<Item = &str> {
    between_blanks(text).flat_map(|word| {
        let mut letters = word.chars();
        let (first, last) = (letters.next(), letters.next_back());
        let parts = match (first, last) {
            (Some(_), Some(last)) if last.is_ascii_punctuation() => word.split_at(word.len() - 1),
            (Some(first), Some(_)) if first.is_ascii_punctuation() => word.split_at(1),
            _ => (word, ""),
        };
        [parts.0, parts.1]
            .into_iter()
            .filter(|part| !part.is_empty())
    })
}
