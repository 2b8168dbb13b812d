//! What `measure` stages say of themselves.

use super::Measure;
use crate::frame::Scalar;
use crate::stage::columns::Looking;
use crate::stage::contract::{About, Gathers, Gives, Work};
use crate::stage::{Columns, Holds, Program, RowsOf, StageName};

impl Work for Measure {
    fn about() -> About {
        About {
            // 2: sentences end after `me.` and not before a small letter, and names and tags changed with them.
            version: 2,
            reads: &[RowsOf::Documents],
            gives: Gives::Rows(&[RowsOf::Counts, RowsOf::Values]),
            gathers: Gathers::Nothing,
            columns: &["metric", "value", "unscored", "detail"],
        }
    }

    fn reads(&self) -> Vec<&StageName> {
        vec![&self.from]
    }

    fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        let mut columns = looking.input_with(&["text"]);
        if let Some(reference) = &self.reference {
            let from = looking.from();
            looking.needs(&columns, &["reference"], reference, &from);
        }
        looking.adds(
            &columns,
            ["metric", "value", "unscored", "detail"],
            "measure",
        );
        columns.remove("text");
        let metrics = self.metrics.iter().map(ToString::to_string);
        columns.fix("metric", metrics.map(Scalar::Text));
        columns.set("value", Holds::Numbers);
        columns.set("unscored", Holds::Text);
        columns.set("detail", Holds::Text);
        columns
    }

    fn program(&mut self) -> Option<&mut Program> {
        self.annotator.as_mut()?.program()
    }
}
