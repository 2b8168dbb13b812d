//! `tribunal show`: one document as an experiment makes it, with its edits.

use std::sync::Arc;

use indexmap::IndexSet;
use serde_json::{Map, Value};

use super::args::ShowArgs;
use super::exit::{Error, Exit};
use super::forecast::results;
use super::load::load;
use super::output::Terminal;
use crate::frame::{Frame, Scalar};
use crate::plan::{NodeId, Plan};
use crate::report::columns::{Column, Kind as Shape, draw, fits};
use crate::show::{Replacement, difference, marked, visible};
use crate::stage::{Kind, Layer, NOT_APPLICABLE, StageName, layers};
use crate::wording::{count, list_of, nearest, some_of, thousands, wrap};

/// What tells the rows of an ablation apart.
const ABLATION: &str = "ablation";

/// One row of a stage's result that holds a document.
struct Found {
    /// The axis values of the node, and `section` where there is one: what tells the rows apart.
    settings: Vec<(String, String)>,
    frame: Arc<Frame>,
    row: usize,
}

pub(super) fn run(args: &ShowArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let loaded = load(&args.spec.spec, &args.spec.changes, terminal)?;
    let plan = Plan::new(&loaded.spec);
    let stage = stage(&plan, args.stage.as_deref())?;
    let wheres = wheres(&args.wheres)?;
    // Nodes of other axis values are not run.
    let plan = plan.only_nodes(|node| {
        node.name == stage
            && node.settings.iter().all(|(axis, value)| {
                let mut wanted = wheres.iter().filter(|(name, _)| name == axis);
                wanted.all(|(_, wanted)| value.to_string() == *wanted)
            })
    });
    if plan.before_models().nodes.len() < plan.nodes.len() {
        return Err(Error::new(
            Exit::Usage,
            format!("`{stage}` needs a model's answers, and `show` asks nobody"),
        )
        .hint("name a stage of documents that stands before every model"));
    }
    let (plan, frames) = results(&loaded, plan, &stage, terminal)?;
    let mut rows: Vec<Found> = frames
        .iter()
        .flat_map(|(id, frame)| rows_of(&plan, *id, frame))
        .collect();
    check_columns(&wheres, &rows)?;
    rows.retain(|row| {
        wheres
            .iter()
            .all(|(name, value)| row.cell(name).as_deref() == Some(value))
    });
    if let Some(wanted) = &args.document {
        let ids: Vec<String> = rows.iter().filter_map(|row| row.cell("doc_id")).collect();
        rows.retain(|row| row.cell("doc_id").as_deref() == Some(wanted));
        if rows.is_empty() {
            return Err(no_document(wanted, &stage, ids));
        }
    }
    if args.json {
        for row in &rows {
            terminal.json(&Value::Object(row.json()?).to_string());
        }
        return Ok(Exit::Done);
    }
    match rows.as_slice() {
        [only] if args.document.is_some() => {
            let (head, body) = document(only, args.diff, terminal.results.color)?;
            terminal.tell(&head.join("\n"));
            if let Some(body) = body {
                terminal.styled(&format!("\n{body}"));
            }
        }
        [] => terminal.out("no row fits"),
        several => {
            let rows = count(several.len(), "row");
            let how = match &args.document {
                Some(_) => "choose one with `--where NAME=VALUE`",
                None => "name a document to see it",
            };
            let list = list(several, terminal);
            terminal.styled(&format!("{stage}: {rows}\n\n{list}\n{how}"));
        }
    }
    Ok(Exit::Done)
}

/// The stage that is meant: the one named, or the last that makes documents.
fn stage(plan: &Plan, named: Option<&str>) -> Result<StageName, Error> {
    let names: Vec<&StageName> = {
        let mut names: Vec<&StageName> = Vec::new();
        for node in &plan.nodes {
            let kind = node.name.kind;
            if Kind::OF_DOCUMENTS.contains(&kind) && !kind.asks() && !names.contains(&&node.name) {
                names.push(&node.name);
            }
        }
        names
    };
    let Some(named) = named else {
        let damaged = names
            .iter()
            .rev()
            .find(|name| name.kind == Kind::Manipulate);
        return damaged
            .or(names.last())
            .map(|name| (**name).clone())
            .ok_or_else(|| Error::new(Exit::Usage, "the spec has no documents"));
    };
    let found = names
        .iter()
        .find(|name| name.name == named || name.to_string() == named);
    found.map(|name| (**name).clone()).ok_or_else(|| {
        let known: Vec<String> = names.iter().map(ToString::to_string).collect();
        let plain: Vec<&str> = names.iter().map(|name| name.name.as_str()).collect();
        let near = nearest(named, &known).or_else(|| nearest(named, &plain));
        Error::new(Exit::Usage, format!("no stage `{named}` makes documents")).hint(match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the stages are {}", list_of(&known)),
        })
    })
}

