//! The marks of a scale as a reply may write them, and which of them a text begins.
//!
//! Must not look at probabilities.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use thiserror::Error;

use crate::models::score::{Label, Scale};

/// The most marks of a scale: no server lists the probabilities of more tokens than a few.
const MOST: u32 = 1000;

/// How many characters longer than itself a mark may be written, by blanks between its words.
const BLANKS: usize = 8;

/// The marks of a scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Marks {
    /// Each with its value and the texts that stand for it.
    list: Vec<(f64, Vec<String>)>,
    /// Whether capitals tell marks apart.
    exact: bool,
}

/// Why there is no expectation over a scale.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Unfit {
    /// Every number between the ends is a mark.
    #[error("every number is on the scale, and an expectation is over marks")]
    EveryNumber,
    /// There are too many marks.
    #[error("the scale has more than {MOST} marks")]
    TooMany,
    /// Two marks begin alike in every vocabulary: numbers with one whole part, labels with one first word.
    #[error("`{0}` and `{1}` begin with the same token")]
    SameToken(String, String),
}

/// What a text is among the marks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fit {
    /// The mark that it stands for.
    pub full: Option<usize>,
    /// The other marks that it begins, each with the texts that do.
    pub longer: BTreeMap<usize, BTreeSet<String>>,
}

impl Fit {
    /// Whether `text`, of which this is the fit, is the sign of the numbers that it begins: tokenizers part `-1` after its
    /// sign, and a sign begins no word.
    pub(super) fn is_sign(&self, text: &str) -> bool {
        let mut longer = self.longer.values().flatten();
        text == "-" && longer.all(|written| written.parse::<f64>().is_ok())
    }
}

impl Marks {
    /// The marks of a scale.
    ///
    /// # Errors
    /// [`Unfit`].
    pub fn of(scale: &Scale) -> Result<Self, Unfit> {
        if !scale.labels.is_empty() {
            return Self::of_labels(&scale.labels);
        }
        if scale.step <= 0.0 {
            return Err(Unfit::EveryNumber);
        }
        let steps = ((scale.max - scale.min) / scale.step).round();
        if steps >= f64::from(MOST) {
            return Err(Unfit::TooMany);
        }
        let values = (0_u32..=MOST).map(|step| scale.min + f64::from(step) * scale.step);
        let values: Vec<f64> = values.take_while(|value| scale.contains(*value)).collect();
        if let Some(at) = values.iter().position(|value| value.fract() != 0.0) {
            let beside = at.checked_sub(1).unwrap_or(at + 1);
            let (a, b) = (values[at.min(beside)], values[at.max(beside)]);
            return Err(Unfit::SameToken(a.to_string(), b.to_string()));
        }
        let texts = |value: f64| (value, vec![value.to_string()]);
        Ok(Self {
            list: values.into_iter().map(texts).collect(),
            exact: false,
        })
    }

