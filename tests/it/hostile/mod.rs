//! Documents, names and replies that are not meant well: they are shown, in the terminal as on the page, and nothing in them
//! runs or is obeyed.

mod page;
pub(crate) mod project;
mod terminal;
