//! Scales: the numbers a judge may give, or the words that stand for them.
//!
//! Must not read replies.

use std::sync::Arc;

use serde::Serialize;
use thiserror::Error;

/// How far a number may lie from a step of the scale and still count as on it.
const STEP_TOLERANCE: f64 = 1e-9;

/// What a judge may give: a closed interval with the step between two of its marks, or labels with their values.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scale {
    /// The lowest score, itself allowed.
    pub min: f64,
    /// The highest score, itself allowed.
    pub max: f64,
    /// The distance between two marks counted from `min`; `0.0` allows every number in between, or, on a scale with
    /// labels, every value of a label.
    pub step: f64,
    /// The words of the scale in the order of the spec, where judges answer with words; else empty.
    #[serde(skip_serializing_if = "Labels::is_empty")]
    pub labels: Labels,
}

/// The labels of a scale.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Labels(Option<Arc<[Label]>>);

/// A word that stands for a score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Label {
    /// The word as tables show it.
    pub name: String,
    /// The score that it stands for.
    pub value: f64,
    /// What else judges may write for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
}

impl std::ops::Deref for Labels {
    type Target = [Label];

    fn deref(&self) -> &[Label] {
        self.0.as_deref().unwrap_or_default()
    }
}

impl Labels {
    /// Whether there are none: replies give numbers.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}

/// Why something is no scale.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ScaleError {
    /// One of the numbers is NaN or infinite.
    #[error(
        "scale `{0}` to `{1}` in steps of `{2}` has a part that is not a finite number; give three plain numbers"
    )]
    NotFinite(f64, f64, f64),
    /// The interval is empty or a single point.
    #[error("scale runs from `{0}` to `{1}`; the lowest score must be below the highest")]
    Empty(f64, f64),
    /// The step is negative, or longer than the interval.
    #[error("scale step `{0}` must be between 0 (every number) and the length of the scale, `{1}`")]
    BadStep(f64, f64),
    /// The highest score is not a whole number of steps above the lowest.
    #[error(
        "steps of `{step}` from `{min}` on never reach `{max}`; with a step of 0 every number between is a score"
    )]
    Uneven {
        /// The lowest score.
        min: f64,
        /// The highest score.
        max: f64,
        /// The distance between marks.
        step: f64,
    },
    /// All labels stand for one number, or there is but one.
    #[error("a scale needs labels of at least two different values")]
    OneValue,
    /// The value of a label is NaN or infinite.
    #[error("label `{0}` has no finite number as its value")]
    NoNumber(String),
    /// A label without a letter or digit.
    #[error("label `{0}` has no letter or digit; give it one that judges can write")]
    Blank(String),
    /// Two labels that read the same in a reply.
    #[error("labels `{0}` and `{1}` read the same in a reply")]
    Twice(String, String),
}

impl Scale {
    /// The Likert scale of the thesis as its prompt states it: 1 to 5, half points allowed.
    ///
    /// Judges do not keep to it: when a judge averages section scores it writes 4.25 or 3.8.
    /// The thesis's numbers count those as they stand; a step of 0 reproduces them.
    pub const HALF_POINTS_1_TO_5: Self = Self::between(1.0, 5.0, 0.5);

    /// Every number from 1 to 5: the scale under which the thesis's tables come out.
    pub const ANY_1_TO_5: Self = Self::between(1.0, 5.0, 0.0);

    const fn between(min: f64, max: f64, step: f64) -> Self {
        let labels = Labels(None);
        Self {
            min,
            max,
            step,
            labels,
        }
    }

