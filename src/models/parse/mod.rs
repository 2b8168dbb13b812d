//! Reading replies: from the text a model wrote to typed scores and issues.
//!
//! Parsers are tolerant of the many shapes models write and strict about the result. They are
//! pure, take time linear in the reply, accept every string, and never guess: what they cannot
//! read is unscored with a [`Reason`](crate::models::score::Reason). They must not call models, and must
//! not look at what the judged document says.

mod agree;
mod beside;
pub mod choice;
pub mod error_spans;
pub mod evaluation_form;
mod finish;
mod form;
pub mod items;
pub mod json;
pub mod likert;
mod list;
mod marks;
mod metrics;
mod offers;
mod owner;
mod place;
mod reader;
mod reason;
mod surroundings;
pub mod trailer;
mod trim;
mod value;
pub mod visible;

pub use self::finish::{Ending, Finish};
pub use self::form::{ErrorSpan, Form, Issue, Reading, Severity};
pub use self::items::{Item, Items, Place as ItemPlace};
pub use self::json::Paths;
pub use self::metrics::MetricError;
pub use self::reader::{Finals, Parser, Reader, Schema};
pub use self::visible::Thoughts;
