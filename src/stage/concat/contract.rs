//! What `concat` stages say of themselves.

use std::collections::BTreeSet;

use super::{Concat, MIXED, mixed};
use crate::base::failure::Failure;
use crate::stage::columns::{Looking, NO_COLUMN};
use crate::stage::contract::{About, Compute, Gathers, Gives, Work};
use crate::stage::inputs::{Inputs, World};
use crate::stage::stats::says_behind;
use crate::stage::{Columns, Holds, Mistake, Output, RowsOf, StageName, reason_column};

impl Work for Concat {
    fn about() -> About {
        About {
            version: 1,
            reads: RowsOf::ALL,
            gives: Gives::Rows(&[RowsOf::Documents, RowsOf::Values]),
            gathers: Gathers::Over,
            columns: &[],
        }
    }

    fn reads(&self) -> Vec<&StageName> {
        self.from.iter().collect()
    }

    fn gathers(&self) -> &[String] {
        &self.over
    }

    fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        let inputs = looking.inputs();
        for (key, names) in [("over", &self.over), ("columns", &self.columns)] {
            for wanted in names {
                // What none of them has is one mistake.
                let lacking = inputs.iter().filter(|(_, columns)| columns.lacks(wanted));
                if let Some((name, columns)) = lacking.into_iter().next() {
                    looking.needs(columns, &[key], wanted, &name.to_string());
                }
            }
        }
        if let Some((origin, _)) = &self.origin
            && let Some((from, _)) = inputs.iter().find(|(_, columns)| columns.has(origin))
        {
            looking.lack(Mistake {
                code: NO_COLUMN,
                at: (vec!["origin".to_owned()], None),
                message: format!("`{from}` already has a column `{origin}`, which `concat` adds"),
                label: "says which stage rows are from",
                help: "call the new one otherwise: `origin = \"stage\"`".to_owned(),
                place: None,
            });
        }
        self.types(looking);
        if self.columns.is_empty() {
            self.common(looking);
        }
        let tables: Vec<&Columns> = inputs.iter().map(|(_, columns)| *columns).collect();
        let mut columns = looking.all();
        let all: Vec<String> = columns.names().into_iter().map(str::to_owned).collect();
        for name in &self.uneven {
            columns.remove(name);
        }
        if !self.columns.is_empty() {
            let kept = self.kept(|name| all.iter().any(|known| known == name));
            for name in all.iter().filter(|name| !kept.contains(name)) {
                columns.remove(name);
            }
            for name in &self.columns {
                if !columns.has(name) {
                    columns.set(name, Holds::Unknown);
                }
            }
            for name in &self.columns {
                columns.may_have(&reason_column(name), Holds::Text);
            }
            if says_behind(|name| all.iter().any(|known| known == name)) {
                columns.may_have("behind", Holds::Text);
            }
            columns.set_open(false);
        }
        for name in &all {
            columns.hold_only(name, &tables);
        }
        if let Some((name, says)) = &self.origin {
            columns.fix(name, says.iter().map(|says| says.as_str().into()));
        }
        columns.new_rows();
        columns
    }
}

impl Concat {
    /// Notes columns that hold one thing here and another there.
    fn types(&self, looking: &mut Looking<'_>) {
        let mut seen: std::collections::BTreeMap<&str, (&StageName, Holds)> =
            std::collections::BTreeMap::new();
        let mut told = BTreeSet::new();
        for (name, columns) in looking.inputs() {
            for (column, known) in columns.each() {
                let left_out =
                    !self.columns.is_empty() && !self.columns.iter().any(|one| one == column);
                if left_out || known.holds == Holds::Unknown {
                    continue;
                }
                let (other, holds) = *seen.entry(column).or_insert((name, known.holds));
                if holds != known.holds && told.insert(column) {
                    looking.lack(Mistake {
                        code: NO_COLUMN,
                        at: (vec!["from".to_owned()], Some(name.name.clone())),
                        message: mixed(column, (other, holds.words()), (name, known.holds.words())),
                        label: "holds something else",
                        help: MIXED.to_owned(),
                        place: None,
                    });
                }
            }
        }
    }

    /// Notes columns that only some tables have.
    fn common(&self, looking: &mut Looking<'_>) {
        let inputs = looking.inputs();
        if inputs.iter().any(|(_, columns)| columns.is_open()) {
            return;
        }
        let of = |(name, columns): &(&StageName, &Columns)| {
            let at = self.from.iter().position(|from| from == *name)?;
            let names = columns.names().into_iter();
            let names = names.filter(|name| !self.uneven.iter().any(|axis| axis == name));
            Some((at, names.map(str::to_owned).collect::<BTreeSet<String>>()))
        };
        let tables: Option<Vec<(usize, BTreeSet<String>)>> = inputs.iter().map(of).collect();
        let Some((message, help)) = tables.and_then(|tables| self.uncommon(&tables)) else {
            return;
        };
        looking.lack(Mistake {
            code: NO_COLUMN,
            at: (vec!["from".to_owned()], None),
            message,
            label: "not the same columns",
            help,
            place: None,
        });
    }
}

impl Compute for Concat {
    fn run(&self, inputs: &Inputs, _: &dyn World) -> Result<Output, Failure> {
        self.put_together(inputs)
    }
}
