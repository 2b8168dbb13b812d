//! What follows a label up to the end of its sentence: whether the label stands as it is.
//!
//! Must not read the label itself, or look at later sentences beyond their first words.

use super::super::token::{Kind, Lexer, Token};
use super::super::words;
use super::spelling::{Spelt, is_closing, spelt};
use crate::models::score::Scale;

/// What follows a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Behind {
    /// Nothing of its line.
    End,
    /// A clause that leaves the label alone.
    Remark,
    /// The end of its sentence, and another one on the same line.
    Sentence,
    /// A word that makes one thing of the two: `good writing`.
    Word,
    /// Something that may change it, up to this byte.
    Unclear(usize),
}

/// Words with which a clause offers something else.
const HEDGES: [&str; 35] = [
    "actually",
    "almost",
    "assuming",
    "barring",
    "bordering",
    "borderline",
    "bzw",
    "correction",
    "depending",
    "except",
    "hmm",
    "if",
    "instead",
    "ish",
    "leaning",
    "maybe",
    "minus",
    "o",
    "oder",
    "oops",
    "or",
    "otherwise",
    "ou",
    "pending",
    "perhaps",
    "plus",
    "possibly",
    "probably",
    "provided",
    "scratch",
    "sorry",
    "to",
    "unless",
    "verging",
    "wait",
];

/// Words before a label that offer it.
const OFFERS: [&str; 34] = [
    "almost",
    "also",
    "although",
    "and",
    "as",
    "between",
    "bis",
    "but",
    "by",
    "closer",
    "en",
    "even",
    "is",
    "it",
    "maybe",
    "near",
    "nearly",
    "not",
    "o",
    "oder",
    "of",
    "or",
    "ou",
    "perhaps",
    "possibly",
    "probably",
    "rather",
    "say",
    "sometimes",
    "than",
    "to",
    "toward",
    "towards",
    "und",
];

/// Words right behind a label with which its clause goes on.
const GO_ON: [&str; 36] = [
    "aber",
    "although",
    "as",
    "based",
    "because",
    "but",
    "car",
    "considering",
    "da",
    "denn",
    "despite",
    "due",
    "given",
    "having",
    "indeed",
    "mais",
    "on",
    "overall",
    "owing",
    "parce",
    "pero",
    "porque",
    "puisque",
    "since",
    "so",
    "strictly",
    "that",
    "though",
    "thus",
    "weil",
    "whereas",
    "which",
    "while",
    "with",
    "without",
    "yet",
];

/// Reads what follows the label that ends at `at`.
pub(super) fn behind(text: &str, at: usize, label: usize, scale: &Scale) -> Behind {
    let rest = text[at..]
        .trim_start_matches("です")
        .trim_start_matches(is_blank);
    let mut at = text.len() - rest.len();
    let closed = text[at..].trim_start_matches(|c| is_closing(c) || is_blank(c));
    // `good (`, but not `good` and the next word behind a blank.
    at = text.len() - closed.len();
    let walk = Walk { text, label, scale };
    let mut lexer = Lexer::new(text, at);
    let mut numbered = false;
    loop {
        let token = lexer.next();
        let unclear = Behind::Unclear(end(text, token.end));
        match token.kind {
            Kind::End => return Behind::End,
            Kind::Line => {
                let first = lexer.peek_plain();
                let goes_on = first.is_one_of(&["or", "to", "oder", "ou"]) && !lexer.is_apart();
                return if goes_on { unclear } else { Behind::End };
            }
            Kind::Mark | Kind::Close => {}
            Kind::Number(number) if !numbered => {
                if !walk.is_its(number) {
                    return unclear;
                }
                top(&mut lexer);
                numbered = true;
            }
            Kind::Open => match walk.bracket(&mut lexer, !numbered) {
                Some(was) => numbered |= was,
                None => return unclear,
            },
            Kind::Sign('.' | '!') => return walk.sentence(lexer, token),
            Kind::Sign(',' | ';' | ':' | '=' | '-' | '\u{2014}') => {
                let next = lexer.peek_plain();
                // `Good-Excellent`
                let glued =
                    !next.spaced && !next.ends_line() && token.kind != Kind::Sign('\u{2014}');
                if let (Some(number), false) = (next.number(), numbered)
                    && !counts(lexer)
                {
                    lexer.skip_marks();
                    lexer.next();
                    if !walk.is_its(number) {
                        return unclear;
                    }
                    top(&mut lexer);
                    numbered = true;
                    continue;
                }
                if glued && token.kind == Kind::Sign('-') {
                    return unclear;
                }
                return if walk.is_harmless(lexer, true) {
                    Behind::Remark
                } else {
                    unclear
                };
            }
            Kind::Sign('|') => {
                let at = lexer.peek_plain().start;
                let other = spelt(&text[at..], scale).is_some_and(|other| other.label != label);
                return if other { unclear } else { Behind::End };
            }
            // `</rating>`
            Kind::Sign('<') if lexer.peek().is_sign("/") || lexer.peek().is("br") => {
                return Behind::End;
            }
            Kind::Sign('\\') if matches!(lexer.peek().kind, Kind::Close) => return Behind::End,
            Kind::Word if token.is_one_of(&GO_ON) => {
                return if walk.is_harmless(lexer, false) {
                    Behind::Remark
                } else {
                    unclear
                };
            }
            Kind::Word
                if token.is_one_of(&HEDGES) || token.is_one_of(&["and", "und", "et", "y"]) =>
            {
                return if walk.offers_ahead(lexer) || !token.is_one_of(&["and", "und", "et", "y"]) {
                    unclear
                } else {
                    Behind::Word
                };
            }
            Kind::Word => return Behind::Word,
            _ => return unclear,
        }
    }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() && !matches!(c, '\n' | '\r')
}

