//! Templates of several turns: `{% turn "user" %}…{% endturn %}`, each of which becomes a message of its own.
//!
//! minijinja has no tags but its own. So a turn is written anew before it is compiled, as the call of a function with a
//! block, in just as many bytes and lines: places in the one text are places in the other. Turns are kept beside the
//! text that is rendered, never in it, and who speaks is written in the template: nothing that a row holds can begin a
//! turn or end one.

use std::borrow::Cow;
use std::ops::Range;

use minijinja::machinery::{Token, tokenize};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Kwargs, Value};
use minijinja::{Environment, Error, ErrorKind, State};

use super::bounds::{Excess, Piece, word};
use crate::base::wording::{nearest, shorten};
use crate::models::ask::{Message, Role};

/// Who may speak: the word in the tag, the role, and the function that takes the tag's place.
const ROLES: [(&str, Role, &str); 3] = [
    ("system", Role::System, "__s"),
    ("user", Role::User, "__u"),
    ("assistant", Role::Assistant, "__a"),
];

/// The turns of a rendering.
#[derive(Default)]
struct Turns {
    said: Vec<Message>,
    /// Whether one is being rendered.
    open: bool,
}

/// Sets the functions that take the place of tags.
pub(super) fn install(environment: &mut Environment<'static>) {
    for (_, role, function) in ROLES {
        environment.add_function(function, move |state: &mut State, block: Kwargs| {
            say(state, role, &block)
        });
    }
}

/// Renders a turn and puts it beside the others; it leaves nothing in the text around it.
fn say(state: &mut State, role: Role, block: &Kwargs) -> Result<Value, Error> {
    let turns = state.get_or_insert_extension(Turns::default());
    if turns.open {
        return Err(wrong(
            "a turn stands within another, through an `include` or a macro".to_owned(),
        ));
    }
    turns.open = true;
    let block: Value = block.get("caller")?;
    let content = block.call(state, &[])?.to_string();
    let turns = state.get_or_insert_extension(Turns::default());
    turns.open = false;
    turns.said.push(Message { role, content });
    Ok(Value::from(""))
}

/// The turns of a rendering.
pub(super) fn said(state: &mut State) -> Vec<Message> {
    let turns = state.get_extension_mut::<Turns>();
    turns.map_or_else(Vec::new, |turns| std::mem::take(&mut turns.said))
}

/// The conversation that a rendering came to: its turns or, without any, its text as what the user says.
///
/// # Errors
/// Turns that are no conversation.
pub(super) fn conversation(said: Vec<Message>, text: String) -> Result<Vec<Message>, Error> {
    if said.is_empty() {
        let role = Role::User;
        return Ok(vec![Message {
            role,
            content: text,
        }]);
    }
    let around = text.trim();
    if !around.is_empty() {
        let around = shorten(around, 40);
        return Err(wrong(format!(
            "`{around}` stands outside of all turns, where nobody says it"
        )));
    }
    match misplaced(&said) {
        Some(why) => Err(wrong(why)),
        None => Ok(said),
    }
}

/// What is wrong with the order of turns. What servers make of it differs, so none is sent it.
fn misplaced(turns: &[Message]) -> Option<String> {
    let name = |at: usize| format!("turn {} (`{}`)", at + 1, called(turns[at].role));
    if let Some(at) = turns.iter().position(|turn| turn.content.trim().is_empty()) {
        return Some(format!("{} is empty", name(at)));
    }
    if let Some(at) = (1..turns.len()).find(|&at| turns[at].role == Role::System) {
        return Some(format!(
            "{} comes late: only the first turn can be `system`",
            name(at)
        ));
    }
    match turns.iter().find(|turn| turn.role != Role::System) {
        None => return Some("no turn is the user's".to_owned()),
        Some(first) if first.role == Role::Assistant => {
            return Some(
                "the first turn is `assistant`: a conversation begins with `user`".to_owned(),
            );
        }
        Some(_) => {}
    }
    let replies = |at: &usize| {
        turns[at - 1..=*at]
            .iter()
            .all(|turn| turn.role == Role::Assistant)
    };
    let twice = (1..turns.len()).find(replies)?;
    Some(format!("{} follows another of `assistant`", name(twice)))
}

fn called(role: Role) -> &'static str {
    let mut roles = ROLES.iter();
    roles
        .find(|(_, known, _)| *known == role)
        .map_or("", |(word, ..)| word)
}

fn wrong(what: String) -> Error {
    Error::new(ErrorKind::InvalidOperation, what)
}

/// What the compiler says, of the tags that it knows nothing of.
pub(super) fn told(said: String) -> String {
    match said.as_str() {
        "unknown statement endcall" => {
            "a tag that began within the turn, or within the `call`, ends after it".to_owned()
        }
        _ => said,
    }
}

