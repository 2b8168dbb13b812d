//! What `table` stages say of themselves.

use super::{ABLATION, Table};
use crate::base::failure::Failure;
use crate::stage::columns::{Looking, Mistake, NO_COLUMN};
use crate::stage::contract::{About, Compute, Gathers, Gives, Work, each_once};
use crate::stage::inputs::{Inputs, World};
use crate::stage::{Columns, Output, RowsOf, StageName};

impl Work for Table {
    fn about() -> About {
        About {
            // 2: conditions do not compare values of different kinds, and rows say what they are made of fewer of
            // than others, how they were computed, and what is behind statistics that a test is not on.
            // 3: cells that show one row of statistics say so.
            version: 3,
            reads: &[RowsOf::Statistics],
            gives: Gives::Shown,
            gathers: Gathers::All,
            columns: &[],
        }
    }

    fn reads(&self) -> Vec<&StageName> {
        each_once(self.parts.iter().map(|part| &part.from))
    }

    fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        for part in &self.parts {
            let columns = looking.tables_of(&part.from);
            let from = part.from.to_string();
            if part.ablations && columns.has(ABLATION) {
                looking.lack(own_ablation(&from));
            }
            let index = part.written.to_string();
            for (step, fields) in [("rows", &self.rows), ("columns", &self.columns)] {
                for field in fields.iter().filter(|field| !part.gives(field)) {
                    looking.needs(&columns, &[step], field, &from);
                }
            }
            looking.needs_in_part(&columns, &index, "value", &part.value, &from);
            looking.counts(&columns, &["value"], &part.value, &from);
            if let Some(p) = &part.p {
                looking.needs_in_part(&columns, &index, "p", p, &from);
            }
            let at = ["part", index.as_str(), "where"];
            looking.condition(&columns, &at, part.condition.as_ref(), &from);
        }
        Columns::default()
    }
}

impl Compute for Table {
    fn run(&self, inputs: &Inputs, _: &dyn World) -> Result<Output, Failure> {
        self.arrange(inputs)
    }
}

/// The rows say something else in the field that tells ablations apart.
fn own_ablation(from: &str) -> Mistake {
    Mistake {
        place: None,
        code: NO_COLUMN,
        at: (vec!["rows".to_owned()], Some(ABLATION.to_owned())),
        message: format!("`{from}` has a column `ablation` of its own"),
        label: "the ablations of this spec, or that column",
        help: "rename the column in a `derive` stage, or name the ablation with `set = { ablation = \"...\" }`"
            .to_owned(),
    }
}
