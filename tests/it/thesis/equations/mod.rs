//! Every manipulation over the gold texts at both lengths: as many operations as its equation says of what is counted here,
//! seen in the text and not only in the record; a refusal only where there is too little, with the number that was
//! asked for; dense edits in the span of Eq. 3.3.

mod dense;
mod seen;
mod texts;
mod tried;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use tribunal::language::manipulate::{Damaged, Intensity, Layer, Manipulation, Recipe};
use tribunal::language::text::{Scope, Span, Tag, paragraphs};

use self::seen::seen;
use self::texts::{Text, texts};
use self::tried::{donors, perform, recipe, variants};
use super::data::or_skip;

/// The intensities that are tried: a count, a percentage, a range of percentages, so many per thousand tokens.
const INTENSITIES: [Intensity; 4] = [
    Intensity::Count(3),
    Intensity::Percent { start: 7, end: 7 },
    Intensity::Percent { start: 4, end: 9 },
    Intensity::PerThousand {
        per_thousand: 1.5,
        bias: 2,
    },
];

/// At least as many as could be changed: what would have had to be too few for a refusal to be right.
fn enough(manipulation: Manipulation, text: &Text, scope: Scope, pool: usize) -> usize {
    match manipulation {
        Manipulation::SwapContent => {
            let passages = text.passages(scope).unwrap_or_default();
            let different: BTreeSet<&str> =
                passages.iter().map(|span| span.of(&text.written)).collect();
            different.len() / 2
        }
        // The last passage may be all there is.
        Manipulation::RemoveContent => pool.saturating_sub(1),
        Manipulation::TemporalInconsistencies => {
            let passages = text.passages(Scope::Paragraph).unwrap_or_default();
            let closed = |span: &&Span| {
                span.of(&text.written)
                    .ends_with(|end: char| ".!?".contains(end))
            };
            passages.iter().filter(closed).count()
        }
        Manipulation::VerbTenses => {
            let known = |word: &&tribunal::language::text::Word| matches!(word.tag, Tag::Vbz);
            text.annotations.words.iter().filter(known).count()
        }
        Manipulation::WordOrder => {
            let long = |span: &&Span| {
                let words = span
                    .of(&text.written)
                    .split_whitespace()
                    .filter(|word| word.len() > 3);
                words.map(str::to_lowercase).collect::<BTreeSet<_>>().len() > 5
            };
            let headings: Vec<Span> = paragraphs(&text.written)
                .into_iter()
                .filter(|it| it.heading)
                .map(|it| it.span)
                .collect();
            let prose = |span: &&Span| !headings.iter().any(|heading| heading.contains(**span));
            text.annotations
                .sentences
                .iter()
                .filter(long)
                .filter(prose)
                .count()
        }
        _ => pool,
    }
}

/// Checks that as many operations were made as the equation says, and as the text shows.
fn as_asked(text: &Text, recipe: &Recipe, damaged: &Damaged, pool: Option<usize>, context: &str) {
    let pool = pool.unwrap_or(damaged.candidates);
    assert_eq!(damaged.candidates, pool, "{context}");
    // Eq. 3.12, and the text at Eq. 3.14.
    let least = match recipe.manipulation() {
        Manipulation::SwapEntities | Manipulation::ExchangeEntities => 2,
        _ => 0,
    };
    let asked = text.asked_for(recipe.intensity.unwrap(), pool);
    let asked: BTreeSet<usize> = asked.into_iter().map(|n| n.max(least)).collect();
    let made = damaged.operations;
    assert!(asked.contains(&made), "{context}: {made} of {asked:?}");
    assert_eq!(
        seen(recipe.manipulation(), text, damaged),
        made,
        "{context}"
    );
    let recorded: BTreeSet<usize> = damaged.edits.iter().map(|edit| edit.operation).collect();
    assert!(recorded.into_iter().eq(0..made), "{context}");
    let both = (text.written.as_str(), damaged.text.as_str());
    let layer = Layer::new(recipe.manipulation(), made, damaged.edits.clone(), both).unwrap();
    assert!(
        layer.undo(&damaged.text).unwrap() == text.written,
        "{context}"
    );
}

/// Checks that a refusal says what was asked for, and that there was too little.
fn lacks(text: &Text, recipe: &Recipe, scope: Scope, donated: &[usize], context: &str, why: &str) {
    let manipulation = recipe.manipulation();
    let pool = text.pool(manipulation, scope);
    let Some(pool) = pool.filter(|_| !why.contains("no reliable chapters")) else {
        assert!(pool.is_none() || why.contains("chapters"), "{context}");
        return;
    };
    let asked = text.asked_for(recipe.intensity.unwrap(), pool);
    let least = *asked.first().unwrap();
    let most = (*asked.last().unwrap()).max(2);
    let said = (least..=most).any(|n| why.contains(&n.to_string()));
    let donor = why.contains("no other document");
    assert!(said && (donor || why.contains("there ")), "{context}");
    let enough = match manipulation {
        Manipulation::InsertContent => donated.iter().copied().max().unwrap_or(0).min(pool + 1),
        Manipulation::ExchangeContent => donated.iter().filter(|n| **n > 0).count().min(pool),
        _ => enough(manipulation, text, scope, pool),
    };
    assert!(most > enough, "{context}, and there are {enough}");
}

#[test]
fn every_manipulation_makes_as_many_operations_as_its_equation_says_or_says_what_is_lacking() {
    let Some(data) = or_skip() else { return };
    let texts = texts(&data);
    let donors: BTreeMap<Scope, _> = [Scope::Paragraph, Scope::Section, Scope::Chapter]
        .map(|scope| (scope, donors(&texts, scope)))
        .into();
    let tries: Vec<(usize, usize)> = (0..texts.len())
        .flat_map(|text| (0..30).map(move |at| (text, at)))
        .collect();
    let done: Vec<(Manipulation, usize, bool)> = tries
        .into_par_iter()
        .map(|(at, variant)| {
            let (text, tried) = (&texts[at], variants()[variant]);
            // Every variant meets every intensity, at both lengths.
            let which = (at / 2 + variant) % INTENSITIES.len();
            let (manipulation, scope, _) = tried;
            let recipe = recipe(tried, INTENSITIES[which]);
            let context = format!("{} {} {recipe:?}", text.id, text.length);
            let pool = text.pool(manipulation, scope);
            let made = match perform(&recipe, text, &donors[&scope]) {
                Ok(damaged) => {
                    as_asked(text, &recipe, &damaged, pool, &context);
                    true
                }
                Err(why) => {
                    let donated = donors[&scope].iter().filter(|(id, _)| *id != text.id);
                    let donated: Vec<usize> = donated.map(|(_, units)| units.len()).collect();
                    lacks(
                        text,
                        &recipe,
                        scope,
                        &donated,
                        &format!("{context}: {why}"),
                        &why,
                    );
                    false
                }
            };
            (manipulation, which, made)
        })
        .collect();
    for manipulation in Manipulation::ALL
        .into_iter()
        .filter(|one| one.number().is_some())
    {
        for (which, intensity) in INTENSITIES.iter().enumerate() {
            let made = done
                .iter()
                .filter(|one| **one == (manipulation, which, true))
                .count();
            assert!(made >= 12, "{manipulation} {intensity:?}: {made}");
        }
    }
    let refused = done.iter().filter(|(_, _, made)| !made).count();
    assert!(
        refused > 100 && refused < done.len() / 3,
        "{refused} of {}",
        done.len()
    );
}
