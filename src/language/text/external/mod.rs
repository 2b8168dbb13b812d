//! Annotations made by a program of the user's, such as spaCy.
//!
//! The program reads one JSON object per line, a document each, and answers each with one line, in
//! the same order, after a first line that says what it is:
//!
//! ```text
//! ◂ {"annotator": "spacy 3.8.11 en_core_web_sm 3.8.0", "protocol": 1}
//! ▸ {"id": 0, "text": "Ann sang.", "want": ["sentences", "words", "entities"]}
//! ◂ {"id": 0, "sentences": [[0, 9]], "words": [[0, 3, "NNP"], [4, 8, "VBD"], [8, 9, "."]],
//!    "entities": [[0, 3, "PERSON"]]}
//! ```
//!
//! (The last one is a single line.) Places count characters, that is Unicode code points, as Python
//! does; the end is excluded. Words carry tags of the Penn Treebank. Only what `want` lists is read.
//! The program ends, with status 0, when its input does. `tools/annotate_spacy.py` is one.
//!
//! Results are kept under the name that the spec declares for the program, so another name in the
//! greeting is an error: a newer model must not answer in an older one's name. Whether a program
//! gives the same answers twice is its own affair; it is asked once per text.
//!
//! [`encode`], [`check_greeting`] and [`decode`] start nothing; [`annotate`] drives the program, which `base::program` starts
//! and stops.

mod error;
mod process;
mod reply;

use serde::Serialize;

pub use error::{ExternalError, Failure, Place, Problem, ReplyError};
pub use process::{Annotated, annotate};
pub use reply::{Reply, check_greeting, decode};

/// The version of the protocol that is spoken here.
pub const PROTOCOL: u64 = 1;

/// What is asked of the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Want {
    /// Sentences.
    pub sentences: bool,
    /// Words with their tags.
    pub words: bool,
    /// Named entities.
    pub entities: bool,
}

impl Want {
    /// Nothing.
    pub const NOTHING: Self = Self {
        sentences: false,
        words: false,
        entities: false,
    };
    /// Sentences alone.
    pub const SENTENCES: Self = Self {
        sentences: true,
        ..Self::NOTHING
    };
    /// Sentences and words.
    pub const WORDS: Self = Self {
        words: true,
        ..Self::SENTENCES
    };
    /// Sentences and named entities.
    pub const ENTITIES: Self = Self {
        entities: true,
        ..Self::SENTENCES
    };

    /// Whether nothing is wanted.
    pub fn is_nothing(self) -> bool {
        self == Self::default()
    }

    /// The names of what is wanted, as they stand in a request.
    fn names(self) -> Vec<&'static str> {
        [
            (self.sentences, "sentences"),
            (self.words, "words"),
            (self.entities, "entities"),
        ]
        .into_iter()
        .filter_map(|(wanted, name)| wanted.then_some(name))
        .collect()
    }
}

/// The request for one document: a line, without its end.
pub fn encode(id: usize, text: &str, want: Want) -> Vec<u8> {
    #[derive(Serialize)]
    struct Request<'t> {
        id: usize,
        text: &'t str,
        want: Vec<&'static str>,
    }
    let want = want.names();
    // What fails is writing, and nothing is written.
    serde_json::to_vec(&Request { id, text, want }).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Want = Want {
        sentences: true,
        words: true,
        entities: true,
    };

    fn line(text: &str, want: Want) -> String {
        String::from_utf8(encode(7, text, want)).unwrap()
    }

    #[test]
    fn a_request_is_one_line_whatever_the_text_holds() {
        let text = "\u{feff}Ann\r\n\r\nsaid \"no\".\u{2028}\0é🎻";
        let line = line(text, ALL);
        assert_eq!(line.matches(['\n', '\r', '\0']).count(), 0);
        let value: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(value["text"], text);
        assert_eq!(value["id"], 7);
    }

    #[test]
    fn a_request_lists_what_is_wanted() {
        let words = Want {
            sentences: false,
            entities: false,
            ..ALL
        };
        assert_eq!(
            line("a", words),
            "{\"id\":7,\"text\":\"a\",\"want\":[\"words\"]}"
        );
        assert!(line("a", ALL).contains("[\"sentences\",\"words\",\"entities\"]"));
    }
}
