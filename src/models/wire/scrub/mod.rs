//! Keys in what servers send, however they are written: plain, escaped as in JSON, C, HTML or urls (also one in the other),
//! in base64, base32 or hexadecimal, in UTF-16, in wide letters, backwards, or with only a part of them shown.
//!
//! Knows bytes and nothing of what they mean. What is found is whole escapes, so JSON without it is still JSON.

use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// How many escapes may be within each other: a reply with JSON in it, in JSON.
const DEPTH: usize = 3;

/// The fewest characters of an end of a key that are taken for it.
const END: usize = 6;

/// So many characters of an end are taken for it wherever they stand.
const CERTAIN: usize = 12;

/// The fewest characters of its other end that are looked for behind what stands for the middle.
const REST: usize = 2;

/// Characters that stand for the middle of a key, as they are and as JSON writes them.
const MASKS: [&str; 15] = [
    "*", "…", "•", "●", "·", "×", "█", "..", "xxx", "XXX", "##", "\\u2026", "\\u2022", "\\u25cf",
    "&hellip;",
];

/// What is looked for.
pub(super) struct Scrubber {
    keys: Vec<Key>,
    /// By the byte that they begin with, in lower case: what may stand somewhere, of the key at this position.
    forms: Vec<Vec<(usize, Form)>>,
    /// Per byte, whether anything may begin with it. Most do not, and answers may be long.
    begins: [bool; 256],
}

/// A form of a key.
#[derive(Clone, Copy)]
enum Form {
    /// As it is, or the beginning of that.
    Plain,
    /// The last characters of it.
    End,
    /// Characters of it from this place on.
    Middle(usize),
    /// Another writing, at this position.
    Other(usize),
}

struct Key {
    text: Vec<u8>,
    /// The key in other writings, which count only as a whole.
    others: Vec<Vec<u8>>,
    /// Whether it was made by chance, so that its ends are no words.
    is_random: bool,
}

impl Scrubber {
    /// Looks for keys, which are visible ASCII.
    pub(super) fn of<'k>(keys: impl Iterator<Item = &'k str>) -> Self {
        let keys: Vec<Key> = keys.map(Key::of).collect();
        let mut forms = vec![Vec::new(); 256];
        for (at, key) in keys.iter().enumerate() {
            let mut add = |first: &[u8], form| {
                forms[usize::from(first[0].to_ascii_lowercase())].push((at, form));
            };
            add(&key.text, Form::Plain);
            add(key.tail(), Form::End);
            for place in key.middles() {
                add(&key.text[place..], Form::Middle(place));
            }
            for (place, other) in key.others.iter().enumerate() {
                add(other, Form::Other(place));
            }
        }
        let begins = std::array::from_fn(|byte| {
            let byte = u8::try_from(byte).unwrap_or_default();
            is_escape(byte) || !forms[usize::from(byte.to_ascii_lowercase())].is_empty()
        });
        Self {
            keys,
            forms,
            begins,
        }
    }

    /// Where keys stand. A piece of twelve characters and more counts wherever it is from. Parts of six characters and more of an end count too: in the answer of a server that `refuses`
    /// wherever a word begins or ends with them, else where something stands for the rest or they are no word.
    pub(super) fn find(&self, bytes: &[u8], refuses: bool) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        if self.keys.is_empty() {
            return found;
        }
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if !self.begins[usize::from(byte)] {
                at += 1;
                continue;
            }
            match self.at(bytes, at, refuses) {
                Some(range) => {
                    at = range.end;
                    found.push(range);
                }
                // What stands behind a backslash belongs to it.
                None if byte == b'\\' => at += 2,
                None => at += 1,
            }
        }
        found
    }

    /// The longest that is found here.
    fn at(&self, bytes: &[u8], at: usize, refuses: bool) -> Option<Range<usize>> {
        let mut longest: Option<Range<usize>> = None;
        let mut looked_for = None;
        let depths = if is_escape(bytes[at]) { DEPTH } else { 0 };
        for depth in 0..=depths {
            let (first, _) = next(bytes, at, depth)?;
            let first = first.to_ascii_lowercase();
            if looked_for.replace(first) == Some(first) {
                continue;
            }
            for (key, form) in &self.forms[usize::from(first)] {
                let key = &self.keys[*key];
                let found = match form {
                    Form::Plain => key.beginning(bytes, at, refuses),
                    Form::End => key.end(bytes, at, refuses),
                    Form::Middle(place) => key.middle(*place, bytes, at),
                    Form::Other(place) => whole(&key.others[*place], bytes, at),
                };
                if let Some(found) = found
                    && longest
                        .as_ref()
                        .is_none_or(|longest| longest.end < found.end)
                {
                    longest = Some(found);
                }
            }
        }
        longest
    }
}

