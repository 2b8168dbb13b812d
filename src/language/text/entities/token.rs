//! Cuts a text into the tokens that names are made of: words, numbers and `&`.
//!
//! Cheaper and coarser than a tagger's tokens: punctuation is no token of its own but stands in the
//! [`Gap`] before the next one. Whether a token is a name is not decided here, only whether its
//! capital says anything ([`Token::start`]).

use super::heading::mark_headings;
use crate::language::text::Span;
use crate::language::text::abbreviation::IN_NAMES;

/// How a token is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    /// No capital at the start: `house`, `d’y`.
    Lower,
    /// A capital and something small: `House`, `McClellan`, `d’Artagnan`.
    Capital,
    /// Capitals only, at least one: `I`, `LONDON`, `U.S`.
    Capitals,
    /// Starts with a digit: `1837`, `19th`.
    Number,
    /// The sign `&`.
    And,
}

/// What stands between a token and the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// A blank, at most one line break, or the full stop of an abbreviation and a blank.
    Joined,
    /// A comma and blanks.
    Comma,
    /// Other punctuation, or the blanks between the columns of a table.
    Other,
    /// The beginning of the text or an empty line.
    Paragraph,
}

/// A word, a number or `&`.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is seen once, while the text is cut"
)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    /// Where it stands, without a possessive ending.
    pub(super) span: Span,
    /// Where it ends with a possessive ending or the full stop of an abbreviation.
    pub(super) full_end: usize,
    /// How it is written.
    pub(super) case: Case,
    /// What stands before it.
    pub(super) gap: Gap,
    /// A full stop follows directly.
    pub(super) dotted: bool,
    /// It ends in `’s`, or in `s’` before a word.
    pub(super) possessive: bool,
    /// Its capital says nothing: it starts a sentence, a quotation, a line of verse or stands in a
    /// heading.
    pub(super) start: bool,
    /// It stands in a heading.
    pub(super) heading: bool,
}

impl Token {
    /// Whether it starts with a capital.
    pub(super) fn is_capital(&self) -> bool {
        matches!(self.case, Case::Capital | Case::Capitals)
    }

    /// Whether it is a single capital letter with a full stop, as in `J. Smith`, or several, as in
    /// `J.W. Smith`. `I.` is taken for the pronoun.
    pub(super) fn is_initial(&self, text: &str) -> bool {
        let word = self.span.of(text);
        self.dotted
            && self.case == Case::Capitals
            && word != "I"
            && word.split('.').all(|part| part.chars().count() == 1)
    }
}

/// The tokens of a text, in order.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::with_capacity(text.len() / 6);
    let mut place = 0;
    let mut last = 0;
    while let Some(start) = next_start(text, place) {
        let token = read(text, last, start, tokens.last());
        place = token.full_end.max(token.span.end);
        last = token.full_end;
        tokens.push(token);
    }
    mark_headings(text, &mut tokens);
    tokens
}

/// Where the next token starts.
fn next_start(text: &str, from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    rest.char_indices()
        .find(|&(_, letter)| is_word(letter) || letter == '&')
        .map(|(at, _)| from + at)
}

/// Whether a letter belongs to words; accents that stand as letters of their own do.
fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || ('\u{300}'..='\u{36f}').contains(&letter)
}

fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '’')
}

/// Reads the token at `start`; `last` is where the one before it ended.
fn read(text: &str, last: usize, start: usize, before: Option<&Token>) -> Token {
    let rest = &text[start..];
    let end = start + length(rest);
    let word = &text[start..end];
    let (end, possessive) = match clitic(word) {
        Some((bare, possessive)) => (start + bare, possessive),
        None => (end, false),
    };
    let mut full_end = start + word.len();
    let after = &text[full_end..];
    let dotted = after.starts_with('.') && full_end == end;
    let mut possessive = possessive;
    if !possessive && text[start..end].ends_with('s') {
        // `Burgess’ Mill`: an apostrophe, a blank and a letter.
        let mut next = after.chars();
        if next.next().is_some_and(is_apostrophe)
            && next.next() == Some(' ')
            && next.next().is_some_and(char::is_alphabetic)
        {
            possessive = true;
            full_end += after.chars().next().map_or(0, char::len_utf8);
        }
    }
    let between = &text[last..start];
    let (gap, start_of) = gap(text, between, before);
    Token {
        span: Span::new(start, end),
        full_end,
        case: case(&text[start..end]),
        gap,
        dotted,
        possessive,
        start: start_of,
        heading: false,
    }
}

