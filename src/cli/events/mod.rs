//! Terminal output while something runs and at its end. Prints and draws; decides nothing.

mod bars;
mod counting;
mod edits;
mod fold;
mod imported;
mod output;
mod plain;
mod progress;
mod said;
mod summary;

pub use self::counting::Counting;
pub use self::edits::{difference, marked};
pub use self::fold::fold;
pub use self::imported::{Imported, problems};
pub use self::output::{note, unwritten, write_out};
pub use self::plain::{gate, gate_json, visible};
pub use self::progress::{Form, Placed, Progress};
pub use self::said::{Label, Look, labelled, plain};
pub use self::summary::summary;
