//! Numbers that sentences behind a verdict give in its place: `3 is more appropriate.`, `The typos bring it down to 3.`
//!
//! A number is given where it stands as a value: at the end of a clause, led by a word or sign behind which values
//! stand, or as that of which the sentence says that it fits. What is counted, the place of something, a range or
//! another's score is left alone. Must not look for words that take a verdict back (see `back`).

use super::amending::{BES, RESULTS};
use super::token::{Kind, Lexer, Token};
use super::words;
use crate::models::score::Scale;

/// The most words of a sentence that are looked at.
const WORDS: usize = 60;

/// How far before a number its subject may stand behind the verb, in words.
const NEAR: usize = 4;

/// Words behind which a value stands, whatever the sentence speaks of.
const LEADS: [&str; 44] = [
    "becomes",
    "besser",
    "call",
    "deserved",
    "deserves",
    "earned",
    "earns",
    "eerder",
    "eher",
    "equals",
    "gets",
    "give",
    "gives",
    "instead",
    "leaves",
    "lieber",
    "liever",
    "make",
    "makes",
    "means",
    "meant",
    "meglio",
    "mejor",
    "melhor",
    "merits",
    "mieux",
    "now",
    "piuttosto",
    "plutôt",
    "raczej",
    "rather",
    "receives",
    "say",
    "should",
    "to",
    "warrants",
    "worth",
    "yields",
    "лучше",
    "скорее",
    "为",
    "是",
    "給",
    "给",
];

/// What may stand between such a word and the number.
const BETWEEN: [&str; 26] = [
    "a", "about", "also", "an", "as", "at", "be", "best", "closer", "even", "it", "just", "like",
    "merely", "more", "most", "nearer", "of", "only", "perhaps", "really", "still", "strict",
    "the", "weak", "well",
];

/// Words for what is judged, and for its score.
const SUBJECTS: [&str; 27] = [
    "answer",
    "article",
    "document",
    "essay",
    "grade",
    "it",
    "level",
    "mark",
    "number",
    "one",
    "passage",
    "piece",
    "rating",
    "response",
    "result",
    "score",
    "story",
    "summary",
    "text",
    "that",
    "this",
    "translation",
    "value",
    "verdict",
    "which",
    "work",
    "writing",
];

/// Words with which a clause leads up to a value behind a colon; other names are those of other scores.
const TURNS: [&str; 33] = [
    "actually",
    "after",
    "all",
    "but",
    "considering",
    "correction",
    "counting",
    "deducting",
    "given",
    "honestly",
    "in",
    "including",
    "joking",
    "just",
    "kidding",
    "less",
    "make",
    "minus",
    "no",
    "now",
    "on",
    "or",
    "rather",
    "really",
    "seriously",
    "so",
    "strictly",
    "subtracting",
    "taking",
    "then",
    "wait",
    "weighing",
    "with",
];

/// Verbs behind a number of which a sentence says that it fits.
const VERBS: [&str; 20] = [
    "appears", "captures", "could", "feels", "fits", "is", "it", "looks", "matches", "may",
    "might", "reflects", "seems", "sounds", "suffices", "suits", "was", "will", "works", "would",
];

/// What is said of a number that fits.
const FITS: [&str; 26] = [
    "accurate",
    "adequate",
    "appropriate",
    "apt",
    "better",
    "closer",
    "correct",
    "defensible",
    "deserved",
    "do",
    "enough",
    "fair",
    "fairer",
    "fits",
    "fitting",
    "generous",
    "honest",
    "is",
    "it",
    "justified",
    "more",
    "right",
    "safer",
    "suffice",
    "suitable",
    "warranted",
];

/// Whether a sentence gives another number than `value`.
pub(super) fn gives(gap: &str, value: f64, scale: &Scale) -> bool {
    gap.lines().any(|line| {
        line.bytes().any(|b| b.is_ascii_digit() || !b.is_ascii()) && line_gives(line, value, scale)
    })
}

