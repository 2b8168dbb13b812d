//! Books of Project Gutenberg: one row each, without the project's header and licence.

use std::borrow::Cow;

use crate::base::failure::Failure;
use crate::base::wording::{count, some_of};
use crate::frame::{ColumnData, Frame};
use crate::language::clean::{decode, gutenberg};
use crate::stage::SourceFile;

/// Where books are fetched from unless a spec says otherwise; `{id}` stands for the number.
pub const MIRROR: &str = "https://www.gutenberg.org/cache/epub/{id}/pg{id}.txt";

/// The columns of books besides `doc_id` and `text`.
pub const BOOK_COLUMNS: [&str; 6] = ["title", "author", "year", "language", "gutenberg", "url"];

/// A book as far as its file tells.
struct Book {
    text: String,
    known: gutenberg::Metadata,
    /// Whether lines say where the book begins, and where it ends.
    marked: (bool, bool),
    /// Whether it was in Latin-1.
    latin_1: bool,
}

/// One row per book, in the order of `ids`, and what a person should know. `columns` are those to
/// keep; all, if none are named.
///
/// The address is that of the book's page at Project Gutenberg, not of the mirror: which mirror it
/// came from is not part of the experiment.
pub(super) fn table(
    ids: &[u64],
    files: &[SourceFile],
    columns: &[String],
) -> Result<(Frame, Vec<String>), Failure> {
    let mut books = Vec::with_capacity(files.len());
    let mut unread = Vec::new();
    for (&id, file) in ids.iter().zip(files) {
        match read(&file.bytes) {
            Ok(book) => books.push(book),
            Err(failure) => unread.push((id, file, failure)),
        }
    }
    if let Some(failure) = explain(&unread, ids.len()) {
        return Err(failure);
    }
    let text =
        |of: &dyn Fn(&Book) -> Option<String>| ColumnData::Text(books.iter().map(of).collect());
    let column = |name: &str| match name {
        "title" => text(&|book| book.known.title.clone()),
        "author" => text(&|book| book.known.author.clone()),
        "year" => {
            let years = books.iter().map(|book| book.known.year.map(i64::from));
            ColumnData::Int(years.collect())
        }
        "language" => text(&|book| book.known.language.clone()),
        "gutenberg" => ColumnData::Int(ids.iter().map(|&id| i64::try_from(id).ok()).collect()),
        "url" => ColumnData::text(ids.iter().map(|&id| page(id))),
        _ => text(&|book| Some(book.text.clone())),
    };
    let mut names: Vec<&str> = if columns.is_empty() {
        BOOK_COLUMNS.to_vec()
    } else {
        columns.iter().map(String::as_str).collect()
    };
    names.retain(|name| *name != "doc_id");
    if !names.contains(&"text") {
        names.push("text");
    }
    let named = ids.iter().map(|id| format!("PG-{id}"));
    let mut data = vec![("doc_id".to_owned(), ColumnData::text(named))];
    for name in names {
        if !data.iter().any(|(other, _)| other == name) {
            data.push((name.to_owned(), column(name)));
        }
    }
    Ok((Frame::new(data)?, warnings(ids, &books)))
}

/// The page of a book at Project Gutenberg.
fn page(id: u64) -> String {
    format!("https://www.gutenberg.org/ebooks/{id}")
}

/// Reads the file of a book.
fn read(bytes: &[u8]) -> Result<Book, Failure> {
    let decoded = decode(bytes).map_err(|error| Failure::new(error.to_string()))?;
    let letters = if decoded.text.contains('\r') {
        Cow::Owned(decoded.text.replace("\r\n", "\n"))
    } else {
        Cow::Borrowed(decoded.text.as_str())
    };
    let found = gutenberg::body(&letters);
    let book = found.span.of(&letters).trim_end();
    // The first line that is not blank keeps its indentation.
    let blank = book.len() - book.trim_start().len();
    let start = book[..blank].rfind('\n').map_or(0, |at| at + 1);
    Ok(Book {
        text: book[start..].to_owned(),
        known: gutenberg::metadata(&letters),
        marked: (found.header_end.is_some(), found.footer_start.is_some()),
        latin_1: decoded.latin_1,
    })
}

/// One failure of all the books that cannot be read, none if there are none.
fn explain(unread: &[(u64, &SourceFile, Failure)], of: usize) -> Option<Failure> {
    match unread {
        [] => None,
        [(id, file, failure)] => {
            let failure = Failure::new(format!("book {id} cannot be read: {}", failure.message));
            Some(failure.at(file.path.display()).hint(format!(
                "see what {} offers; another `mirror` may have the book in UTF-8",
                page(*id)
            )))
        }
        several => {
            let told: Vec<String> = several
                .iter()
                .map(|(id, file, failure)| {
                    let path = file.path.display();
                    format!("\n  book {id}, `{path}`: {}", failure.message)
                })
                .collect();
            let count = count(of, "book");
            let message = format!(
                "{} of {count} cannot be read:{}",
                several.len(),
                told.concat()
            );
            Some(Failure::new(message).hint(
                "another `mirror` may have these books in UTF-8; or leave their numbers out of `gutenberg`",
            ))
        }
    }
}

