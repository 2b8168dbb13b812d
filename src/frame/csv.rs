//! Tables from csv.
//!
//! Types are inferred strictly: a column is of whole numbers only if every cell reads back as
//! written, and of numbers only if all are plain decimals, so that an id such as `007` or one of
//! twenty digits stays text and nothing is renamed silently.

use std::collections::BTreeSet;

use super::{ColumnData, Frame, FrameError};
use crate::base::wording::{count, some_of};

impl Frame {
    /// Reads comma-separated values with a header line; an empty cell is absent. The columns named
    /// `as_text` stay text whatever they hold: `1.10` and `1.1` are different ids.
    ///
    /// # Errors
    /// Not UTF-8, a header with a repeated or empty name, or a record whose number of cells differs.
    pub fn from_csv(bytes: &[u8], as_text: &[&str]) -> Result<Self, FrameError> {
        let text = FrameError::decode(bytes)?;
        check_quotes(text)?;
        let mut reader = csv::ReaderBuilder::new()
            .flexible(true)
            .from_reader(text.as_bytes());
        let header = reader
            .headers()
            .map_err(|error| line_error(&error))?
            .clone();
        if header.is_empty() {
            return Err(FrameError::Line {
                line: 1,
                message: "the file is empty; a header line with the names of the columns is needed"
                    .to_owned(),
            });
        }
        check_header(&header)?;
        check_separator(&header)?;
        let mut cells: Vec<Vec<Option<String>>> = vec![Vec::new(); header.len()];
        for record in reader.records() {
            let record = record.map_err(|error| line_error(&error))?;
            let line = record.position().map_or(0, csv::Position::line);
            if record.len() != header.len() {
                return Err(FrameError::Line {
                    line,
                    message: format!(
                        "{} where the header has {}: quote a cell that holds a comma",
                        count(record.len(), "cell"),
                        header.len()
                    ),
                });
            }
            for (column, cell) in cells.iter_mut().zip(record.iter()) {
                column.push((!cell.is_empty()).then(|| cell.to_owned()));
            }
        }
        Self::new(
            header
                .iter()
                .map(str::to_owned)
                .zip(cells)
                .map(|(name, cells)| {
                    let data = if as_text.contains(&name.as_str()) {
                        ColumnData::Text(cells)
                    } else {
                        typed(cells)
                    };
                    (name, data)
                })
                .collect(),
        )
    }
}

fn check_header(header: &csv::StringRecord) -> Result<(), FrameError> {
    let mut seen = BTreeSet::new();
    for (index, name) in header.iter().enumerate() {
        let message = if name.is_empty() {
            format!("column {} has no name", index + 1)
        } else if !seen.insert(name) {
            format!("column `{name}` appears twice")
        } else {
            continue;
        };
        return Err(FrameError::Line { line: 1, message });
    }
    Ok(())
}

/// Refuses quotes that do not enclose whole cells. Such a quote is one that was forgotten or not doubled, and what it
/// encloses may be many lines that nobody misses.
fn check_quotes(text: &str) -> Result<(), FrameError> {
    // Where a cell begins, in one without quotes, in a quoted one, behind a quote in a quoted one.
    #[derive(Clone, Copy, PartialEq)]
    enum At {
        Start,
        Cell,
        Quoted,
        Closed,
    }
    let line = |place: usize| 1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..place]).count();
    let fault = |place: usize, message: String| {
        Err(FrameError::Line {
            line: line(place) as u64,
            message,
        })
    };
    let (mut at, mut opened) = (At::Start, 0);
    for (place, byte) in text.bytes().enumerate() {
        at = match (at, byte) {
            (At::Quoted, b'"') => At::Closed,
            (At::Quoted, _) | (At::Closed, b'"') => At::Quoted,
            (_, b',' | b'\n' | b'\r') => At::Start,
            (At::Start, b'"') => {
                opened = place;
                At::Quoted
            }
            (At::Closed, _) => {
                let message = format!(
                    "`{}` follows the quote that closes the cell{}: double the quotes inside of a cell",
                    text[place..]
                        .chars()
                        .next()
                        .unwrap_or_default()
                        .escape_debug(),
                    match line(opened) {
                        same if same == line(place) => String::new(),
                        other => format!(" which was opened in line {other}"),
                    }
                );
                return fault(place, message);
            }
            (At::Cell, b'"') => {
                let message = "a quote stands in a cell that does not begin with one: quote the whole cell, and \
                               double the quotes inside of it";
                return fault(place, message.to_owned());
            }
            _ => At::Cell,
        };
    }
    if at == At::Quoted {
        let message =
            "a quote is opened and never closed: close it, or double the quotes inside a cell";
        return fault(opened, message.to_owned());
    }
    Ok(())
}

