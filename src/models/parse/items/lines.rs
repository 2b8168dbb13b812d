//! Numbered lines, with what stands below each.
//!
//! Must not choose among lists (see `reader`).

use std::ops::Range;

use super::entry::{self, item};
use super::marker::{Marker, marker};
use super::{Item, List};
use crate::models::parse::agree::Asked;
use crate::models::parse::value::has;

/// Words that begin a line on all elements.
const OF_ALL: [&str; 16] = [
    "all",
    "altogether",
    "conclusion",
    "ergebnis",
    "fazit",
    "final",
    "gesamt",
    "insgesamt",
    "note",
    "overall",
    "result",
    "results",
    "sum",
    "summary",
    "total",
    "zusammenfassung",
];

/// The most words before numbers that are looked at: a reply has one or two.
const MOST_WORDS: usize = 8;

/// A line of the answer.
#[derive(Debug)]
pub(super) struct Line {
    /// Without its end.
    pub(super) range: Range<usize>,
    pub(super) marker: Option<Marker>,
    pub(super) blank: bool,
    pub(super) indent: usize,
}

/// The lines of the answer that do not lie within `taken`, part by part.
pub(super) fn lines(asked: &Asked<'_>, taken: &[Range<usize>]) -> Vec<Line> {
    let mut lines = Vec::new();
    for part in &asked.answer.parts {
        let mut start = part.start;
        for line in asked.reply[part.clone()].split_inclusive('\n') {
            let text = line.trim_end();
            let range = start..start + text.len();
            start += line.len();
            if taken.iter().any(|taken| {
                taken.start < range.end.max(range.start + 1) && range.start < taken.end
            }) {
                continue;
            }
            // What is quoted is not the judge's own.
            if text.trim_start().starts_with('>') {
                continue;
            }
            lines.push(Line {
                marker: marker(text),
                blank: text.is_empty(),
                indent: text
                    .chars()
                    .take_while(|c| c.is_whitespace())
                    .map(|c| if c == '\t' { 4 } else { 1 })
                    .sum(),
                range,
            });
        }
    }
    apart(asked.reply, lines)
}

/// The lines with each numbered entry on one of its own: `Q1: yes Q2: no`; `1) yes 2) no`, if that is all that is
/// numbered.
fn apart(reply: &str, lines: Vec<Line>) -> Vec<Line> {
    let marked = lines.iter().filter(|line| line.marker.is_some()).count();
    let mut apart = Vec::with_capacity(lines.len());
    for mut line in lines {
        while let Some((end, next)) = inside(reply, &line, marked == 1) {
            let rest = Line {
                range: next..line.range.end,
                marker: marker(&reply[next..line.range.end]).map(|marker| Marker {
                    indent: line.indent,
                    ..marker
                }),
                blank: false,
                indent: line.indent,
            };
            line.range.end = end;
            apart.push(std::mem::replace(&mut line, rest));
        }
        apart.push(line);
    }
    apart
}

/// Where within a numbered line an entry ends and another one begins, if one does.
fn inside(reply: &str, line: &Line, alone: bool) -> Option<(usize, usize)> {
    let own = line.marker.as_ref()?;
    if own.word.is_empty() && !alone {
        return None;
    }
    let from = line.range.start + own.content;
    let text = reply.get(from..line.range.end)?;
    let mut words = text.match_indices([' ', ',', ';']).map(|(at, _)| at + 1);
    words.find_map(|at| {
        let next = marker(&text[at..])?;
        let worded = !own.word.is_empty() && next.number > own.number;
        let follows = (worded || next.number == own.number + 1)
            && next.word == own.word
            && !text[at..].starts_with(char::is_whitespace);
        let end = text[..at].trim_end_matches([' ', ',', ';']).len();
        (follows && end > 0 && next.content < text.len() - at).then_some((from + end, from + at))
    })
}

/// The lists of numbered lines; those within an entry of another list are part of it, unless that has no verdicts.
pub(super) fn numbered(asked: &Asked<'_>, lines: &[Line]) -> Vec<List> {
    let mut words: Vec<&str> = Vec::new();
    for marker in lines.iter().filter_map(|line| line.marker.as_ref()) {
        if words.len() < MOST_WORDS && !words.contains(&marker.word.as_str()) {
            words.push(&marker.word);
        }
    }
    let mut lists: Vec<List> = Vec::new();
    for word in words {
        let free = |at: &usize| {
            let place = lines[*at].range.start;
            !lists
                .iter()
                .any(|list| list.speaks() && list.span.contains(&place))
        };
        let of_word = |at: &usize| {
            lines[*at]
                .marker
                .as_ref()
                .is_some_and(|one| one.word == word)
        };
        let marked: Vec<usize> = (0..lines.len()).filter(of_word).filter(free).collect();
        let runs = runs(lines, &marked);
        let next = |at: usize| runs.get(at + 1).map_or(lines.len(), |run| run[0]);
        let found = runs.iter().enumerate();
        let found: Vec<List> = found
            .map(|(at, run)| list(asked, &lines[..next(at)], run))
            .collect();
        lists.extend(found);
    }
    lists.sort_by_key(|list| list.span.start);
    lists
}

