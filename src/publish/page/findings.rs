//! Looking through an experiment for what must be known before a number is used. Grading and wording are `page`'s.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde_json::Value;

use super::asked::asked;
use super::experiment::Compared;
use super::made::Made;
use crate::base::exit::Error;
use crate::engine::{Done, Ended, Outcome};
use crate::output::page::Findings;
use crate::output::page::findings::{self, Refused, TableLoss, Told};
use crate::output::report::account::dropped_of;
use crate::output::report::audit_html;
use crate::output::report::verify::Status;
use crate::plan::{Node, NodeId};
use crate::publish::tables::Drawn;
use crate::stage::{Kind, NOT_APPLICABLE, shortfalls};

/// What was found of one experiment.
pub(super) fn of(
    made: &Made<'_>,
    record: &Value,
    compared: &[Compared<'_>],
    several: bool,
    ended: &Ended,
) -> Result<Findings, Error> {
    let mut found = Findings {
        experiment: if several {
            made.label.clone()
        } else {
            String::new()
        },
        stopped: stopped(made, record),
        dirty: dirty(record),
        asked: asked(made.finished),
        tables: made
            .shown
            .pictures()?
            .tables
            .iter()
            .filter_map(loss)
            .collect(),
        compared: compared.iter().map(against_print).collect(),
        left_out: made.left_out(),
        ..Findings::default()
    };
    let plan = &made.finished.plan;
    for (id, place) in plan.ids().zip(made.places) {
        let node = plan.node(id);
        match &made.finished.run.outcomes[id.0] {
            Outcome::Failed(failure) => found.failed.push((node.title(), failure.message.clone())),
            Outcome::Skipped => found.skipped.push(node.title()),
            Outcome::Done(done) => {
                let refused = refused(made, node, done, *place, ended)?;
                found.told.extend(told(node, done, &refused));
                let counts = &done.summary.counts;
                let short = shortfalls(&|| node.title(), &node.name, &node.stage, counts);
                found.short.extend(short.into_iter().map(|short| {
                    let text = short.to_string();
                    (short.node, text)
                }));
                merge(&mut found.refused, refused);
            }
        }
    }
    Ok(found)
}

/// Why the run ended before its end, if it did.
fn stopped(made: &Made<'_>, record: &Value) -> Option<String> {
    (record["interrupted"] == Value::Bool(true)).then(|| {
        let limit = made.finished.run.summary.limit.clone();
        limit.unwrap_or_else(|| "interrupted".to_owned())
    })
}

/// The commit, where files differed from it; shortened as git does.
fn dirty(record: &Value) -> Option<String> {
    let git = &record["git"];
    let commit = git["commit"].as_str()?;
    (git["dirty"] == Value::Bool(true)).then(|| commit.chars().take(12).collect())
}

/// The documents that a manipulation did not fit, by manipulation and reason. Only where the stage warned of something is
/// its result looked into, and only if it is here.
fn refused(
    made: &Made<'_>,
    node: &Node,
    done: &Done,
    place: NodeId,
    ended: &Ended,
) -> Result<Vec<Refused>, Error> {
    let told = !done.summary.warnings.is_empty();
    let here = !made.loaded.absent.results.contains(&done.output);
    if node.name.kind != Kind::Manipulate || !told || !here {
        return Ok(Vec::new());
    }
    let columns = ended
        .engine
        .columns(place, &["manipulation", NOT_APPLICABLE]);
    let frame = ended.runtime.block_on(columns)?;
    let (Ok(manipulations), Ok(reasons)) =
        (frame.column("manipulation"), frame.column(NOT_APPLICABLE))
    else {
        return Ok(Vec::new());
    };
    let mut counts: IndexMap<(String, String), usize> = IndexMap::new();
    for row in 0..frame.rows() {
        if let Some(reason) = reasons.text(row) {
            let manipulation = manipulations.text(row).unwrap_or_default().into_owned();
            *counts
                .entry((manipulation, reason.into_owned()))
                .or_default() += 1;
        }
    }
    let refused = counts
        .into_iter()
        .map(|((manipulation, reason), documents)| Refused {
            stage: node.name.to_string(),
            manipulation,
            reason,
            documents,
            of: frame.rows(),
        });
    Ok(refused.collect())
}

/// Adds up what instances of a stage refused for the same reason.
fn merge(all: &mut Vec<Refused>, more: Vec<Refused>) {
    for one in more {
        let same = all.iter_mut().find(|other| {
            (&other.stage, &other.manipulation, &other.reason)
                == (&one.stage, &one.manipulation, &one.reason)
        });
        match same {
            Some(other) => {
                other.documents += one.documents;
                other.of += one.of;
            }
            None => all.push(one),
        }
    }
}

/// The warnings of a node, but those that are told with all documents counted.
fn told(node: &Node, done: &Done, refused: &[Refused]) -> Vec<Told> {
    let counted = |warning: &String| {
        refused
            .iter()
            .any(|refused| warning.starts_with(&format!("`{}` does not fit", refused.manipulation)))
    };
    let warnings = done.summary.warnings.iter();
    warnings
        .filter(|warning| !counted(warning))
        .map(|warning| Told {
            stage: node.name.to_string(),
            node: node.title(),
            text: warning.clone(),
        })
        .collect()
}

/// What is missing from a table, if anything is.
fn loss(table: &Drawn) -> Option<TableLoss> {
    let mut loss = TableLoss {
        table: name_of(table),
        cells: table.cells.len(),
        ..TableLoss::default()
    };
    let mut valueless: BTreeMap<String, usize> = BTreeMap::new();
    let averages = table.cells.iter().all(|cell| cell.parts.is_some());
    for cell in &table.cells {
        if let Some(why) = &cell.undefined {
            *loss.undefined.entry(why.clone()).or_default() += 1;
        } else if cell.value.is_none() {
            let why = cell
                .why_none
                .clone()
                .unwrap_or_else(|| "no value".to_owned());
            *valueless.entry(why).or_default() += 1;
        }
        if cell.value.is_some() && cell.missing > 0 {
            loss.incomplete += 1;
        } else if cell.value.is_some() && !cell.lacks.is_empty() {
            loss.partial += 1;
        }
        // An average repeats the pairs of the cells it averages, if they are here.
        if averages || cell.parts.is_none() {
            loss.dropped += cell.dropped;
            let unit = dropped_of(cell).filter(|_| cell.dropped > 0);
            loss.dropped_of.extend(unit);
        }
    }
    loss.valueless = valueless;
    let whole = TableLoss {
        table: loss.table.clone(),
        cells: loss.cells,
        ..TableLoss::default()
    };
    (loss != whole).then_some(loss)
}

/// A table's name as the page links to it.
fn name_of(table: &Drawn) -> String {
    match table.variant.as_str() {
        "" => table.name.clone(),
        variant => format!("{} ({variant})", table.name),
    }
}

fn against_print(compared: &Compared<'_>) -> findings::Compared {
    let table = compared.table.to_owned();
    match &compared.audit {
        Ok(audit) => findings::Compared {
            table,
            cells: audit.summary.cells,
            agree: audit.summary.tally(Status::Agrees).cells,
            open: audit_html::open(audit),
            unread: None,
        },
        Err(why) => findings::Compared {
            table,
            unread: Some(why.clone()),
            ..findings::Compared::default()
        },
    }
}
