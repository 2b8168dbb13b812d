//! Whether what came is a plain text. Pages that say "not found" come with status 200 more often than
//! they should, and must not become documents.

/// How much of the beginning is looked at for signs of markup, in bytes.
const BEGINNING: usize = 1024;

/// What came instead of a plain text, as the end of "it is …".
///
/// The declared type has to be `text/plain`, where one is declared; the bytes must not begin as a
/// page does and hold no NUL, which no text in a single-byte encoding or UTF-8 does.
///
/// # Errors
/// What it is instead.
pub fn plain_text(content_type: Option<&str>, bytes: &[u8]) -> Result<(), String> {
    if let Some(declared) = content_type {
        let essence = declared.split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case("text/plain") {
            return Err(format!("`{essence}`"));
        }
    }
    let beginning = String::from_utf8_lossy(&bytes[..bytes.len().min(BEGINNING)]);
    let beginning = beginning
        .trim_start_matches('\u{feff}')
        .trim_start()
        .to_ascii_lowercase();
    if bytes.is_empty() {
        Err("empty".to_owned())
    } else if ["<!doctype html", "<html", "<?xml"]
        .iter()
        .any(|sign| beginning.starts_with(sign))
    {
        Err("a page of markup".to_owned())
    } else if bytes.contains(&0) {
        Err("binary data".to_owned())
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_text_is_one() {
        for declared in [None, Some("text/plain"), Some("Text/Plain; charset=utf-8")] {
            assert_eq!(plain_text(declared, b"Alice was beginning"), Ok(()));
        }
        assert_eq!(plain_text(None, b"caf\xe9 <html> in passing"), Ok(()));
    }

    #[test]
    fn what_is_none_is_named() {
        let what = |declared, bytes: &[u8]| plain_text(declared, bytes).unwrap_err();
        assert_eq!(what(Some("text/html; charset=utf-8"), b"x"), "`text/html`");
        assert_eq!(what(Some("text/plain"), b""), "empty");
        let page = b"\xef\xbb\xbf\n <!DOCTYPE HTML><title>Not found";
        assert_eq!(what(Some("text/plain"), page), "a page of markup");
        assert_eq!(what(None, b"PK\x03\x04\0\0"), "binary data");
    }
}