    /// Checks the three numbers and makes a scale of them.
    ///
    /// # Errors
    /// [`ScaleError`] when a number is not finite, `min` is not below `max`, or `step` is
    /// negative, longer than the scale, or no whole part of it.
    pub fn new(min: f64, max: f64, step: f64) -> Result<Self, ScaleError> {
        if ![min, max, step, max - min].iter().all(|x| x.is_finite()) {
            return Err(ScaleError::NotFinite(min, max, step));
        }
        if min >= max {
            return Err(ScaleError::Empty(min, max));
        }
        if step < 0.0 || step > max - min {
            return Err(ScaleError::BadStep(step, max - min));
        }
        let scale = Self::between(min, max, step);
        if !scale.contains(max) {
            return Err(ScaleError::Uneven { min, max, step });
        }
        Ok(scale)
    }

    /// A scale of words. Several may stand for one number, such as the kinds of errors that all count as 0.
    ///
    /// # Errors
    /// [`ScaleError`] when two labels or aliases read the same, one cannot be read, or all have one value.
    pub fn of_labels(labels: Vec<Label>) -> Result<Self, ScaleError> {
        let mut seen: Vec<(String, &str, usize)> = Vec::new();
        for (at, label) in labels.iter().enumerate() {
            if !label.value.is_finite() {
                return Err(ScaleError::NoNumber(label.name.clone()));
            }
            for word in label.words() {
                let read = as_read(word);
                if read.is_empty() {
                    return Err(ScaleError::Blank(word.to_owned()));
                }
                // Capitals alone tell names of one letter apart, as the spec writes them; replies write words in either.
                let letter = |word: &str| word.chars().count() == 1;
                let same = |(known, other, label): &&(String, &str, usize)| {
                    let named = *other == labels[*label].name && word == labels[at].name;
                    let folded = *label != at && known.to_lowercase() == read.to_lowercase();
                    *known == read || (folded && !(named && letter(word)))
                };
                if let Some((_, other, _)) = seen.iter().find(same) {
                    return Err(ScaleError::Twice((*other).to_owned(), word.to_owned()));
                }
                seen.push((read, word, at));
            }
        }
        let values = labels.iter().map(|label| label.value);
        let (min, max) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), value| {
            (min.min(value), max.max(value))
        });
        if labels.is_empty() || min >= max {
            return Err(ScaleError::OneValue);
        }
        Ok(Self {
            labels: Labels(Some(labels.into())),
            ..Self::between(min, max, 0.0)
        })
    }

    /// The scale of a question: `yes` is 1, `no` is 0.
    pub fn yes_or_no() -> Self {
        let label = |name: &str, value: f64, alias: &str| Label {
            name: name.to_owned(),
            value,
            aliases: vec![alias.to_owned()],
        };
        let labels = [label("no", 0.0, "false"), label("yes", 1.0, "true")];
        Self {
            labels: Labels(Some(labels.into())),
            ..Self::between(0.0, 1.0, 0.0)
        }
    }

    /// The label that a text is, in whatever letters and marks: what stands alone in a reply, a cell or a token.
    ///
    /// Capitals matter only where labels differ in nothing else.
    pub fn label(&self, text: &str) -> Option<&Label> {
        let read = as_read(text);
        let small = read.to_lowercase();
        let is = |same: &dyn Fn(&str) -> bool| {
            let mut labels = self.labels.iter();
            let first = labels.find(|label| label.words().any(|word| same(&as_read(word))))?;
            let other = labels.any(|label| label.words().any(|word| same(&as_read(word))));
            (!other).then_some(first)
        };
        if read.is_empty() {
            return None;
        }
        is(&|word| word == read).or_else(|| is(&|word| word.to_lowercase() == small))
    }

    /// Whether `x` is a score: the value of a label, or within the bounds and, where the scale has a step, on one of
    /// its marks.
    pub fn contains(&self, x: f64) -> bool {
        if !self.labels.is_empty() {
            return self
                .labels
                .iter()
                .any(|label| label.value.total_cmp(&x).is_eq());
        }
        if !(x >= self.min && x <= self.max) {
            return false;
        }
        if self.step <= 0.0 {
            return true;
        }
        let marks = (x - self.min) / self.step;
        (marks - marks.round()).abs() <= STEP_TOLERANCE
    }
}

