//! Long lines broken at blanks, for reading on a terminal. Styles go on behind a break; the words themselves are
//! never changed, and lines that fit stay as they are.

use unicode_width::UnicodeWidthChar;

const RESET: &str = "\x1b[0m";

/// Breaks every line of a text at blanks so that none is wider than `width` columns, as far as its words allow; what
/// has no blanks, as in Chinese, is broken between letters. What follows a break begins with `indent` blanks.
pub fn fold(text: &str, width: usize, indent: usize) -> String {
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| fold_line(line, width.max(indent + 8), indent))
        .collect();
    lines.join("\n")
}

/// A letter that is seen, or a style that is not.
struct Piece<'t> {
    text: &'t str,
    /// Columns; none for a style.
    columns: Option<usize>,
}

fn fold_line(line: &str, width: usize, indent: usize) -> String {
    let pieces = pieces(line);
    let breaks = breaks(&pieces, width, indent);
    if breaks.is_empty() {
        return line.to_owned();
    }
    let mut shown = String::with_capacity(line.len() + breaks.len() * (indent + 1));
    let mut style = "";
    let mut next = breaks.into_iter().peekable();
    for (at, piece) in pieces.iter().enumerate() {
        if piece.columns.is_none() {
            style = if piece.text == RESET { "" } else { piece.text };
        }
        if next.next_if_eq(&at).is_some() {
            if !style.is_empty() {
                shown.push_str(RESET);
            }
            shown.push('\n');
            shown.push_str(&" ".repeat(indent));
            shown.push_str(style);
            if piece.text == " " {
                continue;
            }
        }
        shown.push_str(piece.text);
    }
    shown
}

fn pieces(line: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        let style = rest
            .starts_with("\x1b[")
            .then(|| rest.find('m'))
            .flatten()
            .map(|end| end + 1);
        let (text, after) = rest.split_at(style.unwrap_or(letter.len_utf8()));
        pieces.push(Piece {
            text,
            columns: style.is_none().then(|| letter.width().unwrap_or(0)),
        });
        rest = after;
    }
    pieces
}

/// Before which pieces a line is broken; a blank there is left out.
fn breaks(pieces: &[Piece<'_>], width: usize, indent: usize) -> Vec<usize> {
    let mut breaks = Vec::new();
    // Where the line may be broken, and how wide it is up to there and to here.
    let (mut blank, mut column, mut begun) = (None, 0, false);
    for (at, piece) in pieces.iter().enumerate() {
        let Some(columns) = piece.columns else {
            continue;
        };
        if piece.text == " " {
            if begun {
                blank = Some((at, column + 1));
            }
        } else {
            begun = true;
        }
        if column + columns > width && piece.text != " " {
            match blank.take() {
                Some((place, before)) => {
                    breaks.push(place);
                    column = indent + column - before;
                }
                // A mark that joins the letter before it stays with it.
                None if columns > 0 && !joins(pieces, at) => {
                    breaks.push(at);
                    column = indent;
                }
                None => {}
            }
        }
        column += columns;
    }
    breaks
}

/// Whether the letter before is one that ties the next to it, as in pictures of several people.
fn joins(pieces: &[Piece<'_>], at: usize) -> bool {
    at.checked_sub(1)
        .is_some_and(|before| pieces[before].text == "\u{200d}")
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::*;

    #[test]
    fn lines_are_broken_at_blanks() {
        assert_eq!(fold("one two three four", 9, 0), "one two\nthree\nfour");
        assert_eq!(fold("one two three four", 13, 2), "one two three\n  four");
        assert_eq!(fold("short\n\nlines stay", 40, 2), "short\n\nlines stay");
    }

    #[test]
    fn what_was_folded_is_the_text_again_with_blanks_for_the_breaks() {
        let text = "Ann went to Paris, and Clara, who had not slept, stayed at home with the cat.";
        for width in 8..90 {
            let folded = fold(text, width, 0);
            assert!(folded.lines().all(|line| line.width() <= width), "{folded}");
            assert_eq!(folded.replace('\n', " "), text);
        }
    }

    #[test]
    fn a_style_goes_on_behind_a_break_and_takes_no_room() {
        assert_eq!(
            fold("a \x1b[31mred words\x1b[0m end", 8, 0),
            "a \x1b[31mred\x1b[0m\n\x1b[31mwords\x1b[0m\nend"
        );
    }

    #[test]
    fn writing_without_blanks_is_broken_between_letters() {
        let folded = fold(&"安娜去了巴黎".repeat(4), 10, 2);
        assert!(folded.lines().all(|line| line.width() <= 10), "{folded}");
        assert_eq!(folded.replace(['\n', ' '], ""), "安娜去了巴黎".repeat(4));
        let family = "👩\u{200d}👩\u{200d}👧";
        for line in fold(&family.repeat(5), 8, 0).lines() {
            assert_eq!(line.replace(family, ""), "", "{line}");
        }
    }

    #[test]
    fn verse_keeps_its_blanks_in_front() {
        assert_eq!(fold("        O wind, blow", 14, 0), "        O\nwind, blow");
    }
}
