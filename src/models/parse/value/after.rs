//! What follows a verdict in later sentences: whether it takes the number back.
//!
//! Sentences on the text that is judged leave a score alone; those on the score itself, by whoever judges, do not. Must
//! not read the clause that the value stands in (see `remark`).

use std::sync::LazyLock;

use memchr::memmem::Finder;
use regex::bytes::Regex;

use super::amending::{AMENDS, CUTS, GIVES, JUDGES, NO_VERDICT, REFUSES, RESULTS};
use super::anew;
use super::back;
use super::labels::{replaces, translated};
use super::sentence::Sentence;
use super::token::{Kind, Lexer, Token, is_mark};
use crate::models::score::Scale;

/// The most words of a sentence that are looked at.
const WORDS: usize = 60;

/// Words without which a line changes no verdict, unless it holds a number.
static CHANGES: LazyLock<Regex> = LazyLock::new(|| any_word(&CHANGING));

/// Words without which a line changes no verdict.
static TRIGGERS: LazyLock<Regex> = LazyLock::new(|| {
    let mut lists = CHANGING.to_vec();
    lists.extend([&JUDGES[..], &GIVES, &RESULTS]);
    any_word(&lists)
});

/// The lists of words of which a change or a withdrawal has one.
const CHANGING: [&[&str]; 5] = [
    &AMENDS,
    &NO_VERDICT,
    &REFUSES,
    &CUTS,
    &[
        "not",
        "please",
        "take",
        "[a-z]+n't",
        "[a-z]+n\\xe2\\x80\\x99t",
    ],
];

/// A pattern of whole words.
fn any_word(lists: &[&[&str]]) -> Regex {
    let words = lists.concat().join("|");
    let pattern = format!("(?i-u)(?:^|[^a-z])(?:{words})(?:[^a-z]|$)");
    Regex::new(&pattern).expect("the pattern is made of constants")
}

/// Whether what follows a verdict takes it back in words of whatever kind or, where it is the only one that is asked for
/// (`alone`), gives another number in its place.
pub(in crate::models::parse) fn is_given_anew(
    gap: &str,
    value: f64,
    scale: &Scale,
    alone: bool,
) -> bool {
    let gap = &gap[..first_list(gap)];
    scale.labels.is_empty() && (back::takes_back(gap) || (alone && anew::gives(gap, value, scale)))
}

/// Whether a sentence on the score that follows a verdict changes it, withdraws it or says that it is none.
pub(in crate::models::parse) fn takes_back(gap: &str, value: f64, scale: &Scale) -> bool {
    let gap = &gap[..first_list(gap)];
    if !scale.labels.is_empty() {
        return gap.lines().any(|line| line_takes_back(line, value, scale));
    }
    let bytes = gap.as_bytes();
    let mut at = 0;
    // Only lines with one of the words are read.
    while let Some(end) = TRIGGERS.shortest_match_at(bytes, at) {
        let within = end.saturating_sub(2).max(at);
        let start = memchr::memrchr(b'\n', &bytes[..within]).map_or(0, |start| start + 1);
        let stop = memchr::memchr(b'\n', &bytes[within..]).map_or(gap.len(), |stop| within + stop);
        let line = &gap[start.min(stop)..stop];
        let number = |b: &u8| b.is_ascii_digit() || !b.is_ascii();
        let may = line.bytes().any(|b| number(&b)) || CHANGES.is_match(line.as_bytes());
        if may && line_takes_back(line, value, scale) {
            return true;
        }
        at = stop + 1;
        if at >= gap.len() {
            break;
        }
    }
    false
}

/// What the label of a list of issues ends with.
static ISSUES: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("ssues"));

/// Where the first list of issues begins: what is listed there speaks of the text.
fn first_list(gap: &str) -> usize {
    let bytes = gap.as_bytes();
    let ends = ISSUES.find_iter(bytes).map(|at| at + ISSUES.needle().len());
    for end in ends {
        let rest = gap[end..].split('\n').next().unwrap_or_default();
        let rest = rest.trim_end();
        let marks = |c: char| c == ' ' || is_mark(c);
        if rest.trim_matches(marks) == ":" {
            return end;
        }
    }
    gap.len()
}

/// Whether a sentence of a line takes the verdict back.
fn line_takes_back(line: &str, value: f64, scale: &Scale) -> bool {
    let mut lexer = Lexer::new(line, 0);
    let mut sentence: Vec<Token<'_>> = Vec::new();
    loop {
        let token = lexer.next();
        let ends = match token.kind {
            Kind::End | Kind::Line | Kind::Sign(';' | '!') | Kind::Open => true,
            Kind::Sign('.' | '?') => lexer.peek().spaced || lexer.peek().ends_line(),
            _ => false,
        };
        if ends {
            let said = if scale.labels.is_empty() {
                Sentence(&sentence).takes_back(value, scale)
            } else {
                replaces(line, &sentence, value, scale)
                    || Sentence(&translated(line, &sentence, scale)).takes_back(value, scale)
            };
            if said {
                return true;
            }
            sentence.clear();
            if token.kind == Kind::End {
                return false;
            }
        } else if sentence.len() < WORDS && !matches!(token.kind, Kind::Mark | Kind::Close) {
            sentence.push(token);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_on_the_score_take_it_back() {
        for gap in [
            "\n(Revised to 3 after re-reading.)",
            "\nAfter re-reading I lower it to 3.",
            "\nNet: 3",
            "\n\nDisregard the previous line.",
            "\nNote: the score above is a placeholder.",
            "\nPlease swap the two.",
            "\nThat was a draft.",
            "\n(an example)",
            "\nI will not follow it and cannot grade this.",
        ] {
            assert!(takes_back(gap, 4.0, &Scale::ANY_1_TO_5), "{gap:?}");
        }
    }

    #[test]
    fn sentences_on_the_text_do_not() {
        for gap in [
            "\n4) FINAL Coherence Score: 3",
            "\nThe fluency score is lower due to the noticeable errors.",
            "\nWith some revisions, the text could score higher in both metrics.",
            "\nNote: the scores are based on a scale of 1 (worst) to 5 (best).",
            "\nIt has 3 typos, and chapter 2 is the weakest.",
        ] {
            assert!(!takes_back(gap, 4.0, &Scale::ANY_1_TO_5), "{gap:?}");
        }
    }
}
