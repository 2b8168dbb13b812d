//! Sentences that choose a label: `I choose A.`, `The better answer is B.`, `Answer A is better than answer B.`
//!
//! Must not choose between sentences.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::models::parse::agree::Asked;
use crate::models::parse::place::Place;
use crate::models::parse::value::{self, Found, How, Spelt, Value, has, mentions};
use crate::models::score::Scale;

/// What stands between the words of a choice and its label.
const NOUN: &str = r#"(?:(?:the|l[ae]|die|den)\s+)?(?:(?:answer|option|response|text|summary|assistant|model|candidate|story|essay|translation|version|output|antwort|réponse|respuesta)\s+)?[*_`"'“‘«„(\[]*$"#;

/// Words with which a sentence begins that chooses; behind all others it speaks of a part or of somebody else.
const OPENS: &str = r"(?i)^\W*(?:(?:so|thus|hence|therefore|overall|finally|ultimately|and|then|consequently|yes|in\s+conclusion|in\s+summary|to\s+conclude|all\s+in\s+all|in\s+my\s+(?:opinion|view|judge?ment)|my\s+(?:final\s+)?(?:verdict|answer|choice)|answer|verdict|conclusion|for\s+(?:these|this|that)\s+reasons?|i\s+(?:think|believe|conclude|find|would\s+say|say)(?:\s+that)?|for\s+me)[,:]?\s+)*";

/// `I choose …`, in the words of several languages.
static CHOOSES: LazyLock<Regex> = LazyLock::new(|| {
    let verbs = r"(?:(?:i|we)(?:['’](?:d|ll))?(?:\s+(?:would|will|do|must|therefore|clearly|strongly|slightly|definitely|personally|thus|hence|still|finally|ultimately|overall|have\s+to))*\s+(?:choose|chose|pick|picked|select|selected|prefer|preferred|favou?r|favou?red|vote\s+for|voted\s+for|go\s+with|opt\s+for|opted\s+for|declare|call\s+it)|ich\s+(?:wähle|bevorzuge|nehme)|je\s+(?:choisis|préfère)|j['’]opte\s+pour|(?:yo\s+)?(?:elijo|prefiero|escojo)|scelgo|preferisco|escolho|prefiro)\s+(?:an?\s+)?";
    regex(&format!("{OPENS}{verbs}{NOUN}"))
});

/// `The better answer is …`, `It is a …`
static NAMES: LazyLock<Regex> = LazyLock::new(|| {
    let nouns = r"(?:(?:the|my|our)\s+(?:(?:(?:final|overall)\s+)*(?:answer|choice|pick|verdict|preference|decision|winner|vote|judge?ment)|(?:overall\s+)?(?:better|best|superior|stronger|preferred|winning)\s+(?:answer|response|option|choice|one|text|summary|story|essay|translation|assistant|model|candidate))\s+(?:is|would\s+be|goes\s+to|remains)|die\s+(?:bessere|beste)\s+antwort\s+ist|la\s+meilleure\s+réponse\s+est|la\s+mejor\s+respuesta\s+es|la\s+risposta\s+migliore\s+è|a\s+melhor\s+resposta\s+é)\s*:?\s+(?:clearly\s+|definitely\s+)?";
    regex(&format!("{OPENS}{nouns}{NOUN}"))
});

/// `It is a …`: of a label that is no single letter.
static IS: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(
        r#"{OPENS}(?:(?:it|this)(?:\s+is|['’]s)|(?:i|we)(?:['’]d|\s+would)?\s+(?:say|call)\s+(?:it['’]s|it\s+is|it|this))\s+(?:an?\s+|clearly\s+)?[*_`"'“‘]*$"#
    ))
});

/// Nothing before a label but words that open a sentence.
static BEGINS: LazyLock<Regex> = LazyLock::new(|| regex(&format!("{OPENS}{NOUN}")));

/// `… is better than B`, `… wins`
static WINS: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"(?ix)^[*_`"'”’)\]]* \s+
        (?: (?:is|was|seems|appears|would\ be|is\ judged) \s+ (?:(?:clearly|overall|the|a|slightly|much|far|by\ far|definitely|simply|to\ be)\s+)*
            (?: better|best|superior|stronger|strongest|preferable|preferred|winner )
            (?: \s+ (?:answer|option|response|choice|one|text|summary|story|essay|translation|model|candidate|overall) )*
          | wins | ist \s+ (?:(?:klar|deutlich|insgesamt)\s+)* besser | est \s+ (?:nettement\s+)? (?:meilleure?|préférable) | es \s+ (?:claramente\s+)? mejor )
        (?: \s+ (?:than|to|over|als|que) \s+ (?P<than>[^.,;!?\n]{1,40}?) )?
        (?P<tail> \s* (?: $ | [.,;!:)\n\u{2014}\u{2013}-] | \b(?:because|since|as|due|given|overall|weil|da|car|parce|porque)\b ) )"#,
    )
});

/// `… over B`, behind the label that is preferred.
static OVER: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"(?ix)^[*_`"'”’)\]]* \s+ (?:over|to|rather\ than|instead\ of) \s+ (?P<than>[^.,;!?\n]{1,40}?)
        (?P<tail> \s* (?: $ | [.,;!\n\u{2014}\u{2013}-] | \b(?:because|since|as|due|given|overall)\b ) )"#,
    )
});

/// Words that deny, doubt or suppose what a sentence says.
const DENIES: [&str; 24] = [
    "barely", "both", "cannot", "could", "either", "hardly", "if", "kaum", "leaning", "may",
    "maybe", "might", "neither", "never", "nicht", "nor", "not", "perhaps", "possibly", "probably",
    "towards", "unless", "weder", "were",
];

