//! Writing what finished experiments show: tables, figures, files of rows and pages, drawn together and written together.

use std::path::PathBuf;

use rayon::prelude::*;

use super::figures;
use super::folder::{self, File, Folder};
use super::page::{self, Written};
use super::rows::Made;
use super::shown::Shown;
use super::tables;
use crate::base::exit::Error;
use crate::engine::{Ended, Finished, Loaded};
use crate::spec::Spec;

/// What was written of a run.
pub(crate) struct Published {
    /// What each experiment shows.
    pub(crate) shown: Vec<Shown>,
    /// For each, the files of rows.
    pub(crate) rows: Vec<Vec<PathBuf>>,
    /// The page of all.
    pub(crate) page: Option<PathBuf>,
    /// How to look at the judgements of that page, where it has no room for them.
    pub(crate) apart: Option<String>,
    /// What became of files of earlier runs, in sentences.
    pub(crate) notes: Vec<String>,
    /// Pages of several experiments that were set aside because they showed one of these as it was before: which, and where
    /// the page is now.
    pub(crate) outdated: Vec<(String, PathBuf)>,
}

/// Draws and writes what a run came to, the pages last, and lets go of what earlier runs wrote; `slow` is called before
/// what takes a person's time.
pub(crate) fn publish(
    loaded: &[Loaded],
    ended: &Ended,
    slow: &mut dyn FnMut(&str),
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
    let notes = folders
        .iter_mut()
        .flat_map(|folder| std::mem::take(&mut folder.notes))
        .collect();
    let Written { page, outdated } = page::write(loaded, ended, &shown, slow)?;
    let (page, apart) = page.map_or((None, None), |page| (Some(page.path), page.apart));
    for folder in &folders {
        folder.settle()?;
    }
    Ok(Published {
        shown,
        rows,
        page,
        apart,
        notes,
        outdated,
    })
}

/// Draws and writes one experiment.
fn one(spec: &Spec, finished: &Finished) -> Result<(Shown, Folder, Vec<PathBuf>), Error> {
    let made = Shown::draw(spec, finished).and_then(|shown| {
        let mut files = tables::files(spec, &shown.tables)?;
        files.extend(figures::files(spec, &shown.figures)?);
        let rows = folder::make(spec, &tables::exports(finished))?;
        Ok((shown, files, rows))
    });
    let (shown, files, rows): (Shown, Vec<File>, Vec<Made>) = match made {
        Ok(made) => made,
        // Nothing of the run is shown, so nothing may look as if it were of it.
        Err(error) => {
            Folder::write(spec, &[], Vec::new(), false)?.settle()?;
            return Err(error);
        }
    };
    let path = |rows: &Made| spec.report_folder().join(&rows.name);
    let paths = rows.iter().map(path).collect();
    let folder = Folder::write(spec, &files, rows, finished.is_complete())?;
    tables::keep(spec, &shown.tables)?;
    Ok((shown, folder, paths))
}
