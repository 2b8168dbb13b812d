//! Bytes to letters: UTF-8, or the Latin-1 that a header of Project Gutenberg declares.
//!
//! Bytes that are UTF-8 are read as such whatever is declared: many files were converted without
//! their header, and text in Latin-1 that passes for UTF-8 by chance does not occur. Nothing is
//! guessed beyond that, and no letter is replaced by `?` or U+FFFD.

use thiserror::Error;

use super::lines::begins;

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
/// Names of Latin-1 and of its superset Windows-1252, letters and figures only. A file that is
/// declared to be ASCII and is not comes from the same years and machines.
const LATIN_1: [&str; 11] = [
    "iso88591",
    "isolatin1",
    "latin1",
    "windows1252",
    "cp1252",
    "windowscodepage1252",
    "codepage1252",
    "ansi",
    "ascii",
    "usascii",
    "iso646usasciius",
];

/// The letters of a file, without a byte order mark at its start.
///
/// # Errors
/// When the bytes are not UTF-8 and not declared to be Latin-1.
pub fn decode(bytes: &[u8]) -> Result<String, DecodeError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.to_owned()),
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
            if LATIN_1.contains(&name.as_str()) || name.ends_with("usascii") {
                Ok(bytes.iter().map(|&byte| windows_1252(byte)).collect())
            } else {
                Err(DecodeError::Unknown { offset, declared })
            }
        }
    }
}

/// What the header of a file says about its encoding.
fn declared(bytes: &[u8]) -> Option<String> {
    bytes[..bytes.len().min(HEADER)]
        .split(|&byte| byte == b'\n')
        .find_map(|line| {
            let line = String::from_utf8_lossy(line);
            let line = line.trim();
            let named = DECLARATIONS.iter().any(|name| begins(line, name));
            let (_, value) = line.split_once(':').filter(|_| named)?;
            Some(value.trim().to_owned())
        })
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
        assert_eq!(decode("\u{feff}Où ça?\0".as_bytes()).unwrap(), "Où ça?\0");
        assert_eq!(decode(b"").unwrap(), "");
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
            assert!(
                decode(&file).unwrap().ends_with("Bauché “so” £10"),
                "{name}"
            );
        }
    }

    #[test]
    fn utf_8_wins_over_a_declaration_that_was_left_behind() {
        let file = "Character set encoding: ISO-8859-1\n\né";
        assert_eq!(decode(file.as_bytes()).unwrap(), file);
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
