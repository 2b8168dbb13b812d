//! How close a text comes to reference texts: exact match, overlap of words and characters, edits.
//!
//! Each number is that of the program that papers use, on its own scale: BLEU and chrF as sacrebleu gives them (0 to 100),
//! ROUGE as rouge-score does (0 to 1), exact match and token F1 by the rules of `SQuAD`'s evaluation. The values in
//! `tests/data/compared` are theirs. Where a reference has nothing that could be found again, those programs say 0; here
//! there is no value.

mod blanks;
mod bleu;
mod chrf;
mod edits;
mod grams;
mod rouge;
mod squad;
mod stem;
#[cfg(test)]
mod tests;

use std::fmt;

use self::blanks::is_blank;
pub use self::edits::Unit;
pub use self::rouge::{Overlap, Stems};

/// Something that a text and its references are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// 1 where the text is a reference, letter by letter; else 0.
    Identical,
    /// The same without case, punctuation, articles and blanks.
    ExactMatch,
    /// F1 of the words, without case, punctuation and articles.
    TokenF1,
    /// Overlap of words.
    Rouge(Overlap, Stems),
    /// BLEU of one text.
    Bleu,
    /// chrF.
    Chrf,
    /// chrF with single words and pairs of them.
    ChrfWords,
    /// The fewest insertions, removals and exchanges that make the text a reference.
    EditDistance(Unit),
    /// The same as a share of the longer of the two.
    EditRatio(Unit),
}

impl Comparison {
    /// All comparisons with their names.
    pub const ALL: [(&'static str, Self); 16] = [
        ("identical", Self::Identical),
        ("exact-match", Self::ExactMatch),
        ("token-f1", Self::TokenF1),
        ("rouge-1", Self::Rouge(Overlap::One, Stems::Whole)),
        ("rouge-1:stem", Self::Rouge(Overlap::One, Stems::Cut)),
        ("rouge-2", Self::Rouge(Overlap::Two, Stems::Whole)),
        ("rouge-2:stem", Self::Rouge(Overlap::Two, Stems::Cut)),
        ("rouge-l", Self::Rouge(Overlap::Longest, Stems::Whole)),
        ("rouge-l:stem", Self::Rouge(Overlap::Longest, Stems::Cut)),
        ("bleu", Self::Bleu),
        ("chrf", Self::Chrf),
        ("chrf++", Self::ChrfWords),
        ("edit-distance", Self::EditDistance(Unit::Characters)),
        ("edit-distance:words", Self::EditDistance(Unit::Words)),
        ("edit-ratio", Self::EditRatio(Unit::Characters)),
        ("edit-ratio:words", Self::EditRatio(Unit::Words)),
    ];

    /// The comparison of this name.
    pub fn named(name: &str) -> Option<Self> {
        let found = Self::ALL.into_iter().find(|(known, _)| *known == name);
        found.map(|(_, comparison)| comparison)
    }

    /// The comparison with the reference that the text comes closest to; BLEU counts all of them together.
    ///
    /// # Errors
    /// Why it cannot be made, in words.
    pub fn compare(self, text: &str, references: &[&str]) -> Result<f64, String> {
        if references.is_empty() {
            return Err("there is no reference".to_owned());
        }
        let best = |value: &dyn Fn(&str) -> f64| {
            let values = references.iter().map(|reference| value(reference));
            values.fold(f64::NEG_INFINITY, f64::max)
        };
        let least = |value: &dyn Fn(&str) -> f64| -best(&|reference| -value(reference));
        Ok(match self {
            Self::Identical => best(&|reference| f64::from(text == reference)),
            Self::ExactMatch => best(&|reference| squad::exact_match(text, reference)),
            Self::TokenF1 => best(&|reference| squad::token_f1(text, reference)),
            Self::Rouge(overlap, stems) => return rouge::best(text, references, overlap, stems),
            Self::Bleu => return bleu::sentence(text, &written(references)?),
            Self::Chrf => return chrf::best(text, &written(references)?, 0),
            Self::ChrfWords => return chrf::best(text, &written(references)?, 2),
            Self::EditDistance(unit) => least(&|reference| edits::distance(text, reference, unit)),
            Self::EditRatio(unit) => least(&|reference| edits::ratio(text, reference, unit)),
        })
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Self::ALL.into_iter().find(|(_, known)| known == self);
        f.write_str(named.map_or("", |(name, _)| name))
    }
}

/// The references that are not blank.
fn written<'r>(references: &[&'r str]) -> Result<Vec<&'r str>, String> {
    let written = references.iter().copied();
    let written: Vec<&str> = written
        .filter(|reference| !reference.chars().all(is_blank))
        .collect();
    if written.is_empty() {
        return Err("the reference is empty".to_owned());
    }
    Ok(written)
}
