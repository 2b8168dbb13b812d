//! `tribunal show`: one document as an experiment makes it, with its edits.

mod choose;
mod document;

use std::sync::Arc;

use indexmap::IndexSet;
use serde_json::{Map, Value};

pub(super) use self::choose::{no_document, wheres};

use super::args::ShowArgs;
use super::exit::{Error, Exit};
use super::forecast::results;
use super::load::load;
use super::output::Terminal;
use crate::base::wording::{count, thousands, wrap};
use crate::cli::events::{fold, visible};
use crate::frame::{Frame, Scalar};
use crate::language::manipulate::{Layer, layers};
use crate::output::report::columns::{Column, Kind as Shape, draw, fits};
use crate::plan::{NodeId, Plan};
use crate::stage::{Kind, NOT_APPLICABLE};

/// Lines of a document after which its heading is out of sight.
const LONG: usize = 60;

/// What tells the rows of an ablation apart.
const ABLATION: &str = "ablation";

/// One row of a stage's result that holds a document.
struct Found {
    /// The axis values of the node, and `section` where there is one: what tells the rows apart.
    settings: Vec<(String, String)>,
    frame: Arc<Frame>,
    row: usize,
    /// Whether the stage cleaned the text, so that its report is about this one.
    is_cleaned: bool,
}

pub(super) fn run(args: &ShowArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let loaded = load(&args.spec.spec, &args.spec.changes, terminal)?;
    let plan = &loaded.plan;
    let stage = choose::stage(plan, args.stage.as_deref())?;
    let wheres = wheres(&args.wheres)?;
    choose::check_axes(plan, &stage, &wheres)?;
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
    choose::check_columns(&wheres, &rows)?;
    rows.retain(|row| {
        wheres
            .iter()
            .all(|(name, value)| row.cell(name).as_deref() == Some(value))
    });
    if let Some(wanted) = args.document.as_ref().filter(|_| !rows.is_empty()) {
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
            let color = terminal.results.color;
            let mut shown = document::document(only, args.diff, color)?;
            if let (Some(body), Some(width)) = (&mut shown.body, terminal.results.width) {
                let indent = if args.diff { 2 } else { 0 };
                *body = fold(body, width, indent);
            }
            terminal.tell(&shown.heading.join("\n"));
            if let Some(body) = &shown.body {
                terminal.styled(&format!("\n{body}"));
                let long = body.lines().count() > LONG && terminal.results.width.is_some();
                if long && !args.diff && shown.edits > 0 {
                    terminal.gap();
                    terminal.note("`--diff` shows the changed places alone");
                }
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
                is_cleaned: plan.node(id).name.kind == Kind::Clean,
            }
        })
        .collect()
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
