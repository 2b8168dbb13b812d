//! The columns of stages that read scores and statistics, and of those that show rows.

use std::collections::BTreeMap;

use super::{Columns, Holds, Lack, Looking, NO_COLUMN, Value};
use crate::stage::{
    Export, Figure, Kind, MEMO_COLUMNS, Memo, NOT_APPLICABLE, RESERVED, SPLIT_COLUMNS, StageName,
    Stats, Table, Test, statistics,
};

impl Memo {
    pub(super) fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        let inputs = looking.inputs;
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
        for (name, column) in &read.names {
            let of_sections = RESERVED.contains(&name.as_str())
                || SPLIT_COLUMNS.contains(&name.as_str())
                || self.of_sections.contains(name)
                || *name == self.section
                || name == "text";
            if self.key.contains(name) {
                columns.set(name, column.holds);
            } else if !of_sections && !columns.has(name) {
                columns.may_have(name, column.holds);
            } else {
                continue;
            }
            columns.hold_only(name, &judges);
        }
        columns.open |= read.open;
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
}

impl Looking<'_> {
    /// Notes columns that the stage adds and that one of several tables has already.
    fn adds_of<'n>(
        &mut self,
        columns: &Columns,
        from: &str,
        names: impl IntoIterator<Item = &'n str>,
        kind: &str,
    ) {
        let Some(name) = names.into_iter().find(|name| columns.has(name)) else {
            return;
        };
        self.lacks.push(Lack {
            code: NO_COLUMN,
            at: (vec!["from".to_owned()], None),
            message: format!("`{from}` gives a column `{name}` already, which `{kind}` adds"),
            label: "read here",
            help: "rename it, or leave it out with `columns`".to_owned(),
        });
    }
}

impl Stats {
    pub(super) fn columns_given(&self, looking: &mut Looking<'_>) -> Columns {
        let read = Columns::stacked(looking.inputs.iter().map(|(_, columns)| *columns));
        let from = looking.from();
        for name in &self.by {
            looking.needs(&read, &["by"], name, &from);
        }
        for pair in &self.pair {
            looking.needs(&read, &["pair"], &pair.axis, &from);
        }
        for name in &self.over {
            looking.needs(&read, &["over"], name, &from);
        }
        looking.condition(&read, &["where"], self.condition.as_ref(), &from);
        looking.needs(&read, &["value"], &self.value, &from);
        looking.counts(&read, &["value"], &self.value, &from);
        self.told_apart(looking);
        let mut columns = Columns::default();
        for name in self.groups() {
            // The values of groups are written as texts.
            columns.set(name, Holds::Text);
        }
        for name in ["reasons", "over", "why"] {
            columns.set(name, Holds::Text);
        }
        for name in statistics(self.test) {
            columns.set(&name, Holds::Numbers);
        }
        if self.correct.is_some() && self.test == Test::PairedT {
            columns.set("p_adjusted", Holds::Numbers);
        }
        columns
    }

    /// Rows of two stages about the same documents have to differ in something that groups or observations go by.
    fn told_apart(&self, looking: &mut Looking<'_>) {
        if self.condition.is_some() {
            return;
        }
        let pairs = self.pair.iter().map(|pair| pair.axis.as_str());
        let by: Vec<&str> = self
            .by
            .iter()
            .chain(&self.over)
            .map(String::as_str)
            .collect();
        let by: Vec<&str> = by.into_iter().chain(pairs).collect();
        let scores = |name: &StageName| matches!(name.kind, Kind::Judge | Kind::Measure);
        let mut seen: BTreeMap<(usize, Vec<Value>), &StageName> = BTreeMap::new();
        for (name, columns) in looking.inputs.iter().filter(|(name, _)| scores(name)) {
            let Some(origin) = columns.origin() else {
                continue;
            };
            let sorts = columns.sorts(&by).into_iter();
            let twin = sorts
                .filter(|sort| !sort.contains(&Value::Unknown))
                .find_map(|sort| {
                    let other = *seen.entry((origin, sort)).or_insert(name);
                    (other != *name).then_some(other)
                });
            let Some(other) = twin else { continue };
            looking.lacks.push(Lack {
                code: "lint::told-apart",
                at: (vec!["from".to_owned()], Some(name.name.clone())),
                message: format!(
                    "rows of `{other}` and `{name}` are about the same documents, and nothing tells them apart"
                ),
                label: "read beside the other",
                help: "read them in two `stats` stages, or give each a column of its own with `add` in a `select` stage and name it in `by`"
                    .to_owned(),
            });
            return;
        }
    }
}

impl Table {
    pub(super) fn columns_given(&self, looking: &mut Looking<'_>) -> Columns {
        for (index, part) in self.parts.iter().enumerate() {
            let columns = looking.tables_of(&part.from);
            let from = part.from.to_string();
            let index = index.to_string();
            for (step, fields) in [("rows", &self.rows), ("columns", &self.columns)] {
                for field in fields.iter().filter(|field| !part.set.contains_key(*field)) {
                    looking.needs(&columns, &[step], field, &from);
                }
            }
            looking.needs_in_part(&columns, &index, "value", &part.value, &from);
            looking.counts(&columns, &["value"], &part.value, &from);
            if let Some(p) = &part.p {
                looking.needs_in_part(&columns, &index, "p", p, &from);
            }
            let at = ["part", &index, "where"];
            looking.condition(&columns, &at, part.condition.as_ref(), &from);
        }
        Columns::default()
    }
}

impl Figure {
    pub(super) fn columns_given(&self, looking: &mut Looking<'_>) -> Columns {
        for (index, part) in self.parts.iter().enumerate() {
            let columns = looking.tables_of(&part.from);
            let from = part.from.to_string();
            let index = index.to_string();
            for (step, fields) in [
                ("panels", &self.panels),
                ("y", &self.y),
                ("x", &self.x),
                ("series", &self.series),
            ] {
                for field in fields.iter().filter(|field| !part.set.contains_key(*field)) {
                    let name = part.rename.get(field).unwrap_or(field);
                    looking.needs(&columns, &[step], name, &from);
                }
            }
            looking.needs_in_part(&columns, &index, "value", &part.value, &from);
            looking.counts(&columns, &["value"], &part.value, &from);
            for name in part
                .interval
                .iter()
                .flat_map(crate::stage::figure::Interval::columns)
            {
                looking.needs_in_part(&columns, &index, "interval", name, &from);
            }
            for (step, condition) in [("where", &part.condition), ("reference", &self.reference)] {
                let at = ["part", &index, step];
                looking.condition(&columns, &at, condition.as_ref(), &from);
            }
            if self.nonsignificant.is_some() {
                looking.needs(&columns, &["nonsignificant"], "df", &from);
            }
        }
        Columns::default()
    }
}

impl Looking<'_> {
    /// Notes that a part of a table or figure reads a column, which may be said once for all parts.
    fn needs_in_part(&mut self, columns: &Columns, part: &str, step: &str, name: &str, from: &str) {
        let before = self.lacks.len();
        self.needs(columns, &["part", part, step], name, from);
        self.once(before);
    }
}

impl Export {
    pub(super) fn columns_given(&self, looking: &mut Looking<'_>) -> Columns {
        let mut columns = Columns::stacked(looking.inputs.iter().map(|(_, columns)| *columns));
        let from = looking.from();
        if self.from.len() > 1 {
            columns.set("stage", Holds::Text);
        }
        for name in &self.columns {
            // What only some documents get is there for them.
            if name != NOT_APPLICABLE {
                looking.needs(&columns, &["columns"], name, &from);
            }
        }
        columns
    }
}