/// The end of the clause that is shown as unclear.
fn end(text: &str, at: usize) -> usize {
    /// The longest part of it that is shown, in bytes.
    const LONGEST: usize = 60;
    let rest = &text[at..];
    let length = rest.find(['\n', '\r']).unwrap_or(rest.len()).min(LONGEST);
    let rest = &rest[..rest.floor_char_boundary(length)];
    at + rest.trim_end().len()
}

/// Passes `/5`, `of 5`, `out of 5` and units behind a number.
fn top(lexer: &mut Lexer<'_>) {
    let mut ahead = *lexer;
    ahead.skip_marks();
    let sign = ahead.next();
    let of = sign.is_sign("/")
        || (sign.is("out") && ahead.next().is("of"))
        || sign.is_one_of(&words::OF);
    if of && ahead.next().number().is_some() {
        *lexer = ahead;
    }
    lexer.take(|token| token.is_one_of(&words::UNITS));
}

/// Whether the number ahead says how many there are of something: `Poor, 3 errors`.
fn counts(mut lexer: Lexer<'_>) -> bool {
    lexer.skip_marks();
    lexer.next();
    let next = lexer.peek();
    next.kind == Kind::Word && !next.is_one_of(&words::NO_COUNT) && !next.is_one_of(&words::UNITS)
}

/// A walk through a remark on a label.
struct Walk<'t, 's> {
    text: &'t str,
    label: usize,
    scale: &'s Scale,
}

