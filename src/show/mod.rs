//! What a person sees while something runs and when it is over. Prints and draws; decides nothing.

mod progress;
mod summary;

pub use self::progress::{Form, Progress};
pub use self::summary::summary;
