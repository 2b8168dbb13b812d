//! How labels of a scale are written in replies: whatever letters, blanks, `-` and `_` for one another.
//!
//! Must not look at what stands around them.

use crate::models::score::Scale;

/// A label as it is written at the start of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::models::parse) struct Spelt {
    /// Which one of the scale.
    pub(in crate::models::parse) label: usize,
    /// How long it is there, in bytes.
    pub(in crate::models::parse) length: usize,
    /// Whether its letters are those of the spec.
    pub(in crate::models::parse) exact: bool,
}

/// The label with which a text begins, under its name or an alias; the longest that fits.
pub(super) fn spelt(text: &str, scale: &Scale) -> Option<Spelt> {
    let mut longest: Option<Spelt> = None;
    for (label, known) in scale.labels.iter().enumerate() {
        for name in known.words() {
            let Some(length) = begins(text, name).filter(|length| ends_word(text, *length)) else {
                continue;
            };
            let literal = text[..length] == *name;
            let better =
                |longest: Spelt| length > longest.length || (length == longest.length && literal);
            if longest.is_none_or(better) {
                longest = Some(Spelt {
                    label,
                    length,
                    exact: literal || is_exact(name),
                });
            }
        }
    }
    longest
}

/// Whether a label may be written in whatever letters and still be as the spec writes it: one in small letters.
fn is_exact(name: &str) -> bool {
    name.chars().count() > 1 && !name.contains(char::is_uppercase)
}

/// Whether a label or an alias goes on where a text ends: `Fair` may have become `Fairly good`.
pub(in crate::models::parse::value) fn may_go_on(written: &str, scale: &Scale) -> bool {
    let longer = |name: &str| begins(name, written).is_some_and(|length| length < name.len());
    scale.labels.iter().any(|label| label.words().any(longer))
}

/// How much of a text a name fills that stands at its start.
fn begins(text: &str, name: &str) -> Option<usize> {
    let mut rest = text;
    let mut wanted = name.trim().chars().peekable();
    wanted.peek()?;
    while let Some(c) = wanted.next() {
        // The `-` of `A-` is none.
        if is_joint(c)
            && wanted
                .peek()
                .is_some_and(|next| is_joint(*next) || next.is_alphanumeric())
        {
            while wanted.next_if(|c| is_joint(*c)).is_some() {}
            let behind = rest.trim_start_matches(is_joint);
            if behind.len() == rest.len() {
                return None;
            }
            rest = behind;
            continue;
        }
        let mut written = rest.chars();
        if !same(written.next()?, c) {
            return None;
        }
        rest = written.as_str();
    }
    Some(text.len() - rest.len())
}

/// What may stand between the words of a label.
fn is_joint(c: char) -> bool {
    matches!(c, ' ' | '-' | '_' | '\t' | '\u{a0}' | '\u{2011}')
}

/// Whether two letters are the same but for their size and width.
fn same(a: char, b: char) -> bool {
    let plain = |c: char| match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '\u{2019}' => '\'',
        c => c,
    };
    let (a, b) = (plain(a), plain(b));
    a == b || a.to_lowercase().eq(b.to_lowercase())
}

/// Whether a word ends at a place of a text.
fn ends_word(text: &str, at: usize) -> bool {
    let rest = &text[at..];
    // Japanese writes `is` right behind the word.
    let copula = ["です", "だ。", "である"];
    if copula.iter().any(|word| rest.starts_with(word)) {
        return true;
    }
    let mut chars = rest.chars();
    match (chars.next(), chars.next()) {
        (Some(c), _) if c.is_alphanumeric() => false,
        // `Good-ish`, `A-`, `A+`
        (Some('-' | '\u{2011}' | '+'), _) => false,
        // `1.5` where `1` is a label, `4/5`
        (Some('.' | ',' | '/'), Some(next))
            if text[..at].ends_with(|c: char| c.is_ascii_digit()) =>
        {
            !next.is_ascii_digit()
        }
        // `Good's`
        (Some('_' | '\'' | '\u{2019}'), Some(next)) => !next.is_alphanumeric(),
        _ => true,
    }
}

/// Blanks, marks, quotation marks and brackets before a label.
pub(super) fn is_opening(c: char) -> bool {
    c.is_whitespace()
        || is_around(c)
        || matches!(
            c,
            '(' | '[' | '{' | '<' | '\u{ff08}' | '\u{3010}' | '\u{3014}'
        )
}

/// The same behind it.
pub(super) fn is_closing(c: char) -> bool {
    is_around(c)
        || matches!(
            c,
            ')' | ']' | '}' | '>' | '\u{ff09}' | '\u{3011}' | '\u{3015}'
        )
}

/// What stands on both sides: emphasis, code, quotation marks.
fn is_around(c: char) -> bool {
    super::super::token::is_mark(c)
        || matches!(
            c,
            '\'' | '$' | '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{2039}' | '\u{203a}' | '\u{300c}'
                ..='\u{300f}' | '\u{300a}' | '\u{300b}'
        )
}
