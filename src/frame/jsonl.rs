//! Tables from JSON lines: one object per line, columns in order of first appearance.

use indexmap::IndexMap;
use serde_json::Value;

use super::{ColumnData, Frame, FrameError, Scalar};
use crate::wording::thousands;

/// Cells that a table may have whatever the length of its text, most of them empty: lines may have other keys each.
const CELLS: usize = 20_000_000;

impl Frame {
    /// Reads JSON lines. A key missing in a line, or null, is absent; lists and objects become
    /// their JSON text; blank lines are passed over.
    ///
    /// # Errors
    /// Not UTF-8, or a line that is not a JSON object (named by its number).
    pub fn from_jsonl(bytes: &[u8]) -> Result<Self, FrameError> {
        let text = FrameError::decode(bytes)?;
        let mut columns: IndexMap<String, Vec<Scalar>> = IndexMap::new();
        let mut rows = 0;
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let at = |message: String| FrameError::Line {
                line: index as u64 + 1,
                message,
            };
            let value: Value = serde_json::from_str(line).map_err(|error| {
                // The place serde_json names is within this one line.
                let said = error.to_string();
                let place = format!(" at line {} column {}", error.line(), error.column());
                let what = said.strip_suffix(&place).unwrap_or(&said);
                at(format!("not valid JSON, column {}: {what}", error.column()))
            })?;
            let Value::Object(object) = value else {
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
                let column = columns.entry(key).or_default();
                column.resize(rows, Scalar::Null);
                column.push(scalar(value));
            }
            rows += 1;
        }
        for column in columns.values_mut() {
            column.resize(rows, Scalar::Null);
        }
        Self::new(
            columns
                .into_iter()
                .map(|(name, values)| (name, ColumnData::infer(values)))
                .collect(),
        )
    }
}

fn scalar(value: Value) -> Scalar {
    match value {
        Value::Null => Scalar::Null,
        Value::Bool(b) => Scalar::Bool(b),
        // A whole number too large for the column stays as it is written.
        Value::Number(n) if n.is_u64() && n.as_i64().is_none() => Scalar::Text(n.to_string()),
        Value::Number(n) => n
            .as_i64()
            .map_or_else(|| Scalar::from(n.as_f64()), Scalar::Int),
        Value::String(s) => Scalar::Text(s),
        nested => Scalar::Text(nested.to_string()),
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
    fn a_bad_line_is_named_by_its_number() {
        let error = Frame::from_jsonl(b"{}\n[1]\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 2: a JSON object is needed, one per line"
        );
    }
}
