//! Verdicts at places of an object that are named beforehand: those of a judge's own schema.
//!
//! Must not know schemas.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::Objects;
use super::key::Key;
use super::keys::Keys;
use super::text::decode;
use super::tree::{Node, Object};
use super::value::{Said, said};
use super::walk::is_another_scale;
use crate::models::parse::agree::{Asked, Verdict};
use crate::models::parse::form::Reading;
use crate::models::parse::offers::Offers;
use crate::models::parse::place::Strength;
use crate::models::parse::value::{Found, takes_back};

/// Where in a reply's object verdicts stand, by the keys that lead there.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Paths {
    /// Of each metric, in their order.
    pub scores: Vec<Vec<String>>,
    /// Of the reason.
    pub explanation: Option<Vec<String>>,
}

impl Paths {
    /// What the objects of a reply say of each metric; where two say different things, neither counts.
    pub(super) fn verdicts(&self, asked: &Asked<'_>, objects: &Objects) -> Vec<Option<Verdict>> {
        let of = |path: &Vec<String>| {
            let mut offers = Offers::default();
            let mut none = None;
            let mut twice = false;
            for root in objects.roots() {
                let mut places = Vec::new();
                at(asked, root, path, &mut places);
                let several = places.len() > 1;
                twice |= several;
                for Place { key, node, around } in places {
                    match said(asked.reply, node, asked.scale) {
                        Some(Said::Score(found)) => {
                            // Of several values none counts, so that the object need not be looked through for each.
                            let found = if several || self.is_disowned(asked, root, &found) {
                                Found::unclear(found.span)
                            } else if states_other(asked, around, key) {
                                found.on_another_scale()
                            } else {
                                found
                            };
                            offers.add(found, key);
                        }
                        Some(Said::None) => none = Some(key..key),
                        None => {}
                    }
                }
            }
            let found = offers.verdict();
            let (found, span) = match (found, none) {
                // Which of two values under one key is meant nobody knows.
                (Some((found, span)), _) if twice => (Some(Found::unclear(found.span)), span),
                (Some((found, span)), _) => (Some(found), span),
                (None, Some(span)) => (None, span),
                (None, None) => return None,
            };
            Some(Verdict {
                found,
                span,
                strength: Strength::Object,
                contradicted: false,
            })
        };
        self.scores.iter().map(of).collect()
    }

    /// Whether the texts of an object say that a score in it is none: all of them are those of a form that was not
    /// filled in, or one takes the score back.
    fn is_disowned(&self, asked: &Asked<'_>, root: &Object, found: &Found) -> bool {
        let mut places = Vec::new();
        for path in &self.scores {
            at(asked, root, path, &mut places);
        }
        let own = places.iter().filter_map(|place| match place.node {
            Node::Text(text) => Some(text.start),
            _ => None,
        });
        let own: BTreeSet<usize> = own.collect();
        let mut all = Vec::new();
        texts(root, &mut all);
        all.retain(|text| !own.contains(&text.start));
        let mut decoded = all.iter().map(|text| decode(&asked.reply[text.clone()]));
        let blank = !all.is_empty() && decoded.all(|text| is_blank(text.trim()));
        let value = found.value();
        blank
            || all.iter().any(|place| {
                let text = decode(&asked.reply[place.clone()]);
                let later = place.start > found.span.end;
                WITHDRAWN.is_match(&text)
                    || value.is_some_and(|value| later && takes_back(&text, value, asked.scale))
            })
    }

    /// Gives each reading the reason that stands in its object.
    pub(super) fn explain(&self, asked: &Asked<'_>, readings: &mut [Reading]) {
        let Some(path) = &self.explanation else {
            return;
        };
        let mut said = asked.objects().roots().filter_map(|root| {
            let mut places = Vec::new();
            at(asked, root, path, &mut places);
            match places[..] {
                [
                    Place {
                        node: Node::Text(place),
                        ..
                    },
                ] => Some(decode(&asked.reply[place.clone()]).trim().to_owned()),
                _ => None,
            }
        });
        let text = said.next().filter(|text| !text.is_empty());
        for reading in readings {
            reading.explanation.clone_from(&text);
        }
    }
}

/// A value to which keys lead.
struct Place<'o> {
    /// Where its key stands.
    key: usize,
    node: &'o Node,
    /// The object whose member it is.
    around: &'o Object,
}

/// Appends the values that these keys lead to: more than one where a key stands twice.
fn at<'o>(asked: &Asked<'_>, object: &'o Object, path: &[String], found: &mut Vec<Place<'o>>) {
    let Some((key, rest)) = path.split_first() else {
        return;
    };
    for member in &object.members {
        if decode(&asked.reply[member.key.clone()]) != key.as_str() {
            continue;
        }
        match (&member.value, rest) {
            (node, []) => found.push(Place {
                key: member.key.start,
                node,
                around: object,
            }),
            (Node::Object(below), rest) => at(asked, below, rest, found),
            _ => {}
        }
    }
}

/// Whether a member of an object, beside the one at `own`, states another scale than the one asked for.
fn states_other(asked: &Asked<'_>, object: &Object, own: usize) -> bool {
    object.members.iter().any(|member| {
        member.key.start != own
            && Keys::of(asked, member) == Key::Scale
            && is_another_scale(asked, &member.value)
    })
}

