//! Bundles: one archive with everything that experiments need to come out the same elsewhere.
//!
//! A bundle is a tar of ordinary files, compressed with zstd. Its first file is a sealed [`Manifest`]
//! that names every other by path, size and digest, so that whatever does not belong there is refused
//! before it is written anywhere. The same files give the same bytes: paths are sorted, and times,
//! owners and rights are not kept.
//!
//! Which files an experiment needs is the caller's business, and so is what they mean. Nothing here
//! prints.

mod error;
mod manifest;
mod names;
mod place;
mod read;
mod write;

pub use error::{BundleError, MANIFEST};
pub use manifest::{Experiment, FORMAT, Given, Input, Item, Manifest, What};
pub use names::{NameFault, check_path};
pub use read::{Unpacked, unpack};
pub use write::{Content, Draft, Head, Written, write};
