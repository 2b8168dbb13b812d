//! Books of Project Gutenberg: one row each, without the project's header and licence.

use std::borrow::Cow;

use super::SourceFile;
use crate::clean::{decode, gutenberg};
use crate::frame::{ColumnData, Frame};
use crate::stage::Failure;
use crate::wording::{count, some_of};

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
    let books = ids
        .iter()
        .zip(files)
        .map(|(id, file)| read(&file.bytes).map_err(|failure| explain(*id, file, &failure)))
        .collect::<Result<Vec<Book>, Failure>>()?;
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
    let letters = decode(bytes).map_err(|error| Failure::new(error.to_string()))?;
    let letters = if letters.contains('\r') {
        Cow::Owned(letters.replace("\r\n", "\n"))
    } else {
        Cow::Borrowed(letters.as_str())
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
    })
}

fn explain(id: u64, file: &SourceFile, failure: &Failure) -> Failure {
    Failure::new(format!("book {id} cannot be read: {}", failure.message))
        .at(file.path.display())
        .hint(format!(
            "see what {} offers; another `mirror` may have the book in UTF-8",
            page(id)
        ))
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
        assert!(table(&[11], &[file(declared)], &[]).is_ok());
    }
}
