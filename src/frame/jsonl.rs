//! Tables from JSON lines: one object per line, columns in order of first appearance.

use indexmap::IndexMap;

use super::{ColumnData, Frame, FrameError, Scalar};
use crate::base::json::{self, Json};
use crate::base::wording::thousands;

/// Cells that a table may have whatever the length of its text, most of them empty: lines may have other keys each.
const CELLS: usize = 20_000_000;

/// A column of JSON lines that holds lists or objects in some rows and other values in others: all of them are texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mixed {
    /// Its name.
    pub name: String,
    /// In how many rows it holds a list or an object.
    pub nested: usize,
    /// In how many it holds another value.
    pub others: usize,
}

impl Frame {
    /// Reads JSON lines. A key missing in a line, or null, is absent; a column of lists and objects is JSON, and one
    /// with other values beside them text; blank lines are passed over.
    ///
    /// # Errors
    /// Not UTF-8, or a line that is not a JSON object or has a key twice (named by its number).
    pub fn from_jsonl(bytes: &[u8]) -> Result<Self, FrameError> {
        Self::from_jsonl_mixed(bytes).map(|(frame, _)| frame)
    }

    /// The same, and the columns in which lists and objects became texts.
    ///
    /// # Errors
    /// The same.
    pub fn from_jsonl_mixed(bytes: &[u8]) -> Result<(Self, Vec<Mixed>), FrameError> {
        let text = FrameError::decode(bytes)?;
        // With their rows, since a column may be empty in nearly all of them.
        let mut columns: IndexMap<String, Vec<(usize, Scalar)>> = IndexMap::new();
        let mut rows = 0;
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let at = |message: String| FrameError::Line {
                line: index as u64 + 1,
                message,
            };
            let value = json::read(line).map_err(|error| at(unread(line, &error)))?;
            let Json::Object(object) = value else {
                return Err(at("a JSON object is needed, one per line".to_owned()));
            };
            let cells = (columns.len() + object.len()).saturating_mul(rows);
            if cells > CELLS.saturating_add(2 * text.len()) {
                return Err(at(format!(
                    "with {} columns in {} rows nearly all cells are empty: use the same keys in all lines",
                    thousands(columns.len() as u64),
                    thousands(rows as u64)
                )));
            }
            for (key, value) in object {
                let cell = (rows, Scalar::from(value));
                columns.entry(key).or_default().push(cell);
            }
            rows += 1;
        }
        let mixed = columns.iter().filter_map(|(name, cells)| {
            let values = || cells.iter().map(|(_, value)| value);
            let nested = values().filter(|value| matches!(value, Scalar::Json(_)));
            let nested = nested.count();
            let there = values().filter(|value| !value.is_null()).count();
            (nested > 0 && nested < there).then(|| Mixed {
                name: name.clone(),
                nested,
                others: there - nested,
            })
        });
        let mixed = mixed.collect();
        let columns = columns.into_iter();
        let columns = columns.map(|(name, cells)| {
            let mut values = vec![Scalar::Null; rows];
            for (row, value) in cells {
                values[row] = value;
            }
            (name, ColumnData::infer(values))
        });
        Ok((Self::new(columns.collect())?, mixed))
    }
}

