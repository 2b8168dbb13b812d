//! Whether the model that answered is the one that was asked.
//!
//! A server that does not know a model may answer with another one, and a table would not show it. What is compared is
//! the name that the server reports; a server that echoes the name it was asked for, whatever it serves, cannot be
//! checked.

use crate::models::ask::CallError;
use crate::models::provider::excerpt;
use crate::models::spec::ModelSpec;

/// The entry of `reported` under which every name fits.
const ANY: &str = "*";

/// What OpenRouter takes at the end of a name to say by whom, or with what beside, the model is served. Other words after
/// a colon are other models, as `:thinking` there and `:8b` at Ollama.
const ROUTING: [&str; 5] = [":nitro", ":floor", ":online", ":exacto", ":free"];

/// Accepts the name that the server reports, if it is one for the model that was asked. A server that reports none
/// cannot be checked.
///
/// # Errors
/// [`CallError::Fatal`] when another model answered.
pub fn check(spec: &ModelSpec, reported: Option<&str>) -> Result<(), CallError> {
    let asked = spec.asked();
    let Some(reported) = reported else {
        return Ok(());
    };
    let declared = |name: &String| name == ANY || name.eq_ignore_ascii_case(reported);
    if fits(asked, reported) || spec.reported.iter().any(declared) {
        return Ok(());
    }
    let shown = excerpt(reported.as_bytes(), 200);
    // A JSON text is a TOML text, so that the line can be copied.
    let line = serde_json::Value::from(shown.as_str());
    Err(CallError::Fatal(format!(
        "asked for `{asked}`, the server answered as `{shown}`; if these are the same model, write `reported = {line}`"
    )))
}

/// Whether a reported name is another way to write the one that was asked.
///
/// Case is no difference, nor are `:latest` and `.gguf` at the end, nor folders in front (`org/name` is served as `name`,
/// and llama.cpp reports the path of its file), nor a dated snapshot behind (`gpt-4o-2024-08-06`), nor how OpenRouter is
/// told to find a host ([`ROUTING`]).
fn fits(asked: &str, reported: &str) -> bool {
    let (asked, reported) = routed(plain(asked), plain(reported));
    let (short, long) = if parts(&asked) <= parts(&reported) {
        (&asked, &reported)
    } else {
        (&reported, &asked)
    };
    // As many last parts of the longer path as the shorter one has: `a/name` is not `b/name`.
    let start = long
        .rmatch_indices('/')
        .nth(parts(short) - 1)
        .map_or(0, |(slash, _)| slash + 1);
    let tail = &long[start..];
    let (asked, reported) = if parts(&asked) <= parts(&reported) {
        (asked.as_str(), tail)
    } else {
        (tail, reported.as_str())
    };
    reported == asked
        || [
            Some(asked),
            asked.strip_suffix("-latest"),
            asked.strip_suffix("-0"),
        ]
        .into_iter()
        .flatten()
        .filter_map(|asked| reported.strip_prefix(asked))
        .any(is_snapshot)
}

/// Both names without what says how to find a host. It is taken off the reported one only where it was asked for.
fn routed(mut asked: String, mut reported: String) -> (String, String) {
    while let Some(end) = ROUTING.iter().find(|end| asked.ends_with(**end)) {
        asked.truncate(asked.len() - end.len());
        if reported.ends_with(end) {
            reported.truncate(reported.len() - end.len());
        }
    }
    (asked, reported)
}

/// How many parts a path has.
fn parts(path: &str) -> usize {
    path.split('/').count()
}

/// A name in the form in which it is compared.
fn plain(name: &str) -> String {
    let name = name.trim().to_ascii_lowercase().replace('\\', "/");
    let name = name.trim_end_matches('/');
    let name = name.strip_suffix(":latest").unwrap_or(name);
    name.strip_suffix(".gguf").unwrap_or(name).to_owned()
}

