//! Where the answer stands in a reply of several channels, and behind a mark that announces it.
//!
//! Must not look for thoughts within the answer.

use std::ops::Range;

use super::scan::{Syntax, Token, Turn};

/// The channel of the answer; all others are thoughts and calls of tools.
const ANSWER: &str = "final";

/// The places of a reply from the byte `from` on that may hold the answer; none where channels are begun and the answer's
/// is not, or where the reply ends in another.
pub(super) fn regions(reply: &str, from: usize, tokens: &[Token<'_>]) -> Option<Vec<Range<usize>>> {
    let of = |syntax| tokens.iter().filter(move |token| token.syntax == syntax);
    if of(Syntax::Channel).any(|token| token.name == "channel") {
        let marks: Vec<_> = of(Syntax::Channel).collect();
        return messages(reply, from, &marks);
    }
    let mut announced = of(Syntax::Final).filter(|token| token.range.start >= from);
    let Some(first) = announced.next() else {
        return Some(std::iter::once(from..reply.len()).collect());
    };
    // Several of them, or an end without a begin, do not say where the answer is.
    let last = announced.next();
    let ended = last.is_none_or(|last| last.turn == Turn::Close);
    if first.turn == Turn::Close || !ended || announced.next().is_some() {
        return None;
    }
    let end = last.map_or(reply.len(), |last| last.range.start);
    Some(std::iter::once(first.range.end..end).collect())
}

/// The messages in the channel of the answer.
fn messages(reply: &str, from: usize, marks: &[&Token<'_>]) -> Option<Vec<Range<usize>>> {
    let mut found = Vec::new();
    let mut channel = None;
    let mut open = false;
    for (i, mark) in marks.iter().enumerate() {
        let next = marks.get(i + 1);
        let end = next.map_or(reply.len(), |next| next.range.start);
        match mark.name {
            "channel" => {
                let head = &reply[mark.range.end..end];
                channel = head
                    .split(|c: char| c.is_whitespace() || c == '<')
                    .find(|word| !word.is_empty());
                open = true;
            }
            "message" => {
                let is_answer = channel.take() == Some(ANSWER);
                open = !is_answer && next.is_none();
                if is_answer && mark.range.end >= from {
                    found.push(mark.range.end..end);
                }
            }
            _ => {}
        }
    }
    (!open && !found.is_empty()).then_some(found)
}
