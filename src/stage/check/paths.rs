//! Folders and file names: what `{name}` means and what a relative path is relative to.

use std::path::{Path, PathBuf};

use super::Context;
use crate::base::wording::nearest;
use crate::toml::{Folders, Layers, Problems};

/// The folders of a spec; a relative one is relative to the file that names it.
pub(crate) fn folders(layers: &Layers, root: &Path) -> Folders {
    let named = layers
        .tree()
        .entries(&["paths"])
        .into_iter()
        .filter_map(|(name, value)| {
            let base = layers.base_dir(&["paths".to_owned(), name.clone()]);
            Some((name, base.join(value.as_str()?)))
        })
        .collect();
    let sentences = |table: &str| {
        let entries = layers.tree().entries(&[table]).into_iter();
        entries
            .filter_map(|(name, value)| Some((name, value.as_str()?.trim().to_owned())))
            .collect()
    };
    Folders {
        licences: sentences("licences"),
        ..Folders::new(root, named, sentences("hints"))
    }
}

/// The file named by the value at `path`.
pub(crate) fn file(
    context: &Context<'_>,
    path: &[String],
    file: &str,
    problems: &mut Problems,
) -> Option<PathBuf> {
    let base = context.layers.base_dir(path);
    match context.folders.resolve(file, &base) {
        Ok(resolved) => Some(resolved),
        Err(unknown) => {
            let known: Vec<&String> = context.folders.named.keys().collect();
            let help = match nearest(&unknown, &known) {
                Some(near) => format!("did you mean `{{{near}}}`?"),
                None => format!("add `{unknown} = \"...\"` to the table `[paths]`"),
            };
            context
                .problem(
                    "spec::unknown-path",
                    format!("no folder is called `{unknown}`"),
                    path,
                    "not a folder of `[paths]`",
                )
                .help(help)
                .tell(problems);
            None
        }
    }
}
