//! Passes the single parts of an object: blanks and comments, keys, strings, bare values.
//!
//! A part that is not what it should be leaves the cursor where the search for objects can go on: behind a
//! quotation mark that nothing closes, and never before where it was. Must not know how parts are nested.

use std::ops::Range;

use super::text::{self, Within};

/// A place in a text.
pub(super) struct Cursor<'r> {
    text: &'r str,
    pub(super) at: usize,
    /// Whether more would have followed the text.
    cut: bool,
    /// Kinds of strings (see [`slot`]) of which one was not closed: then none behind it is.
    unclosed: [bool; 4],
    /// Whether a comment was not closed.
    unclosed_comment: bool,
}

impl<'r> Cursor<'r> {
    /// Starts at the byte `from`; `cut` says that more would have followed.
    pub(super) fn new(text: &'r str, from: usize, cut: bool) -> Self {
        Self {
            text,
            at: from,
            cut,
            unclosed: [false; 4],
            unclosed_comment: false,
        }
    }

    /// What is ahead.
    pub(super) fn rest(&self) -> &'r str {
        &self.text[self.at..]
    }

    /// Passes blanks and comments, and commas where an entry may start.
    pub(super) fn skip(&mut self, commas: bool) {
        loop {
            let blank = |c: char| c.is_whitespace() || (commas && c == ',');
            let plain = |b: &u8| matches!(b, b' ' | b'\n') || (commas && *b == b',');
            self.at += self.rest().bytes().take_while(plain).count();
            let mut rest = self.rest();
            if !rest.as_bytes().first().is_some_and(u8::is_ascii_graphic) {
                rest = rest.trim_start_matches(blank);
                self.at = self.text.len() - rest.len();
            }
            if rest.starts_with('#') || rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") && !self.unclosed_comment {
                match rest[2..].find("*/") {
                    Some(length) => self.at += length + 4,
                    None => self.unclosed_comment = true,
                }
            } else {
                return;
            }
        }
    }

    /// Passes a key in quotes and its colon. Keys are short: a line break or something other than a colon
    /// behind the quotation mark shows that this is none.
    pub(super) fn key(&mut self, quote: char) -> Option<Range<usize>> {
        self.at += 1;
        let from = self.at;
        let length = self.next_unescaped(from, &[quote as u8, b'\n'])?;
        let end = from + length;
        let behind = self.text[end..].strip_prefix(quote)?.trim_start();
        let value = behind.strip_prefix([':', '\u{ff1a}'])?;
        self.at = self.text.len() - value.len();
        Some(from..end)
    }

    /// Passes a key without quotes and its colon.
    pub(super) fn bare_key(&mut self) -> Option<Range<usize>> {
        let (key, colon) = text::bare_key(self.rest())?;
        let from = self.at;
        self.at += colon;
        Some(from..from + key)
    }

    /// Passes a string.
    pub(super) fn string(&mut self, quote: char, within: Within) -> Option<Range<usize>> {
        self.at += 1;
        let from = self.at;
        let slot = slot(quote, within);
        if self.unclosed[slot] {
            return None;
        }
        let mut end = from;
        while let Some(length) = self.next_unescaped(end, &[quote as u8]) {
            end += length;
            if text::ends_string(&self.text[end + 1..], within) {
                self.at = end + 1;
                return Some(from..end);
            }
            end += 1;
        }
        self.unclosed[slot] = true;
        None
    }

    /// How far from `from` the next of these signs is that no backslash stands before.
    fn next_unescaped(&self, from: usize, signs: &[u8]) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut at = from;
        loop {
            let rest = bytes.get(at..)?;
            let next = match signs {
                [sign] => memchr::memchr2(*sign, b'\\', rest),
                [sign, other, ..] => memchr::memchr3(*sign, *other, b'\\', rest),
                [] => None,
            };
            at += next?;
            if bytes[at] != b'\\' {
                return Some(at - from);
            }
            at += 2;
        }
    }

    /// Passes a value without quotes: up to a sign that ends it.
    pub(super) fn bare(&mut self, within: Within) -> Option<Range<usize>> {
        let rest = self.rest();
        let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
        let bytes = rest.as_bytes();
        let ends = |at: usize| match bytes[at] {
            // A decimal comma.
            b',' if within == Within::Object => {
                at == 0 || !digit(bytes.get(at - 1)) || !digit(bytes.get(at + 1))
            }
            b'/' => text::starts_comment(&rest[at..]),
            byte => b",{}[]\"'#\n\r".contains(&byte),
        };
        let end = (0..bytes.len()).find(|at| ends(*at));
        let length = end.unwrap_or(bytes.len());
        let from = self.at;
        self.at += length;
        let value = rest[..length].trim_end();
        let whole = end.is_some() || !self.cut;
        (whole && !value.is_empty()).then(|| from..from + value.len())
    }
}

/// The kind of a string: whether one is closed depends on its quotation mark, on where it stands, and on
/// nothing else before it.
fn slot(quote: char, within: Within) -> usize {
    usize::from(quote == '"') + 2 * usize::from(within == Within::Array)
}
