//! What `scorer` stages say of themselves.

use super::Scorer;
use crate::frame::Scalar;
use crate::stage::columns::Looking;
use crate::stage::contract::{About, Gathers, Gives, Work};
use crate::stage::{Columns, Holds, Program, RowsOf, StageName, reason_column};

impl Work for Scorer {
    fn about() -> About {
        About {
            version: 1,
            reads: RowsOf::ALL,
            gives: Gives::Rows(&[RowsOf::Documents, RowsOf::Scores, RowsOf::Values]),
            gathers: Gathers::Nothing,
            columns: &[],
        }
    }

    fn reads(&self) -> Vec<&StageName> {
        vec![&self.from]
    }

    fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        let (mut columns, from) = (looking.input(), looking.from());
        for name in &self.columns {
            looking.needs(&columns, &["columns"], name, &from);
        }
        looking.adds(&columns, self.adds(), "scorer");
        for (name, given) in &self.gives {
            columns.set(name, given.holds());
            columns.may_have(&reason_column(name), Holds::Text);
        }
        if !self.metrics.is_empty() {
            columns.remove("text");
            columns.fix("metric", self.metrics.iter().cloned().map(Scalar::Text));
            for name in self.own() {
                match name {
                    "metric" => {}
                    "score" => columns.set(name, Holds::Numbers),
                    _ => columns.set(name, Holds::Text),
                }
            }
        }
        columns
    }

    fn program(&mut self) -> Option<&mut Program> {
        Some(&mut self.program)
    }
}