/// A template as minijinja knows the language: its text, if it has no turns. None where it is no template, which the
/// compiler says better.
///
/// # Errors
/// What is wrong with a turn.
pub(super) fn written_anew<'t>(
    text: &'t str,
    syntax: &SyntaxConfig,
) -> Option<Result<Cow<'t, str>, Excess>> {
    let mut made = String::new();
    let mut copied = 0;
    let mut start: Range<usize> = 0..0;
    let mut tag: Vec<Piece<'_>> = Vec::new();
    let mut open: Option<Range<usize>> = None;
    for token in tokenize(text, false, syntax.clone()) {
        let (token, span) = token.ok()?;
        let range = span.start_offset as usize..span.end_offset as usize;
        match token {
            Token::BlockStart => {
                start = range;
                tag.clear();
            }
            Token::VariableStart => tag.clear(),
            Token::BlockEnd => {
                let first = tag.first().map_or(0..0, |(_, range)| range.clone());
                let whole = first.start..tag.last().map_or(0, |(_, range)| range.end);
                match word(&tag) {
                    "turn" => {
                        if open.is_some() {
                            return Some(Err(fault(
                                "a turn stands within another: `{% endturn %}` is missing before it",
                                whole,
                            )));
                        }
                        let function = match function(&tag[1..]) {
                            Ok(function) => function,
                            Err(why) => return Some(Err(fault(why, whole))),
                        };
                        made.push_str(text.get(copied..whole.start)?);
                        made.push_str(&padded(
                            &format!("call {function}()"),
                            text.get(whole.clone())?,
                        ));
                        copied = whole.end;
                        open = Some(whole);
                    }
                    "endturn" => {
                        if open.take().is_none() {
                            return Some(Err(fault("there is no turn that it could end", whole)));
                        }
                        // As at the end of a file, the line break before it is none of the text: it goes into the tag.
                        let sign = text.get(start.clone())?;
                        let line = match sign {
                            "{%" => end_of_line(text.get(..start.start)?),
                            _ => start.start,
                        };
                        made.push_str(text.get(copied..line)?);
                        made.push_str(sign);
                        made.push_str(text.get(line..start.start)?);
                        made.push_str(text.get(start.end..whole.start)?);
                        made.push_str("endcall");
                        copied = first.end;
                    }
                    _ => {}
                }
            }
            other => tag.push((other, range)),
        }
    }
    if let Some(open) = open {
        return Some(Err(fault("`{% endturn %}` is missing", open)));
    }
    if copied == 0 {
        return Some(Ok(Cow::Borrowed(text)));
    }
    made.push_str(text.get(copied..)?);
    Some(Ok(Cow::Owned(made)))
}

/// The function for what stands behind the word `turn`.
fn function(role: &[Piece<'_>]) -> Result<&'static str, String> {
    let known = ROLES.map(|(word, ..)| word);
    let [(token, _)] = role else {
        return Err(if role.is_empty() {
            "who speaks is missing: `{% turn \"user\" %}`".to_owned()
        } else {
            computed()
        });
    };
    let written = match token {
        Token::Str(written) => *written,
        Token::String(written) => written,
        Token::Ident(name) if known.contains(name) => {
            return Err(format!(
                "who speaks stands in quotes: `{{% turn \"{name}\" %}}`"
            ));
        }
        _ => return Err(computed()),
    };
    let found = ROLES.iter().find(|(word, ..)| *word == written);
    found.map(|(.., function)| *function).ok_or_else(|| {
        let instead = match nearest(written, &known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "there are `system`, `user` and `assistant`".to_owned(),
        };
        format!("nobody called `{written}` can speak: {instead}")
    })
}

fn computed() -> String {
    "who speaks is written in the template, as in `{% turn \"user\" %}`: no row decides it"
        .to_owned()
}

fn fault(message: impl Into<String>, range: Range<usize>) -> Excess {
    let message = message.into();
    Excess { message, range }
}

/// A text in as many bytes and lines as another.
fn padded(text: &str, like: &str) -> String {
    let lines = like.matches('\n').count();
    let blanks = like.len().saturating_sub(text.len() + lines);
    format!("{text}{}{}", "\n".repeat(lines), " ".repeat(blanks))
}

/// Where the line break begins after which nothing but blanks follow, if there is one.
fn end_of_line(text: &str) -> usize {
    let before = text.trim_end_matches([' ', '\t']);
    match before.strip_suffix('\n') {
        Some(line) => line.strip_suffix('\r').unwrap_or(line).len(),
        None => text.len(),
    }
}

#[cfg(test)]
mod tests;
