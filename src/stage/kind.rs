//! Kinds of stages and the names of stages.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What a stage does. The order is the order of a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// – → documents.
    Source,
    /// Raw books → clean documents.
    Clean,
    /// Documents → documents.
    Select,
    /// Documents → parts of documents.
    Split,
    /// Documents → shorter documents.
    Truncate,
    /// Documents → deliberately damaged documents.
    Manipulate,
    /// Documents → counts.
    Measure,
    /// Any → texts that a model wrote.
    Generate,
    /// Any → scores.
    Judge,
    /// Scores of sections → a report per document.
    Memo,
    /// Scores → statistics.
    Stats,
    /// Statistics → a table for people.
    Table,
    /// Any → a figure for people.
    Figure,
    /// Any → a file of rows.
    Export,
}

impl Kind {
    /// All kinds, in the order of a pipeline.
    pub const ALL: [Self; 14] = [
        Self::Source,
        Self::Clean,
        Self::Select,
        Self::Split,
        Self::Truncate,
        Self::Manipulate,
        Self::Measure,
        Self::Generate,
        Self::Judge,
        Self::Memo,
        Self::Stats,
        Self::Table,
        Self::Figure,
        Self::Export,
    ];

    /// The kinds whose rows are documents or parts of them, with a `text` (of reports, where they stand beside
    /// documents).
    pub const OF_DOCUMENTS: [Self; 8] = [
        Self::Source,
        Self::Clean,
        Self::Select,
        Self::Split,
        Self::Truncate,
        Self::Manipulate,
        Self::Generate,
        Self::Memo,
    ];

    /// The kind's name, as in `[judge.vanilla]`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Clean => "clean",
            Self::Select => "select",
            Self::Split => "split",
            Self::Truncate => "truncate",
            Self::Manipulate => "manipulate",
            Self::Measure => "measure",
            Self::Generate => "generate",
            Self::Judge => "judge",
            Self::Memo => "memo",
            Self::Stats => "stats",
            Self::Table => "table",
            Self::Figure => "figure",
            Self::Export => "export",
        }
    }

    /// Counts up when the kind's result changes meaning, so that cached results are not reused.
    /// A test over golden outputs notices when this was forgotten.
    ///
    /// History: all kinds start at 1. `source` 2 and `clean` 2: more forms of headers, credits, title pages and
    /// lists of contents are known. `select`, `split`, `truncate`, `manipulate` and `measure` 2: sentences end after `me.` and
    /// not before a small letter, names and tags changed with them, and long headings after `CHAPTER: ` are headings.
    /// `manipulate` 2 also: other statements for \[24\], no `a stuff` by default in \[32\], and names in the needle
    /// `entity-replacement` that are really others. `judge` 2: issues that begin with a word such as "none" and go on are
    /// issues, and what a reply says of metrics that were not asked for is left out. `judge` 3: a value is read with all of
    /// its clause, and one that is not wholly understood is ambiguous. `judge` 3 and `generate` 2: more forms of thoughts are
    /// known and taken out, and nothing is read where a tag around them has no partner. `source` 3: whole numbers keep all
    /// their digits, and doubled keys of JSON and numbers that are not finite are refused. `select` 3: conditions do not
    /// compare values of different kinds.
    /// `stats`, `table` and `figure` 2: the same, and rows say what they are made of fewer of than others, which tests are
    /// not defined, over how many tests p-values were corrected, how they were computed, and what is behind statistics that a
    /// test is not on.
    pub fn version(self) -> u32 {
        match self {
            Self::Memo | Self::Export => 1,
            Self::Generate
            | Self::Stats
            | Self::Table
            | Self::Figure
            | Self::Clean
            | Self::Split
            | Self::Truncate
            | Self::Manipulate
            | Self::Measure => 2,
            Self::Source | Self::Select | Self::Judge => 3,
        }
    }

    /// Whether stages of this kind ask models.
    pub fn asks(self) -> bool {
        matches!(self, Self::Generate | Self::Judge)
    }

    /// Whether one instance reads *all* instances of its inputs (statistics, tables and figures
    /// compare across axes, a file holds all rows) rather than the one with the same axis values.
    pub fn gathers(self) -> bool {
        matches!(
            self,
            Self::Stats | Self::Table | Self::Figure | Self::Export
        )
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or(())
    }
}

/// A stage's full name: its kind and the name under it, shown as `judge.vanilla`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StageName {
    /// The kind.
    pub kind: Kind,
    /// The name after the dot.
    pub name: String,
}

impl StageName {
    /// A name under a kind.
    pub fn new(kind: Kind, name: impl Into<String>) -> Self {
        Self {
            kind,
            name: name.into(),
        }
    }
}

impl fmt::Display for StageName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.kind, self.name)
    }
}
