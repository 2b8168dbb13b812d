//! What follows a value up to the end of its line: whether it can change the number.
//!
//! Must not read the value itself.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::number::How;
use super::token::{Kind, Lexer, Token};
use super::{leading, words};
use crate::models::score::Scale;

/// A year, or a larger number: no mark that is offered.
const YEAR: f64 = 1000.0;

/// Words right behind a number that put it in somebody's mouth, say what it counts, or make its standing depend on
/// something.
static UNSAYS: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?ix-u)^[\ ,;:(*_-]*(?:\xe2\x80[\x93\x94])?[\ (]*
        (?: (?:so\ )?(?:he|it|many|others|people|she|some|they|you)\ (?:claim(?:ed|s)?|hoped?|said|says?|thinks?|thought|told|wanted|wrote|would\ (?:have\ )?sa(?:id|y))
          | (?:as\ )?(?:according|claimed|demanded|expected|reported|requested|stated|suggested|told|wanted)\ (?:by|in|to)
          | (?:as\ |so\ |if\ )?(?:says|claims|one\ believes)\ (?:the|an?|my)
          | as\ (?:the|an?|my|some)\ [a-z]+\ (?:claim|said|say|suggest|think|want|wrote)[a-z]*
          | for\ the\ (?:beginning|ending|first|introduction|last|opening|other|second|third|title)
          | (?:that|this|which|it)\ (?:is|was|being)\ (?:just\ |only\ )?(?:how\ many|the\ (?:amount|count|number|total)|what\ (?:an?|he|it|others|people|she|some|the|they|you))
          | with\ (?:an?\ )?(?:minus|plus|question\ mark|caveats?|reservations?) | conditional | conditionally | contingent | subject\ to
          | (?:for|as\ of)\ now | for\ the\ time\ being | at\ first | so\ far
        )\b";
    Regex::new(pattern).expect("the pattern is made of constants")
});

/// Whether nothing that follows a value can change it.
pub(super) fn is_harmless(mut lexer: Lexer<'_>, value: f64, how: How<'_>) -> bool {
    if UNSAYS.is_match(lexer.rest()) {
        return false;
    }
    let apart = lexer.peek();
    // What may stand right behind a number.
    let sign = lexer.peek_plain();
    let joined = match sign.kind {
        Kind::Word => {
            let known = |list: &[&str]| sign.is_one_of(list);
            let sentence = sign.text.starts_with(char::is_uppercase) && known(&words::SENTENCES);
            if !(known(&words::GO_ON) || sentence || scale_ahead(lexer)) {
                return false;
            }
            !sentence
        }
        Kind::Number(_) => return starts_entry(lexer),
        Kind::Part(_) | Kind::Odd => return false,
        Kind::Sign(c) => {
            lexer.skip_marks();
            lexer.next();
            let next = lexer.peek();
            let glued = !next.spaced && (next.number().is_some() || next.kind == Kind::Odd);
            match c {
                // A weaker label: the stronger one before it decides.
                ':' if next.is("score") => return true,
                '.' if next.is_sign("?!") => return false,
                '-' | '\u{2014}' if !apart.spaced && ends(lexer.peek_plain()) => return false,
                '-' if !apart.spaced && next.kind == Kind::Word && !next.spaced => {
                    return false;
                }
                '.' if next.is_one_of(&words::MONTHS) => return false,
                ':' | '=' | '-' | '\u{2014}' if glued => return false,
                '.' | '!' | ',' | ';' | ':' | '=' | '-' | '\u{2014}' | '|' | '}' | '$' | '#'
                | '>' => {}
                // `</score>`
                '<' => return next.is_sign("/") || (next.is("br") && !another_behind(lexer)),
                // The end of a formula.
                '\\' => return next.kind == Kind::Close,
                _ => return false,
            }
            false
        }
        Kind::Open | Kind::Close | Kind::Mark | Kind::Line | Kind::End => false,
    };
    let mut remark = Remark {
        lexer,
        scale: how.scale,
        value,
        first: true,
        before: matches!(sign.kind, Kind::Sign(_)).then_some(sign),
        brackets: 0,
        out: false,
    };
    if joined {
        let mut ahead = remark.lexer;
        ahead.skip_marks();
        // `4 and above`: only a clause of its own leaves the number alone.
        if ahead.next().is("and")
            && !ahead.peek_plain().is_one_of(&words::CLAUSES)
            && !ahead.peek_plain().ends_line()
            && !ahead.peek_plain().is_sign("<")
        {
            return false;
        }
        let word = remark.lexer.peek_plain();
        // `4 for style`: another's score, perhaps.
        if word.is("for") && !remark.gives_reason() {
            return false;
        }
    }
    remark.is_harmless()
}

