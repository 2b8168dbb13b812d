//! Replies made elsewhere: a table of recorded outputs, matched on named columns.
//!
//! A row that matches nothing is *not recorded*; one that matches twice is an error that lists the
//! candidates. Nothing is ever guessed, taken in file order, or filled in.

use std::collections::BTreeMap;

use async_trait::async_trait;
use serde::Serialize;

use super::{CallError, Model, Needs, Question, Reply};
use crate::frame::{Frame, FrameError};
use crate::parse::Finish;
use crate::parse::trailer;
use crate::stage::Keep;

/// Where recorded outputs stand in a table and how rows find theirs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordedFile {
    /// The column with the reply.
    pub text: String,
    /// The column that says why the model stopped, if there is one.
    pub finish: Option<String>,
    /// Recorded column → the judge's input column it must equal.
    pub matching: BTreeMap<String, String>,
    /// Only rows with these values take part.
    #[serde(rename = "where")]
    pub keep: Keep,
    /// Whether replies end with a dashed line and a `finish_reason:` line that is not the model's.
    pub trailer: bool,
}

impl RecordedFile {
    /// The columns that are matched on, compared as they are written.
    pub fn matched(&self) -> Vec<&str> {
        self.matching.keys().map(String::as_str).collect()
    }

    /// The columns that must be read.
    pub fn columns(&self) -> Vec<&str> {
        let mut columns: Vec<&str> = vec![&self.text];
        columns.extend(self.finish.as_deref());
        columns.extend(self.matching.keys().map(String::as_str));
        columns.extend(self.keep.columns());
        columns.dedup();
        columns
    }
}

/// Recorded outputs, indexed for look-up.
#[derive(Debug)]
pub struct Recorded {
    wanted: Vec<String>,
    replies: BTreeMap<Vec<String>, Vec<Reply>>,
}

impl Recorded {
    /// Indexes the rows of `frame` that `file` selects.
    ///
    /// # Errors
    /// When a named column is missing.
    pub fn index(file: &RecordedFile, frame: &Frame) -> Result<Self, FrameError> {
        let text = frame.column(&file.text)?;
        let finish = file
            .finish
            .as_deref()
            .map(|name| frame.column(name))
            .transpose()?;
        let matched = file
            .matching
            .keys()
            .map(|name| frame.column(name))
            .collect::<Result<Vec<_>, _>>()?;
        let mut replies: BTreeMap<Vec<String>, Vec<Reply>> = BTreeMap::new();
        for row in file.keep.rows(frame)? {
            let key = matched
                .iter()
                .map(|column| column.text(row).unwrap_or_default().into_owned())
                .collect();
            let raw = text.text(row).unwrap_or_default();
            let said = finish.as_ref().and_then(|column| column.text(row));
            let (body, trailing) = if file.trailer {
                trailer::strip(&raw)
            } else {
                (&*raw, None)
            };
            replies.entry(key).or_default().push(Reply {
                finish: said
                    .and_then(|word| Finish::from_word(&word))
                    .or(trailing)
                    .unwrap_or(Finish::Unknown),
                ..Reply::plain(body)
            });
        }
        Ok(Self {
            wanted: file.matching.values().cloned().collect(),
            replies,
        })
    }

    /// How many rows of the table can be matched.
    pub fn len(&self) -> usize {
        self.replies.values().map(Vec::len).sum()
    }

    /// Whether no row of the table was selected.
    pub fn is_empty(&self) -> bool {
        self.replies.is_empty()
    }
}

#[async_trait]
impl Model for Recorded {
    fn needs(&self) -> Needs<'_> {
        Needs::Columns(&self.wanted)
    }

    async fn ask(&self, question: &Question, _: usize) -> Result<Reply, CallError> {
        match self.replies.get(&question.columns).map(Vec::as_slice) {
            None | Some([]) => Err(CallError::NotRecorded),
            Some([one]) => Ok(one.clone()),
            Some(several) => {
                let place: Vec<String> = self
                    .wanted
                    .iter()
                    .zip(&question.columns)
                    .map(|(name, value)| format!("{name}={value}"))
                    .collect();
                Err(CallError::Ambiguous(format!(
                    "{} recorded replies for {}",
                    several.len(),
                    place.join(", ")
                )))
            }
        }
    }
}
