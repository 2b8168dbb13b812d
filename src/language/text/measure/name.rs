//! Measures as they are written: `tokens`, `entities:GPE+LOC:multi`.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Length, Measure, Mentions};
use crate::base::wording::{choice_of, did_you_mean};
use crate::language::text::EntityKind;

/// Why a name is no measure.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MeasureError {
    /// No measure is called so.
    #[error("there is no measure `{name}`{hint} (measures are {})", choice_of(&NAMES))]
    Unknown {
        /// What was written.
        name: String,
        /// The nearest name.
        hint: String,
    },
    /// Only entities have kinds and lengths.
    #[error("`{0}` stands alone: only `entities` is followed by `:`")]
    Qualified(String),
    /// No kind of entity is called so.
    #[error(
        "there is no kind of entity `{name}`{hint} (write `entities:PERSON` or `entities:GPE+LOC:multi`)"
    )]
    Kind {
        /// What was written.
        name: String,
        /// The nearest name.
        hint: String,
    },
}

/// The first words of all measures.
const NAMES: [&str; 9] = [
    "characters",
    "tokens",
    "words",
    "spacy-tokens",
    "sentences",
    "paragraphs",
    "sections",
    "chapters",
    "entities",
];

impl Mentions {
    /// Reads what follows `entities:`.
    fn parse(written: &str) -> Result<Self, MeasureError> {
        let (kinds, length) = match written.rsplit_once(':').unwrap_or(("", written)) {
            (kinds, "single") => (kinds, Some(Length::Single)),
            (kinds, "multi") => (kinds, Some(Length::Multi)),
            _ => (written, None),
        };
        if kinds.is_empty() && length.is_some() && !written.contains(':') {
            return Ok(Self {
                kinds: BTreeSet::new(),
                length,
            });
        }
        let kinds = kinds.split('+').map(kind).collect::<Result<_, _>>()?;
        Ok(Self { kinds, length })
    }
}

fn kind(name: &str) -> Result<EntityKind, MeasureError> {
    EntityKind::ALL
        .into_iter()
        .find(|kind| kind.name() == name)
        .ok_or_else(|| MeasureError::Kind {
            name: name.to_owned(),
            hint: did_you_mean(name, &EntityKind::ALL.map(EntityKind::name)),
        })
}

impl FromStr for Measure {
    type Err = MeasureError;

    fn from_str(written: &str) -> Result<Self, MeasureError> {
        let (name, rest) = match written.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (written, None),
        };
        let measure = match name {
            "characters" => Self::Characters,
            "tokens" => Self::Tokens,
            "words" => Self::Words,
            "spacy-tokens" => Self::SpacyTokens,
            "sentences" => Self::Sentences,
            "paragraphs" => Self::Paragraphs,
            "sections" => Self::Sections,
            "chapters" => Self::Chapters,
            "entities" => {
                let mentions = rest.map(Mentions::parse).transpose()?;
                return Ok(Self::Entities(mentions.unwrap_or_default()));
            }
            _ => {
                return Err(MeasureError::Unknown {
                    name: name.to_owned(),
                    hint: did_you_mean(name, &NAMES),
                });
            }
        };
        match rest {
            None => Ok(measure),
            Some(_) => Err(MeasureError::Qualified(name.to_owned())),
        }
    }
}

/// As it is written, with the kinds in one order; good as the name of a column.
impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Characters => "characters",
            Self::Tokens => "tokens",
            Self::Words => "words",
            Self::SpacyTokens => "spacy-tokens",
            Self::Sentences => "sentences",
            Self::Paragraphs => "paragraphs",
            Self::Sections => "sections",
            Self::Chapters => "chapters",
            Self::Entities(_) => "entities",
        };
        f.write_str(name)?;
        let Self::Entities(mentions) = self else {
            return Ok(());
        };
        let mut sign = ':';
        for kind in &mentions.kinds {
            write!(f, "{sign}{}", kind.name())?;
            sign = '+';
        }
        match mentions.length {
            None => Ok(()),
            Some(Length::Single) => f.write_str(":single"),
            Some(Length::Multi) => f.write_str(":multi"),
        }
    }
}

impl TryFrom<String> for Measure {
    type Error = MeasureError;

    fn try_from(written: String) -> Result<Self, MeasureError> {
        written.parse()
    }
}

impl From<Measure> for String {
    fn from(measure: Measure) -> Self {
        measure.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(written: &str) -> Result<String, String> {
        let measure: Result<Measure, _> = written.parse();
        measure
            .map(|measure| measure.to_string())
            .map_err(|problem| problem.to_string())
    }

    #[test]
    fn a_measure_is_written_in_one_way() {
        for written in NAMES.into_iter().chain([
            "entities:PERSON",
            "entities:single",
            "entities:ORG+GPE+LOC+FAC:multi",
        ]) {
            assert_eq!(read(written).as_deref(), Ok(written));
        }
        assert_eq!(
            read("entities:LOC+FAC+GPE+ORG+LOC").as_deref(),
            Ok("entities:ORG+GPE+LOC+FAC")
        );
    }

    #[test]
    fn a_mistake_is_named_with_its_repair() {
        for (written, problem) in [
            (
                "token",
                "there is no measure `token`, did you mean `tokens`? (measures are `characters`, \
                 `tokens`, `words`, `spacy-tokens`, `sentences`, `paragraphs`, `sections`, \
                 `chapters` or `entities`)",
            ),
            (
                "tokens:single",
                "`tokens` stands alone: only `entities` is followed by `:`",
            ),
            (
                "entities:person",
                "there is no kind of entity `person`, did you mean `PERSON`? (write \
                 `entities:PERSON` or `entities:GPE+LOC:multi`)",
            ),
        ] {
            assert_eq!(read(written), Err(problem.to_owned()));
        }
        for written in [
            "",
            "entities:",
            "entities::single",
            "entities:GPE+",
            "entities:GPE:many",
        ] {
            assert!(read(written).is_err(), "{written}");
        }
    }
}
