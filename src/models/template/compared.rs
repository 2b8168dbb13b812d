//! Comparisons in templates: as in conditions of specs, values of different kinds are never compared.
//!
//! `length == "5"` is never true where `length` is a number, and `year > 1900` always where it is text. So every
//! comparison becomes the call of a function that looks first (`super::bounds` puts them into the text that is
//! compiled), and so do the tests that compare.

use std::ops::Range;

use minijinja::machinery::Token;
use minijinja::value::{Rest, Value};
use minijinja::{Environment, Error, ErrorKind};

use super::absent;
use super::bounds::{Piece, word};
use super::kinds::{Comparison, Kind, is_there, unlike};
use crate::base::wording::shorten;

/// The function that compares.
const COMPARED: &str = "__compared";

/// What takes the place of bytes of a text.
pub(super) type Edit = (Range<usize>, String);

/// Why two values are not compared.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(super) struct Unlike {
    message: String,
    /// How to repair it.
    pub(super) hint: &'static str,
}

/// Sets what compares.
pub(super) fn install(environment: &mut Environment<'static>) {
    environment.add_function(COMPARED, |values: Rest<Value>| in_turn(&values));
    let names = ["eq", "equalto", "==", "ne", "!=", "lt", "lessthan", "<"];
    let more = ["le", "<=", "gt", "greaterthan", ">", "ge", ">=", "in"];
    for name in names.into_iter().chain(more) {
        environment.add_test(name, move |one: &Value, other: &Value| {
            // Of what has no such part, a test says so without an error.
            if one.is_undefined() {
                return Ok(name == "ne" || name == "!=");
            }
            compare(one, sign(name)?, other)
        });
    }
}

/// Whether `a`, `b`, `c` of `a < b < c` stand as the signs between them say.
fn in_turn(values: &[Value]) -> Result<bool, Error> {
    let Some((mut one, rest)) = values.split_first() else {
        return Ok(true);
    };
    for pair in rest.chunks_exact(2) {
        let [how, other] = pair else { break };
        if !compare(one, sign(how.as_str().unwrap_or_default())?, other)? {
            return Ok(false);
        }
        one = other;
    }
    Ok(true)
}

fn sign(name: &str) -> Result<Comparison, Error> {
    let how = match name {
        "not in" => Some(Comparison::NotIn),
        name => Comparison::of_test(name),
    };
    how.ok_or_else(|| Error::from(ErrorKind::UnknownTest))
}

fn compare(one: &Value, how: Comparison, other: &Value) -> Result<bool, Error> {
    absent::refuse([one, other])?;
    if one.is_undefined() || other.is_undefined() {
        return Err(ErrorKind::UndefinedError.into());
    }
    if !matches!(how, Comparison::In | Comparison::NotIn) {
        return match unlike(one, other).filter(|(one, other)| is_there(one) && is_there(other)) {
            Some((one, other)) => Err(mixed(&one, &other)),
            None => Ok(how.holds(one, other)),
        };
    }
    let found = match (Kind::of(one), Kind::of(other)) {
        (Kind::Text, Kind::Text) => {
            let (part, whole) = (one.as_str(), other.as_str());
            whole.unwrap_or_default().contains(part.unwrap_or_default())
        }
        (_, Kind::Map) => !other.get_item(one)?.is_undefined(),
        (_, Kind::List) => {
            let mut found = false;
            for item in other.try_iter()? {
                absent::refuse([&item])?;
                if is_there(&item) && unlike(one, &item).is_some() {
                    return Err(mixed(one, &item));
                }
                found = found || item == *one;
            }
            found
        }
        _ => return Err(mixed(one, other)),
    };
    Ok(found == (how == Comparison::In))
}

fn mixed(one: &Value, other: &Value) -> Error {
    let hint = match (Kind::of(one), Kind::of(other)) {
        (Kind::Text, Kind::Number) | (Kind::Number, Kind::Text) => {
            "write numbers in quotes to compare texts, or read texts as numbers with `|float`"
        }
        _ => "compare values of one kind",
    };
    let message = format!("{} is compared with {}", told(one), told(other));
    let unlike = Unlike {
        message: message.clone(),
        hint,
    };
    Error::new(ErrorKind::InvalidOperation, message).with_source(unlike)
}

/// A value in words. Stand-ins are not shown: nobody has written them.
fn told(value: &Value) -> String {
    let kind = Kind::of(value);
    match (kind, value.as_str()) {
        (Kind::Text, Some(text)) if super::tries::stands_in(text) => "text".to_owned(),
        (Kind::Text, Some(text)) => format!("text (`{}`)", shorten(text, 40)),
        (Kind::Number | Kind::Truth, _) => format!("{} (`{value}`)", kind.name()),
        _ => kind.name().to_owned(),
    }
}

