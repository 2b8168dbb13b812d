//! Words and punctuation marks of a text, divided as the Penn Treebank divides them.
//!
//! `couldn't` is `could|n't`, `Tom's` is `Tom|'s`, `cannot` is `can|not`; both apostrophes count. As in
//! spaCy, which labelled the tagger's training text, a hyphen parts a compound (`well|-|known`), a dash
//! of any length is one mark, blanks are no words. Abbreviations and initials keep their stop. What a
//! word means is not asked: tags are the tagger's.
//!
//! One pass, no tables but short lists. A full gold document has 13,886 words on average; spaCy
//! has 13,856 and 1,125 blanks (runs of blanks other than a single space), and 99.8 % of its words are
//! words here. Where this differs from spaCy on purpose: `--` at the end of a word is cut off, `'tis` is
//! `'t|is`, `Tom'll` is `Tom|'ll`, a word with a digit in front of a hyphen is divided (`20|-|year`), and
//! more abbreviations are known.

mod contraction;

use super::Span;
use super::abbreviation::WITH_STOP;

/// Words cut short by an apostrophe at their end, without it.
const CLIPPED: [&str; 10] = [
    "comin", "doin", "goin", "havin", "lovin", "mornin", "nothin", "nuthin", "ol", "somethin",
];

/// The words and punctuation marks of one stretch of a text, in order.
///
/// Linear in the stretch. Every letter and every mark belongs to exactly one word; only blanks and
/// control characters lie between them.
pub fn words(text: &str, within: Span) -> Vec<Span> {
    let mut found = Vec::with_capacity(within.len() / 5 + 1);
    let mut scanner = Scanner {
        text: within.of(text),
        offset: within.start,
        at: 0,
    };
    while scanner.next_word(&mut found) {}
    found
}

/// What a letter is to the division into words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Blank,
    Word,
    /// Belongs to the letter before it: accents set apart, joiners, skin tones.
    Continues,
    /// A mark of which several in a row are one: stops and dashes.
    Run,
    Mark,
}

fn class(letter: char) -> Class {
    match letter {
        'a'..='z' | 'A'..='Z' | '0'..='9' => Class::Word,
        '.' | '-' | '—' | '–' | '…' => Class::Run,
        '\u{300}'..='\u{36F}'
        | '\u{200D}'
        | '\u{20D0}'..='\u{20FF}'
        | '\u{FE00}'..='\u{FE0F}'
        | '\u{FE20}'..='\u{FE2F}'
        | '\u{1F3FB}'..='\u{1F3FF}'
        | '\u{E0020}'..='\u{E007F}' => Class::Continues,
        '\u{200B}' | '\u{FEFF}' => Class::Blank,
        _ if letter.is_whitespace() || letter.is_control() => Class::Blank,
        _ if letter.is_alphanumeric() => Class::Word,
        _ => Class::Mark,
    }
}

/// Whether it is an apostrophe as typed (`'`) or as set (`’`).
pub(crate) fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '’')
}

struct Scanner<'t> {
    text: &'t str,
    /// Where `text` begins in the whole text.
    offset: usize,
    /// Where the next letter begins.
    at: usize,
}

impl Scanner<'_> {
    /// Finds the next word, with its parts; false at the end.
    fn next_word(&mut self, found: &mut Vec<Span>) -> bool {
        let start = self.at;
        let Some(first) = self.peek() else {
            return false;
        };
        self.at += first.len_utf8();
        match class(first) {
            Class::Blank => {}
            Class::Word => self.word(start, first, found),
            Class::Mark if is_apostrophe(first) && self.is_clipped_start(start) => {
                self.word(start, first, found);
            }
            Class::Run => {
                while self.take(|letter| letter == first).is_some() {}
                self.push(start, self.at, found);
            }
            Class::Mark | Class::Continues => {
                self.rest_of_mark();
                self.push(start, self.at, found);
            }
        }
        true
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// Steps over the next letter if it is one of those wanted.
    fn take(&mut self, wanted: impl Fn(char) -> bool) -> Option<char> {
        let letter = self.peek().filter(|&letter| wanted(letter))?;
        self.at += letter.len_utf8();
        Some(letter)
    }

    /// What belongs to a mark: accents, and after a joiner the mark that it joins (emoji families).
    fn rest_of_mark(&mut self) {
        while let Some(letter) = self.take(|letter| class(letter) == Class::Continues) {
            if letter == '\u{200D}' {
                self.take(|letter| class(letter) == Class::Mark);
            }
        }
    }

    fn push(&self, start: usize, end: usize, found: &mut Vec<Span>) {
        found.push(Span::new(self.offset + start, self.offset + end));
    }

    /// Whether the apostrophe at `start` begins a word that lost its beginning: `'em`, `'tis`.
    fn is_clipped_start(&self, start: usize) -> bool {
        let mut before = self.text[..start].chars();
        let free = before
            .next_back()
            .is_none_or(|letter| !matches!(class(letter), Class::Word | Class::Continues));
        free && contraction::is_clipped_start(&self.text[start..])
    }

    fn word(&mut self, start: usize, first: char, found: &mut Vec<Span>) {
        let mut last = first;
        while let Some(letter) = self.peek().filter(|&next| self.is_inside(next, last)) {
            self.at += letter.len_utf8();
            last = letter;
        }
        let word = &self.text[start..self.at];
        let rest = &self.text[self.at..];
        let stop = rest.starts_with('.') && !rest.starts_with("..") && keeps_stop(word);
        let clipped = rest.starts_with(is_apostrophe) && is_clipped_end(word);
        if stop || clipped {
            self.take(|_| true);
        }
        let mut from = start;
        contraction::parts(&self.text[start..self.at], |length| {
            self.push(from, from + length, found);
            from += length;
        });
    }

    /// Whether the next letter goes on with the word that `last` is the newest letter of.
    fn is_inside(&self, letter: char, last: char) -> bool {
        match class(letter) {
            Class::Word | Class::Continues => true,
            Class::Blank => false,
            Class::Run | Class::Mark => self.binds(letter, last),
        }
    }

    /// Whether a mark within a word binds its two sides: `o'clock`, `U.S`, `3.14`, `10,000`, `9:30`.
    fn binds(&self, mark: char, before: char) -> bool {
        if !matches!(mark, '\'' | '’' | '.' | ',' | ':') {
            return false;
        }
        let after = self.text[self.at..].chars().nth(1);
        after
            .filter(|&letter| class(letter) == Class::Word)
            .is_some_and(|after| match mark {
                '.' => !(before.is_lowercase() && after.is_uppercase()),
                ',' | ':' => before.is_numeric() && after.is_numeric(),
                _ => true,
            })
    }
}

/// Whether an apostrophe right after the word stands for its last letter: `goin'`.
fn is_clipped_end(word: &str) -> bool {
    CLIPPED.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Whether a stop right after the word belongs to it.
fn keeps_stop(word: &str) -> bool {
    let mut letters = word.chars();
    let one = letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none();
    if one {
        // `I.` ends a sentence more often than it abbreviates.
        return word != "I";
    }
    if WITH_STOP.have_however_written(word) {
        return true;
    }
    // Single letters with stops between them: `U.S`, `p.m`.
    let mut between = 0;
    for (at, letter) in word.chars().enumerate() {
        let fits = if at % 2 == 0 {
            letter.is_alphabetic()
        } else {
            letter == '.'
        };
        if !fits {
            return word == "Ph.D";
        }
        between = at;
    }
    between > 0 && between % 2 == 0
}

#[cfg(test)]
mod tests;
