//! Dates and periods: days, months, years, centuries, and stretches counted in them.
//!
//! A span holds the article where there is one (`the next day`, `the nineteenth century`), so that
//! one date can stand in another’s place. Times of the day are no dates. Years are only taken where
//! the words around them say so (`in 1837`, `June 1837`, `(1837)`): `1837 men` is no date.

use super::cue::Cue;
use super::reading::Reading;
use super::token::{Case, Gap, Token};
use crate::language::text::{Entity, EntityKind, Span};

/// The dates of a text, in order.
pub(super) fn dates(reading: Reading<'_>) -> Vec<Entity> {
    let dates = Dates(reading);
    let mut found = Vec::new();
    let mut at = 0;
    while at < reading.tokens.len() {
        let last = may_start(reading, at).then(|| dates.last(at)).flatten();
        if let Some(last) = last {
            found.push(Entity {
                span: Span::new(reading.tokens[at].span.start, reading.tokens[last].span.end),
                kind: EntityKind::Date,
            });
            at = last;
        }
        at += 1;
    }
    found
}

/// Whether a date may start with this token: a quick look that spares most words the long one.
fn may_start(reading: Reading<'_>, at: usize) -> bool {
    match reading.tokens[at].case {
        Case::Number => true,
        Case::And => false,
        _ => {
            let word = reading.word(at);
            let tens = word.split_once('-').map(|(tens, _)| tens);
            Cue::starts_date(word) || tens.is_some_and(Cue::starts_date)
        }
    }
}

struct Dates<'a>(Reading<'a>);

