//! Finds where capitals say nothing because everything has them: headings and words in capitals.

use super::token::{Case, Gap, Token};

/// Marks paragraphs of one or two lines that are mostly capitalised and end without a full stop, and
/// words between other words in capitals: there a capital says nothing.
pub(super) fn mark_headings(text: &str, tokens: &mut [Token]) {
    let mut first = 0;
    while first < tokens.len() {
        let mut end = first + 1;
        while end < tokens.len() && tokens[end].gap != Gap::Paragraph {
            end += 1;
        }
        let after = tokens.get(end).map_or(text.len(), |next| next.span.start);
        if is_heading(text, &tokens[first..end], after) {
            for token in &mut tokens[first..end] {
                token.start = true;
                token.heading = true;
            }
        }
        first = end;
    }
    for at in 0..tokens.len() {
        let shouted = |token: Option<&Token>| {
            token.is_some_and(|token| token.case == Case::Capitals && token.span.len() > 1)
        };
        let neighbour = (at > 0 && shouted(tokens.get(at - 1))) || shouted(tokens.get(at + 1));
        if neighbour && shouted(tokens.get(at)) {
            tokens[at].start = true;
        }
    }
}

fn is_heading(text: &str, tokens: &[Token], after: usize) -> bool {
    /// Longer paragraphs are prose, in bytes.
    const LONGEST: usize = 160;
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
        return false;
    };
    if last.full_end - first.span.start > LONGEST {
        return false;
    }
    if first.span.of(text) == "CHAPTER" {
        return true;
    }
    let ending = text[last.full_end..after].trim();
    if ending.starts_with(['.', '!', '?', ',', ';', ':', '—', '-', '…']) {
        return false;
    }
    let long = |token: &&Token| token.span.len() > 3 && token.case != Case::Number;
    let words = tokens.iter().filter(long).count();
    let capitals = tokens
        .iter()
        .filter(long)
        .filter(|t| t.is_capital())
        .count();
    tokens.len() > 1 && capitals * 10 >= words * 7
}