/// The marked lines that form lists: each begins where numbers start again behind a blank line or another text.
fn runs(lines: &[Line], marked: &[usize]) -> Vec<Vec<usize>> {
    let mut runs: Vec<Vec<usize>> = Vec::new();
    for &at in marked {
        let Some(marker) = &lines[at].marker else {
            continue;
        };
        let run = runs.last_mut().and_then(|run| {
            let first = lines[*run.first()?].marker.as_ref()?;
            let last = lines[*run.last()?].marker.as_ref()?;
            Some((run, first.number, last.number, first.indent))
        });
        match run {
            // What is indented more is part of the entry above.
            Some((_, _, _, indent)) if marker.indent > indent + 1 => {}
            Some((run, first, last, _))
                if marker.number > last
                    || marker.number > first
                    || at == run.last().map_or(0, |last| last + 1) =>
            {
                run.push(at);
            }
            _ => runs.push(vec![at]),
        }
    }
    runs
}

/// The list of these marked lines.
fn list(asked: &Asked<'_>, lines: &[Line], run: &[usize]) -> List {
    let ends = |index: usize| run.get(index + 1).copied();
    let open = |index: usize| ends(index).is_some_and(|end| loose(&lines[run[index]..end]));
    let loose = (0..run.len()).any(open);
    let mut items: Vec<Item> = Vec::new();
    for (index, &at) in run.iter().enumerate() {
        let Some(marker) = &lines[at].marker else {
            continue;
        };
        let end = ends(index).unwrap_or_else(|| last(asked, lines, at, loose));
        let start = lines[at].range.start + marker.content;
        let place = start.min(lines[at].range.end)..lines[end - 1].range.end;
        let masked = masked(asked.reply, &lines[at..end]);
        let readings = entry::text(asked, place.clone(), &masked);
        items.push(Item {
            number: Some(marker.number),
            name: Some(marker.name.clone()),
            ..item(readings, lines[at].range.start..place.end)
        });
    }
    let span = items.first().map_or(0, |item| item.span.start)
        ..items.last().map_or(0, |item| item.span.end);
    List { items, span }
}

/// What of these lines is not of their first: other numbered lines, and what stands between lines.
fn masked(reply: &str, lines: &[Line]) -> Vec<Range<usize>> {
    let mut masked = Vec::new();
    for pair in lines.windows(2) {
        let between = pair[0].range.end..pair[1].range.start;
        if !reply[between.clone()].trim().is_empty() {
            masked.push(between);
        }
        if pair[1].marker.is_some() {
            masked.push(pair[1].range.clone());
        }
    }
    masked
}

/// Whether behind a blank line an entry goes on that is not indented.
fn loose(lines: &[Line]) -> bool {
    let mut blank = false;
    lines.iter().skip(1).any(|line| {
        let goes_on = blank && !line.blank && line.indent == 0;
        blank |= line.blank;
        goes_on
    })
}

/// Where the last entry of a list ends, which begins at this line: before the next line that is not of it.
fn last(asked: &Asked<'_>, lines: &[Line], at: usize, loose: bool) -> usize {
    let mut blank = false;
    for (index, line) in lines.iter().enumerate().skip(at + 1) {
        if line.blank {
            blank = true;
            continue;
        }
        let text = asked.reply[line.range.clone()].trim_start();
        let of_text = !loose && blank && line.indent <= lines[at].indent;
        if of_text || of_all(text) || text.starts_with('#') {
            return index;
        }
    }
    lines.len()
}

/// Whether a line speaks of all elements: `Overall, …`, `Total: 2`.
pub(super) fn of_all(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let mut words = text.split(|c: char| !c.is_alphabetic());
    match words.next() {
        Some(word) if word.eq_ignore_ascii_case("in") => words.next().is_some_and(|next| {
            has(&OF_ALL, next) || has(&["short", "conclusion", "total", "sum"], next)
        }),
        Some(word) => has(&OF_ALL, word),
        None => false,
    }
}
