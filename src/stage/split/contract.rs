//! What `split` stages say of themselves.

use super::{SPLIT_COLUMNS, Split};
use crate::language::text::TokenizerSpec;
use crate::stage::columns::{Looking, without_record};
use crate::stage::contract::{About, Gives, Work};
use crate::stage::{Columns, Holds, NOT_APPLICABLE, RowsOf, StageName};

impl Work for Split {
    fn about() -> About {
        About {
            // 2: sentences end after `me.` and not before a small letter, and long headings after `CHAPTER: ` are
            // headings.
            version: 2,
            reads: &[RowsOf::Documents],
            gives: Gives::Rows(&[RowsOf::Documents]),
            gathers: false,
            columns: &SPLIT_COLUMNS,
        }
    }

    fn reads(&self) -> Vec<&StageName> {
        vec![&self.from]
    }

    fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        let mut columns = looking.input_with(&["text", "doc_id"]);
        looking.adds(&columns, SPLIT_COLUMNS, "split");
        without_record(&mut columns);
        columns.set("text", Holds::Text);
        for name in SPLIT_COLUMNS {
            columns.set(
                name,
                if name == "previous" {
                    Holds::Text
                } else {
                    Holds::Numbers
                },
            );
        }
        columns.may_have(NOT_APPLICABLE, Holds::Text);
        columns.new_rows();
        columns
    }

    fn tokenizer(&self) -> Option<&TokenizerSpec> {
        self.parts.tokenizer()
    }
}
