//! A sentence's words as the rules for its main verb look at them.
//!
//! Nothing here knows what a clause is; it only sorts out which words a writer says himself and which
//! stand in quotation marks or brackets.

use crate::language::text::{Span, Tag, Word};

/// A word with what the rules ask of it.
#[derive(Clone, Debug)]
pub(super) struct Token {
    /// Where it stands in the document.
    pub(super) span: Span,
    /// Its part of speech.
    pub(super) tag: Tag,
    /// Its letters in lower case, with straight apostrophes.
    pub(super) letters: String,
    /// Whether it stands in quotation marks, or is one.
    pub(super) quoted: bool,
    /// Whether it stands in brackets, or is one.
    pub(super) bracketed: bool,
}

impl Token {
    /// Whether it is one of `words`.
    pub(super) fn is(&self, words: &[&str]) -> bool {
        words.contains(&self.letters.as_str())
    }

    /// Whether it is a verb that has a subject: modal, past or present tense.
    pub(super) fn is_finite(&self) -> bool {
        matches!(self.tag, Tag::Md | Tag::Vbd | Tag::Vbp | Tag::Vbz)
    }

    /// Whether it is a noun of any kind.
    pub(super) fn is_noun(&self) -> bool {
        matches!(self.tag, Tag::Nn | Tag::Nns | Tag::Nnp | Tag::Nnps)
    }

    /// Whether it is a pronoun in a form that can be a subject.
    pub(super) fn is_subject(&self) -> bool {
        self.is(&["i", "he", "she", "it", "we", "you", "they", "thou", "ye"]) || self.tag == Tag::Ex
    }

    /// Whether it is a mark rather than a word, whatever its tag says.
    pub(super) fn is_mark(&self) -> bool {
        !self.letters.contains(char::is_alphanumeric)
    }
}

/// The words of one sentence.
pub(super) fn tokens(text: &str, words: &[Word]) -> Vec<Token> {
    let mut tokens: Vec<Token> = words
        .iter()
        .map(|word| Token {
            span: word.span,
            tag: word.tag,
            letters: word.span.of(text).to_lowercase().replace('’', "'"),
            quoted: false,
            bracketed: false,
        })
        .collect();
    mark_quoted(text, &mut tokens);
    mark_bracketed(&mut tokens);
    tokens
}

/// A quotation that is not closed reaches to the end of the sentence, and one that is not opened
/// reaches back to its start, since a quotation often holds several sentences. Double marks, and curly
/// single ones that open: a straight single mark is written like an apostrophe.
fn mark_quoted(text: &str, tokens: &mut [Token]) {
    let mut open: Option<(usize, &str)> = None;
    // All words before it are decided, so that a thousand unopened marks cost no more than one.
    let mut decided = 0;
    for at in 0..tokens.len() {
        let mark = tokens[at].span.of(text);
        let last = at + 1 == tokens.len();
        let from = match (open, mark) {
            (Some((from, opened)), mark) if closes(opened, mark) => Some(from),
            (None, "”" | "»" | "''") => Some(decided),
            (None, "\"") if last => Some(decided),
            (None, "“" | "„" | "«" | "``" | "‘" | "\"") => {
                open = Some((at, mark));
                None
            }
            _ => None,
        };
        if let Some(from) = from {
            quote(&mut tokens[from..=at]);
            open = None;
            decided = at + 1;
        }
    }
    if let Some((from, _)) = open {
        quote(&mut tokens[from..]);
    }
}

/// Whether a mark ends what another opened.
fn closes(opened: &str, mark: &str) -> bool {
    match opened {
        "“" | "„" => matches!(mark, "”" | "“" | "\""),
        "«" => mark == "»",
        "‘" => mark == "’",
        _ => matches!(mark, "\"" | "''"),
    }
}

fn quote(tokens: &mut [Token]) {
    for token in tokens {
        token.quoted = true;
    }
}

/// Brackets that are not closed, and those that are not opened, are no brackets.
fn mark_bracketed(tokens: &mut [Token]) {
    let mut open = Vec::new();
    // How many pairs begin before a word and have not ended, as steps up and down.
    let mut steps = vec![(0_usize, 0_usize); tokens.len()];
    for (at, token) in tokens.iter().enumerate() {
        match token.letters.as_str() {
            "(" | "[" | "{" => open.push(at),
            ")" | "]" | "}" => {
                if let Some(from) = open.pop() {
                    steps[from].0 += 1;
                    steps[at].1 += 1;
                }
            }
            _ => {}
        }
    }
    let mut depth = 0;
    for (token, (begin, end)) in tokens.iter_mut().zip(steps) {
        depth += begin;
        token.bracketed = depth > 0;
        depth -= end;
    }
}
