//! One entry of a list of contents: its number, its words, its page.

use crate::language::text::numeral::leading;

/// Column heads inside a list.
const HEADS: [&str; 10] = [
    "PAGE",
    "CHAPTER",
    "CHAP",
    "CHAPTER PAGE",
    "CHAP. PAGE",
    "FACING PAGE",
    "FACE PAGE",
    "PLATE",
    "NO",
    "FRONTISPIECE",
];
/// What may stand before the number of an entry.
const UNITS: [&str; 8] = [
    "CHAPTER ", "CHAP. ", "PART ", "BOOK ", "SECTION ", "LETTER ", "STORY ", "NO. ",
];
/// No line of an entry that is known by its words or its page is longer, in bytes.
pub(super) const LONGEST: usize = 120;
/// Words that are compared are no longer, in bytes.
const MOST_WORDS: usize = 300;

/// The words of an entry as they are compared: in capitals, without number, page number, leaders and
/// a final stop. What is only a number keeps it. None for what is too long for an entry.
pub(super) fn words(entry: &str) -> Option<String> {
    let entry = entry.trim();
    if entry.is_empty() || entry.len() > MOST_WORDS {
        return None;
    }
    let folded = |words: &str| words.split_whitespace().collect::<Vec<_>>().join(" ");
    let marks = ['.', ' ', '\t', '_', '—', '-', ':'];
    let whole = without_page(entry).trim_end_matches(marks);
    let title = match number(whole) {
        Some((_, title)) if !title.is_empty() => title,
        _ => whole,
    };
    let words = folded(title.trim_matches(marks));
    (!words.is_empty()).then(|| words.to_uppercase())
}

/// The number that an entry begins with, and its title without the marks between them.
pub(super) fn number(entry: &str) -> Option<(usize, &str)> {
    let entry = entry.trim();
    let unit = UNITS.iter().find(|unit| {
        entry
            .get(..unit.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(unit))
    });
    let (number, rest) = leading(unit.map_or(entry, |unit| entry[unit.len()..].trim_start()))?;
    let apart = rest
        .chars()
        .next()
        .is_none_or(|next| !next.is_alphanumeric());
    apart.then(|| {
        let title = rest.trim_start_matches(|letter: char| {
            letter.is_whitespace()
                || matches!(letter, '.' | ':' | '-' | '–' | '—' | ',' | ')' | '_')
        });
        (number, title)
    })
}

pub(super) fn is_head(line: &str) -> bool {
    words(line).is_some_and(|words| HEADS.contains(&words.as_str()))
}

/// Whether the title of a numbered entry ends with a figure: one blank before the page is enough.
pub(super) fn ends_with_figures((_, title): (usize, &str)) -> bool {
    title.rsplit_once(' ').is_some_and(|(_, last)| {
        (1..=3).contains(&last.len()) && last.bytes().all(|b| b.is_ascii_digit())
    })
}

/// Whether a line ends with a page number: figures or small Roman ones after two blanks or leaders,
/// or figures alone.
pub(super) fn ends_with_page(line: &str) -> bool {
    let line = line.trim();
    line.len() <= LONGEST
        && (without_page(line).len() < line.len()
            || !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit()))
}

pub(super) fn without_page(line: &str) -> &str {
    let rest = line
        .strip_suffix('.')
        .unwrap_or(line)
        .trim_end_matches(|letter: char| {
            letter.is_ascii_digit() || matches!(letter, 'i' | 'v' | 'x' | 'l')
        });
    let is_page = rest.len() + usize::from(line.ends_with('.')) < line.len()
        && (rest.ends_with("  ")
            || rest.ends_with('\t')
            || rest.ends_with("..")
            || rest.ends_with(". "));
    if is_page { rest } else { line }
}
