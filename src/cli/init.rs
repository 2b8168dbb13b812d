//! `tribunal init`: a small experiment to start from.

use std::path::Path;

use super::args::InitArgs;
use super::output::Terminal;
use crate::base::exit::{Error, Exit};
use crate::base::wording::list_of;

const FILES: [(&str, &str); 5] = [
    ("experiments/first.toml", include_str!("starter/first.toml")),
    (
        "experiments/documents/the-mill.txt",
        include_str!("starter/the-mill.txt"),
    ),
    (
        "experiments/documents/the-ferry.txt",
        include_str!("starter/the-ferry.txt"),
    ),
    ("templates/grade.j2", include_str!("starter/grade.j2")),
    (".gitignore", "cache/\nreports/\ntribunal.local.toml\n"),
];

pub(super) fn run(args: &InitArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let there: Vec<&str> = FILES
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| *name != ".gitignore" && args.folder.join(name).exists())
        .collect();
    if !there.is_empty() {
        return Err(Error::new(
            Exit::Usage,
            format!("{} would be overwritten", list_of(&there)),
        )
        .hint("choose an empty folder: `tribunal init my-experiment`"));
    }
    for (name, text) in FILES {
        let path = args.folder.join(name);
        // An existing list of ignored files is the project's own.
        if path.exists() {
            continue;
        }
        fs_err::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
        fs_err::write(&path, text)?;
    }
    let folder = args.folder.strip_prefix(".").unwrap_or(&args.folder);
    terminal.tell(&format!(
        "wrote a first experiment; to run it:\n  tribunal run {}\nto let editors check specs:\n  tribunal schema > {}",
        folder.join("experiments/first.toml").display(),
        folder.join("tribunal.schema.json").display()
    ));
    Ok(Exit::Done)
}
