//! What `stats` stages say of themselves.

use std::collections::{BTreeMap, BTreeSet};

use super::JUDGE;
use super::Stats;
use super::collect::MADE_OF_PAIRS;
use super::setting::{Cells, KEYS, looks_at, takes_labels};
use super::told::{BEHIND, WHY};
use crate::base::failure::Failure;
use crate::base::wording::list_of;
use crate::frame::{ColumnData, Frame, Scalar};
use crate::stage::columns::{Looking, NO_COLUMN};
use crate::stage::contract::{About, Compute, Gathers, Gives, Work};
use crate::stage::inputs::{Inputs, World};
use crate::stage::{Columns, Expression, Holds, Mistake, Output, RowsOf, StageName, Test, Value};
use crate::stats::measure::Measure;
use crate::stats::statistic::VERSION;

impl Work for Stats {
    fn about() -> About {
        About {
            // 2: conditions do not compare values of different kinds, and rows say what they are made of fewer of
            // than others, which tests are not defined, over how many tests p-values were corrected, how they were
            // computed, and what is behind statistics that a test is not on. 3: pooled groups say what the groups in them
            // lack.
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
        let read = self.read(looking);
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
            for name in self.values() {
                looking.needs(&read, &["value"], name, &from);
            }
        }
        let labels = self.test.measure().is_some_and(takes_labels);
        for name in self.values().filter(|_| !labels) {
            looking.counts(&read, &["value"], name, &from);
        }
        if let Some(measure) = self.test.measure() {
            self.roles_there(measure, looking, &read, &from);
        }
        self.told_apart(looking);
        let mut columns = Columns::default();
        for name in self.groups() {
            // The values of groups are written as texts.
            columns.set(name, Holds::Text);
        }
        for (name, is_number) in self.gives() {
            columns.set(
                &name,
                if is_number {
                    Holds::Numbers
                } else {
                    Holds::Text
                },
            );
        }
        columns
    }

    /// Whether the spec names the column that tells apart which stage a row is of.
    fn names_stages(&self) -> bool {
        let pairs = self.pair.iter().map(|pair| &pair.axis);
        let columns = self.over.iter().chain(&self.by).chain(pairs);
        columns
            .chain(self.roles.columns())
            .any(|name| name == JUDGE)
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
        // Whether rows are of pairs, of which both orders are one observation.
        columns.extend(MADE_OF_PAIRS);
        if let Some(measure) = self.test.measure() {
            columns.extend(self.also.iter().map(String::as_str));
            let found = KEYS.iter().filter(|key| looks_at(measure, key.role));
            columns.extend(found.filter_map(|key| key.usual));
            columns.extend(self.roles.columns().map(String::as_str));
        }
        columns.extend(self.pair.iter().map(|pair| pair.axis.as_str()));
        let condition = self.condition.iter().flat_map(Expression::columns);
        columns.extend(condition.map(String::as_str));
        Some(columns)
    }
}

impl Compute for Stats {
    /// Of rows that all take part alike.
    fn in_parts(&self) -> bool {
        self.condition.is_none() && self.pool.is_empty() && !self.names_stages()
    }

    fn run(&self, inputs: &Inputs, _: &dyn World) -> Result<Output, Failure> {
        if !inputs.is_long() {
            return self.of_whole(inputs);
        }
        let looked_at = self.looks_at().unwrap_or_default();
        let output = self.of_parts(inputs.narrow_parts(&looked_at));
        // Once more with every column there is, which the message may have to name.
        output.or_else(|_| self.of_whole(&inputs.in_memory(&self.from[0])?))
    }
}

impl Stats {
    /// The statistics of tables that are in memory.
    fn of_whole(&self, inputs: &Inputs) -> Result<Output, Failure> {
        let names: Vec<String> = self.from.iter().map(ToString::to_string).collect();
        self.compute(&self.together(inputs)?).map_err(|failure| {
            failure.or_hint(format!("the columns come from {}", list_of(&names)))
        })
    }

