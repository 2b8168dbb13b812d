//! What of a reply is the answer: everything that is not marked as thoughts.
//!
//! Models and servers mark thoughts in many ways, and a judge's draft is no verdict, so all forms that are known are
//! taken out whatever the model is called. Seen in the documentation of vLLM's and SGLang's reasoning parsers, of NVIDIA
//! Dynamo's, of Open `WebUI`, in the format of OpenAI's open models, and in reports of thoughts that leaked:
//! - `<think>…</think>` (`DeepSeek`, Qwen, GLM, `MiniMax`, Nemotron, Hunyuan, ERNIE), also as `<thinking>`, `<thought>`,
//!   `<reason>`, `<reasoning>`, `<seed:think>`, `<antThinking>`, `<reflection>`, `<scratchpad>` (see `names`),
//! - `[THINK]…[/THINK]` (Magistral), `◁think▷…◁/think▷` (Kimi), `<|START_THINKING|>…<|END_THINKING|>` (Command),
//!   `<|begin_of_thought|>…<|end_of_thought|>` (`OpenThinker`), `<|channel>thought…<channel|>` (Gemma),
//! - `<|channel|>analysis<|message|>…<|end|>`, with the answer in the channel `final` (gpt-oss), also where servers took the
//!   tokens out and left `analysis…assistantfinal…`,
//! - `Here is my thought process: … Here is my response: …` (Granite), `Thinking... …done thinking.` (Ollama's terminal),
//!   `[BEGIN FINAL RESPONSE]` (Apriel), `<details type="reasoning">` (Open `WebUI`), fences such as ` ```thinking `, and
//!   comments of HTML, which nobody is shown.
//!
//! Must not look at what thoughts or answer say.

mod channel;
mod doubt;
mod lines;
mod names;
mod scan;
#[cfg(test)]
mod tests;

use std::ops::Range;

use self::scan::{Syntax, Token, Turn};
use super::Finish;

pub(super) use self::doubt::settled;

/// How a model's thoughts are told from its answer, beside the forms that are known.
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
#[derive(Debug, Clone, Default)]
pub struct Visible {
    /// Byte ranges in ascending order, none of them overlapping.
    pub parts: Vec<Range<usize>>,
    /// Whether thoughts and answer could not be told apart: then there are no parts.
    pub unclosed: bool,
    /// Where a pair of tags stands around text and nothing is known of the tag: a draft, a quotation, an answer.
    pub(super) doubtful: Vec<Doubtful>,
}

/// What stands between two tags of which nothing is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Doubtful {
    /// Where the name of the tag stands.
    name: Range<usize>,
    /// All between the two tags.
    range: Range<usize>,
}

/// Finds the answer in a reply.
///
/// Of a pair of tags within itself the outer one counts; what else stands in thoughts does not matter. Where a tag has no
/// partner nothing is visible: there is no telling thoughts from answer, also where thinking is opened again after an
/// answer.
///
/// Where the prompt opens the tag, the answer stands behind the first closing one, and what is there
/// is read by the same rule. Without that tag the reply is all answer if the model had finished (servers
/// may take the thoughts out themselves) and unclosed thinking if it had not, or if that is not known.
/// A reply that begins with the opening tag all the same is read as any other.
pub fn visible(reply: &str, finish: Finish, thoughts: Thoughts<'_>) -> Visible {
    let tokens = scan::tokens(reply, thoughts.tag);
    answer(reply, finish, thoughts, &tokens).unwrap_or(Visible {
        unclosed: true,
        ..Visible::default()
    })
}

/// The answer, unless it cannot be told from thoughts.
fn answer(
    reply: &str,
    finish: Finish,
    thoughts: Thoughts<'_>,
    tokens: &[Token<'_>],
) -> Option<Visible> {
    let own = |token: &&Token<'_>| {
        token.syntax == Syntax::Angle && token.name.eq_ignore_ascii_case(thoughts.tag)
    };
    let mut from = 0;
    if thoughts.opened {
        let first = tokens.iter().find(own);
        let starts = |token: &&Token<'_>| {
            token.turn == Turn::Open && reply[..token.range.start].trim().is_empty()
        };
        if first.is_none() {
            (finish == Finish::Stop).then_some(())?;
        } else if !first.as_ref().is_some_and(starts) {
            let mut owned = tokens.iter().filter(own);
            from = owned.find(|token| token.turn == Turn::Close)?.range.end;
        }
    }
    let mut visible = Visible::default();
    for region in channel::regions(reply, from, tokens)? {
        let inside =
            |token: &&Token<'_>| token.range.start >= region.start && token.range.end <= region.end;
        let tokens = tokens.iter().filter(inside);
        outside(&region, tokens.clone(), &mut visible.parts)?;
        let parts = &visible.parts;
        let shown = |token: &&Token<'_>| {
            let part = parts.partition_point(|part| part.end <= token.range.start);
            parts
                .get(part)
                .is_some_and(|part| part.start <= token.range.start)
        };
        doubt::pairs(reply, &region, tokens.filter(shown), &mut visible.doubtful);
    }
    visible.parts.retain(|part| !part.is_empty());
    Some(visible)
}

/// What stands outside of thoughts in a region, unless a tag has no partner.
fn outside<'t>(
    region: &Range<usize>,
    tokens: impl Iterator<Item = &'t Token<'t>>,
    parts: &mut Vec<Range<usize>>,
) -> Option<()> {
    let mut at = region.start;
    let mut inside: Option<(&Token<'_>, usize)> = None;
    for token in tokens {
        if token.range.start < at {
            continue;
        }
        match (&mut inside, token.turn) {
            (Some((open, depth)), Turn::Open) if open.fits(token) => *depth += 1,
            (Some((open, depth)), Turn::Close) if open.fits(token) => {
                *depth -= 1;
                if *depth == 0 {
                    (at, inside) = (token.range.end, None);
                }
            }
            (None, Turn::Open) if token.thought => {
                parts.push(at..token.range.start);
                inside = Some((token, 1));
            }
            (None, Turn::Whole) => {
                parts.push(at..token.range.start);
                at = token.range.end;
            }
            (None, Turn::Close) if token.thought && token.syntax != Syntax::Sentence => {
                return None;
            }
            _ => {}
        }
    }
    if inside.is_some() {
        return None;
    }
    parts.push(at..region.end);
    Some(())
}
