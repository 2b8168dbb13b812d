//! Log-probabilities that were written down elsewhere, in the forms that servers and studies use.
//!
//! Must not read files.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::token::plain;

/// Log-probabilities as replies keep them (see [`tokens`](super::tokens)), from one of these forms; nothing, where it is
/// none of them or spells another text:
///
/// - a list of `{token, logprob, top_logprobs: […]}`, as OpenAI has it, also within `{content: […]}`;
/// - `{tokens, token_logprobs, top_logprobs}`, as the older completions have it;
/// - for each token a list of `[token, log-probability]`, or an object with them: which of the alternatives was written,
///   the text says;
/// - one such list, or object, for a text of one token.
pub fn stored(written: &Value, text: &str) -> Option<Value> {
    if let Some(object) = written.as_object() {
        return match (&written["content"], &written["tokens"]) {
            (content @ Value::Array(_), _) => stored(content, text),
            (_, Value::Array(tokens)) => columns(tokens, object),
            _ => one(&pairs(written)?, text),
        };
    }
    let list = written.as_array().filter(|list| !list.is_empty())?;
    if list.iter().all(|entry| entry["token"].is_string()) {
        return Some(listed(list));
    }
    if let Some(pairs) = pairs(written) {
        return one(&pairs, text);
    }
    let places: Vec<Vec<Pair>> = list.iter().map(pairs).collect::<Option<_>>()?;
    spelt(&places, text)
}

/// A list of `{token, logprob, top_logprobs}` as replies keep it: without the bytes that servers write beside every token.
fn listed(tokens: &[Value]) -> Value {
    tokens.iter().map(entry).collect()
}

/// A token and its log-probability.
type Pair = (String, f64);

/// An entry as a server writes it, with the fields that replies keep.
fn entry(entry: &Value) -> Value {
    let mut kept = alternative(entry);
    let top = ["top_logprobs", "top"].map(|name| entry[name].as_array());
    let top = top.into_iter().flatten().flatten();
    kept["top"] = top.map(alternative).collect();
    kept
}

/// A token with its log-probability; its bytes only where the token is not their text.
fn alternative(entry: &Value) -> Value {
    let mut kept = json!({"token": entry["token"], "logprob": entry["logprob"]});
    let bytes = entry["bytes"].as_array().map(|bytes| {
        let bytes = bytes.iter();
        bytes.filter_map(|byte| u8::try_from(byte.as_u64()?).ok())
    });
    if let Some(bytes) = bytes.map(Iterator::collect::<Vec<u8>>)
        && entry["token"].as_str().map(str::as_bytes) != Some(&bytes)
        && std::str::from_utf8(&bytes).is_err()
    {
        kept["bytes"] = bytes.into();
    }
    kept
}

/// Lists of the same length: tokens, their log-probabilities, and an object of the likeliest for each.
fn columns(tokens: &[Value], object: &Map<String, Value>) -> Option<Value> {
    let list = |name: &str| object.get(name).and_then(Value::as_array);
    let (own, top) = (list("token_logprobs")?, list("top_logprobs"));
    let rows = tokens.iter().enumerate().map(|(at, token)| {
        let top = top.and_then(|top| pairs(top.get(at)?)).unwrap_or_default();
        Some(line(token.as_str()?, own.get(at)?.as_f64(), &top))
    });
    rows.collect()
}

/// `[["4", -0.1], …]` or `{"4": -0.1, …}`.
fn pairs(value: &Value) -> Option<Vec<Pair>> {
    let list: Option<Vec<Pair>> = match value {
        Value::Object(object) => {
            let pairs = object.iter();
            pairs
                .map(|(token, logprob)| Some((token.clone(), logprob.as_f64()?)))
                .collect()
        }
        Value::Array(list) => {
            let pair = |pair: &Value| match pair.as_array()?.as_slice() {
                [token, logprob] => Some((token.as_str()?.to_owned(), logprob.as_f64()?)),
                _ => None,
            };
            list.iter().map(pair).collect()
        }
        _ => None,
    };
    list.filter(|list| !list.is_empty())
}

fn line(token: &str, logprob: Option<f64>, top: &[Pair]) -> Value {
    let top = top.iter();
    let top = top.map(|(token, logprob)| json!({"token": token, "logprob": logprob}));
    json!({"token": token, "logprob": logprob, "top": top.collect::<Value>()})
}

/// A text of one token, which may be none of the likeliest.
fn one(top: &[Pair], text: &str) -> Option<Value> {
    let same = |other: &&Pair| other.0 == text;
    let alike = |other: &&Pair| plain(&other.0).trim() == text.trim();
    let own = top.iter().find(same).or_else(|| top.iter().find(alike));
    let (token, logprob) = match own {
        Some((token, logprob)) => (token.as_str(), Some(*logprob)),
        None => (text, None),
    };
    (!text.trim().is_empty()).then(|| Value::Array(vec![line(token, logprob, top)]))
}

/// The text as one alternative of each place after the other.
fn spelt(places: &[Vec<Pair>], text: &str) -> Option<Value> {
    let chosen = path(places, text.trim_end())?;
    let lines = places.iter().zip(chosen).map(|(top, own)| {
        let (token, logprob) = &top[own];
        line(token, Some(*logprob), top)
    });
    Some(lines.collect())
}

