//! `tribunal show`: one document as an experiment makes it, with its edits.

mod document;
mod found;
mod relation;

use indexmap::IndexSet;
use serde_json::Value;

use self::found::{ABLATION, Found, rows_of};
use super::args::ShowArgs;
use super::choose::{self, no_document, wheres};
use super::forecast::results;
use super::load::load;
use super::output::Terminal;
use crate::base::exit::{Error, Exit};
use crate::base::wording::{count, list_of, near_or, thousands, wrap};
use crate::cli::events::{fold, visible};
use crate::output::report::columns::{Column, Kind as Shape, draw, fits};
use crate::plan::Plan;
use crate::stage::{Kind, NOT_APPLICABLE, StageName};

/// Lines of a document after which its heading is out of sight.
const LONG: usize = 60;

pub(super) fn run(args: &ShowArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let loaded = load(&args.spec.spec, &args.spec.changes, terminal)?;
    let plan = &loaded.plan;
    let stage = stage(plan, args.stage.as_deref())?;
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
    let related = relation::is(stage.kind);
    // What a relation did with replies is known once these are.
    if !related && plan.before_models().nodes.len() < plan.nodes.len() {
        return Err(Error::new(
            Exit::Usage,
            format!("`{stage}` needs a model's replies, and `show` calls no model"),
        )
        .hint("name a stage of documents upstream of every model"));
    }
    let mut did = String::new();
    let (plan, frames) = if related {
        let looked = relation::look(&loaded, plan, &stage, terminal)?;
        did = looked.words();
        looked.results()
    } else {
        results(&loaded, plan, &stage, terminal)?
    };
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
        several if related => {
            let list = relation::list(several, terminal);
            let rows = count(several.len(), "row");
            terminal.styled(&format!("{stage}: {rows}\n{did}\n{list}"));
        }
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
        [] => terminal.out("no row matches"),
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
    let stages = choose::stages(plan, |kind| kind.gives_documents() && !kind.asks());
    let meant = match named {
        Some(named) => {
            let missing = format!("no stage `{named}` makes documents");
            choose::named(&stages, named, missing, "the stages are")?
                .first()
                .copied()
        }
        None => {
            let stages: Vec<&StageName> = stages
                .into_iter()
                .filter(|name| !relation::is(name.kind))
                .collect();
            let mut last = stages.iter().rev();
            let damaged = last.find(|name| name.kind == Kind::Manipulate);
            damaged.or(stages.last()).copied()
        }
    };
    let meant = meant.cloned();
    meant.ok_or_else(|| Error::new(Exit::Usage, "the spec has no documents"))
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
            let missing = Error::new(Exit::Usage, format!("there is no column or axis `{name}`"));
            return Err(missing.hint(near_or(name, &known, || {
                format!("the columns are {}", list_of(&known))
            })));
        }
    }
    Ok(())
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
