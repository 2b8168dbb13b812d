//! `asterisk-lines`: lines with an asterisk go.
//!
//! They are mostly breaks (`* * * * *`), but the thesis removes every line that has one, so a
//! line of prose with an asterisk for a footnote goes too, in the middle of its sentence. Such
//! lines are counted in a note; run [`brackets`](super::brackets) first, which takes `[*]` alone.

use crate::base::wording::count;
use crate::language::clean::change::{Cleaned, Rewrite};
use crate::language::clean::lines::{lines, with_gap};
use crate::language::text::Span;

/// Takes out every line that contains an asterisk; lines in a row count as one change. Of the blank
/// lines around them only those on one side stay.
pub fn clean(text: &str) -> Cleaned<'_> {
    let mut rewrite = Rewrite::of(text);
    let mut prose = 0;
    let mut run: Option<Span> = None;
    for line in lines(text) {
        let letters = line.of(text);
        if letters.contains('*') {
            prose += usize::from(letters.contains(char::is_alphabetic));
            let end = (line.end + 1).min(text.len());
            run = Some(Span::new(run.map_or(line.start, |run| run.start), end));
        } else if let Some(run) = run.take() {
            rewrite.remove(with_gap(text, run));
        }
    }
    if let Some(run) = run {
        rewrite.remove(with_gap(text, run));
    }
    if prose > 0 {
        rewrite.note(format!(
            "words went with {}: see whether sentences lost a part",
            count(prose, "line")
        ));
    }
    rewrite.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_break_goes_with_its_line() {
        let cleaned = clean("One.\n\n    *    *    *\n\nTwo.\n***");
        assert_eq!(cleaned.text, "One.\n\nTwo.\n");
        assert_eq!(cleaned.changes.len(), 2);
        assert_eq!(
            clean("One.\n\n* * *\n* * *\n\n\n\n\nII").text,
            "One.\n\n\n\n\nII"
        );
        assert!(cleaned.notes.is_empty());
    }

    #[test]
    fn prose_with_an_asterisk_goes_too_and_is_noted() {
        let cleaned = clean("He came*\nand went.");
        assert_eq!(cleaned.text, "and went.");
        assert_eq!(
            cleaned.notes,
            ["words went with 1 line: see whether sentences lost a part"]
        );
    }
}
