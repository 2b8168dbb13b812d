//! A document cut into tokens, sentences and paragraphs in one pass.
//!
//! Positions are byte offsets into the text, so that an issue can quote it exactly as it stands. This
//! module must not judge anything.

use std::ops::Range;

use super::classes::Classes;
use super::reader::Reader;
use crate::language::text::lexicon::Entry;

/// What a token is. A dash is `--`, `-` between blanks, or its Unicode forms; a hyphen joins letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    /// A word with letters outside ASCII; never judged.
    Foreign,
    Number,
    /// `.`, `?`, `!` and the ellipsis.
    Stop,
    Comma,
    /// `;` and `:`.
    Semicolon,
    Dash,
    Hyphen,
    Quote,
    Bracket,
    Other,
}

/// How a word is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    Lower,
    Title,
    Upper,
    Mixed,
}

/// One token: a span of the text, its kind, and for words the index of its type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) kind: Kind,
    pub(super) case: Case,
    pub(super) word: u32,
}

/// One distinct lower-case word and what is known of it.
#[derive(Debug)]
pub(super) struct Type {
    pub(super) text: String,
    pub(super) classes: Classes,
    pub(super) entry: Option<Entry>,
    /// Known to the word list itself or as a regular form of a known word.
    pub(super) known: bool,
    pub(super) count: u32,
    pub(super) lower: u32,
    /// Capitalised although no sentence begins there.
    pub(super) named: u32,
}

impl Type {
    pub(super) fn is(&self, classes: Classes) -> bool {
        self.classes.meets(classes)
    }
    /// Tested on the word list's entry; false for words outside it.
    pub(super) fn entry(&self, test: impl Fn(Entry) -> bool) -> bool {
        self.entry.is_some_and(test)
    }
    /// A word seen far more often with a capital inside sentences than without.
    pub(super) fn is_name(&self) -> bool {
        self.named > 0 && self.named >= self.lower * 2 && self.classes.is_open()
    }
}

/// A paragraph: its sentences (indices into [`Document::sentences`]) and whether it is a heading.
#[derive(Clone, Debug)]
pub(super) struct Paragraph {
    pub(super) sentences: Range<usize>,
    pub(super) tokens: Range<usize>,
    pub(super) words: usize,
    pub(super) heading: bool,
}

/// Words below which a rate would rest on too little text.
const SHORT: usize = 250;

/// The whole document.
#[derive(Debug)]
pub(super) struct Document<'t> {
    pub(super) text: &'t str,
    pub(super) tokens: Vec<Token>,
    pub(super) types: Vec<Type>,
    pub(super) sentences: Vec<Range<usize>>,
    pub(super) paragraphs: Vec<Paragraph>,
    /// Number of word tokens, foreign ones included.
    pub(super) words: usize,
}

impl<'t> Document<'t> {
    /// Reads a text. Any text can be read, the empty one too. Texts above 4 GiB are cut there.
    pub(super) fn read(text: &'t str) -> Self {
        let text = &text[..text.floor_char_boundary(u32::MAX as usize - 1)];
        let mut reader = Reader::new(text);
        reader.run();
        reader.finish()
    }

    /// The type of a word token, `None` for every other token and outside the document.
    pub(super) fn word_at(&self, at: usize) -> Option<&Type> {
        let token = self.tokens.get(at)?;
        (token.kind == Kind::Word).then(|| &self.types[token.word as usize])
    }

    /// The kind of a token, `Other` outside the document.
    pub(super) fn kind_at(&self, at: usize) -> Kind {
        self.tokens.get(at).map_or(Kind::Other, |t| t.kind)
    }

    /// The text of a token.
    pub(super) fn slice(&self, at: usize) -> &'t str {
        let token = self.tokens[at];
        &self.text[token.start as usize..token.end as usize]
    }

    /// The text from the first to the last of a range of tokens; an empty range gives the empty string.
    pub(super) fn span(&self, tokens: Range<usize>) -> &'t str {
        if tokens.is_empty() {
            return "";
        }
        let (first, last) = (self.tokens[tokens.start], self.tokens[tokens.end - 1]);
        &self.text[first.start as usize..last.end as usize]
    }

    /// Whether blank space stands before a token.
    pub(super) fn spaced(&self, at: usize) -> bool {
        at == 0 || self.tokens[at - 1].end < self.tokens[at].start
    }

    /// Why the text cannot be judged as English, if so: no words, or too few that English knows.
    pub(super) fn not_english(&self) -> Option<&'static str> {
        let known: u32 = self
            .types
            .iter()
            .filter(|t| t.known && t.text.len() > 1)
            .map(|t| t.count)
            .sum();
        let closed: u32 = self
            .types
            .iter()
            .filter(|t| !t.classes.is_open())
            .map(|t| t.count)
            .sum();
        if self.words == 0 {
            Some("the text has no words, so there is nothing to judge")
        } else if (known as usize) * 2 < self.words
            || self.words >= 12 && (closed as usize) * 12 < self.words
        {
            Some("too few of the words are English for an English text, so it was not judged")
        } else {
            None
        }
    }

    /// Rate per 1,000 words. A text below [`SHORT`] words is counted as if it had so many, since one
    /// slip in ten words says little of how its writer writes.
    pub(super) fn per_thousand(&self, count: f64) -> f64 {
        count * 1000.0 / self.words.max(SHORT) as f64
    }
}

/// Whether a token of this kind counts as a word.
pub(super) fn is_word(kind: Kind) -> bool {
    matches!(kind, Kind::Word | Kind::Foreign)
}
