//! A token of a reply with its log-probability and those of its alternatives, as replies keep them.

use serde_json::Value;

/// How far above 0 a log-probability may lie by rounding.
const ROUNDING: f64 = 1e-3;

/// What a decoder writes for bytes that are no whole character.
const LOST: char = '\u{fffd}';

/// A token of a reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// What it spells; a part of a character may be in it.
    pub bytes: Vec<u8>,
    /// Whether what it spells was lost when it was written as text.
    pub lossy: bool,
    /// Its log-probability, where it is known.
    pub logprob: Option<f64>,
    /// The likeliest tokens at its place, most often with itself.
    pub top: Vec<(String, f64)>,
    /// Whether the model was given it, and did not write it.
    pub given: bool,
}

/// Why log-probabilities cannot be used, as the end of a sentence about them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable(pub String);

impl Unusable {
    pub(super) fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

/// The tokens of a reply as it is stored: a list of `{token, logprob, top: [{token, logprob}]}`, with `bytes` where a
/// token is no text, and `given` where the reply was told to begin with it.
///
/// # Errors
/// [`Unusable`].
pub fn tokens(stored: &Value) -> Result<Vec<Token>, Unusable> {
    let unknown = || Unusable::new("they are not written in a known form");
    let list = stored.as_array().ok_or_else(unknown)?;
    list.iter()
        .map(|entry| {
            let text = entry["token"].as_str().ok_or_else(unknown)?;
            let bytes = entry["bytes"].as_array().and_then(|bytes| {
                let bytes = bytes.iter();
                let bytes =
                    bytes.map(|byte| byte.as_u64().and_then(|byte| u8::try_from(byte).ok()));
                bytes.collect::<Option<Vec<u8>>>()
            });
            let top = entry["top"].as_array().map_or(&[][..], Vec::as_slice);
            let top = top.iter().filter_map(|other| {
                Some((
                    other["token"].as_str()?.to_owned(),
                    other["logprob"].as_f64()?,
                ))
            });
            let token = Token {
                lossy: bytes.is_none() && text.contains(LOST),
                bytes: bytes.unwrap_or_else(|| text.as_bytes().to_vec()),
                logprob: entry["logprob"].as_f64(),
                top: top.collect(),
                given: entry["given"].as_bool().unwrap_or(false),
            };
            token.check()?;
            Ok(token)
        })
        .collect()
}

impl Token {
    fn check(&self) -> Result<(), Unusable> {
        let others = self.top.iter().map(|(_, logprob)| *logprob);
        if others
            .clone()
            .chain(self.logprob)
            .any(|logprob| logprob > ROUNDING)
        {
            return Err(Unusable::new("one of them is above 0"));
        }
        if others.map(f64::exp).sum::<f64>() > 1.0 + ROUNDING * 10.0 {
            let why = "the probabilities at one place add up to more than 1";
            return Err(Unusable::new(why));
        }
        Ok(())
    }

    /// What it spells, as text.
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// The tokens that could stand here with their log-probabilities, and whether each is this one.
    pub(super) fn alternatives(&self) -> Vec<(String, f64, bool)> {
        let text = self.text();
        let mut list: Vec<(String, f64, bool)> = Vec::with_capacity(self.top.len() + 1);
        for (other, logprob) in &self.top {
            // Two tokens may read alike; one of them is this one.
            let own = *other == text && !list.iter().any(|(_, _, own)| *own);
            list.push((other.clone(), *logprob, own));
        }
        if let Some(logprob) = self.logprob
            && !list.iter().any(|(_, _, own)| *own)
        {
            list.push((text, logprob, true));
        }
        list
    }
}

/// A token as some vocabularies write it (`Ġ4`, `▁4`), as the text that it stands for.
pub(super) fn plain(piece: &str) -> String {
    piece
        .replace(['\u{2581}', '\u{120}'], " ")
        .replace('\u{10a}', "\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tokens_are_read_as_replies_keep_them() {
        let stored = json!([
            {"token": "4", "logprob": -0.5, "top": [{"token": "4", "logprob": -0.5}, {"token": "5", "logprob": null}]},
            {"token": "\u{fffd}", "bytes": [226], "logprob": -1, "top": []},
            {"token": "\u{fffd}", "logprob": null, "top": []},
        ]);
        let read = tokens(&stored).unwrap();
        assert_eq!(read[0].top, [("4".to_owned(), -0.5)]);
        assert_eq!(
            (read[1].bytes.as_slice(), read[1].lossy),
            (&[226][..], false)
        );
        assert!(read[2].lossy);
        assert_eq!(read[0].alternatives(), [("4".to_owned(), -0.5, true)]);
    }

    #[test]
    fn the_token_itself_is_an_alternative_though_it_is_none_of_the_likeliest() {
        let stored =
            json!([{"token": "2", "logprob": -9.0, "top": [{"token": "4", "logprob": -0.5}]}]);
        let read = tokens(&stored).unwrap();
        assert_eq!(
            read[0].alternatives(),
            [("4".to_owned(), -0.5, false), ("2".to_owned(), -9.0, true)]
        );
    }

    #[test]
    fn what_is_no_log_probability_is_not_used() {
        let four = |logprob: f64| json!({"token": "4", "logprob": logprob});
        for (stored, why) in [
            (json!("4"), "they are not written in a known form"),
            (
                json!([{"logprob": -1}]),
                "they are not written in a known form",
            ),
            (
                json!([{"token": "4", "logprob": 0.9}]),
                "one of them is above 0",
            ),
            (
                json!([{"token": "4", "logprob": -0.1, "top": [four(-0.1), {"token": "5", "logprob": -0.2}]}]),
                "the probabilities at one place add up to more than 1",
            ),
        ] {
            assert_eq!(tokens(&stored), Err(Unusable::new(why)), "{stored}");
        }
    }
}
