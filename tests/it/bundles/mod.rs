//! Experiments that are carried to another machine: bundled where they ran, unpacked in an empty folder,
//! and run there without models, network or the files they were made from.

mod elsewhere;
mod refused;
mod round_trip;
mod thesis;

pub(crate) use self::elsewhere::{Elsewhere, bundle};
