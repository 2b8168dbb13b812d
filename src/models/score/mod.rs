//! Scores: the scale they lie on, and what stands in their place when there is none.
//!
//! A score is a number on the scale or *unscored with a reason*. This module must not read
//! replies (see [`crate::models::parse`]) and must not average anything.

mod scale;

use std::fmt;

use serde::Serialize;

pub use self::scale::{Label, Labels, Scale, ScaleError};

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
    /// An expectation was asked for, and the reply has no log-probabilities that can be used; why not.
    NoLogprobs(String),
    /// Too little of the probability at the verdict's place lies on the scale; how much.
    LowMass(String),
    /// Tokens that the verdict may begin with begin several marks of the scale; these tokens.
    SharedToken(Vec<String>),
    /// The reply has verdicts on other elements of the list, and none on this one.
    NoItem,
    /// Nobody can say which of the reply's verdicts is on which element of the list; why not.
    Misaligned(String),
}

impl Reason {
    /// Every code, in the order of the variants.
    pub const CODES: [&'static str; 17] = [
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
        "no-logprobs",
        "low-mass",
        "shared-token",
        "no-item",
        "misaligned",
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
            Self::NoLogprobs(_) => "no-logprobs",
            Self::LowMass(_) => "low-mass",
            Self::SharedToken(_) => "shared-token",
            Self::NoItem => "no-item",
            Self::Misaligned(_) => "misaligned",
        }
    }

    /// What differs from reply to reply; several numbers are separated by `" | "`.
    pub fn detail(&self) -> Option<String> {
        match self {
            Self::OffScale(text)
            | Self::NotApplicable(text)
            | Self::TooLong(text)
            | Self::Failed(text)
            | Self::NoLogprobs(text)
            | Self::LowMass(text)
            | Self::Misaligned(text) => Some(text.clone()),
            Self::Ambiguous(found) | Self::SharedToken(found) => Some(found.join(DETAIL_SEPARATOR)),
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
            "ambiguous" => Self::Ambiguous(parts(text)),
            "not-recorded" => Self::NotRecorded,
            "not-applicable" => Self::NotApplicable(text.to_owned()),
            "too-long" => Self::TooLong(text.to_owned()),
            "refused" => Self::Refused,
            "failed" => Self::Failed(text.to_owned()),
            "no-logprobs" => Self::NoLogprobs(text.to_owned()),
            "low-mass" => Self::LowMass(text.to_owned()),
            "shared-token" => Self::SharedToken(parts(text)),
            "no-item" => Self::NoItem,
            "misaligned" => Self::Misaligned(text.to_owned()),
            _ => return None,
        })
    }
}

/// Stands between the numbers of an ambiguous reason in its detail; no number contains it.
const DETAIL_SEPARATOR: &str = " | ";

/// The parts of a detail.
fn parts(text: &str) -> Vec<String> {
    match text {
        "" => Vec::new(),
        text => text.split(DETAIL_SEPARATOR).map(str::to_owned).collect(),
    }
}

fn quoted(found: &[String]) -> String {
    let found: Vec<String> = found.iter().map(|text| format!("`{text}`")).collect();
    found.join(", ")
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoReply => f.write_str("the reply is empty"),
            Self::CutByLength => f.write_str("the reply was cut off by the length limit"),
            Self::ThinkNotClosed => f.write_str("a tag around the reply's thoughts has no partner"),
            Self::NoScoreFound => f.write_str("no score stands in a known shape"),
            Self::NotJson => f.write_str("the reply is not one JSON value"),
            Self::OffScale(found) => write!(f, "`{found}` is not on the scale"),
            Self::Ambiguous(found) if found.len() == 1 => {
                write!(
                    f,
                    "what stands around {} leaves in doubt whether it is the score",
                    quoted(found)
                )
            }
            Self::Ambiguous(found) => {
                write!(f, "one place offers several scores: {}", quoted(found))
            }
            Self::NotRecorded => f.write_str("no reply was recorded for this request"),
            Self::NotApplicable(why) => write!(f, "there is nothing to judge: {why}"),
            Self::TooLong(how) => write!(f, "the prompt does not fit: {how}"),
            Self::Refused => f.write_str("the model declined to answer"),
            Self::Failed(cause) => write!(f, "the call failed: {cause}"),
            Self::NoLogprobs(why) => write!(f, "there are no log-probabilities to use: {why}"),
            Self::LowMass(mass) => {
                write!(f, "{mass} of the probability lies on the scale")
            }
            Self::SharedToken(found) => {
                write!(f, "several marks begin with one token: {}", quoted(found))
            }
            Self::NoItem => f.write_str("the reply has no verdict on this element"),
            Self::Misaligned(why) => {
                write!(f, "its verdicts cannot be told apart by element: {why}")
            }
        }
    }
}

#[cfg(test)]
mod tests;
