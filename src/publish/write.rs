//! Writing what finished experiments show: tables, figures, files of rows and pages, drawn together and written together.

use std::path::PathBuf;

use rayon::prelude::*;

use super::figures;
use super::folder::{self, File, Folder};
use super::kept::{self, Kept};
use super::page::{self, Written};
use super::rows::Made;
use super::shown::Shown;
use super::tables;
use crate::base::exit::Error;
use crate::engine::{Ended, Engine, Finished, Loaded};

/// What was written of a run.
pub(crate) struct Published<'r> {
    /// What each experiment shows.
    pub(crate) shown: Vec<Shown<'r>>,
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
pub(crate) fn publish<'r>(
    loaded: &'r [Loaded],
    ended: &'r Ended,
    slow: &mut dyn FnMut(&str),
) -> Result<Published<'r>, Error> {
    let each = loaded.par_iter().zip(&ended.parts);
    let written: Vec<Experiment<'_>> = each
        .map(|(loaded, finished)| one(&ended.engine, loaded, finished))
        .collect::<Result<_, Error>>()?;
    let (mut shown, mut folders, mut rows, mut kept) = (vec![], vec![], vec![], vec![]);
    for one in written {
        shown.push(one.shown);
        folders.push(one.folder);
        rows.push(one.rows);
        kept.push(one.written);
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
    for (loaded, kept) in loaded.iter().zip(kept) {
        if let Some(kept) = kept {
            kept.keep(&ended.engine, &loaded.spec);
        }
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

/// One experiment, whose files are written.
struct Experiment<'r> {
    shown: Shown<'r>,
    folder: Folder,
    /// The files of rows.
    rows: Vec<PathBuf>,
    /// What the runs to come need not draw, if it turns out to have been there already.
    written: Option<Kept>,
}

/// Draws and writes one experiment, or finds that it is there.
fn one<'r>(
    engine: &Engine,
    loaded: &'r Loaded,
    finished: &'r Finished,
) -> Result<Experiment<'r>, Error> {
    let spec = &loaded.spec;
    let drawn_from = kept::drawn_from(loaded, finished);
    let there = drawn_from.and_then(|drawn_from| Kept::there(engine, spec, &drawn_from));
    let made = folder::make(spec, &tables::exports(finished)).and_then(|rows| {
        if let Some(there) = there.filter(|_| rows.iter().all(Made::is_there)) {
            let shown = Shown::as_before(spec, finished, there.outline);
            return Ok((shown, None, rows));
        }
        let shown = Shown::draw(spec, finished)?;
        let pictures = shown.pictures()?;
        let mut files = tables::files(spec, &pictures.tables)?;
        files.extend(figures::files(spec, &pictures.figures)?);
        Ok((shown, Some(files), rows))
    });
    let (shown, files, rows): (Shown<'_>, Option<Vec<File>>, Vec<Made>) = match made {
        Ok(made) => made,
        // Nothing of the run is shown, so nothing may look as if it were of it.
        Err(error) => {
            Folder::write(spec, &[], Vec::new(), false)?.settle()?;
            return Err(error);
        }
    };
    let path = |rows: &Made| spec.report_folder().join(&rows.name);
    let paths = rows.iter().map(path).collect();
    let Some(files) = files else {
        return Ok(Experiment {
            shown,
            folder: Folder::untouched(spec),
            rows: paths,
            written: None,
        });
    };
    let names = files.iter().map(|(name, _)| name.as_str());
    let written =
        drawn_from.and_then(|drawn_from| Kept::before(spec, drawn_from, names, shown.outline()));
    let folder = Folder::write(spec, &files, rows, finished.is_complete())?;
    tables::keep(spec, &shown.pictures()?.tables)?;
    Ok(Experiment {
        shown,
        folder,
        rows: paths,
        written,
    })
}
