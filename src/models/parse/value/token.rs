//! The pieces of a clause: numbers, words, signs.
//!
//! Must not know what they mean together.

use crate::models::parse::trim::trim_start;

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// Digits of whatever script, with a decimal point or comma if there is one.
    Number(f64),
    /// `½` and the like.
    Part(f64),
    Word,
    /// Something that begins with a digit and is no plain number: `4th`, `1.2.3`, `4,000`.
    Odd,
    /// Emphasis, code, quotation marks, emoji: what does not change a number beside it.
    Mark,
    Open,
    Close,
    Sign(char),
    /// One line break or several.
    Line,
    End,
}

/// A piece and where it stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether a blank stands before it.
    pub(super) spaced: bool,
}

impl Token<'_> {
    /// The number, if it is one.
    pub(super) fn number(&self) -> Option<f64> {
        match self.kind {
            Kind::Number(value) => Some(value),
            _ => None,
        }
    }

    /// Whether it is this word.
    pub(super) fn is(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text.eq_ignore_ascii_case(word)
    }

    /// Whether it is one of these words, which are sorted.
    pub(super) fn is_one_of(&self, words: &[&str]) -> bool {
        self.kind == Kind::Word && super::words::has(words, self.text)
    }

    /// Whether it is one of these signs.
    pub(super) fn is_sign(&self, signs: &str) -> bool {
        matches!(self.kind, Kind::Sign(sign) if signs.contains(sign))
    }

    /// Whether it is nothing but digits.
    pub(super) fn is_whole(&self) -> bool {
        self.number().is_some() && self.text.chars().all(|c| digit(c).is_some())
    }

    /// Whether nothing of the line follows.
    pub(super) fn ends_line(&self) -> bool {
        matches!(self.kind, Kind::Line | Kind::End)
    }
}

/// A place in a text from which pieces are read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lexer<'t> {
    text: &'t str,
    pub(super) at: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str, at: usize) -> Self {
        Self { text, at }
    }

    /// The next piece, without passing it.
    pub(super) fn peek(&self) -> Token<'t> {
        let mut ahead = *self;
        ahead.next()
    }

    /// The next piece that is no mark, without passing it.
    pub(super) fn peek_plain(&self) -> Token<'t> {
        let mut ahead = *self;
        ahead.skip_marks();
        ahead.next()
    }

    /// What is left of the line.
    pub(super) fn rest(&self) -> &'t [u8] {
        let rest = &self.text.as_bytes()[self.at..];
        &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())]
    }

    /// Whether an empty line was passed just before.
    pub(super) fn is_apart(&self) -> bool {
        let passed = self.text[..self.at].trim_end().len();
        self.text[passed..self.at].matches('\n').count() > 1
    }

    /// Passes marks.
    pub(super) fn skip_marks(&mut self) {
        // Mostly there are none.
        let ahead = self.text.as_bytes()[self.at..].iter().find(|b| **b != b' ');
        if ahead.is_none_or(|b| b.is_ascii_alphanumeric() || b"\n,.:/()[]-".contains(b)) {
            return;
        }
        loop {
            let bare = self.text[self.at..].trim_start_matches(is_blank);
            let behind = bare.trim_start_matches(is_mark);
            if behind.len() == bare.len() {
                return;
            }
            self.at = self.text.len() - behind.len();
        }
    }

    /// Passes the next piece if it is as wanted.
    pub(super) fn take(&mut self, wanted: impl Fn(&Token<'t>) -> bool) -> Option<Token<'t>> {
        let token = self.peek();
        wanted(&token).then(|| self.next())
    }

    /// Passes the next piece.
    pub(super) fn next(&mut self) -> Token<'t> {
        let mut start = self.at;
        let bytes = self.text.as_bytes();
        while bytes.get(start) == Some(&b' ') {
            start += 1;
        }
        if !bytes.get(start).is_some_and(u8::is_ascii_graphic) {
            start = self.text.len() - trim_start(&self.text[start..], is_blank).len();
        }
        let spaced = start > self.at;
        let bare = &self.text[start..];
        let Some(first) = bare.chars().next() else {
            self.at = self.text.len();
            return self.token(Kind::End, start, spaced);
        };
        if first.is_ascii_alphabetic() {
            self.at = start + word(bare);
            return self.token(Kind::Word, start, spaced);
        }
        if digit(first).is_some() {
            let (kind, length) = number(bare);
            self.at = start + length;
            return self.token(kind, start, spaced);
        }
        let length = |inside: fn(char) -> bool| bare.len() - trim_start(bare, inside).len();
        let (kind, length) = match first {
            '\n' | '\r' => (Kind::Line, length(char::is_whitespace)),
            c if part(c).is_some() => (Kind::Part(part(c).unwrap_or_default()), c.len_utf8()),
            c if is_wide(c) => (Kind::Word, c.len_utf8()),
            c if c.is_alphabetic() => (Kind::Word, word(bare)),
            '(' | '[' | '{' | '\u{ff08}' | '\u{3010}' => (Kind::Open, first.len_utf8()),
            ')' | ']' | '}' | '\u{ff09}' | '\u{3011}' => (Kind::Close, first.len_utf8()),
            c if is_mark(c) => (Kind::Mark, length(is_mark)),
            c => (Kind::Sign(plain(c)), c.len_utf8()),
        };
        self.at = start + length;
        self.token(kind, start, spaced)
    }

    fn token(&self, kind: Kind, start: usize, spaced: bool) -> Token<'t> {
        Token {
            kind,
            text: &self.text[start..self.at],
            start,
            end: self.at,
            spaced,
        }
    }
}

