//! How kinds of stage are written in a spec and checked: the contract, and the choice between all kinds.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::Context;
use super::{Known, RowShape};
use crate::stage::{Kind, RowsOf, Stage, StageName, kinds};
use crate::toml::read;
use crate::toml::{Layers, Problems, keys};

/// How a kind of stage is written, and what that means.
pub(crate) trait Written: Into<Stage> {
    /// Its table in a spec.
    type Raw: DeserializeOwned + JsonSchema;

    /// The stage that a table describes. What is wrong with it is added to the problems.
    fn check(raw: &Self::Raw, checking: &Checking<'_>, problems: &mut Problems) -> Option<Self>;

    /// What tells the rows of its result apart.
    fn shape(&self, checking: &Checking<'_>) -> RowShape;

    /// The keys of its table, `from` and `part` aside, that name stages, and what rows those may have.
    fn reads_also(_: &Layers, _table: &[String]) -> Vec<(&'static str, &'static [RowsOf])> {
        Vec::new()
    }
}

/// A stage that is checked, under one combination of the axis values that set it.
pub(crate) struct Checking<'c> {
    pub(crate) context: &'c Context<'c>,
    /// The path of its table.
    pub(crate) at: &'c [String],
    /// Its name.
    pub(crate) name: &'c StageName,
    /// The stages that it reads.
    pub(crate) reads: &'c [StageName],
    /// The combinations of all axis values under which it is this one.
    pub(crate) combos: &'c [&'c Vec<usize>],
    /// The axes that reach it.
    pub(crate) axes: &'c [String],
    /// What is known of the stages before it.
    pub(crate) known: &'c Known<'c>,
}

impl Checking<'_> {
    /// The stage that it reads. Without one, which was reported, the rest is checked all the same.
    pub(crate) fn from(&self) -> StageName {
        self.reads.first().unwrap_or(self.name).clone()
    }

    /// Rows that only axes tell apart besides what tells documents apart.
    pub(crate) fn by_axes(&self) -> RowShape {
        RowShape {
            groups: self.axes.to_vec(),
            ..RowShape::default()
        }
    }

    /// A row for each of several metrics, whose values are in this column.
    pub(crate) fn by_metric(&self, value: &'static str) -> RowShape {
        let groups = self.axes.iter().cloned();
        RowShape {
            groups: groups.chain(["metric".to_owned()]).collect(),
            value: Some(value),
            ..RowShape::default()
        }
    }

    /// Rows of which some are kept: the axes that reach the stage, then what told them apart before.
    pub(crate) fn as_read(&self) -> RowShape {
        let shape = self.known.shapes.get(&self.from());
        let mut shape = shape.cloned().unwrap_or_default();
        shape.groups.retain(|group| !self.axes.contains(group));
        shape.groups.splice(0..0, self.axes.iter().cloned());
        shape
    }
}

macro_rules! choice {
    ($($(#[$doc:meta])* $name:ident: $kind:ident $how:ident,)*) => {
        /// Reads and checks the table of a stage; what the rows of statistics are is not known where a value cannot be read.
        pub(crate) fn check(
            checking: &Checking<'_>,
            problems: &mut Problems,
        ) -> Option<(Stage, Option<RowShape>)> {
            match checking.name.kind {
                $(Kind::$kind => check_one::<crate::stage::$kind>(checking, problems),)*
            }
        }

        /// The keys of a stage's table, `from` and `part` aside, that name stages, and what rows those may have.
        pub(crate) fn reads_also(
            kind: Kind,
            layers: &Layers,
            table: &[String],
        ) -> Vec<(&'static str, &'static [RowsOf])> {
            match kind {
                $(Kind::$kind => <crate::stage::$kind as Written>::reads_also(layers, table),)*
            }
        }

        /// The parameters of a stage of this kind.
        pub(crate) fn parameters(kind: Kind) -> &'static [&'static str] {
            match kind {
                $(Kind::$kind => keys::<<crate::stage::$kind as Written>::Raw>(),)*
            }
        }
    };
}

kinds!(choice);

fn check_one<S: Written>(
    checking: &Checking<'_>,
    problems: &mut Problems,
) -> Option<(Stage, Option<RowShape>)> {
    // By themselves: what was told of the table before counts too.
    let mut misread = Problems::new();
    let raw = read(checking.context.layers, checking.at, &mut misread);
    // What columns statistics have follows from their settings.
    let told = checking.name.kind.gives(RowsOf::Statistics);
    let whole = !(told && misread.has_errors());
    misread
        .into_iter()
        .for_each(|problem| problems.push(problem));
    let stage = S::check(&raw?, checking, problems)?;
    let shape = whole.then(|| stage.shape(checking));
    Some((stage.into(), shape))
}
