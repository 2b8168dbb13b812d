//! A model that follows a script: for tests, demonstrations and load runs without a server.
//!
//! The script is TOML. Each `[[reply]]` may name strings the prompt must contain and the model it
//! answers for; the first that fits is used. Its text is a template that may use `digest`, a number
//! drawn from the prompt, so that one rule can give varied, reproducible replies, and `prompt`, what it was asked. `logprobs` lists for each of its
//! tokens the tokens that could stand there. With `log`, every
//! question asked appends a line to a file, so that a test can count calls across processes.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use async_trait::async_trait;
use serde::Deserialize;

use crate::models::ask::{CallError, Model, Needs, Question, Reply};
use crate::models::logprobs::stored;
use crate::models::parse::Finish;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Script {
    log: Option<PathBuf>,
    #[serde(default)]
    reply: Vec<Rule>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Rule {
    #[serde(default)]
    contains: Vec<String>,
    model: Option<String>,
    repeat: Option<u32>,
    #[serde(default)]
    text: String,
    #[serde(default)]
    finish: Finish,
    /// For each token of the text the tokens that could stand there: `[["4", -0.1], ["5", -2.3]]`.
    logprobs: Option<serde_json::Value>,
    #[serde(default)]
    delay_ms: u64,
    refuse: Option<String>,
    fail: Option<String>,
}

/// A scripted model.
#[derive(Debug)]
pub(super) struct Scripted {
    name: String,
    script: Script,
    folder: PathBuf,
}

impl Scripted {
    /// Reads a script; `log` is taken relative to the script's folder.
    ///
    /// # Errors
    /// The text of what is wrong with the script.
    pub(super) fn parse(name: &str, path: &Path, text: &str) -> Result<Self, String> {
        let script: Script = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let before = text.get(..at).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            let what = error.message().lines().collect::<Vec<_>>().join(", ");
            let what = what.replacen("unknown field", "unknown key", 1);
            format!("line {line}: {what}")
        })?;
        Ok(Self {
            name: name.to_owned(),
            script,
            folder: path.parent().unwrap_or(Path::new("")).to_owned(),
        })
    }

    fn note(&self, prompt: &str) -> Result<(), CallError> {
        let Some(log) = &self.script.log else {
            return Ok(());
        };
        let line = format!("{}\n", blake3::hash(prompt.as_bytes()).to_hex());
        // One `write` of one short line in append mode: whole lines even from several processes.
        fs_err::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.folder.join(log))
            .and_then(|mut file| file.write_all(line.as_bytes()))
            .map_err(|error| CallError::Fatal(error.to_string()))
    }
}

#[async_trait]
impl Model for Scripted {
    fn needs(&self) -> Needs<'_> {
        Needs::Prompt
    }

    fn may_cut(&self) -> bool {
        let mut rules = self.script.reply.iter();
        rules.any(|rule| rule.finish == Finish::Length)
    }

    async fn ask(&self, question: &Question, _: usize) -> Result<Reply, CallError> {
        let prompt: String = question
            .messages
            .iter()
            .map(|message| message.content.as_str())
            .collect::<Vec<_>>()
            .join("\n");
        self.note(&prompt)?;
        let rule = self
            .script
            .reply
            .iter()
            .find(|rule| {
                rule.contains.iter().all(|part| prompt.contains(part))
                    && rule.model.as_ref().is_none_or(|model| *model == self.name)
                    && rule.repeat.is_none_or(|repeat| repeat == question.repeat)
            })
            .ok_or_else(|| {
                CallError::Fatal(
                    "no `[[reply]]` of the script fits the prompt; one without `contains` fits all"
                        .to_owned(),
                )
            })?;
        if rule.delay_ms > 0 {
            tokio::time::sleep(Duration::from_millis(rule.delay_ms)).await;
        }
        if let Some(why) = &rule.refuse {
            return Err(CallError::Refused(why.clone()));
        }
        if let Some(why) = &rule.fail {
            return Err(CallError::Failed(why.clone()));
        }
        let hash = blake3::hash(format!("{prompt}\u{0}{}", question.repeat).as_bytes());
        let digest = u32::from_le_bytes(
            hash.as_bytes()[..4]
                .try_into()
                .expect("a blake3 hash has 32 bytes"),
        );
        let text = minijinja::Environment::new()
            .render_str(
                &rule.text,
                minijinja::context! { digest => digest, prompt => prompt },
            )
            .map_err(|error| {
                let what = error.detail().unwrap_or("it cannot be rendered");
                CallError::Fatal(format!("the `text` of a `[[reply]]`: {what}"))
            })?;
        let logprobs = rule.logprobs.as_ref().map(|written| {
            stored(written, &text).ok_or_else(|| {
                let text = text.escape_debug();
                let what =
                    format!("the `logprobs` of a `[[reply]]` do not spell its text `{text}`");
                CallError::Fatal(what)
            })
        });
        Ok(Reply {
            finish: rule.finish,
            model: Some(self.name.clone()),
            logprobs: logprobs.transpose()?,
            ..Reply::plain(text)
        })
    }
}
