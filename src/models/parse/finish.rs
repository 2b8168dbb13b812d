//! Why a model stopped writing.

use serde::{Deserialize, Serialize};

/// What is said of a reply that a filter stopped.
const FILTERED: &str = "the server's filter stopped the reply";

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

    /// Reads a word of a server or a recording; an empty one says nothing, any other that is no end of a reply that can be
    /// read as it is means [`Finish::Unknown`].
    pub fn from_word(word: &str) -> Option<Self> {
        if word.trim().is_empty() {
            return None;
        }
        Some(match Ending::of_word(word) {
            Ending::Finished(finish) => finish,
            Ending::Refused(_) | Ending::GivenUp => Self::Unknown,
        })
    }
}

/// What a word for the end of a reply means, whoever writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The reply is there, whole or not.
    Finished(Finish),
    /// Somebody would not have the reply: who, as a sentence.
    Refused(&'static str),
    /// The server did not go on: the reply is not whole, and by no fault of its own.
    GivenUp,
}

impl Ending {
    /// Reads the word, capitals and blanks around it aside.
    ///
    /// This is the one table of such words, because a reply that was recorded or came through a gateway has the word of
    /// the server that wrote it, whoever hands it on.
    pub fn of_word(word: &str) -> Self {
        let word = word.trim().to_lowercase();
        match word.as_str() {
            // OpenAI; TGI and others; Anthropic, whose `tool_use` ends a reply that was held to a schema.
            "stop" | "eos_token" | "eos" | "stop_sequence" | "end_turn" | "tool_use" => {
                Self::Finished(Finish::Stop)
            }
            // OpenAI; Anthropic and Gemini; Mistral; Anthropic.
            "length" | "max_tokens" | "model_length" | "model_context_window_exceeded" => {
                Self::Finished(Finish::Length)
            }
            "refusal" => Self::Refused("the model declined to go on"),
            // Gemini.
            "safety" | "recitation" | "blocklist" | "prohibited_content" | "spii" => {
                Self::Refused(FILTERED)
            }
            // Gemini also says which filter: `content_filter: RECITATION`.
            word if word.starts_with("content_filter") => Self::Refused(FILTERED),
            // vLLM, OpenRouter, DeepSeek.
            "abort" | "error" | "insufficient_system_resource" => Self::GivenUp,
            _ => Self::Finished(Finish::Unknown),
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

    #[test]
    fn a_cut_reply_is_known_by_the_word_of_any_server() {
        for word in [
            "length",
            "max_tokens",
            "MAX_TOKENS",
            " model_length ",
            "model_context_window_exceeded",
        ] {
            assert_eq!(Finish::from_word(word), Some(Finish::Length), "{word}");
        }
        for word in ["stop", "STOP", "eos_token", "eos", "end_turn", "tool_use"] {
            assert_eq!(Finish::from_word(word), Some(Finish::Stop), "{word}");
        }
        for word in ["tool_calls", "unknown", "SAFETY", "abort"] {
            assert_eq!(Finish::from_word(word), Some(Finish::Unknown), "{word}");
        }
        assert_eq!(Finish::from_word(" "), None);
    }

    #[test]
    fn a_word_of_a_filter_is_a_refusal_however_it_is_spelt() {
        for word in [
            "content_filter",
            "content_filter: RECITATION",
            "SAFETY",
            "RECITATION",
            "BLOCKLIST",
            "PROHIBITED_CONTENT",
            "SPII",
            "safety",
        ] {
            assert_eq!(Ending::of_word(word), Ending::Refused(FILTERED), "{word}");
        }
        assert!(matches!(Ending::of_word("refusal"), Ending::Refused(_)));
        assert_eq!(Ending::of_word("abort"), Ending::GivenUp);
    }
}
