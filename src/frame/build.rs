//! Making tables from columns, and one table from several.

use std::collections::BTreeSet;

use polars::frame::DataFrame;
use polars::prelude::{Column, IntoSeries, NamedFrom, Series, StringChunked};

use super::{ColumnView, Frame, FrameError, Scalar};

/// The cells of one column before they become part of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnData {
    /// Text.
    Text(Vec<Option<String>>),
    /// Whole numbers.
    Int(Vec<Option<i64>>),
    /// Finite numbers; others become absent.
    Float(Vec<Option<f64>>),
    /// True or false.
    Bool(Vec<Option<bool>>),
    /// Lists and objects, each as [`Scalar::Json`] has it.
    Json(Vec<Option<String>>),
}

impl ColumnData {
    /// A text column without absent cells.
    pub fn text(values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self::Text(values.into_iter().map(|v| Some(v.into())).collect())
    }

    /// A column holding the same value in every row.
    pub fn repeat(value: &Scalar, rows: usize) -> Self {
        match value {
            Scalar::Null => Self::Text(vec![None; rows]),
            Scalar::Bool(v) => Self::Bool(vec![Some(*v); rows]),
            Scalar::Int(v) => Self::Int(vec![Some(*v); rows]),
            Scalar::Float(v) => Self::Float(vec![Some(*v); rows]),
            Scalar::Text(v) => Self::Text(vec![Some(v.clone()); rows]),
            Scalar::Json(v) => Self::Json(vec![Some(v.clone()); rows]),
        }
    }

    /// The narrowest type that holds all values: integers mixed with floats become floats where those can be as
    /// large, any other mixture becomes text; a column without any value is text.
    pub fn infer(values: Vec<Scalar>) -> Self {
        let mut sort = Sort::default();
        for value in &values {
            sort.add(value);
        }
        sort.column(values)
    }

    pub(super) fn into_polars(self, name: &str) -> Column {
        let name = name.into();
        match self {
            Self::Text(values) => written(values).with_name(name).into_series(),
            Self::Int(values) => Series::new(name, values),
            Self::Float(values) => Series::new(
                name,
                values
                    .into_iter()
                    .map(|v| v.filter(|x| x.is_finite()))
                    .collect::<Vec<_>>(),
            ),
            Self::Bool(values) => Series::new(name, values),
            // Nothing else is binary, so that tables in files need no mark.
            Self::Json(values) => written(values).with_name(name).as_binary().into_series(),
        }
        .into()
    }

    fn len(&self) -> usize {
        match self {
            Self::Text(v) | Self::Json(v) => v.len(),
            Self::Int(v) => v.len(),
            Self::Float(v) => v.len(),
            Self::Bool(v) => v.len(),
        }
    }
}

/// Texts as polars has them: each is given back as soon as it is copied, for all of them may be much.
fn written(values: Vec<Option<String>>) -> StringChunked {
    values.into_iter().collect()
}

/// Which kinds of values a column holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sort {
    /// Truth values, whole numbers, fractions, texts, lists or objects.
    kinds: [bool; 5],
    /// Whether a whole number is among them that is too large for a float.
    large: bool,
}

/// The place of lists and objects.
const NESTED: usize = 4;

impl Sort {
    pub(super) fn add(&mut self, value: &Scalar) {
        let kind = match value {
            Scalar::Null => return,
            Scalar::Bool(_) => 0,
            Scalar::Int(_) => 1,
            Scalar::Float(_) => 2,
            Scalar::Text(_) => 3,
            Scalar::Json(_) => NESTED,
        };
        self.kinds[kind] = true;
        self.large |= !value.fits_float();
    }

    pub(super) fn join(&mut self, other: Self) {
        for (mine, others) in self.kinds.iter_mut().zip(other.kinds) {
            *mine |= others;
        }
        self.large |= other.large;
    }