impl<'t> Walk<'t, '_> {
    /// Whether a number is that of the label.
    fn is_its(&self, number: f64) -> bool {
        self.scale.labels[self.label]
            .value
            .total_cmp(&number)
            .is_eq()
    }

    /// Passes brackets behind a label, unless they may change it; says whether they hold its number.
    fn bracket(&self, lexer: &mut Lexer<'t>, may_be_numbered: bool) -> Option<bool> {
        let mut ahead = *lexer;
        ahead.skip_marks();
        let first = ahead.next();
        let mut numbered = false;
        if let (Some(number), true) = (first.number(), may_be_numbered) {
            let counted = ahead.peek().kind == Kind::Word
                && !ahead.peek().is_one_of(&words::UNITS)
                && !ahead.peek().is_one_of(&words::NO_COUNT);
            if !counted && !self.is_its(number) {
                return None;
            }
            numbered = !counted;
        }
        let close = self.text[lexer.at..].find([')', ']', '\u{ff09}', '\u{3011}', '\n']);
        let close = close.map_or(self.text.len(), |at| lexer.at + at);
        let inside = Lexer::new(&self.text[..close], lexer.at);
        let own = Walk {
            text: &self.text[..close],
            ..*self
        };
        let unreal = first.is_one_of(&words::UNREAL);
        if unreal || !own.is_harmless(inside, true) {
            return None;
        }
        *lexer = Lexer::new(self.text, close);
        lexer.take(|token| token.kind == Kind::Close);
        Some(numbered)
    }

    /// What follows the end of a sentence on its line.
    fn sentence(&self, mut lexer: Lexer<'_>, point: Token<'_>) -> Behind {
        let unclear = Behind::Unclear(end(self.text, point.end));
        lexer.skip_marks();
        while lexer.take(|token| token.kind == Kind::Close).is_some() {
            lexer.skip_marks();
        }
        let next = lexer.peek();
        if next.ends_line() {
            return Behind::End;
        }
        let wide = point.text.starts_with('\u{3002}');
        if next.is_sign(".?!") || !(next.spaced || wide || next.is_sign("\"'|<")) {
            return unclear;
        }
        // `Yes. No.`, `Good. Actually, Fair.`
        let at = next.start;
        let other = spelt(&self.text[at..], self.scale)
            .filter(|other| other.label != self.label)
            .is_some_and(|other| !self.is_in_words(at + other.length));
        if other || next.is_one_of(&words::CORRECTS) && !next.is("no") {
            unclear
        } else {
            Behind::Sentence
        }
    }

    /// Whether a clause up to the end of its sentence offers no other label and takes nothing back.
    fn is_harmless(&self, mut lexer: Lexer<'_>, begins: bool) -> bool {
        let mut first = begins;
        let (mut before, mut quoted): (Option<Token<'_>>, bool) = (None, false);
        loop {
            let token = lexer.next();
            match token.kind {
                Kind::End | Kind::Line => return true,
                Kind::Sign('?' | '~' | '\u{2192}' | '\u{21d2}') => return false,
                Kind::Sign('.' | '!') if lexer.peek().spaced || lexer.peek().ends_line() => {
                    return !matches!(self.sentence(lexer, token), Behind::Unclear(_));
                }
                Kind::Word if first && token.is_one_of(&HEDGES) => return false,
                Kind::Word => {
                    if let Some(other) = spelt(&self.text[token.start..], self.scale) {
                        if other.label != self.label
                            && self.offers(token, other, before, (first, quoted))
                        {
                            return false;
                        }
                        lexer.at = lexer.at.max(token.start + other.length);
                    }
                }
                _ => {}
            }
            quoted = token.kind == Kind::Mark || token.is_sign("'");
            first = match token.kind {
                Kind::Sign(c) => ",;:-\u{2014}".contains(c) && token.spaced | ",;:".contains(c),
                Kind::Open => true,
                Kind::Mark => first,
                _ => false,
            };
            if token.kind != Kind::Mark {
                before = Some(token);
            }
        }
    }

    /// Whether a remark offers a label that it names: as the spec writes it with a capital, in quotation marks, as a
    /// clause of its own or behind a word such as `or`; other words of the kind are its own (`no other text`).
    fn offers(
        &self,
        token: Token<'_>,
        other: Spelt,
        before: Option<Token<'_>>,
        (first, quoted): (bool, bool),
    ) -> bool {
        let end = token.start + other.length;
        if self.is_in_words(end)
            && !(other.exact && before.is_some_and(|before| before.is_one_of(&OFFERS)))
        {
            return false;
        }
        let capital = other.exact && token.text.starts_with(char::is_uppercase) && other.length > 1;
        let wide = !token.text.is_ascii();
        let led = before.is_some_and(|before| before.is_one_of(&OFFERS));
        capital || quoted || first || led || wide
    }

    /// Whether a plain word follows that makes one thing with the label before it.
    fn is_in_words(&self, at: usize) -> bool {
        let next = Lexer::new(self.text, at).next();
        next.kind == Kind::Word && !next.is_one_of(&HEDGES) && !next.is_one_of(&GO_ON)
    }

    /// Whether a label follows within a word or two.
    fn offers_ahead(&self, mut lexer: Lexer<'_>) -> bool {
        for _ in 0..2 {
            lexer.skip_marks();
            let at = lexer.peek().start;
            if spelt(&self.text[at..], self.scale).is_some_and(|other| other.label != self.label) {
                return true;
            }
            if lexer.next().kind != Kind::Word {
                return false;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        for list in [&HEDGES[..], &OFFERS, &GO_ON] {
            assert!(list.is_sorted(), "{list:?}");
        }
    }
}
