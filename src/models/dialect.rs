//! The list of all dialects that servers speak, each the name of a provider: whoever adds one adds a line here.

use serde::{Deserialize, Serialize};

/// Hands the list to a macro, behind whatever else that is handed: it makes an enum, the providers of a spec or a choice
/// between all dialects.
///
/// A line says how specs name the provider, which folder of `provider` holds it, and how it is called in Rust. The
/// sentence is what editors show.
macro_rules! dialects {
    ($make:ident $($more:tt)*) => {
        $make! {
            $($more)*
            /// A server that speaks the chat completions of OpenAI: vLLM, llama.cpp, Ollama, hosted ones.
            "openai": openai, OpenAi;
            /// A server that speaks the messages of Anthropic.
            "anthropic": anthropic, Anthropic;
        }
    };
}

pub(crate) use dialects;

macro_rules! closed_set {
    ($($(#[$doc:meta])* $name:literal: $folder:ident, $dialect:ident;)*) => {
        /// How a server is spoken to. Its name is part of keys.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum Dialect {
            $($(#[$doc])* #[serde(rename = $name)] $dialect,)*
        }

        impl Dialect {
            /// All dialects.
            pub const ALL: &'static [Self] = &[$(Self::$dialect),*];

            /// The name of the provider in specs.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$dialect => $name,)*
                }
            }
        }
    };
}

dialects!(closed_set);
