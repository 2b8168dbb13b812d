//! What `judge` stages say of themselves.

use super::compare::{Compare, MADE};
use super::spans::FIELDS;
use super::until::ASKED;
use super::{Judge, Order, RESERVED};
use crate::frame::Scalar;
use crate::models::parse::Parser;
use crate::stage::columns::Looking;
use crate::stage::contract::{About, Gathers, Gives, Work};
use crate::stage::likelihood;
use crate::stage::{Columns, Holds, Named, RowsOf, SCHEMA, StageName, reason_column};

impl Work for Judge {
    fn about() -> About {
        About {
            // 2: issues that begin with a word such as "none" and go on are issues, and what a reply says of
            // metrics that were not asked for is left out. 3: a value is read with all of its clause, and one that
            // is not wholly understood is ambiguous; more forms of thoughts are known and taken out, and nothing
            // is read where a tag around them has no partner. 4: what stands around a number
            // (headings, columns, keys, scales, what is said later) must be understood too. 5: a column
            // `explanation`; of several `FINAL` scores for a metric the last counts if the reply presents it as what takes
            // the place of those before, else none (the first did). 6: the words of all servers for a reply that was cut are
            // known in recordings too, and the sign of the only negative mark counts for it.
            version: 6,
            reads: &[RowsOf::Documents],
            gives: Gives::Rows(&[RowsOf::Scores, RowsOf::Values]),
            gathers: Gathers::Nothing,
            columns: &RESERVED,
        }
    }

    fn reads(&self) -> Vec<&StageName> {
        vec![&self.from]
    }

    fn draws(&self) -> bool {
        let until = self.until.as_ref();
        self.compare.as_ref().is_some_and(Compare::draws)
            || until.is_some_and(|until| until.order == Order::Drawn)
    }

    fn files(&self) -> Vec<Named> {
        let schema = self.schema.iter();
        schema
            .map(|own| Named::one(&["schema"], SCHEMA, &own.file))
            .collect()
    }

    fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        let read = looking.input();
        let mut columns = match &self.compare {
            Some(compare) => compare.columns(&read, looking),
            None => read.clone(),
        };
        looking.asks(&columns, &self.model, self.prompt.as_ref());
        let made = self.compare.iter().flat_map(|_| MADE);
        looking.adds(&read, self.adds().chain(made), "judge");
        columns.remove("text");
        if let Some(judged) = self.judged.as_ref().filter(|judged| *judged != "text") {
            looking.needs(&columns, &["judged"], judged, &looking.from());
        }
        if let Some(compare) = &self.compare {
            compare.judged(&mut columns);
        }
        if let Some(schema) = &self.schema {
            schema.look(&self.metrics, &self.scale, looking);
        }
        if let Some(until) = &self.until {
            let from = looking.from();
            for name in &until.by {
                looking.needs(&columns, &["until", "by"], name, &from);
            }
            columns.set(ASKED, Holds::Numbers);
        }
        if self.repeats > 1 {
            columns.set("repeat", Holds::Numbers);
        }
        if let Some(items) = &self.items {
            items.columns(&mut columns, looking);
        }
        columns.fix("metric", self.metrics.iter().cloned().map(Scalar::Text));
        columns.set("score", Holds::Numbers);
        let texts = [
            "label",
            "unscored",
            "detail",
            "explanation",
            "issues",
            "finish",
            "reply",
            "call",
        ];
        for name in self.adds().filter(|name| texts.contains(name)) {
            columns.set(name, Holds::Text);
        }
        for name in self
            .adds()
            .filter(|name| ["written", "mass"].contains(name))
        {
            columns.set(name, Holds::Numbers);
        }
        if self.logprobs {
            likelihood::note(None, &mut columns);
        }
        if self.parse == Parser::ErrorSpans {
            columns.set("spans", Holds::Json);
            columns.set_fields("spans", FIELDS);
            columns.may_have(&reason_column("spans"), Holds::Text);
        }
        columns
    }
}
