//! `tribunal doctor`: what the file system of a project's cache can do, and what that means for runs.

use std::path::PathBuf;

use super::args::DoctorArgs;
use super::output::Terminal;
use super::slurm::cache_of;
use crate::base::exit::{Error, Exit};
use crate::cluster::doctor::{Abilities, Shared, examine};

pub(super) fn run(args: &DoctorArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let cache: PathBuf = cache_of(args.cache.as_ref(), &args.project);
    fs_err::create_dir_all(&cache)?;
    let can = examine(&cache)?;
    terminal.tell(&format!(
        "{} is on {}",
        cache.display(),
        can.sort
            .as_deref()
            .unwrap_or("a file system that does not say what it is")
    ));
    for line in lines(&can) {
        terminal.tell(&line);
    }
    Ok(if can.makes_once && can.replaces {
        Exit::Done
    } else {
        Exit::Broken
    })
}

/// What it can do, in lines.
fn lines(can: &Abilities) -> Vec<String> {
    let makes = if can.makes_once {
        "ok  only one process can make a file: calls are claimed among jobs, and none is made twice at once"
    } else {
        "no  two processes can make the same file: jobs would make calls twice; put the cache elsewhere with `paths.cache`"
    };
    let replaces = if can.replaces {
        "ok  a file takes the place of another in one step"
    } else {
        "no  files cannot be replaced in one step: results could be lost; put the cache elsewhere with `paths.cache`"
    };
    let locks = if can.locks {
        "ok  files can be locked: two runs on this machine never pay for the same call"
    } else {
        "no  files cannot be locked: two runs at once may pay for the same call; jobs of one run do not need locks"
    };
    vec![
        makes.to_owned(),
        replaces.to_owned(),
        locks.to_owned(),
        match can.shared {
            Shared::Yes => "ok  other machines see it: `run --on slurm` can use it".to_owned(),
            Shared::No => "no  other machines do not see it, unless they share it in a way that does not show: `run --on slurm` needs a cache that all nodes see".to_owned(),
            Shared::Unknown => "??  whether other machines see it does not show: `run --on slurm` needs a cache that all nodes see".to_owned(),
        },
    ]
}
