//! The check of a stage's columns before it runs: what it is given, and the problems found.

use super::{Columns, Heads, Holds, Mistake, NO_COLUMN};
use crate::base::failure::Failure;
use crate::base::wording::{list_of, nearest};
use crate::frame::Scalar;
use crate::models::spec::ModelSpec;
use crate::stage::{Expression, Prompt, StageName, TakesApart};

/// Sees whether an expression fits values that columns are known to hold.
type Check<'e> = dyn Fn(&dyn Fn(&str) -> Option<Scalar>) -> Result<(), Failure> + 'e;

/// Without what manipulations recorded of texts that are changed now.
pub(in crate::stage) fn without_record(columns: &mut Columns) {
    for name in ["edits", "operations", "candidates", "unaltered"] {
        columns.remove(name);
    }
}

/// A stage being looked at: what it is handed, and what was found wrong.
pub(crate) struct Looking<'c> {
    inputs: &'c [(&'c StageName, &'c Columns)],
    heads: &'c Heads,
    lacks: Vec<Mistake>,
}

impl<'c> Looking<'c> {
    /// At a stage that is handed these columns, each table named, while files look like this.
    pub(in crate::stage) fn new(
        inputs: &'c [(&'c StageName, &'c Columns)],
        heads: &'c Heads,
    ) -> Self {
        Self {
            inputs,
            heads,
            lacks: Vec::new(),
        }
    }

    /// What was found wrong.
    pub(in crate::stage) fn lacks(self) -> Vec<Mistake> {
        self.lacks
    }

