//! What the header of a file says about its book.

use serde::Serialize;

use super::markers::body;
use super::year::publication_year;
use crate::language::clean::lines::{begins, lines_in};
use crate::language::text::Span;

/// What is known of a book from its file alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Metadata {
    /// Its number at Project Gutenberg.
    pub number: Option<u32>,
    /// Title as the header has it; a title of several lines is joined with blanks.
    pub title: Option<String>,
    /// Author, several joined with commas.
    pub author: Option<String>,
    /// Year of the printed book, where header or title page state one and only one; never taken from
    /// the date of the release.
    pub year: Option<u16>,
    /// Language, as named in the header.
    pub language: Option<String>,
    /// Date of the first release as a file, as written.
    pub release_date: Option<String>,
}

/// How much of a text without markers may be header, in bytes.
const HEADER: usize = 10_000;

/// Reads the header of a file. Fields that it does not have are none; a text that does not name the
/// project in its first lines has no header.
pub fn metadata(text: &str) -> Metadata {
    let found = body(text);
    let mut end = found.header_end.unwrap_or(HEADER.min(text.len()));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let header = &text[..end];
    if !header.to_ascii_lowercase().contains("project gutenberg") {
        return Metadata::default();
    }
    let fields = fields(header);
    let field = |names: &[&str], join: &str| {
        fields
            .iter()
            .find(|(name, _)| names.iter().any(|known| name.eq_ignore_ascii_case(known)))
            .map(|(_, lines)| lines.join(join))
            .filter(|value| !value.is_empty())
    };
    let first_line = first_sentence(header).unwrap_or_default();
    let release = field(&["Release Date", "Posting Date"], " ");
    let dated = dated_line(header);
    Metadata {
        number: release
            .as_deref()
            .and_then(number)
            .or(dated.as_ref().and_then(|dated| dated.1)),
        title: field(&["Title"], " ").or(first_line.0),
        author: field(&["Author", "Authors"], ", ").or(first_line.1),
        year: publication_year(
            field(&["Original Publication"], " ").as_deref(),
            found.header_end.map(|_| found.span.of(text)),
            found
                .header_end
                .map_or("", |header| &text[header..found.span.start]),
        ),
        language: field(&["Language"], " "),
        release_date: release
            .map(|date| date.split('[').next().unwrap_or_default().trim().to_owned())
            .filter(|date| !date.is_empty())
            .or(dated.map(|dated| dated.0)),
    }
}

/// The fields of a header: a name, a colon and a value that indented lines continue.
fn fields(header: &str) -> Vec<(&str, Vec<&str>)> {
    let mut fields: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut open = false;
    for line in lines_in(header, Span::whole(header)) {
        let line = line.of(header).trim_end();
        if line.is_empty() {
            open = false;
        } else if line.starts_with([' ', '\t']) {
            if let Some((_, lines)) = fields.last_mut().filter(|_| open) {
                lines.push(line.trim());
            }
        } else {
            open = false;
            if let Some((name, value)) = line.split_once(':')
                && name.len() <= 30
            {
                fields.push((name, vec![value.trim()]));
                open = true;
            }
        }
    }
    fields
}

/// Title and author from the first words of an old header, "The Project Gutenberg Etext of The Sea,
/// by A. Writer", which has no fields.
fn first_sentence(header: &str) -> Option<(Option<String>, Option<String>)> {
    let mut words: Vec<&str> = Vec::new();
    // Asterisks around a line close it: what follows is about something else, but for the author.
    let mut closed = false;
    let lines = header.lines().map(str::trim);
    for line in lines.skip_while(|line| line.is_empty()).take(5) {
        let letters = line.trim_matches('*').trim();
        if letters.is_empty() || line.starts_with('#') || (closed && !begins(letters, "by ")) {
            break;
        }
        closed |= words.is_empty() && line.starts_with('*') && line.ends_with('*');
        words.push(letters);
    }
    let line = words.join(" ");
    let at = [
        "Etext of ",
        "EBook of ",
        "E-text of ",
        "Etext, ",
        "Gutenberg's ",
        "Gutenberg’s ",
    ]
    .iter()
    .find_map(|form| {
        let lower = line.to_ascii_lowercase();
        lower
            .find(&form.to_ascii_lowercase())
            .map(|at| at + form.len())
    })?;
    let rest = line.get(at..)?.trim().trim_end_matches('*').trim();
    let (title, author) = match rest.rfind(" by ") {
        Some(by) => (&rest[..by], Some(rest[by + 4..].trim().to_owned())),
        None => (rest, None),
    };
    let title = title.trim_end_matches(',').trim();
    Some((
        Some(title.to_owned()).filter(|title| !title.is_empty()),
        author.filter(|author| !author.is_empty()),
    ))
}

