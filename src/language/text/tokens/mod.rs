//! Tokens: what the length of a text is counted in.
//!
//! Counts and places only; cutting is the work of [`truncate`](super::truncate) and
//! [`scan`](super::scan).

mod encoding;
mod file;
mod spec;
#[cfg(test)]
mod tests;

use thiserror::Error;

pub use encoding::Encoding;
pub use file::FileTokenizer;
pub use spec::TokenizerSpec;

use crate::base::failure::Failure;
use crate::base::wording::{choice_of, did_you_mean};

/// What a token is.
#[derive(Clone, Debug, Default)]
pub enum Tokenizer {
    /// What stands between blanks: the words of `str::split_whitespace`, as the thesis counts the
    /// lengths of documents (Table 3.1).
    #[default]
    Whitespace,
    /// What stands between single spaces: the pieces of Python's `split(' ')`, as the code of the thesis
    /// counts the 2000 tokens of its shorter documents and its operations. A line break separates
    /// nothing; two spaces have an empty token between them; an empty text has one token.
    Spaces,
    /// The tokens of a byte pair encoding whose vocabulary is part of the program.
    Encoding(Encoding),
    /// The tokens of a `tokenizer.json`.
    File(FileTokenizer),
}

/// Why there is no such tokenizer, or why it fails on a text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TokenizerError {
    /// The name is none of those known.
    #[error("there is no tokenizer `{name}`{hint} (known: {known})")]
    Unknown {
        /// What was asked for.
        name: String,
        /// The nearest name, as a question.
        hint: String,
        /// The names there are.
        known: String,
    },
    /// The bytes handed in are no tokenizer.
    #[error("the file is not a tokenizer of the `tokenizers` library: {0}")]
    File(String),
    /// The program was built without the feature that reads tokenizers.
    #[error("this build reads no `tokenizer.json`; build it with `--features tokenizers`")]
    Unsupported,
    /// A tokenizer from a file has no token for a part of a text.
    #[error("the tokenizer cannot read the text: {0}")]
    Text(String),
}

impl From<TokenizerError> for Failure {
    fn from(error: TokenizerError) -> Self {
        Self::new(error.to_string())
    }
}

impl Tokenizer {
    /// The tokenizer of a name: `whitespace`, `spaces`, or that of an [`Encoding`]. Loads nothing.
    ///
    /// # Errors
    /// When there is none of this name.
    pub fn named(name: &str) -> Result<Self, TokenizerError> {
        match name {
            "whitespace" => return Ok(Self::Whitespace),
            "spaces" => return Ok(Self::Spaces),
            _ => {}
        }
        let found = Encoding::ALL.into_iter().find(|known| known.name() == name);
        found.map(Self::Encoding).ok_or_else(|| {
            let mut known = vec!["whitespace", "spaces"];
            known.extend(Encoding::ALL.map(Encoding::name));
            TokenizerError::Unknown {
                name: name.to_owned(),
                hint: did_you_mean(name, &known),
                known: choice_of(&known),
            }
        })
    }

    /// How many tokens a text has. Marks that stand for the beginning of a text or of a turn are not
    /// added, and where they are written in a text they are ordinary letters (for a `tokenizer.json`:
    /// what the file makes of them).
    ///
    /// # Errors
    /// When a tokenizer from a file has no token for a part of the text.
    pub fn count(&self, text: &str) -> Result<usize, TokenizerError> {
        Ok(match self {
            Self::Whitespace => text.split_whitespace().count(),
            Self::Spaces => text.split(' ').count(),
            Self::Encoding(encoding) => encoding.count(text),
            Self::File(file) => file.ends(text)?.len(),
        })
    }

    /// Where each token ends: as many places as there are tokens, in bytes and in order. Tokens of
    /// an encoding may end inside a letter, and several may end at the same place.
    ///
    /// # Errors
    /// When a tokenizer from a file has no token for a part of the text.
    pub fn ends(&self, text: &str) -> Result<Vec<usize>, TokenizerError> {
        Ok(match self {
            Self::Whitespace => word_ends(text),
            Self::Spaces => text
                .match_indices(' ')
                .map(|(space, _)| space)
                .chain(std::iter::once(text.len()))
                .collect(),
            Self::Encoding(encoding) => encoding.ends(text),
            Self::File(file) => file.ends(text)?,
        })
    }

    /// Where the last `n` tokens of a text begin: at the first whole word among them, or, where they
    /// hold no blank, at their first whole letter; so what follows has about `n` tokens and rather fewer.
    ///
    /// # Errors
    /// When a tokenizer from a file has no token for a part of the text.
    pub fn tail(&self, text: &str, n: usize) -> Result<usize, TokenizerError> {
        if n == 0 {
            return Ok(text.len());
        }
        let ends = self.ends(text)?;
        let Some(&before) = ends.iter().rev().nth(n) else {
            return Ok(0);
        };
        let start = text.ceil_char_boundary(before);
        let within_word = !text[..start].ends_with(char::is_whitespace);
        let skip = if within_word {
            text[start..].find(char::is_whitespace).unwrap_or(0)
        } else {
            0
        };
        let rest = text[start + skip..].trim_start();
        Ok(if rest.is_empty() {
            start
        } else {
            text.len() - rest.len()
        })
    }
}

fn word_ends(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut within = false;
    for (at, letter) in text.char_indices() {
        if letter.is_whitespace() && within {
            ends.push(at);
        }
        within = !letter.is_whitespace();
    }
    if within {
        ends.push(text.len());
    }
    ends
}