impl Label {
    /// Its name and its aliases.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&*self.name).chain(self.aliases.iter().map(String::as_str))
    }
}

/// A label as it is compared: its letters, digits and signs of comparison, with one blank where anything else stands
/// between them; a `+` or `-` behind a word belongs to it, as in `A-`.
fn as_read(label: &str) -> String {
    let mut read = String::with_capacity(label.len());
    let mut rest = label.chars().peekable();
    let mut gap = false;
    while let Some(c) = rest.next() {
        let ends = rest.peek().is_none_or(|next| !next.is_alphanumeric());
        let grade = matches!(c, '+' | '-' | '\u{2212}') && !gap && ends && !read.is_empty();
        if c.is_alphanumeric() || matches!(c, '<' | '>' | '=') || grade {
            if gap && !read.is_empty() {
                read.push(' ');
            }
            gap = false;
            read.push(if c == '\u{2212}' { '-' } else { c });
        } else {
            gap = true;
        }
    }
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(name: &str, value: f64, aliases: &[&str]) -> Label {
        Label {
            name: name.to_owned(),
            value,
            aliases: aliases.iter().map(|&alias| alias.to_owned()).collect(),
        }
    }

    #[test]
    fn a_label_is_the_same_in_other_letters_and_marks() {
        let labels = vec![
            label("No error", 1.0, &["none", "A-"]),
            label("Entity-Error", 0.0, &["A"]),
        ];
        let scale = Scale::of_labels(labels).unwrap();
        let read = |text: &str| scale.label(text).map(|label| label.name.as_str());
        for text in [
            "No error",
            "**no ERROR**",
            "\"No-error.\"",
            "None",
            "[[A-]]",
            "a\u{2212}",
        ] {
            assert_eq!(read(text), Some("No error"), "{text}");
        }
        for text in ["entity error", "A", "a."] {
            assert_eq!(read(text), Some("Entity-Error"), "{text}");
        }
        for text in ["", "error", "no error none", "B", "1", "A+"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert!(scale.contains(1.0) && !scale.contains(0.5));
    }

    #[test]
    fn labels_that_differ_in_capitals_alone_are_told_apart_by_them() {
        let scale = Scale::of_labels(vec![label("m", 0.0, &[]), label("M", 1.0, &[])]).unwrap();
        let read = |text: &str| scale.label(text).map(|label| label.value);
        assert_eq!((read("m"), read("M.")), (Some(0.0), Some(1.0)));
        let sides = vec![
            label("A>B", 1.0, &[]),
            label("A>>B", 2.0, &[]),
            label("A=B", 0.0, &[]),
        ];
        let scale = Scale::of_labels(sides).unwrap();
        assert_eq!(scale.label("[[A>>B]]").map(|label| label.value), Some(2.0));
        assert_eq!(scale.label("a>b").map(|label| label.value), Some(1.0));
    }

    #[test]
    fn labels_that_cannot_be_told_apart_are_no_scale() {
        let one = || label("Good", 1.0, &[]);
        let wrong = |labels: Vec<Label>| Scale::of_labels(labels).unwrap_err();
        assert_eq!(wrong(Vec::new()), ScaleError::OneValue);
        assert_eq!(wrong(vec![one()]), ScaleError::OneValue);
        let twice = ScaleError::Twice("Good".to_owned(), "Good!".to_owned());
        assert_eq!(wrong(vec![one(), label("Good!", 2.0, &[])]), twice);
        let twice = ScaleError::Twice("Good".to_owned(), "Good".to_owned());
        assert_eq!(wrong(vec![one(), label("Bad", 0.0, &["Good"])]), twice);
        let blank = ScaleError::Blank("?!".to_owned());
        assert_eq!(wrong(vec![one(), label("?!", 2.0, &[])]), blank);
        let none = ScaleError::NoNumber("Bad".to_owned());
        assert_eq!(wrong(vec![one(), label("Bad", f64::NAN, &[])]), none);
    }
}
