//! Keys of servers: held so that they cannot be printed, and taken out of whatever a server sends back.
//!
//! The environment is not read here: whoever may read it hands over a function. Nothing here knows what a key opens.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;

use thiserror::Error;

use super::scrub::Scrubber;
use crate::models::ask::{CallError, Reply};

/// What stands where a secret stood.
const REPLACED: &str = "[secret]";

/// The shortest secret that is looked for in answers, in bytes. A shorter one would be found in plain words, and
/// taking it out would mangle them: servers that want no key are often given `not-needed`, `lm-studio` or `placeholder`.
/// Keys that open something have twenty characters and more.
const SHORTEST: usize = 12;

/// A key. It can be sent, and neither printed nor stored.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Takes the value of a variable, without white space around it. None if a header could not carry it: if it is
    /// empty or holds anything but visible ASCII.
    pub fn new(value: &str) -> Option<Self> {
        let value = value.trim();
        let fits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self(value.to_owned()))
    }

    /// The key itself, for the one header that carries it.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REPLACED)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REPLACED)
    }
}

/// Why there is no key. Names variables, never values.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoSecret {
    /// The variable is not set, or empty.
    #[error(
        "the environment has no key in `{0}`: set it, or name another variable in `api-key-env`"
    )]
    Missing(String),
    /// The variable holds what cannot be sent.
    #[error(
        "`{0}` does not hold a key: it has white space in it or characters other than visible ASCII"
    )]
    Odd(String),
}

/// The keys of a run, by the variables that hold them.
pub struct Secrets {
    keys: BTreeMap<String, Result<Secret, NoSecret>>,
    /// What is looked for in answers.
    scrubber: Scrubber,
}

impl Default for Secrets {
    fn default() -> Self {
        Self::read([], |_| None)
    }
}

impl Secrets {
    /// Looks up variables. One that is missing is no error before its key is needed: what is in the cache can be read
    /// without any.
    pub fn read<'v>(
        variables: impl IntoIterator<Item = &'v str>,
        look: impl Fn(&str) -> Option<OsString>,
    ) -> Self {
        let keys: BTreeMap<String, Result<Secret, NoSecret>> = variables
            .into_iter()
            .map(|variable| (variable.to_owned(), take(variable, look(variable))))
            .collect();
        let long = keys.values().flatten().map(|secret| &*secret.0);
        let scrubber = Scrubber::of(long.filter(|secret| secret.len() >= SHORTEST));
        Self { keys, scrubber }
    }

    /// The key in a variable.
    ///
    /// # Errors
    /// When there is none that can be sent.
    pub fn get(&self, variable: &str) -> Result<&Secret, NoSecret> {
        match self.keys.get(variable) {
            Some(Ok(secret)) => Ok(secret),
            Some(Err(why)) => Err(why.clone()),
            None => Err(NoSecret::Missing(variable.to_owned())),
        }
    }

    /// What a server sent, with every key of at least twelve characters replaced, however it is written; shorter ones
    /// stay. Of an answer that `refuses`, ends of keys are looked for more closely: they say which key is wrong.
    pub fn redact(&self, bytes: Vec<u8>, refuses: bool) -> Vec<u8> {
        let found = self.scrubber.find(&bytes, refuses);
        if found.is_empty() {
            return bytes;
        }
        let mut clean = Vec::with_capacity(bytes.len());
        let mut copied = 0;
        for range in found {
            // The end of one may begin before where the last one ended.
            clean.extend_from_slice(&bytes[copied..range.start.max(copied)]);
            clean.extend_from_slice(REPLACED.as_bytes());
            copied = range.end;
        }
        clean.extend_from_slice(&bytes[copied..]);
        clean
    }

    /// The same of a text.
    pub fn redact_text(&self, text: &mut String, refuses: bool) {
        if !self.scrubber.find(text.as_bytes(), refuses).is_empty() {
            let bytes = self.redact(std::mem::take(text).into_bytes(), refuses);
            *text = String::from_utf8_lossy(&bytes).into_owned();
        }
    }

    /// A reply without keys: one may have come in several parts, each of which held none.
    pub fn redact_reply(&self, reply: &mut Reply) {
        self.redact_text(&mut reply.text, false);
        let more = [&mut reply.thoughts, &mut reply.model, &mut reply.revision];
        for text in more.into_iter().flatten() {
            self.redact_text(text, false);
        }
        let tokens = reply.logprobs.as_ref().and_then(|tokens| tokens.as_array());
        let tokens = tokens.into_iter().flatten();
        let said: String = tokens.filter_map(|token| token["token"].as_str()).collect();
        if !self.scrubber.find(said.as_bytes(), false).is_empty() {
            reply.logprobs = None;
        }
    }

    /// An error without keys.
    pub fn redact_error(&self, mut error: CallError) -> CallError {
        let text = match &mut error {
            CallError::NotRecorded { .. } => return error,
            CallError::NotApplicable(text)
            | CallError::Ambiguous(text)
            | CallError::Refused(text)
            | CallError::TooLong(text)
            | CallError::Busy { message: text, .. }
            | CallError::Unreachable(text)
            | CallError::Broken(text)
            | CallError::Failed(text)
            | CallError::Fatal(text) => text,
        };
        self.redact_text(text, true);
        error
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.keys.keys()).finish()
    }
}

