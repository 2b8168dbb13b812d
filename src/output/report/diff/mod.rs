//! What is different between two runs of an experiment: settings, inputs, results, tables, what it cost.
//!
//! It compares and counts. It must not read files or draw; what a person sees of it is in `words`.

mod cells;
mod leaves;
mod record;
#[cfg(test)]
mod tests;
mod words;

use serde::Serialize;
use serde_json::Value;

pub use self::cells::{CellChange, Shown, TableChange};
pub use self::leaves::Change;
pub use self::record::StageChange;
pub use self::words::{html, markdown, terminal};
use super::told::Told;

/// One side of a comparison.
#[derive(Debug, Clone, Copy)]
pub struct Side<'s> {
    /// The record of the run, `run.json`.
    pub record: &'s Value,
    /// The tables of the run.
    pub tables: &'s [Told],
    /// `None` for the whole experiment; otherwise one variant alone: an ablation, or the base by an empty name.
    pub variant: Option<&'s str>,
}

/// What differs between two sets of experiments.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Comparison {
    /// What the first side is called.
    pub a: String,
    /// What the second side is called.
    pub b: String,
    /// The experiments that both have.
    pub experiments: Vec<Difference>,
    /// Experiments that only the first side has.
    pub only_a: Vec<String>,
    /// Experiments that only the second side has.
    pub only_b: Vec<String>,
}

impl Comparison {
    /// Whether nothing differs but where, when and for how much it ran.
    pub fn same(&self) -> bool {
        self.only_a.is_empty()
            && self.only_b.is_empty()
            && self.experiments.iter().all(Difference::same)
    }

    /// Whether all tables are there on both sides with equal cells.
    pub fn same_values(&self) -> bool {
        self.only_a.is_empty()
            && self.only_b.is_empty()
            && self
                .experiments
                .iter()
                .all(|one| one.tables.iter().all(TableChange::same))
    }
}

/// What differs between two runs of one experiment.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Difference {
    /// Its name.
    pub name: String,
    /// Settings of the spec, leaf by leaf.
    pub settings: Vec<Change>,
    /// Versions, commits and layers that it ran from.
    pub origin: Vec<Change>,
    /// Files that were read, by digest.
    pub files: Vec<Change>,
    /// Replies by the model that servers say answered.
    pub models: Vec<Change>,
    /// Stages with other results.
    pub stages: Vec<StageChange>,
    /// Every table of either side, also those without a difference.
    pub tables: Vec<TableChange>,
    /// Scores, unscored outputs by reason, texts.
    pub counts: Vec<Change>,
    /// Calls, tokens, money, time.
    pub cost: Vec<Change>,
}

impl Difference {
    /// Whether nothing differs but where, when and for how much it ran.
    pub fn same(&self) -> bool {
        self.settings.is_empty()
            && self.files.is_empty()
            && self.models.is_empty()
            && self.stages.is_empty()
            && self.counts.is_empty()
            && self.tables.iter().all(TableChange::same)
    }
}

/// Compares two runs. Where one variant alone is looked at, nothing is said of what the record tells of the whole run.
pub fn compare(name: &str, a: Side<'_>, b: Side<'_>) -> Difference {
    let whole = a.variant.is_none() && b.variant.is_none();
    let of = |part: fn(&Value) -> leaves::Leaves| leaves::changes(&part(a.record), &part(b.record));
    let (before, now) = (record::settings(a), record::settings(b));
    let settings = leaves::changes(&before, &now);
    let mut difference = Difference {
        name: name.to_owned(),
        settings: leaves::folded(settings, &before, &now),
        origin: of(record::origin),
        tables: cells::tables(a, b),
        ..Difference::default()
    };
    if whole {
        difference.files = of(record::files);
        difference.models = of(record::models);
        difference.counts = of(record::counts);
        difference.cost = of(record::cost);
        difference.stages = record::stages(a.record, b.record);
    }
    difference
}
