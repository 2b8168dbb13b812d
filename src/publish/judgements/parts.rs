//! Messages as the page stores them: without the documents in them, which it has already.

use crate::output::page::store::Part;

/// A document that is shorter than this stands in the prompt as a part of its text. In bytes.
const SHORTEST_PART: usize = 200;

/// A message in parts: the document where it stands word for word, and the text around it.
pub(super) fn parts(content: String, document: Option<&str>) -> Vec<Part> {
    let Some(text) = document.filter(|text| text.len() >= SHORTEST_PART) else {
        return vec![Part::Text(content)];
    };
    let mut parts = Vec::new();
    let mut pieces = around(&content, text).into_iter();
    let add = |parts: &mut Vec<Part>, piece: &str| {
        if !piece.is_empty() {
            parts.push(Part::Text(piece.to_owned()));
        }
    };
    add(&mut parts, pieces.next().unwrap_or_default());
    for piece in pieces {
        parts.push(Part::Document);
        add(&mut parts, piece);
    }
    parts
}

/// The pieces of `content` around each place where `text` stands, as `str::split` has them. To prepare the search for a long text
/// takes longer than to find its beginning and compare.
fn around<'c>(content: &'c str, text: &str) -> Vec<&'c str> {
    const BEGINNING: usize = 48;
    // Where so many places begin like it, the search for all of it is the faster one.
    const TRIES: usize = 64;
    let head = memchr::memmem::Finder::new(&text.as_bytes()[..text.len().min(BEGINNING)]);
    let (mut pieces, mut start, mut from) = (Vec::new(), 0, 0);
    for _ in 0..TRIES {
        let Some(at) = head.find(&content.as_bytes()[from..]) else {
            pieces.push(&content[start..]);
            return pieces;
        };
        let at = from + at;
        from = at + 1;
        if content.as_bytes()[at..].starts_with(text.as_bytes()) {
            pieces.push(&content[start..at]);
            start = at + text.len();
            from = start;
        }
    }
    pieces.extend(content[start..].split(text));
    pieces
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_document_is_found_behind_many_places_that_begin_like_it() {
        let text = format!("{}b", "a".repeat(300));
        let content = format!("{}{text}, and {text}", "a".repeat(4000));
        let pieces: Vec<&str> = content.split(&text).collect();
        assert_eq!(around(&content, &text), pieces);
        assert_eq!(pieces.len(), 3);
    }

    proptest! {
        #[test]
        fn pieces_are_those_of_the_library(content in "[abé]{0,200}", text in "[abé]{1,3}") {
            let pieces: Vec<&str> = content.split(&text).collect();
            prop_assert_eq!(around(&content, &text), pieces);
        }
    }
}
