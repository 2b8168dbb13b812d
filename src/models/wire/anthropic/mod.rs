//! Messages: what Anthropic speaks.
//!
//! Field names are those of Anthropic's API reference.

mod reply;
mod request;

pub(super) use self::reply::reply;
pub(super) use self::request::request;

/// The version of the API that this is written for.
pub(super) const VERSION: &str = "2023-06-01";

/// The one tool of a request with a schema: the model is made to use it, and its input is the reply.
const TOOL: &str = "reply";

/// The longest reply where the spec says nothing, in tokens: this API insists on a number. What a model may think comes on top.
pub const LONGEST: u32 = 4096;
