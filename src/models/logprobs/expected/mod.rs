//! The mean of a verdict over the marks of its scale, weighted by the probabilities of their tokens.
//!
//! The rule:
//!
//! 1. The token at which the verdict begins is the place; the tokens that could have stood there are its alternatives.
//! 2. An alternative belongs to a mark if it spells the mark, blanks around it and capitals aside, with what the token of
//!    the verdict has around it (`:4`, `"4`). All else lies outside the scale.
//! 3. An alternative that only begins marks belongs to the one that it begins, if it has two characters at least, is the
//!    token that was written or the sign of a number. One that begins several cannot be told apart (`1` of 1 and 10),
//!    unless the longer ones are among the alternatives themselves, or it was written: then the alternatives of the next
//!    token divide it.
//! 4. The mean is over the probability that lies on the scale; how much that is, is the *mass*.

use std::ops::Range;

use super::marks::Marks;
use super::token::{Token, plain};
use crate::models::score::{Outcome, Reason};

/// The largest probability that may lie on marks that cannot be told apart and be left out of the mean.
const UNTOLD: f64 = 0.001;

/// A part of a mark that is no more than this may be the begin of any word.
const SHORT: usize = 1;

/// A mean over the marks of a scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// The mean, or why there is none.
    pub outcome: Outcome,
    /// The probability that lies on the scale, where that is known.
    pub mass: Option<f64>,
}

impl Expectation {
    /// None, for a reason.
    pub fn none(reason: Reason) -> Self {
        Self {
            outcome: Outcome::Unscored(reason),
            mass: None,
        }
    }
}

/// The expectation at a place of a text, in bytes, whose tokens stand at `spans`; unscored if less than `least` of the
/// probability lies on the scale.
pub fn expected(
    (tokens, spans): (&[Token], &[Range<usize>]),
    text: &str,
    place: &Range<usize>,
    marks: &Marks,
    least: f64,
) -> Expectation {
    let verdict = &text[place.clone()];
    let blank = verdict.len() - verdict.trim_start().len();
    let mark = marks.written(verdict).unwrap_or(blank..blank);
    let start = place.start + mark.start;
    let Some(at) = spans.iter().position(|span| span.contains(&start)) else {
        let why = "they do not hold the token of the verdict";
        return Expectation::none(Reason::NoLogprobs(why.to_owned()));
    };
    let before = text[spans[at].start..start].trim();
    if before.contains(char::is_alphanumeric) {
        let token = text[spans[at].clone()].trim();
        let why = format!("the verdict begins within the token `{token}`");
        return Expectation::none(Reason::NoLogprobs(why));
    }
    if tokens[at].alternatives().len() < 2 {
        let why = "no alternatives are listed for the token of the verdict";
        return Expectation::none(Reason::NoLogprobs(why.to_owned()));
    }
    let behind = text.get(place.start + mark.end..spans[at].end);
    let behind = behind.filter(|_| !mark.is_empty()).unwrap_or_default();
    let mut spread = Spread {
        tokens,
        marks,
        around: (before, behind.trim()),
        mass: vec![0.0; marks.len()],
        untold: Vec::new(),
    };
    spread.first(at);
    spread.mean(least)
}

/// The place of the verdict in a text that is one token: that token, whatever it says.
pub fn sole(spans: &[Range<usize>], text: &str) -> Option<Range<usize>> {
    let start = text.len() - text.trim_start().len();
    let end = text.trim_end().len();
    let mut own = spans
        .iter()
        .filter(|span| !text[(*span).clone()].trim().is_empty());
    let covers = |span: &Range<usize>| span.start <= start && end <= span.end;
    own.next().filter(|span| covers(span)).map(|_| start..end)
}

/// What of the probability lies on which mark.
struct Spread<'t> {
    tokens: &'t [Token],
    marks: &'t Marks,
    /// What the token of the verdict has before and behind the mark.
    around: (&'t str, &'t str),
    mass: Vec<f64>,
    /// What begins several marks that cannot be told apart, and its probability.
    untold: Vec<(String, f64)>,
}

