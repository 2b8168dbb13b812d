//! The entities of a text.

use super::candidate::{Candidate, candidates};
use super::census::Census;
use super::date::dates;
use super::decide::decide;
use super::language::languages;
use super::reading::Reading;
use super::run::runs;
use super::token::{Gap, Token, tokens};
use crate::language::text::{Entity, Span};

/// The mentions of named entities in a text, in order and not overlapping.
///
/// A span holds the name without a leading `the`, without a title (`Mr.`, `Captain`) and without a
/// possessive ending, unless that is part of the name (`St. Martin’s`). The full stop of an abbreviation
/// (`Mass.`) belongs to it unless it ends the sentence as well.
pub fn entities(text: &str) -> Vec<Entity> {
    let tokens = tokens(text);
    let census = Census::new(text, &tokens);
    let reading = Reading {
        text,
        tokens: &tokens,
    };
    let mut found: Vec<Candidate> = Vec::new();
    for run in runs(reading, &census) {
        candidates(reading, &census, run, &mut found);
    }
    let kinds = decide(reading, &census, &found);
    let names = found
        .iter()
        .zip(kinds)
        .filter_map(|(candidate, kind)| {
            Some(Entity {
                span: span(text, &tokens, candidate),
                kind: kind?,
            })
        })
        .collect();
    let names = merge(languages(reading, &census), names);
    merge(dates(reading), names)
}

fn span(text: &str, tokens: &[Token], candidate: &Candidate) -> Span {
    let last = &tokens[candidate.last];
    let mut end = last.span.end;
    if candidate.whole {
        end = last.full_end;
        if last.dotted && text[end..].starts_with('.') && !ends_sentence(tokens, candidate.last) {
            end += 1;
        }
    }
    Span::new(tokens[candidate.first].span.start, end)
}

/// Whether the full stop after a token also ends the sentence: nothing, a new paragraph or a capital
/// comes after it (`in Springfield, Mass. He was`).
fn ends_sentence(tokens: &[Token], at: usize) -> bool {
    tokens
        .get(at + 1)
        .is_none_or(|next| next.gap == Gap::Paragraph || next.is_capital())
}

/// Both lists in order; what overlaps one of `strong` gives way.
fn merge(strong: Vec<Entity>, weak: Vec<Entity>) -> Vec<Entity> {
    let mut merged = Vec::with_capacity(strong.len() + weak.len());
    let mut strong = strong.into_iter().peekable();
    let mut last_end = 0;
    for entity in weak {
        while let Some(other) = strong.next_if(|other| other.span.start < entity.span.end) {
            last_end = other.span.end;
            merged.push(other);
        }
        if entity.span.start >= last_end {
            merged.push(entity);
        }
    }
    merged.extend(strong);
    merged
}
