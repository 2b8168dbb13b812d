//! Published values: files of expected values and notes, to be compared with a table.

use std::collections::BTreeMap;
use std::path::Path;

use super::tables::Drawn;
use crate::base::exit::{Error, Exit};
use crate::base::paths::names_in;
use crate::base::regular;
use crate::base::wording::nearest;
use crate::output::report::Problems;
use crate::output::report::expect::Expected;
use crate::output::report::notes::Note;
use crate::output::report::verify::{Audit, verify};
use crate::spec::{Look, Spec};

/// What was printed of one table, as read.
pub(crate) struct Printed<'s> {
    values: (&'s Path, String),
    notes: Option<(&'s Path, String)>,
}

/// The printed values of every table that has some.
///
/// # Errors
/// When a file is not there or is no text.
pub(crate) fn printed(spec: &Spec) -> Result<BTreeMap<String, Printed<'_>>, Error> {
    let tables = spec.base.looks.iter();
    tables
        .filter_map(|(name, look)| Some((name.clone(), Printed::read(look)?)))
        .map(|(name, printed)| Ok((name, printed?)))
        .collect()
}

impl<'s> Printed<'s> {
    /// The printed values of a table, if it has some.
    pub(crate) fn read(look: &'s Look) -> Option<Result<Self, Error>> {
        let path = look.expect.as_deref()?;
        let read = |path: &'s Path| -> Result<_, Error> { Ok((path, text(path)?)) };
        let printed = || {
            Ok(Self {
                values: read(path)?,
                notes: look.notes.as_deref().map(read).transpose()?,
            })
        };
        Some(printed())
    }

    /// The texts that were read.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        let notes = self.notes.iter().map(|(_, text)| text.as_str());
        std::iter::once(self.values.1.as_str()).chain(notes)
    }

    /// A table held against them.
    ///
    /// # Errors
    /// When the files do not fit the table.
    pub(crate) fn compare(&self, table: &Drawn) -> Result<Audit, Error> {
        let problems = |path: &Path, problems: &Problems| {
            let lines: Vec<String> = problems
                .0
                .iter()
                .map(|problem| format!("`{}`: {problem}", path.display()))
                .collect();
            Error::new(Exit::Spec, lines.join("\n"))
        };
        let (path, text) = &self.values;
        let expected =
            Expected::parse(text, &table.layout).map_err(|found| problems(path, &found))?;
        let notes = match &self.notes {
            Some((path, text)) => Note::parse(text, &table.layout, &expected)
                .map_err(|found| problems(path, &found))?,
            None => Vec::new(),
        };
        Ok(verify(&table.cells, &table.layout, &expected, &notes))
    }
}

fn text(path: &Path) -> Result<String, Error> {
    let bytes = regular::read(path, regular::TEXT).map_err(|error| {
        if error.kind() != std::io::ErrorKind::NotFound {
            return Error::new(
                Exit::Spec,
                format!("cannot read `{}`: {error}", path.display()),
            );
        }
        let missing = Error::new(Exit::Spec, format!("there is no file `{}`", path.display()));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match nearest(&name, &names_in(path.parent().unwrap_or(Path::new("")))) {
            Some(near) => missing.hint(format!("did you mean `{near}`?")),
            None => missing.hint("check `expect` and `notes` of the tables"),
        }
    })?;
    crate::frame::FrameError::decode(&bytes)
        .map(str::to_owned)
        .map_err(|error| Error::new(Exit::Spec, format!("`{}`: {error}", path.display())))
}
