//! Lists of statements for \[24\]: the built-in one, and how such a file is read.

/// Statements about the 21st century that are neutral and grammatical anywhere in a narration. They bring in no
/// person, so that nothing but the century is out of place.
const MODERN: &str = include_str!("statements.txt");

/// The built-in statements.
pub fn modern() -> Vec<&'static str> {
    read(MODERN)
}

/// Whether a text can be added to a paragraph as a statement: one line that ends as a sentence does.
pub fn is_statement(text: &str) -> bool {
    let text = text.trim();
    !text.contains('\n')
        && text
            .trim_end_matches(['"', '”', '’', ')'])
            .ends_with(['.', '!', '?', '…'])
}

/// The statements of a list: one per line, without the blanks around it; empty lines and those
/// that begin with `#` are none, and what comes again is left out.
pub fn read(list: &str) -> Vec<&str> {
    let mut seen = std::collections::BTreeSet::new();
    list.trim_start_matches('\u{feff}')
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#') && seen.insert(*line))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_enough_different_statements() {
        let lines = MODERN
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        assert_eq!(lines.count(), modern().len(), "a statement stands twice");
        assert!(modern().len() >= 60);
    }

    #[test]
    fn each_statement_is_one_plain_sentence() {
        for statement in modern() {
            assert!(
                statement.starts_with(|letter: char| letter.is_ascii_uppercase()),
                "{statement}"
            );
            assert!(statement.ends_with('.'), "{statement}");
            assert_eq!(
                statement.matches(['.', '!', '?', ';', ':']).count(),
                1,
                "{statement}"
            );
            assert!(
                statement.is_ascii() && !statement.contains("  "),
                "{statement}"
            );
            let words = statement.split(' ').count();
            assert!((5..=16).contains(&words), "{statement}");
        }
    }

    #[test]
    fn a_statement_brings_in_no_person() {
        let persons = [
            "i", "me", "my", "we", "us", "our", "you", "your", "he", "him", "his", "she", "her",
            "they", "them", "one", "someone", "somebody", "anyone", "nobody", "people", "who",
        ];
        for statement in modern() {
            let words = statement.split(|letter: char| !letter.is_alphabetic());
            for word in words.map(str::to_lowercase) {
                assert!(!persons.contains(&word.as_str()), "{statement}");
            }
        }
    }

    #[test]
    fn a_list_has_comments_and_empty_lines() {
        assert_eq!(
            read("\u{feff}# mine\n\n A b. \r\nC d.\nA b.\n"),
            ["A b.", "C d."]
        );
    }
}
