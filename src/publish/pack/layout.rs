//! Where the files of a project stand in its bundle: where they stand in its folder.

use std::collections::BTreeMap;
use std::path::Path;

use crate::base::exit::{Error, Exit};
use crate::base::paths::plain;
use crate::publish::bundle::{Content, Draft, What};

/// The files of a bundle in the making, by their path in it.
#[derive(Default)]
pub(super) struct Layout {
    files: BTreeMap<String, Draft>,
}

impl Layout {
    /// Adds a file; one that is there already is one that several experiments share.
    pub(super) fn add(&mut self, path: String, what: What, content: Content) {
        self.with_licences(path, what, content, Vec::new());
    }

    /// The same, with the licences of what it was made from.
    pub(super) fn with_licences(
        &mut self,
        path: String,
        what: What,
        content: Content,
        licences: Vec<String>,
    ) {
        let draft = self.files.entry(path.clone()).or_insert(Draft {
            path,
            what,
            licences: Vec::new(),
            content,
        });
        draft.licences.extend(licences);
        draft.licences.sort();
        draft.licences.dedup();
    }

    /// The bytes of the files that a spec is read from, by path.
    pub(super) fn texts(&self) -> Result<BTreeMap<String, Vec<u8>>, Error> {
        let mut texts = BTreeMap::new();
        for (path, draft) in &self.files {
            if matches!(draft.what, What::Spec | What::Overrides | What::Template) {
                let bytes = match &draft.content {
                    Content::Bytes(bytes) => bytes.clone(),
                    Content::File(file) => fs_err::read(file)?,
                };
                texts.insert(path.clone(), bytes);
            }
        }
        Ok(texts)
    }

    /// All files.
    pub(super) fn into_drafts(self) -> Vec<Draft> {
        self.files.into_values().collect()
    }
}

/// A path in the project's folder as it stands in the bundle.
///
/// # Errors
/// When it lies outside.
pub(super) fn within(root: &Path, path: &Path) -> Result<String, Error> {
    let absolute = plain(path);
    match absolute.strip_prefix(root) {
        Ok(below) => Ok(slashes(below)),
        Err(_) => Err(Error::new(
            Exit::Spec,
            format!(
                "`{}` lies outside of the project's folder `{}`, so a bundle cannot hold it",
                path.display(),
                root.display()
            ),
        )
        .hint("move it into that folder, or move `templates`, which marks the project's folder, further up")),
    }
}

/// A path with `/` between its steps.
pub(super) fn slashes(path: &Path) -> String {
    let steps: Vec<String> = path
        .components()
        .map(|step| step.as_os_str().to_string_lossy().into_owned())
        .collect();
    match steps.split_first() {
        // The root of a file system is a step of its own.
        Some((first, rest)) if path.has_root() && first == "/" => format!("/{}", rest.join("/")),
        _ => steps.join("/"),
    }
}
