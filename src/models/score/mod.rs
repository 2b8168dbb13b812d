//! Scores: the scale they lie on, and what stands in their place when there is none.
//!
//! A score is a number on the scale or *unscored with a reason*. This module must not read
//! replies (see [`crate::models::parse`]) and must not average anything.

use std::fmt;

use serde::Serialize;
use thiserror::Error;

/// How far a number may lie from a step of the scale and still count as on it.
const STEP_TOLERANCE: f64 = 1e-9;

/// The numbers a judge may give: a closed interval, and the step between two of its marks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Scale {
    /// The lowest score, itself allowed.
    pub min: f64,
    /// The highest score, itself allowed.
    pub max: f64,
    /// The distance between two marks counted from `min`; `0.0` allows every number in between.
    pub step: f64,
}

/// Why three numbers do not make a scale.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum ScaleError {
    /// One of the three is NaN or infinite.
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
}

impl Scale {
    /// The Likert scale of the thesis as its prompt states it: 1 to 5, half points allowed.
    ///
    /// Judges do not keep to it: when a judge averages section scores it writes 4.25 or 3.8.
    /// The thesis's numbers count those as they stand; a step of 0 reproduces them.
    pub const HALF_POINTS_1_TO_5: Self = Self {
        min: 1.0,
        max: 5.0,
        step: 0.5,
    };

    /// Every number from 1 to 5: the scale under which the thesis's tables come out.
    #[cfg(test)]
    pub(crate) const ANY_1_TO_5: Self = Self {
        min: 1.0,
        max: 5.0,
        step: 0.0,
    };

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
        let scale = Self { min, max, step };
        if !scale.contains(max) {
            return Err(ScaleError::Uneven { min, max, step });
        }
        Ok(scale)
    }

    /// Whether `x` lies within the bounds and, where the scale has a step, on one of its marks.
    pub fn contains(&self, x: f64) -> bool {
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

/// What came of asking for one score.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// A number on the scale.
    Scored(f64),
    /// No number, and why.
    Unscored(Reason),
}

impl Outcome {
    /// The score, where there is one.
    pub fn score(&self) -> Option<f64> {
        match self {
            Self::Scored(score) => Some(*score),
            Self::Unscored(_) => None,
        }
    }

    /// The reason, where there is no score.
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Self::Scored(_) => None,
            Self::Unscored(reason) => Some(reason),
        }
    }
}

/// Why there is no score.
///
/// Tables keep two columns: the stable [`code`](Reason::code), to count by, and the
/// [`detail`](Reason::detail), which differs from reply to reply.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "code", content = "detail", rename_all = "kebab-case")]
pub enum Reason {
    /// The reply is empty or blank.
    NoReply,
    /// The reply was cut off by the length limit, before a score if it should give one.
    CutByLength,
    /// Thoughts and answer cannot be told apart: a tag such as `<think>` or `</think>` has no partner.
    ThinkNotClosed,
    /// No score stands in any of the known shapes.
    NoScoreFound,
    /// A text that should be one JSON value is none.
    NotJson,
    /// The number found is not on the scale; the text as found.
    OffScale(String),
    /// One place offers several numbers, such as `3-4`; the numbers as found.
    Ambiguous(Vec<String>),
    /// A set of recorded replies holds none for this request.
    NotRecorded,
    /// There is no text to judge: a manipulation could not be applied to the document; why not.
    NotApplicable(String),
    /// The prompt does not fit into the model's context; it was not asked.
    TooLong(String),
    /// The model declined to answer.
    Refused,
    /// The call failed; what the provider said.
    Failed(String),
}

impl Reason {
    /// Every code, in the order of the variants.
    pub const CODES: [&'static str; 12] = [
        "no-reply",
        "cut-by-length",
        "think-not-closed",
        "no-score-found",
        "not-json",
        "off-scale",
        "ambiguous",
        "not-recorded",
        "not-applicable",
        "too-long",
        "refused",
        "failed",
    ];

