//! The figures: `reports/<experiment>/<figure>.svg`, `.png` and the rows as `.csv`, an ablation's in a folder of
//! its own.

use std::collections::BTreeMap;

use super::folder::{File, name_of};
use crate::base::exit::{Error, Exit};
use crate::base::key::Digest;
use crate::base::regular;
use crate::engine::{Finished, ReadTables};
use crate::frame::Frame;
use crate::output::chart::{self, Drawing, Style};
use crate::spec::{Design, FigureFormat, Spec};
use crate::stage::{Counted, Figure, Interval, Stage, rows};
use crate::stats::statistic::is_end;

/// One figure, drawn.
pub(crate) struct DrawnFigure {
    /// The ablation it belongs to; empty for the experiment itself.
    pub(crate) variant: String,
    /// The figure's name.
    pub(crate) name: String,
    pub(crate) title: String,
    /// What the spec says below it, if anything.
    pub(crate) caption: Option<String>,
    /// The picture with its note and description.
    pub(crate) drawing: Drawing,
    /// Its rows.
    pub(crate) csv: String,
}

/// Draws the results of all figure stages that have one, in the order of the spec, those of ablations after them.
pub(crate) fn figures(
    spec: &Spec,
    finished: &Finished,
    read: &ReadTables,
) -> Result<Vec<DrawnFigure>, Error> {
    let mut drawn = Vec::new();
    for (id, frame) in read {
        let node = finished.plan.node(*id);
        let Stage::Figure(figure) = &*node.stage else {
            continue;
        };
        for variant in &node.variants {
            let design = spec.design(variant);
            drawn.push(one(
                &spec.name,
                design,
                (variant, &node.name.name),
                figure,
                frame,
            )?);
        }
    }
    let position = |name: &str| spec.base.figures.get_index_of(name).unwrap_or(usize::MAX);
    drawn.sort_by_key(|figure| (figure.variant.clone(), position(&figure.name)));
    Ok(drawn)
}

fn one(
    experiment: &str,
    design: &Design,
    (variant, name): (&str, &str),
    figure: &Figure,
    frame: &Frame,
) -> Result<DrawnFigure, Error> {
    let broken = |error: &dyn std::fmt::Display| {
        Error::new(Exit::Stage, format!("`figure.{name}`: {error}"))
    };
    let style = style(experiment, design, (variant, name), figure);
    let csv = frame.to_csv().map_err(|error| broken(&error))?;
    Ok(DrawnFigure {
        variant: variant.to_owned(),
        name: name.to_owned(),
        title: style.title.clone(),
        caption: style.caption.clone(),
        drawing: chart::draw(&style, &rows(figure, frame)?),
        csv: String::from_utf8(csv).map_err(|error| broken(&error))?,
    })
}

fn style(
    experiment: &str,
    design: &Design,
    (variant, name): (&str, &str),
    figure: &Figure,
) -> Style {
    let look = &design.figures[name];
    // Values stand in the order of their axis, unless the figure gives another.
    let order: BTreeMap<String, Vec<String>> = figure
        .fields()
        .filter_map(|field| {
            let given = look.order.get(field).cloned();
            let axis = design.axes.iter().find(|axis| axis.name == *field);
            let of_axis = axis.map(|axis| axis.values.iter().map(ToString::to_string).collect());
            Some((field.clone(), given.or(of_axis)?))
        })
        .collect();
    let value = figure
        .parts
        .first()
        .map_or_else(String::new, |part| part.value.clone());
    let digest = Digest::of([experiment, variant, name].join("\n")).to_string();
    Style {
        id: format!("f{}", &digest[..10]),
        title: if variant.is_empty() {
            look.title.clone()
        } else {
            format!("{} (ablation: {variant})", look.title)
        },
        panels: figure.panels.clone(),
        x: figure.x.clone(),
        y: figure.y.clone(),
        series: figure.series.clone(),
        value,
        whiskers: whiskers(figure, &look.headings),
        level: figure.nonsignificant,
        numeric: figure.numeric,
        order,
        ..look.clone()
    }
}

/// What whiskers are, in words.
fn whiskers(figure: &Figure, headings: &BTreeMap<String, String>) -> Option<String> {
    match figure.counted {
        Counted::Not => {}
        Counted::Calibration(_) => return Some(chart::CONFIDENCE.to_owned()),
        _ => return None,
    }
    let name = |column: &String| headings.get(column).unwrap_or(column).clone();
    figure
        .parts
        .iter()
        .find_map(|part| match part.interval.as_ref()? {
            Interval::Ends(low, high) if is_end(low) && is_end(high) => {
                let heading = headings.get(low).cloned();
                Some(heading.unwrap_or_else(|| chart::CONFIDENCE.to_owned()))
            }
            Interval::Ends(low, high) => Some(format!("from {} to {}", name(low), name(high))),
            Interval::Around(error) => Some(format!("{} to either side", name(error))),
        })
}

/// Every figure in every format, and its rows; a PNG that was made from the same picture is not made again.
pub(crate) fn files(spec: &Spec, drawn: &[DrawnFigure]) -> Result<Vec<File>, Error> {
    let mut files = Vec::new();
    for figure in drawn {
        let name = |ending: &str| name_of(&figure.variant, &format!("{}.{ending}", figure.name));
        let svg = &figure.drawing.svg;
        files.push((name("csv"), figure.csv.clone().into_bytes()));
        for format in &spec.figures {
            files.push(match format {
                FigureFormat::Svg => (name("svg"), svg.clone().into_bytes()),
                FigureFormat::Png => {
                    let digest = Digest::of(svg).to_string();
                    let path = spec.report_folder().join(name("png"));
                    let there = regular::read(&path, regular::DATA).ok();
                    let bytes = match there.filter(|there| chart::is_of(there, &digest)) {
                        Some(there) => there,
                        None => chart::png(svg, &digest).map_err(|error| {
                            let message = format!("`figure.{}`: {error}", figure.name);
                            Error::new(Exit::Stage, message)
                        })?,
                    };
                    (name("png"), bytes)
                }
            });
        }
    }
    Ok(files)
}