/// A blank within a line.
fn is_blank(c: char) -> bool {
    c == ' ' || (c.is_whitespace() && !matches!(c, '\n' | '\r'))
}

/// The length of the word with which a text begins.
fn word(text: &str) -> usize {
    let plain = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let rest = &text[plain..];
    if matches!(
        rest.as_bytes().first(),
        None | Some(b' ' | b':' | b',' | b'.' | b'\n')
    ) {
        return plain;
    }
    plain + rest.find(|c| !in_word(c)).unwrap_or(rest.len())
}

fn in_word(c: char) -> bool {
    (c.is_alphabetic() && !is_wide(c)) || matches!(c, '\'' | '\u{2019}' | '\u{301}')
}

/// Whether a letter is a word of its own: those of Chinese and Japanese, of which words are written without
/// blanks between them.
fn is_wide(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

pub(super) fn is_mark(c: char) -> bool {
    matches!(
        c,
        '*' | '_' | '`' | '"' | '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}' | '\u{bb}'
            | '\u{200b}'..='\u{200f}' | '\u{fe0e}' | '\u{fe0f}' | '\u{feff}'
            | '\u{1f389}' | '\u{1f3c6}' | '\u{1f600}'..='\u{1f64f}' | '\u{2705}' | '\u{2714}'
    )
}

/// The value of a decimal digit of the scripts in which replies are written.
pub(in crate::models::parse) fn digit(c: char) -> Option<u32> {
    const NOUGHTS: [char; 5] = ['\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}', '\u{ff10}'];
    if c.is_ascii() {
        return c.to_digit(10);
    }
    let of = |nought: &char| (c as u32).checked_sub(*nought as u32).filter(|n| *n < 10);
    NOUGHTS.iter().find_map(of)
}

/// The sign of ASCII that one of full width or another script stands for.
fn plain(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '\u{3002}' => '.',
        '\u{3001}' | '\u{60c}' => ',',
        '\u{2044}' | '\u{2215}' => '/',
        '\u{2212}' | '\u{2010}' | '\u{2011}' => '-',
        '\u{2012}'..='\u{2015}' => '\u{2014}',
        '\u{66a}' => '%',
        c => c,
    }
}

fn part(c: char) -> Option<f64> {
    match c {
        '\u{bd}' => Some(0.5),
        '\u{bc}' => Some(0.25),
        '\u{be}' => Some(0.75),
        '\u{2153}' => Some(1.0 / 3.0),
        '\u{2154}' => Some(2.0 / 3.0),
        _ => None,
    }
}

