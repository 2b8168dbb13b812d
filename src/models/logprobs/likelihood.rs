//! How likely a reply was: the log-probability of its text, and its perplexity.
//!
//! Of the tokens those count that spell the text. Tokens of thoughts, the one that ends a reply, and what the model was
//! given to begin with do not.

use std::ops::Range;

use super::token::{Token, Unusable};

/// What servers write for a log-probability that they do not say: that of a token that is not among the likeliest.
const NOT_SAID: f64 = -9999.0;

/// How likely the text of a reply was to the model that wrote it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likelihood {
    /// The sum of the log-probabilities of its tokens, to the base e.
    pub logprob: f64,
    /// How many tokens these are.
    pub tokens: u32,
}

impl Likelihood {
    /// The perplexity: `exp` of minus the mean log-probability of a token.
    pub fn perplexity(&self) -> f64 {
        (-self.logprob / f64::from(self.tokens)).exp()
    }
}

/// The likelihood of those parts of a text that ascend in bytes, blanks around them all aside. `spans` is where each of the
/// tokens stands.
///
/// # Errors
/// [`Unusable`], where no token stands there, or the log-probability of one is not known.
pub fn likelihood(
    (tokens, spans): (&[Token], &[Range<usize>]),
    text: &str,
    parts: &[Range<usize>],
) -> Result<Likelihood, Unusable> {
    let parts = without_blanks(text, parts);
    let counts = |span: &Range<usize>| {
        let shared = |part: &Range<usize>| span.start.max(part.start) < span.end.min(part.end);
        parts.iter().any(shared)
    };
    let own = tokens.iter().zip(spans);
    let own = own.filter(|(token, span)| !token.given && counts(span));
    let said: Vec<Option<f64>> = own
        .map(|(token, _)| token.logprob.filter(|logprob| *logprob > NOT_SAID))
        .collect();
    let missing = said.iter().filter(|logprob| logprob.is_none()).count();
    if missing > 0 {
        let of = said.len();
        let why = format!("that of {missing} of {of} tokens is not known");
        return Err(Unusable::new(why));
    }
    let tokens = u32::try_from(said.len()).unwrap_or(u32::MAX);
    if tokens == 0 {
        return Err(Unusable::new("no token of it was written by the model"));
    }
    // What lies above 0 does so by rounding.
    let logprob = said.into_iter().flatten().map(|logprob| logprob.min(0.0));
    let likelihood = Likelihood {
        logprob: logprob.sum::<f64>() + 0.0,
        tokens,
    };
    if likelihood.perplexity().is_finite() {
        Ok(likelihood)
    } else {
        Err(Unusable::new("they are too small for a perplexity"))
    }
}

/// The parts without the blanks before the first word and behind the last.
fn without_blanks(text: &str, parts: &[Range<usize>]) -> Vec<Range<usize>> {
    let says = |part: &&Range<usize>| !text[(*part).clone()].trim().is_empty();
    let start = parts.iter().find(says).map(|part| {
        let text = &text[part.clone()];
        part.end - text.trim_start().len()
    });
    let end = parts.iter().rfind(says).map(|part| {
        let text = &text[part.clone()];
        part.start + text.trim_end().len()
    });
    let (Some(start), Some(end)) = (start, end) else {
        return Vec::new();
    };
    let cut = |part: &Range<usize>| part.start.max(start)..part.end.min(end);
    let parts = parts.iter().map(cut);
    parts.filter(|part| part.start < part.end).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::placed;
    use super::*;

    fn of(stored: &Value, text: &str, part: Range<usize>) -> Result<Likelihood, Unusable> {
        let (tokens, spans) = placed(Some(stored), text, false).unwrap();
        likelihood((&tokens, &spans), text, &[part])
    }

    fn token(text: &str, logprob: impl Into<Value>) -> Value {
        json!({"token": text, "logprob": logprob.into(), "top": []})
    }

    #[test]
    fn the_tokens_that_spell_the_text_are_added_up() {
        let tokens = json!([
            token("\n", -3.0),
            token("Two", -0.5),
            token(" mills", -1.5),
            token(".", -1.0),
            token("\n", -4.0),
            token("<|im_end|>", -5.0),
        ]);
        let all = of(&tokens, "Two mills.", 0..10).unwrap();
        assert_eq!((all.logprob, all.tokens), (-3.0, 3));
        assert!((all.perplexity() - 1.0_f64.exp()).abs() < 1e-12);
        // Four choices of the same probability, twice.
        let even = json!([token("a", 0.25_f64.ln()), token("b", 0.25_f64.ln())]);
        let even = of(&even, "ab", 0..2).unwrap();
        assert!((even.perplexity() - 4.0).abs() < 1e-12);
    }

    #[test]
    fn thoughts_and_what_the_model_was_given_do_not_count() {
        let text = "<think>no</think>\n\nyes";
        let tokens = json!([
            token("<think>", -1.0),
            token("no", -2.0),
            token("</think>", -4.0),
            token("\n\n", -8.0),
            token("yes", -16.0),
        ]);
        let answer = of(&tokens, text, 17..22).unwrap();
        assert_eq!((answer.logprob, answer.tokens), (-16.0, 1));
        let begun = json!([{"token": "Score:", "logprob": null, "top": [], "given": true}, token(" 4", -0.5)]);
        let begun = of(&begun, "Score: 4", 0..8).unwrap();
        assert_eq!((begun.logprob, begun.tokens), (-0.5, 1));
    }

    #[test]
    fn what_is_not_known_of_every_token_is_not_known_of_the_text() {
        for unknown in [Value::Null, json!(-9999.0)] {
            let tokens = json!([token("Two", -0.5), token(" mills", unknown)]);
            let why = of(&tokens, "Two mills", 0..9).unwrap_err();
            assert_eq!(why.0, "that of 1 of 2 tokens is not known");
        }
        let given = json!([{"token": "Two", "logprob": null, "top": [], "given": true}]);
        let why = of(&given, "Two", 0..3).unwrap_err();
        assert_eq!(why.0, "no token of it was written by the model");
        let small = json!([token("a", -9000.0)]);
        let why = of(&small, "a", 0..1).unwrap_err();
        assert_eq!(why.0, "they are too small for a perplexity");
    }
}
