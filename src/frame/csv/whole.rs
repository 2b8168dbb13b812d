//! Tables from csv that is in memory.

use super::cells::Sort;
use super::header;
use super::quotes::Quotes;
use crate::frame::{Frame, FrameError};

impl Frame {
    /// Reads comma-separated values with a header line; an empty cell is absent. The columns named
    /// `as_text` stay text whatever they hold: `1.10` and `1.1` are different ids.
    ///
    /// # Errors
    /// Not UTF-8, a header with a repeated or empty name, or a record whose number of cells differs.
    pub fn from_csv(bytes: &[u8], as_text: &[&str]) -> Result<Self, FrameError> {
        let text = FrameError::decode(bytes)?;
        Quotes::default().check(text)?;
        let mut reader = csv::ReaderBuilder::new()
            .flexible(true)
            .from_reader(text.as_bytes());
        let names = reader.headers().map_err(|error| header::wrong(&error))?;
        let names = header::read(names)?;
        let mut columns = vec![(Sort::default(), Vec::new()); names.len()];
        let mut record = csv::StringRecord::new();
        while reader
            .read_record(&mut record)
            .map_err(|error| header::wrong(&error))?
        {
            header::check_length(&record, names.len())?;
            for ((sort, column), cell) in columns.iter_mut().zip(&record) {
                sort.add(cell);
                column.push((!cell.is_empty()).then(|| cell.to_owned()));
            }
        }
        let named = names.into_iter().zip(columns);
        let named = named.map(|(name, (sort, cells))| {
            let kind = sort.kind(as_text.contains(&name.as_str()));
            (name, kind.column(cells))
        });
        Self::new(named.collect())
    }
}

#[cfg(test)]
mod tests {
    use crate::frame::{Frame, Scalar};

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
    fn zero_has_no_sign_among_whole_numbers() {
        assert_eq!(
            column("x\n1\n-0\n3\n"),
            [Scalar::Int(1), Scalar::Int(0), Scalar::Int(3)]
        );
        assert_eq!(column("x\n-00\n3\n"), ["-00".into(), "3".into()]);
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