impl Key {
    fn of(key: &str) -> Self {
        let text = key.as_bytes().to_vec();
        let hexadecimal = text
            .iter()
            .flat_map(|byte| format!("{byte:02x}").into_bytes());
        let mut others = vec![
            text.iter().rev().copied().collect(),
            hexadecimal.collect(),
            // In UTF-16, whichever byte of a letter comes first.
            text.iter()
                .flat_map(|byte| [0, *byte])
                .skip(1)
                .collect::<Vec<_>>(),
            key.chars().map(wide).collect::<String>().into_bytes(),
        ];
        others.extend((0..5).map(|before| base32(&text, before)));
        for before in 0..3 {
            for engine in [&STANDARD_NO_PAD, &URL_SAFE_NO_PAD] {
                // Without the signs that depend on what stands before and behind.
                let mut padded = vec![0; before];
                padded.extend(&text);
                let mut encoded = engine.encode(&padded).into_bytes();
                if padded.len() % 3 != 0 {
                    encoded.pop();
                }
                let core = encoded.split_off((before * 8).div_ceil(6));
                if !others.contains(&core) {
                    others.push(core);
                }
            }
        }
        let digits = text.iter().filter(|byte| byte.is_ascii_digit()).count();
        let letters = text
            .iter()
            .filter(|byte| byte.is_ascii_alphabetic())
            .count();
        Self {
            is_random: text.len() >= 20 && digits >= 3 && letters >= 3,
            text,
            others,
        }
    }

    /// The shortest end of it that is looked for.
    fn tail(&self) -> &[u8] {
        &self.text[self.text.len() - END..]
    }

    /// All of it, or its beginning with what stands for the rest and what is shown of the end.
    fn beginning(&self, bytes: &[u8], at: usize, refuses: bool) -> Option<Range<usize>> {
        let (length, end) = longest(&self.text, bytes, at);
        if length == self.text.len() {
            return Some(at..end);
        }
        if length < END {
            return None;
        }
        let masked = mask(bytes, end);
        let part = &self.text[..length];
        if masked == end && !self.counts(part, is_free(bytes, at), refuses) {
            return None;
        }
        let rest = (REST..=self.text.len() - length).rev();
        let mut rest = rest.map(|rest| &self.text[self.text.len() - rest..]);
        let after = rest.find_map(|rest| {
            let (length, end) = longest(rest, bytes, masked);
            (length == rest.len()).then_some(end)
        });
        let after = after.filter(|_| masked > end).unwrap_or(masked);
        Some(at..after)
    }

    /// Its end, from where it is the same.
    fn end(&self, bytes: &[u8], at: usize, refuses: bool) -> Option<Range<usize>> {
        let (length, end) = longest(self.tail(), bytes, at);
        if length < END {
            return None;
        }
        let before = self.text[..self.text.len() - END].iter().rev();
        let same = before.zip(bytes[..at].iter().rev());
        let same = same.take_while(|(ours, theirs)| ours.eq_ignore_ascii_case(theirs));
        let start = at - same.count();
        let part = &self.text[self.text.len() - END - (at - start)..];
        let free = bytes
            .get(end)
            .is_none_or(|next| !next.is_ascii_alphanumeric());
        let masked = MASKS
            .iter()
            .any(|mask| bytes[..start].ends_with(mask.as_bytes()));
        (masked || self.counts(part, free, refuses)).then_some(start..end)
    }

