//! `underscores`: the marks of italics go, what they stood around stays.
//!
//! As in the thesis, every underscore goes, also one inside a word or in a form to fill in.

use crate::language::clean::change::{Cleaned, Rewrite};
use crate::language::text::Span;

/// Takes out all underscores; a run of them counts as one change.
pub fn clean(text: &str) -> Cleaned<'_> {
    let mut rewrite = Rewrite::of(text);
    let mut rest = 0;
    while let Some(found) = text[rest..].find('_') {
        let start = rest + found;
        let run = text[start..]
            .bytes()
            .take_while(|&byte| byte == b'_')
            .count();
        rest = start + run;
        rewrite.remove(Span::new(start, rest));
    }
    rewrite.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn italics_lose_their_marks() {
        let cleaned = clean("He read _The Middle_ and “_so_.”");
        assert_eq!(cleaned.text, "He read The Middle and “so.”");
        assert_eq!(cleaned.changes.len(), 4);
    }

    #[test]
    fn a_run_is_one_change() {
        let cleaned = clean("Name: ______\n");
        assert_eq!((&*cleaned.text, cleaned.changes.len()), ("Name: \n", 1));
    }
}