/// Which alternative of each place a text consists of, blanks at its end aside; nothing, if of none or if there are two
/// ways.
fn path(places: &[Vec<Pair>], text: &str) -> Option<Vec<usize>> {
    // For every place where a token may begin: how many ways lead there, and the last step of one.
    let mut reached: Vec<BTreeMap<usize, (usize, usize, bool)>> = Vec::new();
    let start = text.len() - text.trim_start().len();
    let mut ends: BTreeSet<usize> = [0, start].into();
    for top in places {
        let mut next = BTreeMap::new();
        for &at in &ends {
            for (own, (token, _)) in top.iter().enumerate() {
                let token = plain(token);
                let rest = &text[at..];
                let end = if rest.starts_with(&token) {
                    at + token.len()
                } else if token.trim_end() == rest {
                    text.len()
                } else {
                    continue;
                };
                next.entry(end)
                    .and_modify(|(_, _, twice)| *twice = true)
                    .or_insert((at, own, false));
            }
        }
        ends = next.keys().copied().collect();
        reached.push(next);
    }
    let mut at = text.len();
    let mut chosen = Vec::with_capacity(places.len());
    for steps in reached.iter().rev() {
        let (from, own, twice) = steps.get(&at)?;
        if *twice {
            return None;
        }
        chosen.push(*own);
        at = *from;
    }
    chosen.reverse();
    Some(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Listed<'t> = (&'t str, f64, &'t [(&'t str, f64)]);

    fn kept(tokens: &[Listed<'_>]) -> Value {
        let lines = tokens.iter().map(|(token, logprob, top)| {
            let top: Vec<Pair> = top.iter().map(|(t, l)| ((*t).to_owned(), *l)).collect();
            line(token, Some(*logprob), &top)
        });
        lines.collect()
    }

    #[test]
    fn every_form_comes_to_what_replies_keep() {
        let two = kept(&[
            ("Score: ", -0.5, &[("Score: ", -0.5)]),
            ("4", -0.25, &[("4", -0.25), ("5", -2.0)]),
        ]);
        let openai = json!([
            {"token": "Score: ", "logprob": -0.5, "bytes": [83, 99, 111, 114, 101, 58, 32],
             "top_logprobs": [{"token": "Score: ", "logprob": -0.5}]},
            {"token": "4", "logprob": -0.25, "top_logprobs": [
                {"token": "4", "logprob": -0.25, "bytes": [52]}, {"token": "5", "logprob": -2.0}]},
        ]);
        for written in [
            openai.clone(),
            json!({"content": openai}),
            two.clone(),
            json!({"tokens": ["Score: ", "4"], "token_logprobs": [-0.5, -0.25],
                   "top_logprobs": [{"Score: ": -0.5}, {"4": -0.25, "5": -2.0}]}),
            json!([[["Score: ", -0.5]], [["4", -0.25], ["5", -2.0]]]),
            json!([{"Score: ": -0.5}, {"4": -0.25, "5": -2.0}]),
        ] {
            assert_eq!(stored(&written, "Score: 4"), Some(two.clone()), "{written}");
        }
    }

    #[test]
    fn a_text_of_one_token_needs_one_list() {
        let written = json!([["4", -0.25], ["5", -2.0]]);
        let top: &[(&str, f64)] = &[("4", -0.25), ("5", -2.0)];
        assert_eq!(stored(&written, "5"), Some(kept(&[("5", -2.0, top)])));
        assert_eq!(stored(&written, " 4\n"), Some(kept(&[("4", -0.25, top)])));
        let object = json!({"4": -0.25, "5": -2.0});
        assert_eq!(stored(&object, "4"), Some(kept(&[("4", -0.25, top)])));
        // It may be none of those that are listed.
        let other = stored(&written, "Neither").unwrap();
        assert_eq!(
            (&other[0]["token"], &other[0]["logprob"]),
            (&json!("Neither"), &Value::Null)
        );
        assert_eq!(stored(&written, ""), None);
    }

    #[test]
    fn which_alternative_was_written_the_text_says() {
        let ten = json!([[["7", -0.5], ["1", -1.5]], [["0", -0.1], ["\n", -2.5]]]);
        let read = stored(&ten, "10").unwrap();
        assert_eq!(
            (&read[0]["token"], &read[1]["token"]),
            (&json!("1"), &json!("0"))
        );
        let ended = stored(&ten, "7\n").unwrap();
        assert_eq!(
            (&ended[0]["token"], &ended[1]["token"]),
            (&json!("7"), &json!("\n"))
        );
        let trimmed = stored(&ten, "1").unwrap();
        assert_eq!(
            (&trimmed[0]["token"], &trimmed[1]["token"]),
            (&json!("1"), &json!("\n"))
        );
        // Spelt by nothing listed, or in two ways.
        assert_eq!(stored(&ten, "8"), None);
        let twice = json!([[["a", -0.5], ["ab", -1.5]], [["bc", -0.1], ["c", -2.5]]]);
        assert_eq!(stored(&twice, "abc"), None);
    }

    #[test]
    fn bytes_are_kept_where_they_are_no_text() {
        let written =
            json!([{"token": "\\xe2", "bytes": [226], "logprob": -0.5, "top_logprobs": []}]);
        assert_eq!(stored(&written, "…").unwrap()[0]["bytes"], json!([226]));
    }

    #[test]
    fn what_is_no_known_form_is_nothing() {
        for written in [
            json!(null),
            json!(-0.5),
            json!([]),
            json!([-0.5, -0.25]),
            json!({"a": "b"}),
            json!([["4"]]),
        ] {
            assert_eq!(stored(&written, "4"), None, "{written}");
        }
    }
}
