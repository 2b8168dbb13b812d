//! One reader for whichever parser a judge names: what of a reply is answer, the parser reads.
//!
//! Must not read anything itself.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::agree::Asked;
use super::beside;
use super::list::parsers;
use super::metrics::Metrics;
use super::visible::settled;
use super::{Finish, Form, MetricError, Paths, Thoughts};
use crate::models::score::Scale;

/// Makes the JSON schema of replies with these metrics on this scale, with reasoning and with issues if wanted.
pub type Schema = fn(&[String], &Scale, bool, bool) -> Value;

macro_rules! closed_set {
    ($($(#[$about:meta])* $name:literal: $folder:ident, $parser:ident $(, held to $schema:ident)?;)*) => {
        /// How a reply is read.
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
        )]
        pub enum Parser {
            $($(#[$about])* #[serde(rename = $name)] $parser,)*
        }

        impl Parser {
            /// All parsers.
            pub const ALL: &'static [Self] = &[$(Self::$parser),*];

            /// Its name in specs.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$parser => $name,)*
                }
            }

            /// Whether it reads a verdict only where the reply names the metric, though there is but one.
            pub fn names_metrics(self) -> bool {
                self == Self::EvaluationForm
            }

            /// What makes the schema that servers hold its replies to, if they can.
            pub fn schema(self) -> Option<Schema> {
                let schemas: &[Schema] = match self {
                    $(Self::$parser => &[$(super::$folder::$schema)?],)*
                };
                schemas.first().copied()
            }

            /// What is read of an answer.
            fn read(self, asked: &Asked<'_>) -> Form {
                match self {
                    $(Self::$parser => super::$folder::read(asked),)*
                }
            }
        }
    };
}

parsers!(closed_set);

impl Parser {
    /// Whether a verdict that it reads may stand on one line, with its reason beside it.
    fn reads_lines(self) -> bool {
        matches!(self, Self::Likert | Self::Choice | Self::Items)
    }
}

/// Reads replies by a parser, for a fixed list of metrics.
///
/// Make one per list of metrics and use it for every reply, from any number of threads.
#[derive(Debug, Clone)]
pub struct Reader {
    parser: Parser,
    metrics: Metrics,
    finals: Finals,
    paths: Option<Paths>,
}

/// Which of several `FINAL` scores for one metric counts.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Finals {
    /// The last, if the reply presents it as the one that takes the place of those before; else none.
    #[default]
    Last,
    /// The first, whichever others follow; one that the reply withdraws in words does not count.
    First,
}

impl Reader {
    /// Prepares to read these metrics the way `parser` does. In a reply capitals do not matter, and blanks, `-` and `_`
    /// within a name stand for one another.
    ///
    /// # Errors
    /// [`MetricError`] for names that no reply could hold or that read the same.
    pub fn new(parser: Parser, metrics: &[String]) -> Result<Self, MetricError> {
        let metrics = Metrics::new(metrics)?;
        let finals = Finals::default();
        Ok(Self {
            parser,
            metrics,
            finals,
            paths: None,
        })
    }

    /// The same for replies whose verdicts stand at these places of an object.
    #[must_use]
    pub fn with_paths(self, paths: Option<Paths>) -> Self {
        Self { paths, ..self }
    }

    /// The same, by which of several `FINAL` scores counts.
    #[must_use]
    pub fn with_finals(self, finals: Finals) -> Self {
        Self { finals, ..self }
    }

    /// Reads one reply, without its trailer (see [`super::trailer`]); `thoughts` are not part of the answer.
    pub fn read(&self, reply: &str, finish: Finish, scale: &Scale, thoughts: Thoughts<'_>) -> Form {
        let Self {
            parser,
            metrics,
            finals,
            paths,
        } = self;
        settled(reply, finish, thoughts, metrics, |answer| {
            let mut asked = Asked::new((reply, finish), answer, scale, (metrics, *finals));
            asked.paths = paths.as_ref();
            let mut form = parser.read(&asked);
            if parser.reads_lines() {
                beside::explain(&asked, &mut form);
            }
            form
        })
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
            (Parser::Choice, "4"),
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
    fn parsers_are_stored_by_their_names() {
        let name = |parser| serde_json::to_string(&parser).unwrap();
        assert_eq!(name(Parser::default()), "\"evaluation-form\"");
        for parser in Parser::ALL.iter().copied() {
            assert_eq!(name(parser), format!("\"{}\"", parser.name()));
        }
    }
}
