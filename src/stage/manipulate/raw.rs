//! `manipulate` stages as they are written: one table of settings per manipulation, so that an axis
//! can go through the manipulations while each keeps its own.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::language::manipulate::{Article, Density, Hay, Marks, Mentions, NegationAfter, Shuffle};
use crate::language::text::Scope;
use crate::toml::{OneOrMany, Percent, Plain};

/// Damages every text in a recorded way.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawManipulate {
    /// The stage to read.
    #[expect(
        dead_code,
        reason = "looked up in the tree, with its place, when stages are ordered"
    )]
    pub(crate) from: Option<String>,
    /// What is done: the name or number of a manipulation (thesis, Table A.3), a needle, or `none`.
    pub(crate) apply: Option<Plain>,
    /// The stage with the documents that foreign content comes from; what is read, unless said
    /// otherwise.
    #[expect(
        dead_code,
        reason = "looked up in the tree, with its place, when stages are ordered"
    )]
    pub(crate) donors: Option<String>,
    /// The stage with the whole documents: `remove-content` fills up with what follows a truncated
    /// text there.
    #[expect(
        dead_code,
        reason = "looked up in the tree, with its place, when stages are ordered"
    )]
    pub(crate) fill: Option<String>,
    /// A program that finds sentences, words and entities instead of the built-in one: a name under
    /// `[annotators]`.
    pub(crate) annotator: Option<String>,
    /// What a token is, where operations are counted per token: `whitespace` (the default), `spaces`,
    /// the name of an encoding, or a `tokenizer.json`.
    pub(crate) tokenizer: Option<String>,
    /// \[11\] Passages change places.
    pub(crate) swap_content: Option<RawContent>,
    /// \[12\] Passages are taken out.
    pub(crate) remove_content: Option<RawContent>,
    /// \[13\] Passages of another document are put in.
    pub(crate) insert_content: Option<RawContent>,
    /// \[14\] Passages are repeated.
    pub(crate) repeat_content: Option<RawRepeat>,
    /// \[17\] Passages are replaced by those of other documents.
    pub(crate) exchange_content: Option<RawContent>,
    /// \[21\] Names of persons change places in a circle.
    pub(crate) swap_entities: Option<RawSwapEntities>,
    /// \[22\] Names are replaced by names that the document does not hold.
    pub(crate) exchange_entities: Option<RawEntities>,
    /// \[24\] Sentences about things of the 21st century are added to paragraphs.
    pub(crate) temporal_inconsistencies: Option<RawTemporal>,
    /// \[31\] Names of places and organisations become `it`.
    pub(crate) entity_to_pronoun: Option<RawEntities>,
    /// \[32\] Names of places and organisations become `thing` or `stuff`.
    pub(crate) entity_to_term: Option<RawTerm>,
    /// \[41\] Letters become their neighbours on the keyboard.
    pub(crate) typos: Option<RawLetters>,
    /// \[42\] Verbs change between past and present.
    pub(crate) verb_tenses: Option<RawLetters>,
    /// \[43\] Words change places within sentences.
    pub(crate) word_order: Option<RawWordOrder>,
    /// \[44\] Punctuation marks are taken out.
    pub(crate) punctuation_removal: Option<RawPunctuation>,
    /// \[45\] Words are taken out.
    pub(crate) word_removal: Option<RawLetters>,
    /// Where the changed sentence of a needle (`negation`, `conjunction-swap`, `entity-replacement`)
    /// stands.
    pub(crate) needle: Option<RawNeedle>,
}

