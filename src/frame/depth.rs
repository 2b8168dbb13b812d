//! The schema of a parquet file as it is written, which is flat: how deep lists and structs lie in each other, and what
//! the columns are called. polars goes as deep as a schema does, and a stack has an end.

use polars_parquet_format::SchemaElement;

use super::FrameError;
use super::one_group::{TAIL, parse};

/// How deep lists and structs may lie in each other.
pub(super) const DEPTH: usize = 60;

/// A list is two levels of a schema: its own and one for what is repeated.
const LEVELS: usize = 2 * DEPTH + 4;

/// Refuses a file whose lists lie too deep. What cannot be read is left to whoever reads the rest.
pub(super) fn check(bytes: &[u8]) -> Result<(), FrameError> {
    let mut deep = None;
    walk(&schema(bytes), |depth, column, _| {
        if depth > LEVELS && deep.is_none() {
            deep = Some(column.to_owned());
        }
    });
    match deep {
        Some(name) => Err(FrameError::UnsupportedType {
            name,
            dtype: too_deep(),
        }),
        None => Ok(()),
    }
}

/// What lies too deep, in words.
pub(super) fn too_deep() -> String {
    format!("lists and structs that lie in each other more than {DEPTH} times")
}

/// The names of the columns; none where they cannot be read.
pub(super) fn names(bytes: &[u8]) -> Option<Vec<String>> {
    let schema = schema(bytes);
    let mut names = Vec::new();
    walk(&schema, |depth, _, element| {
        if depth == 1 {
            names.push(element.name.clone());
        }
    });
    (!schema.is_empty()).then_some(names)
}

fn schema(bytes: &[u8]) -> Vec<SchemaElement> {
    let footer = || {
        let end = bytes.len().checked_sub(TAIL)?;
        let length = u32::from_le_bytes(*bytes.get(end..)?.first_chunk()?);
        bytes.get(end.checked_sub(length as usize)?..end)
    };
    let read = footer().and_then(parse);
    read.map_or_else(Vec::new, |file| file.schema)
}

/// Tells of each element how deep it lies below the root, and in which column.
fn walk<'s>(schema: &'s [SchemaElement], mut tell: impl FnMut(usize, &'s str, &'s SchemaElement)) {
    // How many elements are still to come at each level.
    let mut open: Vec<i64> = Vec::new();
    let mut column = "";
    for element in schema {
        while open.last() == Some(&0) {
            open.pop();
        }
        if let Some(left) = open.last_mut() {
            *left -= 1;
        }
        if open.len() == 1 {
            column = &element.name;
        }
        tell(open.len(), column, element);
        if let Some(children) = element.num_children.filter(|children| *children > 0) {
            open.push(i64::from(children));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use polars::prelude::{DataType, IntoColumn, NamedFrom, Series};
    use polars_parquet_format::thrift::protocol::TCompactOutputProtocol;
    use polars_parquet_format::{FieldRepetitionType, FileMetaData, Type};

    use super::*;
    use crate::frame::{ColumnData, Frame};

    /// A file with a column of lists so deep in each other.
    fn file(depth: usize) -> Vec<u8> {
        let kind = (0..depth).fold(DataType::Int64, |kind, _| DataType::List(Box::new(kind)));
        let deep = Series::full_null("x".into(), 1, &kind).into_column();
        let named = Series::new("doc_id".into(), ["a"]).into_column();
        let frame = polars::frame::DataFrame::new(1, vec![named, deep]).unwrap();
        Frame(frame).to_parquet().unwrap()
    }

    /// The end of a file with such a column, deeper than polars could write it.
    fn deep(groups: i32) -> Vec<u8> {
        let element = |name: &str, children: Option<i32>| {
            let kind = children.is_none().then_some(Type::INT64);
            let repeats = FieldRepetitionType::OPTIONAL;
            let name = name.to_owned();
            SchemaElement::new(
                kind, None, repeats, name, children, None, None, None, None, None,
            )
        };
        let mut schema = vec![element("schema", Some(2)), element("doc_id", None)];
        schema.extend((0..groups).map(|_| element("x", Some(1))));
        schema.push(element("item", None));
        let file = FileMetaData::new(1, schema, 0, vec![], None, None, None, None, None);
        let mut bytes = b"PAR1".to_vec();
        let mut output = TCompactOutputProtocol::new(&mut bytes);
        let length = file.write_to_out_protocol(&mut output).unwrap();
        bytes.extend(u32::try_from(length).unwrap().to_le_bytes());
        bytes.extend(b"PAR1");
        bytes
    }

    #[test]
    fn lists_that_lie_too_deep_are_refused_before_anything_goes_as_deep() {
        assert!(Frame::from_foreign_parquet(file(60), None).is_ok());
        let said = "column `x` has the unsupported type lists and structs that lie in each other more than 60 times: store it as text or number, or leave it out";
        for file in [file(61), deep(200), deep(100_000)] {
            let error = Frame::from_foreign_parquet(file, None).unwrap_err();
            assert_eq!(error.to_string(), said);
        }
        let error = Frame::names_in_parquet(Cursor::new(deep(100_000))).unwrap_err();
        assert_eq!(error.to_string(), said);
    }

    #[test]
    fn columns_are_named_as_polars_names_them() {
        let frame = Frame::new(vec![
            ("a".to_owned(), ColumnData::text(["x"])),
            ("b c".to_owned(), ColumnData::Int(vec![Some(1)])),
        ]);
        let flat = frame.unwrap().to_parquet().unwrap();
        assert_eq!(names(&flat).unwrap(), ["a", "b c"]);
        assert_eq!(names(&file(2)).unwrap(), ["doc_id", "x"]);
        assert_eq!(names(b"PAR1"), None);
    }
}
