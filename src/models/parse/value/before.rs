//! What stands before a label: whether the value behind it is the verdict on what is judged.
//!
//! Must not read values.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::lead;
use super::token::{Kind, Lexer};
use super::{leading, words};
use crate::models::parse::metrics::Metrics;

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

/// How long words before a label on its line are prose, in bytes.
const PROSE: usize = 40;

/// The most words of a clause before a comma that may be a list of names.
const NAMES: usize = 3;

/// Whose the value behind the label at `start` is.
pub(in crate::models::parse) fn standing(text: &str, start: usize, metrics: &Metrics) -> Standing {
    let from = text.ceil_char_boundary(start.saturating_sub(LOOK_BACK));
    let above = &text[from..start];
    let line = above.rsplit('\n').next().unwrap_or(above);
    let bare = line.trim_start();
    let below = || lead::governs(&text[..start - line.len()], metrics);
    // Nothing but a list number and marks, as in most forms.
    let plain = |b: u8| b.is_ascii_digit() || b" \t*#-.)".contains(&b);
    let tag = bare.starts_with('<') && bare.ends_with('>') && !bare.contains(' ');
    if tag || bare.bytes().all(plain) {
        return below();
    }
    if bare.starts_with('>') || line.matches("~~").count() % 2 == 1 || is_quoted(line) {
        return Standing::Other;
    }
    let sentence = sentence(line);
    if !sentence.is_empty() {
        match words_before(sentence, metrics) {
            Standing::Own => {}
            standing => return standing,
        }
    }
    match below() {
        // The heading is that of the prose before the label.
        Standing::Doubtful if bare.len() > PROSE => Standing::Own,
        standing => standing,
    }
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
        if c == ';' || c == '|' || (point && !ends_with_eg(&line[..at])) {
            from = at + c.len_utf8();
        }
        before = c;
    }
    &line[from..]
}

/// Whether a text ends with `e.g.`.
fn ends_with_eg(text: &str) -> bool {
    let end = text
        .len()
        .checked_sub("e.g.".len())
        .and_then(|from| text.get(from..));
    end.is_some_and(|end| end.eq_ignore_ascii_case("e.g."))
}

/// Words before a line that make an example or a quotation of it.
static EXAMPLE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?is)(?:\be\.g\.|\bsomething\s+like|\bwith\s+the\s+(?:line|words|sentence)|\bthe\s+format\s+is|\b(?:end|begin|start|close|open|finish(?:e)?)s?\s+with(?:\s+the\s+\w+)?|\bin\s+the\s+form)[^\w)\]!?.]{0,6}(?:\w+[\s*_]{0,3}[:=]\W{0,4})?$";
    Regex::new(pattern).expect("the pattern is made of constants")
});

/// How much before a verdict is looked at for words that make an example of it, in bytes.
const NEAR: usize = 80;

/// Whether the words before a verdict make an example or a quotation of it.
pub(in crate::models::parse) fn is_example(before: &str) -> bool {
    let from = before.ceil_char_boundary(before.len().saturating_sub(NEAR));
    EXAMPLE.is_match(&before[from..])
}

/// Words with which a line goes on with the sentence that a verdict stands in.
static GOES_ON: LazyLock<Regex> = LazyLock::new(|| {
    let pattern =
        r"^[\s*_`\x22\x{201d}]*\n\s*(?:appears|at\s+the|in\s+the|is|that|was|were|which|would)\b";
    Regex::new(pattern).expect("the pattern is made of constants")
});

/// Whether the lines behind a verdict go on with a sentence of which it is a part.
pub(in crate::models::parse) fn is_within_sentence(behind: &str) -> bool {
    GOES_ON.is_match(&behind[..behind.floor_char_boundary(NEAR)])
}

/// Reads the words between the start of a sentence and a label.
fn words_before(sentence: &str, metrics: &Metrics) -> Standing {
    let names = OnceCell::new();
    let named = |at: usize| {
        let all = || metrics.mentions(sentence).map(|(_, name)| name).collect();
        let names: &Vec<Range<usize>> = names.get_or_init(all);
        names.iter().any(|name| name.contains(&at))
    };
    let mut lexer = Lexer::new(sentence, 0);
    // Of the clause that the label stands in: whether its words are known, and how many there are.
    let (mut known, mut count) = (true, 0);
    let (mut other, mut joined, mut listed) = (false, false, false);
    let (mut valued, mut counted, mut part) = (false, false, false);
    // Whether a sign that stands between a name and its value was just passed.
    let mut parted = false;
    loop {
        let token = lexer.next();
        let behind_sign = std::mem::replace(&mut parted, token.is_sign(":=-\u{2014}"));
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
                    || words::has(&leading::ANOTHERS, word)
                    || words::has(&words::SUPPOSES, word)
                    || word.ends_with("n't")
                    || word.ends_with("n\u{2019}t");
                joined = word_joins(word) && count > 0 && !valued;
                if word.eq_ignore_ascii_case("but") {
                    other = false;
                }
                known &= words::has(&words::OWN, word)
                    || words::has(&leading::VERDICTS, word)
                    || (words::has(&leading::LEADS, word) && !token.is("reading"))
                    || named(token.start);
                count += 1;
                counted = words::has(&lead::COUNTED, word);
                continue;
            }
            Kind::Number(_) | Kind::Part(_) | Kind::Odd => {
                // `For criterion 1, …`
                part |= counted;
                let next = lexer.peek();
                // `Reviewer 2` says whose the value is; others are a value of their own, or a list number.
                if known || count == 0 || behind_sign {
                    (known, count, joined, valued) = (true, 0, false, true);
                }
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
                        if known || valued {
                            (known, count) = (true, 0);
                        }
                    }
                    _ => {}
                }
            }
            Kind::Open => (known, count, joined) = (true, 0, false),
            Kind::Close | Kind::Mark | Kind::Line => {}
        }
        counted = false;
    }
    if other {
        Standing::Other
    } else if joined || listed || part || !known {
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
