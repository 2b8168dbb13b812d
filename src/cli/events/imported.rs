//! The summary of an import, and what was wrong with its files.

use std::collections::BTreeMap;
use std::path::Path;

use crate::base::wording::{count, many, thousands, time};
use crate::import::judgememo::{Counts, Prompt};
use crate::import::{Kind, Problem};

/// How many files of a kind are shown; all are in the list that is written.
const SHOWN: usize = 10;

/// An import of the thesis's repository.
pub struct Imported<'i> {
    /// The texts.
    pub documents: &'i Counts,
    /// The outputs.
    pub responses: &'i Counts,
    /// The prompts.
    pub prompts: &'i [Prompt],
    /// Where the tables are.
    pub into: &'i Path,
    /// Where the templates are.
    pub templates: &'i Path,
    /// How long it took.
    pub seconds: f64,
}

impl Imported<'_> {
    /// The sentences at the end.
    pub fn summary(&self) -> String {
        let mut lines = vec![format!(
            "{} of {}, {} of {} and {} imported in {}",
            many(self.documents.total(), "text"),
            count(self.documents.of.len(), "document"),
            many(self.responses.total(), "output"),
            count(self.responses.of.len(), "model"),
            count(self.prompts.len(), "prompt"),
            time(self.seconds)
        )];
        if self.documents.total() > 0 {
            // What was not damaged first.
            let mut tasks: Vec<(&String, &u64)> = self.documents.rows.iter().collect();
            tasks.sort_by_key(|(task, _)| *task != "gold");
            let tasks = tasks.into_iter().map(|(task, rows)| {
                let of = if task == "gold" { "" } else { "of task " };
                format!("{} {of}{task}", thousands(*rows))
            });
            lines.push(format!("texts: {}", tasks.collect::<Vec<_>>().join(", ")));
        }
        if self.responses.total() > 0 {
            let stages = self.responses.rows.iter().map(|(stage, rows)| {
                let noun = match stage.as_str() {
                    "final" => "final judgement".to_owned(),
                    stage => stage.replace('_', " "),
                };
                many(*rows, &noun)
            });
            lines.push(format!(
                "outputs: {}",
                stages.collect::<Vec<_>>().join(", ")
            ));
        }
        lines.push(format!("tables are in {}", self.into.display()));
        if let Some(prompt) = self.prompts.first() {
            lines.push(format!(
                "prompts are in {}; to use one: prompt = \"{}\", variables = [{}]",
                self.templates.display(),
                prompt.name,
                prompt
                    .variables
                    .iter()
                    .map(|name| format!("\"{name}\""))
                    .collect::<Vec<_>>()
                    .join(", ")
            ));
        }
        lines.push(
            "(c) 2025 Hermine Kleiner, CC BY-NC-SA 4.0: name the author, no commercial use, share alike"
                .to_owned(),
        );
        lines.join("\n")
    }
}

/// What is wrong with the files of an import: counted by kind, the first of each kind by name; empty if
/// nothing is. `list` is where all of them stand.
pub fn problems(problems: &[Problem], list: &Path) -> String {
    let mut kinds: BTreeMap<Kind, Vec<&Problem>> = BTreeMap::new();
    for problem in problems {
        kinds.entry(problem.kind).or_default().push(problem);
    }
    if kinds.is_empty() {
        return String::new();
    }
    let mut lines = vec![format!(
        "{} damaged, missing or not recognised; the list is {}",
        match problems.len() {
            1 => "1 file is".to_owned(),
            n => format!("{} are", many(n as u64, "file")),
        },
        list.display()
    )];
    for (kind, problems) in kinds {
        let all = thousands(problems.len() as u64);
        lines.push(format!("{all} {} ({})", kind.name(), kind.outcome()));
        let shown = problems.iter().take(SHOWN);
        lines.extend(shown.map(|problem| format!("  {problem}")));
        if problems.len() > SHOWN {
            lines.push(format!(
                "  and {} more",
                thousands((problems.len() - SHOWN) as u64)
            ));
        }
    }
    lines.join("\n")
}
