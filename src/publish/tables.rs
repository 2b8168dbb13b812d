//! The tables of an experiment: `reports/<experiment>/<table>.<ending>`, an ablation's in a folder of its own.

use std::collections::{BTreeMap, BTreeSet};

use super::folder::{File, name_of};
use super::rows::{Rows, broken};
use crate::base::exit::{Error, Exit};
use crate::engine::{Finished, ReadTables};
use crate::frame::Frame;
use crate::output::report::told::{self, Told};
use crate::output::report::{Cell, Grid, Layout, csv, html, json, latex, markdown};
use crate::plan::NodeId;
use crate::publish::whole;
use crate::spec::{Design, ReportFormat, Spec};
use crate::stage::{ExportFormat, Stage, Table, cells};

/// All tables of an experiment, for programs and for `diff`.
pub(crate) const TABLES: &str = "tables.json";

/// One table, arranged.
pub(crate) struct Drawn {
    /// The ablation it belongs to; empty for the experiment itself.
    pub(crate) variant: String,
    /// The table's name.
    pub(crate) name: String,
    pub(crate) layout: Layout,
    pub(crate) cells: Vec<Cell>,
    pub(crate) grid: Grid,
    frame: Frame,
}

/// Arranges the results of all table stages that have one.
pub(crate) fn draw(
    spec: &Spec,
    finished: &Finished,
    read: &ReadTables,
) -> Result<Vec<Drawn>, Error> {
    let mut drawn = Vec::new();
    for &(id, ref frame) in read {
        let node = finished.plan.node(id);
        let Stage::Table(table) = &*node.stage else {
            continue;
        };
        for variant in &node.variants {
            let design = spec.design(variant);
            let mut layout = layout(&spec.name, design, &node.name.name, table, variant);
            let given = &design.looks[&node.name.name].order;
            let mut references = references(finished, id);
            references.retain(|(axis, _)| !given.contains_key(axis));
            without_references(&mut layout, &references);
            let done = finished.run.done(id);
            // What was left out is said below the table; what to do about it is for whoever runs it.
            layout.notes = done.map_or_else(Vec::new, |done| {
                let warnings = done.summary.warnings.iter();
                let said = warnings.filter_map(|warning| warning.split(';').next());
                said.map(str::to_owned).collect()
            });
            let cells = cells(table, frame)?;
            let grid = Grid::build(&layout, &cells)
                .map_err(|error| Error::new(Exit::Stage, format!("`{}`: {error}", node.name)))?;
            drawn.push(Drawn {
                variant: variant.clone(),
                name: node.name.name.clone(),
                layout,
                cells,
                grid,
                frame: Frame::clone(frame),
            });
        }
    }
    drawn.sort_by_key(|table| (table.variant.clone(), table_position(spec, &table.name)));
    Ok(drawn)
}

/// The levels that every test a table shows compares with: no test has a row of them.
fn references(finished: &Finished, table: NodeId) -> BTreeSet<(String, String)> {
    let inputs = finished.plan.node(table).inputs.iter();
    let each = inputs.map(|&input| match &*finished.plan.node(input).stage {
        Stage::Stats(stats) => {
            let pairs = stats.pair.iter().filter(|pair| !pair.pool);
            pairs
                .map(|pair| (pair.axis.clone(), pair.against.clone()))
                .collect()
        }
        _ => BTreeSet::new(),
    });
    each.reduce(|all, more: BTreeSet<_>| all.intersection(&more).cloned().collect())
        .unwrap_or_default()
}

/// Takes such levels out of the order in which rows and columns stand.
fn without_references(layout: &mut Layout, references: &BTreeSet<(String, String)>) {
    for order in [&mut layout.row_order, &mut layout.column_order] {
        for (axis, level) in references {
            if let Some(values) = order.get_mut(axis) {
                values.retain(|value| value != level);
            }
        }
    }
}

fn table_position(spec: &Spec, name: &str) -> usize {
    spec.base.looks.get_index_of(name).unwrap_or(usize::MAX)
}

