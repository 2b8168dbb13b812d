//! What `split` stages say of themselves.

use super::{SPLIT_COLUMNS, Split};
use crate::language::text::TokenizerSpec;
use crate::stage::columns::{Looking, without_record};
use crate::stage::contract::{About, Gathers, Gives, Work};
use crate::stage::{Columns, Holds, RowsOf, StageName, reason_column};

impl Work for Split {
    fn about() -> About {
        About {
            // 2: sentences end after `me.` and not before a small letter, and long headings after `CHAPTER: ` are
            // headings.
            version: 2,
            reads: &[RowsOf::Documents],
            gives: Gives::Rows(&[RowsOf::Documents]),
            gathers: Gathers::Nothing,
            columns: &SPLIT_COLUMNS,
        }
    }

    fn reads(&self) -> Vec<&StageName> {
        vec![&self.from]
    }

    fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        let mut columns = if self.cuts_documents() {
            looking.input_with(&["text", "doc_id"])
        } else {
            let (columns, from) = (looking.input_with(&["doc_id"]), looking.from());
            looking.needs(&columns, &["column"], &self.column, &from);
            looking.texts(&columns, &["column"], &self.column, &from);
            columns
        };
        looking.adds(&columns, self.added(), "split");
        if self.cuts_documents() {
            without_record(&mut columns);
        }
        columns.set(&self.column, Holds::Text);
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
        columns.may_have(&reason_column(&self.column), Holds::Text);
        if let Some(count) = &self.count {
            columns.set(count, Holds::Numbers);
            columns.may_have(&reason_column(count), Holds::Text);
        }
        columns.new_rows();
        columns
    }

    fn tokenizer(&self) -> Option<&TokenizerSpec> {
        self.parts.tokenizer()
    }
}
