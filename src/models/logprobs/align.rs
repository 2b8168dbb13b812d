//! Which part of a reply each of its tokens spells.
//!
//! Servers list tokens that are not in the text: thoughts they keep apart, tokens that end a reply, and what they trim.

use std::ops::Range;

use serde_json::Value;

use super::token::{Token, Unusable, plain, tokens};

/// The longest character in bytes.
const CHARACTER: usize = 4;

/// How much in front of lost characters has to be found again, in bytes.
const ANCHOR: usize = 24;

/// The tokens of a reply as it is stored, and where in its text each stands (see [`spans`]).
///
/// # Errors
/// [`Unusable`], also where there are none.
pub fn placed(
    stored: Option<&Value>,
    text: &str,
    more: bool,
) -> Result<(Vec<Token>, Vec<Range<usize>>), Unusable> {
    let stored = stored.ok_or_else(|| Unusable::new("the reply came without them"))?;
    let tokens = tokens(stored)?;
    let spans = spans(&tokens, text, more);
    let spans = spans.ok_or_else(|| Unusable::new("they do not spell the reply"))?;
    Ok((tokens, spans))
}

/// Where in the text each token stands, in bytes: an empty range for one that does not. Nothing, where tokens do not spell
/// the text in one way.
///
/// `more` says that tokens of thoughts, which are not in the text, may stand before it.
pub fn spans(tokens: &[Token], text: &str, more: bool) -> Option<Vec<Range<usize>>> {
    let own: Vec<Piece> = tokens.iter().map(Piece::own).collect();
    let found = pieces(&own, text, more);
    // As the vocabulary writes them, and not as they read.
    found.or_else(|| {
        let plain: Vec<Piece> = tokens.iter().map(Piece::plain).collect();
        (plain != own).then(|| pieces(&plain, text, more)).flatten()
    })
}

/// What a token spells.
#[derive(PartialEq)]
struct Piece {
    bytes: Vec<u8>,
    lossy: bool,
}

impl Piece {
    fn own(token: &Token) -> Self {
        Self {
            bytes: token.bytes.clone(),
            lossy: token.lossy,
        }
    }

    fn plain(token: &Token) -> Self {
        Self {
            bytes: plain(&token.text()).into_bytes(),
            lossy: token.lossy,
        }
    }

    /// Whether it is nothing but blanks, or the name of a token that is none of the text's, such as `<|end|>`.
    fn is_aside(&self) -> bool {
        let text = String::from_utf8_lossy(&self.bytes);
        let text = text.trim();
        let named = |open, close| text.starts_with(open) && text.ends_with(close);
        text.is_empty() || named('<', '>') || named('[', ']')
    }
}

fn pieces(pieces: &[Piece], text: &str, more: bool) -> Option<Vec<Range<usize>>> {
    let start = text.len() - text.trim_start().len();
    let end = text.trim_end().len();
    if start >= end {
        return None;
    }
    if !more && let Some(spans) = forwards(pieces, text, start, end) {
        return Some(spans);
    }
    // What ends a reply may be listed and not be in the text.
    let mut last = pieces.len();
    loop {
        if let Some(mut spans) = backwards(&pieces[..last], text, (start, end), more) {
            spans.resize(pieces.len(), end..end);
            return Some(spans);
        }
        last = last.checked_sub(1)?;
        if !pieces[last].is_aside() {
            return None;
        }
    }
}

/// From the first token on; behind the text others may follow, such as those of a text at which the model stops.
fn forwards(pieces: &[Piece], text: &str, start: usize, end: usize) -> Option<Vec<Range<usize>>> {
    let mut at = start;
    let mut begun = false;
    let mut spans = Vec::with_capacity(pieces.len());
    for piece in pieces {
        if piece.lossy {
            return None;
        }
        let bytes = if begun {
            piece.bytes.as_slice()
        } else {
            piece.bytes.trim_ascii_start()
        };
        begun |= !bytes.is_empty();
        let rest = &text.as_bytes()[at..end];
        let shared = bytes.len().min(rest.len());
        if bytes[..shared] != rest[..shared] {
            return None;
        }
        spans.push(at..at + shared);
        at += shared;
    }
    (at == end).then_some(spans)
}

/// From the last token back.
fn backwards(
    pieces: &[Piece],
    text: &str,
    (start, end): (usize, usize),
    more: bool,
) -> Option<Vec<Range<usize>>> {
    let text = text.as_bytes();
    let mut spans = vec![start..start; pieces.len()];
    let mut at = end;
    let mut left = pieces.len();
    while left > 0 && at > start {
        let piece = &pieces[left - 1];
        if piece.lossy {
            let first = pieces[..left].iter().rposition(|piece| !piece.lossy);
            let first = first.map_or(0, |clean| clean + 1);
            let from = gap(&pieces[..first], &pieces[first..left], &text[start..at])? + start;
            spans[first..left].fill(from..at);
            (at, left) = (from, first);
            continue;
        }
        let bytes = if at == end {
            piece.bytes.trim_ascii_end()
        } else {
            piece.bytes.as_slice()
        };
        let rest = &text[start..at];
        let from = if rest.ends_with(bytes) {
            at - bytes.len()
        } else if let Some(before) = bytes.strip_suffix(rest)
            && (more || before.trim_ascii().is_empty())
        {
            start
        } else {
            return None;
        };
        left -= 1;
        spans[left] = from..at;
        at = from;
    }
    let aside = pieces[..left].iter().all(Piece::is_aside);
    (at == start && (more || aside)).then_some(spans)
}

