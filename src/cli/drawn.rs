//! What finished experiments show: tables, figures, files of rows and pages, drawn together and written together.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::exit::Error;
use super::figures::{self, DrawnFigure};
use super::folder::{File, Folder};
use super::load::Loaded;
use super::output::Terminal;
use super::page;
use super::reports::{self, Drawn};
use super::run::{Ended, Finished};
use crate::spec::Spec;

/// The tables and figures of one experiment.
pub(super) struct Shown {
    pub(super) tables: Vec<Drawn>,
    pub(super) figures: Vec<DrawnFigure>,
}

/// What was written of a run.
pub(super) struct Published {
    /// What each experiment shows.
    pub(super) shown: Vec<Shown>,
    /// For each, the files of rows.
    pub(super) rows: Vec<Vec<PathBuf>>,
    /// The page of all.
    pub(super) page: Option<PathBuf>,
}

impl Shown {
    /// Draws what has a result.
    pub(super) fn draw(spec: &Spec, finished: &Finished) -> Result<Self, Error> {
        Ok(Self {
            tables: reports::draw(spec, finished)?,
            figures: figures::figures(spec, finished)?,
        })
    }

    /// Whether there is anything to see.
    pub(super) fn is_empty(&self) -> bool {
        self.tables.is_empty() && self.figures.is_empty()
    }
}

/// Draws and writes what a run came to, the pages last, and lets go of what earlier runs wrote; says what became of that,
/// unless a program listens.
pub(super) fn publish(
    loaded: &[Loaded],
    ended: &Ended,
    silent: bool,
    terminal: &mut Terminal,
) -> Result<Published, Error> {
    let each = loaded.par_iter().zip(&ended.parts);
    let written: Vec<(Shown, Folder, Vec<PathBuf>)> = each
        .map(|(loaded, finished)| one(&loaded.spec, finished))
        .collect::<Result<_, Error>>()?;
    let (mut shown, mut folders, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    for (one, folder, files) in written {
        shown.push(one);
        folders.push(folder);
        rows.push(files);
    }
    let mut notes: Vec<String> = folders
        .iter_mut()
        .flat_map(|folder| std::mem::take(&mut folder.notes))
        .collect();
    let page = page::write(loaded, ended, &shown, &mut notes, terminal)?;
    for folder in &folders {
        folder.settle()?;
    }
    if !silent {
        for note in notes {
            terminal.note(&note);
        }
    }
    Ok(Published { shown, rows, page })
}

/// Draws and writes one experiment.
fn one(spec: &Spec, finished: &Finished) -> Result<(Shown, Folder, Vec<PathBuf>), Error> {
    let made = Shown::draw(spec, finished).and_then(|shown| {
        let mut files = reports::files(spec, &shown.tables)?;
        let rows = reports::exports(finished)?;
        let paths: Vec<PathBuf> = rows
            .iter()
            .map(|(name, _)| reports::folder(spec).join(Path::new(name)))
            .collect();
        files.extend(rows);
        files.extend(figures::files(spec, &shown.figures)?);
        Ok((shown, files, paths))
    });
    let (shown, files, paths): (Shown, Vec<File>, _) = match made {
        Ok(made) => made,
        // Nothing of the run is shown, so nothing may look as if it were of it.
        Err(error) => {
            Folder::write(spec, &[], false)?.settle()?;
            return Err(error);
        }
    };
    let folder = Folder::write(spec, &files, finished.is_complete())?;
    reports::keep(spec, &shown.tables)?;
    Ok((shown, folder, paths))
}
