//! Tables from csv.

mod cells;
mod header;
mod parts;
mod quotes;
mod whole;

pub use self::parts::Records;
