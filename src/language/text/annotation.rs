//! What is known about a text besides its letters: sentences, words with their tags, entities.

use serde::{Serialize, Serializer};

use super::Span;

/// A text's sentences, words and entities, each in the order of the text and none overlapping its
/// neighbour. Whoever makes them (the built-in annotator or a program of the user's) fills only what
/// was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// Sentences, without the blanks around them; no sentence crosses a paragraph break.
    pub sentences: Vec<Span>,
    /// Words and punctuation marks, as the Penn Treebank divides them (`ca|n't`, `Tom|'s`).
    pub words: Vec<Word>,
    /// Mentions of named entities.
    pub entities: Vec<Entity>,
}

/// A word or punctuation mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// Where it stands.
    pub span: Span,
    /// Its part of speech.
    pub tag: Tag,
}

/// A part of speech: the tags of the Penn Treebank that something here asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tag {
    /// `VB`: verb, base form.
    Vb,
    /// `VBD`: verb, past tense.
    Vbd,
    /// `VBG`: gerund or present participle.
    Vbg,
    /// `VBN`: past participle.
    Vbn,
    /// `VBP`: present tense, not third person singular.
    Vbp,
    /// `VBZ`: present tense, third person singular.
    Vbz,
    /// `MD`: modal.
    Md,
    /// `NN`: noun, singular or mass.
    Nn,
    /// `NNS`: noun, plural.
    Nns,
    /// `NNP`: proper noun, singular.
    Nnp,
    /// `NNPS`: proper noun, plural.
    Nnps,
    /// `PRP`: personal pronoun.
    Prp,
    /// `PRP$`: possessive pronoun.
    PrpS,
    /// `DT`: determiner.
    Dt,
    /// `IN`: preposition or subordinating conjunction.
    In,
    /// `CC`: coordinating conjunction.
    Cc,
    /// `JJ`, `JJR`, `JJS`: adjective.
    Jj,
    /// `RB`, `RBR`, `RBS`: adverb.
    Rb,
    /// `TO`: to.
    To,
    /// `EX`: existential there.
    Ex,
    /// `CD`: number.
    Cd,
    /// `WDT`, `WP`, `WP$`, `WRB`: question and relative words.
    Wh,
    /// `POS`: the possessive ending.
    Pos,
    /// A punctuation mark.
    Punctuation,
    /// Anything else.
    Other,
}

impl Tag {
    /// The tag of a name from the Penn Treebank; [`Tag::Other`] for those that nothing asks for.
    pub fn from_penn(name: &str) -> Self {
        match name {
            "VB" => Self::Vb,
            "VBD" => Self::Vbd,
            "VBG" => Self::Vbg,
            "VBN" => Self::Vbn,
            "VBP" => Self::Vbp,
            "VBZ" => Self::Vbz,
            "MD" => Self::Md,
            "NN" => Self::Nn,
            "NNS" => Self::Nns,
            "NNP" => Self::Nnp,
            "NNPS" => Self::Nnps,
            "PRP" => Self::Prp,
            "PRP$" => Self::PrpS,
            "DT" | "PDT" => Self::Dt,
            "IN" => Self::In,
            "CC" => Self::Cc,
            "JJ" | "JJR" | "JJS" => Self::Jj,
            "RB" | "RBR" | "RBS" => Self::Rb,
            "TO" => Self::To,
            "EX" => Self::Ex,
            "CD" => Self::Cd,
            "WDT" | "WP" | "WP$" | "WRB" => Self::Wh,
            "POS" => Self::Pos,
            "." | "," | ":" | "``" | "''" | "-LRB-" | "-RRB-" | "HYPH" | "NFP" | "$" | "#"
            | "SYM" => Self::Punctuation,
            _ => Self::Other,
        }
    }

    /// Whether the Penn Treebank has a tag of this name, or the corpora that go on with its tags (`OntoNotes`).
    pub fn is_penn(name: &str) -> bool {
        const OTHERS: [&str; 21] = [
            "FW", "LS", "RP", "UH", "ADD", "AFX", "GW", "XX", "_SP", "SP", "BES", "HVS", "NIL", "",
            "\"\"", "(", ")", "-LSB-", "-RSB-", "-LCB-", "-RCB-",
        ];
        Self::from_penn(name) != Self::Other || OTHERS.contains(&name)
    }

    /// Whether it is a verb in any form, auxiliaries and modals included.
    pub fn is_verb(self) -> bool {
        matches!(
            self,
            Self::Vb | Self::Vbd | Self::Vbg | Self::Vbn | Self::Vbp | Self::Vbz | Self::Md
        )
    }
}

/// A mention of a named entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entity {
    /// Where it stands.
    pub span: Span,
    /// What it names.
    pub kind: EntityKind,
}

/// What an entity is, as `OntoNotes` and spaCy name it (thesis, Table A.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntityKind {
    /// `PERSON`: people, also of fiction.
    Person,
    /// `ORG`: companies, agencies, institutions.
    Org,
    /// `GPE`: countries, cities, states.
    Gpe,
    /// `LOC`: other places: mountains, waters, regions.
    Loc,
    /// `FAC`: buildings, streets, bridges.
    Fac,
    /// `DATE`: dates and periods.
    Date,
    /// `LANGUAGE`: a named language.
    Language,
}

impl EntityKind {
    /// Every kind.
    pub const ALL: [Self; 7] = [
        Self::Person,
        Self::Org,
        Self::Gpe,
        Self::Loc,
        Self::Fac,
        Self::Date,
        Self::Language,
    ];

    /// The kinds that are neither persons nor something else than names: places and organisations, which
    /// English calls `it` (thesis, 3.3.1).
    pub const NOT_PERSONS: [Self; 4] = [Self::Org, Self::Gpe, Self::Loc, Self::Fac];

    /// Its usual name, such as `PERSON`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Person => "PERSON",
            Self::Org => "ORG",
            Self::Gpe => "GPE",
            Self::Loc => "LOC",
            Self::Fac => "FAC",
            Self::Date => "DATE",
            Self::Language => "LANGUAGE",
        }
    }
}

impl Serialize for EntityKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