/// Whether a number follows the tag that begins here.
fn another_behind(mut lexer: Lexer<'_>) -> bool {
    while !matches!(lexer.next().kind, Kind::Sign('>') | Kind::Line | Kind::End) {}
    lexer.peek_plain().number().is_some()
}

/// Whether nothing of the clause follows.
fn ends(token: Token<'_>) -> bool {
    token.ends_line() || token.kind == Kind::Close
}

/// Whether `on a scale of 1 to 5` or the like follows.
fn scale_ahead(lexer: Lexer<'_>) -> bool {
    let mut ahead = lexer;
    for word in ["on", "a", "scale"] {
        if !ahead.next().is(word) {
            return false;
        }
    }
    true
}

/// Whether the numbered entry of a form follows: `4. FINAL Coherence Score: 4`.
fn starts_entry(mut lexer: Lexer<'_>) -> bool {
    /// The most words of its label.
    const LONGEST: usize = 6;
    let number = lexer.next();
    let point = lexer.next();
    if !number.is_whole() || point.spaced || !(point.is_sign(".") || point.text == ")") {
        return false;
    }
    lexer.skip_marks();
    let first = lexer.next();
    if first.kind == Kind::End {
        return true;
    }
    let mut last = first;
    for _ in 0..LONGEST {
        lexer.skip_marks();
        let token = lexer.next();
        if token.is_sign(":") {
            let labels = ["issues", "rating", "score"];
            return first.is("final") || last.is_one_of(&labels);
        }
        if token.kind != Kind::Word {
            return false;
        }
        last = token;
    }
    false
}

/// Passes `- 5` behind a number that is the lower end of the scale, if that is the upper one.
pub(super) fn range<'t>(lexer: Lexer<'t>, value: f64, scale: &Scale) -> Option<Lexer<'t>> {
    let is = |a: f64, b: f64| a.total_cmp(&b).is_eq();
    if !is(value, scale.min) {
        return None;
    }
    let mut ahead = lexer;
    ahead.skip_marks();
    let joint = ahead.next();
    let joins = joint.is_sign("-\u{2014}~") || joint.is_one_of(&["and", "bis", "to"]);
    ahead.skip_marks();
    let top = ahead.next().number()?;
    (joins && is(top, scale.max)).then_some(ahead)
}

/// The walk through a remark.
struct Remark<'t, 's> {
    lexer: Lexer<'t>,
    scale: &'s Scale,
    value: f64,
    /// Whether the next word is the first of a clause.
    first: bool,
    /// The word or sign before.
    before: Option<Token<'t>>,
    brackets: usize,
    /// Whether a sentence has ended.
    out: bool,
}

