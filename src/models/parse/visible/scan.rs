//! The tags of a reply: where something that may be thoughts begins and where it ends.
//!
//! Takes time linear in the reply. Must not decide what is answer.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};
use memchr::{memchr2, memchr3};

use super::lines;
use super::names::{is_plain, is_plain_token, is_thought, is_thought_in_brackets};

/// The longest tag, in bytes, with its attributes.
const LONGEST: usize = 300;

/// How a tag is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    /// `<name>` and `</name>`.
    Angle,
    /// `[NAME]` and `[/NAME]`.
    Bracket,
    /// `◁name▷` and `◁/name▷`.
    Triangle,
    /// `<|begin_of_name|>` and `<|end_of_name|>`.
    Bar,
    /// `<details>`, of thoughts where its type or its summary says so.
    Details,
    /// `<!-- … -->`.
    Comment,
    /// A line with three backticks and a word, and one without a word.
    Fence,
    /// A sentence that announces thoughts, and one that announces the answer.
    Sentence,
    /// A token of a format in channels: `<|channel|>`, `<|message|>`.
    Channel,
    /// Something behind which the answer stands, whatever was before.
    Final,
}

/// Which of two tags it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// The first.
    Open,
    /// The second.
    Close,
    /// Both, with all that stands between them.
    Whole,
}

/// A tag in a reply.
#[derive(Debug, Clone)]
pub(super) struct Token<'t> {
    /// Where it stands.
    pub(super) range: Range<usize>,
    pub(super) syntax: Syntax,
    pub(super) turn: Turn,
    /// Its name as written, without what only says whether it opens or closes.
    pub(super) name: &'t str,
    /// Whether thoughts stand behind it (or before it, if it closes).
    pub(super) thought: bool,
}

impl Token<'_> {
    /// Whether two tags belong together, if one opens and the other closes.
    pub(super) fn fits(&self, other: &Self) -> bool {
        self.syntax == other.syntax
            && match self.syntax {
                Syntax::Fence => other.turn == Turn::Open || other.name.starts_with(self.name),
                Syntax::Sentence | Syntax::Details => true,
                _ => self.name.eq_ignore_ascii_case(other.name),
            }
    }
}

/// What closes in brackets.
static BRACKET: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("[/"));

/// What opens in triangles.
static TRIANGLE: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("◁"));

/// All tags that could matter, in the order in which they stand; `own` is a name that means thoughts too.
pub(super) fn tokens<'t>(reply: &'t str, own: &str) -> Vec<Token<'t>> {
    let bytes = reply.as_bytes();
    let mut scanner = Scanner {
        reply,
        own,
        brackets: BRACKET.find(bytes).is_some(),
        comments: true,
    };
    // Curly quotes begin with the byte of `◁` too, and are everywhere.
    let third = if TRIANGLE.find(bytes).is_some() {
        "◁".as_bytes()[0]
    } else {
        b'<'
    };
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(i) = memchr3(b'<', b'[', third, &bytes[at..]) {
        let start = at + i;
        let token = match bytes[start] {
            b'<' => scanner.angle(start),
            b'[' => scanner.bracket(start),
            _ => scanner.triangle(start),
        };
        at = token.as_ref().map_or(start + 1, |token| token.range.end);
        found.extend(token);
    }
    if lines::add(reply, &mut found) {
        found.sort_by_key(|token| token.range.start);
    }
    found
}

struct Scanner<'t, 'o> {
    reply: &'t str,
    own: &'o str,
    /// Whether something is closed in brackets anywhere.
    brackets: bool,
    /// Whether comments that end may follow.
    comments: bool,
}