/// Defines a table of settings that begins with the intensity of a manipulation.
macro_rules! settings {
    ($(#[$about:meta])* $name:ident { $($(#[$note:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$about])*
        #[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case")]
        pub(crate) struct $name {
            /// How many operations.
            pub(crate) count: Option<usize>,
            /// How many operations, as a percentage of what there is to change; of a range such as
            /// `[10, 30]`, a whole number is drawn for each document.
            pub(crate) percent: Option<Percent>,
            /// How many operations per thousand tokens.
            pub(crate) per_thousand: Option<f64>,
            /// Added to `per-thousand`: operations that the shortest document gets too.
            pub(crate) plus: Option<usize>,
            $($(#[$note])* pub(crate) $field: Option<$type>,)*
        }

        impl $name {
            /// The settings that say how many operations there are.
            pub(crate) fn amount(&self) -> Amount {
                Amount {
                    count: self.count,
                    percent: self.percent,
                    per_thousand: self.per_thousand,
                    plus: self.plus,
                }
            }
        }
    };
}

/// The settings that say how many operations there are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Amount {
    pub(crate) count: Option<usize>,
    pub(crate) percent: Option<Percent>,
    pub(crate) per_thousand: Option<f64>,
    pub(crate) plus: Option<usize>,
}

settings! {
    /// Settings of a manipulation of passages.
    RawContent {
        /// What a passage is; `paragraph` unless said otherwise.
        scope: Scope,
        /// The fewest characters of a passage that takes part, which are also what sections are filled up
        /// to; 50 for a paragraph and 3000 for a section unless said otherwise.
        min_characters: usize,
    }
}

settings! {
    /// Settings of `repeat-content`.
    RawRepeat {
        /// What a passage is; `paragraph` unless said otherwise.
        scope: Scope,
        /// The fewest characters of a passage that takes part, which are also what sections are filled up
        /// to; 50 for a paragraph and 3000 for a section unless said otherwise.
        min_characters: usize,
        /// How often a passage is repeated; 1 unless said otherwise.
        times: usize,
    }
}

settings! {
    /// Settings of `temporal-inconsistencies`.
    RawTemporal {
        /// The fewest characters of a paragraph that takes part; 50 unless said otherwise.
        min_characters: usize,
        /// The sentences to add, instead of the built-in ones.
        statements: Vec<String>,
    }
}

settings! {
    /// Settings of a manipulation of names.
    RawEntities {
        /// The kinds of names that take part, such as `["GPE", "LOC"]`; of `exchange-entities` persons, of
        /// `entity-to-pronoun` places and organisations, unless said otherwise.
        kinds: OneOrMany<String>,
    }
}

settings! {
    /// Settings of `swap-entities`.
    RawSwapEntities {
        /// The kinds of names that take part; `["PERSON"]` unless said otherwise.
        kinds: OneOrMany<String>,
        /// Which mentions of a name are replaced; `all` unless said otherwise.
        mentions: Mentions,
    }
}

settings! {
    /// Settings of `entity-to-term`.
    RawTerm {
        /// The kinds of names that take part; places and organisations unless said otherwise.
        kinds: OneOrMany<String>,
        /// The words that stand in; `["thing", "stuff"]` unless said otherwise.
        terms: OneOrMany<String>,
        /// The article before the word, where the name has none; `either` unless said otherwise.
        article: Article,
    }
}

settings! {
    /// Settings of a manipulation of letters or words.
    RawLetters {
        /// Whether the changes are spread over the text (`widespread`, the default) or stand close
        /// together (`dense`).
        density: Density,
    }
}

settings! {
    /// Settings of `word-order`.
    RawWordOrder {
        /// Whether the changes are spread over the text (`widespread`, the default) or stand close
        /// together (`dense`).
        density: Density,
        /// What changes place in a sentence: one pair of words (the thesis's text, and the default)
        /// or all its words (the thesis's data).
        shuffle: Shuffle,
    }
}

settings! {
    /// Settings of `punctuation-removal`.
    RawPunctuation {
        /// Whether the changes are spread over the text (`widespread`, the default) or stand close
        /// together (`dense`).
        density: Density,
        /// Which marks may be taken out; those of ASCII unless said otherwise.
        marks: Marks,
    }
}

/// Where the changed sentence of a needle stands.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawNeedle {
    /// How many sentences stand before it.
    pub(crate) before: Option<usize>,
    /// How many sentences stand after it.
    pub(crate) after: Option<usize>,
    /// Whose sentences they are; `original` unless said otherwise.
    pub(crate) hay: Option<Hay>,
    /// The most sentences on either side that any position of the experiment has; documents need as
    /// many around a needle. 9 unless said otherwise.
    pub(crate) room: Option<usize>,
    /// How many sentences either way are tried when the middle one cannot be changed; 5 unless said
    /// otherwise.
    pub(crate) reach: Option<usize>,
    /// For `negation`: where `not` is put; after the main verb, as the paper says, unless said
    /// otherwise.
    pub(crate) not_after: Option<NegationAfter>,
}
