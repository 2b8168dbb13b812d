//! Notes that explain why our numbers and the printed ones are not the same.
//!
//! A TOML file of `[[note]]` tables: which cells, under which circumstances, and what there is to say. A note
//! explains; it must not change a number or make a wrong one right.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::expect::{Expected, ExpectedCell};
use super::layout::Layout;
use super::problem::{Problem, Problems};
use crate::base::wording::nearest;

/// The circumstances that a note can explain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    /// Our value is not the printed one.
    Differs,
    /// We have no value.
    Absent,
    /// Our value averages fewer parts than the printed one.
    Incomplete,
}

/// One note: a selection of cells and what it says about them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Field → values it holds for; a field that is not named may have any value.
    pub cells: BTreeMap<String, Vec<String>>,
    /// The explanation.
    pub text: String,
    /// The circumstances it explains.
    pub when: Vec<When>,
    /// Line of the file where the note begins, from 1.
    pub line: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    #[serde(default)]
    note: Vec<Spanned<RawNote>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawNote {
    #[serde(default)]
    cells: BTreeMap<Spanned<String>, Values>,
    text: Spanned<String>,
    #[serde(default)]
    when: Option<Spanned<Vec<When>>>,
}

/// One value or a list of them, without an untagged enum, whose messages would say nothing.
struct Values(Vec<Spanned<String>>);

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Spanned::<toml::Value>::deserialize(deserializer)?;
        let span = value.span();
        let wrong = || {
            serde::de::Error::custom("expected a text or a list of texts; put numbers in quotes")
        };
        match value.into_inner() {
            toml::Value::String(text) => Ok(Self(vec![Spanned::new(span, text)])),
            toml::Value::Array(items) => {
                let texts = items.into_iter().map(|item| match item {
                    toml::Value::String(text) => Ok(Spanned::new(span.clone(), text)),
                    _ => Err(wrong()),
                });
                texts.collect::<Result<_, _>>().map(Self)
            }
            _ => Err(wrong()),
        }
    }
}

impl Note {
    /// Reads a notes file for a table with this layout and these printed cells.
    ///
    /// Fields that the table does not have and values that no printed cell has are refused, since a note with a slip
    /// of the pen would silently explain nothing.
    pub fn parse(text: &str, layout: &Layout, expected: &Expected) -> Result<Vec<Self>, Problems> {
        let file: RawFile = toml::from_str(text).map_err(|error| {
            let (line, column) = position(text, error.span().map_or(0, |span| span.start));
            let what = error.message().lines().collect::<Vec<_>>().join(", ");
            let what = what.replacen("unknown field", "unknown key", 1);
            let repair =
                "a note has `cells`, `text` and, if it explains more than differences, `when`"
                    .to_owned();
            Problems(vec![Problem {
                line,
                column,
                what,
                repair,
            }])
        })?;
        let mut problems = Vec::new();
        let mut notes = Vec::new();
        for raw in file.note {
            let (line, _) = position(text, raw.span().start);
            let raw = raw.into_inner();
            let mut refuse = |at: usize, what: String, repair: String| {
                let (line, column) = position(text, at);
                problems.push(Problem {
                    line,
                    column,
                    what,
                    repair,
                });
            };
            if raw.text.get_ref().trim().is_empty() {
                refuse(
                    raw.text.span().start,
                    "the note has no text".into(),
                    "write the explanation in `text`".into(),
                );
            }
            if let Some(when) = raw.when.as_ref().filter(|when| when.get_ref().is_empty()) {
                let repair = "name `differs`, `absent` or `incomplete`, or leave `when` out".into();
                refuse(
                    when.span().start,
                    "`when` is empty, so the note can explain nothing".into(),
                    repair,
                );
            }
            for (field, values) in &raw.cells {
                check(field, values, layout, expected, &mut refuse);
            }
            let plain = |values: Values| values.0.into_iter().map(Spanned::into_inner).collect();
            notes.push(Self {
                cells: raw
                    .cells
                    .into_iter()
                    .map(|(field, values)| (field.into_inner(), plain(values)))
                    .collect(),
                text: raw
                    .text
                    .into_inner()
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" "),
                when: raw
                    .when
                    .map_or_else(|| vec![When::Differs], Spanned::into_inner),
                line,
            });
        }
        if problems.is_empty() {
            Ok(notes)
        } else {
            Err(Problems::sorted(problems))
        }
    }

    /// Whether the note speaks of this cell, whatever its circumstances.
    pub fn covers(&self, layout: &Layout, cell: &ExpectedCell) -> bool {
        layout
            .fields()
            .zip(cell.row.iter().chain(&cell.column))
            .all(|(field, value)| {
                self.cells
                    .get(field)
                    .is_none_or(|values| values.contains(value))
            })
    }
}

/// Checks one field of a selection and its values.
fn check(
    field: &Spanned<String>,
    values: &Values,
    layout: &Layout,
    expected: &Expected,
    refuse: &mut impl FnMut(usize, String, String),
) {
    let name = field.get_ref().as_str();
    let Some(index) = layout.fields().position(|known| known == name) else {
        let known: Vec<&str> = layout.fields().collect();
        let repair = match nearest(name, &known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("use one of `{}`", known.join("`, `")),
        };
        return refuse(
            field.span().start,
            format!("the table has no field `{name}`"),
            repair,
        );
    };
    if values.0.is_empty() {
        let repair = "name a value, or leave the field out to mean any".to_owned();
        refuse(
            field.span().start,
            format!("`{name}` names no value"),
            repair,
        );
    }
    let mut known: Vec<&str> = expected
        .cells
        .iter()
        .filter_map(|cell| cell.row.iter().chain(&cell.column).nth(index))
        .map(String::as_str)
        .collect();
    known.sort_unstable();
    known.dedup();
    for value in &values.0 {
        let text = value.get_ref().as_str();
        if !known.contains(&text) {
            let repair = match nearest(text, &known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("use one of `{}`", known.join("`, `")),
            };
            refuse(
                value.span().start,
                format!("no published cell has `{name} = {text}`"),
                repair,
            );
        }
    }
}

/// Line and column of a byte offset, both from 1, columns in characters.
fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    (
        before.matches('\n').count() + 1,
        before[start..].chars().count() + 1,
    )
}
