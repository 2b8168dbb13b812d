//! \[42\] Incorrect verb tenses: verbs turned from the past into the present and back.
//!
//! The thesis takes the number of operations from all verbs and auxiliaries, `n = round(r · |V| / 100)`
//! (Eq. 3.18), and turns each chosen verb into the other tense (Eq. 3.19). |V| is [`pool`]. Only finite
//! forms have a tense, so the choice is uniform among those, not among all of V: the published data also
//! turned infinitives, participles and gerunds into past or present tenses (`to was`, `has am`), and
//! spelled words that do not exist (`woulded`). How a form is turned is told in
//! [`crate::language::text::inflect`].

use super::density::Density;
use super::edit::{Change, NotApplicable};
use super::{About, Damaged, Intensity, Job, Letters, Refusal, Subject, Target, Work};
use crate::base::draw::Draw;
use crate::language::text::inflect::flip_at;
use crate::language::text::{Annotations, Headings, Span, Want, Word};

/// \[42\] Verbs change between past and present (Eq. 3.18, 3.19).
#[derive(Clone, Copy, Debug)]
pub struct VerbTenses;

impl Work for VerbTenses {
    type Settings = Letters;

    const ABOUT: About = About {
        usual: Some(Intensity::Percent { start: 5, end: 5 }),
        wants: Want::WORDS,
        ..About::of("verb-tenses", Some(42), Target::Fluency)
    };

    fn perform(settings: &Letters, job: &mut Job<'_>) -> Result<Damaged, Refusal> {
        let Subject {
            text, annotations, ..
        } = job.subject;
        job.make(pool(&annotations.words), |operations, draw| {
            verb_tenses(text, annotations, operations, settings.density, draw)
        })
    }
}

/// |V|: how many of the words are verbs or auxiliaries, modals and contracted forms included.
pub fn pool(words: &[Word]) -> usize {
    words.iter().filter(|word| word.tag.is_verb()).count()
}

/// The verbs whose tense can be changed, those in headings excepted, and what would stand in their place, in the order of the text.
fn candidates(text: &str, words: &[Word]) -> (Vec<Span>, Vec<String>) {
    let headings = Headings::of(text);
    words
        .iter()
        .enumerate()
        .filter(|(_, word)| !headings.hold(word.span))
        .filter_map(|(at, word)| Some((word.span, flip_at(text, words, at)?)))
        .unzip()
}

/// Changes the tense of as many verbs as there are operations, each verb that can be changed equally
/// likely. The changes are in the order of the text, one per operation.
///
/// # Errors
/// When fewer verbs can be changed than operations are asked for.
pub fn verb_tenses(
    text: &str,
    annotations: &Annotations,
    operations: usize,
    density: Density,
    draw: &mut Draw,
) -> Result<Vec<Change>, NotApplicable> {
    let (places, others) = candidates(text, &annotations.words);
    let named = ("tense change", "finite verb");
    let sentences = &annotations.sentences;
    let chosen = density.choose_among_sentences(sentences, &places, operations, named, draw)?;
    let changes = chosen.into_iter().enumerate();
    Ok(changes
        .map(|(operation, at)| Change::new(operation, places[at], others[at].clone()))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::text::{Want, annotate};

    #[test]
    fn the_verbs_of_headings_keep_their_tense() {
        let text = "CHAPTER: HOW HE WENT HOME\n\nHe went home.";
        let want = Want {
            sentences: true,
            words: true,
            entities: false,
        };
        let annotations = annotate(text, want).unwrap();
        let (places, _) = candidates(text, &annotations.words);
        let found: Vec<&str> = places.iter().map(|place| place.of(text)).collect();
        assert_eq!(found, ["went"]);
    }
}