    /// Where pieces of it may begin that are taken for it by themselves: of one that was made by chance, since pieces of
    /// others may be words of any text.
    fn middles(&self) -> std::ops::Range<usize> {
        let last = self.text.len().saturating_sub(CERTAIN);
        1..if self.is_random { last } else { 1 }
    }

    /// A piece of it from this place on, if that is long and no word.
    fn middle(&self, place: usize, bytes: &[u8], at: usize) -> Option<Range<usize>> {
        let (length, end) = longest(&self.text[place..], bytes, at);
        let piece = &self.text[place..place + length];
        let is_mixed =
            piece.iter().any(u8::is_ascii_digit) && piece.iter().any(u8::is_ascii_alphabetic);
        (length >= CERTAIN && is_mixed).then_some(at..end)
    }

    /// Whether a part of the key is taken for it that nothing says to be one.
    fn counts(&self, part: &[u8], free: bool, refuses: bool) -> bool {
        let is_word =
            part.iter().all(u8::is_ascii_alphabetic) || part.iter().all(u8::is_ascii_digit);
        part.len() >= CERTAIN || (free && (refuses || (self.is_random && !is_word)))
    }
}

/// A sign in the width of Chinese letters.
fn wide(sign: char) -> char {
    char::from_u32(u32::from(sign) + WIDE).unwrap_or(sign)
}

/// How far the wide form of a sign is from the sign.
const WIDE: u32 = 0xFEE0;

/// A text in base32, behind so many bytes of which nothing is known; without the signs that depend on what stands before
/// and behind.
fn base32(text: &[u8], before: usize) -> Vec<u8> {
    const SIGNS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let bits: Vec<u8> = text
        .iter()
        .flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1))
        .collect();
    let known = (before * 8).next_multiple_of(5) - before * 8;
    bits[known..]
        .chunks_exact(5)
        .map(|bits| {
            SIGNS[bits
                .iter()
                .fold(0, |sign, bit| sign << 1 | usize::from(*bit))]
        })
        .collect()
}

/// All of a form, in any writing.
fn whole(form: &[u8], bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let (length, end) = longest(form, bytes, at);
    (length == form.len()).then_some(at..end)
}

/// Whether an escape may begin with this.
fn is_escape(byte: u8) -> bool {
    matches!(byte, b'\\' | b'&' | b'%')
}

/// How much of the beginning of `wanted` stands here, in any writing, and where that ends.
fn longest(wanted: &[u8], bytes: &[u8], at: usize) -> (usize, usize) {
    let rest = &bytes[at.min(bytes.len())..];
    let plain = wanted.iter().zip(rest);
    let plain = plain.take_while(|(ours, theirs)| ours.eq_ignore_ascii_case(theirs));
    let plain = plain.count();
    let mut best = (plain, at + plain);
    // Without an escape it is the same at every depth.
    let escaped = |byte: &&u8| is_escape(**byte);
    if plain == wanted.len() || rest.iter().take(plain + 1).find(escaped).is_none() {
        return best;
    }
    for depth in 1..=DEPTH {
        let (mut length, mut end) = (0, at);
        while let Some(&ours) = wanted.get(length)
            && let Some((theirs, next)) = next(bytes, end, depth)
            && ours.eq_ignore_ascii_case(&theirs)
        {
            (length, end) = (length + 1, next);
        }
        if length > best.0 {
            best = (length, end);
        }
    }
    best
}

