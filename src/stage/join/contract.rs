//! What `join` stages say of themselves.

use super::{How, Join};
use crate::base::failure::Failure;
use crate::stage::columns::{Looking, NO_COLUMN};
use crate::stage::contract::{About, Compute, Gathers, Gives, Work};
use crate::stage::inputs::{Inputs, World};
use crate::stage::keys::lack_of_key;
use crate::stage::stats::says_behind;
use crate::stage::{Columns, Holds, Mistake, Output, RowsOf, StageName, reason_column};

impl Work for Join {
    fn about() -> About {
        About {
            version: 1,
            reads: RowsOf::ALL,
            gives: Gives::Rows(&[RowsOf::Documents, RowsOf::Values]),
            gathers: Gathers::Nothing,
            columns: &[],
        }
    }

    fn reads(&self) -> Vec<&StageName> {
        let with = Some(&self.with).filter(|with| **with != self.from);
        std::iter::once(&self.from).chain(with).collect()
    }

    fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        let (left, right) = (looking.tables_of(&self.from), looking.tables_of(&self.with));
        let (here, there) = (self.from.to_string(), self.with.to_string());
        for (one, two) in &self.on {
            looking.needs(&left, &["on"], one, &here);
            // A slip in the name of both is one mistake.
            if one != two || !left.lacks(one) {
                looking.needs(&right, &["on"], two, &there);
            }
            let lists = lack_of_key(looking, &left, &["on"], (one, one), &here)
                || lack_of_key(looking, &right, &["on"], (two, one), &there);
            if !lists {
                self.agree(looking, (&left, one), (&right, two));
            }
        }
        if let Some(axis) = self.alone.iter().find(|axis| left.has(axis)) {
            looking.lack(Mistake {
                code: "lint::two-columns",
                at: (vec!["with".to_owned()], None),
                place: None,
                message: format!("`{here}` has a column `{axis}`, and axis `{axis}` varies `{there}` alone"),
                label: "is of one value of the axis at a time",
                help: format!(
                    "put all its values into one table first, in a `concat` stage with `over = \"{axis}\"`, or rename the column"
                ),
            });
        }
        // What it keeps of the left is known as it was; `tables_of` would forget whose rows these are.
        let mut columns = looking.input();
        match self.how {
            How::Left => {}
            How::Inner | How::Anti => columns.keep_some(),
            How::Cross => columns.no_surer_than(&right),
        }
        if self.how == How::Anti {
            return columns;
        }
        for (new, old) in self.columns.iter().flatten() {
            if new == old {
                looking.needs(&right, &["columns"], old, &there);
            } else {
                looking.needs(&right, &["columns", new], old, &there);
            }
        }
        let brought = self.brought(&right.names());
        if let Some(clash) = self.clash(&brought, |name| left.has(name)) {
            let at = if self.columns.is_some() {
                "columns"
            } else {
                "with"
            };
            looking.lack(Mistake {
                code: "lint::two-columns",
                at: (vec![at.to_owned()], None),
                message: clash.message,
                label: "brings columns that are there already",
                help: clash.help,
                place: None,
            });
        }
        for one in &brought {
            let holds = right.holds(&one.old);
            if right.has(&one.old) {
                columns.set(&one.new, holds);
            } else {
                columns.may_have(&one.new, holds);
            }
            if let Some(fields) = right.fields(&one.old) {
                columns.set_fields(&one.new, fields);
            }
        }
        if says_behind(|name| left.knows(name)) || says_behind(|name| right.knows(name)) {
            columns.may_have("behind", Holds::Text);
            for one in brought.iter().filter(|one| !one.is_reason) {
                columns.may_have(&reason_column(&one.new), Holds::Text);
            }
        }
        if self.columns.is_none() && right.is_open() {
            columns.set_open(true);
        }
        if self.how == How::Left {
            for one in brought.iter().filter(|one| !one.is_reason) {
                columns.may_have(&reason_column(&one.new), Holds::Text);
            }
        }
        columns
    }
}

impl Join {
    /// Columns that must be equal have to hold values that can be.
    fn agree(
        &self,
        looking: &mut Looking<'_>,
        (left, one): (&Columns, &str),
        (right, two): (&Columns, &str),
    ) {
        let (here, there) = (left.holds(one), right.holds(two));
        if here == there || [here, there].contains(&Holds::Unknown) {
            return;
        }
        looking.lack(Mistake {
            code: NO_COLUMN,
            at: (vec!["on".to_owned()], Some(one.to_owned())),
            message: format!(
                "`{one}` of `{}` holds {}, and `{two}` of `{}` {}, which are never equal",
                self.from,
                here.words(),
                self.with,
                there.words()
            ),
            label: "can match nothing",
            help: "let both hold the same: compute one of them anew in a `derive` stage".to_owned(),
            place: None,
        });
    }
}

impl Compute for Join {
    fn run(&self, inputs: &Inputs, _: &dyn World) -> Result<Output, Failure> {
        self.put_together(inputs)
    }
}
