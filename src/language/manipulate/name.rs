//! The manipulations by name and number (thesis, Table A.3), and the needles.

use std::fmt;

use serde::{Serialize, Serializer};

use super::contract::{About, Work};
use super::list::manipulations;

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

macro_rules! names {
    ($($(#[$doc:meta])* $table:ident: $($module:ident::$name:ident),+;)*) => {
        /// A manipulation. The order is that of the thesis's numbers, then the needles.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Manipulation {
            $($(
                #[doc = concat!("[`", stringify!($name), "`](super::", stringify!($module), "::", stringify!($name), ").")]
                $name,
            )+)*
        }

        impl Manipulation {
            /// Every manipulation.
            pub const ALL: [Self; [$($(Self::$name),+),*].len()] = [$($(Self::$name),+),*];

            /// What holds for it whatever its settings are.
            pub fn about(self) -> About {
                match self {
                    $($(Self::$name => <super::$module::$name as Work>::ABOUT,)+)*
                }
            }

            /// The table of a stage that holds its settings.
            pub fn table(self) -> String {
                let table = match self {
                    $($(Self::$name => stringify!($table),)+)*
                };
                table.replace('_', "-")
            }
        }
    };
}

manipulations!(names);

impl Manipulation {
    /// Its name in specs and tables.
    pub fn name(self) -> &'static str {
        self.about().name
    }

    /// Its number in the thesis; needles have none.
    pub fn number(self) -> Option<u8> {
        self.about().number
    }

    /// What it is meant to harm.
    pub fn target(self) -> Target {
        self.about().target
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
    fn a_table_has_the_name_of_its_manipulation_or_is_shared() {
        for manipulation in Manipulation::ALL {
            let sharing = |other: &&Manipulation| other.table() == manipulation.table();
            let alone = Manipulation::ALL.iter().filter(sharing).count() == 1;
            assert_eq!(
                manipulation.table() == manipulation.name(),
                alone,
                "{manipulation}"
            );
        }
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
