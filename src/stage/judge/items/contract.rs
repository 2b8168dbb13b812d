//! The columns of judges of lists, as far as they are known before anything runs.

use super::{ITEM, ListJudged};
use crate::stage::columns::{Looking, NO_COLUMN};
use crate::stage::{Columns, Holds, Mistake, reason_column};

impl ListJudged {
    /// Adds its columns to those that a judge read.
    pub(in crate::stage::judge) fn columns(
        &self,
        columns: &mut Columns,
        looking: &mut Looking<'_>,
    ) {
        let from = looking.from();
        looking.needs(columns, &["items"], &self.column, &from);
        let other = match columns.holds(&self.column) {
            Holds::Numbers => Some("numbers"),
            Holds::Truth => Some("truth values"),
            Holds::Text | Holds::Json | Holds::Unknown => None,
        };
        if let Some(found) = other {
            looking.lack(Mistake {
                code: NO_COLUMN,
                at: (vec!["items".to_owned()], None),
                place: None,
                message: format!(
                    "the column `{}` of `{from}` holds {found}, not lists",
                    self.column
                ),
                label: "no lists",
                help: "name a column of JSON, or of texts that are JSON".to_owned(),
            });
        }
        for name in self.adds() {
            columns.set(name, Holds::Text);
            columns.may_have(&reason_column(name), Holds::Text);
        }
        columns.set(ITEM, Holds::Numbers);
        columns.new_rows();
    }
}
