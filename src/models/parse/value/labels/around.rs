//! What stands around a label that is taken for the verdict: a heading's block, another label that is given, words that
//! take the verdict back.
//!
//! A verdict in words is easily a word of something else; where the lines around it offer that, it is none. Must not look
//! for verdicts.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::super::back;
use super::clause::{is_of_the_question, regex, stands};
use super::spelling::{Spelt, is_closing, is_opening, spelt};
use crate::models::score::Scale;

/// How much behind a label is looked at, in bytes.
const BEHIND: usize = 4000;

/// Words with which the next sentence takes the verdict back.
static BUT: LazyLock<Regex> = LazyLock::new(|| regex(r"(?i)^\W*(?:but|however|no)\b"));

/// Of the labels of a scale of more than so many steps such a sentence mostly says why it is not the next one.
const FEW: usize = 3;

/// Words of a sentence on the verdict rather than on the text.
static WEIGHS: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)^\W*no\b|\b(?:i|i['\x{2019}]\w+|my|rating|score|grade|label|verdict|answer|that|if|only|otherwise|unless|not|no)\b",
    )
});

/// What stands before another label that is given in its place.
static GIVES: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)(?:^|[,:;\x{2014}\x{2013}(]|\b(?:to|so|but|make\s+that|mean|meant|rather|like|say|think|now|becomes|choose|pick|prefer|eher|doch|(?:it|this|that|answer|verdict|rating|label|text|score)\s+(?:is|should\s+be|would\s+be)(?:\s+only)?|[a-z]+\s+remains))[\W_]*(?:the\s+|answer\s+)?$",
    )
});

/// What stands behind another label of which a sentence says that it is the verdict.
static IS: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)^\W*(?:wins|remains|fits|suits|works|might|may|would|could|should|seems|it\s+is|(?:is|are)\s+(?:also|the|clearly|much|more|better|best|right|correct|stronger|superior|preferable|possible|fairer))\b",
    )
});

/// What joins labels between which a reply does not choose.
static JOINED: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?i)^\W*(?:or|to|oder|bis|ou|o)\W+(?:rather\W+|even\W+)?"));

/// What denies another label.
static DENIED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)(?:\bnot|n['\x{2019}]t|\bnor|\bshort\s+of|\bthan)[\W_]+(?:(?:quite|an?|yet|be|merely|just)\s+)*\W*$",
    )
});

/// Words of a clause that say why a label is not given: `prevents it from being Excellent`, `higher than Fair`.
static EXCLUDED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:cannot|not|nor|neither|never|than|instead\s+of|from\s+\w+ing|prevent\w*|preclud\w*|avoid\w*|short\s+of|above|below|beyond|higher|achiev\w*|descend\w*|rul(?:es?|ed|ing)\s+out|had|if|while|(?:would|could|might|may)\s+(?:\w+\s+)?have)\b|n['\x{2019}]t\b",
    )
});

/// What a clause ends with, before a label of another one.
static CLAUSE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)[.;:\x{2014}\x{2013}]|\s-+\s|,(?:\s|$)|\b(?:but|hence|instead|rather|so|therefore|thus)\b",
    )
});

/// Labels of a list, before its last one.
static LISTED: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^\W*(?:(?:(?:or|and)\W+|\p{Lu}\p{L}*\W+)+)$"));

/// What is said of a label that is not given.
static REJECTED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)^\W*(?:(?:might|would|could|may)\s+(?:\w+\s+)?have|(?:seems?|is|was|would\s+be|might\s+be|may\s+be)\s+(?:\w+\s+)?(?:too|not)|(?:rating|score|label)\s+(?:is|would\s+be)\s+(?:too|not))\b",
    )
});

/// The clause at the end of a text; `e.g.,` ends none.
fn clause_of(before: &str) -> &str {
    let ends = CLAUSE.find_iter(before);
    let ends = ends.filter(|end| {
        let text = &before[..end.start()];
        let abbreviated = text.ends_with("e.g") || text.ends_with("(e") || text.ends_with("e.g.");
        let rest = before[end.end()..].trim_start();
        // `rather than`, `Fair, Good or Excellent`
        !abbreviated
            && !rest.starts_with("than")
            && !rest.starts_with("of")
            && !LISTED.is_match(rest)
    });
    ends.last().map_or(before, |end| &before[end.end()..])
}

/// A line that names another thing and its own label: `Style: Fair`.
static ASPECT: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^\W*[\p{Lu}][\p{L}-]+(?:\s+[\p{Ll}-]+)?\W*:\W*$"));

/// Words of such a line that speak of the verdict itself.
static ITSELF: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)final|revis|correct|overall|rating|verdict|answer|score|typo|includ|with|less|update|edit|kidding|numeric|label|korrektur",
    )
});

/// A number that is given beside the label.
static NUMBERED: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"(?i)^\W*(?:numeric|numeric\s+score|score|rating)\W{1,4}(\d+(?:\.\d+)?)\b")
});

