//! What `truncate` stages say of themselves.

use super::{Length, Truncate};
use crate::language::text::TokenizerSpec;
use crate::stage::columns::{Looking, without_record};
use crate::stage::contract::{About, Gathers, Gives, Work};
use crate::stage::{Columns, Holds, RowsOf, StageName};

impl Work for Truncate {
    fn about() -> About {
        About {
            // 2: sentences end after `me.` and not before a small letter.
            version: 2,
            reads: &[RowsOf::Documents],
            gives: Gives::Rows(&[RowsOf::Documents]),
            gathers: Gathers::Nothing,
            columns: &[],
        }
    }

    fn reads(&self) -> Vec<&StageName> {
        vec![&self.from]
    }

    fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        let mut columns = looking.input_with(&["text", "doc_id"]);
        if self.tokens != Length::Full {
            without_record(&mut columns);
            columns.set("text", Holds::Text);
        }
        columns
    }

    fn tokenizer(&self) -> Option<&TokenizerSpec> {
        Some(&self.tokenizer)
    }
}