    /// Whether it holds none.
    pub(super) fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Whether lists or objects stand beside other values.
    pub(super) fn is_mixed(self) -> bool {
        self.kinds[NESTED] && self.kinds[..NESTED].contains(&true)
    }

    /// A column of these kinds, or of fewer.
    pub(super) fn column(self, values: Vec<Scalar>) -> ColumnData {
        let values = values.into_iter();
        match self.kinds {
            [true, false, false, false, false] => ColumnData::Bool(
                values
                    .map(|value| match value {
                        Scalar::Bool(value) => Some(value),
                        _ => None,
                    })
                    .collect(),
            ),
            [false, true, false, false, false] => ColumnData::Int(
                values
                    .map(|value| match value {
                        Scalar::Int(value) => Some(value),
                        _ => None,
                    })
                    .collect(),
            ),
            [false, whole, true, false, false] if !(whole && self.large) => {
                ColumnData::Float(values.map(|value| value.number()).collect())
            }
            [false, false, false, false, true] => ColumnData::Json(texts(values)),
            _ => ColumnData::Text(texts(values)),
        }
    }
}

fn texts(values: impl Iterator<Item = Scalar>) -> Vec<Option<String>> {
    let text = |value| match value {
        Scalar::Null => None,
        Scalar::Text(text) | Scalar::Json(text) => Some(text),
        other => Some(other.to_string()),
    };
    values.map(text).collect()
}

pub(super) fn frame(columns: Vec<(String, ColumnData)>) -> Result<DataFrame, FrameError> {
    let height = columns.first().map_or(0, |(_, data)| data.len());
    let columns = columns
        .into_iter()
        .map(|(name, data)| data.into_polars(&name))
        .collect();
    Ok(DataFrame::new(height, columns)?)
}

pub(super) fn stack(frames: &[Frame]) -> Result<Frame, FrameError> {
    if let [only] = frames {
        return Ok(only.clone());
    }
    let mut names: Vec<&str> = Vec::new();
    let mut seen = BTreeSet::new();
    for frame in frames {
        for name in frame.names() {
            if seen.insert(name) {
                names.push(name);
            }
        }
    }
    let columns = names.into_iter().map(|name| match alike(frames, name) {
        Some(column) => column,
        None => Ok(mixed(frames, name)?.into_polars(name)),
    });
    let columns: Vec<Column> = columns.collect::<Result<_, FrameError>>()?;
    let height = frames.iter().map(Frame::rows).sum();
    Ok(Frame(DataFrame::new(height, columns)?))
}

/// A column of all tables, if each has it and holds the same sort of values there.
fn alike(frames: &[Frame], name: &str) -> Option<Result<Column, FrameError>> {
    let of = |frame: &Frame| frame.0.column(name).ok().cloned();
    let columns: Vec<Column> = frames.iter().map(of).collect::<Option<_>>()?;
    let (first, rest) = columns.split_first()?;
    if rest.iter().any(|other| other.dtype() != first.dtype()) {
        return None;
    }
    let mut all = first.clone();
    for other in rest {
        if let Err(error) = all.append(other) {
            return Some(Err(error.into()));
        }
    }
    Some(Ok(all.rechunk()))
}

/// A column of all tables that some of them do not have, or hold other sorts of values in.
fn mixed(frames: &[Frame], name: &str) -> Result<ColumnData, FrameError> {
    let mut values = Vec::new();
    let mut first = None;
    for frame in frames {
        if frame.has(name) {
            let column = frame.column(name)?;
            values.extend(column.scalars());
            // A table without a value may not know the type.
            if first
                .as_ref()
                .is_none_or(|first: &ColumnView<'_>| first.kind() == "text")
            {
                first = Some(column);
            }
        } else {
            values.extend(std::iter::repeat_n(Scalar::Null, frame.rows()));
        }
    }
    // Scores of which none is there are numbers all the same.
    Ok(match first {
        Some(first) if values.iter().all(Scalar::is_null) => first.absent(values.len()),
        _ => ColumnData::infer(values),
    })
}
