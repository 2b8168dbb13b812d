//! What a token is, as specs say it.

use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};

use super::{Encoding, FileTokenizer, Tokenizer};
use crate::base::failure::Failure;

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenizerSpec {
    /// One that is built in, by its name.
    Named(&'static str),
    /// A `tokenizer.json`; its content enters keys as a digest, its place does not.
    File(PathBuf),
}

impl TokenizerSpec {
    /// The names there are.
    pub fn names() -> Vec<&'static str> {
        let encodings = Encoding::ALL.iter().map(|encoding| encoding.name());
        ["whitespace", "spaces"]
            .into_iter()
            .chain(encodings)
            .collect()
    }

    /// The file it is read from.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::Named(_) => None,
            Self::File(path) => Some(path),
        }
    }

    /// The tokenizer, made from the bytes of its file where it has one.
    ///
    /// # Errors
    /// A file that holds no tokenizer.
    pub fn load(&self, file: Option<&[u8]>) -> Result<Tokenizer, Failure> {
        match self {
            Self::Named(name) => Ok(Tokenizer::named(name)?),
            Self::File(path) => FileTokenizer::from_json(file.unwrap_or_default())
                .map(Tokenizer::File)
                .map_err(|error| Failure::from(error).at(path.display())),
        }
    }
}

impl Default for TokenizerSpec {
    /// Words between blanks: the thesis's tokens.
    fn default() -> Self {
        Self::Named("whitespace")
    }
}

impl Serialize for TokenizerSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::Named(name) => name,
            Self::File(_) => "tokenizer.json",
        })
    }
}
