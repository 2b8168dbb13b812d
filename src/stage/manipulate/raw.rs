//! `manipulate` stages as they are written: one table of settings per manipulation, so that an axis
//! can go through the manipulations while each keeps its own.

use schemars::JsonSchema;
use serde::Deserialize;

use super::tables::RawOf;
use crate::language::manipulate::{self, manipulations};
use crate::toml::Plain;

macro_rules! table {
    ($(
        $(#[$about:meta])*
        $table:ident: $module:ident::$name:ident $(, $sharing:ident::$another:ident)*;
    )*) => {
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
            /// The stage with the documents that foreign content comes from; the stage in `from` by
            /// default.
            #[expect(
                dead_code,
                reason = "looked up in the tree, with its place, when stages are ordered"
            )]
            pub(crate) donors: Option<String>,
            /// The stage with the whole documents: `remove-content` fills up a truncated text with what follows it
            /// there.
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
            $($(#[$about])* pub(crate) $table: Option<RawOf<manipulate::$module::$name>>,)*
        }
    };
}

manipulations!(table);