impl<'t> Remark<'t, '_> {
    fn is_harmless(&mut self) -> bool {
        loop {
            let token = self.lexer.next();
            let fine = match token.kind {
                Kind::End => return true,
                Kind::Line => return self.next_line(),
                Kind::Number(value) => self.number(token, value),
                Kind::Word => self.word(token),
                Kind::Part(_) => false,
                Kind::Odd | Kind::Mark => true,
                Kind::Open => {
                    self.brackets += 1;
                    self.first = true;
                    self.out || !self.disowns()
                }
                Kind::Close => {
                    self.brackets = self.brackets.saturating_sub(1);
                    true
                }
                Kind::Sign(c) => self.sign(c),
            };
            if !fine {
                return false;
            }
            if matches!(token.kind, Kind::Word | Kind::Number(_) | Kind::Odd) {
                self.first = false;
            }
            if token.kind != Kind::Mark {
                self.before = Some(token);
            }
        }
    }

    /// Whether the words in the bracket that has just opened say that the number is none: `(placeholder)`, `(TBD)`.
    fn disowns(&self) -> bool {
        /// The most words of such a remark.
        const LONGEST: usize = 5;
        let mut ahead = self.lexer;
        let (mut words, mut another) = (0, false);
        loop {
            let token = ahead.next();
            match token.kind {
                Kind::Word => {
                    words += 1;
                    let shares = token.text.ends_with("'s") || token.text.ends_with("\u{2019}s");
                    another |= words::has(&words::UNREAL, token.text)
                        || words::has(&leading::ANOTHERS, token.text)
                        || (words == 1 && shares && !token.is_one_of(&words::SENTENCES));
                }
                Kind::Mark | Kind::Sign('.' | '-') => {}
                Kind::Close => return another && words <= LONGEST,
                _ => return false,
            }
        }
    }

    fn sign(&mut self, c: char) -> bool {
        match c {
            '.' | '!' => {
                self.out = true;
                self.first = true;
                true
            }
            ',' | ';' | ':' | '=' | '-' | '\u{2014}' | '|' => {
                self.first = true;
                true
            }
            // A doubt, unless a sentence asks.
            '?' => self.out,
            '\u{b1}' | '~' | '\u{2248}' | '%' | '\u{2192}' | '\u{21d2}' | '\u{279c}'
            | '\u{27f6}' => false,
            '>' => !self.before.is_some_and(|before| before.is_sign("-=")),
            _ => true,
        }
    }

    fn word(&mut self, word: Token<'t>) -> bool {
        if let Some(value) = words::number(word.text) {
            let ends = !matches!(self.lexer.peek().kind, Kind::Word);
            let same = value.total_cmp(&self.value).is_eq();
            return same || !ends || word.is("one");
        }
        if !self.first {
            let before = self.before;
            let named = before.is_some_and(|before| before.is("or"));
            return !(named && word.is("rather"));
        }
        if self.label(word) {
            return true;
        }
        let turns = if self.out {
            &words::CORRECTS[..]
        } else {
            &words::TURNS
        };
        if word.is("on") {
            let next = self.lexer.peek();
            return !(next.is("second") || next.is("reflection") || next.is("balance"));
        }
        // `no issues`, `no more slips`, but `no, 3`.
        if word.is("no") || word.is("not") {
            let next = self.lexer.peek();
            // `4 for the source, not for this text`
            if next.is("for") && word.is("not") {
                return false;
            }
            return next.kind == Kind::Word || (self.brackets > 0 && next.kind == Kind::Close);
        }
        !word.is_one_of(turns)
    }

    /// Whether the label of another value begins here; what follows it is its own.
    fn label(&mut self, first: Token<'t>) -> bool {
        /// The most words of a label.
        const LONGEST: usize = 3;
        if self.brackets > 0 || self.out || !first.text.starts_with(char::is_uppercase) {
            return false;
        }
        let mut ahead = self.lexer;
        // `Final: 3` names no other metric: it is the verdict on this one.
        let mut own = first.is_one_of(&words::OWN);
        for _ in 0..=LONGEST {
            ahead.skip_marks();
            let token = ahead.next();
            if token.is_sign(":=") || (token.is_sign("-\u{2014}") && token.spaced) {
                ahead.skip_marks();
                let known = first.is_one_of(&words::TURNS) || first.is_one_of(&words::OTHERS);
                let number = ahead.peek().number();
                let other = number.is_none_or(|number| number.total_cmp(&self.value).is_ne());
                if number.is_none() || known || (own && other) {
                    return false;
                }
                // Nothing behind the next label belongs to this value.
                while !self.lexer.peek().ends_line() {
                    self.lexer.next();
                }
                return true;
            }
            if token.kind != Kind::Word {
                return false;
            }
            own &= token.is_one_of(&words::OWN);
        }
        false
    }

    fn number(&mut self, token: Token<'t>, value: f64) -> bool {
        if let Some(ahead) = range(self.lexer, value, self.scale) {
            self.lexer = ahead;
            return true;
        }
        let is = |bound: f64| value.total_cmp(&bound).is_eq();
        let before = self.before.filter(|before| before.end <= token.start);
        let top = before.is_some_and(|before| {
            before.is_sign("/") || before.is_one_of(&["max", "maximum", "of"])
        });
        if top {
            return is(self.scale.max);
        }
        let reckoned = before.is_some_and(|before| before.is_sign("-+\u{2014}=|,"));
        if value.total_cmp(&self.value).is_eq() && !reckoned {
            return true;
        }
        let next = self.lexer.peek_plain();
        if next.is_sign("-") && !next.spaced {
            let mut ahead = self.lexer;
            ahead.next();
            let word = ahead.next();
            return word.kind == Kind::Word
                && (!word.is_one_of(&words::UNITS) || is(self.scale.max));
        }
        if before.is_some_and(|before| before.is_one_of(&words::PLACES)) {
            return true;
        }
        if next.kind == Kind::Word {
            let counts = !next.is_one_of(&words::NO_COUNT) && !next.is_one_of(&words::UNITS);
            let turns = next.is_one_of(&words::TURNS) || next.is_one_of(&words::GO_ON);
            if counts && !turns {
                return !before.is_some_and(|before| before.is_sign("-+") && !token.spaced);
            }
        }
        if value >= YEAR && token.is_whole() {
            return true;
        }
        let end = is(self.scale.min) || is(self.scale.max);
        end && (self.brackets > 0 || self.out) && self.means(next)
    }

    /// Whether what follows an end of the scale says what it means.
    fn means(&self, next: Token<'t>) -> bool {
        let mut ahead = self.lexer;
        ahead.skip_marks();
        ahead.next();
        let word = ahead.peek_plain();
        let joint = next.is_sign("=:-\u{2014}") || next.is_one_of(&["being", "is", "means"]);
        joint && word.kind == Kind::Word && !word.is_one_of(&words::TURNS)
    }

    /// Whether `for` is followed by a reason rather than by what else is scored.
    fn gives_reason(&self) -> bool {
        let mut ahead = self.lexer;
        ahead.skip_marks();
        ahead.next();
        ahead.is_reason()
    }

    /// Whether the next line goes on with the value: with a top, a choice or a correction.
    fn next_line(&self) -> bool {
        let mut ahead = self.lexer;
        ahead.skip_marks();
        let first = ahead.next();
        let second = ahead.next();
        let apart = self.lexer.is_apart();
        match first.kind {
            // `4.` and on the next line `5`; `4` and `- 1 = 3`.
            Kind::Number(_) if second.ends_line() => false,
            Kind::Number(_) if second.is_sign("/") => false,
            Kind::Sign('-' | '\u{2014}' | '+') if second.number().is_some() => {
                let third = ahead.next();
                first.end < second.start
                    && third.kind == Kind::Word
                    && !third.is_one_of(&words::NO_COUNT)
                    || third.is_sign(".") && !third.ends_line()
                    || (third.kind == Kind::Close && first.end < second.start)
            }
            Kind::Sign('.') if second.number().is_some() => false,
            Kind::Open if second.is("or") => false,
            Kind::Word
                if !apart
                    && first.is("and")
                    && second.is_one_of(&["a", "one", "some", "three", "two"]) =>
            {
                false
            }
            Kind::Word
                if !apart && first.is_one_of(&["minus", "of", "or", "percent", "plus", "to"]) =>
            {
                false
            }
            Kind::Word if !apart && first.is_one_of(&["errors", "issues", "mistakes", "typos"]) => {
                second.is_sign(":")
            }
            Kind::Part(_) | Kind::Sign('/' | '\u{b1}' | '~' | '%') => false,
            Kind::Open => !(second.is("out") || second.is("of") || second.is_sign("/")),
            Kind::Word if first.is("out") => !second.is("of"),
            Kind::Word if first.is("on") => !(second.is("second") || second.is("reflection")),
            Kind::Word if first.is("no") => second.kind == Kind::Word,
            Kind::Word => !first.is_one_of(&words::CORRECTS),
            _ => true,
        }
    }
}

impl Lexer<'_> {
    /// Whether words follow of which the first is one that begins a reason.
    fn is_reason(self) -> bool {
        let word = self.peek();
        word.is_one_of(&[
            "a", "all", "an", "being", "having", "how", "its", "that", "the", "these", "this",
        ])
    }
}