/// Why a line cannot be read. The place `serde_json` names is within this one line.
fn unread(line: &str, error: &serde_json::Error) -> String {
    let said = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let what = said.strip_suffix(&place).unwrap_or(&said);
    let column = error.column();
    if error.is_data() {
        return format!("column {column}: {what}");
    }
    let here = line.get(column.saturating_sub(1)..).unwrap_or_default();
    let no_number = ["NaN", "-Infinity", "Infinity"].into_iter().find(|word| {
        here.starts_with(word)
            || word.starts_with('-')
                && here.starts_with(&word[1..])
                && line[..column - 1].ends_with('-')
    });
    match no_number {
        Some(word) => {
            format!(
                "column {column}: `{word}` is not a number: write `null` where there is no value"
            )
        }
        None => format!("not valid JSON, column {column}: {what}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_missing_in_some_lines_is_absent_there() {
        let frame = Frame::from_jsonl(b"{\"a\":1}\n\n{\"b\":\"x\",\"a\":2.5}\n").unwrap();
        assert_eq!(frame.names(), ["a", "b"]);
        assert_eq!(
            frame.column("b").unwrap().scalars(),
            [Scalar::Null, "x".into()]
        );
        assert_eq!(
            frame.column("a").unwrap().scalars(),
            [Scalar::Float(1.0), Scalar::Float(2.5)]
        );
    }

    #[test]
    fn lists_and_objects_are_json_that_is_written_as_it_was_read() {
        let lines = concat!(
            "{\"a\":[1, 2.50,null],\"b\":{\"z\":1,\"a\":\"\u{e9}\"},\"c\":[1]}\n",
            "{\"a\":[],\"b\":null,\"c\":\"x\"}\n"
        );
        let frame = Frame::from_jsonl(lines.as_bytes()).unwrap();
        let kinds = ["a", "b", "c"].map(|name| frame.column(name).unwrap().kind());
        assert_eq!(kinds, ["JSON", "JSON", "text"]);
        assert_eq!(
            frame.column("b").unwrap().scalars(),
            [
                Scalar::Json("{\"z\":1,\"a\":\"\u{e9}\"}".to_owned()),
                Scalar::Null
            ]
        );
        let written = frame.to_jsonl().unwrap();
        assert_eq!(
            String::from_utf8(written).unwrap(),
            concat!(
                "{\"a\":[1,2.5,null],\"b\":{\"z\":1,\"a\":\"\u{e9}\"},\"c\":\"[1]\"}\n",
                "{\"a\":[],\"b\":null,\"c\":\"x\"}\n"
            )
        );
    }

    #[test]
    fn lists_in_lists_have_an_end() {
        let deep = |depth: usize| {
            let line = format!("{{\"a\":{}1{}}}\n", "[".repeat(depth), "]".repeat(depth));
            Frame::from_jsonl(line.as_bytes()).map_err(|error| error.to_string())
        };
        assert!(deep(100).is_ok());
        assert_eq!(
            deep(100_000).unwrap_err(),
            "line 1: not valid JSON, column 132: recursion limit exceeded"
        );
    }

    #[test]
    fn a_bad_line_is_named_by_its_number() {
        let error = Frame::from_jsonl(b"{}\n[1]\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 2: a JSON object is needed, one per line"
        );
    }

    #[test]
    fn a_key_that_stands_twice_is_named_by_its_line() {
        let error = Frame::from_jsonl(b"{\"a\": 1}\n{\"a\": 1, \"b\": {\"c\": 1, \"c\": 2}}\n")
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 2: column 26: the key `c` occurs twice in one object"
        );
    }

    #[test]
    fn no_id_is_renamed() {
        let long = "1234567890123456789012345";
        let lines =
            format!("{{\"id\": {long}, \"x\": 9007199254740993}}\n{{\"id\": 7, \"x\": 1.5}}\n");
        let frame = Frame::from_jsonl(lines.as_bytes()).unwrap();
        assert_eq!(
            frame.column("id").unwrap().scalars(),
            [long.into(), "7".into()]
        );
        assert_eq!(
            frame.column("x").unwrap().scalars(),
            ["9007199254740993".into(), "1.5".into()]
        );
    }

    #[test]
    fn what_is_no_number_is_called_that() {
        for (line, said) in [
            (
                "{\"a\": NaN}",
                "line 1: column 7: `NaN` is not a number: write `null` where there is no value",
            ),
            (
                "{\"a\": Infinity}",
                "line 1: column 7: `Infinity` is not a number: write `null` where there is no value",
            ),
            (
                "{\"a\": -Infinity}",
                "line 1: column 8: `-Infinity` is not a number: write `null` where there is no value",
            ),
        ] {
            assert_eq!(
                Frame::from_jsonl(line.as_bytes()).unwrap_err().to_string(),
                said
            );
        }
    }
}
