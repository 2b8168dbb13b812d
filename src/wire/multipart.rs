//! Forms with a file in them (`multipart/form-data`, RFC 7578), by which batches are uploaded.

use crate::key::Digest;

/// A file as a form has it.
#[derive(Clone, Copy, Debug)]
pub struct File<'f> {
    /// The name of its field.
    pub field: &'f str,
    /// The name that the server is told.
    pub name: &'f str,
    /// What it is, such as `application/jsonl`.
    pub content_type: &'f str,
    /// What is in it.
    pub bytes: &'f [u8],
}

/// A form as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The value of `content-type`.
    pub content_type: String,
    /// The bytes.
    pub body: Vec<u8>,
}

/// Writes a form of plain fields and one file. The same form is always the same bytes: the line between its parts is
/// made from the digest of the file, which the file itself cannot hold.
pub fn form(fields: &[(&str, &str)], file: File<'_>) -> Form {
    // At most seventy characters (RFC 2046, 5.1.1).
    let digest = Digest::of(file.bytes).to_string();
    let boundary = format!("tribunal-{}", &digest[..32]);
    let mut body = Vec::with_capacity(file.bytes.len() + 1024);
    let mut part = |disposition: String, value: &[u8]| {
        body.extend_from_slice(
            format!("--{boundary}\r\ncontent-disposition: form-data; {disposition}\r\n\r\n")
                .as_bytes(),
        );
        body.extend_from_slice(value);
        body.extend_from_slice(b"\r\n");
    };
    for (name, value) in fields {
        part(format!("name=\"{}\"", quoted(name)), value.as_bytes());
    }
    let File {
        field,
        name,
        content_type,
        bytes,
    } = file;
    let (field, name) = (quoted(field), quoted(name));
    part(
        format!("name=\"{field}\"; filename=\"{name}\"\r\ncontent-type: {content_type}"),
        bytes,
    );
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    Form {
        content_type: format!("multipart/form-data; boundary={boundary}"),
        body,
    }
}

/// A name between quotes, as browsers write it (RFC 7578, 2, and the WHATWG's form encoding).
fn quoted(name: &str) -> String {
    name.replace('"', "%22")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_has_its_parts_between_lines() {
        let file = File {
            field: "file",
            name: "a\"b.jsonl",
            content_type: "application/jsonl",
            bytes: b"{}\n--tribunal-\r\n\xff",
        };
        let form = form(&[("purpose", "batch")], file);
        let line = form
            .content_type
            .strip_prefix("multipart/form-data; boundary=")
            .unwrap();
        assert_eq!(line.len(), "tribunal-".len() + 32);
        let mut expected = format!(
            "--{line}\r\ncontent-disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n\
             --{line}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a%22b.jsonl\"\r\n\
             content-type: application/jsonl\r\n\r\n"
        )
        .into_bytes();
        expected.extend_from_slice(file.bytes);
        expected.extend_from_slice(format!("\r\n--{line}--\r\n").as_bytes());
        assert_eq!(form.body, expected);
    }
}