fn rows_of(plan: &Plan, id: NodeId, frame: &Arc<Frame>) -> Vec<Found> {
    (0..frame.rows())
        .map(|row| {
            let mut settings: Vec<(String, String)> = plan
                .node(id)
                .settings
                .iter()
                .map(|(axis, value)| (axis.clone(), value.to_string()))
                .collect();
            let found = |name: &str| {
                let column = frame.column(name).ok()?;
                Some((name.to_owned(), column.text(row)?.into_owned()))
            };
            settings.extend(found("section"));
            let variants = &plan.node(id).variants;
            if !variants.contains("") {
                let names: Vec<&str> = variants.iter().map(String::as_str).collect();
                settings.push((ABLATION.to_owned(), names.join("+")));
            }
            Found {
                settings,
                frame: Arc::clone(frame),
                row,
            }
        })
        .collect()
}

/// The `--where` arguments.
pub(super) fn wheres(written: &[String]) -> Result<Vec<(&str, &str)>, Error> {
    let split = |written: &'_ String| {
        written.find('=').ok_or_else(|| {
            Error::new(Exit::Usage, format!("`--where {written}` names no value"))
                .hint("write `--where task=typos`")
        })
    };
    written
        .iter()
        .map(|written| split(written).map(|at| (&written[..at], &written[at + 1..])))
        .collect()
}

/// Refuses names that are columns of no row.
fn check_columns(wheres: &[(&str, &str)], rows: &[Found]) -> Result<(), Error> {
    let mut known: Vec<String> = vec![ABLATION.to_owned()];
    for row in rows {
        for name in row.frame.names() {
            if !known.iter().any(|other| other == name) {
                known.push(name.to_owned());
            }
        }
    }
    for (name, _) in wheres {
        if !rows.is_empty() && !known.iter().any(|other| other == name) {
            return Err(
                Error::new(Exit::Usage, format!("there is no column or axis `{name}`")).hint(
                    match nearest(name, &known) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("the columns are {}", list_of(&known)),
                    },
                ),
            );
        }
    }
    Ok(())
}

pub(super) fn no_document(wanted: &str, stage: &StageName, mut ids: Vec<String>) -> Error {
    ids.sort();
    ids.dedup();
    let hint = match nearest(wanted, &ids) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the documents are {}", some_of(&ids)),
    };
    Error::new(Exit::Usage, format!("`{stage}` has no document `{wanted}`")).hint(hint)
}

impl Found {
    fn cell(&self, name: &str) -> Option<String> {
        if name == ABLATION {
            let found = self
                .settings
                .iter()
                .find(|(setting, _)| setting == ABLATION);
            return found.map(|(_, value)| value.clone());
        }
        let column = self.frame.column(name).ok()?;
        column.text(self.row).map(std::borrow::Cow::into_owned)
    }

    fn layers(&self) -> Result<Vec<Layer>, Error> {
        match self.cell("edits") {
            Some(cell) => layers(&cell).map_err(|error| Error::new(Exit::Stage, error.to_string())),
            None => Ok(Vec::new()),
        }
    }

    /// The row as an object; columns that hold JSON as what they hold.
    fn json(&self) -> Result<Map<String, Value>, Error> {
        let mut object = Map::new();
        for name in self.frame.names() {
            let column = self
                .frame
                .column(name)
                .map_err(|error| Error::new(Exit::Stage, error.to_string()))?;
            let value = match column.scalar(self.row) {
                Scalar::Null => Value::Null,
                Scalar::Bool(value) => value.into(),
                Scalar::Int(value) => value.into(),
                Scalar::Float(value) => value.into(),
                Scalar::Text(text) if ["edits", "cleaned"].contains(&name) => {
                    serde_json::from_str(&text).unwrap_or(Value::String(text))
                }
                Scalar::Text(text) => text.into(),
            };
            object.insert(name.to_owned(), value);
        }
        Ok(object)
    }

    fn settings(&self) -> String {
        let settings: Vec<String> = self
            .settings
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        settings.join(", ")
    }
}

