//! Why a model stopped writing.

use serde::{Deserialize, Serialize};

/// Why the model stopped writing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finish {
    /// It had finished.
    #[default]
    Stop,
    /// It had used up its output tokens.
    Length,
    /// The server did not say, or said something else; also a word of a later version.
    #[serde(other)]
    Unknown,
}

impl Finish {
    /// The word for it, as servers and recorded outputs write it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Length => "length",
            Self::Unknown => "unknown",
        }
    }

    /// Reads the word; an empty one says nothing, any other unknown one means [`Finish::Unknown`].
    pub fn from_word(word: &str) -> Option<Self> {
        match word.trim() {
            "" => None,
            "stop" => Some(Self::Stop),
            "length" => Some(Self::Length),
            _ => Some(Self::Unknown),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_a_later_version_is_unknown_and_no_error() {
        for (stored, finish) in [
            ("\"length\"", Finish::Length),
            ("\"tool-calls\"", Finish::Unknown),
        ] {
            assert_eq!(serde_json::from_str::<Finish>(stored).unwrap(), finish);
        }
    }
}
