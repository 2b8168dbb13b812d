//! What is done to one document: a manipulation, how strong, and with which settings.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::Manipulation;
use super::contract::{Takes, Work};
use super::intensity::Intensity;
use super::list::manipulations;
use super::needle::Position;
use super::perform::{Damaged, Job, Refusal};
use crate::language::text::{Span, Want};

/// What is done to every document of a stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// How many operations; needles have one each.
    pub intensity: Option<Intensity>,
    /// The manipulation, and what else there is to say about it.
    pub settings: Settings,
}

macro_rules! settings {
    ($($(#[$doc:meta])* $table:ident: $($module:ident::$name:ident),+;)*) => {
        /// A manipulation and what there is to say about it besides its intensity.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(untagged)]
        pub enum Settings {
            $($(
                #[doc = concat!("[`", stringify!($name), "`](super::", stringify!($module), "::", stringify!($name), ").")]
                $name(<super::$module::$name as Work>::Settings),
            )+)*
        }

        impl Settings {
            /// The settings of a manipulation where nothing is said about them.
            pub fn usual(manipulation: Manipulation) -> Self {
                match manipulation {
                    $($(Manipulation::$name => Self::$name(super::$module::$name::usual()),)+)*
                }
            }

            /// The manipulation whose settings they are.
            pub fn manipulation(&self) -> Manipulation {
                match self {
                    $($(Self::$name(_) => Manipulation::$name,)+)*
                }
            }

            /// What is taken from another stage.
            pub fn takes(&self) -> Takes {
                match self {
                    $($(Self::$name(settings) => super::$module::$name::takes(settings),)+)*
                }
            }

            /// What another document can give.
            pub fn gives(&self, text: &str) -> Vec<Span> {
                match self {
                    $($(Self::$name(settings) => super::$module::$name::gives(settings, text),)+)*
                }
            }

            /// Where a needle is to stand, if there are several places: each gives a row.
            pub fn positions(&self) -> Vec<Position> {
                match self {
                    $($(Self::$name(settings) => super::$module::$name::positions(settings),)+)*
                }
            }

            pub(super) fn perform_each(&self, job: &mut Job<'_>) -> Result<Vec<Damaged>, Refusal> {
                match self {
                    $($(Self::$name(settings) => super::$module::$name::perform_each(settings, job),)+)*
                }
            }

            pub(super) fn perform(&self, job: &mut Job<'_>) -> Result<Damaged, Refusal> {
                match self {
                    $($(Self::$name(settings) => super::$module::$name::perform(settings, job),)+)*
                }
            }
        }
    };
}

manipulations!(settings);

impl Recipe {
    /// The manipulation.
    pub fn manipulation(&self) -> Manipulation {
        self.settings.manipulation()
    }

    /// What must be known about texts.
    pub fn wants(&self) -> Want {
        self.manipulation().about().wants
    }

    /// Whether the number of operations follows from the number of tokens (Eq. 3.2, 3.23 and A.6).
    pub fn counts_tokens(&self) -> bool {
        matches!(self.intensity, Some(Intensity::PerThousand { .. }))
            || self.manipulation().about().counts_tokens
    }
}

impl Serialize for Recipe {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = 2 + usize::from(self.intensity.is_some());
        let mut recipe = serializer.serialize_struct("Recipe", fields)?;
        recipe.serialize_field("manipulation", &self.manipulation())?;
        if let Some(intensity) = &self.intensity {
            recipe.serialize_field("intensity", intensity)?;
        }
        recipe.serialize_field("settings", &self.settings)?;
        recipe.end()
    }
}
