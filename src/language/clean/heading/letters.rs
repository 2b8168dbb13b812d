//! Letters of titles: all capitals, or capitals where titles have them.

/// More letters than a heading has, in bytes.
pub(super) const LONGEST: usize = 300;
/// Words in capitals at the end of a book. `THE END` is not among them: two of the 65 gold documents
/// have a last chapter of that name, and at the end of a book no prose follows it.
const ENDINGS: [&str; 3] = ["END", "FINIS", "FIN"];

/// Whether a line is a title in ordinary letters: short, without an end mark, its longer words with
/// capitals.
pub(in crate::language::clean) fn is_title_case(line: &str) -> bool {
    line.len() <= 60
        && line.starts_with(char::is_uppercase)
        && line.ends_with(char::is_alphanumeric)
        && line.split_whitespace().all(|word| {
            word.chars().count() < 4
                || !word
                    .trim_start_matches(['“', '"', '('])
                    .starts_with(char::is_lowercase)
        })
}

/// Whether lines are all in capitals, and no line of a title page or of a book's end.
pub(in crate::language::clean) fn is_capitals(lines: &str) -> bool {
    let words = lines.trim_end_matches('.');
    lines.len() <= LONGEST
        && lines
            .chars()
            .filter(|letter| letter.is_alphabetic())
            .count()
            >= 2
        && lines
            .chars()
            .all(|letter| !letter.is_alphabetic() || letter.is_uppercase())
        && !lines.starts_with(['-', '—'])
        && !lines.ends_with([',', ';', ':', '-', '—'])
        && !lines.starts_with("BY ")
        && words != "BY"
        && !ENDINGS.contains(&words)
}
