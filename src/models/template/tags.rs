//! What a template's tags say without rendering: the templates they name, the names they bind.
//!
//! minijinja loads an included template when it renders, so a name that is computed then would be
//! in no digest. This scanner must not evaluate anything; what it cannot tell it calls dynamic.

use std::collections::BTreeSet;
use std::ops::Range;

/// A template named in `include`, `extends`, `import` or `from`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Include {
    /// The file it names; `None` where that is not exactly one quoted name.
    pub(super) file: Option<String>,
    /// Whether it may be missing.
    pub(super) optional: bool,
    /// Where the tag's content stands, in bytes.
    pub(super) range: Range<usize>,
}

/// A tag's first word and the rest, without `-` and `+` at the ends.
struct Tag<'t> {
    word: &'t str,
    rest: &'t str,
    range: Range<usize>,
}

/// The templates that a text names, in order.
pub(super) fn includes(text: &str) -> Vec<Include> {
    let named = ["include", "extends", "import", "from"];
    tags(text)
        .into_iter()
        .filter(|tag| named.contains(&tag.word))
        .map(|tag| {
            let (file, after) = match literal(tag.rest) {
                Some((file, after)) => (Some(file), after),
                None => (None, ""),
            };
            let words: Vec<&str> = after.split_whitespace().collect();
            let optional = words.starts_with(&["ignore", "missing"]);
            let fits = match tag.word {
                "include" => {
                    let context = &words[if optional { 2 } else { 0 }..];
                    matches!(context, [] | ["with" | "without", "context"])
                }
                "extends" => words.is_empty(),
                "import" => words.first() == Some(&"as"),
                _ => words.first() == Some(&"import"),
            };
            Include {
                file: file.filter(|_| fits).map(str::to_owned),
                optional,
                range: tag.range,
            }
        })
        .collect()
}

/// The names that `set`, `for`, `with`, `macro` and imports of a text bind anywhere in it.
pub(super) fn bound(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for tag in tags(text) {
        let found: Vec<&str> = match tag.word {
            // Without `=`, a block whose content becomes the value.
            "set" => identifiers(tag.rest.split(['=', '|']).next().unwrap_or_default()),
            "for" => {
                names.insert("loop".to_owned());
                identifiers(tag.rest.split(" in ").next().unwrap_or_default())
            }
            "with" => assigned(tag.rest),
            "macro" => {
                let (name, parameters) = tag.rest.split_once('(').unwrap_or((tag.rest, ""));
                let first = |part| identifiers(part).into_iter().next();
                let parameters = parameters.split(',').filter_map(first);
                identifiers(name).into_iter().chain(parameters).collect()
            }
            "import" => {
                let name = tag.rest.rsplit(" as ").next();
                identifiers(name.unwrap_or_default())
            }
            "from" => {
                let (_, list) = tag.rest.split_once(" import ").unwrap_or_default();
                let last = |part| identifiers(part).into_iter().next_back();
                list.split(',').filter_map(last).collect()
            }
            _ => Vec::new(),
        };
        names.extend(found.into_iter().map(str::to_owned));
    }
    names
}

/// The words in quotes, and the numbers, that conditions of a text have: what variables may be compared with.
pub(super) fn compared(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for inside in insides(text) {
        let words = format!(" {inside} ");
        for condition in words.split("if ").skip(1) {
            let condition = condition.split(" else ").next().unwrap_or_default();
            let mut rest = condition;
            while let Some(at) = rest.find(['"', '\'']) {
                let Some((word, after)) = literal(&rest[at..]) else {
                    break;
                };
                found.insert(word.to_owned());
                rest = after;
            }
            let numbers = condition.split(|c: char| !c.is_ascii_digit() && c != '.');
            let numbers = numbers.filter(|word| word.parse::<f64>().is_ok());
            found.extend(numbers.map(str::to_owned));
        }
    }
    found
}

/// What stands within `{% … %}` and `{{ … }}`.
fn insides(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find('{').map(|found| at + found) {
        let inside = open + 2;
        let end = match text.as_bytes().get(open + 1) {
            Some(b'{') => end_of(text, inside, "}}"),
            Some(b'%') => end_of(text, inside, "%}"),
            Some(b'#') => {
                at = text[inside..]
                    .find("#}")
                    .map_or(text.len(), |end| inside + end);
                continue;
            }
            _ => None,
        };
        match end {
            Some(end) => {
                found.push(&text[inside..end]);
                at = end + 2;
            }
            None => at = open + 1,
        }
    }
    found
}