/// Appends the texts of an object, however deep.
fn texts(object: &Object, found: &mut Vec<Range<usize>>) {
    for member in &object.members {
        texts_below(&member.value, found);
    }
}

fn texts_below(node: &Node, found: &mut Vec<Range<usize>>) {
    match node {
        Node::Text(text) => found.push(text.clone()),
        Node::Object(object) => texts(object, found),
        Node::Array(entries) => {
            for entry in entries {
                texts_below(entry, found);
            }
        }
        Node::Bare(_) => {}
    }
}

/// Whether a text is that of a form: `string`, `...`, `<one sentence>`.
fn is_blank(text: &str) -> bool {
    let between = |open: char, close: char| {
        let inside = text
            .strip_prefix(open)
            .and_then(|text| text.strip_suffix(close));
        inside.is_some_and(|inside| !inside.is_empty() && !inside.contains(['<', '>']))
    };
    ["string", "str", "text", "...", "\u{2026}"].contains(&text) || between('<', '>')
}

/// Words that take a score back, wherever in the object they stand.
static WITHDRAWN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)
        \b (?:ignore|disregard|retract|withdraw|take\s+back) \s+ (?:the|this|my|that) \s+ (?:\w+\s+)? (?:mark|grade|score|rating) \b
      | \b take \s+ (?:the|this|my) \s+ (?:mark|grade|score|rating) \s+ back \b
      | \b (?:the|this|my) \s+ (?:mark|grade|score|rating) (?:\s+ (?:i\s+gave|above|below|here|given))? \s+ is \s+ (?:a\s+mistake|wrong|an\s+error|mistaken|incorrect) \b",
    )
    .expect("the pattern is a constant")
});

#[cfg(test)]
mod tests {

    use super::Paths;
    use crate::base::fixture::cpu_time;
    use crate::models::parse::{Finish, Parser, Reader, Thoughts};
    use crate::models::score::Scale;

    /// What a reply says at `verdict.mark`.
    fn mark(reply: &str) -> Option<f64> {
        let path = |keys: [&str; 2]| keys.map(str::to_owned).to_vec();
        let paths = Paths {
            scores: vec![path(["verdict", "mark"])],
            explanation: Some(path(["verdict", "why"])),
        };
        let reader = Reader::new(Parser::Json, &["overall".to_owned()]).unwrap();
        let reader = reader.with_paths(Some(paths));
        let form = reader.read(
            reply,
            Finish::Unknown,
            &Scale::ANY_1_TO_5,
            Thoughts::default(),
        );
        form.readings[0].outcome.score()
    }

    #[test]
    fn a_mark_at_its_place_is_read() {
        for reply in [
            r#"{"verdict": {"why": "clean", "mark": 4}}"#,
            r#"{"verdict": {"why": "clean", "mark": 4, "max": 5}}"#,
            r#"{"thoughts": "...", "verdict": {"why": "clean", "mark": 4}}"#,
            r#"{"verdict": {"why": "I thought of a 2 at first.", "mark": 4}, "max_words": "none"}"#,
        ] {
            assert_eq!(mark(reply), Some(4.0), "{reply}");
        }
    }

    #[test]
    fn objects_full_of_marks_or_reasons_take_linear_time() {
        for member in [r#""mark": "4","#, r#""mark": 4,"#, r#""why": "string","#] {
            let took = |bytes: usize| {
                let filled = member.repeat(bytes / member.len());
                let reply = format!(r#"{{"verdict": {{{filled}"mark": "4"}}}}"#);
                let start = cpu_time();
                mark(&reply);
                cpu_time().saturating_sub(start)
            };
            // Four times as much takes sixteen times as long where it is not, on slow machines too.
            let (few, many) = (took(1 << 14), took(1 << 16));
            assert!(many < few * 9, "{member}: {few:?}, {many:?}");
        }
    }

    #[test]
    fn a_mark_that_may_be_another_is_none() {
        for reply in [
            r#"{"verdict": {"mark": 4, "mark": 2}}"#,
            r#"{"verdict": {"mark": 4, "mark": null}}"#,
            r#"{"verdict": {"mark": 4}, "verdict": {"mark": 2}}"#,
            r#"{"verdict": {"why": "clean", "mark": 4, "max": 10}}"#,
            r#"{"verdict": {"why": "clean", "mark": 4, "out_of": 10}}"#,
            r#"{"verdict": {"why": "string", "mark": 4}}"#,
            r#"{"thoughts": "...", "verdict": {"why": "...", "mark": 4}}"#,
            r#"{"verdict": {"why": "<one sentence>", "mark": 4}}"#,
            r#"{"verdict": {"why": "Ignore the mark.", "mark": 4}}"#,
            r#"{"verdict": {"why": "I take the mark back, it is 2.", "mark": 4}}"#,
            r#"{"verdict": {"why": "The mark is wrong.", "mark": 4}}"#,
            r#"{"verdict": {"mark": 4"#,
        ] {
            assert_eq!(mark(reply), None, "{reply}");
        }
    }
}
