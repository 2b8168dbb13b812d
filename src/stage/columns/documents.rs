//! The columns of stages that ask nobody and whose rows are documents, or counts of them.

use super::{Columns, Holds, Lack, Looking, NO_COLUMN};
use crate::frame::Scalar;
use crate::stage::{
    CLEANED, Clean, DAMAGE_COLUMNS, Length, Manipulate, Measure, NOT_APPLICABLE, SPLIT_COLUMNS,
    Select, Split, Truncate,
};

/// Without what manipulations recorded of texts that are changed now.
pub(super) fn without_record(columns: &mut Columns) {
    for name in ["edits", "operations", "candidates", "unaltered"] {
        columns.remove(name);
    }
}

impl Looking<'_> {
    /// The one table that it reads, which must have these columns.
    pub(super) fn input_with(&mut self, names: &[&str]) -> Columns {
        let (columns, from) = (self.input(), self.from());
        for name in names {
            self.needs(&columns, &["from"], name, &from);
        }
        columns
    }
}

impl Clean {
    #[expect(clippy::unused_self, reason = "every kind is asked alike")]
    pub(super) fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        let mut columns = looking.input_with(&["text", "doc_id"]);
        without_record(&mut columns);
        columns.set("text", Holds::Text);
        columns.set(CLEANED, Holds::Text);
        columns.may_have(NOT_APPLICABLE, Holds::Text);
        columns
    }
}

impl Truncate {
    pub(super) fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        let mut columns = looking.input_with(&["text", "doc_id"]);
        if self.tokens != Length::Full {
            without_record(&mut columns);
            columns.set("text", Holds::Text);
        }
        columns
    }
}

impl Split {
    #[expect(clippy::unused_self, reason = "every kind is asked alike")]
    pub(super) fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        let mut columns = looking.input_with(&["text", "doc_id"]);
        looking.adds(&columns, SPLIT_COLUMNS, "split");
        without_record(&mut columns);
        columns.set("text", Holds::Text);
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
        columns.may_have(NOT_APPLICABLE, Holds::Text);
        columns.new_rows();
        columns
    }
}

impl Manipulate {
    pub(super) fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        let mut columns = looking.input_with(&["text", "doc_id"]);
        if self.recipe.is_some() {
            columns.set("text", Holds::Text);
        }
        for name in DAMAGE_COLUMNS {
            match name {
                "unaltered" => columns.may_have(name, Holds::Text),
                "candidates" | "operations" => columns.set(name, Holds::Numbers),
                _ => columns.set(name, Holds::Text),
            }
        }
        columns
    }
}

impl Measure {
    pub(super) fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        let mut columns = looking.input_with(&["text"]);
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
}

impl Select {
    pub(super) fn columns(&self, looking: &mut Looking<'_>) -> Columns {
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
        }
        if !self.columns.is_empty() {
            for name in &self.columns {
                looking.needs(&columns, &["columns"], name, &from);
            }
            columns.open = false;
            let all: Vec<String> = columns.names().into_iter().map(str::to_owned).collect();
            for name in all.iter().filter(|name| !self.columns.contains(name)) {
                columns.remove(name);
            }
            for name in &self.columns {
                if columns.lacks(name) {
                    columns.set(name, Holds::Unknown);
                }
            }
        }
        for (name, value) in &self.add {
            if columns.has(name) {
                looking.lacks.push(Lack {
                    code: NO_COLUMN,
                    at: (vec!["add".to_owned(), name.clone()], None),
                    message: format!("`{from}` gives a column `{name}` already, which `add` adds"),
                    label: "added here",
                    help: "call the new one otherwise, or leave the old one out with `columns`"
                        .to_owned(),
                });
            }
            match value {
                Scalar::Null => columns.set(name, Holds::Unknown),
                value => columns.fix(name, [value.clone()]),
            }
        }
        if self.is_narrow() {
            columns.new_rows();
        }
        columns
    }

    /// Whether it may keep fewer rows.
    fn is_narrow(&self) -> bool {
        self.condition.is_some()
            || self.keywords.is_some()
            || self.ids.is_some()
            || self.tokens.is_some()
            || self.sentences.is_some()
            || self.sentence_characters.is_some()
            || self.top.is_some()
            || self.sample.is_some()
            || self.distinct
            || !self.keep.0.is_empty()
    }
}