/// The character here once escapes are undone so many times, and where the next one begins. One that is not ASCII is
/// as good as any that no key has.
fn next(bytes: &[u8], at: usize, depth: usize) -> Option<(u8, usize)> {
    if depth == 0 {
        return Some((*bytes.get(at)?, at + 1));
    }
    let (first, after) = next(bytes, at, depth - 1)?;
    let plain = Some((first, after));
    let number = |from: usize, digits: usize| {
        let (mut value, mut at) = (0_u32, from);
        for _ in 0..digits {
            let (digit, next) = next(bytes, at, depth - 1)?;
            value = value * 16 + char::from(digit).to_digit(16)?;
            at = next;
        }
        Some((ascii(value), at))
    };
    match first {
        b'\\' => {
            let Some((kind, after)) = next(bytes, after, depth - 1) else {
                return plain;
            };
            let long = match kind {
                b'u' => number(after, 4),
                b'x' => number(after, 2),
                b'n' | b'r' | b't' | b'b' | b'f' => Some((b' ', after)),
                b'0'..=b'7' => octal(bytes, after, depth - 1, kind),
                _ => None,
            };
            long.or(Some((kind, after)))
        }
        b'%' => number(after, 2).or(plain),
        b'&' => entity(bytes, after, depth - 1).or(plain),
        _ => plain,
    }
}

/// The character of three octal digits, of which the first is known.
fn octal(bytes: &[u8], at: usize, depth: usize, first: u8) -> Option<(u8, usize)> {
    let digit = |byte: u8| char::from(byte).to_digit(8);
    let (second, after) = next(bytes, at, depth)?;
    let (third, after) = next(bytes, after, depth)?;
    let code = digit(first)? * 64 + digit(second)? * 8 + digit(third)?;
    Some((ascii(code), after))
}

/// The character that `#115;`, `#x73;` or `amp;` stands for.
fn entity(bytes: &[u8], at: usize, depth: usize) -> Option<(u8, usize)> {
    let mut name = String::new();
    let mut at = at;
    while name.len() < 10 {
        let (c, after) = next(bytes, at, depth)?;
        at = after;
        if c == b';' {
            let named = match &*name {
                "amp" => Some(b'&'),
                "lt" => Some(b'<'),
                "gt" => Some(b'>'),
                "quot" => Some(b'"'),
                "apos" => Some(b'\''),
                "sol" => Some(b'/'),
                "plus" => Some(b'+'),
                "equals" => Some(b'='),
                "lowbar" => Some(b'_'),
                "hyphen" | "dash" => Some(b'-'),
                "period" => Some(b'.'),
                _ => None,
            };
            let number =
                name.strip_prefix('#')
                    .and_then(|number| match number.strip_prefix(['x', 'X']) {
                        Some(digits) => u32::from_str_radix(digits, 16).ok(),
                        None => number.parse().ok(),
                    });
            return named.or(number.map(ascii)).map(|c| (c, at));
        }
        name.push(char::from(c));
    }
    None
}

fn ascii(code: u32) -> u8 {
    let code = match code.checked_sub(WIDE) {
        Some(narrow @ 0x21..=0x7e) => narrow,
        _ => code,
    };
    u8::try_from(code).ok().filter(u8::is_ascii).unwrap_or(0xFF)
}

/// Where the signs end that stand for the middle of a key.
fn mask(bytes: &[u8], at: usize) -> usize {
    let mut end = at;
    while let Some(mask) = MASKS
        .iter()
        .find(|mask| bytes[end..].starts_with(mask.as_bytes()))
    {
        end += mask.len();
        // Of points and crosses any number.
        let last = mask.as_bytes()[mask.len() - 1];
        if matches!(last, b'.' | b'x' | b'X' | b'#') {
            end += bytes[end..]
                .iter()
                .take_while(|byte| **byte == last)
                .count();
        }
    }
    end
}

/// Whether no word goes on here; an escape, as of a line break, ends one.
fn is_free(bytes: &[u8], at: usize) -> bool {
    let before = |count: usize| at.checked_sub(count).map(|from| &bytes[from..at]);
    match before(1) {
        Some([byte]) if byte.is_ascii_alphanumeric() => {
            before(2).is_some_and(|escape| escape[0] == b'\\')
                || before(6).is_some_and(|escape| escape.starts_with(b"\\u"))
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests;
