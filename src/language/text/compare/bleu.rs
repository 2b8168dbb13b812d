//! BLEU of one text: tokens as mteval 13a divides them, sequences of up to four, exponential smoothing, only lengths that
//! the text has.

use super::blanks::{between_blanks, is_blank};
use super::grams::{Grams, Numbers};

/// The longest sequence of tokens.
const LONGEST: usize = 4;

pub(super) fn sentence(text: &str, references: &[&str]) -> Result<f64, String> {
    let (text, others) = (
        tokens(text),
        references.iter().map(|one| tokens(one)).collect::<Vec<_>>(),
    );
    let mut numbers = Numbers::default();
    let text = numbers.of(between_blanks(&text));
    let others: Vec<Vec<u32>> = others
        .iter()
        .map(|other| numbers.of(between_blanks(other)))
        .collect();
    let Some(length) = others
        .iter()
        .map(Vec::len)
        .min_by_key(|length| (length.abs_diff(text.len()), *length))
        .filter(|_| others.iter().any(|other| !other.is_empty()))
    else {
        return Err("the reference has no tokens".to_owned());
    };
    let (mut logs, mut orders, mut halvings, mut any) = (0.0, 0_u32, 1.0, false);
    for n in 1..=LONGEST {
        let own = Grams::of(&text, n);
        let total = own.total();
        if total == 0 {
            break;
        }
        let theirs = others.iter().map(|other| Grams::of(other, n));
        let theirs = theirs
            .reduce(|one, other| one.most(&other))
            .unwrap_or_default();
        let correct = own.matched(&theirs);
        any |= correct > 0;
        orders += 1;
        let precision = if correct == 0 {
            halvings *= 2.0;
            100.0 / (halvings * total as f64)
        } else {
            100.0 * correct as f64 / total as f64
        };
        logs += precision.ln();
    }
    if !any {
        return Ok(0.0);
    }
    let brevity = if text.len() < length {
        (1.0 - length as f64 / text.len() as f64).exp()
    } else {
        1.0
    };
    Ok(brevity * (logs / f64::from(orders)).exp())
}

/// The text with blanks around its tokens.
fn tokens(text: &str) -> String {
    let mut text = text
        .trim_end_matches(is_blank)
        .replace("<skipped>", "")
        .replace("-\n", "")
        .replace('\n', " ");
    if text.contains('&') {
        for (written, meant) in [
            ("&quot;", "\""),
            ("&amp;", "&"),
            ("&lt;", "<"),
            ("&gt;", ">"),
        ] {
            text = text.replace(written, meant);
        }
    }
    let mut apart = vec![' '];
    for c in text.chars() {
        match c {
            c if is_mark(c) => apart.extend([' ', c, ' ']),
            c => apart.push(c),
        }
    }
    apart.push(' ');
    let stop = |c: char| c == '.' || c == ',';
    let after = |c: char, next: char| !c.is_ascii_digit() && stop(next);
    let text = pairs(&apart, after, |c, stop| [c, ' ', stop, ' ']);
    let before = |c: char, next: char| stop(c) && !next.is_ascii_digit();
    let text = pairs(&text, before, |stop, c| [' ', stop, ' ', c]);
    let dash = |c: char, next: char| c.is_ascii_digit() && next == '-';
    let text = pairs(&text, dash, |digit, dash| [digit, ' ', dash, ' ']);
    text.into_iter().collect()
}

/// Whether a character is a token by itself wherever it stands.
fn is_mark(c: char) -> bool {
    matches!(c, '{'..='~' | '['..='`' | ' '..='&' | '('..='+' | ':'..='@' | '/')
}

/// The text with what stands for each pair of characters that fits; no character is in two pairs.
fn pairs(
    text: &[char],
    fits: impl Fn(char, char) -> bool,
    stands: impl Fn(char, char) -> [char; 4],
) -> Vec<char> {
    let mut made = Vec::with_capacity(2 * text.len());
    let mut rest = text;
    while let Some((&first, behind)) = rest.split_first() {
        match behind.split_first() {
            Some((&second, behind)) if fits(first, second) => {
                made.extend(stands(first, second));
                rest = behind;
            }
            _ => {
                made.push(first);
                rest = behind;
            }
        }
    }
    made
}
