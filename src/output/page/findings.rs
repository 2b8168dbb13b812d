//! What was found of an experiment that a reader must know before using a number: plain values, not yet worded.
//!
//! Whoever fills them in looks at stages, tables and comparisons; [`super::warnings`] grades and words them.

use std::collections::{BTreeMap, BTreeSet};

/// What was found of one experiment.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// The experiment, named in front of what it is about on a page of several; empty on a page of its own.
    pub experiment: String,
    /// Stages that failed, and why.
    pub failed: Vec<(String, String)>,
    /// Stages that got too little of what they asked for, and what.
    pub short: Vec<(String, String)>,
    /// Stages without a result because something before them failed or the run was stopped.
    pub skipped: Vec<String>,
    /// Why the run stopped before its end, if it did.
    pub stopped: Option<String>,
    /// The commit that results were computed at, where files differed from it.
    pub dirty: Option<String>,
    /// What judges and writers came to, per stage and model.
    pub asked: Vec<Asked>,
    /// Documents that manipulations did not fit.
    pub refused: Vec<Refused>,
    /// Warnings of nodes: the stage, the node, the warning.
    pub told: Vec<Told>,
    /// Tables with losses.
    pub tables: Vec<TableLoss>,
    /// Comparisons with print.
    pub compared: Vec<Compared>,
    /// Results and files that were left out of the bundle that the experiment came in.
    pub left_out: usize,
}

/// What a stage that asks a model came to, all its instances with that model together.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// The stage.
    pub stage: String,
    /// The model.
    pub model: String,
    /// Scores, or texts that were written.
    pub there: u64,
    /// Scores that do not exist, or texts, by reason.
    pub missing: BTreeMap<String, u64>,
    /// Whether it writes texts rather than scores.
    pub writes: bool,
    /// Scores of replies that name another score for the same metric too.
    pub contradicted: u64,
}

/// Documents that a manipulation did not fit, for one reason.
#[derive(Clone, Debug, Default)]
pub struct Refused {
    /// The stage.
    pub stage: String,
    /// The manipulation.
    pub manipulation: String,
    /// Why it did not fit.
    pub reason: String,
    /// How many documents.
    pub documents: usize,
    /// Of how many.
    pub of: usize,
}

/// A warning of a node.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// The stage.
    pub stage: String,
    /// The node: the stage with its axis values.
    pub node: String,
    /// The warning.
    pub text: String,
}

/// What is missing from a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableLoss {
    /// The table.
    pub table: String,
    /// Its cells.
    pub cells: usize,
    /// Cells without a value, by why.
    pub valueless: BTreeMap<String, usize>,
    /// Averages that lack parts.
    pub incomplete: usize,
    /// Other cells that are made of fewer parts than their neighbours.
    pub partial: usize,
    /// Cells whose test is not defined, by why.
    pub undefined: BTreeMap<String, usize>,
    /// Pairs, or what else measures count, left out because something of them is missing, summed over the cells.
    pub dropped: u64,
    /// What those are, where they are not pairs.
    pub dropped_of: BTreeSet<String>,
}

/// How a table compares with print.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// The table.
    pub table: String,
    /// Printed cells.
    pub cells: usize,
    /// Cells that agree.
    pub agree: usize,
    /// Cells that differ without a reason that is given.
    pub open: usize,
    /// Why nothing could be compared, if so.
    pub unread: Option<String>,
}
