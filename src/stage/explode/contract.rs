//! What `explode` stages say of themselves.

use super::{Explode, TREE_COLUMNS, WhenEmpty};
use crate::base::wording::{list_of, nearest};
use crate::stage::columns::{Looking, NO_COLUMN, without_record};
use crate::stage::contract::{About, Gathers, Gives, Work};
use crate::stage::{Columns, Holds, Mistake, RowsOf, StageName, reason_column};

impl Work for Explode {
    fn about() -> About {
        About {
            // 2: what would be nodes under a key that is no level has a row, also plain texts and objects.
            version: 2,
            reads: RowsOf::ALL,
            gives: Gives::Rows(&[RowsOf::Documents, RowsOf::Values]),
            gathers: Gathers::Nothing,
            columns: &[],
        }
    }

    fn reads(&self) -> Vec<&StageName> {
        vec![&self.from]
    }

    /// Elements whose fields are known become columns of these.
    fn is_open(&self) -> bool {
        self.into.is_none() && self.fields.is_none() && self.tree.is_none()
    }

    fn settle(&mut self, input: &Columns) {
        match input.fields(&self.column) {
            Some(known) => {
                let own = |field: &str| self.free(input, field, field);
                let known = known.into_iter();
                let known = known.map(|field| (own(field), field.to_owned()));
                self.fields = Some(known.collect());
            }
            None => self.into = Some(self.column.clone()),
        }
    }

    fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        let mut columns = looking.input();
        if self.is_open() {
            let mut settled = self.clone();
            settled.settle(&columns);
            return settled.columns(looking);
        }
        let from = looking.from();
        looking.needs(&columns, &["column"], &self.column, &from);
        if let Some(found) = match columns.holds(&self.column) {
            Holds::Numbers => Some("numbers"),
            Holds::Truth => Some("truth values"),
            Holds::Text | Holds::Json | Holds::Unknown => None,
        } {
            looking.lack(Mistake {
                code: NO_COLUMN,
                at: (vec!["column".to_owned()], None),
                place: None,
                message: format!(
                    "the column `{}` of `{from}` holds {found}, not lists",
                    self.column
                ),
                label: "no lists",
                help: "name a column of JSON, or of texts that are JSON".to_owned(),
            });
        }
        self.know_fields(&columns, looking);
        if self.added().iter().any(|(_, name)| *name == "text") {
            without_record(&mut columns);
        }
        columns.remove(&self.column);
        columns.remove(&reason_column(&self.column));
        self.add(&mut columns, looking, &from);
        columns.new_rows();
        if self.empty == WhenEmpty::Drop {
            columns.keep_some();
        }
        columns
    }
}

impl Explode {
    /// Whether a column of this name is there beside the lists.
    fn taken(&self, columns: &Columns, name: &str) -> bool {
        name != self.column && columns.knows(name)
    }

    /// A name for the column of a field: the one wanted, unless that is taken.
    fn free(&self, columns: &Columns, wanted: &str, field: &str) -> String {
        if self.taken(columns, wanted) {
            format!("{}_{field}", self.column)
        } else {
            wanted.to_owned()
        }
    }

    /// How `fields` are written without the names that are taken.
    fn renamed(&self, columns: &Columns) -> String {
        let each = self
            .fields
            .iter()
            .flatten()
            .map(|(new, field)| format!("{} = \"{field}\"", self.free(columns, new, field)));
        let each: Vec<String> = each.collect();
        format!("give it another name: `fields = {{ {} }}`", each.join(", "))
    }

    /// Notes fields that the elements are known not to have.
    fn know_fields(&self, columns: &Columns, looking: &mut Looking<'_>) {
        let Some(known) = columns.fields(&self.column) else {
            return;
        };
        for (_, field) in self.fields.iter().flatten() {
            if !known.contains(&field.as_str()) {
                looking.lack(Mistake {
                    code: NO_COLUMN,
                    at: (vec!["fields".to_owned()], Some(field.clone())),
                    place: None,
                    message: format!("the elements of `{}` have no field `{field}`", self.column),
                    label: "not a field",
                    help: match nearest(field, &known) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("the fields are {}", list_of(&known)),
                    },
                });
            }
        }
    }

    /// Adds the columns of elements.
    fn add(&self, columns: &mut Columns, looking: &mut Looking<'_>, from: &str) {
        for (steps, name) in self.added() {
            if columns.has(name) {
                looking.lack(Mistake {
                    code: NO_COLUMN,
                    at: (
                        steps.iter().map(|&step| step.to_owned()).collect(),
                        Some(name.to_owned()),
                    ),
                    place: None,
                    message: format!(
                        "`{from}` already has a column `{name}`, which `explode` adds"
                    ),
                    label: "there already",
                    help: match steps {
                        ["fields"] => self.renamed(columns),
                        ["tree"] => format!("rename or leave out the column `{name}` before"),
                        ["tree", "text"] => "give it another name with `into`".to_owned(),
                        _ => "give it another name".to_owned(),
                    },
                });
            }
        }
        for (_, name) in self.added() {
            columns.set(name, Holds::Unknown);
        }
        if let Some(index) = &self.index {
            columns.set(index, Holds::Numbers);
        }
        if let Some(tree) = &self.tree {
            for name in TREE_COLUMNS
                .into_iter()
                .chain(self.whole().map(|(_, name)| name))
            {
                columns.set(name, Holds::Text);
            }
            let levels = tree.levels.iter().map(|(level, _)| level.as_str().into());
            columns.fix("level", levels);
            columns.set("ancestors", Holds::Json);
        }
        for (_, name) in self.added() {
            columns.may_have(&reason_column(name), Holds::Text);
        }
    }
}
