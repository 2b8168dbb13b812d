//! Settings of manipulations of letters, words and marks.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Amount, Asks, Table, settings};
use crate::language::manipulate::punctuation::PunctuationRemoval;
use crate::language::manipulate::word_order::WordOrder;
use crate::language::manipulate::{Density, Letters, Marks, Shuffle};
use crate::stage::manipulate::check::Maker;
use crate::toml::Percent;

/// Defines a table of settings that mean what they say.
macro_rules! said {
    ($(#[$about:meta])* $name:ident for $settings:ident {
        $($(#[$note:meta])* $field:ident: $type:ty,)*
    }) => {
        settings! { $(#[$about])* $name { $($(#[$note])* $field: $type,)* } }

        impl Table for $settings {
            type Raw = $name;

            fn check(raw: &$name, usual: Self, _: &mut Maker<'_>) -> Option<Self> {
                Some(Self { $($field: raw.$field.unwrap_or(usual.$field),)* })
            }
        }
    };
}

said! {
    /// Settings of a manipulation of letters or words.
    RawLetters for Letters {
        /// Whether the changes are spread over the text (`widespread`, the default) or stand close
        /// together (`dense`).
        density: Density,
    }
}

said! {
    /// Settings of `word-order`.
    RawWordOrder for WordOrder {
        /// Whether the changes are spread over the text (`widespread`, the default) or stand close
        /// together (`dense`).
        density: Density,
        /// Which words of a sentence change places: one pair (the default, as in the thesis's text) or all words (as in
        /// the thesis's data).
        shuffle: Shuffle,
    }
}

said! {
    /// Settings of `punctuation-removal`.
    RawPunctuation for PunctuationRemoval {
        /// Whether the changes are spread over the text (`widespread`, the default) or stand close
        /// together (`dense`).
        density: Density,
        /// Which marks may be taken out; those of ASCII by default.
        marks: Marks,
    }
}
