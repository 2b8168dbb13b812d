//! Donors: documents whose units are put into another one.

/// A document that gives text away.
#[derive(Clone, Copy, Debug)]
pub struct Donor<'d> {
    /// The document's id, which is recorded with every edit that takes from it.
    pub id: &'d str,
    /// Its eligible units, such as its paragraphs of at least 50 characters.
    pub units: &'d [&'d str],
}