fn take(variable: &str, value: Option<OsString>) -> Result<Secret, NoSecret> {
    let missing = || NoSecret::Missing(variable.to_owned());
    let value = value.ok_or_else(missing)?;
    if value.to_str().is_some_and(|text| text.trim().is_empty()) {
        return Err(missing());
    }
    let secret = value.to_str().and_then(Secret::new);
    secret.ok_or_else(|| NoSecret::Odd(variable.to_owned()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn holding(values: &[(&'static str, &'static str)]) -> Secrets {
        let names: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
        Secrets::read(names, |variable| {
            let found = values.iter().find(|(name, _)| *name == variable);
            found.map(|(_, value)| OsString::from(value))
        })
    }

    fn redacted(secrets: &Secrets, text: &str) -> String {
        String::from_utf8(secrets.redact(text.as_bytes().to_vec(), false)).unwrap()
    }

    #[test]
    fn a_secret_is_not_printed() {
        let secret = Secret::new(" sk-abc123456 \n").unwrap();
        assert_eq!(format!("{secret} {secret:?}"), "[secret] [secret]");
        assert_eq!(secret.reveal(), "sk-abc123456");
        let secrets = holding(&[("A_KEY", "sk-abc123456")]);
        assert_eq!(format!("{secrets:?}"), "{\"A_KEY\"}");
    }

    #[test]
    fn what_a_header_cannot_carry_is_no_secret() {
        for odd in ["", "  ", "a b", "sk-é", "a\nb", "a\u{0}b", "a\u{7f}b"] {
            assert!(Secret::new(odd).is_none(), "{odd:?}");
        }
    }

    #[test]
    fn a_missing_key_is_said_when_it_is_needed_and_by_its_name() {
        let secrets = holding(&[("EMPTY", " "), ("ODD", "my secret value")]);
        let said = |variable| secrets.get(variable).unwrap_err().to_string();
        assert!(said("EMPTY").contains("no key in `EMPTY`"));
        assert!(said("OTHER").contains("no key in `OTHER`"));
        assert!(said("ODD").starts_with("`ODD` does not hold a key"));
        assert!(!said("ODD").contains("secret"));
    }

    #[test]
    fn a_secret_is_taken_out_wherever_it_stands() {
        let secrets = holding(&[("A", "sk-a/b\"c\\d-1234"), ("B", "sk-123456789")]);
        assert_eq!(
            redacted(
                &secrets,
                r#"{"m":"sk-a/b\"c\\d-1234 sk-123456789sk-123456789"}"#
            ),
            r#"{"m":"[secret] [secret][secret]"}"#
        );
        assert_eq!(redacted(&secrets, r#"sk-a\/b\"c\\d-1234"#), "[secret]");
        assert_eq!(redacted(&secrets, r#"sk-a/b"c\d-1234!"#), "[secret]!");
    }

    #[test]
    fn a_secret_within_another_does_not_tear_it() {
        let secrets = holding(&[("A", "123456789012"), ("B", "sk-123456789012-long")]);
        assert_eq!(
            redacted(&secrets, "sk-123456789012-long 123456789012"),
            "[secret] [secret]"
        );
    }

    #[test]
    fn a_short_secret_leaves_words_alone() {
        for (key, redacts) in [
            ("token", false),
            ("lm-studio", false),
            ("not-needed", false),
            ("placeholder", false),
            ("sk-123456789", true),
        ] {
            let secrets = holding(&[("A", key)]);
            let said = format!("A {key}, and a {key}.");
            let expected = if redacts {
                "A [secret], and a [secret]."
            } else {
                &said
            };
            assert_eq!(redacted(&secrets, &said), expected);
            assert!(secrets.get("A").is_ok());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn no_bytes_keep_a_secret(parts in prop::collection::vec(
            prop_oneof![Just(b"sk-123456789".to_vec()), prop::collection::vec(any::<u8>(), 0..6)], 0..12,
        )) {
            let clean = holding(&[("A", "sk-123456789")]).redact(parts.concat(), false);
            prop_assert!(memchr::memmem::find(&clean, b"sk-123456789").is_none());
        }
    }
}
