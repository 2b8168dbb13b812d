//! Replies made elsewhere: a table of recorded outputs, matched on named columns.
//!
//! A row that matches nothing is *not recorded*; one that matches twice is an error that lists the
//! candidates. Nothing is ever guessed, taken in file order, or filled in.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use serde_json::Value;

use super::recording::RecordedFile;
use crate::base::wording::{self, count};
use crate::frame::{ColumnData, Frame, FrameError, Keep, Scalar};
use crate::models::ask::{CallError, Model, Needs, Question, Reply};
use crate::models::local::contract::Recording;
use crate::models::logprobs::stored;
use crate::models::parse::{Finish, trailer};

/// The rows that qualify by what stands in the columns as they are recorded, and where they stand, if they are not all: of a
/// table that many models share each needs few, and only these are taken apart.
fn own_rows(file: &RecordedFile, frame: &Frame) -> Result<(Frame, Option<Vec<usize>>), FrameError> {
    for name in file.parts.keys() {
        frame.column(name)?;
    }
    let conditions = file.keep.0.iter();
    let own = conditions.filter(|(name, _)| !file.names_part(name));
    let own = Keep(
        own.map(|(name, values)| (name.clone(), values.clone()))
            .collect(),
    );
    let kept = own.rows(frame)?;
    if kept.len() == frame.rows() {
        return Ok((frame.clone(), None));
    }
    Ok((frame.take(&kept)?, Some(kept)))
}

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

/// Recorded outputs, indexed for look-up. They are many and long, and several models have the same: of each no more is kept
/// than where its reply stands.
#[derive(Debug)]
pub(super) struct Recorded {
    file: RecordedFile,
    /// The columns that replies are made of.
    frame: Frame,
    /// Where replies lie that are not among these, and in which row there each of the rows is, if that is another.
    recording: Arc<Recording>,
    there: Option<Vec<usize>>,
    /// The columns of a judge's rows that are matched.
    wanted: Vec<String>,
    /// What each column that they are matched on holds, in order.
    values: Vec<Vec<String>>,
    /// The rows of what is recorded under each key.
    rows: BTreeMap<Key, Vec<u32>>,
    /// Made for the first row that matches nothing.
    alike: OnceLock<Alike>,
}

/// For each column that is matched on, the place of a value among those that there are. Keys have the order of their values.
type Key = Box<[u32]>;

/// What is recorded, by what it is apart from case and blanks.
#[derive(Debug)]
struct Alike {
    values: Vec<BTreeMap<String, u32>>,
    keys: BTreeMap<Key, Key>,
}

impl Recorded {
    /// Indexes the rows of a recording that `file` selects.
    ///
    /// # Errors
    /// When a named column is missing.
    pub(super) fn index(
        file: &RecordedFile,
        recording: Arc<Recording>,
    ) -> Result<Self, FrameError> {
        let (own, there) = own_rows(file, &recording.rows)?;
        let frame = &taken_apart(file, &own)?;
        let read = [
            Some(&file.text),
            file.finish.as_ref(),
            file.logprobs.as_ref(),
        ];
        let read = read.into_iter().flatten().map(String::as_str);
        let read: BTreeSet<&str> = read
            .filter(|name| frame.has(name) || !recording.aside.contains_key(*name))
            .collect();
        for name in &read {
            frame.column(name)?;
        }
        let kept = file.keep.rows(frame)?;
        let (mut values, mut places) = (Vec::new(), Vec::new());
        for name in file.matching.keys() {
            let column = frame.column(name)?;
            let cell = |&row: &usize| column.text(row).unwrap_or_default();
            let all: BTreeSet<_> = kept.iter().map(cell).collect();
            let all: Vec<String> = all.into_iter().map(Cow::into_owned).collect();
            let of = |row| place_in(&all, &cell(row)).unwrap_or(u32::MAX);
            places.push(kept.iter().map(of).collect::<Vec<_>>());
            values.push(all);
        }
        let mut rows: BTreeMap<Key, Vec<u32>> = BTreeMap::new();
        for (at, &row) in kept.iter().enumerate() {
            let key = places.iter().map(|column| column[at]).collect();
            let row = u32::try_from(row).map_err(|_| FrameError::TooManyRows)?;
            rows.entry(key).or_default().push(row);
        }
        Ok(Self {
            file: file.clone(),
            frame: frame.only(&read),
            recording,
            there,
            wanted: file.matching.values().cloned().collect(),
            values,
            rows,
            alike: OnceLock::new(),
        })
    }

    /// What stands in a row of a column, if there is such a column.
    fn cell(&self, name: Option<&str>, row: usize) -> Result<Option<String>, String> {
        let column = name.map(|name| self.frame.column(name)).transpose();
        let column = column.map_err(|error| error.to_string())?;
        Ok(column.and_then(|column| column.text(row).map(Cow::into_owned)))
    }

