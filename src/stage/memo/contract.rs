//! What `memo` stages say of themselves.

use std::collections::BTreeSet;

use super::gather::OF_SCORES;
use super::{MEMO_COLUMNS, Memo};
use crate::base::failure::Failure;
use crate::stage::columns::Looking;
use crate::stage::contract::{About, Compute, Gathers, Gives, Work};
use crate::stage::inputs::{Inputs, World};
use crate::stage::{Columns, Holds, Output, RESERVED, RowsOf, SPLIT_COLUMNS, StageName};

impl Work for Memo {
    fn about() -> About {
        About {
            version: 1,
            reads: &[RowsOf::Scores],
            gives: Gives::Rows(&[RowsOf::Documents]),
            gathers: Gathers::Nothing,
            columns: &MEMO_COLUMNS,
        }
    }

    fn reads(&self) -> Vec<&StageName> {
        self.from.iter().chain(&self.documents).collect()
    }

    fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        let inputs = looking.inputs();
        let mut judges: Vec<&Columns> = Vec::new();
        let mut documents: Option<&Columns> = None;
        for (name, columns) in inputs {
            let name = name.to_string();
            looking.adds_of(columns, &name, MEMO_COLUMNS, "memo");
            let is_document = self
                .documents
                .as_ref()
                .is_some_and(|documents| documents.to_string() == name);
            if self.key_given {
                for key in &self.key {
                    looking.needs(columns, &["key"], key, &name);
                }
            }
            if is_document {
                documents = Some(columns);
                continue;
            }
            for scored in ["metric", "score"] {
                looking.needs(columns, &["from"], scored, &name);
            }
            looking.needs(columns, &["section"], &self.section, &name);
            judges.push(columns);
        }
        let read = Columns::stacked(judges.iter().copied());
        if let Some(summaries) = &self.summaries {
            let from = self
                .from
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>();
            let from = from.join(", ");
            looking.needs(&read, &["summaries"], summaries, &from);
        }
        let mut columns = documents.cloned().unwrap_or_default();
        for (name, column) in read.each() {
            let of_sections = RESERVED.contains(&name)
                || SPLIT_COLUMNS.contains(&name)
                || self.of_sections.iter().any(|one| one == name)
                || name == self.section
                || name == "text";
            if self.key.iter().any(|one| one == name) {
                columns.set(name, column.holds);
            } else if !of_sections && !columns.has(name) {
                columns.may_have(name, column.holds);
            } else {
                continue;
            }
            columns.hold_only(name, &judges);
        }
        columns.no_surer_than(&read);
        for name in MEMO_COLUMNS {
            match name {
                "section_repeat" => columns.may_have(name, Holds::Numbers),
                "sections" | "sections_unscored" => columns.set(name, Holds::Numbers),
                _ => columns.set(name, Holds::Text),
            }
        }
        columns.new_rows();
        columns
    }

    /// Replies are most of a judge's rows, and nothing here reads them.
    fn passes_over(&self, of: &StageName) -> BTreeSet<&'static str> {
        if !self.from.contains(of) {
            return BTreeSet::new();
        }
        let named = self
            .key
            .iter()
            .chain(&self.summaries)
            .chain([&self.section]);
        let named: BTreeSet<&str> = named.map(String::as_str).chain(OF_SCORES).collect();
        let all = RESERVED.into_iter().chain(["text"]);
        all.filter(|name| !named.contains(name)).collect()
    }
}

impl Compute for Memo {
    fn run(&self, inputs: &Inputs, _: &dyn World) -> Result<Output, Failure> {
        self.put_together(&inputs.all())
    }
}
