//! A form with one file, put together by hand.
//!
//! The boundary is chosen so that no line of the content begins with it. Sends nothing.

use crate::base::key::Digest;

const TYPE: &str = "multipart/form-data; boundary=";

/// A form as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    /// What it is, with what stands between its parts.
    pub(crate) content_type: String,
    /// Its bytes.
    pub(crate) body: Vec<u8>,
}

/// The form that uploads a file of requests. `write` appends the file, always the same.
pub(crate) fn upload(name: &Digest, write: &mut dyn FnMut(&mut Vec<u8>)) -> Form {
    let mut salt = 0_u32;
    loop {
        // Drawn from the name of the batch, so that the same batch is the same bytes.
        let boundary = Digest::of(format!("{name} {salt}")).to_string()[..32].to_owned();
        let mut body = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n\
             --{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}.jsonl\"\r\n\
             Content-Type: application/jsonl\r\n\r\n"
        )
        .into_bytes();
        let start = body.len();
        write(&mut body);
        if !has_line(&body[start..], &boundary) {
            body.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
            return Form {
                content_type: format!("{TYPE}{boundary}"),
                body,
            };
        }
        salt = salt.wrapping_add(1);
    }
}

/// Whether a line of `content` begins like a boundary. Ends of lines are taken more loosely than the
/// standard does, as lenient readers do.
fn has_line(content: &[u8], boundary: &str) -> bool {
    content
        .split(|byte| matches!(byte, b'\r' | b'\n'))
        .filter_map(|line| line.strip_prefix(b"--"))
        .any(|line| line.starts_with(boundary.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_has_a_purpose_and_a_file() {
        let name = Digest::of("x");
        let form = upload(&name, &mut |out| out.extend_from_slice(b"{}\n"));
        let boundary = form.content_type.strip_prefix(TYPE).unwrap();
        let wanted = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n--{boundary}\r\n\
             Content-Disposition: form-data; name=\"file\"; filename=\"{name}.jsonl\"\r\nContent-Type: application/jsonl\r\n\r\n\
             {{}}\n\r\n--{boundary}--\r\n"
        );
        assert_eq!(String::from_utf8(form.body).unwrap(), wanted);
    }

    #[test]
    fn a_boundary_that_occurs_in_the_content_is_not_used() {
        let name = Digest::of("x");
        let first = upload(&name, &mut |_| {}).content_type;
        let boundary = first.strip_prefix(TYPE).unwrap();
        for hostile in [
            format!("--{boundary}--"),
            format!("a\n--{boundary}"),
            format!("a\r--{boundary}x"),
        ] {
            let form = upload(&name, &mut |out| out.extend_from_slice(hostile.as_bytes()));
            assert_ne!(form.content_type, first);
            assert!(String::from_utf8(form.body).unwrap().contains(&hostile));
        }
        let harmless = upload(&name, &mut |out| out.extend_from_slice(boundary.as_bytes()));
        assert_eq!(harmless.content_type, first);
    }
}
