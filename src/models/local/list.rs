//! The list of all providers without a server: whoever adds one adds a line here.

use serde::Serialize;

use super::contract::{Given, Key, LocalProvider};

/// Hands the list to a macro, behind whatever else that macro is handed.
///
/// A line says how specs name the provider, which folder holds it, and how it is called in Rust. The sentence is what
/// editors show.
macro_rules! locals {
    ($make:ident $($more:tt)*) => {
        $make! {
            $($more)*
            /// The built-in, deterministic baseline: needs no key and no network.
            "heuristic": heuristic, Heuristic;
            /// Replies made elsewhere, looked up in a table.
            "recorded": recorded, Recorded;
            /// Replies from a script: for tests and demonstrations.
            "scripted": scripted, Scripted;
        }
    };
}

pub(crate) use locals;

macro_rules! closed_set {
    ($($(#[$doc:meta])* $name:literal: $folder:ident, $provider:ident;)*) => {
        /// Which provider it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum LocalKind {
            $($(#[$doc])* $provider,)*
        }

        /// A provider with its settings. What is serialised is part of keys.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        pub enum Local {
            $($(#[$doc])* #[serde(rename = $name)] $provider(super::$folder::Settings),)*
        }

        impl LocalKind {
            /// All providers without a server.
            pub const ALL: &'static [Self] = &[$(Self::$provider),*];

            /// The name of the provider in specs.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$provider => $name,)*
                }
            }

            /// The keys that it takes beside those of all models.
            pub fn keys(self) -> &'static [Key] {
                match self {
                    $(Self::$provider => super::$folder::Settings::keys(),)*
                }
            }

            /// The provider with these settings; nothing, where it cannot do without one that is not given.
            pub fn with(self, given: Given) -> Option<Local> {
                Some(match self {
                    $(Self::$provider => Local::$provider(super::$folder::Settings::of(given)?),)*
                })
            }
        }

        impl Local {
            /// What the provider says of itself.
            pub fn provider(&self) -> &dyn LocalProvider {
                match self {
                    $(Self::$provider(settings) => settings,)*
                }
            }
        }
    };
}

locals!(closed_set);

impl LocalKind {
    /// Whether it takes a key.
    pub fn takes(self, key: &str) -> bool {
        self.keys().iter().any(|(name, _)| *name == key)
    }

    /// The names of those that have no settings: such a name is a model without any table.
    pub fn ready_made() -> impl Iterator<Item = (&'static str, Self)> {
        let ready = Self::ALL.iter().filter(|kind| kind.keys().is_empty());
        ready.map(|kind| (kind.name(), *kind))
    }
}