    /// The values of labels, each with all words that stand for it.
    fn of_labels(labels: &[Label]) -> Result<Self, Unfit> {
        for (at, label) in labels.iter().enumerate() {
            let alike = |other: &&Label| {
                other.value.total_cmp(&label.value).is_ne()
                    && first_word(&other.name) == first_word(&label.name)
            };
            if let Some(other) = labels[..at].iter().find(alike) {
                return Err(Unfit::SameToken(other.name.clone(), label.name.clone()));
            }
        }
        let mut marks = Self {
            list: Vec::new(),
            exact: false,
        };
        let words = || {
            labels
                .iter()
                .flat_map(|label| label.words().map(move |word| (label, word)))
        };
        marks.exact = words().any(|(label, word)| {
            let word = marks.normal(word);
            words().any(|(other, same)| {
                other.value.total_cmp(&label.value).is_ne() && marks.normal(same) == word
            })
        });
        for (label, word) in words() {
            let word = marks.normal(word);
            let same = |(value, _): &&mut (f64, Vec<String>)| value.total_cmp(&label.value).is_eq();
            match marks.list.iter_mut().find(same) {
                Some((_, texts)) => texts.push(word),
                None => marks.list.push((label.value, vec![word])),
            }
        }
        Ok(marks)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The value of a mark.
    pub(super) fn value(&self, mark: usize) -> f64 {
        self.list[mark].0
    }

    /// A text as marks are compared: in small letters unless these differ in capitals alone, single blanks, plain digits
    /// and minus signs.
    pub(super) fn normal(&self, text: &str) -> String {
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ");
        let plain = |c: char| match c {
            '\u{ff10}'..='\u{ff19}' => char::from(b'0' + (c as u32 - 0xff10) as u8),
            '\u{2212}' => '-',
            c => c,
        };
        let text: String = text.chars().map(plain).collect();
        if self.exact {
            text
        } else {
            text.to_lowercase()
        }
    }

    /// What a text is, as [`normal`](Self::normal) makes it.
    pub(super) fn fit(&self, text: &str) -> Fit {
        let mut fit = Fit::default();
        if text.is_empty() {
            return fit;
        }
        for (mark, (_, texts)) in self.list.iter().enumerate() {
            for written in texts {
                if written == text {
                    fit.full = Some(mark);
                } else if written.starts_with(text) {
                    fit.longer.entry(mark).or_default().insert(written.clone());
                }
            }
        }
        if let Some(full) = fit.full {
            fit.longer.remove(&full);
        }
        fit
    }

    /// Where a mark is written as a word of a text, if one is: the first place, in bytes.
    pub(super) fn written(&self, text: &str) -> Option<Range<usize>> {
        let texts = self.list.iter().flat_map(|(_, texts)| texts);
        let longest = texts.map(|text| text.chars().count()).max()? + BLANKS;
        let mut starts = text.char_indices().map(|(at, _)| at).filter(|&at| {
            let (before, behind) = text.split_at(at);
            !before.ends_with(char::is_alphanumeric) && !behind.starts_with(char::is_whitespace)
        });
        starts.find_map(|at| {
            let ends = text[at..].char_indices().take(longest);
            let ends = ends.map(|(end, c)| at + end + c.len_utf8());
            let whole = ends.filter(|&end| {
                let (mark, behind) = (&text[at..end], &text[end..]);
                !mark.ends_with(char::is_whitespace)
                    && !behind.starts_with(char::is_alphanumeric)
                    && self.fit(&self.normal(mark)).full.is_some()
            });
            whole.last().map(|end| at..end)
        })
    }
}

/// The first word of a label. One of letters is compared without capitals, unless it is a single letter.
fn first_word(label: &str) -> String {
    let label = label.trim_start_matches(|c: char| !c.is_alphanumeric());
    let end = label.find(|c: char| !c.is_alphanumeric());
    let word = &label[..end.unwrap_or(label.len())];
    if word.chars().count() == 1 {
        word.to_owned()
    } else {
        word.to_lowercase()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(list: &[(&str, f64, &[&str])]) -> Scale {
        let label = |(name, value, aliases): &(&str, f64, &[&str])| Label {
            name: (*name).to_owned(),
            value: *value,
            aliases: aliases.iter().map(|&alias| alias.to_owned()).collect(),
        };
        Scale::of_labels(list.iter().map(label).collect()).unwrap()
    }

    fn fit(marks: &Marks, text: &str) -> (Option<f64>, Vec<f64>) {
        let fit = marks.fit(&marks.normal(text));
        let longer = fit.longer.keys().map(|mark| marks.value(*mark));
        (fit.full.map(|mark| marks.value(mark)), longer.collect())
    }

    #[test]
    fn a_text_is_a_mark_or_begins_some() {
        let marks = Marks::of(&Scale::new(0.0, 10.0, 1.0).unwrap()).unwrap();
        assert_eq!(marks.len(), 11);
        assert_eq!(fit(&marks, "4"), (Some(4.0), vec![]));
        assert_eq!(fit(&marks, " 1 "), (Some(1.0), vec![10.0]));
        assert_eq!(fit(&marks, "\u{ff11}\u{ff10}"), (Some(10.0), vec![]));
        assert_eq!(fit(&marks, "4."), (None, vec![]));
        assert_eq!(fit(&marks, ""), (None, vec![]));
    }

    #[test]
    fn labels_of_one_value_are_one_mark() {
        let marks = labels(&[
            ("No error", 1.0, &["none"]),
            ("Entity error", 0.0, &[]),
            ("Tense error", 0.0, &["Error"]),
        ]);
        let marks = Marks::of(&marks).unwrap();
        assert_eq!(marks.len(), 2);
        assert_eq!(fit(&marks, "NONE"), (Some(1.0), vec![]));
        assert_eq!(fit(&marks, "no"), (None, vec![1.0]));
        assert_eq!(fit(&marks, "E"), (None, vec![0.0]));
        assert_eq!(fit(&marks, "n"), (None, vec![1.0]));
    }

    #[test]
    fn capitals_matter_where_labels_differ_in_nothing_else() {
        let marks = Marks::of(&labels(&[("m", 1.0, &[]), ("M", 2.0, &[])])).unwrap();
        assert_eq!(fit(&marks, " m"), (Some(1.0), vec![]));
        assert_eq!(fit(&marks, "M"), (Some(2.0), vec![]));
    }

    #[test]
    fn a_mark_is_found_as_a_word() {
        let marks = Marks::of(&Scale::new(1.0, 10.0, 1.0).unwrap()).unwrap();
        assert_eq!(marks.written("**4**"), Some(2..3));
        assert_eq!(marks.written("a1 10/10"), Some(3..5));
        assert_eq!(marks.written("45"), None);
        let words = Marks::of(&labels(&[("Very good", 2.0, &[]), ("Good", 1.0, &[])])).unwrap();
        assert_eq!(words.written("\"very  good\""), Some(1..11));
    }

    #[test]
    fn scales_whose_marks_begin_alike_have_no_expectation() {
        let same = |a: &str, b: &str| Err(Unfit::SameToken(a.to_owned(), b.to_owned()));
        let halves = Scale::HALF_POINTS_1_TO_5;
        assert_eq!(Marks::of(&halves), same("1", "1.5"));
        assert_eq!(
            Marks::of(&Scale::new(0.5, 2.5, 1.0).unwrap()),
            same("0.5", "1.5")
        );
        assert_eq!(Marks::of(&Scale::ANY_1_TO_5), Err(Unfit::EveryNumber));
        let many = Scale::new(0.0, 1000.0, 1.0).unwrap();
        assert_eq!(Marks::of(&many), Err(Unfit::TooMany));
        assert_eq!(
            Marks::of(&Scale::new(0.0, 999.0, 1.0).unwrap())
                .unwrap()
                .len(),
            1000
        );
        let very = labels(&[("Very poor", 1.0, &[]), ("Very good", 2.0, &[])]);
        assert_eq!(Marks::of(&very), same("Very poor", "Very good"));
        let grades = labels(&[("A", 2.0, &[]), ("A-", 1.0, &[])]);
        assert_eq!(Marks::of(&grades), same("A", "A-"));
        // What else may be written for a label is looked at when it is.
        let aliases = labels(&[("A", 1.0, &["Answer A"]), ("B", 0.0, &["Answer B"])]);
        assert!(Marks::of(&aliases).is_ok());
    }
}
