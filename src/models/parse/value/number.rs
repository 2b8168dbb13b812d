//! The value with which a clause begins.
//!
//! Must not judge what follows it (see `remark`).

use super::found::{Found, Value};
use super::labels;
use super::remark::{self, is_harmless};
use super::token::{Kind, Lexer, Token, digit};
use super::words;
use crate::models::score::Scale;

/// How a clause is read.
#[derive(Debug, Clone, Copy)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says one thing of its own"
)]
pub(in crate::models::parse) struct How<'s> {
    pub(in crate::models::parse) scale: &'s Scale,
    /// Whether number words count.
    pub(in crate::models::parse) words: bool,
    /// Whether the label says that a score follows: then words with a number that are no value are unclear
    /// rather than nothing.
    pub(in crate::models::parse) firm: bool,
    /// Whether a line break stands before it: then `1. First point` begins a list.
    pub(in crate::models::parse) broken: bool,
    /// Whether the next label begins where the text ends.
    pub(in crate::models::parse) labelled: bool,
    /// Whether a label of the scale must be written as the spec writes it, or stand in marks.
    pub(in crate::models::parse) exact: bool,
}

impl<'s> How<'s> {
    /// Digits, with nothing around.
    pub(in crate::models::parse) fn plain(scale: &'s Scale) -> Self {
        Self {
            scale,
            words: false,
            firm: false,
            broken: false,
            labelled: false,
            exact: false,
        }
    }
}

/// The longest text that is looked at, in bytes.
const REACH: usize = 1000;

/// The longest part of a clause that is quoted as unclear, in bytes.
const LONGEST_QUOTE: usize = 80;

/// The most brackets and marks that may open before a number.
const OPENINGS: usize = 4;

/// What a clause turned out to be.
enum Clause {
    Value(Found),
    /// Something else that has nothing to do with a score.
    Nothing,
    /// Not wholly understood.
    Unclear,
    /// Words that begin with no number.
    Words,
}

/// Reads the value at the byte `at`, if there is one; what is not wholly understood is unclear. Places are those
/// in `text`.
pub(in crate::models::parse) fn read(text: &str, at: usize, how: How<'_>) -> Option<Found> {
    if !how.scale.labels.is_empty() {
        return labels::read(text, at, how);
    }
    let cut = text.len() > at + REACH;
    let text = &text[..text.floor_char_boundary(at + REACH)];
    let how = How {
        labelled: how.labelled && !cut,
        ..how
    };
    let mut lexer = Lexer::new(text, at);
    match clause(&mut lexer, how) {
        Clause::Value(found) => Some(found),
        Clause::Unclear => unclear(text, at, how),
        Clause::Words if how.firm && !how.broken => unclear(text, at, how),
        Clause::Words | Clause::Nothing => None,
    }
}

/// Whether what follows a value from the byte `at` on, outside of the marks in which it was read, may change it.
pub(in crate::models::parse) fn goes_on(text: &str, at: usize, value: f64, how: How<'_>) -> bool {
    if !how.scale.labels.is_empty() {
        return labels::goes_on(text, at, value, how.scale);
    }
    let text = &text[..text.floor_char_boundary(at + REACH)];
    let mut lexer = Lexer::new(text, at);
    let mut end = at;
    match top(&mut lexer, how, &mut end) {
        Top::None => {}
        Top::Of(top) if top.total_cmp(&how.scale.max).is_eq() => {}
        Top::Of(_) | Top::Unclear => return true,
    }
    if counts(lexer) {
        return !lexer.peek().text.starts_with(char::is_uppercase);
    }
    !is_harmless(lexer, value, how)
}

/// Whether a sentence of its own begins a text, rather than a correction: `It reads well.`, but `No, 3.`
pub(in crate::models::parse) fn begins_sentence(text: &str) -> bool {
    let first = Lexer::new(text, 0).peek_plain();
    first.text.starts_with(char::is_uppercase)
        && !first.is_one_of(&words::TURNS)
        && !first.is_one_of(&words::CORRECTS)
}

