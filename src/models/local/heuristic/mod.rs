//! The built-in `heuristic` judge: a deterministic scorer of English prose that needs no reference and
//! no model.
//!
//! It is a baseline and says so: it counts what can be counted without understanding (spelling, verb
//! forms, agreement, word order, cohesion between paragraphs, names, loose sentences) and turns the
//! rates into a score. It reads neither plot nor argument. Each signal is a file whose head defines its
//! measure and says where it is weak; `score` joins them; `answer` writes the form. Time and memory are
//! linear in the text. Nothing here may call a model, touch a file, or know what was done to a text.

mod agreement;
mod answer;
mod classes;
mod cohesion;
mod finding;
mod form;
mod generic;
mod names;
mod provider;
mod reader;
mod repetition;
mod scan;
mod score;
mod spelling;
mod stems;
mod tense;
mod text;
mod ties;
mod verb_words;
mod verbs;
mod word_order;
mod words;
mod years;

#[cfg(test)]
mod tests;

pub(super) use self::provider::Settings;
use score::Verdict;
use text::Document;

/// Version of the measures; any change that can alter a form raises it.
///
/// 1: first. 2: tense is read off tags and seen beside nouns too. 3: fewer participles are taken for pasts.
pub(super) const VERSION: u32 = 3;

/// The metrics the judge knows, in lower case.
pub(super) const KNOWN: [&str; 2] = ["fluency", "coherence"];

/// A metric the judge cannot score.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("the heuristic judge has no metric `{name}`; it has `fluency` and `coherence`")]
pub(super) struct UnknownMetric {
    /// The name as it was given.
    pub name: String,
}

/// Judges a text and returns the filled-in evaluation form: issues by metric, then a score of 1 to 5 in
/// half points by metric, both in the order given.
///
/// Metric names are `fluency` and `coherence`, in any case. A text without words, or one that is not
/// English, gets `not scored` in place of every score and the reason as its only issue.
///
/// # Errors
/// The first name that is not a known metric.
pub(super) fn judge(text: &str, metrics: &[String]) -> Result<String, UnknownMetric> {
    let mut kinds = Vec::with_capacity(metrics.len());
    for name in metrics {
        kinds.push(Metric::named(name).ok_or_else(|| UnknownMetric { name: name.clone() })?);
    }
    let document = Document::read(text);
    let reason = document.not_english();
    let outcome = |metric: &Metric| match reason {
        Some(reason) => (metric.title(), Err(reason)),
        None => (metric.title(), Ok(metric.judge(&document))),
    };
    let outcomes: Vec<_> = kinds.iter().map(outcome).collect();
    Ok(answer::write(&document, &outcomes))
}

#[derive(Clone, Copy)]
enum Metric {
    Fluency,
    Coherence,
}

impl Metric {
    fn named(name: &str) -> Option<Self> {
        match name.trim().to_lowercase().as_str() {
            "fluency" => Some(Self::Fluency),
            "coherence" => Some(Self::Coherence),
            _ => None,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Fluency => "Fluency",
            Self::Coherence => "Coherence",
        }
    }

    fn judge(self, document: &Document<'_>) -> Verdict {
        match self {
            Self::Fluency => score::fluency(document),
            Self::Coherence => score::coherence(document),
        }
    }
}