/// The length of the token at the beginning of `rest`, endings such as `’s` included.
fn length(rest: &str) -> usize {
    if rest.starts_with('&') {
        return 1;
    }
    let mut end = 0;
    let mut letters = rest.char_indices().peekable();
    let mut in_initials = true;
    while let Some((at, letter)) = letters.next() {
        if is_word(letter) {
            end = at + letter.len_utf8();
            continue;
        }
        let next = letters.peek().map(|&(_, next)| next);
        let goes_on = match letter {
            '\'' | '’' | '-' | '‐' | '\u{2011}' => next.is_some_and(is_word),
            // `U.S.A`: single letters with full stops and no blanks.
            '.' => {
                in_initials && end == at && next.is_some_and(char::is_uppercase) && at > 0 && {
                    let part = rest[..at].rsplit('.').next().unwrap_or("");
                    in_initials = part.chars().count() == 1 && part.chars().all(char::is_uppercase);
                    in_initials
                }
            }
            _ => false,
        };
        if !goes_on {
            break;
        }
    }
    end.max(rest.chars().next().map_or(0, char::len_utf8))
}

/// The length of a word without its ending (`’s`, `’ll`, `’d`, …), and whether that is the
/// possessive one.
fn clitic(word: &str) -> Option<(usize, bool)> {
    let (at, mark) = word.char_indices().rev().find(|&(_, c)| is_apostrophe(c))?;
    let ending = &word[at + mark.len_utf8()..];
    let known = matches!(
        ending,
        "s" | "S" | "ll" | "d" | "ve" | "re" | "m" | "LL" | "D" | "VE" | "RE" | "M"
    );
    (known && at > 0).then_some((at, matches!(ending, "s" | "S")))
}

fn case(word: &str) -> Case {
    let mut letters = word.chars();
    let Some(first) = letters.next() else {
        return Case::Lower;
    };
    if first == '&' {
        return Case::And;
    }
    if first.is_numeric() {
        return Case::Number;
    }
    if first.is_uppercase() {
        return if letters.any(char::is_lowercase) {
            Case::Capital
        } else {
            Case::Capitals
        };
    }
    // `d’Artagnan`, `l’Opéra`
    let mut letters = word.chars().skip(1);
    if matches!(first, 'd' | 'l')
        && letters.next().is_some_and(is_apostrophe)
        && letters.next().is_some_and(char::is_uppercase)
    {
        return Case::Capital;
    }
    Case::Lower
}

/// What stands between two tokens, and whether a capital after it says nothing.
fn gap(text: &str, between: &str, before: Option<&Token>) -> (Gap, bool) {
    let Some(before) = before else {
        return (Gap::Paragraph, true);
    };
    let mut lines = 0;
    let mut indent = 0;
    let mut comma = false;
    let mut sentence = false;
    let mut other = false;
    let mut opens = false;
    for letter in between.chars() {
        match letter {
            '\n' => {
                lines += 1;
                indent = 0;
            }
            ' ' | '\t' if lines > 0 => indent += 1,
            letter if letter.is_whitespace() || letter == '\u{feff}' => {}
            ',' => comma = true,
            '.' | '!' | '?' | ':' | '…' => sentence = true,
            '“' | '"' | '‘' | '«' | '(' | '[' => {
                other = true;
                opens = true;
            }
            _ => other = true,
        }
    }
    if lines > 1 {
        return (Gap::Paragraph, true);
    }
    // `Retreat           West`
    let columns = lines == 0 && (between.contains("  ") || between.contains('\t'));
    if columns && between.trim().is_empty() {
        return (Gap::Other, true);
    }
    if between.starts_with('.') && !columns && !other && !comma && is_abbreviation(text, before) {
        return (Gap::Joined, false);
    }
    let verse = lines == 1 && indent > 1;
    let start = verse || sentence || (opens && (comma || between.contains(['—', '-', ';'])));
    let gap = if sentence || other {
        Gap::Other
    } else if comma {
        Gap::Comma
    } else {
        Gap::Joined
    };
    (gap, start)
}

/// Whether the full stop after a token belongs to it and ends no sentence.
fn is_abbreviation(text: &str, token: &Token) -> bool {
    token.is_initial(text) || IN_NAMES.have(token.span.of(text))
}