/// Reads what begins with a digit: its kind and length.
fn number(text: &str) -> (Kind, usize) {
    /// Longer ones are no marks of a scale.
    const LONGEST: usize = 24;
    if let Some(plain) = plain_number(text) {
        return plain;
    }
    let mut plainly = String::new();
    let mut chars = text.char_indices().peekable();
    let (mut points, mut comma, mut behind) = (0, false, 0);
    let mut end = 0;
    while let Some(&(at, c)) = chars.peek() {
        if let Some(value) = digit(c) {
            plainly.push(char::from_digit(value, 10).unwrap_or('0'));
            behind += 1;
        } else if matches!(c, '.' | ',' | '\u{ff0e}' | '\u{66b}')
            && text[at + c.len_utf8()..].starts_with(|c| digit(c).is_some())
        {
            plainly.push('.');
            points += 1;
            comma |= c == ',';
            behind = 0;
        } else {
            break;
        }
        end = at + c.len_utf8();
        chars.next();
    }
    let glued = |c: char| c.is_alphanumeric() && !is_wide(c) && !is_hangul(c) && part(c).is_none();
    if text[end..].starts_with(glued) {
        end += text[end..].find(|c| !glued(c)).unwrap_or(text.len() - end);
        return (Kind::Odd, end);
    }
    // `4,000` is four thousand, or four.
    let thousands = comma && behind == 3;
    let apostrophe = text[end..]
        .strip_prefix(['\'', '\u{2019}', '\u{b7}'])
        .is_some_and(|rest| rest.starts_with(|c| digit(c).is_some()));
    if points > 1 || thousands || apostrophe || plainly.len() > LONGEST {
        return (Kind::Odd, end);
    }
    let value = plainly.parse();
    (value.map_or(Kind::Odd, Kind::Number), end)
}

/// The same for what most numbers are: `4`, `4.5`, with a blank, a line break or a sign behind.
fn plain_number(text: &str) -> Option<(Kind, usize)> {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        bytes[from..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count()
    };
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') {
        let behind = digits(end + 1);
        end += if behind > 0 { behind + 1 } else { 0 };
    }
    let plain = match bytes[end..] {
        [] | [b'.' | b','] => true,
        [next, ..] if b" \n*)]}/:;|".contains(&next) => true,
        [b'.' | b',', next, ..] => next.is_ascii() && !next.is_ascii_digit(),
        _ => false,
    };
    let value = match end {
        _ if !plain => None,
        1 => Some(f64::from(bytes[0] - b'0')),
        2..=8 => text[..end].parse().ok(),
        _ => None,
    };
    Some((Kind::Number(value?), end))
}

fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        let mut lexer = Lexer::new(text, 0);
        let next = || Some(lexer.next().kind).filter(|kind| *kind != Kind::End);
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn numbers_are_read_in_many_scripts() {
        for (text, value) in [
            ("4", 4.0),
            ("3.5", 3.5),
            ("3,5", 3.5),
            ("４．５", 4.5),
            ("٤", 4.0),
            ("४", 4.0),
            ("3٫5", 3.5),
            ("4.125", 4.125),
        ] {
            assert_eq!(kinds(text), [Kind::Number(value)], "{text}");
        }
    }

    #[test]
    fn what_only_begins_like_a_number_is_odd() {
        for text in [
            "4th", "3D", "1.2.3", "4,000", "4k", "0x4", "4e0", "4²", "4'5", "4·5",
        ] {
            assert_eq!(kinds(text)[0], Kind::Odd, "{text}");
        }
    }

    #[test]
    fn words_signs_and_lines_are_told_apart() {
        use Kind::{Close, Line, Mark, Number, Open, Part, Sign, Word};
        assert_eq!(kinds("don't 4½"), [Word, Number(4.0), Part(0.5)]);
        assert_eq!(
            kinds("**4**/5)"),
            [Mark, Number(4.0), Mark, Sign('/'), Number(5.0), Close]
        );
        assert_eq!(kinds("（4分 \n\n a"), [Open, Number(4.0), Word, Line, Word]);
        assert_eq!(
            kinds("３－４。"),
            [Number(3.0), Sign('-'), Number(4.0), Sign('.')]
        );
    }
}
