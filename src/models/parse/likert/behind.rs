//! What stands behind a label: a value, words, or nothing.
//!
//! Must not know which labels there are, nor choose between places.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::hedge::hedged;
use super::part::{Reading, head, regex, tail};
use crate::models::parse::evaluation_form::label::is_filler;
use crate::models::parse::metrics::Metrics;
use crate::models::parse::value::{self, Found, How, Value, digit, has, is_other_scale};

/// What stands between a label and its value, brackets and quotation marks around the value included.
static JOINT: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"(?ix)^
        (?: [\s*_`"]+ (?:score|rating|grade) \b )?
        [\s*_`"']*
        (?: (?P<aside> [(\[\uff08] [^()\[\]\n]{0,60} [)\]\uff09] ) [\s*_`"']* )?
        (?: (?P<scale> (?:on|from|out\ of) \s [^:\n]{0,60} ) : | (?P<sign> : | \uff1a | => | -> | = | \u2192 | \| )
          | (?P<weak> [-\u2013\u2014] \s | (?:is|was|of|would\s+be|should\s+be) \b :? ) )?
        (?P<gap> [\s*_`"'\u201c]* )"#,
    )
});

/// Words for a verdict that is numbered where a number stands right behind: `Answer 1`.
const COUNTED: [&str; 9] = [
    "answer",
    "assessment",
    "choice",
    "decision",
    "evaluation",
    "judgement",
    "judgment",
    "pick",
    "verdict",
];

/// The most words of a verdict in words.
const LONGEST_VERDICT: usize = 3;

/// What stands behind a label.
pub(super) enum Behind {
    Nothing,
    /// A verdict in words.
    Word,
    /// A value, with its place in the reply.
    Found(Found),
}

/// What stands between a label and its value, as read.
struct Joint {
    weak: bool,
    joined: bool,
    /// Where the gap before the value starts.
    gap: usize,
    end: usize,
    /// Where words in brackets stand, or those of a scale.
    aside: Option<Range<usize>>,
}

impl Joint {
    fn of(near: &str) -> Option<Self> {
        let joint = JOINT.captures(near)?;
        // By number, which is much faster than by name.
        let [aside, scale, sign, weak, gap] = [1, 2, 3, 4, 5].map(|group| joint.get(group));
        let (whole, gap) = (joint.get(0)?, gap?);
        Some(Self {
            weak: weak.is_some(),
            joined: sign.is_some() || near[..gap.start()].ends_with([':', '\u{ff1a}']),
            gap: gap.start(),
            end: whole.end(),
            aside: aside.or(scale).map(|aside| aside.range()),
        })
    }
}

/// A colon with a plain sign behind it, as in most replies: no search is needed.
fn plain_joint(near: &str) -> Option<Joint> {
    let rest = near.trim_start_matches([' ', '*', '_', '`', '"', '\'']);
    let rest = rest.strip_prefix(':')?;
    let value = rest.trim_start_matches([' ', '*', '_', '`', '"', '\'']);
    let plain = value.as_bytes().first().is_some_and(u8::is_ascii_graphic);
    plain.then(|| Joint {
        weak: false,
        joined: true,
        gap: near.len() - rest.len(),
        end: near.len() - value.len(),
        aside: None,
    })
}

/// Whether a word stands right behind a label and is none of those in a joint, or a number on the next line: `Fluency
/// issues`.
fn is_word_behind(near: &str) -> bool {
    const JOINTS: [&str; 11] = [
        "from", "grade", "is", "of", "on", "out", "rating", "score", "should", "was", "would",
    ];
    let rest = near.trim_start_matches(|c: char| is_filler(c) || matches!(c, '"' | '\''));
    let length = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let next_line = || {
        let passed = &near[..near.len() - rest.len()];
        rest.starts_with(|c: char| c.is_ascii_digit()) && passed.contains('\n')
    };
    (length > 0 && !has(&JOINTS, &rest[..length])) || next_line()
}

/// What stands behind a label of the visible part; `next` is where the next label starts.
pub(super) fn behind(
    reading: Reading<'_>,
    metrics: &Metrics,
    label: Range<usize>,
    next: Option<usize>,
    firm: bool,
) -> Behind {
    let part = reading.part();
    let rest = &part[label.end..];
    // The cheap look for a sign or digit spares most mentions in prose the search.
    let near = head(rest);
    if !near.contains(|c| matches!(c, ':' | '\u{ff1a}') || digit(c).is_some()) && !reading.words {
        return Behind::Nothing;
    }
    if !reading.words && is_word_behind(near) {
        return Behind::Nothing;
    }
    let Some(joint) = plain_joint(near).or_else(|| Joint::of(near)) else {
        return Behind::Nothing;
    };
    let Joint { weak, joined, .. } = joint;
    let (whole, gap) = (&near[..joint.end], &near[joint.gap..joint.end]);
    let at = label.end + joint.end;
    // Without a joint the number must stand right behind the label.
    if !joined && !weak && (whole.is_empty() || whole.contains('\n')) {
        return Behind::Nothing;
    }
    if next.is_some_and(|next| next < at) {
        return Behind::Nothing;
    }
    let text = &part[..next.unwrap_or(part.len())];
    let labels = !reading.scale.labels.is_empty();
    let how = How {
        firm: joined && (firm || labels),
        exact: !joined,
        broken: gap.contains('\n'),
        labelled: next.is_some(),
        ..reading.how()
    };
    let Some(found) = value::read(text, at, how) else {
        return if joined && (labels || !reading.words) && says_words(&text[at..]) {
            Behind::Word
        } else {
            Behind::Nothing
        };
    };
    let unclear = matches!(found.value, Value::Several(_));
    if !joined {
        let led = labels || text[found.span.start..].starts_with(|c| digit(c).is_some());
        if unclear && !led {
            return Behind::Nothing;
        }
        // `It does not deserve a score of 4.`
        if weak && hedged(&part[..label.start]) {
            return Behind::Nothing;
        }
        let fraction = matches!(
            found.value,
            Value::Number {
                out_of: Some(_),
                ..
            }
        );
        let after = text[found.span.end..].trim_start_matches(is_filler);
        if !weak && !fraction && after.starts_with(char::is_alphanumeric) {
            return Behind::Nothing;
        }
        // `Grade 4`, `Evaluation 1`, `it has a score of 4`
        let word = part[label.clone()].rsplit([' ', '*', '_']).next();
        let counted = |word| has(&["grade", "mark"], word) || (!firm && has(&COUNTED, word));
        let grade = !weak && word.is_some_and(counted);
        let before = tail(&part[..label.start]);
        let stated = ["has", "had", "have"];
        if grade || (weak && before.split_whitespace().any(|word| stated.contains(&word))) {
            return Behind::Nothing;
        }
    }
    let aside = joint.aside.map(|aside| &near[aside]);
    if let Some(aside) = aside {
        if value::names_another(aside) {
            return Behind::Nothing;
        }
        if names_more(aside, metrics) {
            let span = label.start..found.span.end;
            return Behind::Found(Found::unclear(span).shifted(reading.from));
        }
        if is_other_scale(aside, reading.scale) {
            let span = label.start..found.span.end;
            return Behind::Found(Found::unclear(span).shifted(reading.from));
        }
    }
    Behind::Found(found.shifted(reading.from))
}

/// Whether words between a label and its value name something beside the verdict and its scale: `Score (style): 4`.
fn names_more(aside: &str, metrics: &Metrics) -> bool {
    if metrics.mentions(aside).next().is_some() {
        return false;
    }
    let mut words = aside.split(|c: char| !c.is_alphabetic());
    words.any(|word| !(word.is_empty() || value::is_known(word) || has(&ASIDE, word)))
}

/// Words between a label and its value that say no more than the scale.
const ASIDE: [&str; 24] = [
    "best",
    "better",
    "excellent",
    "from",
    "good",
    "high",
    "higher",
    "highest",
    "increments",
    "integer",
    "low",
    "lowest",
    "max",
    "maximum",
    "number",
    "out",
    "perfect",
    "point",
    "points",
    "poor",
    "scale",
    "stars",
    "steps",
    "worst",
];

/// Whether a line is a word or two: a verdict that is no number.
fn says_words(text: &str) -> bool {
    let line = text.split('\n').next().unwrap_or_default();
    let line = line.trim_matches(|c: char| is_filler(c) || c == '.');
    let words = line.split_whitespace();
    let plain = line.chars().all(|c| c.is_alphabetic() || c == ' ');
    plain && !value::begins_with_word(line) && (1..=LONGEST_VERDICT).contains(&words.count())
}