    /// The columns that it reads, with the one that tells stages apart where it is named.
    fn read(&self, looking: &Looking<'_>) -> Columns {
        let tables = looking.inputs().iter().map(|(name, columns)| {
            let mut columns = (*columns).clone();
            if self.names_stages() && columns.lacks(JUDGE) {
                columns.fix(JUDGE, [Scalar::from(name.name.as_str())]);
            }
            columns
        });
        let tables: Vec<Columns> = tables.collect();
        Columns::stacked(tables.iter())
    }

    /// All rows that it reads, with that column.
    fn together(&self, inputs: &Inputs) -> Result<Frame, Failure> {
        if !self.names_stages() {
            return Ok(inputs.together()?);
        }
        let mut frames = Vec::new();
        for (name, frame) in inputs.named() {
            let own = frame.has(JUDGE);
            let name = std::iter::repeat_n(name.name.as_str(), frame.rows());
            let frame = frame.clone();
            frames.push(if own {
                frame
            } else {
                frame.with_column(JUDGE, ColumnData::text(name))?
            });
        }
        Ok(Frame::stack(&frames)?)
    }

    /// The columns of a measure's roles have to be there, and those with numbers to hold some.
    fn roles_there(
        &self,
        measure: &Measure,
        looking: &mut Looking<'_>,
        read: &Columns,
        from: &str,
    ) {
        for key in KEYS.iter().filter(|key| looks_at(measure, key.role)) {
            let named = self.roles.get(key.role);
            for name in named.into_iter().flatten() {
                looking.needs(read, &[key.role.key()], name, from);
                let numbers = match key.cells {
                    Cells::Numbers => true,
                    Cells::Values => !takes_labels(measure),
                    Cells::Names | Cells::Groups => false,
                };
                if numbers {
                    looking.counts(read, &[key.role.key()], name, from);
                }
            }
            let usual = key.usual.filter(|_| named.is_none());
            let Some(usual) =
                usual.filter(|name| measure.needs.contains(&key.role) && read.lacks(name))
            else {
                continue;
            };
            looking.lack(Mistake {
                code: NO_COLUMN,
                at: (vec!["test".to_owned()], None),
                place: None,
                message: format!(
                    "`{from}` has no column `{usual}`, and `{}` compares pairs",
                    measure.name
                ),
                label: "needs rows of pairs",
                help: format!(
                    "read a judge with `compare`, or name the column: `{} = \"...\"`; the columns are {}",
                    key.role.key(),
                    list_of(&read.names())
                ),
            });
        }
    }

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
        // The stage that a row is of tells it apart from all others.
        if self.names_stages()
            && looking
                .inputs()
                .iter()
                .all(|(_, columns)| columns.lacks(JUDGE))
        {
            return;
        }
        let roles = self.roles.columns().map(String::as_str);
        let by: Vec<&str> = by.into_iter().chain(pairs).chain(roles).collect();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::{Kind, with_reasons};

    #[test]
    fn a_mean_looks_at_what_tells_that_rows_are_of_both_orders_of_a_pair() {
        let texts = |values: [&'static str; 3]| ColumnData::text(values);
        let table = Frame::new(vec![
            ("doc_id".to_owned(), texts(["a", "a", "b"])),
            ("contender".to_owned(), texts(["x"; 3])),
            ("opponent".to_owned(), texts(["y"; 3])),
            ("order".to_owned(), texts(["given", "swapped", "given"])),
            (
                "score".to_owned(),
                ColumnData::Float([1.0, 0.0, 1.0].map(Some).to_vec()),
            ),
        ])
        .unwrap();
        let stats = Stats::mean_over(&StageName::new(Kind::Judge, "duels"), "score", "doc_id");
        let looked_at = with_reasons(&stats.looks_at().unwrap());
        let narrow = table.only(&looked_at.iter().map(String::as_str).collect());
        let made = |table: &Frame| stats.compute(table).unwrap().frame.to_parquet().unwrap();
        assert_eq!(made(&narrow), made(&table));
    }
}