/// What looks wrong with books, each sort of it once.
fn warnings(ids: &[u64], books: &[Book]) -> Vec<String> {
    let those = |wrong: &dyn Fn(u64, &Book) -> bool| -> Vec<String> {
        let of = ids.iter().zip(books);
        of.filter(|(id, book)| wrong(**id, book))
            .map(|(id, _)| format!("PG-{id}"))
            .collect()
    };
    let sorts = [
        (
            those(&|_, book| !book.marked.0),
            "without a line that says where the text begins: everything before it is taken for text",
        ),
        (
            those(&|_, book| !book.marked.1),
            "without a line that says where the text ends: it may be cut off, or end with a licence",
        ),
        (
            those(&|id, book| {
                book.known
                    .number
                    .is_some_and(|number| u64::from(number) != id)
            }),
            "with another number in the file than the one asked for",
        ),
        (
            those(&|_, book| book.latin_1),
            "read as Latin-1 (Windows-1252), which is what the header says",
        ),
    ];
    sorts
        .into_iter()
        .filter(|(books, _)| !books.is_empty())
        .map(|(books, what)| format!("{} {what}: {}", count(books.len(), "book"), some_of(&books)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALICE: &str = "\u{feff}The Project Gutenberg eBook of Alice\r\n\r\nTitle: Alice\r\n\r\n\
        Author: Lewis Carroll\r\n\r\nRelease date: June 27, 2008 [eBook #11]\r\n\r\n\
        Language: English\r\n\r\n*** START OF THE PROJECT GUTENBERG EBOOK ALICE ***\r\n\r\n\r\n\r\n   \
        CHAPTER I.\r\n\r\nAlice was beginning.\r\n\r\n\r\n\
        *** END OF THE PROJECT GUTENBERG EBOOK ALICE ***\r\nLicence\r\n";

    fn file(bytes: &[u8]) -> SourceFile {
        SourceFile {
            name: "11.txt".to_owned(),
            bytes: bytes.to_vec(),
            path: "cache/11.txt".into(),
        }
    }

    fn cell(frame: &Frame, name: &str, row: usize) -> String {
        frame.column(name).unwrap().scalar(row).to_string()
    }

    #[test]
    fn a_book_is_a_row_without_header_and_licence() {
        let (frame, warnings) = table(&[11], &[file(ALICE.as_bytes())], &[]).unwrap();
        let names = [&["doc_id"][..], &BOOK_COLUMNS, &["text"]].concat();
        assert_eq!(frame.names(), names);
        let cells: Vec<String> = names.iter().map(|name| cell(&frame, name, 0)).collect();
        let text = "   CHAPTER I.\n\nAlice was beginning.";
        let url = "https://www.gutenberg.org/ebooks/11";
        let wanted = [
            "PG-11",
            "Alice",
            "Lewis Carroll",
            "",
            "English",
            "11",
            url,
            text,
        ];
        assert_eq!(cells, wanted);
        assert_eq!(warnings, [""; 0]);
    }

    #[test]
    fn the_columns_named_are_kept_with_the_text() {
        let columns = ["gutenberg", "title", "doc_id"].map(str::to_owned);
        let (frame, _) = table(&[11], &[file(ALICE.as_bytes())], &columns).unwrap();
        assert_eq!(frame.names(), ["doc_id", "gutenberg", "title", "text"]);
    }

    #[test]
    fn what_looks_wrong_is_told_once_for_all_books() {
        let files = [
            file(b"Not found."),
            file(ALICE.as_bytes()),
            file(b"Nor here."),
        ];
        let (frame, warnings) = table(&[1, 2, 3], &files, &[]).unwrap();
        assert_eq!(cell(&frame, "text", 2), "Nor here.");
        assert_eq!(
            warnings,
            [
                "2 books without a line that says where the text begins: everything before it is taken for text: `PG-1` and `PG-3`",
                "2 books without a line that says where the text ends: it may be cut off, or end with a licence: `PG-1` and `PG-3`",
                "1 book with another number in the file than the one asked for: `PG-2`",
            ]
        );
    }

    #[test]
    fn bytes_that_are_no_letters_are_named() {
        let failure = table(&[11], &[file(b"caf\xe9")], &[]).unwrap_err();
        let wanted = "`cache/11.txt`: book 11 cannot be read: byte 3 is not UTF-8";
        assert!(failure.message.starts_with(wanted), "{failure}");
        let declared = b"Character set encoding: ISO-8859-1\n\ncaf\xe9";
        let (frame, warnings) = table(&[11], &[file(declared)], &[]).unwrap();
        assert!(cell(&frame, "text", 0).ends_with("café"));
        let wanted =
            "1 book read as Latin-1 (Windows-1252), which is what the header says: `PG-11`";
        assert_eq!(warnings.last().map(String::as_str), Some(wanted));
    }

    #[test]
    fn all_books_that_cannot_be_read_are_named_at_once() {
        let files = [file(b"caf\xe9"), file(ALICE.as_bytes()), file(b"\xff\xfe")];
        let failure = table(&[7, 11, 9], &files, &[]).unwrap_err();
        let lines: Vec<&str> = failure.message.lines().collect();
        assert_eq!(lines[0], "2 of 3 books cannot be read:");
        assert!(
            lines[1].starts_with("  book 7, `cache/11.txt`: byte 3 is not UTF-8"),
            "{failure}"
        );
        assert!(
            lines[2].starts_with("  book 9, `cache/11.txt`: byte 0 is not UTF-8"),
            "{failure}"
        );
    }
}
