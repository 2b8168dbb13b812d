//! The settings of manipulations as tables of a spec: what is written, and what it means.

mod names;
mod needle;
mod passages;
mod words;

use super::check::Maker;
use crate::language::manipulate::Work;
use crate::toml::Percent;

/// Settings of manipulations that a table of a spec says.
pub(crate) trait Table: Sized {
    /// The table as it is written.
    type Raw: Asks + Default;

    /// What is written, and `usual` where nothing is. What is wrong with it is added to the problems.
    fn check(raw: &Self::Raw, usual: Self, maker: &mut Maker<'_>) -> Option<Self>;
}

/// The table of a manipulation as it is written.
pub(crate) type RawOf<M> = <<M as Work>::Settings as Table>::Raw;

/// A table that may say how many operations there are.
pub(crate) trait Asks {
    /// What it says; nothing where there is always one.
    fn amount(&self) -> Option<Amount>;
}

/// The settings that say how many operations there are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Amount {
    pub(crate) count: Option<usize>,
    pub(crate) percent: Option<Percent>,
    pub(crate) per_thousand: Option<f64>,
    pub(crate) plus: Option<usize>,
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
            /// A number of operations added to those of `per-thousand`, the same for every document.
            pub(crate) plus: Option<usize>,
            $($(#[$note])* pub(crate) $field: Option<$type>,)*
        }

        impl Asks for $name {
            fn amount(&self) -> Option<Amount> {
                Some(Amount {
                    count: self.count,
                    percent: self.percent,
                    per_thousand: self.per_thousand,
                    plus: self.plus,
                })
            }
        }
    };
}

use settings;
