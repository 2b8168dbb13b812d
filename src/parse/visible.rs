//! What of a reply is the answer: everything outside the tags around thoughts, such as
//! `<think>…</think>`.
//!
//! Must not look at anything but the tags.

use std::ops::Range;

use super::Finish;

/// How a model's thoughts are told from its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thoughts<'t> {
    /// The tag around them: `think` stands for `<think>…</think>`.
    pub tag: &'t str,
    /// Whether the prompt ends with the opening tag, as some chat templates make it: then a reply
    /// begins within thoughts and has the closing tag only.
    pub opened: bool,
}

impl Default for Thoughts<'_> {
    /// `<think>…</think>`, both written by the model.
    fn default() -> Self {
        Self {
            tag: "think",
            opened: false,
        }
    }
}

/// The parts of a reply that are its answer.
pub struct Visible {
    /// Byte ranges in ascending order, none of them overlapping.
    pub parts: Vec<Range<usize>>,
    /// Whether thinking was left open (or closed without having been opened).
    pub unclosed: bool,
}

impl Visible {
    /// Nothing, since there is no telling thoughts from answer.
    fn nothing() -> Self {
        Self {
            parts: Vec::new(),
            unclosed: true,
        }
    }
}

/// Finds the answer in a reply.
///
/// With only one of the two tags nothing is visible: there is no telling thoughts from answer.
/// Thinking that is opened a second time and never closed hides the rest of the reply.
///
/// Where the prompt opens the tag, the answer stands behind the first closing one, and what is there
/// is read by the same rule. Without any tag the reply is all answer if the model had finished (servers
/// may take the thoughts out themselves) and unclosed thinking if it had not, or if that is not known.
/// A reply that begins with the opening tag all the same is read as any other.
pub fn visible(reply: &str, finish: Finish, thoughts: Thoughts<'_>) -> Visible {
    let (open, close) = (
        format!("<{}>", thoughts.tag),
        format!("</{}>", thoughts.tag),
    );
    if !thoughts.opened || reply.trim_start().starts_with(&open) {
        return outside(reply, 0, &open, &close);
    }
    match reply.find(&close) {
        Some(at) => outside(reply, at + close.len(), &open, &close),
        None if finish == Finish::Stop && !reply.contains(&open) => {
            outside(reply, 0, &open, &close)
        }
        None => Visible::nothing(),
    }
}

/// What stands outside of the tags from the byte `from` on.
fn outside(reply: &str, from: usize, open: &str, close: &str) -> Visible {
    let opens = reply[from..].contains(open);
    let closes = reply[from..].contains(close);
    if opens != closes {
        return Visible::nothing();
    }
    let mut parts = Vec::with_capacity(2);
    let mut at = from;
    let mut unclosed = false;
    while let Some(begin) = reply[at..].find(open).map(|i| at + i) {
        parts.push(at..begin);
        let inside = begin + open.len();
        at = if let Some(i) = reply[inside..].find(close) {
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
        read(reply, Finish::Stop, Thoughts::default())
    }

    fn read(reply: &str, finish: Finish, thoughts: Thoughts<'_>) -> (String, bool) {
        let found = visible(reply, finish, thoughts);
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

    #[test]
    fn where_the_prompt_opens_the_tag_the_answer_stands_behind_the_closing_one() {
        let thoughts = Thoughts {
            tag: "why",
            opened: true,
        };
        for (reply, answer) in [
            ("t</why>\n\na", Some("\n\na")),
            ("</why>a", Some("a")),
            ("t</why>", Some("")),
            // The tag is named in thoughts, or thinking is opened again.
            ("t <why> t</why>a", Some("a")),
            ("t</why>a<why>t</why>b", Some("ab")),
            ("t</why>a<why>t", None),
            // Which of them ends the thoughts cannot be told.
            ("t</why>a</why>b", None),
            ("t<why>t", None),
            // The model opened them itself all the same.
            ("\n<why>t</why>a", Some("\na")),
            ("<why>t", None),
            // Another tag.
            ("t</think>a", Some("t</think>a")),
        ] {
            let expected = (answer.unwrap_or_default().to_owned(), answer.is_none());
            assert_eq!(read(reply, Finish::Stop, thoughts), expected, "{reply}");
        }
    }

    #[test]
    fn a_reply_that_never_closes_what_the_prompt_opened_is_an_answer_only_if_it_finished() {
        let thoughts = Thoughts {
            opened: true,
            ..Thoughts::default()
        };
        let all = ("Score: 4".to_owned(), false);
        assert_eq!(read("Score: 4", Finish::Stop, thoughts), all);
        for finish in [Finish::Length, Finish::Unknown] {
            let nothing = (String::new(), true);
            assert_eq!(read("Score: 4", finish, thoughts), nothing);
        }
        // Where nothing is opened, cut replies are read as far as they go.
        assert_eq!(read("Score: 4", Finish::Length, Thoughts::default()), all);
    }
}
