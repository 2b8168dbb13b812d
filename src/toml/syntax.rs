//! TOML's syntax errors in the words of this program, duplicate keys with both their places.
//!
//! Explains errors that the parser found; finds none itself.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use toml::de::DeTable;

use super::duplicate::first_place;
use super::problem::Problem;
use super::source::{Place, SourceId, SpanIndex, clamp};
use super::suggest::count;

/// How often a text may be read again before it is taken as it is.
const REPAIRS: usize = 5;

/// Hands on the text as far as it can be read, and all errors in it. The parser gives up at a line that is no `key = value`, so
/// such lines are blanked, which moves nothing, and the text is read again.
pub(super) fn read<T>(text: &str, then: impl FnOnce(&DeTable<'_>, Vec<toml::de::Error>) -> T) -> T {
    let mut readable = Cow::Borrowed(text);
    let mut all: Vec<toml::de::Error> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut repairs = 0;
    loop {
        let repaired = {
            let (table, errors) = DeTable::parse_recoverable(&readable);
            let mut repaired = readable.clone();
            for error in errors.into_iter().take_while(|_| repairs <= REPAIRS) {
                let span = error.span().unwrap_or(0..0);
                if error.message().starts_with(LONE_KEY) {
                    let line = line_of(text, clamp(text, &span).start);
                    let blank = " ".repeat(line.len());
                    repaired.to_mut().replace_range(line, &blank);
                }
                if seen.insert((span.start, span.end, error.message().to_owned())) {
                    all.push(error);
                }
            }
            if repaired == readable {
                all.sort_by_key(|error| error.span().map(|span| span.start));
                return then(table.get_ref(), all);
            }
            repaired
        };
        readable = repaired;
        repairs += 1;
    }
}

/// The line around an offset, without its line break.
pub(super) fn line_of(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    start
        ..text[at..]
            .find('\n')
            .map_or(text.len(), |length| at + length)
}

/// Syntax errors of one text that are reported one by one.
const SHOWN: usize = 50;

const LONE_KEY: &str = "key with no value";

/// The errors as problems; `index` is what could be read of the text. What only follows from an array that was not
/// closed is left out.
pub(super) fn problems(
    text: &str,
    source: SourceId,
    index: &SpanIndex,
    errors: &[toml::de::Error],
) -> Vec<Problem> {
    let mut problems: Vec<Problem> = Vec::new();
    let mut left = errors.iter().peekable();
    let mut last_line = None;
    while let Some(error) = left.next() {
        if problems.len() == SHOWN {
            let more = count(left.len() + 1, "more syntax error");
            let place = Place::new(source, clamp(text, &error.span().unwrap_or(0..0)));
            let last = Problem::error("spec::syntax", format!("{more} from here on"));
            problems.push(
                last.label(place, "the first of them")
                    .help("is this a TOML file?"),
            );
            break;
        }
        let start = clamp(text, &error.span().unwrap_or(0..0)).start;
        let closed_wrongly = text[start..].starts_with('}');
        let in_open_array = error.message().starts_with("missing comma")
            && (closed_wrongly
                || header_at(text, start)
                || left
                    .peek()
                    .is_some_and(|next| next.message().starts_with("unexpected `=` in array")));
        if !in_open_array {
            let line = line_of(text, start).start;
            let twice = error.message() == "duplicate key";
            // What a line's first error leaves of the line makes no sense to the parser.
            if twice || last_line != Some(line) {
                problems.push(problem(text, source, index, error));
            }
            if !twice {
                last_line = Some(line);
            }
            continue;
        }
        let (end, label) = if closed_wrongly {
            (start, "expected `]` before this `}`")
        } else {
            let line_start = text[..start].rfind('\n').unwrap_or(0);
            let end = text[..line_start].trim_end().len();
            (end, "expected `]` before the next key")
        };
        problems.push(
            Problem::error("spec::syntax", "unclosed array")
                .label(Place::new(source, end..end), label)
                .help("close the bracket"),
        );
        while left
            .next_if(|next| !next.message().starts_with("unclosed array"))
            .is_some()
        {}
        left.next();
        // The table around the array was not closed either, as the parser sees it.
        while left
            .next_if(|next| next.message().starts_with("unclosed inline table"))
            .is_some()
        {}
    }
    problems
}

/// Whether a table's header stands alone on the line that begins at `start`.
fn header_at(text: &str, start: usize) -> bool {
    let begins = text[..start].is_empty() || text[..start].ends_with('\n');
    let line = text[start..].lines().next().unwrap_or_default().trim_end();
    let name = line.trim_start_matches('[');
    // An array within an array may stand so too, but hardly one of a bare word.
    begins
        && name.len() < line.len()
        && name.ends_with(']')
        && name.starts_with(|first: char| first.is_ascii_alphabetic())
        && !name.contains(',')
}

/// The parser's error as a problem.
fn problem(text: &str, source: SourceId, index: &SpanIndex, error: &toml::de::Error) -> Problem {
    let span = clamp(text, &error.span().unwrap_or(0..0));
    let place = Place::new(source, span.clone());
    let found = text[span.clone()].trim();
    if error.message() == "duplicate key" {
        let problem = match first_place(text, index, &span) {
            Some(first) => {
                Problem::error("spec::duplicate-key", format!("`{found}` is defined twice"))
                    .label(place, "defined again here")
                    .label(Place::new(source, first), "first defined here")
            }
            None => Problem::error(
                "spec::duplicate-key",
                format!("`{found}` is already defined"),
            )
            .label(place, "defined again here"),
        };
        return problem.help("keep one of the two");
    }
    let (what, expected) = error
        .message()
        .split_once(", expected ")
        .unwrap_or((error.message(), ""));
    let what = match (what, expected) {
        (_, "`\"`" | "`'`" | "'") if what.contains("string") => "a quote is not closed".to_owned(),
        ("unquoted keys cannot be empty", _) => "a key is missing".to_owned(),
        _ => lower_first(what),
    };
    if found.is_empty() && what.contains("must be quoted") {
        return Problem::error("spec::syntax", "a value is missing")
            .label(place, "no value follows `=`")
            .help("write a value, or remove the line");
    }
    if what.contains("must be quoted") || (what == "invalid boolean" && !found.is_empty()) {
        return Problem::error("spec::syntax", format!("`{found}` is not a value"))
            .label(place, "text needs quotes")
            .help(
                if found.starts_with(|first: char| first.is_ascii_digit()) && found.contains(' ') {
                    format!("write `{found:?}`, or put a comma between two values")
                } else {
                    format!("write `{found:?}`")
                },
            );
    }
    let words = if expected.is_empty() || expected == "nothing" {
        "here".to_owned()
    } else {
        format!("expected {}", either(expected))
    };
    let problem = Problem::error("spec::syntax", what.clone()).label(place, words);
    match repair(&what) {
        Some(help) => problem.help(help),
        None => problem,
    }
}

/// The parser's "a, b, c" as "a, b or c", with an article for the word it uses most.
fn either(expected: &str) -> String {
    let parts: Vec<&str> = expected
        .split(", ")
        .map(|part| if part == "value" { "a value" } else { part })
        .collect();
    match parts.as_slice() {
        [most @ .., last] if !most.is_empty() => format!("{} or {last}", most.join(", ")),
        _ => parts.concat(),
    }
}

/// What usually repairs an error.
fn repair(what: &str) -> Option<&'static str> {
    let help = if what.contains("unclosed array") || what.contains("unclosed inline table") {
        "close the bracket, or put a comma between two values"
    } else if what.contains("unclosed table") {
        "a header is `[name]`, or `[[name]]` for one of several"
    } else if what.starts_with("a quote") {
        "close the quote on the same line; text over several lines goes between `\"\"\"`"
    } else if what.starts_with(LONE_KEY) {
        "write `key = value`; a comment starts with `#`"
    } else {
        return None;
    };
    Some(help)
}

fn lower_first(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(characters).collect()
    })
}