impl<'t> Scanner<'t, '_> {
    fn angle(&mut self, start: usize) -> Option<Token<'t>> {
        let bytes = &self.reply.as_bytes()[start + 1..];
        if bytes.starts_with(b"!--") {
            return self.comment(start);
        }
        // Most of these signs are no tags: comparisons and hearts.
        let first = bytes.iter().find(|b| !b.is_ascii_whitespace())?;
        if first.is_ascii_digit() || matches!(first, b'=' | b'-' | b'<') {
            return None;
        }
        let window = &bytes[..bytes.len().min(LONGEST)];
        let end = memchr2(b'<', b'>', window).filter(|end| window[*end] == b'>')?;
        let inner = &self.reply[start + 1..start + 1 + end];
        let range = start..start + end + 2;
        let bar = |c: char| c == '|' || c == '\u{ff5c}';
        if inner.starts_with(bar) || inner.ends_with(bar) {
            return special(inner, range);
        }
        let (turn, inner) = turned(inner.trim());
        let length = inner.find(|c: char| !c.is_alphanumeric() && !"_:.-".contains(c));
        let (name, attributes) = inner.split_at(length.unwrap_or(inner.len()));
        let empty = attributes.ends_with('/');
        if !name.starts_with(char::is_alphabetic)
            || empty
            || !(attributes.is_empty() || attributes.starts_with(char::is_whitespace))
        {
            return None;
        }
        let own = name.eq_ignore_ascii_case(self.own);
        if name.eq_ignore_ascii_case("details") && !own {
            return Some(Token {
                thought: turn == Turn::Open && self.folds_thoughts(attributes, range.end),
                syntax: Syntax::Details,
                range,
                turn,
                name,
            });
        }
        let thought = own || is_thought(name);
        (thought || !is_plain(name)).then_some(Token {
            range,
            syntax: Syntax::Angle,
            turn,
            name,
            thought,
        })
    }

    /// A comment; one that never ends is only opened, and only at the start of a line, as in Markdown: elsewhere it is text.
    fn comment(&mut self, start: usize) -> Option<Token<'t>> {
        let inside = start + 4;
        let rest = &self.reply.as_bytes()[inside..];
        let end = self.comments.then(|| memmem::find(rest, b"-->")).flatten();
        self.comments = end.is_some();
        let line = self.reply[..start].rsplit('\n').next().unwrap_or_default();
        (end.is_some() || line.trim().is_empty()).then(|| Token {
            range: start..end.map_or(inside, |end| inside + end + 3),
            syntax: Syntax::Comment,
            turn: end.map_or(Turn::Open, |_| Turn::Whole),
            name: "!--",
            thought: true,
        })
    }

    /// Whether a folded part is one of thoughts, by its type or by its summary.
    fn folds_thoughts(&self, attributes: &str, end: usize) -> bool {
        let says = |text: &str| {
            let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            words.filter(|word| !word.is_empty()).any(is_thought)
        };
        let rest = self.reply[end..].trim_start();
        let summary = || {
            let summary = rest.strip_prefix("<summary")?;
            let summary = &summary[..summary.floor_char_boundary(LONGEST)];
            summary.split("</").next()
        };
        says(attributes) || summary().is_some_and(says)
    }

    fn bracket(&self, start: usize) -> Option<Token<'t>> {
        let rest = &self.reply[start + 1..];
        let likely = matches!(rest.as_bytes().first()?, b'/' | b'T' | b't' | b'B' | b'E');
        if !likely && !self.brackets {
            return None;
        }
        let (turn, name) = turned(rest);
        let length = name.find(|c: char| !c.is_alphanumeric() && !"_- ".contains(c))?;
        let after = name[length..].strip_prefix(']')?;
        let end = self.reply.len() - after.len();
        let name = &name[..length];
        let mut token = Token {
            range: start..end,
            syntax: Syntax::Bracket,
            turn,
            name,
            thought: false,
        };
        for (words, turn) in [
            ("BEGIN FINAL RESPONSE", Turn::Open),
            ("END FINAL RESPONSE", Turn::Close),
        ] {
            if name == words {
                (token.syntax, token.turn) = (Syntax::Final, turn);
                return Some(token);
            }
        }
        let link = after.starts_with('(');
        if name.is_empty() || link {
            return None;
        }
        token.thought = is_thought_in_brackets(name) || (self.brackets && is_thought(name));
        (token.thought || (self.brackets && !is_plain(name))).then_some(token)
    }

    fn triangle(&self, start: usize) -> Option<Token<'t>> {
        let rest = self.reply[start..].strip_prefix('◁')?;
        let (turn, name) = turned(rest);
        let length = name.find(|c: char| !c.is_alphanumeric() && !"_- ".contains(c))?;
        let after = name[length..].strip_prefix('▷')?;
        let name = &name[..length];
        (!is_plain(name)).then(|| Token {
            range: start..self.reply.len() - after.len(),
            syntax: Syntax::Triangle,
            turn,
            name,
            thought: is_thought(name),
        })
    }
}

/// Whether a tag closes, by a slash (which JSON may escape), and its text without that.
fn turned(inner: &str) -> (Turn, &str) {
    let closed = inner
        .strip_prefix('/')
        .or_else(|| inner.strip_prefix("\\/"));
    match closed {
        Some(name) => (Turn::Close, name.trim_start()),
        None => (Turn::Open, inner),
    }
}

/// A token such as `<|START_THINKING|>` or `<|channel|>`.
fn special(inner: &str, range: Range<usize>) -> Option<Token<'_>> {
    let bar = |c: char| c == '|' || c == '\u{ff5c}';
    let both = inner.starts_with(bar) && inner.ends_with(bar);
    let (mut turn, mut name) = turned(inner.trim_matches(bar).trim());
    let mut token = Token {
        range,
        syntax: Syntax::Bar,
        turn,
        name,
        thought: false,
    };
    if !both {
        // As Gemma writes it: `<|channel>thought`, `<channel|>`.
        if name == "channel" {
            token.thought = true;
        } else {
            token.thought = is_thought(name);
        }
        if inner.ends_with(bar) {
            token.turn = Turn::Close;
        }
        return token.thought.then_some(token);
    }
    if ["channel", "message", "start", "end", "return", "call"].contains(&name) {
        token.syntax = Syntax::Channel;
        return Some(token);
    }
    let parting = |c: char| "_- \u{2581}".contains(c);
    let mut signed = turn == Turn::Close;
    while let Some((word, rest)) = name.split_once(parting) {
        match &*word.to_ascii_lowercase() {
            "start" | "begin" => turn = Turn::Open,
            "end" => turn = Turn::Close,
            "of" => {}
            _ => break,
        }
        (name, signed) = (rest, true);
    }
    while let Some((rest, word)) = name.rsplit_once(parting) {
        match &*word.to_ascii_lowercase() {
            "start" | "begin" => turn = Turn::Open,
            "end" => turn = Turn::Close,
            _ => break,
        }
        (name, signed) = (rest, true);
    }
    token.thought = is_thought(name);
    (token.turn, token.name) = (turn, name);
    (token.thought || (signed && !is_plain_token(name))).then_some(token)
}
