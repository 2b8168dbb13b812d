//! The stages as they hang together.

/// The stages of what was run, each after those it reads.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The stages.
    pub stages: Vec<Stage>,
}

/// One stage with all its instances.
#[derive(Clone, Debug)]
pub struct Stage {
    /// Its name, such as `judge.vanilla`; of several experiments with the experiment's in front.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// The positions of the stages it reads.
    pub reads: Vec<usize>,
    /// How many instances there are: one per combination of the axes that reach it.
    pub instances: usize,
    /// How many of them were known already.
    pub known: usize,
    /// The rows of all results.
    pub rows: u64,
    /// How long its instances took, in seconds, when they were computed, be it in this run or an earlier one.
    pub seconds: f64,
    /// How it ended.
    pub state: State,
    /// What it came to: counts and warnings, a line each.
    pub notes: Vec<String>,
}

/// How a stage ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// All instances have a result.
    Done,
    /// An instance failed.
    Failed,
    /// Some instances did not run, because something before them failed or the run was stopped.
    Skipped,
}
