//! Texts made safe for a terminal: documents, replies, names and messages are shown, never obeyed.
//!
//! [`visible`] is for what comes from data, at the place where it is put into a message. [`gate`] is the last look at
//! whatever is written, so that a place that was forgotten can at worst colour a word.

use std::borrow::Cow;

/// A text without characters that a terminal would obey: controls, ends of lines and tabs excepted, and marks that turn
/// the direction of writing, which could show digits in another order than they stand.
pub fn visible(text: &str) -> String {
    text.replace("\r\n", "\n")
        .chars()
        .map(|letter| if obeyed(letter) { '\u{fffd}' } else { letter })
        .collect()
}

/// A whole output with its styles, if it may have some, and nothing else that a terminal would obey.
pub fn gate(text: &str, styles: bool) -> Cow<'_, str> {
    if !text.contains(obeyed) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(obeyed) {
        shown.push_str(&rest[..at]);
        rest = &rest[at..];
        let style = if styles { style(rest) } else { None };
        let length = style.unwrap_or_else(|| rest.chars().next().map_or(0, char::len_utf8));
        match style {
            Some(_) => shown.push_str(&rest[..length]),
            // What another system writes at the end of a line.
            None if rest.starts_with("\r\n") => {}
            None => shown.push('\u{fffd}'),
        }
        rest = &rest[length..];
    }
    shown.push_str(rest);
    Cow::Owned(shown)
}

/// JSON in which such characters are written as escapes, which mean the same.
pub fn gate_json(json: &str) -> Cow<'_, str> {
    let loose = |letter| letter != '\r' && obeyed(letter);
    if !json.contains(loose) {
        return Cow::Borrowed(json);
    }
    let letters = json.chars().map(|letter| {
        if loose(letter) {
            // All of them fit into one escape.
            format!("\\u{:04x}", u32::from(letter))
        } else {
            letter.to_string()
        }
    });
    Cow::Owned(letters.collect())
}

/// How long the style is that a text begins with: the escape, `[`, digits and semicolons, `m`.
fn style(text: &str) -> Option<usize> {
    let inside = text.strip_prefix("\x1b[")?;
    let end = inside.find(|letter: char| !letter.is_ascii_digit() && letter != ';')?;
    inside[end..].starts_with('m').then_some(end + 3)
}

fn obeyed(letter: char) -> bool {
    let steers = matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    steers || letter.is_control() && !matches!(letter, '\n' | '\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str =
        "a\x1b[2Jb\x1b]0;title\x07c\u{9b}31md\0e\x7ff\u{202e}g\u{2066}h\x08i\rj\x1b";

    #[test]
    fn nothing_that_a_terminal_obeys_is_left_of_data() {
        let shown = visible(HOSTILE);
        assert!(!shown.contains(obeyed), "{shown:?}");
        assert!(
            shown.starts_with("a\u{fffd}[2Jb\u{fffd}]0;title"),
            "{shown}"
        );
        assert_eq!(visible("two\r\nlines\tand a tab"), "two\nlines\tand a tab");
    }

    #[test]
    fn the_gate_lets_styles_through_where_there_are_some() {
        let text = "\x1b[1;31merror:\x1b[0m bad\x1b[2J";
        assert_eq!(gate(text, true), "\x1b[1;31merror:\x1b[0m bad\u{fffd}[2J");
        assert_eq!(
            gate(text, false),
            "\u{fffd}[1;31merror:\u{fffd}[0m bad\u{fffd}[2J"
        );
        assert_eq!(gate("a\r\nb\rc\x1b", true), "a\nb\u{fffd}c\u{fffd}");
        assert!(matches!(gate("語 ü\n\tplain", false), Cow::Borrowed(_)));
    }

    #[test]
    fn json_says_the_same_behind_its_gate() {
        let value = serde_json::json!({ "text": HOSTILE });
        let json = value.to_string();
        let shown = gate_json(&json);
        assert!(!shown.contains(obeyed), "{shown:?}");
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&shown).unwrap(),
            value
        );
    }
}
