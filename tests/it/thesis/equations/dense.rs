//! Dense edits lie in the span of Eq. 3.3.

use std::collections::BTreeMap;

use rayon::prelude::*;
use tribunal::language::manipulate::{Density, Intensity, Manipulation};
use tribunal::language::text::{Scope, Span};

use super::texts::{PUNCTUATION, Text, texts};
use super::tried::{perform, recipe};
use crate::thesis::data::or_skip;

/// Where a manipulation could change something: what it changes when it is asked for as much as there is.
fn candidates(manipulation: Manipulation, text: &Text) -> Vec<Span> {
    let variant = (manipulation, Scope::Paragraph, Density::Widespread);
    let why = perform(&recipe(variant, Intensity::Count(1_000_000)), text, &[]).unwrap_err();
    let number: String = why.rsplit(' ').next().unwrap().to_owned();
    let all = perform(
        &recipe(variant, Intensity::Count(number.parse().unwrap())),
        text,
        &[],
    )
    .unwrap();
    let mut places: BTreeMap<usize, Span> = BTreeMap::new();
    for edit in all.edits {
        let place = places.entry(edit.operation).or_insert(edit.before);
        place.end = place.end.max(edit.before.end);
    }
    places.into_values().collect()
}

#[test]
fn dense_edits_lie_in_the_span_of_equation_3_3() {
    let Some(data) = or_skip() else { return };
    let texts = texts(&data);
    let numbers = [41, 42, 43, 44, 45];
    let tries: Vec<(usize, u8)> = (0..texts.len())
        .flat_map(|text| numbers.map(|number| (text, number)))
        .collect();
    let widened: Vec<(u8, bool)> = tries
        .into_par_iter()
        .filter_map(|(at, number)| {
            let text = &texts[at];
            let manipulation = Manipulation::find(&number.to_string()).unwrap();
            let percent = if number < 42 { 2 } else { 5 };
            let intensity = Intensity::Percent {
                start: percent,
                end: percent,
            };
            let recipe = recipe((manipulation, Scope::Paragraph, Density::Dense), intensity);
            let damaged = perform(&recipe, text, &[]).unwrap();
            let context = format!("{} {} [{number}]", text.id, text.length);
            let (n, edits) = (damaged.operations, &damaged.edits);
            let (first, last) = (edits.first()?.before.start, edits.last()?.before.end);
            if let 42 | 43 = number {
                // A window of whole sentences with 2.5 times as many that could be changed: without its last sentence
                // with one, there are fewer.
                let all = candidates(manipulation, text);
                let within = all
                    .iter()
                    .filter(|place| place.start >= first && place.end <= last);
                let sentences = &text.annotations.sentences;
                let close = sentences
                    .iter()
                    .rfind(|sentence| sentence.start < last)
                    .unwrap();
                let without = within.filter(|place| place.end <= close.start).count();
                assert!(2 * without < 5 * n, "{context}: {without} for {n}");
                return None;
            }
            // n · 5 · 2.5 characters. A removed word takes a blank beside it along, which is not of the region.
            let span = text.written[first..last].trim().chars().count();
            let fits = 2 * span <= 25 * n + 1;
            let letters = |letter: char| match number {
                41 => letter.is_ascii_alphabetic(),
                _ => PUNCTUATION.contains(letter),
            };
            let neighbours = text.written[first..last]
                .chars()
                .filter(|letter| letters(*letter))
                .count()
                == n;
            assert!(
                fits || number != 45 && neighbours,
                "{context}: {span} characters for {n}"
            );
            Some((number, !fits))
        })
        .collect();
    let count = |number, wide| widened.iter().filter(|one| **one == (number, wide)).count();
    // Letters and words are everywhere; marks are so rare that the region nearly always has to be longer.
    assert_eq!((count(41, false), count(41, true)), (130, 0));
    assert_eq!((count(45, false), count(45, true)), (130, 0));
    assert!(count(44, true) > 100, "{}", count(44, true));
}