    /// Whether this code means that there is no answer at all, rather than one without a score.
    pub fn without_answer(code: &str) -> bool {
        ["not-recorded", "not-applicable", "too-long", "failed"].contains(&code)
    }

    /// Whether this code means that no answer was expected: there was no text to judge, or none was recorded.
    pub fn by_design(code: &str) -> bool {
        ["not-recorded", "not-applicable"].contains(&code)
    }

    /// The stable name under which tables count this reason.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoReply => "no-reply",
            Self::CutByLength => "cut-by-length",
            Self::ThinkNotClosed => "think-not-closed",
            Self::NoScoreFound => "no-score-found",
            Self::NotJson => "not-json",
            Self::OffScale(_) => "off-scale",
            Self::Ambiguous(_) => "ambiguous",
            Self::NotRecorded => "not-recorded",
            Self::NotApplicable(_) => "not-applicable",
            Self::TooLong(_) => "too-long",
            Self::Refused => "refused",
            Self::Failed(_) => "failed",
        }
    }

    /// What differs from reply to reply; several numbers are separated by `" | "`.
    pub fn detail(&self) -> Option<String> {
        match self {
            Self::OffScale(text)
            | Self::NotApplicable(text)
            | Self::TooLong(text)
            | Self::Failed(text) => Some(text.clone()),
            Self::Ambiguous(found) => Some(found.join(DETAIL_SEPARATOR)),
            _ => None,
        }
    }

    /// The reason with this code and detail, or `None` for an unknown code.
    ///
    /// A missing detail reads as empty; a detail given to a reason that has none is ignored.
    pub fn from_code(code: &str, detail: Option<&str>) -> Option<Self> {
        let text = detail.unwrap_or_default();
        Some(match code {
            "no-reply" => Self::NoReply,
            "cut-by-length" => Self::CutByLength,
            "think-not-closed" => Self::ThinkNotClosed,
            "no-score-found" => Self::NoScoreFound,
            "not-json" => Self::NotJson,
            "off-scale" => Self::OffScale(text.to_owned()),
            "ambiguous" => Self::Ambiguous(match text {
                "" => Vec::new(),
                text => text.split(DETAIL_SEPARATOR).map(str::to_owned).collect(),
            }),
            "not-recorded" => Self::NotRecorded,
            "not-applicable" => Self::NotApplicable(text.to_owned()),
            "too-long" => Self::TooLong(text.to_owned()),
            "refused" => Self::Refused,
            "failed" => Self::Failed(text.to_owned()),
            _ => return None,
        })
    }
}

/// Stands between the numbers of an ambiguous reason in its detail; no number contains it.
const DETAIL_SEPARATOR: &str = " | ";

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoReply => f.write_str("the reply is empty"),
            Self::CutByLength => f.write_str("the reply was cut off by the length limit"),
            Self::ThinkNotClosed => f.write_str("a tag around the reply's thoughts has no partner"),
            Self::NoScoreFound => f.write_str("no score stands in a known shape"),
            Self::NotJson => f.write_str("the reply is not one JSON value"),
            Self::OffScale(found) => write!(f, "`{found}` is not on the scale"),
            Self::Ambiguous(found) => {
                f.write_str("one place offers several scores: ")?;
                for (i, number) in found.iter().enumerate() {
                    let gap = if i == 0 { "" } else { ", " };
                    write!(f, "{gap}`{number}`")?;
                }
                Ok(())
            }
            Self::NotRecorded => f.write_str("no reply was recorded for this request"),
            Self::NotApplicable(why) => write!(f, "there is nothing to judge: {why}"),
            Self::TooLong(how) => write!(f, "the prompt does not fit: {how}"),
            Self::Refused => f.write_str("the model declined to answer"),
            Self::Failed(cause) => write!(f, "the call failed: {cause}"),
        }
    }
}

#[cfg(test)]
mod tests;