/// Words with which a sentence goes on to say the contrary.
const CONTRARY: [&str; 6] = ["aber", "but", "however", "mais", "pero", "yet"];

/// The longest sentence that is looked at, in bytes.
const LONGEST: usize = 400;

/// Appends the labels that sentences of a part of the reply choose.
pub(super) fn choices(asked: &Asked<'_>, part: Range<usize>, places: &mut Vec<Place>) {
    let Asked { reply, scale, .. } = *asked;
    for sentence in sentences(reply, part) {
        let text = &reply[sentence.clone()];
        let named = mentions(text, scale);
        // Most sentences name no label.
        let found = named
            .iter()
            .find_map(|(at, label)| choice(text, *at, *label, scale));
        if let Some(found) = found
            && !is_quoted(text)
            && !asked.objects().hide(asked, sentence.start)
        {
            places.push(Place::bare(found.shifted(sentence.start)));
        }
    }
}

/// What a sentence chooses, if it chooses the label at `at`; unclear if it denies or doubts that.
fn choice(text: &str, at: usize, label: Spelt, scale: &Scale) -> Option<Found> {
    let (before, end) = (&text[..at], at + label.length);
    let after = &text[end..];
    let long = label.length > 1;
    let chooses = CHOOSES.is_match(before)
        || NAMES.is_match(before)
        || (long && IS.is_match(before) && !is_alias(&text[at..end], label, scale));
    // What is compared is the other label, and what follows gives the reason.
    let of = |found: &regex::Captures<'_>| {
        let than = found.name("than").map(|than| than.as_str());
        let other = than.is_none_or(|than| {
            let named = mentions(than, scale);
            let apart = named.iter().all(|(_, other)| other.label != label.label);
            apart && (!named.is_empty() || than.starts_with("the other"))
        });
        let tail = found.name("tail").map_or("", |tail| &after[tail.start()..]);
        other && is_reason(tail)
    };
    let found = Found {
        value: Value::Label {
            label: label.label,
            value: scale.labels[label.label].value,
        },
        span: at..end,
    };
    let wins = || {
        let found = WINS.captures(after).filter(|_| BEGINS.is_match(before))?;
        Some(of(&found))
    };
    let over = || {
        let found = OVER.captures(after).filter(|_| chooses)?;
        Some(of(&found))
    };
    let compared = wins().or_else(over);
    let denied = any(text, &DENIES)
        || text.contains('?')
        || text.contains("n't")
        || text.contains("n\u{2019}t");
    if let Some(fits) = compared {
        // Also in what is compared: `than B in tone but worse in facts`.
        let contrary = any(after, &CONTRARY);
        return Some(if fits && !denied && !contrary {
            found
        } else {
            Found::unclear(0..text.len())
        });
    }
    if !chooses {
        return None;
    }
    if any(before, &DENIES) || before.contains("n't") || before.contains("n\u{2019}t") {
        return Some(Found::unclear(0..text.len()));
    }
    let how = How::plain(scale);
    value::read(text, at, how)
}

/// Whether what follows a comparison leaves it alone.
fn is_reason(tail: &str) -> bool {
    let plain = |c: char| c.is_whitespace() || ",;:!.)*_-\u{2014}\u{2013}".contains(c);
    let tail = tail.trim_matches(plain);
    let tail = tail.strip_prefix("overall").unwrap_or(tail);
    let tail = tail.trim_start_matches(plain);
    tail.is_empty() || value::explains(tail)
}

/// Whether a label is written as one of its aliases, which may be a word of everyday: `this is a first`.
fn is_alias(written: &str, label: Spelt, scale: &Scale) -> bool {
    written.to_lowercase() != scale.labels[label.label].name.to_lowercase()
}

/// Whether a text has one of these words.
fn any(text: &str, list: &[&str]) -> bool {
    text.split(|c: char| !c.is_alphabetic())
        .any(|word| has(list, word))
}

/// Whether a sentence is somebody else's, by its quotation marks.
fn is_quoted(text: &str) -> bool {
    text.trim_start().starts_with('>') || text.matches('"').count() % 2 == 1
}

/// The sentences of a part, without their ends.
fn sentences(reply: &str, part: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let text = &reply[part.clone()];
    let mut start = 0;
    let mut ends = text.char_indices().filter_map(move |(at, c)| {
        let behind = &text[at + c.len_utf8()..];
        let ends = match c {
            '\n' | '\u{3002}' | '\u{ff01}' | '\u{ff1f}' => true,
            '.' | '!' | '?' | ';' => {
                behind.is_empty() || behind.starts_with([' ', '\n', '\r', '*', '"', ')'])
            }
            _ => false,
        };
        ends.then_some(at + usize::from(c == '?'))
    });
    let mut done = false;
    std::iter::from_fn(move || {
        loop {
            if done {
                return None;
            }
            let end = ends.next().unwrap_or_else(|| {
                done = true;
                text.len()
            });
            let from = start;
            start = end + text[end..].chars().next().map_or(0, char::len_utf8);
            let line = &text[from.min(end)..end];
            let bare = line
                .trim_start_matches(|c: char| c.is_whitespace() || "#*_->".contains(c) && c != '>');
            if !bare.is_empty() && bare.len() <= LONGEST {
                let from = end - bare.len();
                return Some(part.start + from..part.start + end);
            }
        }
    })
}

/// Compiles a constant.
fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is made of constants")
}
