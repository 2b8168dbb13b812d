//! Published values: files of expected values and notes, to be compared with a table.

use std::collections::BTreeMap;
use std::path::Path;

use super::tables::Drawn;
use crate::base::exit::{Error, Exit};
use crate::base::paths::names_in;
use crate::base::regular;
use crate::base::wording::nearest;
use crate::output::report::Problems;
use crate::output::report::accept::{self, Accepted};
use crate::output::report::expect::Expected;
use crate::output::report::notes::Note;
use crate::output::report::verify::{Audit, verify};
use crate::spec::{Look, Spec};

/// What was printed of one table, as read.
pub(crate) struct Printed<'s> {
    /// The file and its text; none, if it is yet to be filled.
    values: (&'s Path, Option<String>),
    notes: Option<(&'s Path, String)>,
}

/// The printed values of every table that has some; with `accepting` files of values may be empty.
///
/// # Errors
/// When a file is not there or is no text.
pub(crate) fn printed(
    spec: &Spec,
    accepting: bool,
) -> Result<BTreeMap<String, Printed<'_>>, Error> {
    let tables = spec.base.looks.iter();
    tables
        .filter_map(|(name, look)| {
            let printed = Printed::read(look)?;
            let printed = printed.and_then(|printed| printed.or_to_fill(accepting));
            Some((name.clone(), printed))
        })
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
                values: (path, Some(text(path)?)),
                notes: look.notes.as_deref().map(read).transpose()?,
            })
        };
        Some(printed())
    }

    /// Without a text where the file is empty and is to be filled.
    fn or_to_fill(mut self, accepting: bool) -> Result<Self, Error> {
        let (path, text) = &mut self.values;
        if text.as_ref().is_some_and(|text| text.trim().is_empty()) {
            *text = None;
            if !accepting {
                return Err(Error::new(Exit::Spec, format!("`{}` is empty", path.display())).hint(
                    "write the published values, a line for each cell, or fill it with ours: `tribunal verify SPEC --accept`",
                ));
            }
        }
        Ok(self)
    }

    /// The file of values.
    pub(crate) fn path(&self) -> &'s Path {
        self.values.0
    }

    /// The file of notes.
    pub(crate) fn notes(&self) -> Option<&'s Path> {
        self.notes.as_ref().map(|(path, _)| *path)
    }

    /// Whether there are printed values to compare with.
    pub(crate) fn is_there(&self) -> bool {
        self.values.1.is_some()
    }

    /// The same with another text of the file of values.
    pub(crate) fn with(self, text: String) -> Self {
        Self {
            values: (self.values.0, Some(text)),
            ..self
        }
    }

    /// The texts that were read.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        let notes = self.notes.iter().map(|(_, text)| text.as_str());
        self.values.1.as_deref().into_iter().chain(notes)
    }

    /// A table held against them.
    ///
    /// # Errors
    /// When the files do not fit the table.
    pub(crate) fn compare(&self, table: &Drawn) -> Result<Audit, Error> {
        let (expected, notes) = self.parse(table)?;
        Ok(verify(&table.cells, &table.layout, &expected, &notes))
    }

    /// The file of values with ours in it.
    ///
    /// # Errors
    /// The same.
    pub(crate) fn accept(&self, table: &Drawn) -> Result<Accepted, Error> {
        let Some(text) = &self.values.1 else {
            return Ok(accept::create(&table.cells, &table.layout));
        };
        let (expected, notes) = self.parse(table)?;
        let audit = verify(&table.cells, &table.layout, &expected, &notes);
        let ours = (table.cells.as_slice(), &table.layout);
        Ok(accept::accept(text, ours, &expected, &audit))
    }

    fn parse(&self, table: &Drawn) -> Result<(Expected, Vec<Note>), Error> {
        let problems = |path: &Path, problems: &Problems| {
            let lines: Vec<String> = problems
                .0
                .iter()
                .map(|problem| format!("`{}`: {problem}", path.display()))
                .collect();
            Error::new(Exit::Spec, lines.join("\n"))
        };
        let (path, text) = &self.values;
        let text = text.as_deref().unwrap_or_default();
        let expected =
            Expected::parse(text, &table.layout).map_err(|found| problems(path, &found))?;
        let notes = match &self.notes {
            Some((path, text)) => Note::parse(text, &table.layout, &expected)
                .map_err(|found| problems(path, &found))?,
            None => Vec::new(),
        };
        Ok((expected, notes))
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
            None => missing.hint(
                "check `expect` and `notes` of the tables; an empty csv is filled by `tribunal verify SPEC --accept`",
            ),
        }
    })?;
    crate::frame::FrameError::decode(&bytes)
        .map(str::to_owned)
        .map_err(|error| Error::new(Exit::Spec, format!("`{}`: {error}", path.display())))
}
