//! One reader for whichever parser a judge names.
//!
//! Must not read anything itself.

use serde::{Deserialize, Serialize};

use super::{Finish, Form, MetricError, Thoughts, evaluation_form, json, likert};
use crate::models::score::Scale;

/// How a reply is read.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Parser {
    /// Labelled issues and one score per metric, in the shapes models write.
    #[default]
    EvaluationForm,
    /// A JSON object with a score per metric.
    Json,
    /// One number on the scale, or a line per metric.
    Likert,
}

/// A reader of replies for a fixed list of metrics.
///
/// Make one per list of metrics and use it for every reply, from any number of threads.
#[derive(Debug, Clone)]
pub enum Reader {
    /// See [`evaluation_form`].
    EvaluationForm(evaluation_form::Reader),
    /// See [`json`].
    Json(json::Reader),
    /// See [`likert`].
    Likert(likert::Reader),
}

impl Reader {
    /// Prepares to read these metrics the way `parser` does.
    ///
    /// # Errors
    /// [`MetricError`] for names that no reply could hold or that read the same.
    pub fn new(parser: Parser, metrics: &[String]) -> Result<Self, MetricError> {
        Ok(match parser {
            Parser::EvaluationForm => Self::EvaluationForm(evaluation_form::Reader::new(metrics)?),
            Parser::Json => Self::Json(json::Reader::new(metrics)?),
            Parser::Likert => Self::Likert(likert::Reader::new(metrics)?),
        })
    }

    /// Reads one reply, without its trailer (see [`super::trailer`]); `thoughts` are not part of the
    /// answer.
    pub fn read(&self, reply: &str, finish: Finish, scale: &Scale, thoughts: Thoughts<'_>) -> Form {
        match self {
            Self::EvaluationForm(reader) => reader.read(reply, finish, scale, thoughts),
            Self::Json(reader) => reader.read(reply, finish, scale, thoughts),
            Self::Likert(reader) => reader.read(reply, finish, scale, thoughts),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_parser_reads_its_own_replies() {
        let metrics = ["fluency".to_owned()];
        let score = |parser, reply: &str, thoughts| {
            let reader = Reader::new(parser, &metrics).unwrap();
            let form = reader.read(reply, Finish::Stop, &Scale::ANY_1_TO_5, thoughts);
            form.readings[0].outcome.score()
        };
        for (parser, reply) in [
            (Parser::EvaluationForm, "FINAL Fluency Score: 4"),
            (Parser::Json, "{\"fluency\": 4}"),
            (Parser::Likert, "4"),
        ] {
            assert_eq!(score(parser, reply, Thoughts::default()), Some(4.0));
            let thoughts = Thoughts {
                tag: "reasoning",
                opened: true,
            };
            let thought = format!("{reply}</reasoning>");
            assert_eq!(score(parser, &thought, thoughts), None);
            let thought = format!("<reasoning>{reply}</reasoning>");
            assert_eq!(score(parser, &thought, thoughts), None);
            let answer = format!("no</reasoning>\n{reply}");
            assert_eq!(score(parser, &answer, thoughts), Some(4.0));
        }
    }

    #[test]
    fn parsers_are_named_in_kebab_case() {
        let name = |parser| serde_json::to_string(&parser).unwrap();
        assert_eq!(name(Parser::default()), "\"evaluation-form\"");
        assert_eq!(name(Parser::Json), "\"json\"");
    }
}