/// Refuses what spreadsheets of many countries write as csv, with other marks between the cells.
fn check_separator(header: &csv::StringRecord) -> Result<(), FrameError> {
    let only = if header.len() == 1 { &header[0] } else { "" };
    let Some((separator, name)) = [(';', "semicolons"), ('\t', "tabs")]
        .into_iter()
        .find(|(separator, _)| only.contains(*separator))
    else {
        return Ok(());
    };
    let names: Vec<&str> = only.split(separator).collect();
    Err(FrameError::Line {
        line: 1,
        message: format!(
            "{name} separate the columns ({}), and commas are needed: save it as csv with commas",
            some_of(&names)
        ),
    })
}

fn line_error(error: &csv::Error) -> FrameError {
    FrameError::Line {
        line: error.position().map_or(0, csv::Position::line),
        message: error.to_string(),
    }
}

fn typed(cells: Vec<Option<String>>) -> ColumnData {
    fn all<T: ToString + std::str::FromStr>(cells: &[Option<String>]) -> Option<Vec<Option<T>>> {
        if cells.iter().all(Option::is_none) {
            return None;
        }
        cells
            .iter()
            .map(|cell| match cell {
                None => Some(None),
                Some(text) => text
                    .parse::<T>()
                    .ok()
                    .filter(|value| &value.to_string() == text)
                    .map(Some),
            })
            .collect()
    }
    if let Some(values) = all::<i64>(&cells) {
        ColumnData::Int(values)
    } else if let Some(values) = floats(&cells) {
        ColumnData::Float(values)
    } else if let Some(values) = all::<bool>(&cells) {
        ColumnData::Bool(values)
    } else {
        ColumnData::Text(cells)
    }
}