fn layout(experiment: &str, design: &Design, name: &str, table: &Table, variant: &str) -> Layout {
    let look = &design.looks[name];
    // Values stand in the order of their axis, unless the table gives another.
    let order = |fields: &[String]| -> BTreeMap<String, Vec<String>> {
        fields
            .iter()
            .filter_map(|field| {
                let given = look.order.get(field).cloned();
                let of_axis = design
                    .axes
                    .iter()
                    .find(|axis| axis.name == *field)
                    .map(|axis| axis.values.iter().map(ToString::to_string).collect());
                Some((field.clone(), given.or(of_axis)?))
            })
            .collect()
    };
    let marks = ["*", "**", "***"];
    let title = look.title.clone().unwrap_or_else(|| name.to_owned());
    // `table-a-7` for the table `a-7` of that experiment, `quickstart effect` for one of several.
    let stem = experiment.rsplit('/').next().unwrap_or(experiment);
    let own = if stem.ends_with(name) {
        stem.to_owned()
    } else {
        format!("{stem} {name}")
    };
    Layout {
        name: format!("{own} {variant}").trim_end().to_owned(),
        title: if variant.is_empty() {
            title
        } else {
            format!("{title} (ablation: {variant})")
        },
        rows: table.rows.clone(),
        columns: table.columns.clone(),
        labels: look.labels.clone(),
        decimals: look.decimals,
        stars: look
            .stars
            .iter()
            .zip(marks)
            .map(|(&level, mark)| (level, mark.to_owned()))
            .collect(),
        row_order: order(&table.rows),
        column_order: order(&table.columns),
        caption: look.caption.clone(),
        show_n: look.show_n,
        ..Layout::default()
    }
}

/// Every table in every format.
pub(crate) fn files(spec: &Spec, drawn: &[Drawn]) -> Result<Vec<File>, Error> {
    let mut files = Vec::new();
    for table in drawn {
        for format in &spec.formats {
            let (ending, bytes) = match format {
                ReportFormat::Md => ("md", markdown::render(&table.grid).into_bytes()),
                ReportFormat::Csv => ("csv", csv::render(&table.grid).into_bytes()),
                ReportFormat::Tex => ("tex", latex::render(&table.grid).into_bytes()),
                ReportFormat::Html => ("html", html::render(&table.grid).into_bytes()),
                ReportFormat::Json => ("json", json::render(&table.grid).into_bytes()),
                ReportFormat::Parquet => (
                    "parquet",
                    table.frame.to_parquet().map_err(|error| broken(&error))?,
                ),
            };
            let name = format!("{}.{ending}", table.name);
            files.push((name_of(&table.variant, &name), bytes));
        }
    }
    Ok(files)
}

/// Writes all tables of an experiment as one file, for comparisons with a later run; not those of a part of it, as the
/// record is not.
pub(crate) fn keep(spec: &Spec, drawn: &[Drawn]) -> Result<(), Error> {
    let tables: Vec<Told> = drawn
        .iter()
        .map(|table| Told {
            variant: table.variant.clone(),
            name: table.name.clone(),
            layout: table.layout.clone(),
            cells: table.cells.clone(),
        })
        .collect();
    let path = spec.report_folder().join(TABLES);
    whole::replace(&path, told::render(&tables).as_bytes())
}

/// The files of rows.
pub(crate) fn exports(finished: &Finished) -> Vec<Rows<'_>> {
    let mut files = Vec::new();
    for (id, variant, name) in exported(finished) {
        if let (Some(rows), Stage::Export(export)) = (
            finished.run.exports.get(&id),
            &*finished.plan.node(id).stage,
        ) {
            files.push(Rows {
                name: name_of(variant, &name),
                of: rows,
                format: export.format,
            });
        }
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    files
}

/// The nodes whose rows are written to files, each with the variants that have one and the file's name.
pub(crate) fn exported(finished: &Finished) -> impl Iterator<Item = (NodeId, &str, String)> {
    let done = finished
        .plan
        .ids()
        .filter(|&id| finished.run.done(id).is_some());
    done.flat_map(|id| {
        let node = finished.plan.node(id);
        let ending = match &*node.stage {
            Stage::Export(export) => Some(match export.format {
                ExportFormat::Parquet => "parquet",
                ExportFormat::Csv => "csv",
                ExportFormat::Jsonl => "jsonl",
            }),
            _ => None,
        };
        let variants = node.variants.iter();
        ending.into_iter().flat_map(move |ending| {
            let name = format!("{}.{ending}", node.name.name);
            variants
                .clone()
                .map(move |variant| (id, variant.as_str(), name.clone()))
        })
    })
}
