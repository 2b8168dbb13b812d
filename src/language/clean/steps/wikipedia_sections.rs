//! `wikipedia-sections`: section headings, sections such as `References`, and tables of Wikipedia go.
//!
//! For articles whose headings still stand between equals signs (`== History ==`), on lines of their
//! own or in the middle of one long line, as in the plain text Wikipedia of 2020 on Kaggle (the
//! corpus of Aksoy et al., "Semantic Needles in Document Haystacks", 2026, Appendix A). Where a heading
//! was, a paragraph ends, so that no sentence runs into the next section.
//!
//! Headings without signs are not seen. Lists and program code that lost their marks when the article
//! was flattened cannot be told from sentences and stay.

use crate::language::clean::change::{Cleaned, Rewrite};
use crate::language::text::{Span, WordList};

/// Longest heading in bytes, signs included.
const LONGEST: usize = 200;

/// Titles of sections that hold no text, in lower case. Their subsections go with them.
static APPENDICES: WordList = WordList::lines(
    "\
    bibliography\n\
    citations\n\
    explanatory notes\n\
    external links\n\
    footnotes\n\
    further reading\n\
    general references\n\
    literature\n\
    notes\n\
    notes and references\n\
    references\n\
    references and notes\n\
    related pages\n\
    see also\n\
    sources\n\
    works cited\n\
    sources and further reading",
);

/// Takes out headings, appendices and tables.
pub fn clean(text: &str) -> Cleaned<'_> {
    let headings = headings(text);
    let mut pieces = tables(text);
    let mut at = 0;
    while let Some(heading) = headings.get(at) {
        let mut next = at + 1;
        let mut end = heading.span.end;
        if heading.is_appendix() {
            while headings
                .get(next)
                .is_some_and(|next| next.level > heading.level)
            {
                next += 1;
            }
            end = headings
                .get(next)
                .map_or(text.len(), |next| next.span.start);
        }
        pieces.push(Span::new(heading.span.start, end));
        at = next;
    }
    pieces.sort_unstable();
    let mut rewrite = Rewrite::of(text);
    for piece in merged(text, pieces) {
        let inside = piece.start > 0 && piece.end < text.len();
        rewrite.replace(piece, if inside { "\n\n" } else { "" });
    }
    rewrite.finish()
}

struct Heading<'t> {
    span: Span,
    /// How many equals signs are on either side.
    level: usize,
    title: &'t str,
}

impl Heading<'_> {
    fn is_appendix(&self) -> bool {
        APPENDICES.has(&self.title.to_lowercase())
    }
}

/// Everything that looks like `== History ==`. A title has no equals signs and no line break, and does
/// not begin with a small letter, as the middle of `a == b and c == d` does.
fn headings(text: &str) -> Vec<Heading<'_>> {
    let runs = runs(text);
    let mut found = Vec::new();
    let mut at = 0;
    while let [open, close, ..] = runs[at..] {
        let title = text[open.end..close.start].trim_matches([' ', '\t']);
        let span = Span::new(open.start, close.end);
        let fits = open.len() == close.len() && (2..=6).contains(&open.len());
        let named = title.starts_with(|first: char| !first.is_lowercase());
        if fits && named && span.len() <= LONGEST && !title.contains(['\n', '\r']) {
            let level = open.len();
            found.push(Heading { span, level, title });
            at += 2;
        } else {
            at += 1;
        }
    }
    found
}

/// Runs of equals signs.
fn runs(text: &str) -> Vec<Span> {
    let mut runs: Vec<Span> = Vec::new();
    for at in memchr::memchr_iter(b'=', text.as_bytes()) {
        match runs.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => runs.push(Span::new(at, at + 1)),
        }
    }
    runs
}

/// Tables, from `{|` to the `|}` that belongs to it; without a partner, neither is one.
fn tables(text: &str) -> Vec<Span> {
    let mut open = Vec::new();
    let mut found: Vec<Span> = Vec::new();
    for at in memchr::memchr_iter(b'|', text.as_bytes()) {
        let end = at + 1;
        if text[..at].ends_with('{') {
            open.push(at - 1);
        } else if text[end..].starts_with('}')
            && let Some(start) = open.pop()
        {
            while found.pop_if(|inner| inner.start > start).is_some() {}
            found.push(Span::new(start, end + 1));
        }
    }
    found
}

/// Pieces with the blanks around them, those that touch made one.
fn merged(text: &str, pieces: Vec<Span>) -> Vec<Span> {
    let mut merged: Vec<Span> = Vec::new();
    for piece in pieces {
        let start = text[..piece.start].trim_end().len();
        let end = text.len() - text[piece.end..].trim_start().len();
        match merged.last_mut() {
            Some(last) if start <= last.end => last.end = last.end.max(end),
            _ => merged.push(Span::new(start, end)),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(text: &str) -> String {
        clean(text).text.into_owned()
    }

    #[test]
    fn a_heading_becomes_the_end_of_a_paragraph() {
        assert_eq!(
            cleaned("He came. == Life == He was born. === Youth === He grew."),
            "He came.\n\nHe was born.\n\nHe grew."
        );
        assert_eq!(
            cleaned("He came.\n\n==Life==\nHe\nwas."),
            "He came.\n\nHe\nwas."
        );
        assert_eq!(cleaned("== Life == He was."), "He was.");
    }

    #[test]
    fn an_appendix_goes_with_its_subsections_and_what_follows_stays() {
        assert_eq!(
            cleaned("A. == See also == B === C === D == Legacy == E. == REFERENCES == F"),
            "A.\n\nE."
        );
        assert_eq!(cleaned("== Notes == a == References == b"), "");
    }

    #[test]
    fn tables_go_with_tables_in_them() {
        assert_eq!(cleaned("A {| b {| c |} d |} e"), "A\n\ne");
        assert_eq!(cleaned("A {| b == C == d |} e"), "A\n\ne");
        assert_eq!(cleaned("{|x|}"), "");
    }

    #[test]
    fn other_signs_stay() {
        for text in [
            "if a == b and c == d",
            "E = mc2 and F = ma",
            "A {| b",
            "A |} b",
            "== A\nB ==",
            "== A ===",
            "====",
            "",
        ] {
            assert_eq!(cleaned(text), text);
        }
    }

    #[test]
    fn long_rows_of_signs_are_no_problem() {
        for signs in [
            "= ",
            "==",
            "{|",
            "|}",
            "{| |} ",
            "== A == ",
            "\u{3000}== É == ",
        ] {
            cleaned(&signs.repeat(50_000));
        }
    }
}
