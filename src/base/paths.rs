//! Paths: how they are written, what they are called from everywhere, and what lies in a folder.

use std::path::{Component, Path, PathBuf};

/// A path without `a/..` and `.` steps, for messages; symbolic links are not looked at, which is what
/// a person who wrote `../data` expects.
pub fn tidy(path: &Path) -> PathBuf {
    let mut steps: Vec<Component<'_>> = Vec::new();
    for step in path.components() {
        match (step, steps.last()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                steps.pop();
            }
            _ => steps.push(step),
        }
    }
    steps.into_iter().collect()
}

/// The one name of a path, whatever the current folder is.
pub fn plain(path: &Path) -> PathBuf {
    // Nothing stands for the current folder, which has no absolute form by itself.
    let path = Path::new(".").join(path);
    tidy(&std::path::absolute(&path).unwrap_or(path))
}

/// A path that means the same from everywhere, without symbolic links where it is there.
pub fn real(path: &Path) -> PathBuf {
    let path = plain(path);
    let there = path.ancestors().find(|step| step.exists());
    match there.and_then(|there| Some((path.strip_prefix(there).ok()?, without_links(there)))) {
        Some((rest, there)) if rest.as_os_str().is_empty() => there,
        Some((rest, there)) => there.join(rest),
        None => path,
    }
}

/// Windows writes such paths in a way that git does not read.
fn without_links(path: &Path) -> PathBuf {
    if cfg!(windows) {
        return path.to_owned();
    }
    fs_err::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The names of the files in a folder, for near names; none if it cannot be listed.
pub fn names_in(folder: &Path) -> Vec<String> {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let Ok(entries) = fs_err::read_dir(folder) else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_back_are_taken_where_they_can_be() {
        assert_eq!(tidy(Path::new("a/b/../../data/x")), Path::new("data/x"));
        assert_eq!(tidy(Path::new("../a/./b")), Path::new("../a/b"));
    }
}
