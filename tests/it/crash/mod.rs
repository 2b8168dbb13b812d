//! Whole runs that are killed, interrupted, doubled, or short of room: no completed reply is lost,
//! none is asked for twice, and the tables come out byte for byte as if nothing had happened.
#![cfg(unix)]

mod full_disk;
mod halt;
mod interrupt;
mod kill;
mod lost_cache;
mod project;
mod record;
mod together;

pub(crate) use self::project::signal;
