//! One document: what it is, what was done to it, and its text with the edits.

use serde_json::Value;

use super::found::Found;
use crate::base::exit::Error;
use crate::base::wording::{count, many};
use crate::cli::events::{difference, marked, visible};
use crate::language::manipulate::Layer;
use crate::stage::{CLEANED, NOT_APPLICABLE};

/// What is shown of a document.
pub(super) struct Shown {
    /// What is to be said of it.
    pub(super) heading: Vec<String>,
    /// Its text, or the changed places, if it has a text.
    pub(super) body: Option<String>,
    /// How many edits are marked.
    pub(super) edits: usize,
}

/// What is to be said of a document, and its text with the edits, or the changed places alone.
pub(super) fn document(row: &Found, diff: bool, color: bool) -> Result<Shown, Error> {
    let mut names = vec![row.cell("doc_id").unwrap_or_default()];
    for name in ["title", "author", "year"] {
        names.extend(row.cell(name));
    }
    if !row.settings.is_empty() {
        names.push(format!("[{}]", row.settings()));
    }
    let mut shown = Shown {
        heading: vec![visible(&names.join(" · "))],
        body: None,
        edits: 0,
    };
    if let Some(why) = row.cell(NOT_APPLICABLE) {
        shown
            .heading
            .push(visible(&format!("not applicable: {why}")));
    }
    let Some(text) = row.cell("text") else {
        return Ok(shown);
    };
    let layers = row.layers()?;
    let edits = match layers.last() {
        Some(layer) => {
            shown.heading.push(amount(row, layer));
            if layers.len() > 1 {
                shown.heading.push(format!(
                    "{} before it, not marked here",
                    count(layers.len() - 1, "manipulation")
                ));
            }
            // Nothing, where it is not the text that they made.
            layer.placed(&text).ok()
        }
        // A later stage that changes the text drops the record of edits, which no longer fits.
        None => match row.cell("manipulation") {
            Some(manipulation) => {
                shown.heading.push(visible(&manipulation));
                None
            }
            None => Some(Vec::new()),
        },
    };
    let cleaned = cleaned(row);
    shown
        .heading
        .extend(cleaned.iter().map(|step| visible(&step.done)));
    let Some(edits) = edits else {
        shown
            .heading
            .push("the text was changed after that, so the edits are not marked".to_owned());
        shown.body = Some(marked(&text, &[], color));
        return Ok(shown);
    };
    shown.edits = edits.len();
    shown.body = Some(if !diff {
        marked(&text, &edits, color)
    } else if !edits.is_empty() {
        difference(&text, &edits, color)
    } else if cleaned.iter().any(|step| !step.examples.is_empty()) {
        let steps = cleaned.iter().flat_map(|step| &step.examples);
        visible(&steps.map(String::as_str).collect::<Vec<_>>().join("\n"))
    } else {
        "nothing was changed".to_owned()
    });
    Ok(shown)
}

/// What a manipulation did: `typos: 10 operations of 499 candidates, 10 edits`.
fn amount(row: &Found, layer: &Layer) -> String {
    let candidates = row.cell("candidates").and_then(|cell| cell.parse().ok());
    visible(&format!(
        "{}: {}{}, {}",
        layer.manipulation,
        count(layer.operations, "operation"),
        candidates.map_or_else(String::new, |n| format!(" of {}", many(n, "candidate"))),
        count(layer.edits.len(), "edit")
    ))
}

/// What a step of cleaning did.
struct Step {
    /// In a line.
    done: String,
    /// Some of the places, before and after.
    examples: Vec<String>,
}

/// The steps of cleaning that changed something or have something to say; none, where a text was not cleaned here.
fn cleaned(row: &Found) -> Vec<Step> {
    let report = row
        .is_cleaned
        .then(|| row.cell(CLEANED))
        .flatten()
        .and_then(|cell| serde_json::from_str::<Value>(&cell).ok());
    let steps = report.as_ref().and_then(Value::as_array);
    steps.into_iter().flatten().filter_map(step).collect()
}

fn step(report: &Value) -> Option<Step> {
    let number = |key: &str| report[key].as_u64().unwrap_or(0);
    let name = report["step"].as_str()?;
    let mut done: Vec<String> = Vec::new();
    if number("changes") > 0 {
        done.push(many(number("changes"), "change"));
        for (key, sign) in [("characters_removed", '−'), ("characters_added", '+')] {
            if number(key) > 0 {
                done.push(format!("{sign}{}", many(number(key), "character")));
            }
        }
    }
    let notes = report["notes"].as_array().into_iter().flatten();
    done.extend(notes.filter_map(|note| note.as_str().map(str::to_owned)));
    let examples = report["examples"].as_array().into_iter().flatten();
    (!done.is_empty()).then(|| Step {
        done: format!("{name}: {}", done.join(", ")),
        examples: examples
            .map(|example| {
                let text = |key: &str| example[key].as_str().unwrap_or_default().to_owned();
                let line = example["line"].as_u64().unwrap_or(0);
                format!(
                    "{name}, line {line}\n- {}\n+ {}\n",
                    text("was"),
                    text("now")
                )
            })
            .collect(),
    })
}