/// The `{% … %}` of a text; not those within comments and raw blocks.
fn tags(text: &str) -> Vec<Tag<'_>> {
    let mut tags = Vec::new();
    let mut at = 0;
    let mut raw = false;
    while let Some(open) = text[at..].find('{').map(|found| at + found) {
        let inside = open + 2;
        let close = match text.as_bytes().get(open + 1) {
            Some(b'#') if !raw => text[inside..].find("#}").map(|found| inside + found),
            Some(b'{') if !raw => end_of(text, inside, "}}"),
            Some(b'%') => end_of(text, inside, "%}"),
            _ => {
                at = open + 1;
                continue;
            }
        };
        let Some(close) = close else {
            // In a raw block a lone `{%` is text; elsewhere the template cannot be read anyway.
            at = inside;
            continue;
        };
        if text.as_bytes()[open + 1] == b'%' {
            let marks: &[char] = &['-', '+'];
            let content = &text[inside..close];
            let shown = content.trim_start_matches(marks).trim_start();
            let start = close - shown.len();
            let shown = shown.trim_end_matches(marks).trim_end();
            let end = shown
                .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .unwrap_or(shown.len());
            let (word, rest) = shown.split_at(end);
            if raw && word != "endraw" {
                at = inside;
                continue;
            }
            raw = word == "raw";
            tags.push(Tag {
                word,
                rest: rest.trim(),
                range: start..start + shown.len(),
            });
        }
        at = close + 2;
    }
    tags
}

/// Where `end` stands first outside of quotes.
fn end_of(text: &str, from: usize, end: &str) -> Option<usize> {
    let mut quote = None;
    let mut escaped = false;
    for (at, character) in text[from..].char_indices() {
        match (quote, character) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), close) if open == close => quote = None,
            (None, '"' | '\'') => quote = Some(character),
            (None, _) if text[from + at..].starts_with(end) => return Some(from + at),
            _ => {}
        }
    }
    None
}

/// The string that a text begins with and what follows; none with escapes in it.
fn literal(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| ['"', '\''].contains(c))?;
    let (name, after) = text[1..].split_once(quote)?;
    (!name.contains('\\')).then_some((name, after))
}

fn identifiers(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .collect()
}

/// The names directly before a single `=`.
fn assigned(text: &str) -> Vec<&str> {
    let signs = text.match_indices('=').filter(|(at, _)| {
        !text[at + 1..].starts_with('=') && !text[..*at].ends_with(['=', '!', '<', '>'])
    });
    signs
        .filter_map(|(at, _)| identifiers(&text[..at]).into_iter().next_back())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(text: &str) -> Vec<Option<String>> {
        includes(text).into_iter().map(|found| found.file).collect()
    }

    #[test]
    fn a_quoted_name_is_read_whatever_marks_stand_at_the_ends() {
        for tag in [
            "{% include 'a.j2' %}",
            "{%+ include \"a.j2\" -%}",
            "{%-include 'a.j2' ignore missing+%}",
            "{% extends 'a.j2' %}",
            "{% import 'a.j2' as a %}",
            "{% from 'a.j2' import b, c as d %}",
            "{{ '%}' }}{% include 'a.j2' %}",
        ] {
            assert_eq!(files(tag), [Some("a.j2".to_owned())], "{tag}");
        }
    }

    #[test]
    fn what_is_not_one_quoted_name_is_dynamic() {
        for tag in [
            "{% include ['a.j2', 'b.j2'] %}",
            "{% include name %}",
            "{% include 'a.j2' if long else 'b.j2' %}",
            "{% include 'd/' ~ name %}",
            "{% include ('a.j2') %}",
            "{% extends 'a\\x2ej2' %}",
            "{%include\n  name%}",
        ] {
            assert_eq!(files(tag), [None], "{tag}");
        }
    }

    #[test]
    fn comments_raw_blocks_and_strings_include_nothing() {
        for text in [
            "{# {% include 'a.j2' %} #}",
            "{% raw %}{% include 'a.j2' %} {% {% endraw %}",
            "{{ \"{% include 'a.j2' %}\" }}",
            "{% includes %}{% set include = 1 %}",
            "{",
            "{%",
            "{% include 'a.j2'",
        ] {
            assert_eq!(files(text), [], "{text}");
        }
    }

    #[test]
    fn what_may_be_missing_is_known() {
        assert!(includes("{% include 'a.j2' ignore missing %}")[0].optional);
        assert!(!includes("{% include 'a.j2' %}")[0].optional);
    }

    #[test]
    fn bound_names_are_found() {
        let text = "{% set a = b == c %}{% for d, e in f %}{% with g = h, i = j %}\
                    {% macro k(l, m=1) %}{% import 'x.j2' as n %}{% from 'x.j2' import o, p as q %}";
        let names: Vec<String> = bound(text).into_iter().collect();
        assert_eq!(
            names,
            [
                "a", "d", "e", "g", "i", "k", "l", "loop", "m", "n", "o", "q"
            ]
        );
    }
}
