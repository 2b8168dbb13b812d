//! How wide text is, and how it is broken into lines.
//!
//! Widths are those of Arimo, which has the widths of Arial and Helvetica, so that a browser's sans-serif comes out
//! alike. It must not know what the text says.

use unicode_width::UnicodeWidthChar;

use crate::output::report::one_line;

/// Widths of the letters from the blank to the tilde, in units of an em's 2048th part.
const ADVANCES: [u16; 95] = [
    569, 569, 727, 1139, 1139, 1821, 1366, 391, 682, 682, 797, 1196, 569, 682, 569, 569, 1139,
    1139, 1139, 1139, 1139, 1139, 1139, 1139, 1139, 1139, 569, 569, 1196, 1196, 1196, 1139, 2079,
    1366, 1366, 1479, 1479, 1366, 1251, 1593, 1479, 569, 1024, 1366, 1139, 1706, 1479, 1593, 1366,
    1593, 1479, 1366, 1251, 1479, 1366, 1933, 1366, 1366, 1251, 569, 569, 569, 961, 1139, 682,
    1139, 1139, 1024, 1139, 1139, 569, 1139, 1139, 455, 455, 1024, 455, 1706, 1139, 1139, 1139,
    1139, 682, 1024, 569, 1139, 1024, 1479, 1024, 1024, 1024, 684, 532, 684, 1196,
];

/// How wide a text is in a font of this size, in pixels.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(|letter| advance(letter) * size).sum()
}

fn advance(letter: char) -> f64 {
    let known = (letter as usize)
        .checked_sub(0x20)
        .and_then(|index| ADVANCES.get(index));
    match (known, letter.width().unwrap_or(0)) {
        (Some(&advance), _) => f64::from(advance) / 2048.0,
        (None, 0) => 0.0,
        (None, 1) => 0.62,
        (None, _) => 1.0,
    }
}

/// Letters that a picture cannot hold or that would show others in another order become blanks.
pub(super) fn clean(text: &str) -> String {
    one_line(text).trim().to_owned()
}

/// The text, or as much of its beginning as fits a width, with an ellipsis.
pub(super) fn fitted(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let room = room - width("…", size);
    let mut used = 0.0;
    let mut cut = String::new();
    for letter in text.chars() {
        used += advance(letter) * size;
        if used > room {
            break;
        }
        cut.push(letter);
    }
    format!("{}…", cut.trim_end())
}

/// The text in lines of at most this width, at most so many of them, the last one cut short if need be. A word that is
/// too long is cut.
pub(super) fn lines(text: &str, size: f64, room: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in words(text) {
        let word = word.as_str();
        let longer = if line.is_empty() {
            word.to_owned()
        } else {
            format!("{line} {word}")
        };
        if line.is_empty() || width(&longer, size) <= room {
            line = longer;
        } else {
            lines.push(std::mem::replace(&mut line, word.to_owned()));
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    if lines.len() > most {
        let rest = lines.split_off(most.saturating_sub(1)).join(" ");
        lines.push(rest);
    }
    lines
        .into_iter()
        .map(|line| fitted(&line, size, room))
        .collect()
}

/// Words, with the dot between two labels at the word after it, so that no line ends with one.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut dot = false;
    for word in text.split_whitespace() {
        if word == "·" {
            dot = true;
        } else {
            words.push(if dot {
                format!("· {word}")
            } else {
                word.to_owned()
            });
            dot = false;
        }
    }
    words
}

/// Whether every word is at most this wide and the text fits so many lines.
pub(super) fn fits(text: &str, size: f64, room: f64, most: usize) -> bool {
    let words = words(text);
    words
        .iter()
        .map(|word| width(word, size))
        .all(|width| width <= room)
        && lines(text, size, room, usize::MAX).len() <= most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_font() {
        assert!((width("Hamburg", 10.0) - 41.13).abs() < 0.05);
        assert!((width("漢字", 10.0) - 20.0).abs() < 1e-9);
        assert!(width("e\u{301}", 10.0) < width("ee", 10.0));
    }

    #[test]
    fn long_text_is_broken_at_blanks_and_cut_at_the_end() {
        let text = "a rather long label that needs several lines";
        let broken = lines(text, 10.0, 60.0, 2);
        assert_eq!(broken.len(), 2);
        assert!(broken[1].ends_with('…'));
        assert!(broken.iter().all(|line| width(line, 10.0) <= 60.0));
        assert_eq!(lines(text, 10.0, 1000.0, 2), [text]);
    }

    #[test]
    fn what_cannot_be_shown_becomes_a_blank() {
        assert_eq!(clean("a\u{0}b\u{202e}c\n"), "a b c");
    }
}
