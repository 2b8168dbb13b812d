//! Blanks, and what stands between them.

/// Whether Python, in which these comparisons were defined, takes a character for a blank.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// What stands between blanks.
pub(super) fn between_blanks(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_blank).filter(|word| !word.is_empty())
}
