//! What leaves the project: tables, figures, files of rows, pages, records, bundles.

pub mod bundle;
mod chunks;
mod figures;
mod folder;
mod idle_labels;
mod judgements;
mod kept;
mod pack;
mod page;
mod printed;
mod record;
mod rows;
mod seal;
mod shown;
mod tables;
mod unpacked;
pub(crate) mod whole;
mod write;

pub(crate) use self::chunks::Chunks;
pub(crate) use self::folder::folder_of_all;
pub(crate) use self::pack::{Collected, Wanted, collect};
pub(crate) use self::page::{Served, served};
pub(crate) use self::printed::{Printed, printed};
pub(crate) use self::record::{RECORD, keep_all as keep_records};
pub(crate) use self::shown::{Shown, TableOutline};
pub(crate) use self::tables::{Drawn, TABLES};
pub(crate) use self::unpacked::{OVERRIDES, absent, bundle_around, settle};
pub(crate) use self::write::{Published, publish};
