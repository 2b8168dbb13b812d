//! A document with its edits, for a terminal: what was taken out and what was put in, in place; or the
//! changed places alone, as a difference.
//!
//! Colours help and are never needed: without them, what was taken out stands as `[-so-]` and what was put
//! in as `{+so+}`.

use std::fmt::Write as _;

/// One replacement, in bytes of the text after all edits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// Where the new text begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// What stood there before.
    pub original: String,
}

/// How much of the text is shown on either side of a changed place.
const CONTEXT: usize = 60;

/// The whole text with every edit marked.
pub fn marked(text: &str, edits: &[Replacement], color: bool) -> String {
    let mut shown = String::with_capacity(text.len() * 2);
    let mut at = 0;
    for edit in edits {
        shown.push_str(&visible(&text[at..edit.start]));
        removed(&mut shown, &edit.original, color);
        added(&mut shown, &text[edit.start..edit.end], color);
        at = edit.end;
    }
    shown.push_str(&visible(&text[at..]));
    shown
}

/// The changed places alone, each with the lines before (`-`) and after (`+`), and where it is: counted in
/// paragraphs of the changed text.
pub fn difference(text: &str, edits: &[Replacement], color: bool) -> String {
    let mut shown = String::new();
    let mut paragraph = 1;
    let mut counted = 0;
    for group in groups(text, edits) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else {
            continue;
        };
        let start = back(text, first.start);
        let end = forth(text, last.end);
        paragraph += breaks(&text[counted..start]);
        counted = start;
        let heading = format!("paragraph {paragraph}");
        let _ = writeln!(shown, "{}", paint(&heading, "36", color));
        let (mut before, mut after) = (String::new(), String::new());
        let mut at = start;
        for edit in group {
            for line in [&mut before, &mut after] {
                line.push_str(&visible(&text[at..edit.start]));
            }
            removed(&mut before, &edit.original, color);
            added(&mut after, &text[edit.start..edit.end], color);
            at = edit.end;
        }
        for (sign, line) in [("-", &mut before), ("+", &mut after)] {
            line.push_str(&visible(&text[at..end]));
            let line = line.trim_matches('\n').replace('\n', "\n  ");
            let left = if start > 0 { "…" } else { "" };
            let right = if end < text.len() { "…" } else { "" };
            let _ = writeln!(shown, "{sign} {left}{line}{right}");
        }
        shown.push('\n');
    }
    shown
}

/// Edits whose surroundings touch are shown together.
fn groups<'e>(text: &str, edits: &'e [Replacement]) -> Vec<&'e [Replacement]> {
    let mut groups = Vec::new();
    let mut first = 0;
    for index in 1..=edits.len() {
        let apart = edits
            .get(index)
            .is_none_or(|next| back(text, next.start) > forth(text, edits[index - 1].end));
        if apart {
            groups.push(&edits[first..index]);
            first = index;
        }
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// A place some characters before, not beyond the paragraph.
fn back(text: &str, place: usize) -> usize {
    let before = &text[..place];
    let line = before.rfind('\n').map_or(0, |newline| newline + 1);
    before
        .char_indices()
        .rev()
        .take(CONTEXT)
        .map(|(at, _)| at)
        .take_while(|&at| at >= line)
        .last()
        .unwrap_or(place)
}

/// A place some characters after, not beyond the paragraph.
fn forth(text: &str, place: usize) -> usize {
    text[place..]
        .char_indices()
        .map(|(at, c)| (place + at, c))
        .take(CONTEXT)
        .take_while(|&(_, c)| c != '\n')
        .last()
        .map_or(place, |(at, c)| at + c.len_utf8())
}

fn breaks(text: &str) -> usize {
    text.matches("\n\n").count()
}

fn removed(shown: &mut String, text: &str, color: bool) {
    mark(shown, text, ("[-", "-]"), "9;31", color);
}

fn added(shown: &mut String, text: &str, color: bool) {
    mark(shown, text, ("{+", "+}"), "1;32", color);
}

fn mark(shown: &mut String, text: &str, signs: (&str, &str), style: &str, color: bool) {
    if text.is_empty() {
        return;
    }
    let text = visible(text);
    if color {
        // Line by line, because terminals end a style at the end of a line.
        let lines: Vec<String> = text
            .split('\n')
            .map(|line| paint(line, style, true))
            .collect();
        shown.push_str(&lines.join("\n"));
    } else {
        let _ = write!(shown, "{}{text}{}", signs.0, signs.1);
    }
}

fn paint(text: &str, style: &str, color: bool) -> String {
    if color && !text.is_empty() {
        format!("\x1b[{style}m{text}\x1b[0m")
    } else {
        text.to_owned()
    }
}

/// A text without control characters, which must not reach a terminal.
pub fn visible(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' | '\t' => c,
            c if c.is_control() => '\u{fffd}',
            c => c,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(text: &str, new: &str, original: &str) -> Replacement {
        let start = text.find(new).unwrap();
        Replacement {
            start,
            end: start + new.len(),
            original: original.to_owned(),
        }
    }

    #[test]
    fn edits_are_marked_in_place() {
        let text = "He walks home.\n\nShe slept.";
        let edits = [edit(text, "walks", "walked")];
        assert_eq!(
            marked(text, &edits, false),
            "He [-walked-]{+walks+} home.\n\nShe slept."
        );
        assert_eq!(
            marked(text, &edits, true),
            "He \x1b[9;31mwalked\x1b[0m\x1b[1;32mwalks\x1b[0m home.\n\nShe slept."
        );
    }

    #[test]
    fn insertions_and_removals_show_one_side() {
        let text = "One. Three.";
        let removal = Replacement {
            start: 5,
            end: 5,
            original: "Two. ".to_owned(),
        };
        assert_eq!(marked(text, &[removal], false), "One. [-Two. -]Three.");
    }

    #[test]
    fn a_difference_shows_changed_places_with_their_paragraph() {
        let text = "First.\n\nHe walks home and she sleep soundly.\n\nLast.";
        let edits = [edit(text, "walks", "walked"), edit(text, "sleep", "slept")];
        assert_eq!(
            difference(text, &edits, false),
            "paragraph 2\n\
             - …He [-walked-] home and she [-slept-] soundly.…\n\
             + …He {+walks+} home and she {+sleep+} soundly.…\n\n"
        );
    }

    #[test]
    fn places_far_apart_are_shown_apart() {
        let filler = "word ".repeat(60);
        let text = format!("xone {filler}xtwo");
        let edits = [edit(&text, "xone", "one"), edit(&text, "xtwo", "two")];
        assert_eq!(
            difference(&text, &edits, false)
                .matches("paragraph 1")
                .count(),
            2
        );
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(marked("a\x1b[2Jb", &[], true), "a\u{fffd}[2Jb");
    }
}
