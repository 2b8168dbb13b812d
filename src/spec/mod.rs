//! Specs: from TOML text to an experiment that can be planned.
//!
//! `raw` is the spec as written; `check` decides what it means, or says everything that is wrong with it at once: names,
//! axes, the grid, what reads what. Kinds of stage check their own tables. Nothing here reads files by itself, looks at the
//! cache, or runs anything.

mod check;
mod raw;
mod schema;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use indexmap::IndexMap;

pub use self::check::check;
pub use self::raw::{FigureFormat, ReportFormat};
pub use self::schema::schema;
use crate::cluster::profile::Profile;
use crate::output::chart;
use crate::stage::StageName;
pub use crate::stage::check::{Axis, Declared, TemplateFiles};
pub use crate::toml::{
    Folders, Input, Label, LayerKind, Layers, OneOrMany, Percent, Place, Plain, Problem, Problems,
    Range, Severity, SourceId, Sources, Style, Tree,
};

/// A checked experiment: every default filled, every name resolved.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The experiment's name: the spec's file name without its ending.
    pub name: String,
    /// What it is about.
    pub title: Option<String>,
    /// Where things lie.
    pub folders: Folders,
    /// The file formats of tables.
    pub formats: BTreeSet<ReportFormat>,
    /// Whether there is a page, and what may be in it.
    pub page: PageSettings,
    /// The file formats of figures.
    pub figures: BTreeSet<FigureFormat>,
    /// The cluster that it can be run on; in no key.
    pub slurm: Option<Profile>,
    /// The experiment itself.
    pub base: Design,
    /// The same with some parameters changed, by name.
    pub ablations: Vec<(String, Design)>,
}

impl Spec {
    /// The experiment itself, or the ablation of this name.
    pub fn design(&self, variant: &str) -> &Design {
        let mut ablations = self.ablations.iter();
        let found = ablations.find(|(name, _)| name == variant);
        found.map_or(&self.base, |(_, design)| design)
    }

    /// The experiment itself and its ablations.
    pub fn designs(&self) -> impl Iterator<Item = &Design> {
        let ablations = self.ablations.iter().map(|(_, design)| design);
        std::iter::once(&self.base).chain(ablations)
    }

    /// Where its tables and the record of its run lie.
    pub fn report_folder(&self) -> PathBuf {
        self.folders.reports.join(&self.name)
    }
}

/// Whether results are shown on a page, and what may be in it; in no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageSettings {
    /// Whether there is one.
    pub wanted: bool,
    /// The most bytes of compressed judgements that it holds.
    pub embed: u64,
}

/// One experiment: stages, and the combinations of axis values they are run with.
#[derive(Clone, Debug)]
pub struct Design {
    /// Seed of everything random.
    pub seed: u64,
    /// The axes, in the order of the spec.
    pub axes: Vec<Axis>,
    /// The combinations that are run: for each axis the position of its value.
    pub combos: Vec<Vec<usize>>,
    /// The stages, in the order of a pipeline.
    pub stages: IndexMap<StageName, Declared>,
    /// How tables look, by table name.
    pub looks: IndexMap<String, Look>,
    /// How figures look, by figure name; what they show is still to be said. Not in the cache key.
    pub figures: IndexMap<String, chart::Style>,
}

/// How a table looks and what it is compared with; in no key.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// The heading.
    pub title: Option<String>,
    /// A sentence below.
    pub caption: Option<String>,
    /// Digits after the point.
    pub decimals: usize,
    /// Field → value → label.
    pub labels: BTreeMap<String, BTreeMap<String, String>>,
    /// Field → order of its values.
    pub order: BTreeMap<String, Vec<String>>,
    /// Whether cells carry their n.
    pub show_n: bool,
    /// p-values below which cells are marked, largest first.
    pub stars: Vec<f64>,
    /// Printed values.
    pub expect: Option<PathBuf>,
    /// Notes on printed values.
    pub notes: Option<PathBuf>,
}
