//! Lists and structs of parquet files that others wrote, which become JSON, and JSON that is binary already.

use indexmap::IndexMap;
use polars::prelude::{Column, DataType, Series};
use serde_json::Number;

use super::{ColumnData, ColumnView, Frame, FrameError, Scalar};
use crate::base::json::{self, Json};

/// What an element of a list takes beside its text, in bytes: its brackets, comma and quotes.
const ELEMENT: u64 = 8;

impl Frame {
    /// The same table with lists and structs as JSON; what is JSON already stays as it is written.
    ///
    /// # Errors
    /// A column with numbers that are not finite, or with bytes that are no JSON.
    pub(super) fn with_nested_as_json(mut self) -> Result<Self, FrameError> {
        let nested: Vec<Column> = self
            .0
            .columns()
            .iter()
            .filter(|column| {
                matches!(
                    column.dtype(),
                    DataType::List(_) | DataType::Struct(_) | DataType::Binary
                )
            })
            .cloned()
            .collect();
        for column in nested {
            let name = column.name().as_str();
            if *column.dtype() == DataType::Binary {
                check_json(&column)?;
                continue;
            }
            carried(name, column.dtype())?;
            let cells = values(name, column.as_materialized_series())?;
            let text = |cell| match cell {
                Json::Null => None,
                cell => Some(cell.to_string()),
            };
            let data = ColumnData::Json(cells.into_iter().map(text).collect());
            self.0.with_column(data.into_polars(name))?;
        }
        Ok(self)
    }
}

/// Refuses a type of lists or structs that JSON does not carry as it is meant: dates and categories within them come as
/// the numbers that they are stored as, and of two fields of one name only one would be left.
fn carried(name: &str, kind: &DataType) -> Result<(), FrameError> {
    let refuse = |what: String| {
        Err(FrameError::UnsupportedType {
            name: name.to_owned(),
            dtype: what,
        })
    };
    match kind {
        DataType::List(inner) => carried(name, inner),
        DataType::Struct(fields) => {
            for (at, field) in fields.iter().enumerate() {
                if fields[..at]
                    .iter()
                    .any(|other| other.name() == field.name())
                {
                    return refuse(format!("a struct with two fields `{}`", field.name()));
                }
                carried(name, field.dtype())?;
            }
            Ok(())
        }
        DataType::String | DataType::Boolean | DataType::Null => Ok(()),
        kind if kind.is_integer() || kind.is_float() => Ok(()),
        kind => refuse(format!("a list or struct with {kind} in it")),
    }
}

/// Refuses bytes other than those that this program writes for JSON: they are of a type that tables do not carry.
fn check_json(column: &Column) -> Result<(), FrameError> {
    let is_json =
        |bytes: &[u8]| std::str::from_utf8(bytes).is_ok_and(|text| json::check(text).is_ok());
    if column.binary()?.iter().flatten().all(is_json) {
        return Ok(());
    }
    Err(FrameError::UnsupportedType {
        name: column.name().to_string(),
        dtype: "binary".to_owned(),
    })
}

/// The rows of a series as JSON.
fn values(name: &str, series: &Series) -> Result<Vec<Json>, FrameError> {
    match series.dtype() {
        DataType::List(_) => {
            let lists = series.list()?;
            let list = |row| match lists.get_as_series(row) {
                Some(elements) => Ok(Json::List(values(name, &elements)?)),
                None => Ok(Json::Null),
            };
            (0..lists.len()).map(list).collect()
        }
        DataType::Struct(_) => {
            let fields = series.struct_()?.fields_as_series();
            let mut rows: Vec<IndexMap<String, Json>> = vec![IndexMap::new(); series.len()];
            for field in &fields {
                let cells = values(name, field)?;
                for (object, cell) in rows.iter_mut().zip(cells) {
                    object.insert(field.name().to_string(), cell);
                }
            }
            let there = series.is_not_null();
            let object = |(object, there)| match there {
                Some(true) => Json::Object(object),
                _ => Json::Null,
            };
            Ok(rows.into_iter().zip(there.iter()).map(object).collect())
        }
        // Some are too large for a column of whole numbers, and none for JSON.
        DataType::UInt64 => {
            let whole = |cell: Option<u64>| cell.map_or(Json::Null, |n| Json::Number(n.into()));
            Ok(series.u64()?.iter().map(whole).collect())
        }
        _ => {
            let column = Column::from(series.clone());
            check_finite(name, series)?;
            let cells = ColumnView::of(name, &column)?;
            Ok((0..cells.len())
                .map(|row| plain(cells.scalar(row)))
                .collect())
        }
    }
}

fn plain(cell: Scalar) -> Json {
    match cell {
        Scalar::Null => Json::Null,
        Scalar::Bool(truth) => Json::Bool(truth),
        Scalar::Int(whole) => Json::Number(whole.into()),
        Scalar::Float(number) => Number::from_f64(number).map_or(Json::Null, Json::Number),
        Scalar::Text(text) | Scalar::Json(text) => Json::Text(text),
    }
}

fn check_finite(name: &str, series: &Series) -> Result<(), FrameError> {
    if !series.dtype().is_float() {
        return Ok(());
    }
    let wide = series.cast(&DataType::Float64)?;
    match wide
        .f64()?
        .iter()
        .flatten()
        .find(|value| !value.is_finite())
    {
        Some(value) => Err(FrameError::NotFiniteInList {
            name: name.to_owned(),
            value: value.to_string(),
        }),
        None => Ok(()),
    }
}

