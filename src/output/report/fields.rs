//! Reading RFC 4180 text field by field, with the place of each.
//!
//! Lines and columns are what an editor shows, so that a message leads to the very field. It must not know what the
//! fields mean.

use std::ops::Range;

/// A field and where it begins: line and column count from 1, columns in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) text: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// Where it stands in the text, with its quotes and without blanks around it.
    pub(crate) bytes: Range<usize>,
}

/// What makes text unreadable as records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Broken {
    /// A quote was opened and never closed.
    Open,
    /// Text follows a closing quote.
    AfterQuote,
}

struct Reader<'a> {
    letters: std::iter::Peekable<std::str::Chars<'a>>,
    line: usize,
    column: usize,
    /// How many bytes were read.
    at: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let letter = self.letters.next()?;
        self.at += letter.len_utf8();
        if letter == '\n' || (letter == '\r' && self.letters.peek() != Some(&'\n')) {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(letter)
    }

    fn field(&mut self) -> Result<Field, (Broken, Field)> {
        let mut field = Field {
            text: String::new(),
            line: self.line,
            column: self.column,
            bytes: self.at..self.at,
        };
        if self.letters.peek() != Some(&'"') {
            while let Some(letter) = self
                .letters
                .next_if(|letter| !matches!(letter, ',' | '\r' | '\n'))
            {
                self.column += 1;
                self.at += letter.len_utf8();
                field.text.push(letter);
            }
            // Blanks that line up columns for the eye are not part of a bare field.
            let lead = field.text.len() - field.text.trim_start().len();
            field.text = field.text.trim().to_owned();
            field.bytes.start += lead;
            field.bytes.end = field.bytes.start + field.text.len();
            return Ok(field);
        }
        self.next();
        loop {
            match self.next() {
                None => return Err((Broken::Open, field)),
                Some('"') if self.letters.peek() == Some(&'"') => {
                    self.next();
                    field.text.push('"');
                }
                Some('"') => break,
                Some(letter) => field.text.push(letter),
            }
        }
        field.bytes.end = self.at;
        match self.letters.peek() {
            None | Some(',' | '\r' | '\n') => Ok(field),
            Some(_) => Err((
                Broken::AfterQuote,
                Field {
                    line: self.line,
                    column: self.column,
                    ..field
                },
            )),
        }
    }
}

/// All records that are not blank lines; on failure what is broken and where.
pub(crate) fn records(text: &str) -> Result<Vec<Vec<Field>>, (Broken, Field)> {
    let whole = text.len();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader {
        letters: text.chars().peekable(),
        line: 1,
        column: 1,
        at: whole - text.len(),
    };
    let mut records = Vec::new();
    let mut record = Vec::new();
    while reader.letters.peek().is_some() || !record.is_empty() {
        record.push(reader.field()?);
        if reader.letters.peek() == Some(&',') {
            reader.next();
            continue;
        }
        if reader.next() == Some('\r') && reader.letters.peek() == Some(&'\n') {
            reader.next();
        }
        let done = std::mem::take(&mut record);
        if done.len() > 1 || done.iter().any(|field| !field.text.is_empty()) {
            records.push(done);
        }
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(text: &str) -> Vec<Vec<String>> {
        let records = records(text).expect("readable");
        records
            .into_iter()
            .map(|record| record.into_iter().map(|field| field.text).collect())
            .collect()
    }

    #[test]
    fn quotes_protect_commas_quotes_and_line_breaks() {
        assert_eq!(
            texts("a,\"b,\"\"c\"\"\nd\"\r\ne,\n"),
            [vec!["a", "b,\"c\"\nd"], vec!["e", ""]]
        );
    }

    #[test]
    fn blank_lines_and_blanks_around_bare_fields_do_not_count() {
        assert_eq!(texts("\u{feff}a , b\n\n  \n c,d"), [["a", "b"], ["c", "d"]]);
    }

    #[test]
    fn a_field_knows_its_place() {
        let records = records("a,b\n\"x\ny\",last").expect("readable");
        assert_eq!((records[1][1].line, records[1][1].column), (3, 4));
        assert_eq!(records[1][1].bytes, 10..14);
    }

    #[test]
    fn broken_quotes_are_placed() {
        assert!(matches!(
            records("a,\"b"),
            Err((
                Broken::Open,
                Field {
                    line: 1,
                    column: 3,
                    ..
                }
            ))
        ));
        assert!(matches!(
            records("\"a\"b"),
            Err((
                Broken::AfterQuote,
                Field {
                    line: 1,
                    column: 4,
                    ..
                }
            ))
        ));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_and_bare_fields_stand_where_they_say(text in "[a\",\r\n é]*") {
            for field in records(&text).into_iter().flatten().flatten() {
                let written = &text[field.bytes.clone()];
                proptest::prop_assert!(written == field.text || written.starts_with('"'));
            }
        }
    }
}
