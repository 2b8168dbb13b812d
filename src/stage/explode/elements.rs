//! The lists of a column, and what an element holds.

use crate::base::json::{self, Json};
use crate::frame::Scalar;

/// A list that a cell holds, or why it holds none.
pub(in crate::stage) fn list(text: &str) -> Result<Vec<Json>, String> {
    match json(text)? {
        Json::List(list) => Ok(list),
        other => Err(format!("{}, not a list", what(&other))),
    }
}

/// What a cell holds, if it is JSON.
pub(super) fn json(text: &str) -> Result<Json, String> {
    json::read(text).map_err(|error| {
        let place = format!(" at line {} column {}", error.line(), error.column());
        let said = error.to_string();
        if error.is_data() {
            format!("not JSON: {}", said.trim_end_matches(&place))
        } else if error.is_eof() {
            "not JSON: it ends too early".to_owned()
        } else {
            format!("not JSON, line {} column {}", error.line(), error.column())
        }
    })
}

/// A value in words.
pub(in crate::stage) fn what(json: &Json) -> &'static str {
    match json {
        Json::Null => "`null`",
        Json::Bool(_) => "a truth value",
        Json::Number(_) | Json::Long(_) => "a number",
        Json::Text(_) => "a text",
        Json::List(_) => "a list",
        Json::Object(_) => "an object",
    }
}

/// Why there is no value, and whether something is not as it is declared.
#[derive(Debug)]
pub(in crate::stage) struct Lack {
    pub(in crate::stage) why: String,
    pub(super) fault: bool,
}

impl Lack {
    /// Something that is absent.
    pub(super) fn of(why: impl Into<String>) -> Self {
        Self {
            why: why.into(),
            fault: false,
        }
    }

    /// Something that is not as declared.
    pub(super) fn fault(why: String) -> Self {
        Self { why, fault: true }
    }
}

/// A whole element as a cell, or why there is none.
pub(super) fn whole(element: &Json) -> Result<Scalar, Lack> {
    match element {
        Json::Null => Err(Lack::of("the element is `null`")),
        value => Ok(Scalar::from(value.clone())),
    }
}

/// A field of an element as a cell, or why there is none.
pub(in crate::stage) fn field(element: &Json, name: &str) -> Result<Scalar, Lack> {
    let Json::Object(object) = element else {
        let why = format!("the element is {}, not an object", what(element));
        return Err(Lack::fault(why));
    };
    match object.get(name) {
        None => Err(Lack::fault(format!("the element has no `{name}`"))),
        Some(Json::Null) => Err(Lack::of(format!("`{name}` of the element is `null`"))),
        Some(value) => Ok(Scalar::from(value.clone())),
    }
}