/// The words of a line, if it holds a number.
fn unclear(text: &str, at: usize, how: How<'_>) -> Option<Found> {
    let mut lexer = Lexer::new(text, at);
    lexer.skip_marks();
    let start = lexer.peek().start;
    // On the next line only a number is the label's.
    if how.broken && !text[start..].starts_with(|c| digit(c).is_some()) {
        return None;
    }
    let line = text[start..].split(['\n', '\r']).next().unwrap_or_default();
    let mut lexer = Lexer::new(&text[..start + line.len()], start);
    let mut open = false;
    let numbered = loop {
        let token = lexer.next();
        match token.kind {
            Kind::Open => open = true,
            Kind::End => break false,
            Kind::Number(value) => match remark::range(lexer, value, how.scale) {
                Some(behind) => lexer = behind,
                // `4)`: the next entry's.
                None if !open && lexer.peek().text == ")" && token.is_whole() => {}
                None => break true,
            },
            Kind::Part(_) | Kind::Odd => break true,
            Kind::Word if words::number(token.text).is_some() => break true,
            _ => {}
        }
    };
    let end = text.floor_char_boundary((start + line.len()).min(start + LONGEST_QUOTE));
    let line = text[start..end.max(start)].trim_end();
    (numbered && !line.is_empty()).then(|| Found::unclear(start..start + line.len()))
}

fn clause(lexer: &mut Lexer<'_>, how: How<'_>) -> Clause {
    let mut open = Openings::default();
    while !open.is_full() {
        let opens = |token: &Token<'_>| match token.kind {
            Kind::Mark | Kind::Open => true,
            Kind::Sign('<' | '$') => !token.spaced || open.is_empty(),
            _ => false,
        };
        let Some(token) = lexer.take(opens) else {
            break;
        };
        // `< 4` is less, `<4>` is put in brackets.
        if token.is_sign("<") && lexer.peek().spaced {
            return Clause::Unclear;
        }
        if token.kind != Kind::Mark {
            open.push(token);
        }
    }
    let sign = lexer.take(|token| token.is_sign("+-"));
    let first = lexer.next();
    let start = sign.map_or(first.start, |sign| sign.start);
    let mut value = match first.kind {
        // A bullet.
        Kind::Word if sign.is_some() => return Clause::Words,
        _ if sign.is_some() && (first.spaced || first.number().is_none()) => {
            return Clause::Unclear;
        }
        Kind::Number(value) => value,
        Kind::Part(part) => part,
        Kind::Word if how.words && words::number(first.text).is_some() => {
            words::number(first.text).unwrap_or_default()
        }
        // `[SCORE] (between 1 and 5)` of a form that was not filled in.
        Kind::Word if !open.is_empty() && is_placeholder(*lexer) => return Clause::Nothing,
        Kind::Word if first.is_one_of(&words::TURNS) => return Clause::Unclear,
        Kind::Word if first.is_one_of(&words::DOUBTS) && is_near(*lexer) => {
            return Clause::Unclear;
        }
        Kind::Odd if !how.firm => return Clause::Nothing,
        Kind::Word | Kind::Line | Kind::End => return Clause::Words,
        _ => return Clause::Unclear,
    };
    if sign.is_some_and(|sign| sign.is_sign("-")) {
        value = -value;
    }
    if first.is_whole() && sign.is_none() && open.is_empty() && numbers_a_list(lexer, how) {
        return Clause::Nothing;
    }
    let whole = first.is_whole() || first.kind == Kind::Word;
    if let Some(part) = part(lexer, whole) {
        value += part;
    }
    let mut end = lexer.at;
    if lexer.peek_plain().is_sign("%") {
        lexer.skip_marks();
        let end = lexer.next().end;
        return Clause::Value(Found {
            value: Value::Percent,
            span: start..end,
        });
    }
    if is_scale(*lexer, value, how.scale) {
        return Clause::Nothing;
    }
    // Quotation marks, emphasis and brackets around the number alone.
    open.close(lexer);
    units(lexer, &mut end);
    let out_of = match top(lexer, how, &mut end) {
        Top::None => None,
        Top::Of(top) => Some(top),
        Top::Unclear => return Clause::Unclear,
    };
    open.close(lexer);
    if out_of.is_some() {
        units(lexer, &mut end);
    }
    let found = Found {
        value: Value::Number { value, out_of },
        span: start..end,
    };
    if out_of.is_some_and(|top| top.total_cmp(&how.scale.max).is_ne()) {
        return Clause::Value(found);
    }
    let next = lexer.peek_plain();
    if open.is_less() || (!open.is_empty() && (next.ends_line() || next.kind == Kind::Close)) {
        return Clause::Unclear;
    }
    if out_of.is_none() && restates(*lexer, value, how.scale) {
        return Clause::Nothing;
    }
    if counts(*lexer) {
        return if how.firm {
            Clause::Unclear
        } else {
            Clause::Nothing
        };
    }
    if is_harmless(*lexer, value, how) {
        Clause::Value(found)
    } else {
        Clause::Unclear
    }
}

