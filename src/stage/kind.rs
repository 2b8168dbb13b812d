//! Kinds of stages, stages of any kind, and their names.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::contract::{About, Gathers, Gives, How, RowsOf, Work};
use super::list::kinds;

macro_rules! closed_set {
    ($($(#[$doc:meta])* $name:ident: $kind:ident $how:ident,)*) => {
        /// What a stage does. The order is the order of a pipeline.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum Kind {
            $($(#[$doc])* $kind,)*
        }

        /// One configured stage. Everything serialised here is part of its key; everything skipped
        /// (paths, concurrency, formats) is not.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(untagged)]
        pub enum Stage {
            $($(#[$doc])* $kind(Box<super::$kind>),)*
        }

        impl Kind {
            /// All kinds, in the order of a pipeline.
            pub const ALL: [Self; [$(Self::$kind),*].len()] = [$(Self::$kind),*];

            /// The kind's name, as in `[judge.vanilla]`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => stringify!($name),)*
                }
            }

            /// Whether stages of this kind ask models.
            pub fn asks(self) -> bool {
                match self {
                    $(Self::$kind => is_asking!($how),)*
                }
            }

            /// What holds for all stages of this kind.
            pub(crate) fn about(self) -> About {
                match self {
                    $(Self::$kind => <super::$kind as Work>::about(),)*
                }
            }
        }

        impl Stage {
            /// The stage's kind.
            pub fn kind(&self) -> Kind {
                match self {
                    $(Self::$kind(_) => Kind::$kind,)*
                }
            }

            /// What the stage says of itself.
            pub(super) fn work(&self) -> &dyn Work {
                match self {
                    $(Self::$kind(stage) => &**stage,)*
                }
            }

            /// The same, to change what is in no key.
            pub(super) fn work_mut(&mut self) -> &mut dyn Work {
                match self {
                    $(Self::$kind(stage) => &mut **stage,)*
                }
            }

            /// How the stage comes to its result.
            pub(crate) fn how(&self) -> How<'_> {
                match self {
                    $(Self::$kind(stage) => way!($how, &**stage),)*
                }
            }
        }

        $(impl From<super::$kind> for Stage {
            fn from(stage: super::$kind) -> Self {
                Self::$kind(Box::new(stage))
            }
        })*
    };
}

macro_rules! is_asking {
    (computes) => {
        false
    };
    (asks) => {
        true
    };
}

macro_rules! way {
    (computes, $stage:expr) => {
        How::Computes($stage)
    };
    (asks, $stage:expr) => {
        How::Asks($stage)
    };
}

kinds!(closed_set);

impl Kind {
    /// Counts up when the kind's result changes meaning, so that cached results are not reused.
    /// A test over golden outputs notices when this was forgotten.
    pub fn version(self) -> u32 {
        self.about().version
    }

    /// Whether its rows are computed from those of other stages.
    pub(crate) fn is_computed(self) -> bool {
        let about = self.about();
        !self.asks() && !about.reads.is_empty() && matches!(about.gives, Gives::Rows(_))
    }

    /// Which instances of its inputs one instance reads: statistics, tables and figures compare across axes, a file
    /// holds all rows.
    pub(crate) fn gathers(self) -> Gathers {
        self.about().gathers
    }

    /// Whether its rows may be of this sort.
    pub fn gives(self, rows: RowsOf) -> bool {
        matches!(self.about().gives, Gives::Rows(all) if all.contains(&rows))
    }

    /// Whether its rows are documents or parts of them, with a `text` (of reports, where they stand beside documents).
    pub fn gives_documents(self) -> bool {
        self.gives(RowsOf::Documents)
    }

    /// The kinds whose rows are of one of these sorts, in the order of a pipeline.
    pub(crate) fn that_give(rows: &[RowsOf]) -> Vec<Self> {
        let gives = |kind: &Self| rows.iter().any(|&rows| kind.gives(rows));
        Self::ALL.into_iter().filter(gives).collect()
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or(())
    }
}

/// A stage's full name: its kind and the name under it, shown as `judge.vanilla`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StageName {
    /// The kind.
    pub kind: Kind,
    /// The name after the dot.
    pub name: String,
}

impl StageName {
    /// A name under a kind.
    pub fn new(kind: Kind, name: impl Into<String>) -> Self {
        Self {
            kind,
            name: name.into(),
        }
    }
}

impl fmt::Display for StageName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.kind, self.name)
    }
}
