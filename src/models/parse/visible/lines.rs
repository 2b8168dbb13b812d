//! Thoughts that are marked by whole lines rather than by tags: fences, sentences, and what is left of a format in
//! channels whose tokens were taken out.
//!
//! Must not decide what is answer.

use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::names::is_thought;
use super::scan::{Syntax, Token, Turn};

/// What is left of the tokens before the answer.
const FINAL: &str = "assistantfinal";

static CHANNEL: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(FINAL));

/// How thoughts are announced, and the answer.
static THOUGHTS: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("my thought process:"));
static RESPONSE: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("my response:"));

/// Adds what lines say to the tags of a reply; whether anything was added.
pub(super) fn add<'t>(reply: &'t str, found: &mut Vec<Token<'t>>) -> bool {
    let before = found.len();
    fences(reply, found);
    sentences(reply, found);
    session(reply, found);
    plain_channels(reply, found);
    found.len() > before
}

/// The fences of a reply, if one of them is around thoughts: then all of them, to find its end.
fn fences<'t>(reply: &'t str, found: &mut Vec<Token<'t>>) {
    // Most replies have none.
    if memchr::memchr2(b'`', b'~', reply.as_bytes()).is_none() {
        return;
    }
    let mut fences = Vec::new();
    for (sign, first) in [("```", b'`'), ("~~~", b'~')] {
        let mut at = 0;
        while let Some(i) = memchr::memchr(first, &reply.as_bytes()[at..]) {
            if !reply[at + i..].starts_with(sign) {
                at += i + 1;
                continue;
            }
            let start = at + i;
            let rest = &reply[start..];
            let info = rest.trim_start_matches(&sign[..1]);
            let run = &rest[..rest.len() - info.len()];
            let line = info.split('\n').next().unwrap_or_default();
            at = start + run.len();
            let begins = reply[..start].trim_end_matches([' ', '\t', '>']);
            if !(begins.is_empty() || begins.ends_with('\n')) || line.contains(&sign[..1]) {
                continue;
            }
            let word = line.trim().split(char::is_whitespace).next();
            let word = word.unwrap_or_default();
            fences.push(Token {
                range: start..at + line.len(),
                syntax: Syntax::Fence,
                turn: if word.is_empty() {
                    Turn::Close
                } else {
                    Turn::Open
                },
                name: run,
                thought: !word.is_empty() && is_thought(word),
            });
        }
    }
    if fences.iter().any(|fence| fence.thought) {
        found.append(&mut fences);
    }
}

/// `Here is my thought process:` and, behind it, `Here is my response:`.
fn sentences<'t>(reply: &'t str, found: &mut Vec<Token<'t>>) {
    let before = found.len();
    for (words, turn) in [(&THOUGHTS, Turn::Open), (&RESPONSE, Turn::Close)] {
        for start in words.find_iter(reply.as_bytes()) {
            let above = reply[..start].trim_end();
            let announced = ["here is", "here's", "here\u{2019}s"];
            let announced = announced.iter().find(|said| {
                let at = above.len().checked_sub(said.len());
                at.and_then(|at| above.get(at..))
                    .is_some_and(|end| end.eq_ignore_ascii_case(said))
            });
            if let Some(said) = announced {
                found.push(Token {
                    range: above.len() - said.len()..start + words.needle().len(),
                    syntax: Syntax::Sentence,
                    turn,
                    name: "",
                    thought: true,
                });
            }
        }
        if found.len() == before {
            // Without thoughts announced a response is just announced.
            return;
        }
    }
}

/// What a terminal prints around thoughts: `Thinking...` and `...done thinking.`.
fn session<'t>(reply: &'t str, found: &mut Vec<Token<'t>>) {
    const BEGIN: &str = "Thinking...";
    const END: &str = "...done thinking.";
    let text = reply.trim_start();
    if !text.starts_with(BEGIN) {
        return;
    }
    let start = reply.len() - text.len();
    let inside = start + BEGIN.len();
    let end = memmem::find(&reply.as_bytes()[inside..], END.as_bytes());
    found.push(Token {
        range: start..end.map_or(inside, |end| inside + end + END.len()),
        syntax: Syntax::Sentence,
        turn: end.map_or(Turn::Open, |_| Turn::Whole),
        name: "",
        thought: true,
    });
}

/// What is left of channels when their tokens are taken out: `analysisHm.assistantfinalScore: 4`.
fn plain_channels<'t>(reply: &'t str, found: &mut Vec<Token<'t>>) {
    let before = found.len();
    found.extend(CHANNEL.find_iter(reply.as_bytes()).map(|start| Token {
        range: start..start + FINAL.len(),
        syntax: Syntax::Final,
        turn: Turn::Open,
        name: FINAL,
        thought: false,
    }));
    let text = reply.trim_start();
    let runs_on = |channel: &&str| {
        let rest = text.strip_prefix(channel);
        rest.is_some_and(|rest| rest.starts_with(char::is_alphanumeric))
    };
    let channel = ["analysis", "commentary"].into_iter().find(runs_on);
    if let Some(channel) = channel
        && found.len() == before
    {
        let start = reply.len() - text.len();
        found.push(Token {
            range: start..start + channel.len(),
            syntax: Syntax::Channel,
            turn: Turn::Open,
            name: "channel",
            thought: false,
        });
    }
}