/// The brackets that are open before a number.
#[derive(Default)]
struct Openings {
    closers: [char; OPENINGS],
    len: usize,
}

impl Openings {
    fn is_full(&self) -> bool {
        self.len == OPENINGS
    }

    fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether a `<` opens that nothing closes: less than the number.
    fn is_less(&self) -> bool {
        self.closers[..self.len].contains(&'>')
    }

    fn push(&mut self, token: Token<'_>) {
        self.closers[self.len] = match token.text {
            "(" => ')',
            "[" => ']',
            "{" => '}',
            "<" => '>',
            "\u{ff08}" => '\u{ff09}',
            "\u{3010}" => '\u{3011}',
            _ => '$',
        };
        self.len += 1;
    }

    /// Passes marks and the brackets that close these; marks also before a slash: `**4**/5`.
    fn close(&mut self, lexer: &mut Lexer<'_>) {
        loop {
            let mut ahead = *lexer;
            ahead.skip_marks();
            let token = ahead.next();
            if self.is_empty() || !token.text.starts_with(self.closers[self.len - 1]) {
                if token.is_sign("/") || token.kind == Kind::Close {
                    lexer.skip_marks();
                }
                return;
            }
            self.len -= 1;
            *lexer = ahead;
        }
    }
}

/// Whether a number is among the next few words: `could be a 4`, but not `could be better in two or 3 places`.
fn is_near(mut lexer: Lexer<'_>) -> bool {
    /// The most words before it.
    const MOST: usize = 2;
    for _ in 0..=MOST {
        lexer.skip_marks();
        match lexer.next().kind {
            Kind::Number(_) | Kind::Part(_) | Kind::Odd => return true,
            Kind::Word => {}
            _ => return false,
        }
    }
    false
}

/// Whether words in brackets, of which the first has been passed, stand where a number was to be put.
fn is_placeholder(mut lexer: Lexer<'_>) -> bool {
    /// The most words that follow the first.
    const MOST: usize = 3;
    for _ in 0..=MOST {
        let token = lexer.next();
        match token.kind {
            Kind::Word | Kind::Mark => {}
            Kind::Close | Kind::Sign('>') => return lexer.peek_plain().number().is_none(),
            _ => return false,
        }
    }
    false
}

/// Whether what stands here is a list number and not a score.
fn numbers_a_list(lexer: &Lexer<'_>, how: How<'_>) -> bool {
    let mut ahead = *lexer;
    let mark = ahead.next();
    let bracket = mark.kind == Kind::Close && mark.text == ")";
    if mark.spaced || !(bracket || mark.is_sign(".")) {
        return false;
    }
    let spaced = ahead.peek().spaced;
    let next = ahead.peek_plain();
    if how.broken {
        let entry = how.labelled && next.kind == Kind::End;
        return spaced && (entry || !next.ends_line());
    }
    bracket && (next.is("final") || (how.labelled && next.kind == Kind::End))
}

/// `½`, ` 1/2` or ` and a half` behind a whole number.
fn part(lexer: &mut Lexer<'_>, whole: bool) -> Option<f64> {
    const PARTS: [(f64, f64); 5] = [(1.0, 2.0), (1.0, 3.0), (2.0, 3.0), (1.0, 4.0), (3.0, 4.0)];
    if !whole {
        return None;
    }
    let mut ahead = *lexer;
    let joined = ahead
        .take(|token| token.is("and") || token.is_sign("&"))
        .is_some();
    let token = ahead.next();
    let part = match token.kind {
        Kind::Part(part) => part,
        Kind::Word if joined && token.is("a") && ahead.next().is("half") => 0.5,
        Kind::Number(over) => {
            let slash = ahead.next();
            let under = ahead.next();
            let glued = slash.is_sign("/") && !slash.spaced && !under.spaced;
            let under = under.number().filter(|_| glued && token.is_whole())?;
            if !PARTS.contains(&(over, under)) {
                return None;
            }
            over / under
        }
        _ => return None,
    };
    *lexer = ahead;
    Some(part)
}

