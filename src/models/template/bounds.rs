//! What can be said of a template's size before it is compiled, and the places at which it is measured when it is
//! rendered.
//!
//! A value can only grow without end if it gets a name: what one expression makes is as long as its operands together.
//! So each name that a tag binds is measured right behind the tag (`super::meter`), and the number of operators in one
//! tag is limited. The latter also keeps the compiler, which goes as deep as operators and branches follow each other,
//! on its stack.

use std::ops::Range;

use minijinja::machinery::{Span, Token, tokenize};
use minijinja::syntax::SyntaxConfig;

use super::compared::{self, Edit};
use super::meter::MEASURED;
use crate::base::wording::thousands;

/// The most operators in one tag, or in one condition.
const OPERATORS: usize = 500;

/// The most multiplications in one tag: each may repeat a text.
const REPEATS: usize = 16;

/// The longest text that constants alone may make, in bytes. It is made when the template is compiled.
const CONSTANT: u64 = 1_000_000;

/// The most `elif` in a template.
const BRANCHES: usize = 200;

/// What bounds the rendering of a template.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bounds {
    /// The most operators in one tag.
    pub(super) operators: usize,
    /// The longest piece of plain text that may be written more than once.
    pub(super) repeated: usize,
}

/// Why a template is too much: what is wrong and where.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Excess {
    pub(super) message: String,
    pub(super) range: Range<usize>,
}

pub(super) type Piece<'t> = (Token<'t>, Range<usize>);

/// The bounds of a template, and its text with a measurement behind each tag that binds names and with calls for
/// comparisons. None where it is no template, which the compiler says better.
pub(super) fn of_template(
    text: &str,
    syntax: &SyntaxConfig,
) -> Option<Result<(Bounds, String), Excess>> {
    let mut bounds = Bounds::default();
    let mut edits: Vec<Edit> = Vec::new();
    let mut tag: Vec<Piece<'_>> = Vec::new();
    // For each block that is open and may be gone through more than once: what a block of `set` binds.
    let mut open: Vec<Option<String>> = Vec::new();
    let mut branches = 0;
    for token in tokenize(text, false, syntax.clone()) {
        let (token, span) = token.ok()?;
        let range = range(span);
        match token {
            Token::TemplateData(plain) if !open.is_empty() => {
                bounds.repeated = bounds.repeated.max(plain.len());
            }
            Token::VariableStart | Token::BlockStart => tag.clear(),
            end @ (Token::VariableEnd | Token::BlockEnd) => {
                match operators(&tag) {
                    Ok(count) => bounds.operators = bounds.operators.max(count),
                    Err(excess) => return Some(Err(excess)),
                }
                let is_block = matches!(end, Token::BlockEnd);
                edits.extend(compared::calls(&tag, is_block));
                if !is_block {
                    continue;
                }
                branches += usize::from(word(&tag) == "elif");
                if branches > BRANCHES {
                    let message = format!("a template has at most {BRANCHES} `elif`");
                    return Some(Err(Excess { message, range }));
                }
                let names = bound(&tag, &mut open);
                if !names.is_empty() {
                    // Its own end takes in or leaves the blanks behind it, as it did before.
                    let sign = text[..range.end].strip_suffix("%}")?;
                    let end = sign.strip_suffix(['-', '+']).unwrap_or(sign).len();
                    let measuring = format!("%}}{{% do {MEASURED}({}) ", names.join(", "));
                    edits.push((end..end, measuring));
                }
            }
            other => tag.push((other, range)),
        }
    }
    Some(Ok((bounds, edited(text, edits))))
}

/// A text with edits made.
fn edited(text: &str, mut edits: Vec<Edit>) -> String {
    // What begins within what ends at the same place comes second, as it was found.
    edits.sort_by_key(|(range, _)| range.start);
    let mut made = String::with_capacity(text.len());
    let mut copied = 0;
    for (range, with) in edits {
        made.push_str(text.get(copied..range.start).unwrap_or_default());
        made.push_str(&with);
        copied = range.end;
    }
    made.push_str(text.get(copied..).unwrap_or_default());
    made
}

/// Why a condition is too much, if it is.
pub(crate) fn of_condition(text: &str) -> Result<(), String> {
    let tokens = tokenize(text, true, SyntaxConfig::default());
    let tokens: Vec<Piece<'_>> = tokens
        .map_while(Result::ok)
        .map(|(token, span)| (token, range(span)))
        .collect();
    operators(&tokens)
        .map(|_| ())
        .map_err(|excess| excess.message)
}

