//! What `clean` stages say of themselves.

use super::{CLEANED, Clean};
use crate::stage::columns::{Looking, without_record};
use crate::stage::contract::{About, Gathers, Gives, Work};
use crate::stage::{Columns, Holds, NOT_APPLICABLE, RowsOf, StageName};

impl Work for Clean {
    fn about() -> About {
        About {
            // 2: more forms of headers, credits, title pages and lists of contents are known. 3: two blank lines end a list of
            // captions only where it is one.
            version: 3,
            reads: &[RowsOf::Documents],
            gives: Gives::Rows(&[RowsOf::Documents]),
            gathers: Gathers::Nothing,
            columns: &[CLEANED],
        }
    }

    fn reads(&self) -> Vec<&StageName> {
        vec![&self.from]
    }

    fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        let mut columns = looking.input_with(&["text", "doc_id"]);
        without_record(&mut columns);
        columns.set("text", Holds::Text);
        columns.set(CLEANED, Holds::Text);
        columns.may_have(NOT_APPLICABLE, Holds::Text);
        columns
    }
}