fn line_gives(line: &str, value: f64, scale: &Scale) -> bool {
    let line = unlisted(line);
    let mut lexer = Lexer::new(line, 0);
    let mut sentence: Vec<Token<'_>> = Vec::new();
    loop {
        let token = lexer.next();
        let ends = match token.kind {
            Kind::End | Kind::Line | Kind::Sign(';' | '!') | Kind::Open => true,
            Kind::Sign('.' | '?') => lexer.peek().spaced || lexer.peek_plain().ends_line(),
            _ => false,
        };
        if ends {
            let asks = token.is_sign("?");
            let given = |at| is_given(&sentence, at, value, scale);
            if !asks && (0..sentence.len()).any(given) {
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

/// A line without the number of a list before it: `3) …`.
fn unlisted(line: &str) -> &str {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit() || c.is_whitespace());
    match rest.strip_prefix(['.', ')']) {
        Some(words) if rest.len() < line.len() && words.starts_with(char::is_whitespace) => words,
        _ => line,
    }
}

/// Whether the piece at `at` is a number that the sentence gives.
fn is_given(sentence: &[Token<'_>], at: usize, value: f64, scale: &Scale) -> bool {
    let Some(number) = sentence[at].number() else {
        return false;
    };
    if !scale.contains(number) || number.total_cmp(&value).is_eq() {
        return false;
    }
    let (before, mut behind) = (&sentence[..at], &sentence[at + 1..]);
    // The top of the scale, and units.
    match behind {
        [slash, top, rest @ ..] if slash.is_sign("/") => match top.number() {
            Some(top) if top.total_cmp(&scale.max).is_eq() => behind = rest,
            _ => return false,
        },
        [out, of, top, rest @ ..] if out.is("out") && of.is("of") => match top.number() {
            Some(top) if top.total_cmp(&scale.max).is_eq() => behind = rest,
            _ => return false,
        },
        [unit, rest @ ..] if unit.is_one_of(&words::UNITS) => behind = rest,
        _ => {}
    }
    // `5 - great`
    let bound = number.total_cmp(&scale.min).is_eq() || number.total_cmp(&scale.max).is_eq();
    if bound
        && behind
            .first()
            .is_some_and(|next| next.is_sign("-\u{2014}:="))
    {
        return false;
    }
    let Some(last) = before.last() else {
        let depends = behind.first().is_some_and(|next| {
            next.is_one_of(&[
                "considering",
                "counting",
                "if",
                "including",
                "or",
                "when",
                "with",
                "without",
            ])
        });
        return fits(behind)
            || depends
            || ends(behind) && !behind.first().is_some_and(|next| next.is_sign(":"));
    };
    // `1-3`, `2, 3`, `chapter 3`, `4/3`
    if last.is_sign("-/+=\u{2014}<>%") && !last.spaced
        || last.number().is_some()
        || last.is_one_of(&words::PLACES)
    {
        return false;
    }
    fits(behind) && begins_clause(before) || ends(behind) && is_led(before, value)
}

/// Whether nothing of the clause follows a number.
fn ends(behind: &[Token<'_>]) -> bool {
    let Some(next) = behind.first() else {
        return true;
    };
    match next.kind {
        Kind::Sign(c) => ",;:".contains(c) || (c == '\u{2014}' || c == '-') && next.spaced,
        Kind::Word => {
            let best = next.is("at")
                && behind
                    .get(1)
                    .is_some_and(|word| word.is_one_of(&["best", "most"]));
            let closes = behind.len() == 1 || behind[1].kind != Kind::Word;
            let mild = next.is_one_of(&[
                "actually", "anyway", "instead", "now", "overall", "really", "then", "though",
            ]);
            best || (mild && closes) || next.is_one_of(&["because", "since"])
        }
        _ => false,
    }
}

/// Whether a sentence says of the number before that it fits.
fn fits(behind: &[Token<'_>]) -> bool {
    let Some(verb) = behind.first().filter(|verb| verb.is_one_of(&VERBS)) else {
        return false;
    };
    let near = &behind[1..behind.len().min(1 + NEAR)];
    let own = verb.is_one_of(&[
        "fits", "suffices", "suits", "works", "captures", "matches", "reflects",
    ]);
    own || near
        .iter()
        .take_while(|token| token.kind == Kind::Word && !token.is("not"))
        .any(|token| token.is_one_of(&FITS))
}

/// Whether a number stands at the start of a clause, perhaps behind an article.
fn begins_clause(before: &[Token<'_>]) -> bool {
    let articles = before.iter().rev().take_while(|token| {
        token.is_one_of(&[
            "a", "an", "only", "perhaps", "the", "think", "that", "maybe", "rating", "score", "of",
            "say", "now", "so", "but",
        ])
    });
    let rest = &before[..before.len() - articles.count()];
    rest.last().is_none_or(|last| {
        last.is_sign(",:;\u{2014}")
            || last.is_sign("-") && last.spaced
            || last.is_one_of(&["i", "i'd", "and", "hence", "therefore", "thus"])
    })
}

/// Whether words or signs lead up to a value at the end of `before`.
fn is_led(before: &[Token<'_>], value: f64) -> bool {
    let between = before
        .iter()
        .rev()
        .take_while(|token| token.is_one_of(&BETWEEN) && !token.is("it"));
    let passed = between.count();
    let rest = &before[..before.len() - passed];
    let Some(last) = rest.last() else {
        // `A 3 at best.`, `Only 3.`, `More like 3.`
        return passed > 0;
    };
    match last.kind {
        // `from 4 to 3` changes, `1 to 3` is a range.
        Kind::Word if last.is("to") => {
            let from = rest.iter().rev().nth(1).and_then(Token::number);
            from.is_none_or(|from| from.total_cmp(&value).is_eq())
        }
        Kind::Word if last.is_one_of(&LEADS) => true,
        Kind::Word if last.is("it") => rest
            .iter()
            .rev()
            .nth(1)
            .is_some_and(|verb| verb.is_one_of(&["call", "make", "makes", "say"])),
        Kind::Word
            if before[rest.len()..].iter().any(|token| token.is("be"))
                && last.is_one_of(&["can", "could", "may", "might", "must", "should", "would"]) =>
        {
            let from = rest.len().saturating_sub(NEAR + 1);
            rest[from..].iter().any(|token| token.is_one_of(&SUBJECTS))
        }
        Kind::Word if last.is_one_of(&BES) || last.is_one_of(&["remains", "stays", "stands"]) => {
            let near = &rest[..rest.len() - 1];
            let from = near.len().saturating_sub(NEAR);
            let subject = near[from..].iter().any(|token| token.is_one_of(&SUBJECTS));
            let counted = near.iter().any(|token| {
                token.is_one_of(&[
                    "count", "counts", "errors", "issues", "many", "mistakes", "slips", "total",
                    "typos",
                ]) || token.is_one_of(&words::PLACES) && !token.is("point")
            });
            subject && !counted
        }
        Kind::Sign(':') => {
            let label = &rest[..rest.len() - 1];
            let first = label.iter().find(|token| token.kind == Kind::Word);
            first.is_some_and(|first| {
                let other = first.is_one_of(&["final", "total"]);
                first.is_one_of(&TURNS) || (first.is_one_of(&RESULTS) && !other)
            })
        }
        Kind::Sign('\u{2192}' | '\u{21d2}' | '\u{279c}' | '\u{27f6}') => true,
        Kind::Sign(',' | '\u{2014}') => {
            // `chapters 1, 2, 3` is a list.
            let clause = &rest[..rest.len() - 1];
            let listed = clause.last().is_some_and(|token| token.number().is_some());
            !listed && clause.iter().any(|token| token.kind == Kind::Word)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        for list in [&LEADS[..], &BETWEEN, &SUBJECTS, &TURNS, &VERBS, &FITS] {
            assert!(list.is_sorted(), "{list:?}");
        }
    }

    #[test]
    fn a_number_that_a_sentence_gives_is_another_verdict() {
        for gap in [
            "On closer inspection the text is only 3.",
            "The typos bring it down to 3.",
            "Taking the typos into account, it becomes 3.",
            "Including the typos: 3.",
            "However, given the typos, 3 is more appropriate.",
            "Strictly speaking, 3.",
            "Hmm, 3 might be better.",
            "It is 3 at best.",
            "3 fits better.",
            "More like a 3.",
            "I would rather say 3/5.",
            "Make it 3 instead.",
            "Counting the slips, it deserves a 3 out of 5.",
        ] {
            assert!(gives(gap, 4.0, &Scale::ANY_1_TO_5), "{gap}");
        }
    }

    #[test]
    fn a_number_that_counts_or_names_a_place_is_none() {
        for gap in [
            "There are problems in chapters 1, 2 and 3.",
            "The story has 3 parts.",
            "The number of slips is 3.",
            "It takes place between 1 and 3.",
            "Errors 2 to 3 are mild.",
            "Style: 3",
            "The scale goes from 1 to 5.",
            "1 is the worst, 5 is the best.",
            "It has two typos, one of them in chapter 3.",
            "Is 3 fairer?",
        ] {
            assert!(!gives(gap, 4.0, &Scale::ANY_1_TO_5), "{gap}");
        }
    }
}
