//! The negation needle: `Caesar was a general` becomes `Caesar was not a general`.
//!
//! There is no `do`: `he came` becomes `he came not`, as in the paper. Of 100 random negations of gold
//! documents about 20 are English as one writes it today, and about 50 with [`After::Auxiliary`]; most
//! of the others read like an old book, some like none (`they will tell not us`).
//!
//! Source: Aksoy et al., "Semantic Needles in Document Haystacks" (2026), Appendix A, `neg`.

use serde::{Deserialize, Serialize};

use super::clause::main_verb;
use super::place::NeedlePlace;
use super::token::{Token, tokens};
use super::{Needle, Position};
use crate::language::manipulate::edit::Change;
use crate::language::manipulate::{About, Damaged, Job, Refusal, Takes, Target, Work};
use crate::language::text::{Span, Want, Word};

/// Needle `neg`: a sentence is negated (Semantic Needles, appendix A).
#[derive(Clone, Copy, Debug)]
pub struct Negation;

impl Work for Negation {
    type Settings = NeedlePlace;

    const ABOUT: About = About {
        wants: Want::WORDS,
        takes: Takes::Hay,
        ..About::of("negation", None, Target::Meaning)
    };

    fn usual() -> NeedlePlace {
        NeedlePlace {
            not_after: Some(After::default()),
            ..NeedlePlace::default()
        }
    }

    fn takes(place: &NeedlePlace) -> Takes {
        place.takes()
    }

    fn perform(place: &NeedlePlace, job: &mut Job<'_>) -> Result<Damaged, Refusal> {
        place.lay(Needle::Negation(place.not_after.unwrap_or_default()), job)
    }

    fn positions(place: &NeedlePlace) -> Vec<Position> {
        place.positions()
    }

    fn perform_each(place: &NeedlePlace, job: &mut Job<'_>) -> Result<Vec<Damaged>, Refusal> {
        place.lay_each(Needle::Negation(place.not_after.unwrap_or_default()), job)
    }
}

/// After which verb of the main clause `not` is put.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum After {
    /// After the lexical verb, as the paper says (a parser's root is the lexical verb): `had
    /// conquered not`, `was not a general`.
    #[default]
    Root,
    /// After the verb that has the subject, as one would write today: `had not conquered`. Where there
    /// is no auxiliary this is the same: `conquered not`.
    Auxiliary,
}

/// The words that keep a sentence from being negated once more (the paper's lemmas).
const NEGATIONS: [&str; 4] = ["not", "n't", "never", "no"];

/// The insertion of `not` into the sentence that consists of `words`; none where the sentence is
/// negated already or has no main verb.
///
/// Letters, blanks and marks stay as they are. What hangs on the verb stays there: `Let's` becomes
/// `Let's not`.
pub(super) fn negate(text: &str, words: &[Word], after: After) -> Option<Vec<Change>> {
    let tokens = tokens(text, words);
    if tokens.iter().any(negates) {
        return None;
    }
    let verb = main_verb(&tokens)?;
    let verb = match after {
        After::Root => verb.lexical,
        After::Auxiliary => verb.finite,
    };
    let place = end_with_clitics(text, words, verb);
    Some(vec![Change::new(0, Span::new(place, place), " not")])
}

/// Whether a word negates; also in one piece with its verb, if whoever divided the words left it so.
fn negates(token: &Token) -> bool {
    token.is(&NEGATIONS) || token.is(&["cannot"]) || token.letters.ends_with("n't")
}

/// Where the verb ends, together with the words written in one piece with it (`Let's`, `gonna`).
fn end_with_clitics(text: &str, words: &[Word], verb: Span) -> usize {
    let from = words.partition_point(|word| word.span.start < verb.end);
    let mut end = verb.end;
    for word in &words[from..] {
        let letters = word.span.of(text).trim_start_matches(['\'', '’']);
        if word.span.start != end || !letters.starts_with(char::is_alphabetic) {
            break;
        }
        end = word.span.end;
    }
    end
}