/// Decimal numbers: digits on both sides of one point, no padding zeros in front; `1.50` counts. Behind them may stand an
/// exponent with its sign, as programs write small and large numbers: `2e-05`. Without a sign it may be a name: `12e5`.
fn floats(cells: &[Option<String>]) -> Option<Vec<Option<f64>>> {
    let mut any = false;
    let values = cells
        .iter()
        .map(|cell| {
            let Some(text) = cell else { return Some(None) };
            let digits = text.strip_prefix('-').unwrap_or(text);
            let (digits, power) = match digits.split_once(['e', 'E']) {
                Some((digits, power)) => (digits, Some(power.strip_prefix(['-', '+'])?)),
                None => (digits, None),
            };
            let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
            let plain = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
            let padded = whole.len() > 1 && whole.starts_with('0');
            // More digits than a double has would come back as others.
            let exact =
                whole.len() <= 15 && (whole.len() + fraction.len() <= 15 || text.contains('.'));
            any |= text.contains('.') || power.is_some();
            let value = text.parse().ok().filter(|value: &f64| value.is_finite());
            (plain(whole) && plain(fraction) && power.is_none_or(plain) && !padded && exact)
                .then_some(value.map(Some))
                .flatten()
        })
        .collect::<Option<Vec<_>>>()?;
    any.then_some(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Scalar;

    fn column(csv: &str) -> Vec<Scalar> {
        Frame::from_csv(csv.as_bytes(), &[])
            .unwrap()
            .column("x")
            .unwrap()
            .scalars()
    }

    #[test]
    fn a_quote_that_is_never_closed_is_named() {
        let error =
            Frame::from_csv(b"id,text\na,\"x, \"\"y\"\"\nz\"\nb,\"open\nc,d\n", &[]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 4: a quote is opened and never closed: close it, or double the quotes inside a cell"
        );
        // Also where the cells it takes in are too few, and in the header itself.
        for (text, line) in [
            ("id,text\n\"a,b\nc,d\n", 2),
            ("id,\"text\na,b\n", 1),
            ("id,text\r\na,b\r\nc,\"d", 3),
        ] {
            let error = Frame::from_csv(text.as_bytes(), &[])
                .unwrap_err()
                .to_string();
            assert!(
                error.starts_with(&format!("line {line}: a quote is opened")),
                "{error}"
            );
        }
        let fine = "id,text\na,\"x\"\"\"\nb,\"5\"\" wide\"\r\n\"\",\"\"\"\"";
        assert_eq!(Frame::from_csv(fine.as_bytes(), &[]).unwrap().rows(), 3);
    }

    #[test]
    fn a_quote_that_does_not_enclose_a_whole_cell_is_named() {
        for (text, message) in [
            // A quote that is missing makes three rows one.
            (
                "doc_id,text\na,\"t\nb,u\nc,\"v\nd,w\"\n",
                "line 4: `v` follows the quote that closes the cell which was opened in line 2: double the quotes \
                 inside of a cell",
            ),
            (
                "doc_id,text\na,\"t\"x\n",
                "line 2: `x` follows the quote that closes the cell: double the quotes inside of a cell",
            ),
            (
                "doc_id,\"te\" xt\"\na,t\n",
                "line 1: ` ` follows the quote that closes the cell: double the quotes inside of a cell",
            ),
            (
                "doc_id,text\na,t\nb,5\" wide\n",
                "line 3: a quote stands in a cell that does not begin with one: quote the whole cell, and double the \
                 quotes inside of it",
            ),
            (
                "doc_id,text\na, \"t\"\n",
                "line 2: a quote stands in a cell that does not begin with one: quote the whole cell, and double the \
                 quotes inside of it",
            ),
        ] {
            let error = Frame::from_csv(text.as_bytes(), &[]).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn other_marks_between_the_columns_are_named() {
        for (text, message) in [
            (
                "id;body\n1;a, b",
                "line 1: semicolons separate the columns (`id` and `body`), and commas are needed: save it \
                 as csv with commas",
            ),
            (
                "id\tbody\n1\ta",
                "line 1: tabs separate the columns (`id` and `body`), and commas are needed: save it as csv \
                 with commas",
            ),
        ] {
            let error = Frame::from_csv(text.as_bytes(), &[]).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn whole_numbers_are_read_as_numbers() {
        assert_eq!(
            column("x\n1908\n-3\n"),
            [Scalar::Int(1908), Scalar::Int(-3)]
        );
    }

    #[test]
    fn an_id_with_leading_zeros_stays_text() {
        assert_eq!(column("x\n007\n12\n"), ["007".into(), "12".into()]);
    }

    #[test]
    fn a_long_number_stays_text() {
        let long = "12345678901234567890";
        assert_eq!(
            column(&format!("x\n{long}\n1\n")),
            [long.into(), "1".into()]
        );
    }

    #[test]
    fn a_long_number_stays_text_beside_decimals() {
        let long = "1234567890123456789012345.5";
        assert_eq!(
            column(&format!("x\n{long}\n1.5\n")),
            [long.into(), "1.5".into()]
        );
        assert_eq!(
            column("x\nnan\ninf\n1.5\n"),
            ["nan".into(), "inf".into(), "1.5".into()]
        );
    }

    #[test]
    fn a_column_can_be_kept_as_text() {
        let frame = Frame::from_csv(b"x,y\n1.10,1.10\n1.1,1.1\n", &["x"]).unwrap();
        assert_eq!(
            frame.column("x").unwrap().scalars(),
            ["1.10".into(), "1.1".into()]
        );
        assert_eq!(
            frame.column("y").unwrap().scalars(),
            [Scalar::Float(1.1), Scalar::Float(1.1)]
        );
    }

    #[test]
    fn decimals_are_read_as_numbers() {
        assert_eq!(
            column("x\n1.50\n2\n"),
            [Scalar::Float(1.5), Scalar::Float(2.0)]
        );
    }

    #[test]
    fn exponents_with_a_sign_are_of_numbers_and_those_without_of_names() {
        assert_eq!(
            column("x\n0.5\n2e-05\n-1.5E+3\n"),
            [
                Scalar::Float(0.5),
                Scalar::Float(2e-5),
                Scalar::Float(-1500.0)
            ]
        );
        for text in ["12e5", "1e", "e-5", "1e-", "1e+400", "1e-5e-5", "1e-5.0"] {
            assert_eq!(
                column(&format!("x\n{text}\n")),
                [Scalar::Text(text.to_owned())]
            );
        }
    }

    #[test]
    fn an_empty_cell_is_absent() {
        assert_eq!(column("x,y\n,1\n5,2\n"), [Scalar::Null, Scalar::Int(5)]);
    }

    #[test]
    fn a_record_of_another_length_is_named_by_its_line() {
        let error = Frame::from_csv(b"a,b\n1,2\n1,2,3\n", &[]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 3: 3 cells where the header has 2: quote a cell that holds a comma"
        );
    }

    #[test]
    fn a_repeated_column_is_refused() {
        let error = Frame::from_csv(b"a,a\n", &[]).unwrap_err();
        assert_eq!(error.to_string(), "line 1: column `a` appears twice");
    }

    #[test]
    fn bytes_that_are_not_utf8_are_named() {
        let error = Frame::from_csv(b"a\nb\xff\n", &[]).unwrap_err();
        assert_eq!(error.to_string(), "not UTF-8 text: byte 3 (line 2) is 0xff");
    }
}
