//! What `export` stages say of themselves.

use super::Export;
use crate::stage::columns::Looking;
use crate::stage::contract::{About, Gathers, Gives, Work};
use crate::stage::{Columns, Holds, NOT_APPLICABLE, RowsOf, StageName};

impl Work for Export {
    fn about() -> About {
        About {
            version: 1,
            reads: RowsOf::ALL,
            gives: Gives::File,
            gathers: Gathers::All,
            columns: &[],
        }
    }

    fn reads(&self) -> Vec<&StageName> {
        self.from.iter().collect()
    }

    fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        let mut columns = looking.all();
        let from = looking.from();
        if self.names_stages() {
            columns.set("stage", Holds::Text);
        }
        for name in &self.columns {
            // What only some documents get is there for them.
            if name != NOT_APPLICABLE {
                looking.needs(&columns, &["columns"], name, &from);
            }
        }
        columns
    }

    /// Rows of several stages have a column with the name of their own.
    fn names_stages(&self) -> bool {
        self.from.len() > 1
    }
}