impl Spread<'_> {
    /// The alternatives at the place of the verdict.
    fn first(&mut self, at: usize) {
        let (before, behind) = self.around;
        let mut alternatives = Vec::new();
        for (text, logprob, own) in self.tokens[at].alternatives() {
            let text = plain(&text);
            let Some(core) = text.trim().strip_prefix(before) else {
                continue;
            };
            let core = core.strip_suffix(behind).unwrap_or(core);
            alternatives.push((self.marks.normal(core), logprob.exp(), own));
        }
        self.share(at, &alternatives);
    }

    /// Gives each alternative to its mark.
    fn share(&mut self, at: usize, alternatives: &[(String, f64, bool)]) {
        for (core, probability, own) in alternatives {
            let fit = self.marks.fit(core);
            let listed = |text: &String| alternatives.iter().any(|(other, ..)| other == text);
            let all_listed = fit.longer.values().all(|texts| texts.iter().any(listed));
            match (fit.full, fit.longer.len()) {
                (Some(mark), 0) => self.mass[mark] += probability,
                (None, 0) => {}
                (None, 1) => {
                    if (*own || core.chars().count() > SHORT || fit.is_sign(core))
                        && let Some(mark) = fit.longer.keys().next()
                    {
                        self.mass[*mark] += probability;
                    }
                }
                (Some(mark), _) if all_listed => self.mass[mark] += probability,
                _ if *own && at + 1 < self.tokens.len() => {
                    self.further(at + 1, core, *probability, fit.full);
                }
                _ => self.untold.push((core.clone(), *probability)),
            }
        }
    }

    /// The alternatives of the token behind one that began several marks, of which one may have been written with it.
    fn further(&mut self, at: usize, begun: &str, probability: f64, full: Option<usize>) {
        let mut alternatives = Vec::new();
        for (text, logprob, own) in self.tokens[at].alternatives() {
            let text = plain(&text);
            let share = probability * logprob.exp();
            let gap = if text.starts_with(char::is_whitespace) {
                " "
            } else {
                ""
            };
            let core = self.marks.normal(&format!("{begun}{gap}{text}"));
            let fit = self.marks.fit(&core);
            let begins = core != begun && (fit.full.is_some() || !fit.longer.is_empty());
            if begins {
                alternatives.push((core, share, own));
            } else if let Some(mark) = full
                && ends(&text)
            {
                self.mass[mark] += share;
            }
        }
        self.share(at, &alternatives);
    }

    fn mean(self, least: f64) -> Expectation {
        let left: f64 = self.untold.iter().map(|(_, probability)| probability).sum();
        if left > UNTOLD {
            let texts = self.untold.into_iter().map(|(text, _)| text).collect();
            return Expectation::none(Reason::SharedToken(texts));
        }
        let mass: f64 = self.mass.iter().sum();
        // Rounding of servers aside.
        let stated = Some(mass.min(1.0));
        if mass <= 0.0 || mass < least {
            return Expectation {
                outcome: Outcome::Unscored(Reason::LowMass(shown(mass))),
                mass: stated,
            };
        }
        let weighted = self.mass.iter().enumerate();
        let weighted = weighted.map(|(mark, mass)| mass * self.marks.value(mark));
        Expectation {
            outcome: Outcome::Scored(weighted.sum::<f64>() / mass),
            mass: stated,
        }
    }
}

/// Whether a mark ends where this follows it.
fn ends(text: &str) -> bool {
    let mut letters = text.chars();
    match letters.next() {
        None => true,
        Some('.' | ',') => !letters.next().is_some_and(|c| c.is_ascii_digit()),
        Some(first) => !first.is_alphanumeric(),
    }
}

/// A probability in few digits.
fn shown(mass: f64) -> String {
    if mass > 0.0 && mass < 0.001 {
        return format!("{mass:.0e}");
    }
    let text = format!("{mass:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests;