/// Operands at one depth of brackets that are compared with each other.
struct Compared {
    /// The first token.
    start: usize,
    /// The signs, and where they stand.
    signs: Vec<(Range<usize>, &'static str)>,
}

impl Compared {
    fn from(start: usize) -> Self {
        let signs = Vec::new();
        Self { start, signs }
    }

    /// Ends before a token: what was compared becomes a call.
    fn end(&mut self, tag: &[Piece<'_>], before: usize, edits: &mut Vec<Edit>) {
        let Self { start, signs } = std::mem::replace(self, Self::from(before + 1));
        if signs.is_empty() || start >= before {
            return;
        }
        let (first, last) = (tag[start].1.start, tag[before - 1].1.end);
        edits.push((first..first, format!("{COMPARED}(")));
        edits.extend(
            signs
                .into_iter()
                .map(|(at, sign)| (at, format!(", \"{sign}\", "))),
        );
        edits.push((last..last, ")".to_owned()));
    }
}

/// What makes the comparisons of a tag calls. Comparing binds stronger than `not`, `and`, `or` and `if`, and weaker
/// than everything else.
pub(super) fn calls(tag: &[Piece<'_>], is_block: bool) -> Vec<Edit> {
    let mut edits = Vec::new();
    let is_loop = is_block && word(tag) == "for";
    let mut head = is_loop;
    let mut at = usize::from(is_block);
    let mut open = vec![Compared::from(at)];
    while let Some((token, range)) = tag.get(at) {
        let sign = match keyword(tag, at) {
            Some("in") if !tests(tag, at) => {
                if std::mem::take(&mut head) {
                    open = vec![Compared::from(at + 1)];
                    at += 1;
                    continue;
                }
                Some(("in", 1))
            }
            Some("not") if keyword(tag, at + 1) == Some("in") && !tests(tag, at) => {
                Some(("not in", 2))
            }
            _ => sign_of(token).map(|sign| (sign, 1)),
        };
        let innermost = open.last_mut();
        if let Some((sign, tokens)) = sign {
            let end = tag
                .get(at + tokens - 1)
                .map_or(range.end, |last| last.1.end);
            if let Some(innermost) = innermost {
                innermost.signs.push((range.start..end, sign));
            }
            at += tokens;
            continue;
        }
        match token {
            Token::ParenOpen | Token::BracketOpen | Token::BraceOpen => {
                open.push(Compared::from(at + 1));
            }
            Token::ParenClose | Token::BracketClose | Token::BraceClose => {
                if let Some(mut ended) = open.pop() {
                    ended.end(tag, at, &mut edits);
                }
            }
            Token::Comma | Token::Colon | Token::Assign => {
                if let Some(innermost) = innermost {
                    innermost.end(tag, at, &mut edits);
                }
            }
            _ => {
                let binds_weaker = match keyword(tag, at) {
                    Some("and" | "or" | "if" | "else") => true,
                    Some("not") => !tests(tag, at),
                    Some("recursive") => is_loop,
                    _ => false,
                };
                if let Some(innermost) = innermost.filter(|_| binds_weaker) {
                    innermost.end(tag, at, &mut edits);
                }
            }
        }
        at += 1;
    }
    for mut compared in open {
        compared.end(tag, tag.len(), &mut edits);
    }
    edits
}

/// A word at this place that is not the name of a part or a filter.
fn keyword<'t>(tag: &[Piece<'t>], at: usize) -> Option<&'t str> {
    let named = at > 0 && matches!(tag.get(at - 1)?.0, Token::Dot | Token::Pipe);
    match tag.get(at)?.0 {
        Token::Ident(word) if !named => Some(word),
        _ => None,
    }
}

/// Whether the word at this place belongs to a test, as in `is not none` and `is in [1]`.
fn tests(tag: &[Piece<'_>], at: usize) -> bool {
    let before = |by: usize| at.checked_sub(by).and_then(|at| keyword(tag, at));
    before(1) == Some("is") || before(1) == Some("not") && before(2) == Some("is")
}

fn sign_of(token: &Token<'_>) -> Option<&'static str> {
    Some(match token {
        Token::Eq => "==",
        Token::Ne => "!=",
        Token::Lt => "<",
        Token::Lte => "<=",
        Token::Gt => ">",
        Token::Gte => ">=",
        _ => return None,
    })
}