/// Whether a number is the first of a scale written down again, from end to end, and nothing else.
fn is_scale(lexer: Lexer<'_>, value: f64, scale: &Scale) -> bool {
    let Some(mut ahead) = remark::range(lexer, value, scale) else {
        return false;
    };
    loop {
        let token = ahead.next();
        match token.kind {
            Kind::Line | Kind::End => return true,
            Kind::Mark | Kind::Close | Kind::Sign('>' | '.') => {}
            _ => return false,
        }
    }
}

/// Whether a text goes through the marks of the scale in their order, from its lowest to its highest: on one line, or
/// on several of which each begins with a mark and says what it means.
fn restates(mut lexer: Lexer<'_>, value: f64, scale: &Scale) -> bool {
    if value.total_cmp(&scale.min).is_ne() {
        return false;
    }
    let (mut last, mut marks) = (value, 1);
    let explained = |lexer: &Lexer<'_>| {
        let sign = lexer.peek_plain();
        sign.is_sign("=:-\u{2014}") || sign.kind == Kind::Open
    };
    let mut means = explained(&lexer);
    loop {
        let token = lexer.next();
        match token.kind {
            Kind::Number(next) if next > last => (last, marks) = (next, marks + 1),
            Kind::Number(_) | Kind::Odd | Kind::Part(_) => return false,
            Kind::Line | Kind::End => {
                if marks > 2 || last.total_cmp(&scale.max).is_eq() {
                    return true;
                }
                let mut ahead = lexer;
                ahead.take(|token| token.is_sign("-"));
                let number = ahead.next().number();
                means &= explained(&ahead);
                if !(means && token.kind == Kind::Line && number.is_some_and(|next| next > last)) {
                    return false;
                }
            }
            _ => {}
        }
    }
}

/// Passes `points`, `stars`, and as many stars as there are.
fn units(lexer: &mut Lexer<'_>, end: &mut usize) {
    let mut ahead = *lexer;
    ahead.skip_marks();
    if ahead.next().is_one_of(&words::UNITS) {
        // `4 points deducted` is seen by what follows.
        *lexer = ahead;
        let _ = end;
    }
}

enum Top {
    None,
    Of(f64),
    Unclear,
}

/// The top of the scale behind a number: `/5`, `of 5`, `(out of 5)`.
fn top(lexer: &mut Lexer<'_>, how: How<'_>, end: &mut usize) -> Top {
    let mut ahead = *lexer;
    let bracket = ahead.take(|token| token.kind == Kind::Open).is_some();
    let sign = ahead.next();
    let of = if sign.is_sign("/") {
        true
    } else if sign.is("out") {
        if !ahead.next().is("of") {
            return Top::None;
        }
        true
    } else {
        sign.is_one_of(&words::OF)
    };
    if !of {
        return Top::None;
    }
    while ahead
        .take(|token| token.kind == Kind::Mark || token.is_one_of(&words::BEFORE_TOP))
        .is_some()
    {}
    let token = ahead.next();
    let top = match token.kind {
        Kind::Number(top) => top,
        Kind::Word => match words::number(token.text) {
            Some(top) => top,
            // `4 (of course)`, `4 of them`
            None if bracket => return Top::None,
            None => return Top::Unclear,
        },
        _ => return Top::Unclear,
    };
    if top.total_cmp(&how.scale.max).is_eq() {
        // `4 of 5 - 1`, `4/5/10`
        let next = ahead.peek_plain();
        if next.is_sign("/") {
            return Top::Unclear;
        }
    }
    *end = token.end;
    if bracket {
        units(&mut ahead, end);
        match ahead.take(|token| token.kind == Kind::Close) {
            Some(close) => *end = close.end,
            None => return Top::Unclear,
        }
    }
    *lexer = ahead;
    Top::Of(top)
}

/// Whether a number says how many there are of something: `3 errors`, `4/5 sentences`.
fn counts(lexer: Lexer<'_>) -> bool {
    let next = lexer.peek();
    let known = [
        &words::NO_COUNT[..],
        &words::GO_ON,
        &words::SENTENCES,
        &words::TURNS,
        &words::UNITS,
    ];
    next.kind == Kind::Word && !known.iter().any(|list| next.is_one_of(list))
}