    /// The tables that it is handed, named.
    pub(in crate::stage) fn inputs(&self) -> &'c [(&'c StageName, &'c Columns)] {
        self.inputs
    }

    /// What files look like.
    pub(in crate::stage) fn heads(&self) -> &'c Heads {
        self.heads
    }

    /// Notes something else that is wrong.
    pub(in crate::stage) fn lack(&mut self, lack: Mistake) {
        self.lacks.push(lack);
    }

    /// All tables that it reads, below each other.
    pub(in crate::stage) fn all(&self) -> Columns {
        Columns::stacked(self.inputs.iter().map(|(_, columns)| *columns))
    }

    /// The one table that it reads.
    pub(in crate::stage) fn input(&self) -> Columns {
        self.inputs
            .first()
            .map_or_else(Columns::unknown, |(_, columns)| (*columns).clone())
    }

    /// The names of the stages that it reads.
    pub(in crate::stage) fn from(&self) -> String {
        let mut names: Vec<String> = Vec::new();
        for (name, _) in self.inputs {
            if !names.contains(&name.to_string()) {
                names.push(name.to_string());
            }
        }
        names.join(", ")
    }

    /// All tables of a stage that it reads.
    pub(in crate::stage) fn tables_of(&self, stage: &StageName) -> Columns {
        let of = self.inputs.iter().filter(|(name, _)| *name == stage);
        Columns::stacked(of.map(|(_, columns)| *columns))
    }

    /// Notes that a column is read, by the setting at these steps.
    pub(in crate::stage) fn needs(
        &mut self,
        columns: &Columns,
        steps: &[&str],
        name: &str,
        from: &str,
    ) {
        if !columns.lacks(name) {
            return;
        }
        let known = columns.names();
        self.lacks.push(Mistake {
            place: None,
            code: NO_COLUMN,
            at: (owned(steps), Some(name.to_owned())),
            message: format!("{} has no column `{name}`", quoted(from)),
            label: "not a column",
            help: match nearest(name, &known) {
                Some(near) => format!("did you mean `{near}`?"),
                None if known.is_empty() => "it has no columns".to_owned(),
                None => format!("the columns are {}", list_of(&known)),
            },
        });
    }

    /// Notes what is wrong with a condition on the rows of these columns: a column that is not there, or values of
    /// different kinds that it compares.
    pub(in crate::stage) fn condition(
        &mut self,
        columns: &Columns,
        steps: &[&str],
        condition: Option<&Expression>,
        from: &str,
    ) {
        let Some(condition) = condition else { return };
        let check = |typical: &dyn Fn(&str) -> Option<Scalar>| condition.check_kinds(typical);
        self.expression(
            columns,
            steps,
            condition,
            from,
            (&check, "compares values of different kinds"),
        );
    }

    /// The same of an expression that need be no condition. What it makes.
    pub(in crate::stage) fn value(
        &mut self,
        columns: &Columns,
        steps: &[&str],
        value: &Expression,
        from: &str,
    ) -> Holds {
        let check = |typical: &dyn Fn(&str) -> Option<Scalar>| value.check_value(typical);
        let label = "values of different kinds";
        self.expression(columns, steps, value, from, (&check, label));
        value.holds(&|name| columns.holds(name))
    }

    fn expression(
        &mut self,
        columns: &Columns,
        steps: &[&str],
        expression: &Expression,
        from: &str,
        (check, label): (&Check<'_>, &'static str),
    ) {
        let (before, named) = (self.lacks.len(), expression.columns());
        // `word-count` is read as one column less another.
        let missing = named.iter().any(|name| columns.lacks(name));
        let odd = |name: &&str| !is_word(name) && expression.text().contains(*name);
        if let Some(name) = columns.names().into_iter().filter(|_| missing).find(odd) {
            self.lacks.push(Mistake {
                place: None,
                code: NO_COLUMN,
                at: (owned(steps), None),
                message: format!("`{name}` is not read as one column here"),
                label: "several names",
                help: format!("write `column('{name}')`, since the name is not a plain word"),
            });
            self.once(before);
            return;
        }
        for name in named {
            self.needs(columns, steps, name, from);
        }
        let typical = |name: &str| match columns.holds(name) {
            Holds::Text => Some(Scalar::from("text")),
            Holds::Numbers => Some(Scalar::Float(1.0)),
            Holds::Truth => Some(Scalar::Bool(true)),
            Holds::Json | Holds::Unknown => None,
        };
        if let Err(mixed) = check(&typical) {
            self.lacks.push(Mistake {
                place: None,
                code: "spec::bad-condition",
                at: (owned(steps), None),
                message: mixed.message,
                label,
                help: mixed.hint.unwrap_or_default(),
            });
        }
        self.once(before);
    }

    /// Leaves out what was noted before: one mistake is told once, however many parts have it.
    fn once(&mut self, before: usize) {
        let new = self.lacks.split_off(before);
        for lack in new {
            if !self.lacks.contains(&lack) {
                self.lacks.push(lack);
            }
        }
    }

    /// Notes that a column must hold numbers.
    pub(in crate::stage) fn counts(
        &mut self,
        columns: &Columns,
        steps: &[&str],
        name: &str,
        from: &str,
    ) {
        let found = match columns.holds(name) {
            Holds::Text => Some("text"),
            Holds::Json => Some("JSON"),
            Holds::Numbers | Holds::Truth | Holds::Unknown => None,
        };
        if let Some(found) = found {
            self.lacks.push(Mistake {
                place: None,
                code: NO_COLUMN,
                at: (owned(steps), Some(name.to_owned())),
                message: format!("the column `{name}` of `{from}` holds {found}, not numbers"),
                label: "no numbers",
                help: "name a column of numbers, or correct the file".to_owned(),
            });
        }
    }

    /// Notes that a column must hold texts.
    pub(in crate::stage) fn texts(
        &mut self,
        columns: &Columns,
        steps: &[&str],
        name: &str,
        from: &str,
    ) {
        let (found, help) = match columns.holds(name) {
            Holds::Numbers => ("numbers", "name a column of texts"),
            Holds::Truth => ("truth values", "name a column of texts"),
            Holds::Json => (
                "JSON",
                "name a column of texts; `explode` makes rows of lists",
            ),
            Holds::Text | Holds::Unknown => return,
        };
        self.lacks.push(Mistake {
            code: NO_COLUMN,
            at: (owned(steps), Some(name.to_owned())),
            place: None,
            message: format!("the column `{name}` of `{from}` holds {found}, not text"),
            label: "no text",
            help: help.to_owned(),
        });
    }

    /// Notes columns that the stage adds and that are there already.
    pub(in crate::stage) fn adds<'n>(
        &mut self,
        columns: &Columns,
        names: impl IntoIterator<Item = &'n str>,
        kind: &str,
    ) {
        let there: Vec<&str> = names.into_iter().filter(|name| columns.has(name)).collect();
        let Some(first) = there.first() else { return };
        let from = self.from();
        self.lacks.push(Mistake {
            place: None,
            code: NO_COLUMN,
            at: (owned(&["from"]), None),
            message: format!("`{from}` already has a column `{first}`, which `{kind}` adds"),
            label: "read here",
            help: format!(
                "rename or drop {} in a `derive` stage: `rename = {{ first_{first} = \"{first}\" }}`, or `drop = [{}]`",
                list_of(&there),
                there.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
            ),
        });
    }

    /// The one table that it reads, which must have these columns.
    pub(in crate::stage) fn input_with(&mut self, names: &[&str]) -> Columns {
        let (columns, from) = (self.input(), self.from());
        for name in names {
            self.needs(&columns, &["from"], name, &from);
        }
        columns
    }

    /// Notes columns that the stage adds and that one of several tables has already.
    pub(in crate::stage) fn adds_of<'n>(
        &mut self,
        columns: &Columns,
        from: &str,
        names: impl IntoIterator<Item = &'n str>,
        kind: &str,
    ) {
        let Some(name) = names.into_iter().find(|name| columns.has(name)) else {
            return;
        };
        self.lacks.push(Mistake {
            place: None,
            code: NO_COLUMN,
            at: (vec!["from".to_owned()], None),
            message: format!("`{from}` already has a column `{name}`, which `{kind}` adds"),
            label: "read here",
            help: "rename it, or leave it out with `columns`".to_owned(),
        });
    }

    /// Notes that a part of a table or figure reads a column, which may be said once for all parts.
    pub(in crate::stage) fn needs_in_part(
        &mut self,
        columns: &Columns,
        part: &str,
        step: &str,
        name: &str,
        from: &str,
    ) {
        let before = self.lacks.len();
        self.needs(columns, &["part", part, step], name, from);
        self.once(before);
    }

    /// What the model is to be told of a row; the rows that are asked about have these columns.
    pub(in crate::stage) fn asks(
        &mut self,
        columns: &Columns,
        model: &ModelSpec,
        prompt: Option<&Prompt>,
    ) {
        let (heads, from) = (self.heads, self.from());
        for name in prompt.into_iter().flat_map(|prompt| &prompt.variables) {
            self.needs(columns, &["variables"], name, &from);
        }
        for list in prompt.into_iter().flat_map(|prompt| &prompt.lists) {
            self.taken_apart(columns, list, &from);
        }
        let Some(provider) = model.provider.local() else {
            return;
        };
        for name in provider.looks_at() {
            self.needs(columns, &["from"], name, &from);
        }
        let Some((files, table)) = provider.reads().and_then(|r| Some((r.files, r.table?))) else {
            return;
        };
        for head in files.iter().filter_map(|file| heads.of(file)).flatten() {
            let Some(recorded) = &head.columns else {
                continue;
            };
            let path = head.path.display().to_string();
            for (key, name) in &table.named {
                let before = self.lacks.len();
                self.needs(recorded, &["models", &model.name, key], name, &path);
                for lack in &mut self.lacks[before..] {
                    lack.label = "not a column of the recorded files";
                }
            }
        }
    }

    /// Notes that a template takes for a list what is none, or names a field that the elements of a list do not have.
    fn taken_apart(&mut self, columns: &Columns, list: &TakesApart, from: &str) {
        let column = &list.column;
        let held = match columns.holds(column) {
            Holds::Text => Some("text"),
            Holds::Numbers => Some("numbers"),
            Holds::Truth => Some("truth values"),
            Holds::Json | Holds::Unknown => None,
        };
        let (message, label, help) = match (held, &list.field, columns.fields(column)) {
            (Some(held), ..) => (
                format!("the column `{column}` of {} holds {held}, and the template takes it apart", quoted(from)),
                "neither a list nor an object",
                "loops and fields are for columns of JSON: those of `list(…)` in a `group` stage, of `shape = \"json\"`, and of files"
                    .to_owned(),
            ),
            (None, Some(field), Some(fields)) if !fields.contains(&field.as_str()) => (
                format!("the elements of `{column}` have no field `{field}`"),
                "not a field",
                match nearest(field, &fields) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if fields.is_empty() => "they have no fields".to_owned(),
                    None => format!("the fields are {}", list_of(&fields)),
                },
            ),
            _ => return,
        };
        // A text that is no list is none wherever the template takes it for one.
        let told = |lack: &Mistake| held.is_some() && lack.message == message;
        if !self.lacks.iter().any(told) {
            self.lacks.push(Mistake {
                code: NO_COLUMN,
                at: (owned(&["prompt"]), None),
                place: list.place.clone(),
                message,
                label,
                help,
            });
        }
    }
}

/// Whether a condition can name a column as it is.
fn is_word(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
}

/// What gives columns, as messages name it: stages and files in backticks, other things in words.
fn quoted(from: &str) -> String {
    if from.starts_with("the ") {
        from.to_owned()
    } else {
        format!("`{from}`")
    }
}

fn owned(steps: &[&str]) -> Vec<String> {
    steps.iter().map(|&step| step.to_owned()).collect()
}