/// Whether the end of a name says which snapshot it is: a date such as `-2024-08-06`, `-20250514`, `-0613` or `-04-28`, or
/// a number of three digits such as `-002`. A single digit is none: `claude-opus-4-1` is not `claude-opus-4`.
fn is_snapshot(end: &str) -> bool {
    let Some(end) = end.strip_prefix(['-', '@']) else {
        return false;
    };
    let parts: Vec<&str> = end.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    let digits = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
    parts.iter().all(digits)
        && match lengths.as_slice() {
            [3 | 4 | 6 | 8] | [4, 2, 2] => true,
            // Without a year it may as well be a version.
            [2, 2] => ("01"..="12").contains(&parts[0]) && ("01"..="31").contains(&parts[1]),
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::models::provider::testing;

    #[test]
    fn other_ways_to_write_a_name_fit() {
        for (asked, reported) in [
            ("gpt-4o", "GPT-4o"),
            ("gpt-4o", "gpt-4o-2024-08-06"),
            ("gpt-4", "gpt-4-0613"),
            ("claude-sonnet-4", "claude-sonnet-4-20250514"),
            ("claude-3-5-sonnet-latest", "claude-3-5-sonnet-20241022"),
            ("claude-3-5-sonnet", "claude-3-5-sonnet@20240620"),
            ("gemini-1.5-pro", "gemini-1.5-pro-002"),
            ("mistral-large-latest", "mistral-large-2411"),
            ("openai/gpt-4o", "gpt-4o-2024-08-06"),
            ("openai/gpt-4o", "openai/gpt-4o-2024-08-06"),
            ("llama3.2", "llama3.2:latest"),
            ("llama3.2:latest", "llama3.2"),
            ("Qwen/Qwen3-32B", "qwen3-32b"),
            ("Qwen3-32B", "/data/models/Qwen3-32B"),
            ("Qwen/Qwen3-32B", "/data/Qwen/Qwen3-32B/"),
            ("smollm2.Q4_1", r"C:\models\SmolLM2.Q4_1.gguf"),
            ("/models/a.gguf", "a"),
            ("claude-opus-4-0", "claude-opus-4-20250514"),
            ("anthropic/claude-sonnet-4-0", "claude-sonnet-4-20250514"),
            ("qwen3-32b", "qwen3-32b-04-28"),
            ("qwen/qwen3-32b", "qwen/qwen3-32b-04-28"),
            ("qwen/qwen3-32b:nitro", "qwen/qwen3-32b"),
            ("qwen/qwen3-32b:floor", "qwen/qwen3-32b-04-28"),
            ("openai/gpt-4o:online", "openai/gpt-4o-2024-08-06"),
            ("moonshotai/kimi-k2:exacto", "moonshotai/kimi-k2"),
            ("qwen/qwen3-8b:free", "Qwen/Qwen3-8B:free"),
            ("qwen/qwen3-8b:free", "qwen/qwen3-8b-04-28:free"),
            ("qwen/qwen3-8b:Free:Online", "qwen/qwen3-8b:free"),
        ] {
            assert!(fits(asked, reported), "{asked} {reported}");
        }
    }

    #[test]
    fn other_models_do_not_fit() {
        for (asked, reported) in [
            ("gpt-4o", "gpt-4o-mini"),
            ("gpt-4o", "gpt-4o-mini-2024-07-18"),
            ("gpt-4o-2024-08-06", "gpt-4o-2024-05-13"),
            ("gpt-4o-2024-08-06", "gpt-4o"),
            ("gpt-4", "gpt-4.1"),
            ("claude-opus-4", "claude-opus-4-1-20250805"),
            ("qwen/qwen3-32b", "unsloth/qwen3-32b"),
            ("qwen3-32b", "qwen3-32b-awq"),
            ("llama3.2", "llama3.2:1b"),
            ("a", ""),
            ("a", "/"),
            ("gpt-4", "gpt-4-0613-preview"),
            ("claude-opus-4-1", "claude-opus-4-20250514"),
            ("claude-opus-4-0", "claude-opus-4-1-20250805"),
            ("claude-opus-4-20250514", "claude-opus-4-0"),
            ("qwen3:8b", "qwen3:14b"),
            ("qwen3:8b", "qwen3"),
            ("qwen3:8b-free", "qwen3:8b"),
            ("claude-3.7-sonnet:thinking", "claude-3.7-sonnet"),
            ("qwen/qwen3-8b:nitro", "qwen/qwen3-14b"),
            ("qwen/qwen3-8b:nitro", "qwen/qwen3-8b:free"),
            ("qwen/qwen3-8b", "qwen/qwen3-8b:free"),
            ("qwen3-32b", "qwen3-32b-13-28"),
            ("qwen3-32b", "qwen3-32b-04-32"),
            ("qwen3-32b", "qwen3-32b-00-10"),
            ("qwen3-32b-04-28", "qwen3-32b-07-25"),
        ] {
            assert!(!fits(asked, reported), "{asked} {reported}");
        }
    }

    #[test]
    fn another_model_stops_the_run_and_the_line_to_write_is_shown() {
        let spec = testing::openai("llama-3.3-70b");
        let error = check(&spec, Some(r"C:\m.gguf")).unwrap_err();
        assert_eq!(
            error,
            CallError::Fatal(
                r#"asked for `llama-3.3-70b`, the server answered as `C:\m.gguf`; if these are the same model, write `reported = "C:\\m.gguf"`"#
                    .to_owned()
            )
        );
    }

    #[test]
    fn names_that_the_spec_declares_fit() {
        let mut spec = testing::openai("judge");
        assert_eq!(check(&spec, None), Ok(()));
        spec.reported = vec!["Llama-70B".to_owned()];
        assert_eq!(check(&spec, Some("llama-70b")), Ok(()));
        assert!(check(&spec, Some("llama-8b")).is_err());
        spec.reported = vec!["*".to_owned()];
        assert_eq!(check(&spec, Some("llama-8b")), Ok(()));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        #[test]
        fn a_name_fits_itself_and_nothing_panics(name in "[a-z/.:\\\\é-]{0,12}", other in ".{0,12}") {
            prop_assert!(fits(&name, &name));
            let _ = fits(&name, &other);
        }
    }
}
