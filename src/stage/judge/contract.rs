//! What `judge` stages say of themselves.

use super::{Judge, RESERVED};
use crate::frame::Scalar;
use crate::stage::columns::Looking;
use crate::stage::contract::{About, Gathers, Gives, Work};
use crate::stage::{Columns, Holds, RowsOf, StageName};

impl Work for Judge {
    fn about() -> About {
        About {
            // 2: issues that begin with a word such as "none" and go on are issues, and what a reply says of
            // metrics that were not asked for is left out. 3: a value is read with all of its clause, and one that
            // is not wholly understood is ambiguous; more forms of thoughts are known and taken out, and nothing
            // is read where a tag around them has no partner. 4: what stands around a number
            // (headings, columns, keys, scales, what is said later) must be understood too.
            version: 4,
            reads: &[RowsOf::Documents],
            gives: Gives::Rows(&[RowsOf::Scores, RowsOf::Values]),
            gathers: Gathers::Nothing,
            columns: &RESERVED,
        }
    }

    fn reads(&self) -> Vec<&StageName> {
        vec![&self.from]
    }

    fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        let mut columns = looking.input();
        looking.asks(&self.model, self.prompt.as_ref());
        looking.adds(&columns, RESERVED, "judge");
        columns.remove("text");
        if self.repeats > 1 {
            columns.set("repeat", Holds::Numbers);
        }
        columns.fix("metric", self.metrics.iter().cloned().map(Scalar::Text));
        columns.set("score", Holds::Numbers);
        for name in ["unscored", "detail", "issues", "finish", "reply", "call"] {
            columns.set(name, Holds::Text);
        }
        columns
    }
}
