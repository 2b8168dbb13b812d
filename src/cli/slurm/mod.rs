//! Runs on a cluster under Slurm: the run that submits, the jobs that work for it, and looking after them.

mod capsule;
mod crews;
mod jobs;
mod submit;
mod work;

pub(super) use self::capsule::Capsule;
pub(super) use self::jobs::{cache_of, run as jobs};
pub(super) use self::submit::Submitter;
pub(super) use self::work::run as work;
