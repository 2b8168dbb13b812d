//! `tribunal jobs`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::submit::control;
use crate::base::exit::{Error, Exit};
use crate::base::wording::{count, many, time};
use crate::cli::args::JobsArgs;
use crate::cli::output::Terminal;
use crate::cli::project::root_of;
use crate::cluster::crew::Crew;
use crate::cluster::note::Note;
use crate::cluster::session::{About, Array, Session};
use crate::cluster::slurm::scancel;
use crate::publish::bundle_around;

pub(in crate::cli) fn run(args: &JobsArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let cache = cache_of(args.cache.as_ref(), &args.project);
    let mut sessions = Session::list(&cache);
    sessions.retain(|session| !session.is_closed());
    // A command that came with a bundle is not one to be recommended.
    let own = bundle_around(&cache).is_none();
    if sessions.is_empty() {
        terminal.tell("no jobs");
        return Ok(Exit::Done);
    }
    for session in sessions {
        if args.cancel {
            cancel(&session, terminal)?;
            continue;
        }
        let about = match session.about() {
            Ok(about) => about,
            Err(error) => {
                let path = session.path("session.json");
                terminal.warn(&format!("cannot read `{}`: {error}", path.display()));
                continue;
            }
        };
        let command = if own {
            &*about.command
        } else {
            "the command that began it"
        };
        terminal.tell(&format!("{}, to return: {command}", session.name()));
        let notes = session.notes();
        for array in session.arrays() {
            for line in lines(&session, &about, &notes, &array) {
                terminal.tell(&line);
            }
        }
    }
    Ok(Exit::Done)
}

fn cancel(session: &Session, terminal: &mut Terminal) -> Result<(), Error> {
    session.close()?;
    let control = control(&BTreeSet::new());
    let arrays = session.arrays().into_iter();
    let arrays: Vec<Array> = arrays.filter(|array| array.refused.is_none()).collect();
    for array in &arrays {
        // Of one in doubt too: it may be with the scheduler under its name.
        if let Err(trouble) = control.run("scancel", &scancel(&array.token)) {
            return Err(Error::new(Exit::Broken, format!("the scheduler does not take it: {trouble}"))
                .hint("jobs that run end by themselves: they are told by a file; those that wait end when they begin"));
        }
    }
    let notes = session.notes();
    let is_open = |array: &&Array| {
        let mut tasks = (0..array.tasks).map(|task| last(&notes, array, task));
        tasks.any(|note| note.is_none_or(|note| !note.phase.has_ended()))
    };
    terminal.tell(&format!(
        "{}: {} told to end; replies that were stored stay",
        session.name(),
        count(arrays.iter().filter(is_open).count(), "job")
    ));
    Ok(())
}

/// What an array's tasks say of themselves.
fn lines(session: &Session, about: &About, notes: &[Note], array: &Array) -> Vec<String> {
    let job = match (array.job, &array.refused) {
        (Some(job), _) => format!("job {job}"),
        (None, Some(why)) => format!("refused ({why})"),
        (None, None) => "submitted, perhaps".to_owned(),
    };
    let mut lines = vec![format!(
        "  {job}: {} for {}",
        count(array.tasks as usize, "task"),
        array.crew
    )];
    for task in 0..array.tasks {
        if let Some(note) = last(notes, array, task) {
            let silence = session.silence(&note.of).unwrap_or_default();
            let missed = !note.phase.has_ended() && silence.as_secs_f64() >= about.lost_after;
            let missed = if missed {
                format!(
                    ", and nothing was heard of it for {}",
                    time(silence.as_secs_f64())
                )
            } else {
                String::new()
            };
            lines.push(format!("    {}{missed}", words(note)));
        }
    }
    lines
}

/// What the latest start of a task said last.
fn last<'n>(notes: &'n [Note], array: &Array, task: u32) -> Option<&'n Note> {
    let own = notes
        .iter()
        .filter(|note| note.of.array == array.token && note.of.task == task);
    own.max_by_key(|note| note.of.restart)
}

fn words(note: &Note) -> String {
    let started = match note.of.restart {
        0 => String::new(),
        times => format!(
            ", started again {}",
            match times {
                1 => "once".to_owned(),
                times => format!("{times} times"),
            }
        ),
    };
    format!(
        "{} on {}: {}, {}{started}",
        note.job,
        note.host,
        note.phase,
        match note.crew {
            Crew::Model(_) => format!("{} stored", many(note.stored, "reply")),
            Crew::Stages => format!("{} computed", many(note.stored, "stage")),
        }
    )
}

/// The cache that is named, or that of the project which a path belongs to: `paths.cache` of its local file, or `cache`.
pub(in crate::cli) fn cache_of(named: Option<&PathBuf>, project: &Path) -> PathBuf {
    if let Some(cache) = named {
        return cache.clone();
    }
    let inside = if project.is_dir() {
        project.join("x")
    } else {
        project.to_owned()
    };
    let root = root_of(&inside);
    let local = fs_err::read_to_string(root.join("tribunal.local.toml")).unwrap_or_default();
    let table: Option<::toml::Table> = local.parse().ok();
    let moved = table
        .as_ref()
        .and_then(|table| table.get("paths")?.get("cache")?.as_str());
    root.join(moved.unwrap_or("cache"))
}
