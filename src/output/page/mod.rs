//! The report: one page that shows what experiments came to, for a person to decide from.
//!
//! A [`Page`] is everything the page shows but the judgements, which lie in a [`Store`] of compressed chunks, so that
//! a hundred thousand of them cost what is looked at. Everything here is pure: values in, bytes out. Texts of documents
//! and of models are data from end to end: escaped where they are written into the page, and put into it as text where a
//! script shows them. It must not read files, know the cache, or compute what is shown.

mod anchors;
mod assets;
mod difference;
mod duration;
mod embedded;
pub mod facts;
pub mod findings;
pub mod graph;
mod graph_layout;
mod graph_svg;
mod outcome;
mod render;
pub mod store;
mod view;
mod visible;
mod warnings;

#[cfg(test)]
mod tests;

pub use assets::drawn_with;
pub use difference::difference;
pub use embedded::read as embedded;
pub use facts::facts;
pub use findings::Findings;
pub use graph::{Graph, Instance, Stage, State};
pub use outcome::outcome;
pub use render::{Mode, render};
pub use store::{Chunk, Store};
pub use warnings::warnings;

/// Counts up when a page shows other things, or shows them differently, so that pages are drawn anew.
pub const VERSION: u32 = 7;

/// What the page shows, above the judgements.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// What stands on top: the title of the spec, or of the folder.
    pub title: String,
    /// What it came to, in the line below: a number as it is shown and what it counts, such as `61 of 64` and
    /// `printed cells reproduced`.
    pub outcome: Vec<(String, String)>,
    /// What must be known before a number is used; the gravest first.
    pub warnings: Vec<Warning>,
    /// What is shown, experiment by experiment.
    pub experiments: Vec<Experiment>,
    /// The stages, what was known and how long the others took.
    pub graph: Graph,
    /// What ran, from what, when: pairs of a label and a value.
    pub facts: Vec<(String, String)>,
    /// The records of the runs as JSON, for those who want all of it: the name of a file and its text.
    pub records: Vec<(String, String)>,
    /// Where the judgements are, if they are not in this page: words and a relative address.
    pub elsewhere: Option<(String, String)>,
}

/// One spec.
#[derive(Clone, Debug, Default)]
pub struct Experiment {
    /// Its name, which is also an anchor.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What it asks, a line for each judge.
    pub asked: Vec<String>,
    /// The tables, in the order of the spec, those of ablations after them.
    pub tables: Vec<Table>,
    /// The figures, likewise.
    pub figures: Vec<Figure>,
    /// Comparisons with what was printed.
    pub audits: Vec<Audit>,
    /// Files that rows were written to, by their paths from the page's folder.
    pub files: Vec<String>,
}

/// One table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// The ablation it belongs to; empty for the experiment itself.
    pub variant: String,
    /// Its title.
    pub title: String,
    /// The table as a fragment of HTML (`report::html`), in which everything that comes from data is escaped.
    pub html: String,
    /// The table as LaTeX, for the clipboard.
    pub latex: String,
    /// The table as csv, for the clipboard.
    pub csv: String,
}

/// One figure.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    /// Its name.
    pub name: String,
    /// The ablation it belongs to; empty for the experiment itself.
    pub variant: String,
    /// Its title.
    pub title: String,
    /// What is shown, with n and what was not scored, under the figure.
    pub caption: String,
    /// The drawing: an `<svg>` without scripts, in which everything that comes from data is escaped.
    pub svg: String,
    /// What the figure shows, in a sentence, for those who do not see it.
    pub description: String,
    /// The data as csv.
    pub csv: String,
}

/// One comparison with printed values.
#[derive(Clone, Debug, Default)]
pub struct Audit {
    /// The table's name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What the comparison came to, in a sentence.
    pub sentence: String,
    /// The comparison as a fragment of HTML, in which everything that comes from data is escaped.
    pub html: String,
    /// How many cells differ without a reason that is given; these are also among the warnings.
    pub open: usize,
}

/// Something to know before a number is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// How grave it is.
    pub grade: Grade,
    /// What it is about: a stage, a table. The page links to what has this name (see `anchors`): a stage's name, or
    /// `<table>`, `<experiment>`, `<experiment>/<table>`, `<experiment>.<table>`.
    pub subject: String,
    /// What is the matter.
    pub text: String,
}

/// How grave a warning is; the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// Something is missing or wrong: a stage failed, a printed value is not reproduced.
    Error,
    /// Numbers rest on less than it seems: unscored replies, documents that did not fit.
    Warning,
    /// Good to know.
    Note,
}
