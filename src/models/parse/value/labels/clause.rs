//! The rest of a label's line: a label stands only before an end, its own number, or a reason that is understood.
//!
//! What is not known right behind a label may restrict, deny or ask for it. Must not look at other lines.

use std::sync::LazyLock;

use regex::Regex;

use super::spelling::{is_closing, spelt};
use crate::models::score::Scale;

/// Compiles a constant.
pub(super) fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is made of constants")
}

/// The number of the label, with the top of its scale.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"^[(\[:=,\s\x{2013}\x{2014}-]*(\d+(?:\.\d+)?)(?:\s*(?:/|of|out of)\s*(\d+(?:\.\d+)?))?(?:\s*(?:points?|stars?))?[)\]*_"'\s]*(?:$|[.,;(\x{2013}\x{2014}-])"#,
    )
});

/// Words that give a reason, whatever it denies.
static REASON: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)^(?:because|since|due\s+to|owing\s+to|thanks\s+to|as\s+(?:the|it|its|this|both|they|all|there|answer|response)|considering\s+(?:the|its|that)|given\s+(?:the|its|that)|weil|denn|da|car|parce\s+que|puisque|porque|ya\s+que)\b|^(?:\u{56e0}\u{4e3a}|\u{7531}\u{4e8e}|\u{56e0}\u{70ba})",
    )
});

/// Words with which a plain statement on the text begins.
static STATES: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)^(?:(?:the|its?|it['\x{2019}]s|this|these|both|all|le|la|les|der|die|das|er|sie|es|el|los|las|answer|response)\b|l['\x{2019}]|\u{6587})",
    )
});

/// Words of a reason that make a condition of it, or put it in somebody's mouth.
static SUPPOSES: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:if|unless|provided|assuming|depending|as\s+long\s+as|so\s+long\s+as|example|no\s+text|text\s+is\s+missing|i\s+(?:have|had|can|can['\x{2019}]t|cannot|was|must)|(?:said|says)\s+(?:the|he|she|it|nobody|who)|joke|wenn|falls|sofern)\b",
    )
});

/// Words of a plain statement that deny or restrict the label before it.
static DENIES: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:not|no|none|nothing|never|nor|neither|cannot|\w+n['\x{2019}]t|but|however|though|although|only|when|once|after|partly|partially|in\s+part|except|apart|or|may|maybe|might|perhaps|probably|actually|rather|missing|half|parts?|worse|worst|weaker|weakest|inferior|loser|i|i['\x{2019}]\w+|me|my|you|let|let['\x{2019}]s|will|aber|nicht|nein|doch|mais|pas|si|sauf|pero)\b|\?|\u{2192}|[\u{4e0d}\u{6211}]",
    )
});

/// Words with which the sentence behind a label shows that the label was small talk or a title, or takes it back.
static CHATS: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)^(?:i|i['\x{2019}]\w+|let|let['\x{2019}]s|now|next|then|thanks?|please|my|you|we|here|sure|well|make|not|no|false|but|however|typo|sorry|update|hmm|that|that['\x{2019}]s|joke|schicken|senden|geben|zeigen|send|give|paste|share|show|tell|(?:the\s+)?(?:text|article|summary|document|input)\s+(?:is|was)\s+(?:missing|absent|blank|empty)|dann|ich|bitte|je|envoyez|more|closer|score|after|in\s+hindsight|strictly)\b",
    )
});

/// Words with which a sentence may begin behind a label of one letter: a name does not.
static OPENS: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?:[Tt]he|[Ii]ts?|[Ii]t['\x{2019}]s|[Tt]his|[Tt]hese|[Bb]oth|[Aa]nswer|[Rr]esponse|[Oo]ption|[Bb]ecause|[Aa]lthough|[Ww]hile|[Rr]eason|[Ee]xplanation|[Tt]here|Sie|Er|Es|Der|Die|Das|Elle|Il|La|Le|L['\x{2019}]\w+|El|Los|Las)\b",
    )
});

/// What a sentence that chooses says of its label.
static SAYS: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)^(?:is|was|seems|appears|wins|would\s+be|over|rather\s+than|instead\s+of|ist|est|es)\b",
    )
});

