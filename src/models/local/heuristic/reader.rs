//! Reading: from characters to tokens, sentences and paragraphs, in one pass over the text.
//!
//! Every rule looks at a bounded neighbourhood, so the time is linear whatever the text. Nothing is
//! dropped silently but blank space, control characters and the marks of emphasis `_` and `*`.
//!
//! Its words are not those of `language/text/words`, which divide `couldn't` for the tagger: here a word is what a reader
//! would count, and its scores were set by that.

use std::ops::Range;

use indexmap::IndexMap;

use super::classes::Classes;
use super::scan::{is_mark, number_length, punctuation};
use super::text::{Case, Document, Kind, Paragraph, Token, Type, is_word};
use super::words;
use crate::language::text::abbreviation::JUDGED;

/// A document in the making.
pub(super) struct Reader<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    index: IndexMap<String, u32>,
    types: Vec<Type>,
    sentences: Vec<Range<usize>>,
    paragraphs: Vec<Paragraph>,
    buffer: String,
    /// Whether line ends part paragraphs (no blank lines, but long lines).
    by_line: bool,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let lines = text.lines().filter(|l| !l.trim().is_empty()).count();
        let blank = text.contains("\n\n") || text.contains("\n\r\n");
        Self {
            text,
            tokens: Vec::with_capacity(text.len() / 5),
            index: IndexMap::new(),
            types: Vec::new(),
            sentences: Vec::new(),
            paragraphs: Vec::new(),
            buffer: String::new(),
            by_line: !blank && lines > 1 && text.len() / lines > 100,
        }
    }

    pub(super) fn run(&mut self) {
        let mut at = 0;
        let mut breaks = 0;
        let mut begin = 0;
        while at < self.text.len() {
            let rest = &self.text[at..];
            let Some(c) = rest.chars().next() else { break };
            if c == '\n' {
                breaks += 1;
            }
            if c.is_whitespace() || c.is_control() || matches!(c, '_' | '*' | '\u{feff}') {
                at += c.len_utf8();
                continue;
            }
            if breaks > 1 || (breaks == 1 && self.by_line) {
                self.close_paragraph(begin);
                begin = self.tokens.len();
            }
            breaks = 0;
            at = self.token(at, c);
        }
        self.close_paragraph(begin);
    }

    /// Reads the token that begins at `at` and returns where it ends.
    fn token(&mut self, at: usize, c: char) -> usize {
        let rest = &self.text[at..];
        let (kind, length) = if c.is_alphabetic() {
            return self.word(at);
        } else if c.is_numeric() {
            (Kind::Number, number_length(rest))
        } else {
            punctuation(rest, c, self.joins(at))
        };
        self.push(at, at + length, kind, Case::Lower, 0);
        at + length
    }

    /// Whether the character at `at` stands between two letters or digits.
    fn joins(&self, at: usize) -> bool {
        let before = self.text[..at].chars().next_back();
        let after = self.text[at..].chars().nth(1);
        before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric)
    }

    fn push(&mut self, start: usize, end: usize, kind: Kind, case: Case, word: u32) {
        self.tokens.push(Token {
            start: start as u32,
            end: end as u32,
            kind,
            case,
            word,
        });
    }

    fn word(&mut self, at: usize) -> usize {
        let rest = &self.text[at..];
        self.buffer.clear();
        let (mut upper, mut lower, mut first_upper, mut ascii, mut end) = (0, 0, false, true, 0);
        let mut chars = rest.char_indices().peekable();
        while let Some((offset, c)) = chars.next() {
            if c.is_alphabetic() {
                if c.is_uppercase() {
                    upper += 1;
                    first_upper |= offset == 0;
                } else {
                    lower += 1;
                }
                ascii &= c.is_ascii();
                self.buffer.push(c.to_ascii_lowercase());
            } else if matches!(c, '\'' | '\u{2019}')
                && chars.peek().is_some_and(|(_, n)| n.is_alphabetic())
            {
                self.buffer.push('\'');
            } else if is_mark(c) {
                ascii = false;
            } else {
                break;
            }
            end = offset + c.len_utf8();
        }
        let case = match (upper, lower) {
            (0, _) => Case::Lower,
            (1, _) if first_upper => Case::Title,
            (_, 0) => Case::Upper,
            _ => Case::Mixed,
        };
        if ascii {
            let id = self.intern();
            self.types[id as usize].count += 1;
            self.types[id as usize].lower += u32::from(case == Case::Lower);
            self.push(at, at + end, Kind::Word, case, id);
        } else {
            self.push(at, at + end, Kind::Foreign, case, 0);
        }
        at + end
    }

    fn intern(&mut self) -> u32 {
        if let Some(id) = self.index.get(self.buffer.as_str()) {
            return *id;
        }
        let id = self.types.len() as u32;
        let text = self.buffer.clone();
        self.types.push(Type {
            classes: Classes::of(&text),
            entry: words::entry(&text),
            known: words::is_known(&text),
            text: text.clone(),
            count: 0,
            lower: 0,
            named: 0,
        });
        self.index.insert(text, id);
        id
    }

    fn close_paragraph(&mut self, begin: usize) {
        let end = self.tokens.len();
        if begin == end {
            return;
        }
        let first = self.sentences.len();
        let mut start = begin;
        for at in begin..end {
            if at + 1 == end || self.ends_sentence(at) {
                self.sentences.push(start..at + 1);
                start = at + 1;
            }
        }
        let sentences = first..self.sentences.len();
        for at in sentences.clone() {
            self.count_names(self.sentences[at].clone());
        }
        let words = self.tokens[begin..end]
            .iter()
            .filter(|t| is_word(t.kind))
            .count();
        let heading = self.is_heading(begin, end, words);
        self.paragraphs.push(Paragraph {
            sentences,
            tokens: begin..end,
            words,
            heading,
        });
    }

    /// Counts capitals inside a sentence; a word after an opening quote may begin a sentence of its own.
    fn is_named_at(&self, at: usize) -> bool {
        let before = &self.tokens[at - 1];
        self.tokens[at].case == Case::Title
            && self.tokens[at].kind == Kind::Word
            && matches!(
                before.kind,
                Kind::Word | Kind::Comma | Kind::Foreign | Kind::Hyphen
            )
    }

    fn count_names(&mut self, sentence: Range<usize>) {
        for at in sentence.start + 1..sentence.end {
            if self.is_named_at(at) {
                self.types[self.tokens[at].word as usize].named += 1;
            }
        }
    }

    /// A sentence ends at a stop, or after the quotes and brackets closing behind it, when blank space
    /// and something other than a lower-case word follow.
    fn ends_sentence(&self, at: usize) -> bool {
        let next = &self.tokens[at + 1];
        if self.tokens[at].end == next.start {
            return false;
        }
        if matches!(next.kind, Kind::Word | Kind::Foreign) && next.case == Case::Lower {
            return false;
        }
        let mut stop = at;
        while matches!(self.tokens[stop].kind, Kind::Quote | Kind::Bracket) && stop > 0 {
            if self.tokens[stop - 1].end != self.tokens[stop].start {
                return false;
            }
            stop -= 1;
        }
        if self.tokens[stop].kind != Kind::Stop
            || matches!(next.kind, Kind::Comma | Kind::Semicolon)
        {
            return false;
        }
        let glued = stop > 0 && self.tokens[stop - 1].end == self.tokens[stop].start;
        let abbreviation = glued
            && self.text.as_bytes()[self.tokens[stop].start as usize] == b'.'
            && self.tokens[stop - 1].kind == Kind::Word
            && self.is_abbreviated(stop - 1);
        !abbreviation
    }

    fn is_abbreviated(&self, at: usize) -> bool {
        let word = &self.types[self.tokens[at].word as usize].text;
        let capital = self.tokens[at].case != Case::Lower;
        match word.len() {
            1 => {
                word != "i"
                    || capital
                        && self
                            .tokens
                            .get(at + 2)
                            .is_some_and(|t| t.case == Case::Title)
            }
            _ => {
                capital && JUDGED.have_however_written(word)
                    || matches!(word.as_str(), "etc" | "viz" | "vol" | "pp")
            }
        }
    }

    /// Short, without a full stop at its end, or in capitals, or named as a chapter.
    fn is_heading(&self, begin: usize, end: usize, words: usize) -> bool {
        let tokens = &self.tokens[begin..end];
        let capitals = tokens
            .iter()
            .filter(|t| is_word(t.kind) && t.case != Case::Lower)
            .count();
        let chapter =
            tokens[0].kind == Kind::Word && self.types[tokens[0].word as usize].text == "chapter";
        let closed = tokens
            .iter()
            .rev()
            .find(|t| !matches!(t.kind, Kind::Quote | Kind::Bracket))
            .is_some_and(|t| !is_word(t.kind) && t.kind != Kind::Number && t.kind != Kind::Dash);
        words <= 15 && (chapter || capitals == words || (!closed && capitals * 2 >= words))
    }

    pub(super) fn finish(self) -> Document<'t> {
        Document {
            text: self.text,
            words: self.tokens.iter().filter(|t| is_word(t.kind)).count(),
            tokens: self.tokens,
            types: self.types,
            sentences: self.sentences,
            paragraphs: self.paragraphs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Document, Kind};

    fn sentences(text: &str) -> Vec<String> {
        let document = Document::read(text);
        let spans = document.sentences.iter();
        spans.map(|s| document.span(s.clone()).to_owned()).collect()
    }

    #[test]
    fn a_title_or_an_initial_ends_no_sentence() {
        let found = sentences("Mr. J. Otis met Dr. Lee. \"Good!\" he said. \"Go.\" She went.");
        let wanted = [
            "Mr. J. Otis met Dr. Lee.",
            "\"Good!\" he said.",
            "\"Go.\"",
            "She went.",
        ];
        assert_eq!(found, wanted);
    }

    #[test]
    fn blank_lines_part_paragraphs_also_with_carriage_returns() {
        let document = Document::read("CHAPTER I\r\n\r\nOne two.\r\nThree four.\r\n\r\n\r\nFive.");
        assert_eq!(document.paragraphs.len(), 3);
        assert!(document.paragraphs[0].heading && !document.paragraphs[1].heading);
        assert_eq!(document.paragraphs[1].words, 4);
    }

    #[test]
    fn hyphens_dashes_numbers_and_accents_are_told_apart() {
        let document = Document::read("to-day -- 1,000 café 'tis a\0b");
        let kinds: Vec<Kind> = document.tokens.iter().map(|t| t.kind).collect();
        let wanted = [
            Kind::Word,
            Kind::Hyphen,
            Kind::Word,
            Kind::Dash,
            Kind::Number,
            Kind::Foreign,
            Kind::Quote,
            Kind::Word,
            Kind::Word,
            Kind::Word,
        ];
        assert_eq!(kinds, wanted);
    }

    #[test]
    fn long_lines_without_blank_lines_are_paragraphs() {
        let line = "The cat sat on the mat and looked at the dog. ".repeat(4);
        let text = format!("{line}\n{line}\n{line}");
        let document = Document::read(&text);
        assert_eq!(document.paragraphs.len(), 3);
    }
}