fn range(span: Span) -> Range<usize> {
    span.start_offset as usize..span.end_offset as usize
}

/// Counts the operators of a tag: all that one operand may be put behind another with.
fn operators(tag: &[Piece<'_>]) -> Result<usize, Excess> {
    let (mut count, mut repeats) = (0, 0);
    for (token, range) in tag {
        let operator = match token {
            Token::Ident(word) => ["if", "else", "and", "or", "not", "is", "in"].contains(word),
            Token::Comma
            | Token::Colon
            | Token::Assign
            | Token::Str(_)
            | Token::String(_)
            | Token::Int(_)
            | Token::Int128(_)
            | Token::Float(_)
            | Token::ParenClose
            | Token::BracketClose
            | Token::BraceClose => false,
            _ => true,
        };
        count += usize::from(operator);
        repeats += usize::from(matches!(token, Token::Mul | Token::Pow));
        let what = if count > OPERATORS {
            format!(
                "an expression has at most {OPERATORS} operators: for many values write `in [...]`, or a column that says it"
            )
        } else if repeats > REPEATS {
            format!("an expression has at most {REPEATS} multiplications")
        } else {
            continue;
        };
        return Err(Excess {
            message: what,
            range: range.clone(),
        });
    }
    constants(tag).map(|()| count)
}

/// Refuses to repeat constant texts and lists very often.
fn constants(tag: &[Piece<'_>]) -> Result<(), Excess> {
    let held: u64 = tag
        .iter()
        .map(|(token, range)| match token {
            Token::Str(_) | Token::String(_) => range.len() as u64,
            Token::Comma => 32,
            _ => 0,
        })
        .sum();
    if held == 0 {
        return Ok(());
    }
    let product = tag.iter().fold(held, |product, (token, _)| match token {
        Token::Int(number) => product.saturating_mul((*number).max(1)),
        Token::Int128(_) | Token::Pow => u64::MAX,
        _ => product,
    });
    let near = |at: Option<usize>, ends: &[&str]| {
        let token = at
            .and_then(|at| tag.get(at))
            .map(|(token, _)| token.to_string());
        token.is_some_and(|token| ends.contains(&&*token))
    };
    for (at, (token, range)) in tag.iter().enumerate() {
        let repeated = matches!(token, Token::Mul)
            && (near(at.checked_sub(1), &["string", "`)`", "`]`"])
                || near(Some(at + 1), &["string", "`(`", "`[`"]));
        if repeated && product > CONSTANT {
            return Err(Excess {
                message: format!(
                    "a constant is repeated to more than {} bytes",
                    thousands(CONSTANT)
                ),
                range: range.clone(),
            });
        }
    }
    Ok(())
}

/// A tag's first word.
pub(super) fn word<'t>(tag: &[Piece<'t>]) -> &'t str {
    match tag.first() {
        Some((Token::Ident(word), _)) => word,
        _ => "",
    }
}

