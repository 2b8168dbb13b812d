//! Labels in the sentences behind a verdict, put in terms of numbers.
//!
//! Must not judge what a sentence says (see the `sentence` of all values).

use super::super::token::{Kind, Token};
use super::super::words;
use super::spelling::spelt;
use crate::models::score::Scale;

/// Words behind which a sentence gives a label.
const LEADS: [&str; 26] = [
    "answer",
    "as",
    "assign",
    "be",
    "call",
    "choice",
    "choose",
    "downgrade",
    "final",
    "give",
    "instead",
    "is",
    "it",
    "make",
    "of",
    "pick",
    "prefer",
    "rating",
    "say",
    "score",
    "select",
    "stays",
    "to",
    "verdict",
    "was",
    "with",
];

/// The pieces of a sentence of `line` as if labels that it gives were their numbers; numbers themselves say nothing on
/// such a scale.
pub(in crate::models::parse::value) fn translated<'t>(
    line: &'t str,
    sentence: &[Token<'t>],
    scale: &Scale,
) -> Vec<Token<'t>> {
    let mut tokens: Vec<Token<'t>> = Vec::with_capacity(sentence.len());
    let mut end = 0;
    for (at, token) in sentence.iter().enumerate() {
        if token.start < end {
            continue;
        }
        let mut token = *token;
        if let Some(label) = spelt(&line[token.start..], scale)
            && given(tokens.last(), sentence, at, token.start + label.length)
        {
            end = token.start + label.length;
            token.kind = Kind::Number(scale.labels[label.label].value);
            token.end = end;
            token.text = &line[token.start..end];
        } else if matches!(token.kind, Kind::Number(_) | Kind::Part(_)) {
            token.kind = Kind::Odd;
        }
        tokens.push(token);
    }
    tokens
}

/// Whether a sentence that turns back ends with another label: `On reflection, Fair.`
pub(in crate::models::parse::value) fn replaces(
    line: &str,
    sentence: &[Token<'_>],
    value: f64,
    scale: &Scale,
) -> bool {
    let mut said = sentence.iter().filter(|token| token.kind == Kind::Word);
    let turns = match (said.next(), said.next()) {
        (Some(first), Some(second)) if first.is_one_of(&["on", "upon"]) => {
            second.is_one_of(&["balance", "reflection", "second"])
        }
        (Some(first), _) => first.is_one_of(&words::CORRECTS),
        (None, _) => false,
    };
    turns
        && sentence.iter().any(|token| {
            let label = spelt(&line[token.start..], scale);
            label.is_some_and(|label| {
                let end = token.start + label.length;
                let next = sentence.iter().find(|token| token.start >= end);
                let alone = next
                    .is_none_or(|next| next.kind != Kind::Word || next.is_one_of(&words::GO_ON));
                alone && scale.labels[label.label].value.total_cmp(&value).is_ne()
            })
        })
}

/// Whether a sentence gives a label rather than using a word of the kind.
fn given(before: Option<&Token<'_>>, sentence: &[Token<'_>], at: usize, end: usize) -> bool {
    let led = before.is_some_and(|before| before.is_one_of(&LEADS) || before.is_sign(":="));
    let next = sentence[at..].iter().find(|token| token.start >= end);
    let alone = next.is_none_or(|next| {
        next.kind != Kind::Word
            || next.is_one_of(&words::GO_ON)
            || next.is_one_of(&["actually", "instead", "now", "overall", "really"])
    });
    led && alone
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        assert!(LEADS.is_sorted());
    }
}
