//! The columns of stages that ask models.

use super::documents::without_record;
use super::{Columns, Heads, Holds, Lack, Looking, NO_COLUMN};
use crate::frame::Scalar;
use crate::models::ask::RecordedFile;
use crate::models::spec::Provider;
use crate::stage::generate::missing_column;
use crate::stage::{Asking, Generate, Judge};

impl Looking<'_> {
    /// What the model is to be told of a row, and what the stage adds to it.
    fn asks(&mut self, asking: &Asking, heads: &Heads, kind: &str) {
        let (columns, from) = (self.input(), self.from());
        for name in asking.prompt.iter().flat_map(|prompt| &prompt.variables) {
            self.needs(&columns, &["variables"], name, &from);
        }
        match &asking.model.provider {
            Provider::Recorded { files, how } => {
                for name in how.matching.values() {
                    self.needs(&columns, &["from"], name, &from);
                }
                for head in files.iter().filter_map(|file| heads.of(file)).flatten() {
                    if let Some(recorded) = &head.columns {
                        self.recorded(how, recorded, &asking.model.name, &head.path.display());
                    }
                }
            }
            Provider::Heuristic(_) => self.needs(&columns, &["from"], "text", &from),
            Provider::OpenAi(_) | Provider::Anthropic(_) | Provider::Scripted { .. } => {}
        }
        self.adds(&columns, asking.adds.iter().map(String::as_str), kind);
    }

    /// The columns of recorded files that the model's settings name.
    fn recorded(
        &mut self,
        how: &RecordedFile,
        recorded: &Columns,
        model: &str,
        path: &dyn std::fmt::Display,
    ) {
        let path = path.to_string();
        let matched = how.matching.keys().map(|name| ("match", name.as_str()));
        let kept = how.keep.columns().map(|name| ("where", name));
        let whole = how.parts.keys().map(|name| ("parts", name.as_str()));
        let named = std::iter::once(("text", how.text.as_str()))
            .chain(how.finish.iter().map(|name| ("finish", name.as_str())))
            .chain(matched)
            .chain(kept)
            .chain(whole);
        for (step, name) in named {
            let mut parts = how
                .parts
                .values()
                .flat_map(crate::models::ask::Pattern::names);
            if parts.any(|part| part == name) {
                continue;
            }
            let before = self.lacks.len();
            self.needs(recorded, &["models", model, step], name, &path);
            for lack in &mut self.lacks[before..] {
                lack.label = "not a column of the recorded files";
            }
        }
    }
}

impl Judge {
    pub(super) fn columns(&self, heads: &Heads, looking: &mut Looking<'_>) -> Columns {
        looking.asks(&self.asking(), heads, "judge");
        let mut columns = looking.input();
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

impl Generate {
    pub(super) fn columns(&self, heads: &Heads, looking: &mut Looking<'_>) -> Columns {
        looking.asks(&self.asking(), heads, "generate");
        let mut columns = looking.input();
        if self.into == "text" {
            without_record(&mut columns);
        }
        if self.repeats > 1 {
            columns.set("repeat", Holds::Numbers);
        }
        if let Some(previous) = &self.previous {
            let from = looking.from();
            if columns.lacks("section") {
                looking.lacks.push(Lack {
                    code: NO_COLUMN,
                    at: (vec!["previous".to_owned()], None),
                    message: format!("there is no column `section` in what `{from}` gives"),
                    label: "there is no section before",
                    help: "let the stage read a `split` stage".to_owned(),
                });
            }
            for name in &previous.key {
                looking.needs(&columns, &["previous"], name, &from);
            }
            let name = format!("previous_{}", self.into);
            columns.set(&name, Holds::Text);
            columns.set(&missing_column(&name), Holds::Text);
        }
        for name in [
            self.into.clone(),
            missing_column(&self.into),
            format!("{}_finish", self.into),
            format!("{}_call", self.into),
        ] {
            columns.set(&name, Holds::Text);
        }
        columns
    }
}
