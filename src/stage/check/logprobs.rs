//! `logprobs` of a model: how many alternatives a server lists for every token, or the column in which they are recorded;
//! and the check of stages that need them.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};

use super::Context;
use crate::models::provider::Feature;
use crate::models::spec::{ModelSpec, Provider};
use crate::toml::Problems;

/// `logprobs` as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RawLogprobs {
    /// So many alternatives to every token.
    Count(u32),
    /// The column with the log-probabilities.
    Column(String),
}

impl RawLogprobs {
    /// The number of alternatives.
    pub(super) fn count(&self) -> Option<u32> {
        match self {
            Self::Count(count) => Some(*count),
            Self::Column(_) => None,
        }
    }

    /// The column.
    pub(super) fn column(&self) -> Option<&String> {
        match self {
            Self::Count(_) => None,
            Self::Column(column) => Some(column),
        }
    }

    /// Reports a column where replies are not recorded.
    pub(super) fn check(
        &self,
        context: &Context<'_>,
        at: &[String],
        recorded: bool,
        problems: &mut Problems,
    ) {
        if recorded || self.column().is_none() {
            return;
        }
        context
            .problem(
                "spec::wrong-type",
                "`logprobs` names a column only where replies are recorded".to_owned(),
                &[at, &["logprobs".to_owned()]].concat(),
                "needs a whole number",
            )
            .help("write how many alternatives to every token are asked for: `logprobs = 20`")
            .tell(problems);
    }
}

/// Reports a model whose replies come without log-probabilities, as far as the spec says; whether it asks for them. `count`
/// is how many alternatives the stage at `path` wants.
pub(crate) fn come(
    context: &Context<'_>,
    path: &[String],
    model: &ModelSpec,
    count: u32,
    problems: &mut Problems,
) -> bool {
    let name = &model.name;
    let mut lacks = |message: String, help: String| {
        context
            .problem(
                "spec::no-logprobs",
                message,
                path,
                "needs log-probabilities",
            )
            .help(help)
            .tell(problems);
        false
    };
    let server = match &model.provider {
        Provider::Local(local) => {
            let Some(help) = local.provider().no_logprobs() else {
                return true;
            };
            let message = format!("replies of model `{name}` come without log-probabilities");
            return lacks(message, help.to_owned());
        }
        Provider::Served(server) => server,
    };
    if !server.dialect.takes(Feature::Logprobs) {
        let message = format!("the server of model `{name}` gives no log-probabilities");
        let setting = path.last().map_or("", String::as_str);
        return lacks(
            message,
            format!("take a model on a server that does, or leave `{setting}` out"),
        );
    }
    if model.sampling.logprobs.is_none() {
        let message = format!("model `{name}` is not asked for log-probabilities");
        let alone = if count == 0 {
            ": those of the tokens themselves, without alternatives"
        } else {
            ""
        };
        return lacks(
            message,
            format!("set `logprobs = {count}` in `[models.{name}]`{alone}"),
        );
    }
    true
}

/// Whether a stage notes how likely replies were; reported, if they come without log-probabilities.
pub(crate) fn kept(
    context: &Context<'_>,
    at: &[String],
    raw: Option<bool>,
    model: &ModelSpec,
    problems: &mut Problems,
) -> bool {
    let kept = raw.unwrap_or(false);
    if kept {
        let path = [at, &["logprobs".to_owned()]].concat();
        come(context, &path, model, 0, problems);
    }
    kept
}

impl<'de> Deserialize<'de> for RawLogprobs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct LogprobsVisitor;
        impl Visitor<'_> for LogprobsVisitor {
            type Value = RawLogprobs;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number, or the name of a column of recorded replies")
            }

            fn visit_i64<E: Error>(self, n: i64) -> Result<RawLogprobs, E> {
                let count = u32::try_from(n);
                let count = count.map_err(|_| E::custom("a number of tokens is 0 or more"))?;
                Ok(RawLogprobs::Count(count))
            }

            fn visit_u64<E: Error>(self, n: u64) -> Result<RawLogprobs, E> {
                self.visit_i64(i64::try_from(n).unwrap_or(i64::MAX))
            }

            fn visit_str<E: Error>(self, column: &str) -> Result<RawLogprobs, E> {
                Ok(RawLogprobs::Column(column.to_owned()))
            }
        }
        deserializer.deserialize_any(LogprobsVisitor)
    }
}

impl JsonSchema for RawLogprobs {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Logprobs".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "integer", "minimum": 0, "maximum": 20 },
            { "type": "string" },
        ] })
    }
}
