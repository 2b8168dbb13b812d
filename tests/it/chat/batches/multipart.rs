//! Forms with files, as they are uploaded (RFC 7578). Texts only.

use std::collections::BTreeMap;

use crate::server::Request;

/// The fields of a form by name; none if the request is no such form.
pub(super) fn fields(request: &Request) -> Option<BTreeMap<String, String>> {
    let kind = request.headers.get("content-type")?;
    let boundary = kind.strip_prefix("multipart/form-data;")?;
    let boundary = boundary.trim().strip_prefix("boundary=")?.trim_matches('"');
    let body = std::str::from_utf8(&request.body).ok()?;
    let body = body.strip_prefix("--")?.strip_prefix(boundary)?;
    let delimiter = format!("\r\n--{boundary}");
    let mut fields = BTreeMap::new();
    let mut parts = body.split(&delimiter);
    for part in parts.by_ref() {
        if part.trim_end() == "--" {
            return Some(fields);
        }
        let (head, content) = part.split_once("\r\n\r\n")?;
        let (_, name) = head.split_once("; name=")?;
        let name = name.split([';', '\r']).next()?.trim_matches('"');
        fields.insert(name.to_owned(), content.to_owned());
    }
    // The end is missing.
    None
}