/// Date and number from a line such as `May, 1997  [Etext #921]`.
fn dated_line(header: &str) -> Option<(String, Option<u32>)> {
    header.lines().find_map(|line| {
        let (date, rest) = line.split_once('[')?;
        let date = date.trim();
        let is_date = date.starts_with(char::is_uppercase)
            && date.len() >= 9
            && date.len() <= 30
            && date[date.len().saturating_sub(4)..]
                .bytes()
                .all(|b| b.is_ascii_digit());
        let names = ["Etext", "EBook", "E-text"]
            .iter()
            .any(|name| begins(rest, name));
        (is_date && names).then(|| (date.to_owned(), number(line)))
    })
}

/// The number after `#`.
fn number(words: &str) -> Option<u32> {
    let (_, after) = words.split_once('#')?;
    let end = after
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(after.len());
    after[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_with_the_lines_that_continue_them() {
        let text = "The Project Gutenberg EBook of The Angels of Mons, by Arthur Machen\n\n\
                    Title: The Angels of Mons\n       The Bowmen and Other Legends\n\n\
                    Author: Arthur Machen\n        A. Friend\n\n\
                    Release Date: November 14, 2004 [EBook #14044]\n\nLanguage: English\n\n\
                    *** START OF THIS PROJECT GUTENBERG EBOOK X ***\n\nTHE BOOK";
        assert_eq!(
            metadata(text),
            Metadata {
                number: Some(14044),
                title: Some("The Angels of Mons The Bowmen and Other Legends".to_owned()),
                author: Some("Arthur Machen, A. Friend".to_owned()),
                year: None,
                language: Some("English".to_owned()),
                release_date: Some("November 14, 2004".to_owned()),
            }
        );
    }

    #[test]
    fn an_old_header_has_title_and_author_in_its_first_words() {
        let text = "*****The Project Gutenberg Etext of The Village by the Sea, by A. Writer*****\n\
                    #2 in our series by A. Writer\n\nMay, 1997  [Etext #921]\n\n\
                    *END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*\n\nTHE BOOK";
        let read = metadata(text);
        assert_eq!(read.title.as_deref(), Some("The Village by the Sea"));
        assert_eq!(read.author.as_deref(), Some("A. Writer"));
        assert_eq!(read.release_date.as_deref(), Some("May, 1997"));
        assert_eq!((read.number, read.year), (Some(921), None));
    }

    #[test]
    fn what_asterisks_close_is_no_part_of_the_title() {
        let text = "***This is the Project Gutenberg Etext of The Harbour***\n\
                    *This 30th edition should be labeled harbr30.txt or harbr30.zip.\n\
                    ***This Edition Is Being Officially Released On March 8, 1994***\n\n\
                    March, 1994  [Etext #11]\n\n*END*THE SMALL PRINT! X*END*\n\nTHE BOOK";
        let read = metadata(text);
        assert_eq!(read.title.as_deref(), Some("The Harbour"));
        assert_eq!((read.author, read.number), (None, Some(11)));
        let wrapped =
            "**The Project Gutenberg Etext of The Life of a Harbour,\nby A. Writer**\n\nX";
        let read = metadata(wrapped);
        assert_eq!(read.title.as_deref(), Some("The Life of a Harbour"));
        assert_eq!(read.author.as_deref(), Some("A. Writer"));
        let whose = metadata("Project Gutenberg's The Harbour, by A. Writer\n\nX");
        assert_eq!(whose.title.as_deref(), Some("The Harbour"));
    }

    #[test]
    fn a_text_without_a_header_says_nothing() {
        assert_eq!(metadata("Title: no header\n\nText"), Metadata::default());
        assert_eq!(metadata(""), Metadata::default());
        assert_eq!(metadata(&"é".repeat(9_000)), Metadata::default());
    }
}
