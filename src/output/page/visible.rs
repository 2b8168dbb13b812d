//! Signs that nobody sees, made visible.
//!
//! A right-to-left override, an escape sequence of a terminal or a zero-width space in a title would let a page show
//! something else than what is there. The script has the same list for the texts it shows (`assets/script/visible.js`).
//! This must not judge what a text means.

use std::fmt::Write;

use crate::output::report::html::entity;

/// Whether a sign has no look of its own and could change how others are shown.
///
/// Tabs, line ends (also those of Windows), joiners (which scripts of India and Persia need) and soft hyphens are no such signs.
pub(super) fn is_hidden(letter: char) -> bool {
    matches!(letter,
        '\u{0}'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}')
}

/// A text as HTML: signs of markup escaped, hidden signs as small boxes with their number.
pub(super) fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if let Some(entity) = entity(letter) {
            out.push_str(entity);
        } else if is_hidden(letter) || (letter == '\r' && letters.peek() != Some(&'\n')) {
            // Writing into a string cannot fail.
            let _ = write!(out, "<span class=\"sign\">{}</span>", number(letter));
        } else {
            out.push(letter);
        }
    }
    out
}

/// A text as HTML that a script gets back as it was: parsers of HTML take the carriage returns of csv for ends of lines.
pub(super) fn exact(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    for letter in text.chars() {
        match (letter, entity(letter)) {
            ('\r', _) => out.push_str("&#13;"),
            // Nothing of it stands in an attribute.
            ('"' | '\'', _) | (_, None) => out.push(letter),
            (_, Some(entity)) => out.push_str(entity),
        }
    }
    out
}

/// A text for an attribute or a title, where boxes cannot stand; still to be escaped.
pub(super) fn plain(text: &str) -> String {
    if !text.contains(is_hidden) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if is_hidden(letter) {
            let _ = write!(out, "[{}]", number(letter));
        } else {
            out.push(letter);
        }
    }
    out
}

fn number(letter: char) -> String {
    format!("U+{:04X}", u32::from(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_copied_keeps_its_line_ends() {
        assert_eq!(exact("a,b\r\n\"<\""), "a,b&#13;\n\"&lt;\"");
    }

    #[test]
    fn an_override_is_shown_as_its_number() {
        assert_eq!(html("a\u{202e}b"), "a<span class=\"sign\">U+202E</span>b");
        assert_eq!(plain("a\u{1b}[31m"), "a[U+001B][31m");
    }

    #[test]
    fn markup_in_a_text_is_text() {
        assert_eq!(
            html("<script>alert('1') && \"2\"</script>"),
            "&lt;script&gt;alert(&#39;1&#39;) &amp;&amp; &quot;2&quot;&lt;/script&gt;"
        );
    }

    #[test]
    fn lines_tabs_and_joiners_stay_as_they_are() {
        assert_eq!(html("a\r\nb"), "a\r\nb");
        assert_eq!(html("a\rb"), "a<span class=\"sign\">U+000D</span>b");
        assert_eq!(html("a\tb\nc\u{200d}d\u{200c}"), "a\tb\nc\u{200d}d\u{200c}");
    }
}
