//! What `generate` stages say of themselves.

use super::{Generate, SCHEMA};
use crate::stage::columns::{Looking, NO_COLUMN, without_record};
use crate::stage::contract::{About, Gathers, Gives, Named, Work};
use crate::stage::likelihood;
use crate::stage::{Columns, Holds, Mistake, RowsOf, StageName, reason_column};

impl Work for Generate {
    fn about() -> About {
        About {
            // 2: more forms of thoughts are known and taken out, and nothing is read where a tag around them has
            // no partner. 3: JSON is a column of JSON, not of text, and a key that occurs twice in an object is none.
            // 4: the words of all servers for a reply that was cut are known in recordings too.
            version: 4,
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
        let mut columns = looking.input();
        looking.asks(&columns, &self.model, Some(&self.prompt));
        looking.adds(&columns, self.adds().iter().map(String::as_str), "generate");
        if self.into == "text" {
            without_record(&mut columns);
        }
        if self.repeats > 1 {
            columns.set("repeat", Holds::Numbers);
        }
        if let Some(previous) = &self.previous {
            let from = looking.from();
            if columns.lacks("section") {
                looking.lack(Mistake {
                    place: None,
                    code: NO_COLUMN,
                    at: (vec!["previous".to_owned()], None),
                    message: format!("`{from}` has no column `section`"),
                    label: "there is no section before",
                    help: "let the stage read a `split` stage".to_owned(),
                });
            }
            for name in &previous.key {
                looking.needs(&columns, &["previous"], name, &from);
            }
            let name = format!("previous_{}", self.into);
            columns.set(&name, self.holds());
            columns.set(&reason_column(&name), Holds::Text);
        }
        columns.set(&self.into, self.holds());
        if self.logprobs {
            likelihood::note(Some(&self.into), &mut columns);
        }
        for name in [
            reason_column(&self.into),
            format!("{}_finish", self.into),
            format!("{}_call", self.into),
        ] {
            columns.set(&name, Holds::Text);
        }
        columns
    }

    fn files(&self) -> Vec<Named> {
        let schema = self.schema.iter();
        schema
            .map(|file| Named::one(&["schema"], SCHEMA, file))
            .collect()
    }
}