/// The members of an object, each with a plain value.
static MEMBER: LazyLock<Regex> = LazyLock::new(|| {
    regex(r#"["'](?P<key>[^"'\n]{1,40})["']\s*:\s*["']?(?P<value>[^"'\n,}\]]{1,40})"#)
});

/// Words of keys under which a verdict stands, whatever it is on.
static VERDICT: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)^(?:(?:final|revised|adjusted|corrected|updated|correction|overall|score|rating|label|verdict|answer|winner|choice|grade|preference)[\s_-]*)+$",
    )
});

/// A label that is taken for the verdict, and the part of the reply in which it stands.
pub(in crate::models::parse) struct Around<'a> {
    pub(in crate::models::parse) text: &'a str,
    pub(in crate::models::parse) span: Range<usize>,
    pub(in crate::models::parse) label: usize,
    pub(in crate::models::parse) scale: &'a Scale,
    /// Whether it stands without the name of a verdict before it.
    pub(in crate::models::parse) bare: bool,
    /// The object in which it stands.
    pub(in crate::models::parse) object: Option<Range<usize>>,
    /// Whether several metrics are asked for, each with a label of its own.
    pub(in crate::models::parse) several: bool,
}

impl Around<'_> {
    /// Whether nothing around the label makes a doubt of it.
    pub(in crate::models::parse) fn agrees(&self) -> bool {
        let start = self.text[..self.span.start]
            .rfind('\n')
            .map_or(0, |at| at + 1);
        let rest = &self.text[self.span.end..];
        let rest = rest.lines().next().unwrap_or_default();
        let before = &self.text[start..self.span.start];
        if let Some(object) = &self.object {
            let from = self
                .text
                .floor_char_boundary(object.end.min(self.text.len()));
            return self.in_object(object) && !self.is_changed(&self.text[from..], false);
        }
        if self.is_cut_off() {
            return false;
        }
        // Alone it is the verdict, in whatever words.
        let alone = before.len() + rest.len() + self.scale.labels[self.label].name.len()
            >= self.text.trim().len()
            && !before.contains(". ")
            && rest
                .trim_matches(|c: char| is_closing(c) || ". !".contains(c))
                .is_empty();
        let question = is_of_the_question(before) && !alone;
        stands(before, rest, self.label, self.scale)
            && !question
            && !self.is_heading(before, rest)
            && !self.is_counted()
            && !self.is_changed(&self.text[self.span.end..], true)
    }

    /// Whether the string of an object in which the label stands, and the members beside it, leave it alone.
    fn in_object(&self, object: &Range<usize>) -> bool {
        let before = &self.text[object.start.min(self.span.start)..self.span.start];
        let quote = before
            .trim_end_matches(|c: char| is_opening(c) && c != '"' && c != '\'')
            .chars()
            .next_back()
            .filter(|c| matches!(c, '"' | '\''));
        let rest = &self.text[self.span.end..object.end.clamp(self.span.end, self.text.len())];
        let end = rest.find(|c: char| match quote {
            Some(quote) => c == quote || c == '\n',
            None => matches!(c, '"' | '\'' | ',' | '}' | ']' | '\n'),
        });
        let end = end.unwrap_or(rest.len());
        let is_key = rest[end..]
            .trim_start_matches(['"', '\'', ' '])
            .starts_with(':');
        !is_key
            && stands("*", &rest[..end], self.label, self.scale)
            && !self.is_contradicted(&self.text[object.start..object.end.min(self.text.len())])
    }

    /// Whether another member of the object gives another verdict.
    fn is_contradicted(&self, object: &str) -> bool {
        let own = &self.scale.labels[self.label];
        MEMBER.captures_iter(object).any(|member| {
            let (key, value) = (member["key"].trim(), member["value"].trim());
            let other = self
                .scale
                .label(value)
                .is_some_and(|label| label.name != own.name);
            let number: Option<f64> = value.parse().ok();
            let number = number.filter(|number| self.scale.contains(*number));
            let differs = number.is_some_and(|number| number.total_cmp(&own.value).is_ne());
            VERDICT.is_match(key) && (other || differs)
        })
    }

    /// Whether the label is the title of a block: by its marks, what stands below it, or other titles.
    fn is_heading(&self, before: &str, rest: &str) -> bool {
        let lead = before.trim_matches(|c: char| is_opening(c) || c == '#');
        // `The Good`
        let lead = if lead.eq_ignore_ascii_case("the") {
            ""
        } else {
            lead
        };
        let alone = lead.chars().all(|c| !c.is_alphabetic())
            && rest
                .trim_matches(|c: char| is_closing(c) || c.is_whitespace() || ".:!".contains(c))
                .is_empty();
        let below = self.text[self.span.end..].lines().skip(1);
        let mut below = below.filter(|line| line.contains(char::is_alphanumeric));
        let Some(next) = below.next() else {
            return false;
        };
        let next = next.trim_start();
        if rest.trim().is_empty() && (next.starts_with(char::is_lowercase) || next.starts_with('/'))
        {
            return true;
        }
        if !self.bare || !alone {
            return false;
        }
        // `OK!` is said before the work begins.
        if rest.contains('!') {
            return true;
        }
        let listed = before.trim_start().starts_with(['#', '-', '+', '\u{2022}'])
            || lead.contains(|c: char| c.is_ascii_digit());
        let bullets = next.starts_with(['-', '+', '\u{2022}']) || next.starts_with("* ");
        listed
            || bullets
            || std::iter::once(next).chain(below).any(is_title)
            || self.text.lines().any(|line| self.is_other(line))
    }

    /// Whether lines begin with the label and with numbers that differ: `Pass 1` above `Pass 2`.
    fn is_counted(&self) -> bool {
        let counted = self.text.lines().filter_map(|line| {
            let line = line.trim_start_matches(is_opening);
            let label = spelt(line, self.scale).filter(|label| label.label == self.label)?;
            let rest = line[label.length..].trim_start();
            let digits = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            rest[..digits].parse::<u32>().ok()
        });
        let mut counted = counted.peekable();
        let first = counted.peek().copied();
        counted.any(|number| Some(number) != first)
    }

    /// Whether a line is another label alone.
    fn is_other(&self, line: &str) -> bool {
        let line = line.trim_matches(|c: char| {
            is_opening(c) || is_closing(c) || "#-+.:!".contains(c) || c.is_ascii_digit()
        });
        spelt(line, self.scale)
            .is_some_and(|other| other.label != self.label && other.length == line.len())
    }

    /// Whether a sentence behind the label takes it back or gives another one.
    fn is_changed(&self, behind: &str, within: bool) -> bool {
        let behind = &behind[..behind.floor_char_boundary(BEHIND)];
        let mut start = 0;
        let mut first = !within;
        let mut own = within;
        let ends = behind.char_indices().filter(|(at, c)| match c {
            '\n' | '\u{3002}' => true,
            '.' | '!' | '?' | ';' => {
                behind[at + 1..].is_empty()
                    || behind[at + 1..].starts_with([' ', '\n', '*', '"', ')'])
            }
            _ => false,
        });
        let ends: Vec<usize> = ends.map(|(at, _)| at).chain([behind.len()]).collect();
        for end in ends {
            let sentence = behind[start.min(end)..end].trim();
            start = end + behind[end..].chars().next().map_or(0, char::len_utf8);
            if own {
                // The rest of the label's own sentence.
                own = false;
                first = true;
                if self.gives_other(sentence) {
                    return true;
                }
                continue;
            }
            if !sentence.contains(char::is_alphanumeric) {
                continue;
            }
            let contrary = |first: bool| {
                first
                    && BUT.is_match(sentence)
                    && (self.scale.labels.len() <= FEW || WEIGHS.is_match(sentence))
            };
            if back::takes_back(sentence) || contrary(first) {
                return true;
            }
            first = false;
            if !self.several && (self.gives_other(sentence) || self.gives_number(sentence)) {
                return true;
            }
        }
        false
    }

    /// Whether a sentence gives the number of another label.
    fn gives_number(&self, sentence: &str) -> bool {
        let own = self.scale.labels[self.label].value;
        NUMBERED.captures(sentence).is_some_and(|number| {
            let number = number[1].parse::<f64>();
            number.is_ok_and(|number| number.total_cmp(&own).is_ne())
        })
    }

    /// Whether a sentence gives another label.
    fn gives_other(&self, sentence: &str) -> bool {
        let named = super::mentions(sentence, self.scale);
        named
            .iter()
            .any(|(at, other)| self.gives(sentence, *at, *other))
    }

    fn gives(&self, sentence: &str, at: usize, other: Spelt) -> bool {
        if other.label == self.label {
            return false;
        }
        let (before, after) = (&sentence[..at], &sentence[at + other.length..]);
        if DENIED.is_match(before)
            || EXCLUDED.is_match(clause_of(before))
            || REJECTED.is_match(after)
            || (ASPECT.is_match(before) && !ITSELF.is_match(before))
        {
            return false;
        }
        let written = &sentence[at..at + other.length];
        // `Fair or Good, hard to say.`
        let joined = JOINED.find(after).is_some_and(|joint| {
            let own = spelt(&after[joint.end()..], self.scale);
            own.is_some_and(|own| own.label == self.label)
        });
        if joined {
            return true;
        }
        let plain = after.trim_matches(|c: char| is_closing(c) || c.is_whitespace());
        let ends = plain.is_empty() || plain.starts_with([',', ';', ':', '(']);
        let is = IS.is_match(after);
        let capital = other.exact && other.length > 1 && written.starts_with(char::is_uppercase);
        (capital && (ends || is || !plain.starts_with(char::is_alphanumeric)))
            || (ends && GIVES.is_match(before))
            || (is && other.exact && (written.len() == 1 || capital))
            || plain.starts_with("at best")
    }
}

/// Whether a line is the title of a block.
fn is_title(line: &str) -> bool {
    let line = line.trim();
    let bold =
        line.len() > 4 && line.starts_with("**") && line.trim_end_matches(':').ends_with("**");
    let few = line.split_whitespace().count() <= 2
        && line.starts_with(char::is_uppercase)
        && line.ends_with(char::is_alphanumeric);
    line.starts_with('#') || bold || few
}
