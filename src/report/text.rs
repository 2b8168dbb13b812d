//! Putting text together: formatted appending, and lines of a given display width.
//!
//! It must not know what the text says.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Appends formatted text to a `String` without a second one in between.
macro_rules! put {
    ($out:expr, $($text:tt)*) => {{
        use std::fmt::Write as _;
        $out.write_fmt(format_args!($($text)*)).expect("a `String` takes any text");
    }};
}
pub(crate) use put;

/// Breaks text at blanks into lines at most `width` columns wide; a longer word is cut. The first line starts with
/// `first`, the others with as many blanks.
pub(crate) fn wrap(first: &str, text: &str, width: usize) -> String {
    let indent = " ".repeat(first.width());
    let room = width.saturating_sub(indent.len()).max(8);
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split_whitespace() {
        if used > 0 && used + 1 + word.width() > room {
            lines.push(String::new());
            used = 0;
        }
        if used > 0 {
            push(&mut lines, ' ');
            used += 1;
        }
        for letter in word.chars() {
            let wide = letter.width().unwrap_or(0);
            if used + wide > room {
                lines.push(String::new());
                used = 0;
            }
            push(&mut lines, letter);
            used += wide;
        }
    }
    let mut out = String::new();
    for (index, line) in lines.iter().enumerate() {
        out.push_str(if index == 0 { first } else { &indent });
        out.push_str(line);
        out.push('\n');
    }
    out
}

fn push(lines: &mut [String], letter: char) {
    if let Some(line) = lines.last_mut() {
        line.push(letter);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_the_width_and_the_indent() {
        let text = wrap("[1] ", "the quick brown fox jumps over the lazy dog", 20);
        assert_eq!(
            text,
            "[1] the quick brown\n    fox jumps over\n    the lazy dog\n"
        );
    }

    #[test]
    fn a_word_longer_than_the_line_is_cut() {
        assert_eq!(wrap("", "abcdefghijkl mn", 10), "abcdefghij\nkl mn\n");
    }

    #[test]
    fn empty_text_is_one_empty_line() {
        assert_eq!(wrap("- ", "", 20), "- \n");
    }
}
