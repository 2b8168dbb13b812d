//! What of a reply is the answer: everything outside the tags around thoughts, such as
//! `<think>…</think>`.
//!
//! Must not look at anything but the tags.

use std::ops::Range;

/// The parts of a reply that are its answer.
pub struct Visible {
    /// Byte ranges in ascending order, none of them overlapping.
    pub parts: Vec<Range<usize>>,
    /// Whether thinking was left open (or closed without having been opened).
    pub unclosed: bool,
}

/// Finds the answer in a reply whose thoughts stand in tags of this name.
///
/// With only one of the two tags nothing is visible: there is no telling thoughts from answer.
/// Thinking that is opened a second time and never closed hides the rest of the reply.
pub fn visible(reply: &str, tag: &str) -> Visible {
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let mut parts = Vec::with_capacity(2);
    let opens = reply.contains(&open);
    let closes = reply.contains(&close);
    if opens != closes {
        return Visible {
            parts,
            unclosed: true,
        };
    }
    let mut at = 0;
    let mut unclosed = false;
    while let Some(begin) = reply[at..].find(&open).map(|i| at + i) {
        parts.push(at..begin);
        let inside = begin + open.len();
        at = if let Some(i) = reply[inside..].find(&close) {
            inside + i + close.len()
        } else {
            unclosed = true;
            reply.len()
        };
    }
    parts.push(at..reply.len());
    parts.retain(|part| !part.is_empty());
    Visible { parts, unclosed }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(reply: &str) -> (String, bool) {
        let found = visible(reply, "think");
        let text = found.parts.into_iter().map(|part| &reply[part]).collect();
        (text, found.unclosed)
    }

    #[test]
    fn a_reply_without_tags_is_all_answer() {
        assert_eq!(shown("all of it"), ("all of it".to_owned(), false));
    }

    #[test]
    fn thoughts_are_left_out_wherever_they_stand() {
        let reply = "a<think>x</think>b<think>y</think>c";
        assert_eq!(shown(reply), ("abc".to_owned(), false));
    }

    #[test]
    fn with_only_one_tag_nothing_is_answer() {
        assert_eq!(shown("a <think> b"), (String::new(), true));
        assert_eq!(shown("a </think> b"), (String::new(), true));
    }

    #[test]
    fn thinking_that_is_reopened_hides_the_rest() {
        let reply = "<think>x</think>a<think>y";
        assert_eq!(shown(reply), ("a".to_owned(), true));
    }
}