/// The names that a tag binds, as one would write them behind it.
fn bound(tag: &[Piece<'_>], open: &mut Vec<Option<String>>) -> Vec<String> {
    let rest = tag.get(1..).unwrap_or_default();
    let position =
        |wanted: fn(&Token<'_>) -> bool| rest.iter().position(|(token, _)| wanted(token));
    match word(tag) {
        "set" => match position(|token| matches!(token, Token::Assign)) {
            Some(end) => names(&rest[..end]),
            None => {
                let end = position(|token| matches!(token, Token::Pipe)).unwrap_or(rest.len());
                open.push(names(&rest[..end]).pop());
                Vec::new()
            }
        },
        "with" => {
            let mut found = Vec::new();
            let mut begin = 0;
            for (at, (token, _)) in rest.iter().enumerate() {
                match token {
                    // Arguments by name look the same; what they name may not be there to be measured.
                    Token::Assign if depth(&rest[..at]) == 0 => {
                        found.extend(names(&rest[begin..at]));
                    }
                    Token::Comma if depth(&rest[..at]) == 0 => begin = at + 1,
                    _ => {}
                }
            }
            found
        }
        "for" => {
            open.push(None);
            let end = position(|token| matches!(token, Token::Ident("in")));
            names(&rest[..end.unwrap_or(0)])
        }
        "macro" => {
            open.push(None);
            parameters(rest.get(1..).unwrap_or_default())
        }
        "call" => {
            open.push(None);
            match rest.first() {
                Some((Token::ParenOpen, _)) => parameters(rest),
                _ => Vec::new(),
            }
        }
        "filter" | "block" => {
            open.push(None);
            Vec::new()
        }
        "endset" | "endfor" | "endmacro" | "endcall" | "endfilter" | "endblock" => {
            open.pop().flatten().into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// How many brackets are open at the end.
fn depth(tokens: &[Piece<'_>]) -> usize {
    tokens
        .iter()
        .fold(0, |depth: usize, (token, _)| match token {
            Token::ParenOpen | Token::BracketOpen | Token::BraceOpen => depth + 1,
            Token::ParenClose | Token::BracketClose | Token::BraceClose => depth.saturating_sub(1),
            _ => depth,
        })
}

/// The names in a target, `a` and `b.c` of `a, b.c`.
fn names(target: &[Piece<'_>]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut dotted = false;
    for (token, _) in target {
        if let Token::Ident(name) = token {
            match found.last_mut().filter(|_| dotted) {
                Some(last) => {
                    last.push('.');
                    last.push_str(name);
                }
                None => found.push((*name).to_owned()),
            }
        }
        dotted = matches!(token, Token::Dot);
    }
    found
}

/// The names of parameters, up to the bracket that closes them.
fn parameters(tokens: &[Piece<'_>]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, (token, _)) in tokens.iter().enumerate() {
        let first = at > 0 && matches!(tokens[at - 1].0, Token::ParenOpen | Token::Comma);
        match token {
            Token::Ident(name) if first && depth(&tokens[..at]) == 1 => {
                found.push((*name).to_owned());
            }
            Token::ParenClose if depth(&tokens[..at]) == 1 => break,
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(text: &str) -> String {
        of_template(text, &SyntaxConfig::default())
            .unwrap()
            .unwrap()
            .1
    }

    #[test]
    fn every_name_that_a_tag_binds_is_measured_behind_it() {
        for (text, with) in [
            (
                "{% set a = b -%} x",
                "{% set a = b %}{% do __measured(a) -%} x",
            ),
            (
                "{%- set n.a = 1 +%}",
                "{%- set n.a = 1 %}{% do __measured(n.a) +%}",
            ),
            (
                "{% set (a, b) = c %}",
                "{% set (a, b) = c %}{% do __measured(a, b) %}",
            ),
            (
                "{% set a %}x{% endset %}",
                "{% set a %}x{% endset %}{% do __measured(a) %}",
            ),
            (
                "{% for a, b in c if d %}{% endfor %}",
                "{% for a, b in c if d %}{% do __measured(a, b) %}{% endfor %}",
            ),
            (
                "{% with a = f(x=1, y=2), b = 2 %}{% endwith %}",
                "{% with a = f(x=1, y=2), b = 2 %}{% do __measured(a, b) %}{% endwith %}",
            ),
            (
                "{% macro m(a, b=f(c, d)) %}{% endmacro %}",
                "{% macro m(a, b=f(c, d)) %}{% do __measured(a, b) %}{% endmacro %}",
            ),
            (
                "{% call(a) m(b) %}{% endcall %}",
                "{% call(a) m(b) %}{% do __measured(a) %}{% endcall %}",
            ),
        ] {
            assert_eq!(measured(text).replace(" )", ")"), with, "{text}");
        }
    }

    #[test]
    fn comments_raw_blocks_and_texts_stay_as_they_are() {
        for text in [
            "{# {% set a = 1 %} #}",
            "{% raw %}{% set a = 1 %}{% endraw %}",
            "{{ '{% set a = 1 %}' }} %} -%}",
            "{% if a %}{% include 'x' %}{% endif %}",
        ] {
            assert_eq!(measured(text), text);
        }
    }

    #[test]
    fn constants_that_fill_memory_while_they_are_compiled_are_refused() {
        let excess = |text| {
            of_template(text, &SyntaxConfig::default())
                .unwrap()
                .is_err()
        };
        for text in [
            "{{ 'x' * 99999999 }}",
            "{{ 99999999 * 'x' }}",
            "{{ 'x' * (1000 * 1000 * 99) }}",
            "{{ ('a' ~ 'b') * 10 ** 7 }}",
            "{{ (1, 2) * 9999999 }}",
        ] {
            assert!(excess(text), "{text}");
        }
        for text in [
            "{{ '=' * 40 }}",
            "{{ '%.2f'|format(score * 1000000000) }}",
            "{{ (a + b) * 10000000 }}",
        ] {
            assert!(!excess(text), "{text}");
        }
    }
}
