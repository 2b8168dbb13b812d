//! What `select` stages say of themselves.

use super::Select;
use crate::base::failure::Failure;
use crate::frame::Scalar;
use crate::stage::columns::{Looking, NO_COLUMN};
use crate::stage::contract::{About, Compute, Gathers, Gives, Work};
use crate::stage::inputs::{Inputs, World};
use crate::stage::keys::lack_of_key;
use crate::stage::stats::says_behind;
use crate::stage::{Columns, Holds, Mistake, Output, RowsOf, StageName, reason_column};

impl Work for Select {
    fn about() -> About {
        About {
            // 2: sentences end after `me.` and not before a small letter. 3: conditions do not compare values of
            // different kinds. 4: a text that is absent is of no length, and one without sentences of none per sentence.
            version: 4,
            reads: &[RowsOf::Documents, RowsOf::Counts, RowsOf::Scores],
            gives: Gives::Rows(&[RowsOf::Documents, RowsOf::Values]),
            gathers: Gathers::Nothing,
            columns: &[],
        }
    }

    fn reads(&self) -> Vec<&StageName> {
        vec![&self.from]
    }

    fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        let (mut columns, from) = (looking.input(), looking.from());
        for name in self.keep.columns() {
            looking.needs(&columns, &["keep", name], name, &from);
        }
        looking.condition(&columns, &["where"], self.condition.as_ref(), &from);
        if let Some(keywords) = &self.keywords {
            for name in &keywords.columns {
                looking.needs(&columns, &["keywords", "columns"], name, &from);
            }
        }
        for (step, asked, name) in [
            ("ids", self.ids.is_some(), "doc_id"),
            ("sample", self.sample.is_some(), "doc_id"),
            ("tokens", self.tokens.is_some(), "text"),
            ("sentences", self.sentences.is_some(), "text"),
            (
                "sentence-characters",
                self.sentence_characters.is_some(),
                "text",
            ),
        ] {
            if asked {
                looking.needs(&columns, &[step], name, &from);
            }
        }
        if let Some(top) = &self.top {
            looking.needs(&columns, &["top", "by"], &top.by, &from);
            looking.counts(&columns, &["top", "by"], &top.by, &from);
            for name in &top.within {
                looking.needs(&columns, &["top", "within"], name, &from);
                lack_of_key(looking, &columns, &["top", "within"], (name, name), &from);
            }
        }
        if !self.columns.is_empty() {
            for name in &self.columns {
                looking.needs(&columns, &["columns"], name, &from);
            }
            columns.set_open(false);
            let all: Vec<String> = columns.names().into_iter().map(str::to_owned).collect();
            let says = says_behind(|name| columns.knows(name));
            for name in all.iter().filter(|name| !self.columns.contains(name)) {
                columns.remove(name);
            }
            if says {
                columns.may_have("behind", Holds::Text);
                for name in &self.columns {
                    columns.may_have(&reason_column(name), Holds::Text);
                }
            }
            for name in &self.columns {
                if columns.lacks(name) {
                    columns.set(name, Holds::Unknown);
                }
            }
        }
        for (name, value) in &self.add {
            if columns.has(name) {
                looking.lack(Mistake {
                    place: None,
                    code: NO_COLUMN,
                    at: (vec!["add".to_owned(), name.clone()], None),
                    message: format!("`{from}` already has a column `{name}`, which `add` adds"),
                    label: "added here",
                    help: "give the new one another name, or leave the old one out with `columns`"
                        .to_owned(),
                });
            }
            match value {
                Scalar::Null => columns.set(name, Holds::Unknown),
                value => columns.fix(name, [value.clone()]),
            }
        }
        if self.is_narrow() {
            columns.keep_some();
        }
        columns
    }

    fn draws(&self) -> bool {
        self.sample.is_some()
    }
}

impl Compute for Select {
    fn run(&self, inputs: &Inputs, world: &dyn World) -> Result<Output, Failure> {
        let chosen = if inputs.is_long() {
            self.choose_in_parts(inputs, world)
        } else {
            self.choose(inputs.one()?, world.name(), world.seed())
        };
        chosen.map_err(|failure| failure.or_hint(format!("the columns come from `{}`", self.from)))
    }

    fn in_parts(&self) -> bool {
        self.is_by_columns()
    }
}

impl Select {
    /// Whether it may keep fewer rows.
    fn is_narrow(&self) -> bool {
        self.chooses() || self.distinct
    }
}
