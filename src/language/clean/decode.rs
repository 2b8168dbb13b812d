//! Bytes to letters: UTF-8, or the Latin-1 that a header of Project Gutenberg declares.
//!
//! Bytes that are UTF-8 are read as such whatever is declared: many files were converted without
//! their header, and text in Latin-1 that passes for UTF-8 by chance does not occur. Headers from
//! before 2003 have no field for it; they say `ISO 8859/1` in words, or that the file is named `8….txt`,
//! as files in Latin-1 were. Nothing is guessed beyond that, and no letter is replaced by `?` or U+FFFD.

use thiserror::Error;

use super::lines::begins;
use crate::language::text::WordList;

/// Why bytes cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DecodeError {
    /// Neither UTF-8 nor declared otherwise.
    #[error(
        "byte {offset} is not UTF-8 and no other encoding is declared: convert the file to UTF-8, \
         or add the line `Character set encoding: ISO-8859-1` to its header if it is that"
    )]
    NotUtf8 {
        /// The first byte that cannot be read, counted from 0.
        offset: usize,
    },
    /// Declared to be in an encoding that is not known here.
    #[error(
        "byte {offset} is not UTF-8, and the declared encoding `{declared}` is not known: convert \
         the file to UTF-8"
    )]
    Unknown {
        /// The first byte that is not UTF-8, counted from 0.
        offset: usize,
        /// What the header says.
        declared: String,
    },
}

/// How much of a file is looked through for a declaration, in bytes.
const HEADER: usize = 20_000;
/// What a declaration begins with.
const DECLARATIONS: [&str; 3] = [
    "Character set encoding:",
    "Character set for this",
    "Character encoding:",
];
/// How headers without such a line say it.
const IN_WORDS: [&str; 5] = ["8859-1", "8859/1", "8859 1", "latin-1", "latin1"];
/// Names of Latin-1 and of its superset Windows-1252, letters and figures only. A file that is
/// declared to be ASCII and is not comes from the same years and machines.
static LATIN_1: WordList = WordList::new(
    "iso88591 isolatin1 latin1 windows1252 cp1252 windowscodepage1252 codepage1252 ansi ascii usascii \
     iso646usasciius",
);

/// The letters of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The letters, without a byte order mark at the start.
    pub text: String,
    /// Whether they were in Latin-1.
    pub latin_1: bool,
}

/// The letters of a file, without a byte order mark at its start.
///
/// # Errors
/// When the bytes are not UTF-8 and not declared to be Latin-1.
pub fn decode(bytes: &[u8]) -> Result<Decoded, DecodeError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Decoded {
            text: text.to_owned(),
            latin_1: false,
        }),
        Err(error) => {
            let offset = error.valid_up_to();
            let Some(declared) = declared(bytes) else {
                return Err(DecodeError::NotUtf8 { offset });
            };
            let name: String = declared
                .chars()
                .filter(char::is_ascii_alphanumeric)
                .map(|letter| letter.to_ascii_lowercase())
                .collect();
            if LATIN_1.has(&name) || name.ends_with("usascii") {
                Ok(Decoded {
                    text: bytes.iter().map(|&byte| windows_1252(byte)).collect(),
                    latin_1: true,
                })
            } else {
                Err(DecodeError::Unknown { offset, declared })
            }
        }
    }
}

/// What the header of a file says about its encoding.
fn declared(bytes: &[u8]) -> Option<String> {
    let header = String::from_utf8_lossy(&bytes[..bytes.len().min(HEADER)]);
    let field = header.lines().map(str::trim).find_map(|line| {
        let named = DECLARATIONS.iter().any(|name| begins(line, name));
        let (_, value) = line.split_once(':').filter(|_| named)?;
        Some(value.trim().to_owned())
    });
    let in_words = || {
        let lower = header.to_ascii_lowercase();
        let is_named = |line: &str| {
            let file = line
                .trim_matches(['*', ' '])
                .strip_prefix("this file should be named 8");
            file.is_some_and(|file| file.contains(".txt"))
        };
        let is_said = |name: &str| {
            let after = lower.split_once(name).map(|(_, after)| after);
            after.is_some_and(|after| !after.starts_with(|next: char| next.is_ascii_digit()))
        };
        lower.contains("project gutenberg")
            && (IN_WORDS.iter().any(|name| is_said(name))
                || lower.lines().map(str::trim).any(is_named))
    };
    field.or_else(|| in_words().then(|| "ISO-8859-1".to_owned()))
}

/// The letter of a byte: Latin-1, with Windows-1252 where Latin-1 has control characters. The five
/// bytes that Windows-1252 leaves free are the control characters of Latin-1.
fn windows_1252(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž',
        '\u{8f}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}',
        'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf_8_is_read_without_its_byte_order_mark() {
        let read = decode("\u{feff}Où ça?\0".as_bytes()).unwrap();
        assert_eq!((read.text.as_str(), read.latin_1), ("Où ça?\0", false));
        assert_eq!(decode(b"").unwrap().text, "");
    }

    #[test]
    fn declared_latin_1_is_read_as_such() {
        for name in [
            "ISO-8859-1",
            "ISO Latin-1",
            "Windows-1252",
            "ISO-646-US (US-ASCII)",
        ] {
            let mut file =
                format!("Title: X\r\nCharacter set encoding: {name}\r\n\r\n").into_bytes();
            file.extend_from_slice(b"Bauch\xe9 \x93so\x94 \xa310");
            let read = decode(&file).unwrap();
            assert!(read.text.ends_with("Bauché “so” £10"), "{name}");
            assert!(read.latin_1);
        }
    }

    #[test]
    fn utf_8_wins_over_a_declaration_that_was_left_behind() {
        let file = "Character set encoding: ISO-8859-1\n\né";
        assert_eq!(decode(file.as_bytes()).unwrap().text, file);
    }

    #[test]
    fn old_headers_say_it_in_words_or_by_the_name_of_the_file() {
        let read = |header: &str| {
            let mut file = header.as_bytes().to_vec();
            file.extend_from_slice(b"\n\ncaf\xe9");
            decode(&file).map(|read| read.latin_1)
        };
        for header in [
            "Project Gutenberg Etext of X\n*****This file should be named 8harb10.txt or 8harb10.zip*****",
            "Project Gutenberg Etext of X\nText encoding is iso-8859-1",
            "Project Gutenberg Etext of X\nWe post it in ISO 8859/1, and as plain ASCII",
        ] {
            assert_eq!(read(header), Ok(true), "{header}");
        }
        for header in [
            "Project Gutenberg Etext of X\n**This file should be named harb10.txt**",
            "Project Gutenberg Etext of X, in ISO-8859-15",
            "In ISO-8859-1",
        ] {
            assert!(read(header).is_err(), "{header}");
        }
    }

    #[test]
    fn other_bytes_are_an_error_with_their_place() {
        let error = decode(b"caf\xe9").unwrap_err();
        assert_eq!(error, DecodeError::NotUtf8 { offset: 3 });
        assert!(
            error
                .to_string()
                .starts_with("byte 3 is not UTF-8 and no other")
        );
        let error = decode(b"Character set encoding: MacRoman\ncaf\xe9").unwrap_err();
        assert_eq!(
            error.to_string(),
            "byte 36 is not UTF-8, and the declared encoding `MacRoman` is not known: convert the \
             file to UTF-8"
        );
        assert!(decode(b"\xff\xfea\0").is_err());
    }
}