    /// The text of the reply in a row.
    fn text(&self, row: usize) -> Result<String, String> {
        let name = &self.file.text;
        // A part of a column hides what has its name.
        let aside = self.recording.aside.get(name);
        let Some(texts) = aside.filter(|_| !self.frame.has(name)) else {
            return Ok(self.cell(Some(name), row)?.unwrap_or_default());
        };
        let row = self.there.as_ref().map_or(row, |there| there[row]);
        let text = texts.text(row);
        text.map_err(|error| format!("a recorded reply cannot be read again: {error}"))
    }

    /// The reply in a row.
    fn reply(&self, row: usize) -> Result<Reply, String> {
        let cell = |name: &Option<String>| self.cell(name.as_deref(), row);
        let raw = self.text(row)?;
        let (body, trailing) = if self.file.trailer {
            trailer::strip(&raw)
        } else {
            (&*raw, None)
        };
        let said = cell(&self.file.finish)?;
        Ok(Reply {
            logprobs: cell(&self.file.logprobs)?.map(|listed| read_logprobs(&listed, body)),
            finish: said
                .and_then(|word| Finish::from_word(&word))
                .or(trailing)
                .unwrap_or(Finish::Unknown),
            ..Reply::plain(body)
        })
    }

    /// The key of these values, if all of them are there.
    fn key(&self, values: &[String]) -> Option<Key> {
        let known = self.values.iter().zip(values);
        known.map(|(known, value)| place_in(known, value)).collect()
    }

    /// The values of a key.
    fn spelled(&self, key: &[u32]) -> Vec<String> {
        let value = |(known, &place): (&Vec<String>, &u32)| known[place as usize].clone();
        self.values.iter().zip(key).map(value).collect()
    }

    fn alike(&self) -> &Alike {
        self.alike.get_or_init(|| {
            let mut values = Vec::new();
            let mut places: Vec<Vec<u32>> = Vec::new();
            for known in &self.values {
                let mut folded = BTreeMap::new();
                places.push(
                    known
                        .iter()
                        .map(|value| {
                            let next = folded.len() as u32;
                            *folded.entry(wording::folded(value)).or_insert(next)
                        })
                        .collect(),
                );
                values.push(folded);
            }
            let folded = |key: &Key| {
                let each = places.iter().zip(key);
                each.map(|(places, &place)| places[place as usize])
                    .collect()
            };
            let keys = self.rows.keys().map(|key| (folded(key), key.clone()));
            Alike {
                values,
                keys: keys.collect(),
            }
        })
    }

    /// What is recorded that differs from what a row holds in case or blanks alone.
    fn near(&self, columns: &[String]) -> Option<String> {
        let alike = self.alike();
        let each = alike.values.iter().zip(columns);
        let key = each.map(|(known, value)| known.get(&wording::folded(value)).copied());
        let key: Key = key.collect::<Option<_>>()?;
        let near = self.spelled(alike.keys.get(&key)?);
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

/// The place of a value among those in order.
fn place_in(known: &[String], value: &str) -> Option<u32> {
    let place = known.binary_search_by(|known| known.as_str().cmp(value));
    place.ok().map(|place| place as u32)
}

#[async_trait]
impl Model for Recorded {
    fn needs(&self) -> Needs<'_> {
        Needs::Columns(&self.wanted)
    }

    async fn ask(&self, question: &Question, _: usize) -> Result<Reply, CallError> {
        let rows = self
            .key(&question.columns)
            .and_then(|key| self.rows.get(&key));
        match rows.map(Vec::as_slice) {
            None | Some([]) => Err(CallError::NotRecorded {
                near: self.near(&question.columns),
            }),
            // The columns were there when they were indexed.
            Some([one]) => self.reply(*one as usize).map_err(CallError::Fatal),
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
        let of_rows = (0..self.wanted.len()).filter(|&at| self.wanted[at] != "doc_id" && same(at));
        // Where nothing is recorded with one of these values, nothing is this stage's.
        let of_rows: Vec<(usize, u32)> = of_rows
            .map(|at| Some((at, place_in(&self.values[at], &first[at])?)))
            .collect::<Option<_>>()?;
        let is_theirs = |key: &[u32]| of_rows.iter().all(|&(at, place)| key[at] == place);
        let theirs = self.rows.iter().filter(|(key, _)| is_theirs(key));
        let alike: BTreeMap<Vec<String>, &Vec<String>> =
            asked.iter().map(|key| (folded(key), key)).collect();
        let (mut all, mut left, mut named) = (0, 0, Vec::new());
        for (key, rows) in theirs {
            all += rows.len();
            let key = self.spelled(key);
            let meant = alike.get(&folded(&key));
            let has = |asked: &[String]| {
                self.key(asked)
                    .is_some_and(|key| self.rows.contains_key(&key))
            };
            // What lacks a reply is told with what is recorded instead.
            if asked.contains(&key) || meant.is_some_and(|meant| !has(meant)) {
                continue;
            }
            left += rows.len();
            if named.len() < NAMED {
                let place = self.place(&key).escape_debug().to_string();
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
