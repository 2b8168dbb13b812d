//! What `stats` stages say of themselves.

use std::collections::{BTreeMap, BTreeSet};

use super::Stats;
use super::told::{BEHIND, WHY};
use crate::base::failure::Failure;
use crate::base::wording::list_of;
use crate::stage::columns::{Looking, NO_COLUMN};
use crate::stage::contract::{About, Compute, Gathers, Gives, Work};
use crate::stage::inputs::{Inputs, World};
use crate::stage::{Columns, Expression, Holds, Mistake, Output, RowsOf, StageName, Test, Value};
use crate::stats::statistic::VERSION;

impl Work for Stats {
    fn about() -> About {
        About {
            // 2: conditions do not compare values of different kinds, and rows say what they are made of fewer of
            // than others, which tests are not defined, over how many tests p-values were corrected, how they were
            // computed, and what is behind statistics that a test is not on.
            version: VERSION,
            reads: &[RowsOf::Values],
            gives: Gives::Rows(&[RowsOf::Statistics, RowsOf::Values]),
            gathers: Gathers::All,
            columns: &[],
        }
    }

    fn reads(&self) -> Vec<&StageName> {
        self.from.iter().collect()
    }

    fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        let read = looking.all();
        let from = looking.from();
        for name in &self.by {
            looking.needs(&read, &["by"], name, &from);
        }
        for pair in &self.pair {
            looking.needs(&read, &["pair"], &pair.axis, &from);
        }
        self.observed(looking, &read, &from);
        looking.condition(&read, &["where"], self.condition.as_ref(), &from);
        if self.test == Test::Unscored {
            asked(looking);
        } else {
            looking.needs(&read, &["value"], &self.value, &from);
        }
        looking.counts(&read, &["value"], &self.value, &from);
        self.told_apart(looking);
        let mut columns = Columns::default();
        for name in self.groups() {
            // The values of groups are written as texts.
            columns.set(name, Holds::Text);
        }
        for (name, is_number) in self.gives() {
            columns.set(
                name,
                if is_number {
                    Holds::Numbers
                } else {
                    Holds::Text
                },
            );
        }
        columns
    }

    fn looks_at(&self) -> Option<BTreeSet<&str>> {
        let mut columns = BTreeSet::from([
            self.value.as_str(),
            "repeat",
            "unscored",
            "reasons",
            WHY,
            "lacks",
            "averaged",
            "dropped",
            BEHIND,
        ]);
        columns.extend(self.over.iter().chain(&self.by).map(String::as_str));
        columns.extend(self.pair.iter().map(|pair| pair.axis.as_str()));
        let condition = self.condition.iter().flat_map(Expression::columns);
        columns.extend(condition.map(String::as_str));
        Some(columns)
    }
}

impl Compute for Stats {
    fn run(&self, inputs: &Inputs, _: &dyn World) -> Result<Output, Failure> {
        let names: Vec<String> = self.from.iter().map(ToString::to_string).collect();
        self.compute(&inputs.together()?).map_err(|failure| {
            failure.or_hint(format!("the columns come from {}", list_of(&names)))
        })
    }
}

impl Stats {
    /// What tells observations apart has to be there; documents where nothing is said.
    fn observed(&self, looking: &mut Looking<'_>, read: &Columns, from: &str) {
        let by_default = matches!(self.over.as_slice(), [one] if one == "doc_id");
        if !by_default || !read.lacks("doc_id") {
            for name in &self.over {
                looking.needs(read, &["over"], name, from);
            }
            return;
        }
        looking.lack(Mistake {
            code: NO_COLUMN,
            at: (vec!["over".to_owned()], None),
            place: None,
            message: format!("`{from}` has no column `doc_id`, which tells observations apart"),
            label: "statistics over documents",
            help: format!(
                "name what tells them apart: `over = \"...\"`; the columns are {}",
                list_of(&read.names())
            ),
        });
    }

    /// Rows of two stages about the same documents have to differ in something that groups or observations go by.
    fn told_apart(&self, looking: &mut Looking<'_>) {
        if self.condition.is_some() {
            return;
        }
        let pairs = self.pair.iter().map(|pair| pair.axis.as_str());
        let by: Vec<&str> = self
            .by
            .iter()
            .chain(&self.over)
            .map(String::as_str)
            .collect();
        let by: Vec<&str> = by.into_iter().chain(pairs).collect();
        let mut seen: BTreeMap<(usize, Vec<Value>), &StageName> = BTreeMap::new();
        for (name, columns) in looking.inputs() {
            let Some(origin) = columns.origin() else {
                continue;
            };
            let sorts = columns.sorts(&by).into_iter();
            let twin = sorts
                .filter(|sort| !sort.contains(&Value::Unknown))
                .find_map(|sort| {
                    let other = *seen.entry((origin, sort)).or_insert(name);
                    (other != *name).then_some(other)
                });
            let Some(other) = twin else { continue };
            looking.lack(Mistake {
                code: "lint::told-apart",
                at: (vec!["from".to_owned()], Some(name.name.clone())),
                place: None,
                message: format!(
                    "rows of `{other}` and `{name}` cover the same documents, and no column distinguishes them"
                ),
                label: "read together with the other",
                help: "read them in two `stats` stages, or give each a column of its own with `add` in a `select` stage and name it in `by`"
                    .to_owned(),
            });
            return;
        }
    }
}

/// Of answers, there have to be scores and the reasons for there being none.
fn asked(looking: &mut Looking<'_>) {
    let inputs = looking.inputs().iter();
    let without = inputs.filter(|(name, columns)| {
        let lacks = ["score", "unscored"].iter().any(|name| columns.lacks(name));
        lacks || name.kind.gives(RowsOf::Statistics)
    });
    let without: Vec<String> = without.map(|(name, _)| name.to_string()).collect();
    let Some(name) = without.first() else { return };
    looking.lack(Mistake {
        code: "spec::wrong-input",
        at: (vec!["from".to_owned()], None),
        place: None,
        message: format!("`unscored` counts answers of judges, and `{name}` has none"),
        label: "not all of them have scores and reasons",
        help: "read judgements, or write another `test`".to_owned(),
    });
}
