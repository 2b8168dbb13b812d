//! Lines of a given display width.
//!
//! Breaks at blanks only: a path, a link or a long name is never cut, and stands on a line of its own where it does not
//! fit. Knows nothing of what the text says.

use unicode_width::UnicodeWidthStr;

/// Breaks text at blanks into lines at most `width` columns wide, as far as its words allow. The first line starts with
/// `first`, the others with as many blanks; every line ends in a line break. What stands in backticks stays together
/// where it fits on a line.
pub fn wrap(first: &str, text: &str, width: usize) -> String {
    let indent = " ".repeat(first.width());
    let room = width.saturating_sub(indent.len()).max(8);
    let mut out = String::from(first);
    let mut used = 0;
    for word in words(text, room) {
        if used > 0 && used + 1 + word.width() > room {
            out.push('\n');
            out.push_str(&indent);
            used = 0;
        }
        if used > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(&word);
        used += word.width();
    }
    out.push('\n');
    out
}

/// The same for a text of several lines, without a final line break; `first` stands before the first of them alone. Lines
/// that begin with a blank are left as they are: commands to be copied, lists, drawings.
pub fn wrap_lines(first: &str, text: &str, width: usize) -> String {
    let indent = " ".repeat(first.width());
    let mut lines = Vec::new();
    for (at, line) in text.trim_end_matches('\n').split('\n').enumerate() {
        let before = if at == 0 { first } else { &indent };
        if line.is_empty() {
            lines.push(before.trim_end().to_owned());
        } else if line.starts_with(' ') {
            lines.push(line.to_owned());
        } else {
            lines.push(wrap(before, line, width).trim_end_matches('\n').to_owned());
        }
    }
    lines.join("\n")
}

/// What must not be broken: words, and what stands in backticks if it is no wider than `room`.
fn words(text: &str, room: usize) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut quoted: Option<usize> = None;
    for word in text.split_whitespace() {
        let ticks = word.matches('`').count();
        words.push(word.to_owned());
        let start = match quoted {
            None if ticks % 2 == 1 => {
                quoted = Some(words.len() - 1);
                continue;
            }
            Some(start) if ticks % 2 == 1 => start,
            _ => continue,
        };
        quoted = None;
        let whole = words[start..].join(" ");
        if whole.width() <= room {
            words.truncate(start);
            words.push(whole);
        }
    }
    words
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
    fn a_word_longer_than_the_line_stands_alone_and_whole() {
        assert_eq!(
            wrap("", "see /a/long/path now", 10),
            "see\n/a/long/path\nnow\n"
        );
    }

    #[test]
    fn empty_text_is_one_line_with_what_stands_before_it() {
        assert_eq!(wrap("- ", "", 20), "- \n");
    }

    #[test]
    fn a_command_in_backticks_is_not_broken_where_it_fits() {
        assert_eq!(
            wrap("", "to see it: `tribunal gc --older 1d`, then", 30),
            "to see it:\n`tribunal gc --older 1d`, then\n"
        );
        assert_eq!(
            wrap("", "`a much longer command`", 12),
            "`a much\nlonger\ncommand`\n"
        );
        assert_eq!(wrap("", "one ` alone stays", 10), "one `\nalone\nstays\n");
    }

    #[test]
    fn lines_that_are_indented_are_left_alone() {
        let text = "two commands do it now:\n  tribunal run a.toml --offline\n\nthat is all";
        assert_eq!(
            wrap_lines("hint: ", text, 20),
            "hint: two commands\n      do it now:\n  tribunal run a.toml --offline\n\n      that is all"
        );
    }
}
