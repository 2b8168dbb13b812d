//! One experiment as the page shows it: its tables and how they compare with published values.

use std::path::Path;

use super::made::Made;
use super::question;
use crate::base::exit::Error;
use crate::output::page::{Audit, Experiment, Figure, Table};
use crate::output::report::{audit, audit_html, csv, html, latex, verify};
use crate::publish::figures::DrawnFigure;
use crate::publish::shown::Pictures;
use crate::publish::tables::{Drawn, exported};
use crate::spec::Spec;

/// A table held against print, or why that could not be.
pub(super) struct Compared<'m> {
    pub(super) table: &'m str,
    pub(super) audit: Result<verify::Audit, String>,
}

/// Every table that has printed values against them.
pub(super) fn compare<'m>(made: &'m Made<'_>, pictures: &'m Pictures) -> Vec<Compared<'m>> {
    let tables = pictures.tables.iter();
    let tables = tables.filter(|table| table.variant.is_empty());
    tables
        .filter_map(|table| {
            let audit = match made.printed.get(&table.name)? {
                Ok(printed) => printed.compare(table).map_err(|error| said(&error)),
                Err(error) => Err(said(error)),
            };
            Some(Compared {
                table: &table.name,
                audit,
            })
        })
        .collect()
}

fn said(error: &Error) -> String {
    error.message.replace('\n', "; ")
}

/// The title of a spec, or its name.
pub(super) fn title(spec: &Spec) -> String {
    spec.title.clone().unwrap_or_else(|| spec.name.clone())
}

/// The experiment with its tables in the order of the spec. Its files lie in the folder `within` that of the page.
pub(super) fn of(
    made: &Made<'_>,
    pictures: &Pictures,
    compared: &[Compared<'_>],
    within: &str,
) -> Experiment {
    Experiment {
        name: made.label.clone(),
        title: title(made.spec()),
        asked: question::asked(made.finished),
        tables: pictures.tables.iter().map(table).collect(),
        figures: pictures.figures.iter().map(figure).collect(),
        audits: compared.iter().filter_map(comparison).collect(),
        files: exported(made.finished)
            .map(|(_, variant, name)| {
                Path::new(within)
                    .join(variant)
                    .join(name)
                    .display()
                    .to_string()
            })
            .collect(),
    }
}

fn table(drawn: &Drawn) -> Table {
    Table {
        name: drawn.name.clone(),
        variant: drawn.variant.clone(),
        title: drawn.layout.title.clone(),
        html: html::render(&drawn.grid),
        latex: latex::render(&drawn.grid),
        csv: csv::render(&drawn.grid),
    }
}

fn figure(drawn: &DrawnFigure) -> Figure {
    let captions = drawn.caption.iter().map(String::as_str);
    let captions: Vec<&str> = captions.chain([drawn.drawing.note.as_str()]).collect();
    Figure {
        name: drawn.name.clone(),
        variant: drawn.variant.clone(),
        title: drawn.title.clone(),
        caption: captions.join(" "),
        svg: drawn.drawing.svg.clone(),
        description: drawn.drawing.description.clone(),
        csv: drawn.csv.clone(),
    }
}

fn comparison(compared: &Compared<'_>) -> Option<Audit> {
    let found = compared.audit.as_ref().ok()?;
    Some(Audit {
        name: compared.table.to_owned(),
        title: found.title.clone(),
        sentence: audit::sentence(found),
        html: audit_html::render(found),
        open: audit_html::open(found),
    })
}
