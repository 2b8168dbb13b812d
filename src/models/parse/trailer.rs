//! The trailer of recorded output files: how the run ended, written below the reply.
//!
//! A recorded file is the reply, a blank line, a line of dashes, `finish_reason: stop` (or another
//! word of a server), and for some files a line starting with `WARNING`. This module cuts that off.
//! It must not change the reply itself and must not touch a text that only looks similar.

use super::Finish;

/// The key of the line that says how the run ended.
const KEY: &str = "finish_reason:";

/// The shortest line of dashes taken for the rule above the key.
const SHORTEST_RULE: usize = 5;

/// Parts a recorded file into the reply and the way it ended.
///
/// Without a trailer the whole text is the reply and the second part is `None`. Of the line
/// breaks above the dashes the two that belong to the trailer are cut off and no more.
pub fn strip(raw: &str) -> (&str, Option<Finish>) {
    let Some((reply, word)) = split(raw) else {
        return (raw, None);
    };
    let finish = Finish::from_word(word).unwrap_or(Finish::Unknown);
    (reply, Some(finish))
}

/// The word after `finish_reason:`, if a recorded file ends with a complete trailer.
pub fn word(raw: &str) -> Option<&str> {
    split(raw).map(|(_, word)| word)
}

/// The reply and the word of the trailer, if `raw` ends with a complete one.
fn split(raw: &str) -> Option<(&str, &str)> {
    let (above, last) = last_line(raw.trim_end());
    let (above, line) = if last.starts_with("WARNING") {
        last_line(above.trim_end())
    } else {
        (above, last)
    };
    let word = line.strip_prefix(KEY)?.trim();
    let (above, rule) = last_line(above);
    let rule = rule.trim_end();
    if rule.len() < SHORTEST_RULE || !rule.bytes().all(|b| b == b'-') {
        return None;
    }
    // One break ends the reply's last line (cut by `last_line`), one is the blank line.
    Some((without_break(above), word))
}

/// Parts a text before its last line, cutting the line break between the two.
fn last_line(text: &str) -> (&str, &str) {
    match text.rfind('\n') {
        Some(at) => (
            text[..at].strip_suffix('\r').unwrap_or(&text[..at]),
            &text[at + 1..],
        ),
        None => ("", text),
    }
}

/// The text without one line break at its end.
fn without_break(text: &str) -> &str {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.strip_suffix('\r').unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trailer_is_cut_off_and_read() {
        let raw = "Fine.\n\n------------\nfinish_reason: stop";
        assert_eq!(strip(raw), ("Fine.", Some(Finish::Stop)));
    }

    #[test]
    fn a_warning_below_the_trailer_goes_too() {
        let raw = "Cut\n\n--------\nfinish_reason: length\nWARNING: still incomplete\n";
        assert_eq!(strip(raw), ("Cut", Some(Finish::Length)));
    }

    #[test]
    fn the_word_of_a_trailer_may_be_that_of_any_server() {
        let raw = "Score: 1\n\n--------\nfinish_reason: MAX_TOKENS\n";
        assert_eq!(strip(raw), ("Score: 1", Some(Finish::Length)));
    }

    #[test]
    fn windows_line_ends_are_understood() {
        let raw = "Fine.\r\n\r\n--------\r\nfinish_reason: stop\r\n";
        assert_eq!(strip(raw), ("Fine.", Some(Finish::Stop)));
    }

    #[test]
    fn an_empty_reply_above_a_trailer_stays_empty() {
        assert_eq!(
            strip("\n\n--------\nfinish_reason: stop"),
            ("", Some(Finish::Stop))
        );
        assert_eq!(
            strip("--------\nfinish_reason: length"),
            ("", Some(Finish::Length))
        );
    }

    #[test]
    fn line_breaks_of_the_reply_itself_are_kept() {
        let raw = "Fine.\n\n\n\n--------\nfinish_reason: stop";
        assert_eq!(strip(raw), ("Fine.\n\n", Some(Finish::Stop)));
    }

    #[test]
    fn an_unknown_word_is_an_unknown_finish() {
        let raw = "x\n\n--------\nfinish_reason: content_filter";
        assert_eq!(strip(raw), ("x", Some(Finish::Unknown)));
    }

    #[test]
    fn a_text_without_a_complete_trailer_is_left_alone() {
        for raw in [
            "",
            "Fine.",
            "finish_reason: stop",
            "Fine.\nfinish_reason: stop",
            "Fine.\n\n---\nfinish_reason: stop",
            "Fine.\n\n--------\nfinish_reason: stop\nand more",
            "WARNING: nothing above",
        ] {
            assert_eq!(strip(raw), (raw, None), "{raw:?}");
        }
    }
}