/// Where lost characters begin that end a text: behind the one place where the tokens before them are found again.
fn gap(before: &[Piece], lost: &[Piece], text: &[u8]) -> Option<usize> {
    let mut anchor: Vec<u8> = Vec::new();
    let clean = before.iter().rev().take_while(|piece| !piece.lossy);
    for piece in clean {
        anchor.splice(0..0, piece.bytes.iter().copied());
        if anchor.len() >= ANCHOR {
            break;
        }
    }
    let most: usize = lost.iter().map(|piece| piece.bytes.len() + CHARACTER).sum();
    let least = text.len().saturating_sub(most);
    if before.is_empty() {
        return (least == 0).then_some(0);
    }
    let fits = |at: &usize| {
        let text = &text[..*at];
        let head = anchor.strip_suffix(text);
        text.ends_with(&anchor) || head.is_some_and(|head| head.trim_ascii().is_empty())
    };
    let mut places = (least..text.len()).filter(fits);
    let place = places.next()?;
    places.next().is_none().then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(text: &str) -> Token {
        Token {
            bytes: text.as_bytes().to_vec(),
            lossy: text.contains('\u{fffd}'),
            logprob: None,
            top: Vec::new(),
            given: false,
        }
    }

    fn found(tokens: &[&str], text: &str, more: bool) -> Option<Vec<String>> {
        let tokens: Vec<Token> = tokens.iter().map(|text| token(text)).collect();
        let spans = spans(&tokens, text, more)?;
        assert_eq!(spans.len(), tokens.len());
        Some(
            spans
                .into_iter()
                .map(|span| text[span].to_owned())
                .collect(),
        )
    }

    #[test]
    fn tokens_stand_where_they_spell_the_text() {
        for (tokens, text, spelt) in [
            (
                &["Score", ":", " 4"][..],
                "Score: 4",
                &["Score", ":", " 4"][..],
            ),
            // Blanks that the server trimmed, and tokens that end the reply.
            (
                &["\n", " Score", ": 4", "\n", "<|im_end|>"],
                "Score: 4",
                &["", "Score", ": 4", "", ""],
            ),
            (&["4", "\n\n"], "4", &["4", ""]),
            (&["4", "</s>"], "4", &["4", ""]),
            // A text at which the model stops.
            (&["4", "##", "#"], "4", &["4", "", ""]),
            // As vocabularies write them.
            (
                &["Score", ":", "\u{120}4", "\u{10a}"],
                "Score: 4",
                &["Score", ":", " 4", ""],
            ),
            (
                &["\u{2581}Score", ":", "\u{2581}4"],
                "Score: 4",
                &["Score", ":", " 4"],
            ),
        ] {
            let spelt: Vec<String> = spelt.iter().map(|text| (*text).to_owned()).collect();
            assert_eq!(found(tokens, text, false), Some(spelt), "{tokens:?}");
        }
    }

    #[test]
    fn thoughts_that_are_kept_apart_stand_before_the_text() {
        let tokens = ["<think>", "4", "?", "</think>", "\n\n", "4"];
        let spelt = ["", "", "", "", "", "4"].map(str::to_owned);
        assert_eq!(found(&tokens, "4", true), Some(spelt.to_vec()));
        assert_eq!(found(&tokens, "4", false), None);
    }

    #[test]
    fn lost_characters_are_passed_over_where_that_can_be_done_in_one_way() {
        let spelt = |list: &[&str]| {
            Some(
                list.iter()
                    .map(|text| (*text).to_owned())
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(
            found(
                &["Good ", "\u{fffd}", "\u{fffd}", " Score: ", "4"],
                "Good 🙂 Score: 4",
                false
            ),
            spelt(&["Good ", "🙂", "🙂", " Score: ", "4"])
        );
        assert_eq!(
            found(&["\u{fffd}\u{fffd}", " 4"], "🙂 4", false),
            spelt(&["🙂", " 4"])
        );
        assert_eq!(found(&["a", "\u{fffd}", "4"], "aaa4", false), None);
    }

    #[test]
    fn tokens_of_another_text_stand_nowhere() {
        assert_eq!(found(&["Score: ", "5"], "Score: 4", false), None);
        assert_eq!(found(&["4"], "Score: 4", false), None);
        assert_eq!(found(&["4", " or", " 5"], "5", false), None);
        assert_eq!(found(&[], "4", false), None);
        assert_eq!(found(&["4"], "", false), None);
    }
}
