//! The manipulations by name and number (thesis, Table A.3), and the needles.

use std::fmt;

use serde::{Serialize, Serializer};

/// A manipulation. The order is that of the thesis's numbers, then the needles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Manipulation {
    /// \[11\] Passages change places (Eq. 3.8).
    SwapContent,
    /// \[12\] Passages are taken out (Eq. 3.9).
    RemoveContent,
    /// \[13\] Passages of another document are put in (Eq. A.1).
    InsertContent,
    /// \[14\] Passages are repeated (Eq. A.2).
    RepeatContent,
    /// \[17\] Passages are replaced by those of other documents (Eq. 3.10).
    ExchangeContent,
    /// \[21\] Names change places in a circle (Eq. 3.12, 3.13).
    SwapEntities,
    /// \[22\] Names are replaced by names that the document does not hold (Eq. 3.14).
    ExchangeEntities,
    /// \[24\] Sentences about things of the 21st century are added (Eq. 3.11).
    TemporalInconsistencies,
    /// \[31\] Names of places and organisations become `it` (Eq. A.3).
    EntityToPronoun,
    /// \[32\] Names of places and organisations become `thing` or `stuff` (Eq. 3.15, 3.16).
    EntityToTerm,
    /// \[41\] Letters become their neighbours on the keyboard (Eq. 3.2, 3.17).
    Typos,
    /// \[42\] Verbs change between past and present (Eq. 3.18, 3.19).
    VerbTenses,
    /// \[43\] Words change places within sentences (Eq. 3.20, 3.21).
    WordOrder,
    /// \[44\] Punctuation marks are taken out (Eq. A.4, A.5).
    PunctuationRemoval,
    /// \[45\] Words are taken out (Eq. A.6).
    WordRemoval,
    /// Needle `neg`: a sentence is negated (Semantic Needles, appendix A).
    Negation,
    /// Needle `con`: `and` and `or` change places (Semantic Needles, appendix A).
    ConjunctionSwap,
    /// Needle `ner`: a name is replaced by another of the document (Semantic Needles, appendix A).
    EntityReplacement,
}

/// What a manipulation is meant to harm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// How well the text holds together.
    Coherence,
    /// How well its sentences read.
    Fluency,
    /// What it says.
    Meaning,
}

impl Manipulation {
    /// Every manipulation.
    pub const ALL: [Self; 18] = [
        Self::SwapContent,
        Self::RemoveContent,
        Self::InsertContent,
        Self::RepeatContent,
        Self::ExchangeContent,
        Self::SwapEntities,
        Self::ExchangeEntities,
        Self::TemporalInconsistencies,
        Self::EntityToPronoun,
        Self::EntityToTerm,
        Self::Typos,
        Self::VerbTenses,
        Self::WordOrder,
        Self::PunctuationRemoval,
        Self::WordRemoval,
        Self::Negation,
        Self::ConjunctionSwap,
        Self::EntityReplacement,
    ];

    /// Its name in specs and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::SwapContent => "swap-content",
            Self::RemoveContent => "remove-content",
            Self::InsertContent => "insert-content",
            Self::RepeatContent => "repeat-content",
            Self::ExchangeContent => "exchange-content",
            Self::SwapEntities => "swap-entities",
            Self::ExchangeEntities => "exchange-entities",
            Self::TemporalInconsistencies => "temporal-inconsistencies",
            Self::EntityToPronoun => "entity-to-pronoun",
            Self::EntityToTerm => "entity-to-term",
            Self::Typos => "typos",
            Self::VerbTenses => "verb-tenses",
            Self::WordOrder => "word-order",
            Self::PunctuationRemoval => "punctuation-removal",
            Self::WordRemoval => "word-removal",
            Self::Negation => "negation",
            Self::ConjunctionSwap => "conjunction-swap",
            Self::EntityReplacement => "entity-replacement",
        }
    }

    /// Its number in the thesis; needles have none.
    pub fn number(self) -> Option<u8> {
        Some(match self {
            Self::SwapContent => 11,
            Self::RemoveContent => 12,
            Self::InsertContent => 13,
            Self::RepeatContent => 14,
            Self::ExchangeContent => 17,
            Self::SwapEntities => 21,
            Self::ExchangeEntities => 22,
            Self::TemporalInconsistencies => 24,
            Self::EntityToPronoun => 31,
            Self::EntityToTerm => 32,
            Self::Typos => 41,
            Self::VerbTenses => 42,
            Self::WordOrder => 43,
            Self::PunctuationRemoval => 44,
            Self::WordRemoval => 45,
            Self::Negation | Self::ConjunctionSwap | Self::EntityReplacement => return None,
        })
    }

    /// What it is meant to harm.
    pub fn target(self) -> Target {
        match self {
            Self::Typos
            | Self::VerbTenses
            | Self::WordOrder
            | Self::PunctuationRemoval
            | Self::WordRemoval => Target::Fluency,
            Self::Negation | Self::ConjunctionSwap | Self::EntityReplacement => Target::Meaning,
            _ => Target::Coherence,
        }
    }

    /// Whether it changes one sentence among others that are counted off around it.
    pub fn is_needle(self) -> bool {
        self.target() == Target::Meaning
    }

    /// The manipulation of a name or a number.
    pub fn find(written: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|manipulation| {
            manipulation.name() == written
                || manipulation
                    .number()
                    .is_some_and(|number| number.to_string() == written)
        })
    }
}

impl Target {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Coherence => "coherence",
            Self::Fluency => "fluency",
            Self::Meaning => "meaning",
        }
    }
}

impl fmt::Display for Manipulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Manipulation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_manipulation_is_found_by_its_name_and_its_number() {
        let names: BTreeSet<&str> = Manipulation::ALL.iter().map(|m| m.name()).collect();
        assert_eq!(names.len(), Manipulation::ALL.len());
        for manipulation in Manipulation::ALL {
            assert_eq!(Manipulation::find(manipulation.name()), Some(manipulation));
            if let Some(number) = manipulation.number() {
                assert_eq!(Manipulation::find(&number.to_string()), Some(manipulation));
            }
        }
        assert_eq!(Manipulation::find("15"), None);
    }

    #[test]
    fn the_fifteen_of_the_thesis_are_there() {
        let numbers: Vec<u8> = Manipulation::ALL
            .iter()
            .filter_map(|m| m.number())
            .collect();
        assert_eq!(
            numbers,
            [11, 12, 13, 14, 17, 21, 22, 24, 31, 32, 41, 42, 43, 44, 45]
        );
    }
}
