//! Lines that make another verdict of a label, or none: a negation cut off from it by a line break, a grade that one of
//! the labels is given, labels in a row.
//!
//! Must not look beyond the label's own line and the end of the one before.

use std::sync::LazyLock;

use regex::Regex;

use super::super::words::has;
use super::around::Around;
use super::clause::regex;
use super::mentions;

/// Words that deny what follows them.
const DENIES: [&str; 12] = [
    "barely",
    "hardly",
    "kaum",
    "kein",
    "keine",
    "never",
    "nicht",
    "no",
    "non",
    "not",
    "partially",
    "partly",
];

/// `gets a B`: a school grade.
static GRADED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"\b(?i:gets|earns|receives|deserves|merits|scores|is\s+given|is\s+awarded)\s+(?i:an?\s+|the\s+grade\s+)?[*_"'“]*[A-F][+-]?[*_"'”]*(?:[\s.,;!]|$)"#,
    )
});

impl Around<'_> {
    /// Whether its own line, or the end of the one before, makes something else of the label.
    pub(super) fn is_cut_off(&self) -> bool {
        let Self { text, scale, .. } = *self;
        let (start, end) = (self.span.start, self.span.end);
        let (Some(before), Some(behind)) = (text.get(..start), text.get(end..)) else {
            return false;
        };
        let from = before.rfind('\n').map_or(0, |at| at + 1);
        let to = behind.find('\n').map_or(text.len(), |at| end + at);
        let line = &text[from..to];
        denied(before, |word| scale.label(word).is_some())
            || (!self.several && self.is_graded(line))
            || (!self.several && self.is_in_a_row(line))
    }

    /// `Answer A gets a B.`
    fn is_graded(&self, line: &str) -> bool {
        let letter = self.scale.labels.iter().any(|label| label.name.len() == 1);
        letter
            && GRADED
                .find(line)
                .is_some_and(|found| !mentions(&line[..found.start()], self.scale).is_empty())
    }

    /// `A B`: more than one label, and nothing that chooses among them.
    fn is_in_a_row(&self, line: &str) -> bool {
        let row = line.rsplit(':').next().unwrap_or(line);
        let words = row.split_whitespace();
        let labels: Option<Vec<usize>> = words
            .map(|word| {
                let word = word.trim_matches(|c: char| !c.is_alphanumeric());
                let same =
                    |label: &crate::models::score::Label| label.name.eq_ignore_ascii_case(word);
                self.scale.labels.iter().position(same)
            })
            .collect();
        labels.is_some_and(|labels| labels.iter().any(|label| *label != labels[0]))
    }
}

/// Whether a text breaks off within a negation: `not⏎`, `un-⏎`.
fn denied(before: &str, is_label: impl Fn(&str) -> bool) -> bool {
    let marks = |c: char| c.is_whitespace() || "*_`\"'“‘>".contains(c);
    let text = before.trim_end_matches(marks);
    if !before[text.len()..].contains('\n') {
        return false;
    }
    if let Some(word) = text.strip_suffix(['-', '\u{ad}', '\u{2010}']) {
        return word.ends_with(char::is_alphabetic);
    }
    let word = text
        .rsplit(|c: char| !c.is_alphabetic())
        .next()
        .unwrap_or_default();
    has(&DENIES, word) && !is_label(word)
}
