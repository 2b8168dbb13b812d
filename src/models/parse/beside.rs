//! The reason that stands before or behind a verdict of one line.
//!
//! Must not read verdicts.

use super::agree::Asked;
use super::form::Form;
use super::reason::REASONS;
use super::value::has;

/// The fewest words of a reason.
const FEWEST: usize = 4;

/// Marks around lines.
const MARKS: &str = "*_`#>\"'()[]{}.!$\\ \t\r\n-\u{2013}\u{2014}:,;";

/// Fills in the reason of a single verdict that stands on a line of its own, where all else of the answer stands on one
/// side of it: above, below, or behind a sign on the same line.
pub(super) fn explain(asked: &Asked<'_>, form: &mut Form) {
    let [reading] = &mut form.readings[..] else {
        return;
    };
    let Some(span) = reading
        .span
        .clone()
        .filter(|_| reading.outcome.score().is_some())
    else {
        return;
    };
    let parts = &asked.answer.parts;
    let [part] = &parts[..] else { return };
    if reading.explanation.is_some() || span.start < part.start || part.end < span.end {
        return;
    }
    let (above, below) = (
        &asked.reply[part.start..span.start],
        &asked.reply[span.end..part.end],
    );
    let (above, before) = above.rsplit_once('\n').unwrap_or(("", above));
    let (behind, below) = below.split_once('\n').unwrap_or((below, ""));
    let is_mark = |c: char| MARKS.contains(c);
    if before.contains(|c| !is_mark(c)) {
        return;
    }
    let says = |text: &&str| text.contains(char::is_alphanumeric);
    let sides: Vec<&str> = [above, behind, below].into_iter().filter(says).collect();
    let [side] = &sides[..] else { return };
    let text = led(side.trim_matches(|c: char| {
        c.is_whitespace() || "*_`-\u{2013}\u{2014}:.,;".contains(c) && *side == behind
    }));
    if reads_as_prose(text) {
        reading.explanation = Some(text.to_owned());
    }
}

/// A text without the word that leads up to it.
fn led(text: &str) -> &str {
    let text = text
        .trim()
        .trim_end_matches("```")
        .trim_start_matches("```")
        .trim();
    let Some((key, rest)) = text.split_once(':') else {
        return text;
    };
    let key = key.trim_matches(|c: char| !c.is_alphanumeric());
    if has(&REASONS, key) {
        rest.trim_start_matches(|c: char| c.is_whitespace() || "*_".contains(c))
    } else {
        text
    }
}

/// Whether a text has words enough, and no line of it is a mark of a scale or a value with its name.
fn reads_as_prose(text: &str) -> bool {
    let words = text
        .split_whitespace()
        .filter(|word| word.contains(char::is_alphabetic));
    let listed = |line: &str| {
        let rest = line
            .trim_start()
            .trim_start_matches(|c: char| c.is_ascii_digit());
        rest.len() < line.trim_start().len()
            && rest.trim_start().starts_with(['=', '-', ':', '\u{2013}'])
    };
    words.take(FEWEST).count() == FEWEST && !text.lines().any(listed)
}
