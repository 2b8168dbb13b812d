//! Replies made elsewhere: a table of recorded outputs, matched on named columns.
//!
//! A row that matches nothing is *not recorded*; one that matches twice is an error that lists the
//! candidates. Nothing is ever guessed, taken in file order, or filled in.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use async_trait::async_trait;
use serde_json::Value;

use super::recording::RecordedFile;
use crate::base::wording::{self, count};
use crate::frame::{ColumnData, Frame, FrameError, Scalar};
use crate::models::ask::{CallError, Model, Needs, Question, Reply};
use crate::models::logprobs::stored;
use crate::models::parse::{Finish, trailer};

/// The table with the parts of columns beside them.
fn taken_apart(file: &RecordedFile, frame: &Frame) -> Result<Frame, FrameError> {
    let mut taken = frame.clone();
    for (name, pattern) in &file.parts {
        let column = frame.column(name)?;
        let mut parts: Vec<Vec<Option<String>>> = pattern.names().map(|_| Vec::new()).collect();
        for row in 0..frame.rows() {
            let text = column.text(row);
            let values = text.as_deref().and_then(|text| pattern.split(text));
            for (index, part) in parts.iter_mut().enumerate() {
                let value = values.as_ref().and_then(|values| values.get(index));
                part.push(value.map(|value| number_or_text(value)));
            }
        }
        for (name, values) in pattern.names().zip(parts) {
            taken = taken.with_column(name, ColumnData::Text(values))?;
        }
    }
    Ok(taken)
}

/// A number as [`Scalar`] writes it; anything else, `007` too, as it stands.
fn number_or_text(part: &str) -> String {
    let decimal = part
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    let padded = part.len() > 1 && part.starts_with('0') && !part.starts_with("0.");
    match part.parse::<f64>() {
        Ok(number) if decimal && !padded => Scalar::from(Some(number)).to_string(),
        _ => part.to_owned(),
    }
}

/// Log-probabilities as replies keep them; what cannot be read stays as it is written, and is nobody's log-probabilities.
fn read_logprobs(written: &str, text: &str) -> Value {
    let read = serde_json::from_str(written).ok();
    read.and_then(|read| stored(&read, text))
        .unwrap_or_else(|| written.into())
}

/// Values apart from case and blanks.
fn folded(values: &[String]) -> Vec<String> {
    values.iter().map(|value| wording::folded(value)).collect()
}

/// How many replies that nobody asks for are named.
const NAMED: usize = 2;

/// Recorded outputs, indexed for look-up.
#[derive(Debug)]
pub(super) struct Recorded {
    wanted: Vec<String>,
    replies: BTreeMap<Vec<String>, Vec<Reply>>,
    /// What is recorded, by what it is apart from case and blanks; made for the first row that matches nothing.
    alike: OnceLock<BTreeMap<Vec<String>, Vec<String>>>,
}

impl Recorded {
    /// Indexes the rows of `frame` that `file` selects.
    ///
    /// # Errors
    /// When a named column is missing.
    pub(super) fn index(file: &RecordedFile, frame: &Frame) -> Result<Self, FrameError> {
        let frame = &taken_apart(file, frame)?;
        let text = frame.column(&file.text)?;
        let column = |name: &Option<String>| {
            let name = name.as_deref();
            name.map(|name| frame.column(name)).transpose()
        };
        let (finish, logprobs) = (column(&file.finish)?, column(&file.logprobs)?);
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
            let listed = logprobs.as_ref().and_then(|column| column.text(row));
            replies.entry(key).or_default().push(Reply {
                logprobs: listed.map(|listed| read_logprobs(&listed, body)),
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
            alike: OnceLock::new(),
        })
    }

    /// What is recorded that differs from what a row holds in case or blanks alone.
    fn near(&self, columns: &[String]) -> Option<String> {
        let alike = self.alike.get_or_init(|| {
            let keys = self.replies.keys();
            keys.map(|key| (folded(key), key.clone())).collect()
        });
        let near = alike.get(&folded(columns))?;
        let differs = self.wanted.iter().zip(near.iter().zip(columns));
        let differs = differs.filter(|(_, (recorded, wanted))| recorded != wanted);
        let differs: Vec<String> = differs
            .map(|(name, (recorded, _))| format!("{name}={recorded}"))
            .collect();
        Some(differs.join(", "))
    }

    /// A reply's place, by the columns it is matched on.
    fn place(&self, key: &[String]) -> String {
        let parts = self.wanted.iter().zip(key);
        let parts: Vec<String> = parts
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        parts.join(", ")
    }
}

#[async_trait]
impl Model for Recorded {
    fn needs(&self) -> Needs<'_> {
        Needs::Columns(&self.wanted)
    }

    async fn ask(&self, question: &Question, _: usize) -> Result<Reply, CallError> {
        match self.replies.get(&question.columns).map(Vec::as_slice) {
            None | Some([]) => Err(CallError::NotRecorded {
                near: self.near(&question.columns),
            }),
            Some([one]) => Ok(one.clone()),
            Some(several) => Err(CallError::Ambiguous(format!(
                "{} recorded replies for {}",
                several.len(),
                self.place(&question.columns)
            ))),
        }
    }

    /// Replies to other values of a column that is the same in all rows, such as that of an axis, are another stage's.
    fn left_over(&self, asked: &BTreeSet<Vec<String>>) -> Option<String> {
        let first = asked.first()?;
        let same = |at: usize| asked.iter().all(|key| key[at] == first[at]);
        let of_rows: Vec<usize> = (0..self.wanted.len())
            .filter(|&at| self.wanted[at] != "doc_id" && same(at))
            .collect();
        let is_theirs = |key: &[String]| of_rows.iter().all(|&at| key[at] == first[at]);
        let theirs = self.replies.iter().filter(|(key, _)| is_theirs(key));
        let alike: BTreeMap<Vec<String>, &Vec<String>> =
            asked.iter().map(|key| (folded(key), key)).collect();
        let (mut all, mut left, mut named) = (0, 0, Vec::new());
        for (key, replies) in theirs {
            all += replies.len();
            let meant = alike.get(&folded(key));
            // What lacks a reply is told with what is recorded instead.
            if asked.contains(key) || meant.is_some_and(|meant| !self.replies.contains_key(*meant))
            {
                continue;
            }
            left += replies.len();
            if named.len() < NAMED {
                let place = self.place(key).escape_debug().to_string();
                named.push(match meant {
                    Some(meant) => format!("`{place}` (did you mean `{}`?)", self.place(meant)),
                    None => format!("`{place}`"),
                });
            }
        }
        let fit = if left == 1 { "fits" } else { "fit" };
        let more = if left > named.len() { ", …" } else { "" };
        (left > 0).then(|| {
            format!(
                "{left} of {} {fit} no row that is read: {}{more}",
                count(all, "recorded reply"),
                named.join(", ")
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::number_or_text;

    #[test]
    fn a_part_that_reads_as_a_number_is_written_as_one() {
        for (part, written) in [
            ("2000", "2000"),
            ("0.0", "0"),
            ("0.10", "0.1"),
            ("007", "007"),
            ("", ""),
            (".", "."),
            ("1.2.3", "1.2.3"),
            ("True", "True"),
        ] {
            assert_eq!(number_or_text(part), written);
        }
    }
}