/// How long a series is as JSON, at most so many bytes as it counts.
pub(super) fn length(series: &Series) -> Result<u64, FrameError> {
    let elements = ELEMENT.saturating_mul(series.len() as u64);
    let more = match series.dtype() {
        DataType::List(_) => {
            let lists = series.list()?;
            let mut sum: u64 = 0;
            for row in 0..lists.len() {
                if let Some(elements) = lists.get_as_series(row) {
                    sum = sum.saturating_add(length(&elements)?);
                }
            }
            sum
        }
        DataType::Struct(_) => {
            let mut sum: u64 = 0;
            for field in series.struct_()?.fields_as_series() {
                let names = (field.name().len() as u64).saturating_mul(field.len() as u64);
                sum = sum.saturating_add(names).saturating_add(length(&field)?);
            }
            sum
        }
        DataType::String => {
            let texts = series.str()?.iter().flatten();
            texts.fold(0_u64, |sum, text| sum.saturating_add(text.len() as u64))
        }
        // Of numbers, dates and categories, the length of most.
        _ => 2 * elements,
    };
    Ok(elements.saturating_add(more))
}

#[cfg(test)]
mod tests {
    use polars::prelude::{IntoColumn, IntoSeries, NamedFrom, StructChunked};

    use super::*;

    /// The bytes of a file with a list of structs, as pandas and polars write one.
    fn file(columns: Vec<Column>) -> Vec<u8> {
        let height = columns.first().map_or(0, Column::len);
        let frame = polars::frame::DataFrame::new(height, columns).unwrap();
        Frame(frame).to_parquet().unwrap()
    }

    fn lists(name: &str, rows: &[Option<Series>]) -> Column {
        let list: polars::prelude::ListChunked = rows.iter().cloned().collect();
        list.with_name(name.into()).into_series().into_column()
    }

    fn structs() -> Series {
        let place = Series::new("location".into(), [Some("p. 3"), None]);
        let inner: polars::prelude::ListChunked = [
            Some(Series::new("".into(), [1_i64, 2])),
            Some(Series::new("".into(), Vec::<i64>::new())),
        ]
        .into_iter()
        .collect();
        let inner = inner.with_name("levels".into()).into_series();
        StructChunked::from_series("".into(), 2, [place, inner].iter())
            .unwrap()
            .into_series()
    }

    #[test]
    fn lists_and_structs_of_other_programs_are_json() {
        let texts = Series::new("".into(), ["a \"b\"", "é"]);
        let empty = texts.slice(0, 0);
        let numbers = Series::new("".into(), [0.5, 4.0]);
        let bytes = file(vec![
            lists("issues", &[Some(structs()), None]),
            lists("names", &[Some(empty), Some(texts)]),
            lists("numbers", &[Some(numbers), None]),
            structs().with_name("whole".into()).into_column(),
        ]);
        let frame = Frame::from_foreign_parquet(bytes, None).unwrap();
        let cells = |name: &str| frame.column(name).unwrap().scalars();
        let json = |text: &str| Scalar::Json(text.to_owned());
        assert_eq!(
            cells("issues"),
            [
                json(r#"[{"location":"p. 3","levels":[1,2]},{"location":null,"levels":[]}]"#),
                Scalar::Null
            ]
        );
        assert_eq!(cells("names"), [json("[]"), json(r#"["a \"b\"","é"]"#)]);
        assert_eq!(cells("numbers"), [json("[0.5,4.0]"), Scalar::Null]);
        assert_eq!(
            cells("whole")[0],
            json(r#"{"location":"p. 3","levels":[1,2]}"#)
        );
        assert_eq!(frame.column("issues").unwrap().kind(), "JSON");
    }

    #[test]
    fn json_that_was_written_here_is_read_and_other_bytes_are_refused() {
        let ours = ColumnData::Json(vec![Some(r#"{ "b": [1], "a":2.50}"#.to_owned()), None]);
        let ours = Frame::new(vec![("made".to_owned(), ours)]).unwrap();
        for back in [
            Frame::from_parquet(ours.to_parquet().unwrap(), None).unwrap(),
            Frame::from_foreign_parquet(ours.to_parquet().unwrap(), None).unwrap(),
        ] {
            let [before, after] =
                [&ours, &back].map(|frame| frame.column("made").unwrap().scalars());
            assert_eq!(before, after);
        }
        for cell in ["text", "{\"a\":1,\"a\":2}", "[1", ""] {
            let strange = ColumnData::Json(vec![Some(cell.to_owned())]);
            let strange = Frame::new(vec![("made".to_owned(), strange)]).unwrap();
            let error = Frame::from_foreign_parquet(strange.to_parquet().unwrap(), None);
            assert_eq!(
                error.unwrap_err().to_string(),
                "column `made` has the unsupported type binary: store it as text or number, or leave it out",
                "{cell}"
            );
        }
    }

    #[test]
    fn numbers_in_lists_are_numbers() {
        let bytes = file(vec![lists(
            "n",
            &[Some(Series::new("".into(), [1.0, f64::NAN]))],
        )]);
        assert_eq!(
            Frame::from_foreign_parquet(bytes, None)
                .unwrap_err()
                .to_string(),
            "column `n` holds NaN in a list, which is not a number: store null where there is no value, or leave the column out"
        );
    }
}
