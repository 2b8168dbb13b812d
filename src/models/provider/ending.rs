//! What the word for the end of a reply means for a call.

use serde_json::Value;

use crate::models::ask::CallError;
use crate::models::parse::{Ending, Finish};

/// Why the model stopped, as an answer says.
///
/// # Errors
/// Where the word says that there is no reply, or that it broke.
pub(super) fn finish(word: &Value) -> Result<Finish, CallError> {
    let word = word.as_str().unwrap_or_default();
    match Ending::of_word(word) {
        Ending::Finished(finish) => Ok(finish),
        Ending::Refused(why) => Err(CallError::Refused(why.to_owned())),
        Ending::GivenUp => Err(CallError::Broken(format!(
            "the server gave the reply up (`{word}`)"
        ))),
    }
}
