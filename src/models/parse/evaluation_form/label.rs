//! The words of a label around a metric's name: `FINAL` before it, `Score` behind it, bold.
//!
//! Works outward from where the name was found. Must not look at numbers behind the colon.

use crate::models::parse::trim::{trim_end, trim_start};

/// How firmly a label says that the number behind it is *the* score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::models::parse) enum Strength {
    /// `FINAL <Metric> Score`
    Final,
    /// `<Metric> Score`
    Score,
    /// `<Metric>`
    Bare,
}

/// A label in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::models::parse) struct Label {
    pub(in crate::models::parse) strength: Strength,
    /// Where its first word starts.
    pub(in crate::models::parse) start: usize,
    /// Where its last word ends.
    pub(in crate::models::parse) end: usize,
    /// Whether bold opens right before it, before its numbering if it has one.
    pub(in crate::models::parse) bold: bool,
}

/// How many bytes before a label are searched for numbering and bold marks.
const LOOK_BACK: usize = 12;

/// The label around the metric's name at `start..end`.
pub(in crate::models::parse) fn around(text: &str, start: usize, end: usize) -> Label {
    let scored = end_of_word_after(text, end, "score");
    let opened = scored.and_then(|_| start_of_word_before(text, start, "final"));
    let start = opened.unwrap_or(start);
    Label {
        strength: match (opened, scored) {
            (Some(_), _) => Strength::Final,
            (None, Some(_)) => Strength::Score,
            (None, None) => Strength::Bare,
        },
        start,
        end: scored.unwrap_or(end),
        bold: opens_bold(text, start),
    }
}

/// Whether a character may stand between the parts of a label: a blank, or a mark of emphasis.
pub(in crate::models::parse) fn is_filler(c: char) -> bool {
    c.is_whitespace() || matches!(c, '*' | '_' | '`')
}

/// Where `word` ends if it is the next word behind `at`.
fn end_of_word_after(text: &str, at: usize, word: &str) -> Option<usize> {
    let rest = trim_start(&text[at..], is_filler);
    let start = text.len() - rest.len();
    let found = rest.get(..word.len())?;
    let alone = !rest[word.len()..]
        .chars()
        .next()
        .is_some_and(char::is_alphanumeric);
    (start > at && alone && found.eq_ignore_ascii_case(word)).then_some(start + word.len())
}

/// Where `word` starts if it is the last word before `at`.
fn start_of_word_before(text: &str, at: usize, word: &str) -> Option<usize> {
    let rest = trim_end(&text[..at], is_filler);
    let start = rest.len().checked_sub(word.len())?;
    let found = rest.get(start..)?;
    let alone = !rest[..start]
        .chars()
        .next_back()
        .is_some_and(char::is_alphanumeric);
    (rest.len() < at && alone && found.eq_ignore_ascii_case(word)).then_some(start)
}

/// Whether `**` or `__` stands right before `start`, or before the numbering (`3)`) there.
fn opens_bold(text: &str, start: usize) -> bool {
    let before = &text.as_bytes()[start.saturating_sub(LOOK_BACK)..start];
    let marked = |bytes: &[u8]| bytes.ends_with(b"**") || bytes.ends_with(b"__");
    if marked(before) {
        return true;
    }
    let before = before.trim_ascii_end();
    let Some((b'.' | b')' | b':', before)) = before.split_last() else {
        return false;
    };
    let digits = before
        .iter()
        .rev()
        .take_while(|b| b.is_ascii_digit())
        .count();
    digits > 0 && marked(before[..before.len() - digits].trim_ascii_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(text: &str) -> (Strength, &str, bool) {
        let start = text.find("Fluency").unwrap();
        let label = around(text, start, start + "Fluency".len());
        (label.strength, &text[label.start..label.end], label.bold)
    }

    #[test]
    fn the_words_around_a_name_say_how_strong_it_is() {
        let text = "so FINAL Fluency Score: 4";
        assert_eq!(label(text), (Strength::Final, "FINAL Fluency Score", false));
        assert_eq!(
            label("a Fluency SCORE"),
            (Strength::Score, "Fluency SCORE", false)
        );
        assert_eq!(label("FINAL Fluency"), (Strength::Bare, "Fluency", false));
        assert_eq!(label("Fluency Scores"), (Strength::Bare, "Fluency", false));
        assert_eq!(
            label("Semifinal Fluency Score"),
            (Strength::Score, "Fluency Score", false)
        );
    }

    #[test]
    fn line_breaks_and_bold_may_stand_between_the_words() {
        let text = "**FINAL**\r\n*Fluency*  Score";
        let (strength, _, bold) = label(text);
        assert_eq!((strength, bold), (Strength::Final, true));
    }

    #[test]
    fn bold_may_open_before_the_numbering() {
        assert!(label("**3) Fluency Score").2);
        assert!(label("__3. Fluency Score").2);
        assert!(!label("* Fluency Score").2);
        assert!(!label("**Note** Fluency Score").2);
    }
}