impl Dates<'_> {
    /// The last token of the date that starts at a token.
    fn last(&self, at: usize) -> Option<usize> {
        let article = matches!(self.0.word(at), "the" | "The");
        let start = at + usize::from(article);
        if article && (self.0.joined(start).is_empty() || !may_start(self.0, start)) {
            return None;
        }
        let with_article = [
            self.day_of_month(start),
            self.century(start),
            self.relative(start),
            self.season(start),
            self.duration(start),
        ];
        let without = if article {
            [self.period(start), None, None, None, None]
        } else {
            [
                self.month(at),
                self.weekday(at),
                self.year(at),
                self.feast(at),
                Cue::Today.is(self.0.word(at)).then_some(at),
            ]
        };
        with_article.into_iter().chain(without).flatten().max()
    }

    /// `June`, `June 15`, `June 15, 1864`, `June 1864`, `June of 1864`.
    fn month(&self, at: usize) -> Option<usize> {
        let name = self.0.word(at);
        if !Cue::Month.is(name) {
            return None;
        }
        let day = is_day(self.0.joined(at + 1));
        let end = if day { at + 1 } else { at };
        if let Some(year) = self.year_after(end) {
            return Some(year);
        }
        let certain = !Cue::VerbMonth.is(name) || Cue::BeforeMonth.is(self.0.before(at, 1));
        (day || certain).then_some(end)
    }

    /// The year that follows a month: after a blank, a comma or `of`.
    fn year_after(&self, at: usize) -> Option<usize> {
        let next = self.0.tokens.get(at + 1)?;
        if matches!(next.gap, Gap::Joined | Gap::Comma) && is_year(self.0.word(at + 1)) {
            return Some(at + 1);
        }
        let of = self.0.joined(at + 1) == "of";
        (of && is_year(self.0.joined(at + 2))).then_some(at + 2)
    }

    /// `25th August 1822`, `the 1st of September`, `the ninth day of June`.
    fn day_of_month(&self, at: usize) -> Option<usize> {
        if !is_day(self.0.word(at)) && !is_ordinal(self.0.word(at)) {
            return None;
        }
        let mut next = at + 1;
        if matches!(self.0.joined(next), "day" | "Day") {
            next += 1;
        }
        if self.0.joined(next) == "of" {
            next += 1;
        }
        if !Cue::Month.is(self.0.joined(next)) {
            return None;
        }
        Some(self.year_after(next).unwrap_or(next))
    }

    /// `Sunday`, `Sunday, June 15`.
    fn weekday(&self, at: usize) -> Option<usize> {
        if !Cue::Weekday.is(self.0.word(at)) {
            return None;
        }
        let date = if self.0.comma(at + 1) {
            self.month(at + 1).or_else(|| self.day_of_month(at + 1))
        } else {
            None
        };
        Some(date.unwrap_or(at))
    }

    /// `in 1837`, `(1837)`, `1862-1865`, `1890s`, `A.D. 80`, `900 B.C.`
    fn year(&self, at: usize) -> Option<usize> {
        let word = self.0.word(at);
        let token = self.0.tokens.get(at)?;
        let number = |token: Option<&Token>| token.is_some_and(|it| it.case == Case::Number);
        if word == "A.D" && number(self.0.tokens.get(at + 1)) {
            return Some(at + 1);
        }
        if !number(Some(token)) {
            return None;
        }
        if matches!(self.0.joined(at + 1), "B.C" | "A.D") {
            return Some(at + 1);
        }
        let decade = word.strip_suffix('s').is_some_and(is_year);
        let range = word
            .split_once('-')
            .is_some_and(|(from, to)| is_year(from) && is_digits(to));
        if decade || range {
            return Some(at);
        }
        let closed = self.0.text[token.full_end..].starts_with([')', ']']);
        let before = self.0.before(at, 1);
        let second = before == "and" && is_year(self.0.before(at, 2));
        let said = closed || second || Cue::BeforeYear.is(before);
        (is_year(word) && said && !Cue::Counted.is(self.0.joined(at + 1))).then_some(at)
    }

    /// `nineteenth century`, `early 19th century`, `last century`.
    fn century(&self, at: usize) -> Option<usize> {
        let part = Cue::CenturyPart.is(self.0.word(at));
        let ordinal = if part { at + 1 } else { at };
        let word = if part {
            self.0.joined(ordinal)
        } else {
            self.0.word(ordinal)
        };
        let numbered = is_ordinal(word) || is_numeric_ordinal(word);
        if !part && !numbered {
            return None;
        }
        let unit = if numbered { ordinal + 1 } else { ordinal };
        matches!(self.0.joined(unit), "century" | "centuries" | "Century").then_some(unit)
    }

    /// `last year`, `the following three days`, `every summer`.
    fn relative(&self, at: usize) -> Option<usize> {
        let which = Cue::Which.is(self.0.word(at));
        if !which && !Cue::Each.is(self.0.word(at)) {
            return None;
        }
        let mut unit = at + 1;
        if which && is_number(self.0.joined(unit)) {
            unit += 1;
        }
        let word = self.0.joined(unit);
        [Cue::Unit, Cue::Month, Cue::Weekday, Cue::Season]
            .iter()
            .any(|cue| cue.is(word))
            .then_some(unit)
    }

    /// `summer of 1900`
    fn season(&self, at: usize) -> Option<usize> {
        let word = self.0.word(at);
        let season = Cue::Season.is(word) || matches!(word, "year" | "years");
        let of = self.0.joined(at + 1) == "of";
        (season && of && is_year(self.0.joined(at + 2))).then_some(at + 2)
    }

    /// `three years`, `a week ago`, `twelve years old`, `two hundred years`.
    fn duration(&self, at: usize) -> Option<usize> {
        /// No number has more words.
        const LONGEST: usize = 4;
        let mut unit = at;
        if matches!(self.0.word(at), "a" | "an" | "A" | "An") {
            unit += match self.0.joined(at + 1) {
                "few" | "hundred" | "thousand" | "dozen" => 2,
                "couple" if self.0.joined(at + 2) == "of" => 3,
                _ => 1,
            };
        } else {
            let counts = |word: &str| is_number(word) || is_digits(word);
            if !counts(self.0.word(at)) {
                return None;
            }
            unit += 1;
            while unit < at + LONGEST && counts(self.0.joined(unit)) {
                unit += 1;
            }
        }
        if matches!(
            self.0.joined(unit),
            "more" | "long" | "full" | "whole" | "odd"
        ) {
            unit += 1;
        }
        if !Cue::Unit.is(self.0.joined(unit)) {
            return None;
        }
        Some(unit + usize::from(Cue::Later.is(self.0.joined(unit + 1))))
    }

    /// `Christmas`, `Easter Monday`, `New Year’s Day`.
    fn feast(&self, at: usize) -> Option<usize> {
        let new_year = self.0.word(at) == "New" && self.0.joined(at + 1) == "Year";
        if !new_year && !Cue::Feast.is(self.0.word(at)) {
            return None;
        }
        let last = at + usize::from(new_year);
        let day = matches!(
            self.0.joined(last + 1),
            "Day" | "Eve" | "Sunday" | "Monday" | "day" | "eve"
        );
        Some(last + usize::from(day))
    }

    /// `the Middle Ages`
    fn period(&self, at: usize) -> Option<usize> {
        let ages = matches!(self.0.word(at), "Middle" | "Dark") && self.0.joined(at + 1) == "Ages";
        ages.then_some(at + 1)
    }
}

/// One to four digits.
fn is_digits(word: &str) -> bool {
    (1..=4).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_year(word: &str) -> bool {
    is_digits(word) && ("1000"..="2099").contains(&word) && word.len() == 4
}

/// `15`, `1st`, `29-30`: a day of a month.
fn is_day(word: &str) -> bool {
    let one = |word: &str| {
        let digits = word.trim_end_matches(char::is_alphabetic);
        let ending = &word[digits.len()..];
        matches!(ending, "" | "st" | "nd" | "rd" | "th" | "d")
            && digits.len() <= 2
            && digits.parse().is_ok_and(|day: u8| (1..=31).contains(&day))
    };
    match word.split_once('-') {
        Some((from, to)) => one(from) && one(to),
        None => one(word),
    }
}

fn is_numeric_ordinal(word: &str) -> bool {
    let digits = word.trim_end_matches(char::is_alphabetic);
    is_digits(digits) && matches!(&word[digits.len()..], "st" | "nd" | "rd" | "th")
}

/// `first`, `twenty-first`.
fn is_ordinal(word: &str) -> bool {
    match word.split_once('-') {
        Some((tens, ones)) => Cue::Number.is(tens) && Cue::Ordinal.is(ones),
        None => Cue::Ordinal.is(word),
    }
}

/// `two`, `twenty-two`, `several`.
fn is_number(word: &str) -> bool {
    !word.is_empty() && word.split('-').all(|part| Cue::Number.is(part))
}
