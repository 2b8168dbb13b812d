//! `tribunal init`: an experiment to start from, on small data of its own or on a person's.

mod columns;
mod data;
mod files;
mod sample;
mod spec;

use std::path::Path;

use self::data::Data;
use self::files::{Files, LOCAL, SPEC};
use super::args::InitArgs;
use super::output::Terminal;
use crate::base::exit::{Error, Exit};
use crate::base::wording::list_of;

const IGNORED: (&str, &str) = (".gitignore", "cache/\nreports/\ntribunal.local.toml\n");

/// What is written where nothing is said of data: it shows the least that a spec needs.
const LEAST: [(&str, &str); 4] = [
    (SPEC, include_str!("starter/first.toml")),
    (
        "experiments/documents/the-mill.txt",
        include_str!("starter/the-mill.txt"),
    ),
    (
        "experiments/documents/the-ferry.txt",
        include_str!("starter/the-ferry.txt"),
    ),
    ("templates/grade.j2", include_str!("starter/grade.j2")),
];

pub(super) fn run(args: &InitArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let (mut files, said) = files(args)?;
    if !files.iter().any(|(name, _)| name == LOCAL) {
        files.push((LOCAL.to_owned(), spec::local(None)));
    }
    files.push((IGNORED.0.to_owned(), IGNORED.1.to_owned()));
    // A list of ignored files and the settings of a machine are the project's own.
    let kept = [IGNORED.0, LOCAL];
    let there: Vec<&str> = files
        .iter()
        .map(|(name, _)| name.as_str())
        .filter(|name| !kept.contains(name) || (*name == LOCAL && args.from.is_some()))
        .filter(|name| args.folder.join(name).exists())
        .collect();
    if !there.is_empty() {
        return Err(Error::new(
            Exit::Usage,
            format!("{} would be overwritten", list_of(&there)),
        )
        .hint("choose an empty folder: `tribunal init my-experiment`"));
    }
    for (name, text) in &files {
        let path = args.folder.join(name);
        if path.exists() {
            continue;
        }
        fs_err::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
        fs_err::write(&path, text)?;
    }
    let folder = args.folder.strip_prefix(".").unwrap_or(&args.folder);
    for said in said {
        terminal.tell(&said);
    }
    terminal.tell(&format!(
        "wrote a first experiment; to run it:\n  tribunal run {}\nto let editors check specs:\n  tribunal schema > {}",
        folder.join(SPEC).display(),
        folder.join("tribunal.schema.json").display()
    ));
    Ok(Exit::Done)
}

/// The files of the project, and what is to be said of how the data was understood.
fn files(args: &InitArgs) -> Result<(Files, Vec<String>), Error> {
    let given = args.from.is_some() || args.data.is_some();
    let asked = args.pairs.is_some() || args.ratings.is_some() || args.server.is_some();
    if !given && !asked {
        let own = |(name, text): (&str, &str)| (name.to_owned(), text.to_owned());
        return Ok((LEAST.map(own).into(), Vec::new()));
    }
    let (data, mut files) = match &args.from {
        Some(from) => (Data::of(from, args)?, Files::new()),
        None => sample::of(args)?,
    };
    let said = data.said();
    files.extend(spec::files(&data, args));
    Ok((files, said))
}
