//! A document with its edits, for a terminal: what was taken out and what was put in, in place; or the
//! changed places alone, as a difference.
//!
//! What was taken out stands as `[-so-]` and what was put in as `{+so+}`; colours help and are never needed.

use std::fmt::Write as _;

use super::visible;
use crate::base::wording::{list_of, many};
use crate::language::manipulate::Placed;

/// How much of the text is shown on either side of a changed place.
const CONTEXT: usize = 60;

/// Of what was taken out or put in, and is longer than this, a difference shows the two ends.
const LONG: usize = 800;

/// How many characters of either end that is.
const END: usize = 240;

/// The whole text with every edit marked.
pub fn marked(text: &str, edits: &[Placed<'_>], color: bool) -> String {
    let mut shown = String::with_capacity(text.len() * 2);
    let mut at = 0;
    for edit in edits {
        shown.push_str(&visible(&text[at..edit.start]));
        removed(&mut shown, edit.original, color);
        added(&mut shown, &text[edit.start..edit.end], color);
        at = edit.end;
    }
    shown.push_str(&visible(&text[at..]));
    shown
}

/// The changed places alone, each with the lines before (`-`) and after (`+`), and where it is: counted in
/// paragraphs of the changed text. Lines that end inside a paragraph are joined; `…` stands where the
/// paragraph goes on, and for the middle of very long changes.
pub fn difference(text: &str, edits: &[Placed<'_>], color: bool) -> String {
    let context = Context::of(text);
    let mut shown = String::new();
    let mut above = None;
    for group in context.groups(edits) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else {
            continue;
        };
        let start = context.back(first.start);
        let end = context.forth(last.end);
        let heading = heading(context.paragraph(first.start), group);
        if above.as_ref() != Some(&heading) {
            let _ = writeln!(shown, "{}", paint(&heading, "36", color));
        }
        above = Some(heading);
        let (mut before, mut after) = (String::new(), String::new());
        let mut at = start;
        for edit in group {
            let between = visible(&joined(&text[at..edit.start]));
            for line in [&mut before, &mut after] {
                line.push_str(&between);
            }
            removed(&mut before, &shortened(&joined(edit.original)), color);
            added(
                &mut after,
                &shortened(&joined(&text[edit.start..edit.end])),
                color,
            );
            at = edit.end;
        }
        for (sign, line) in [("-", &mut before), ("+", &mut after)] {
            line.push_str(&visible(&joined(&text[at..end])));
            let line = line.trim_matches('\n').replace('\n', "\n  ");
            let left = if context.begins(start) { "" } else { "…" };
            let right = if context.ends(end) { "" } else { "…" };
            let _ = writeln!(shown, "{sign} {left}{line}{right}");
        }
        shown.push('\n');
    }
    shown
}

/// Where edits are, and which documents their new text comes from.
fn heading(paragraph: usize, edits: &[Placed<'_>]) -> String {
    let mut sources: Vec<&str> = edits.iter().filter_map(|edit| edit.source).collect();
    sources.dedup();
    match sources.as_slice() {
        [] => format!("paragraph {paragraph}"),
        some => visible(&format!("paragraph {paragraph}, from {}", list_of(some))),
    }
}

/// A text and where its paragraphs part.
struct Context<'t> {
    text: &'t str,
    /// Blanks with at least two ends of lines, in the order of the text.
    breaks: Vec<(usize, usize)>,
}

impl<'t> Context<'t> {
    fn of(text: &'t str) -> Self {
        let mut breaks = Vec::new();
        let (mut blank, mut lines) = (None, 0);
        for (at, c) in text.char_indices() {
            if c.is_whitespace() {
                blank.get_or_insert(at);
                lines += usize::from(c == '\n');
            } else {
                breaks.extend(blank.filter(|_| lines > 1).map(|start| (start, at)));
                (blank, lines) = (None, 0);
            }
        }
        Self { text, breaks }
    }

    /// The paragraph in which a place lies, counted from 1.
    fn paragraph(&self, place: usize) -> usize {
        let before = self.breaks.partition_point(|(_, end)| *end <= place);
        let blank = self.breaks[..before].first().is_some_and(|b| b.0 == 0);
        1 + before - usize::from(blank)
    }

    /// The beginning of a word some characters before, in the same paragraph.
    fn back(&self, place: usize) -> usize {
        let before = self.text[..place].char_indices().rev();
        let mut start = before.take(CONTEXT).last().map_or(place, |(at, _)| at);
        if start > 0 && !self.text[..start].ends_with(char::is_whitespace) {
            let word = self.text[start..place].find(char::is_whitespace);
            start += word.map_or(0, |length| {
                let blank = &self.text[start + length..place];
                length + blank.len() - blank.trim_start().len()
            });
        }
        let parts = self.breaks.partition_point(|(_, end)| *end <= place);
        let paragraph = parts.checked_sub(1).map_or(0, |last| self.breaks[last].1);
        start.max(paragraph)
    }

    /// The end of a word some characters after, in the same paragraph.
    fn forth(&self, place: usize) -> usize {
        let after = self.text[place..].char_indices();
        let mut end = after
            .take(CONTEXT)
            .last()
            .map_or(place, |(at, c)| place + at + c.len_utf8());
        if !self.text[end..].is_empty() && !self.text[end..].starts_with(char::is_whitespace) {
            let word = self.text[place..end].rfind(char::is_whitespace);
            end = word.map_or(end, |length| place + length);
        }
        let parts = self.breaks.partition_point(|(start, _)| *start < place);
        let paragraph = self.breaks.get(parts).map_or(self.text.len(), |b| b.0);
        end.min(paragraph)
    }

    /// Whether a paragraph begins here.
    fn begins(&self, place: usize) -> bool {
        place == 0 || self.breaks.binary_search_by_key(&place, |b| b.1).is_ok()
    }

    /// Whether a paragraph ends here.
    fn ends(&self, place: usize) -> bool {
        let known = self.breaks.binary_search_by_key(&place, |b| b.0).is_ok();
        known || self.text[place..].trim().is_empty()
    }

    /// Edits whose surroundings touch are shown together.
    fn groups<'e>(&self, edits: &'e [Placed<'e>]) -> Vec<&'e [Placed<'e>]> {
        let touch =
            |one: &Placed<'_>, next: &Placed<'_>| self.back(next.start) <= self.forth(one.end);
        edits.chunk_by(touch).collect()
    }
}

/// A text with blanks for the ends of lines, except where paragraphs part.
fn joined(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('\n') {
        let blank = rest[start..].find(|c: char| !c.is_whitespace());
        let end = blank.map_or(rest.len(), |length| start + length);
        let lines = rest[start..end].matches('\n').count();
        shown.push_str(rest[..start].trim_end_matches('\r'));
        shown.push_str(if lines > 1 { "\n\n" } else { " " });
        rest = &rest[end..];
    }
    shown.push_str(rest);
    shown
}

/// A long text by its two ends, with how much is left out between them.
fn shortened(text: &str) -> String {
    let letters = text.chars().count();
    if letters <= LONG {
        return text.to_owned();
    }
    let place = |n: usize| text.char_indices().nth(n).map_or(text.len(), |(at, _)| at);
    let head = &text[..place(END)];
    let tail = &text[place(letters - END)..];
    let head = head
        .rfind(char::is_whitespace)
        .map_or(head, |at| &head[..at]);
    let tail = tail
        .find(char::is_whitespace)
        .map_or(tail, |at| &tail[at..]);
    let (head, tail) = (head.trim_end(), tail.trim_start());
    let left_out = letters - head.chars().count() - tail.chars().count();
    format!("{head} … {} … {tail}", many(left_out as u64, "character"))
}

fn removed(shown: &mut String, text: &str, color: bool) {
    mark(shown, text, ("[-", "-]"), "31", color);
}

fn added(shown: &mut String, text: &str, color: bool) {
    mark(shown, text, ("{+", "+}"), "32", color);
}

fn mark(shown: &mut String, text: &str, signs: (&str, &str), style: &str, color: bool) {
    if text.is_empty() {
        return;
    }
    let text = format!("{}{}{}", signs.0, visible(text), signs.1);
    // Line by line, because terminals end a style at the end of a line.
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| paint(line, style, color))
        .collect();
    shown.push_str(&lines.join("\n"));
}

fn paint(text: &str, style: &str, color: bool) -> String {
    if color && !text.is_empty() {
        format!("\x1b[{style}m{text}\x1b[0m")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit<'t>(text: &str, new: &'t str, original: &'t str) -> Placed<'t> {
        let start = text.find(new).unwrap();
        Placed {
            start,
            end: start + new.len(),
            original,
            new,
            source: None,
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
            "He \x1b[31m[-walked-]\x1b[0m\x1b[32m{+walks+}\x1b[0m home.\n\nShe slept."
        );
    }

    #[test]
    fn insertions_and_removals_show_one_side() {
        let text = "One. Three.";
        let removal = Placed {
            start: 5,
            end: 5,
            ..edit(text, "", "Two. ")
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
             - He [-walked-] home and she [-slept-] soundly.\n\
             + He {+walks+} home and she {+sleep+} soundly.\n\n"
        );
    }

    #[test]
    fn a_difference_joins_lines_up_to_the_blank_line() {
        for end in ["\n", "\r\n"] {
            let text = "\nFirst.\n\nHe walks\nhome, and\nshe slept.\n \nLast.".replace('\n', end);
            let walked = format!("walked{end}slowly");
            let edits = [edit(&text, "walks", &walked)];
            assert_eq!(
                difference(&text, &edits, false),
                "paragraph 2\n\
                 - He [-walked slowly-] home, and she slept.\n\
                 + He {+walks+} home, and she slept.\n\n"
            );
        }
    }

    #[test]
    fn a_difference_breaks_where_paragraphs_part() {
        let text = "One.\n\nNew\npart.\n\nTwo.";
        let inserted = edit(text, "New\npart.\n\n", "");
        assert_eq!(
            difference(text, &[inserted], false),
            "paragraph 2\n- Two.\n+ {+New part.\n  \n  +}Two.\n\n"
        );
    }

    #[test]
    fn places_far_apart_are_shown_apart() {
        let filler = "word ".repeat(60);
        let text = format!("xone {filler}xtwo");
        let edits = [edit(&text, "xone", "one"), edit(&text, "xtwo", "two")];
        let shown = difference(&text, &edits, false);
        assert_eq!(shown.matches("paragraph 1").count(), 1, "{shown}");
        assert_eq!(shown.matches("\n- ").count(), 2, "{shown}");
    }

    #[test]
    fn a_passage_of_another_document_names_it() {
        let text = "One.\n\nNew.\n\nTwo.";
        let mut passage = edit(text, "New.", "Old.");
        passage.source = Some("JM-17");
        let shown = difference(text, &[passage], false);
        assert_eq!(
            shown,
            "paragraph 2, from `JM-17`\n- [-Old.-]\n+ {+New.+}\n\n"
        );
    }

    #[test]
    fn surroundings_are_whole_words() {
        let filler = "wonderful ".repeat(20);
        let text = format!("{filler}xone {filler}");
        let shown = difference(&text, &[edit(&text, "xone", "one")], false);
        for word in shown.split(|c: char| !c.is_alphabetic()) {
            let known = ["", "paragraph", "wonderful", "one", "xone"];
            assert!(known.contains(&word), "{word} in {shown}");
        }
    }

    #[test]
    fn a_very_long_change_is_shown_by_its_ends() {
        let passage = "First words. ".to_owned() + &"middle ".repeat(5_000) + "The last words.";
        let text = format!("Before.\n\n{passage}\n\nAfter.");
        let shown = difference(&text, &[edit(&text, &passage, "")], false);
        assert!(shown.len() < 1_000, "{shown}");
        assert!(shown.contains("{+First words. middle"), "{shown}");
        assert!(shown.contains("The last words.+}"), "{shown}");
        assert!(shown.contains(" … 34,5"), "{shown}");
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(marked("a\x1b[2Jb", &[], true), "a\u{fffd}[2Jb");
        let shown = difference("a\x1b[2Jbc\x07", &[edit("a\x1b[2Jbc", "b", "")], false);
        assert!(!shown.contains(['\x1b', '\x07']), "{shown}");
    }
}
