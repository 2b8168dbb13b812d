//! A row that the program is asked about: what is handed over, what its reply is kept under, and what became of it.

use serde::Serialize;

use super::answer::Answer;
use super::{PROTOCOL, Scorer};
use crate::base::failure::Failure;
use crate::base::key::{Digest, encode};
use crate::frame::{Frame, Scalar};
use crate::stage::{NOT_APPLICABLE, passed_on, why_absent};

/// A row that the program is asked about.
pub(super) struct Asked {
    /// Its place in the table.
    pub(super) row: usize,
    /// What is handed over, as JSON without the braces.
    pub(super) fields: String,
    /// What its reply is kept under.
    pub(super) key: Digest,
    /// The document, for messages.
    pub(super) document: Option<String>,
}

/// What became of a row.
pub(super) enum Row {
    /// The program's answer.
    Answered(Box<Answer>),
    /// It died, or said nothing, each time it was given the row.
    Failed(String),
    /// Nothing was asked: a value that it should be handed is absent.
    Absent(String),
}

impl Scorer {
    /// What the program is handed of a row, or why nothing is.
    pub(super) fn asked(
        &self,
        input: &Frame,
        row: usize,
    ) -> Result<Result<Asked, String>, Failure> {
        let mut fields = Vec::new();
        for name in &self.columns {
            let column = input.column(name).map_err(|error| {
                Failure::from(error).hint(format!("the columns come from `{}`", self.from))
            })?;
            let value = column.scalar(row);
            let value = match &value {
                Scalar::Null => {
                    let why = why_absent(input, name, row).unwrap_or_default();
                    return Ok(Err(match name.as_str() {
                        "text" if input.has(NOT_APPLICABLE) => why,
                        name => passed_on(name, &why),
                    }));
                }
                Scalar::Json(json) => json.clone(),
                Scalar::Bool(value) => value.to_string(),
                Scalar::Int(value) => value.to_string(),
                Scalar::Float(value) => json(value)?,
                Scalar::Text(text) => json(text)?,
            };
            fields.push(format!("{}:{value}", json(name)?));
        }
        let fields = fields.join(",");
        let (_, key) = encode(&serde_json::json!({
            "row": fields,
            "scorer": self,
            "protocol": PROTOCOL,
        }));
        let ids = input.column("doc_id").ok();
        Ok(Ok(Asked {
            row,
            fields,
            key,
            document: ids.and_then(|ids| ids.text(row).map(std::borrow::Cow::into_owned)),
        }))
    }
}

fn json(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|error| Failure::new(error.to_string()))
}
