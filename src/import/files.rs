//! Listing a folder and reading its texts, with what is wrong told apart.

use std::path::Path;

use super::{Kind, Problem};
use crate::frame::FrameError;

/// The files below `root/folder`, as paths from `root` on, sorted; folders named in `but` are not
/// entered. A folder that is not there has none.
pub(super) fn below(
    root: &Path,
    folder: &str,
    but: &[&str],
    problems: &mut Vec<Problem>,
) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let place = root.join(&folder);
        if !place.is_dir() {
            continue;
        }
        let entries = match fs_err::read_dir(&place) {
            Ok(entries) => entries,
            Err(error) => {
                problems.push(Problem::new(Kind::Unreadable, &folder, said(&error)));
                continue;
            }
        };
        for entry in entries.flatten() {
            let Ok(name) = entry.file_name().into_string() else {
                let name = entry.file_name().to_string_lossy().into_owned();
                let detail = "its name is not UTF-8";
                problems.push(Problem::new(
                    Kind::Unknown,
                    &format!("{folder}/{name}"),
                    detail,
                ));
                continue;
            };
            // Not through links, which could lead round in circles.
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let path = format!("{folder}/{name}");
            if !is_folder {
                found.push(path);
            } else if !but.contains(&path.as_str()) {
                open.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A file's text, byte for byte.
///
/// # Errors
/// A file that cannot be read, holds nothing but blanks, or is not UTF-8.
pub(super) fn text(root: &Path, path: &str) -> Result<String, Problem> {
    let bytes = bytes(root, path)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        // The frame's words: byte, line and value.
        let detail = FrameError::decode(error.as_bytes())
            .err()
            .map_or_else(String::new, |error| error.to_string());
        let detail = detail.strip_prefix("not UTF-8 text: ").unwrap_or(&detail);
        Problem::new(Kind::NotUtf8, path, detail)
    })?;
    if text.trim().is_empty() {
        return Err(Problem::new(Kind::Empty, path, ""));
    }
    Ok(text)
}

/// A file's bytes.
///
/// # Errors
/// A file that cannot be read or is not there.
fn bytes(root: &Path, path: &str) -> Result<Vec<u8>, Problem> {
    // Some paths come from metadata.
    if path.split('/').any(|step| step == "..") {
        let detail = "it leads out of the folder";
        return Err(Problem::new(Kind::Unreadable, path, detail));
    }
    // The plain function, because the problem names the path already.
    crate::base::regular::read(&root.join(path), crate::base::regular::DATA).map_err(|error| {
        let kind = match error.kind() {
            std::io::ErrorKind::NotFound => Kind::Missing,
            _ => Kind::Unreadable,
        };
        Problem::new(kind, path, said(&error))
    })
}

/// A path as it is told of a file: its name alone where it lies in the same folder.
pub(super) fn beside<'p>(file: &str, path: &'p str) -> &'p str {
    let folder = |path: &str| path.rfind('/').map(|at| path[..at].to_owned());
    match path.rsplit_once('/') {
        Some((_, name)) if folder(file) == folder(path) => name,
        _ => path,
    }
}

/// What the system says, without its number.
fn said(error: &std::io::Error) -> String {
    let said = error.to_string();
    let said = said.split(" (os error").next().unwrap_or_default();
    said.to_lowercase()
}

/// The names in a folder, sorted; none if it is not there.
pub(super) fn names(root: &Path, folder: &str, problems: &mut Vec<Problem>) -> Vec<String> {
    let place = root.join(folder);
    if !place.is_dir() {
        return Vec::new();
    }
    match std::fs::read_dir(&place) {
        Ok(entries) => {
            let names = entries.flatten().map(|entry| entry.file_name());
            let mut names: Vec<String> = names.filter_map(|name| name.into_string().ok()).collect();
            names.sort();
            names
        }
        Err(error) => {
            problems.push(Problem::new(Kind::Unreadable, folder, said(&error)));
            Vec::new()
        }
    }
}