/// Whether a label stands before the rest of its line; `before` is what of the line leads up to it.
pub(super) fn stands(before: &str, rest: &str, label: usize, scale: &Scale) -> bool {
    if (rest.starts_with('*') && !before.contains('*')) || rest.starts_with("[^") {
        return false;
    }
    if is_bounded(before, rest) {
        return false;
    }
    let written = &scale.labels[label];
    let mut rest = closed(rest);
    // `Fail: 0` may count them.
    if rest.starts_with([':', '=']) && rest[1..].trim_start().starts_with('0') {
        return false;
    }
    if let Some(number) = NUMBER.captures(rest) {
        let value = |at| {
            number
                .get(at)
                .and_then(|digits: regex::Match<'_>| digits.as_str().parse::<f64>().ok())
        };
        if value(1).is_some_and(|own| own.total_cmp(&written.value).is_eq()) {
            if value(2).is_some_and(|top| top.total_cmp(&scale.max).is_ne()) {
                return false;
            }
            let end = number.get(2).or(number.get(1)).map_or(0, |last| last.end());
            rest = closed(rest[end..].trim_start());
            rest = closed(
                rest.trim_start_matches("points")
                    .trim_start_matches("stars"),
            );
        }
    }
    let Some(first) = rest.chars().next() else {
        return true;
    };
    let behind = &rest[first.len_utf8()..];
    match first {
        '.' | '!' | '\u{3002}' | '\u{ff01}' => {
            let one = is_one_letter(before, scale, label);
            sentence(closed(behind), one)
        }
        ',' | ';' | '-' | '\u{2013}' | '\u{2014}' | '\u{ff0c}' | '(' | '\u{ff08}' => {
            let clause = closed(behind.trim_start_matches(['-', ' ']));
            (clause.is_empty() && matches!(first, ',' | ';')) || explains(clause)
        }
        '|' | '\\' | '$' => true,
        '<' => behind
            .split_once('>')
            .is_none_or(|(_, text)| text.trim().is_empty()),
        c if c >= '\u{2e80}' => true,
        _ => {
            let to = rest.strip_prefix("to ").map(str::trim_start);
            let other = to.and_then(|to| spelt(to, scale).or_else(|| spelt(noun(to), scale)));
            SAYS.is_match(rest)
                || other.is_some_and(|other| other.label != label)
                || (REASON.is_match(rest) && !rest.starts_with("as the ") && explains(rest))
        }
    }
}

/// What a reply says of the answer to the question that was judged, not of its verdict.
static CORRECT: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:(?:correct|right|true|expected|reference|gold|ideal)\s+(?:answer|choice|option|response|label|verdict)\s+(?:is|was|would\s+be|should\s+be)|(?:answer|choice|option|response|label|verdict)\s+(?:should|ought\s+to)\s+(?:be|have\s+been))\W*$",
    )
});

/// Whether the words before a label speak of the right answer, which both texts may have or miss.
pub(super) fn is_of_the_question(before: &str) -> bool {
    CORRECT.is_match(before)
}

/// Whether signs before a label bound it: `< Good`, but not `<Good>`.
fn is_bounded(before: &str, rest: &str) -> bool {
    let bare = before.trim_end_matches(|c: char| c.is_whitespace() || "*_`\"'".contains(c));
    let less = bare.ends_with('<') && !rest.starts_with('>');
    less || bare.ends_with(['\u{2264}', '\u{2265}', '~', '\u{2248}', '\u{b1}'])
}

/// Whether a clause gives a reason for the label before it and changes nothing of it.
pub(in crate::models::parse) fn explains(clause: &str) -> bool {
    let clause = sentence_of(clause);
    let reason = REASON.is_match(clause);
    !SUPPOSES.is_match(clause) && (reason || (STATES.is_match(clause) && !DENIES.is_match(clause)))
}

/// Whether a sentence behind a label leaves it alone, as far as its first word tells.
fn sentence(text: &str, one_letter: bool) -> bool {
    let Some(first) = text.chars().next() else {
        return true;
    };
    if first.is_lowercase() || !(first.is_alphabetic() || matches!(first, '|' | '<')) {
        return false;
    }
    !CHATS.is_match(text) && (!one_letter || OPENS.is_match(text))
}

/// Whether a label is a single letter that leads its line, so that a name or a list may begin there.
fn is_one_letter(before: &str, scale: &Scale, label: usize) -> bool {
    let short = scale.labels[label]
        .words()
        .any(|word| word.chars().count() == 1);
    short && !before.contains("nswer ")
}

/// A text behind the marks, tags and brackets that close at its start.
fn closed(text: &str) -> &str {
    let mut rest = text.trim_start_matches(|c: char| is_closing(c) || c.is_whitespace());
    while let Some(tag) = rest.strip_prefix("</") {
        let Some((_, behind)) = tag.split_once('>') else {
            break;
        };
        rest = behind.trim_start_matches(|c: char| is_closing(c) || c.is_whitespace());
    }
    rest
}

/// A text behind the noun at its start.
fn noun(text: &str) -> &str {
    text.split_once(' ').map_or("", |(_, rest)| rest)
}

/// A text up to the end of its sentence.
fn sentence_of(text: &str) -> &str {
    let end = text.find(". ").or_else(|| text.find("! "));
    &text[..end.unwrap_or(text.len())]
}
