//! What stands before a label: whether the value behind it is the verdict on what is judged.
//!
//! Must not read values.

use super::token::{Kind, Lexer};
use super::words;

/// Whose a value behind a label is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::models::parse) enum Standing {
    /// The verdict's.
    Own,
    /// Not known: words before the label are not understood, or it is shared with another.
    Doubtful,
    /// Not the verdict's: an example, a former score, a supposition, a quotation.
    Other,
}

/// How much before a label is looked at, in bytes.
const LOOK_BACK: usize = 200;

/// How many lines above one.
const LINES: usize = 6;

/// The most words of a clause before a comma that may be a list of names.
const NAMES: usize = 3;

/// Whose the value behind the label at `start` is.
pub(in crate::models::parse) fn standing(text: &str, start: usize) -> Standing {
    let from = text.ceil_char_boundary(start.saturating_sub(LOOK_BACK));
    let above = &text[from..start];
    let line = above.rsplit('\n').next().unwrap_or(above);
    let bare = line.trim_start();
    let below = || {
        if is_below_another(&text[..start - line.len()]) {
            Standing::Other
        } else {
            Standing::Own
        }
    };
    // Nothing but a list number and marks, as in most forms.
    let plain = |b: u8| b.is_ascii_digit() || b" \t*#-.)".contains(&b);
    if bare.bytes().all(plain) {
        return below();
    }
    if bare.starts_with('>') || line.matches("~~").count() % 2 == 1 || is_quoted(line) {
        return Standing::Other;
    }
    let sentence = sentence(line);
    if !sentence.is_empty() {
        match words_before(sentence) {
            Standing::Own => {}
            standing => return standing,
        }
    }
    below()
}

/// Whether a line stops within a quotation that does not begin right there.
fn is_quoted(line: &str) -> bool {
    let whole = line.strip_suffix(['"', '\u{201c}']).unwrap_or(line);
    let open = whole.matches('\u{201c}').count() > whole.matches('\u{201d}').count();
    let end = line.len() > whole.len() && whole.trim_end().ends_with(char::is_alphabetic);
    open || end || whole.matches('"').count() % 2 == 1
}

/// Whether words speak of another score, text or judge.
pub(in crate::models::parse) fn names_another(text: &str) -> bool {
    let mut words = text.split(|c: char| !(c.is_alphabetic() || matches!(c, '\'' | '.')));
    words.any(|word| words::has(&words::OTHERS, word.trim_end_matches('.')))
}

/// The part of a line behind its last full sentence.
fn sentence(line: &str) -> &str {
    let mut from = 0;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        let point = matches!(before, '.' | '!' | '?') && c.is_whitespace();
        if c == ';' || c == '|' || (point && !line[..at].ends_with("e.g.")) {
            from = at + c.len_utf8();
        }
        before = c;
    }
    &line[from..]
}

/// Reads the words between the start of a sentence and a label.
fn words_before(sentence: &str) -> Standing {
    let mut lexer = Lexer::new(sentence, 0);
    // Of the clause that the label stands in: whether its words are known, and how many there are.
    let (mut known, mut count) = (true, 0);
    let (mut other, mut joined, mut listed) = (false, false, false);
    let mut valued = false;
    loop {
        let token = lexer.next();
        match token.kind {
            Kind::End => break,
            Kind::Word => {
                let word = token.text;
                if token.is("without") && lexer.peek().is_one_of(&["any", "doubt", "question"]) {
                    (known, count) = (true, 0);
                    lexer.next();
                    continue;
                }
                other |= words::has(&words::OTHERS, word)
                    || words::has(&words::SUPPOSES, word)
                    || word.ends_with("n't")
                    || word.ends_with("n\u{2019}t");
                joined = word_joins(word) && count > 0 && !valued;
                if word.eq_ignore_ascii_case("but") {
                    other = false;
                }
                known &= words::has(&words::OWN, word);
                count += 1;
            }
            Kind::Number(_) | Kind::Part(_) | Kind::Odd => {
                // A value of its own, or a list number.
                (known, count, joined, valued) = (true, 0, false, true);
                let next = lexer.peek();
                other &= next.spaced || !(next.is_sign(".") || next.text == ")");
            }
            Kind::Sign(c) => {
                joined = false;
                match c {
                    ',' => {
                        listed = count > 0 && count <= NAMES && !known && !valued;
                        (known, count, valued) = (true, 0, false);
                    }
                    '/' | '&' | '+' => joined = count > 0,
                    '\u{2014}' | '-' if !token.spaced => {}
                    ':' => (listed, count) = (false, 0),
                    '\u{2014}' | '-' | '>' | '\u{2192}' => {
                        listed = false;
                        (known, count) = (true, 0);
                    }
                    _ => {}
                }
            }
            Kind::Open => (known, count, joined) = (true, 0, false),
            Kind::Close | Kind::Mark | Kind::Line => {}
        }
    }
    if other {
        Standing::Other
    } else if joined || listed || !known {
        Standing::Doubtful
    } else {
        Standing::Own
    }
}

fn word_joins(word: &str) -> bool {
    words::has(
        &["and", "et", "or", "plus", "und", "versus", "vs", "y"],
        word,
    )
}

/// Whether the lines above are headed by words that say that what follows is another's: `Example:`.
fn is_below_another(above: &str) -> bool {
    let from = above.ceil_char_boundary(above.len().saturating_sub(2 * LOOK_BACK));
    let mut any = false;
    for line in above[from..]
        .trim_end_matches('\n')
        .rsplit('\n')
        .take(LINES)
    {
        let line = line.trim();
        if line.is_empty() {
            if any {
                return false;
            }
            continue;
        }
        any = true;
        let bare = line.trim_end_matches(['*', '_', '`', ' ']);
        let heading = line.starts_with('#') || bare.ends_with(':');
        if heading {
            let mut words = bare.split(|c: char| !(c.is_alphabetic() || matches!(c, '.' | '\'')));
            return words.any(|word| words::has(&HEADINGS, word.trim_end_matches('.')));
        }
    }
    false
}

/// Words of a heading below which nothing is the verdict.
const HEADINGS: [&str; 15] = [
    "draft",
    "earlier",
    "example",
    "examples",
    "format",
    "former",
    "hypothetical",
    "initial",
    "original",
    "preliminary",
    "previous",
    "prior",
    "reference",
    "sample",
    "template",
];