/// A line for each row: what tells it apart, its size, what was done to it; and below, why rows hold no text.
///
/// Columns that would say nothing of any row are left out, and those that are known from elsewhere where there is no room.
fn list(rows: &[Found], terminal: &Terminal) -> String {
    let mut settings: Vec<&str> = Vec::new();
    for (name, _) in rows.iter().flat_map(|row| &row.settings) {
        if !settings.contains(&name.as_str()) {
            settings.push(name);
        }
    }
    let mut notes: IndexSet<String> = IndexSet::new();
    let marks: Vec<String> = rows
        .iter()
        .map(|row| match row.cell(NOT_APPLICABLE) {
            Some(why) => format!("[{}]", notes.insert_full(why).0 + 1),
            None => String::new(),
        })
        .collect();
    let column = |head: &str, kind, of: &dyn Fn(&Found) -> String| {
        let fields = rows.iter().map(|row| visible(&of(row)));
        Column::new(visible(head), kind, fields.collect())
    };
    let cell = |name: &'static str| move |row: &Found| row.cell(name).unwrap_or_default();
    let mut columns = vec![
        column("document", Shape::Name, &cell("doc_id")),
        column(TITLE, Shape::Words, &cell("title")),
    ];
    for name in settings {
        columns.push(column(name, Shape::Name, &|row| {
            let found = row.settings.iter().find(|(setting, _)| setting == name);
            found.map(|(_, value)| value.clone()).unwrap_or_default()
        }));
    }
    columns.extend([
        column("words", Shape::Number, &|row| {
            let text = row.cell("text").map(|text| text.split_whitespace().count());
            text.map_or("—".to_owned(), |words| thousands(words as u64))
        }),
        column(OPERATIONS, Shape::Number, &cell("operations")),
        Column::new("note", Shape::Name, marks),
    ]);
    columns.retain(|column| column.fields.iter().any(|field| !field.is_empty()));
    for spare in [TITLE, OPERATIONS] {
        if !fits(&columns, terminal.width) {
            columns.retain(|column| column.head != spare);
        }
    }
    let mut text = draw(&columns, terminal.width, terminal.results.color);
    for (at, why) in notes.iter().enumerate() {
        text.push('\n');
        let note = format!("not applicable: {}", visible(why));
        text.push_str(&wrap(&format!("[{}] ", at + 1), &note, terminal.width));
    }
    text
}

const TITLE: &str = "title";
const OPERATIONS: &str = "operations";

/// What is to be said of a document, and its text with the edits, if it has one.
fn document(row: &Found, diff: bool, color: bool) -> Result<(Vec<String>, Option<String>), Error> {
    let mut heading = vec![row.cell("doc_id").unwrap_or_default()];
    for name in ["title", "author", "year"] {
        heading.extend(row.cell(name));
    }
    if !row.settings.is_empty() {
        heading.push(format!("[{}]", row.settings()));
    }
    let mut lines = vec![visible(&heading.join(" · "))];
    if let Some(why) = row.cell(NOT_APPLICABLE) {
        lines.push(visible(&format!("not applicable: {why}")));
    }
    let Some(text) = row.cell("text") else {
        return Ok((lines, None));
    };
    let layers = row.layers()?;
    let edits = match layers.last() {
        Some(layer) => {
            lines.push(format!(
                "{}: {}, {}",
                layer.manipulation,
                count(layer.operations, "operation"),
                count(layer.edits.len(), "edit")
            ));
            if layers.len() > 1 {
                lines.push(format!(
                    "{} before it, not marked here",
                    count(layers.len() - 1, "manipulation")
                ));
            }
            replacements(&text, layer)
        }
        // A later stage that changes the text drops the record of edits, which no longer fits.
        None => match row.cell("manipulation") {
            Some(manipulation) => {
                lines.push(visible(&manipulation));
                None
            }
            None => Some(Vec::new()),
        },
    };
    let Some(edits) = edits else {
        lines.push("the text was changed after that, so the edits are not marked".to_owned());
        return Ok((lines, Some(marked(&text, &[], color))));
    };
    let body = if diff && edits.is_empty() {
        "nothing was changed".to_owned()
    } else if diff {
        difference(&text, &edits, color)
    } else {
        marked(&text, &edits, color)
    };
    Ok((lines, Some(body)))
}

/// Where the edits stand in the text; nothing, where it is not the text that they made.
fn replacements(text: &str, layer: &Layer) -> Option<Vec<Replacement>> {
    let places = layer.places(text).ok()?;
    let edits = layer.edits.iter().zip(places);
    Some(
        edits
            .map(|(edit, (start, end))| Replacement {
                start,
                end,
                original: edit.original.clone(),
            })
            .collect(),
    )
}
