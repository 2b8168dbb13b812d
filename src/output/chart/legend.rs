//! What marks, lines and shades mean, in rows above the panels.

use super::layout::{BODY, SMALL};
use super::style;
use super::svg::{Anchor, Svg, Turn};
use super::text;
use crate::output::report::html::escape;

/// One thing that is explained.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) sign: Sign,
    pub(super) label: String,
}

/// What is explained.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sign {
    /// What series are: words in front of them.
    Heading,
    /// A mark of a series.
    Mark(usize),
    /// A surface of a series.
    Fill(usize),
    /// A line of a series with its mark.
    Line(usize),
    /// A line across a panel; of a series, if lines are told apart.
    Reference(Option<usize>),
    /// A line that is not dashed.
    Solid,
    /// A surface of what has no value.
    Lacking,
    /// The shaded band.
    Band,
    /// A place without a value.
    Absent,
}

const SIGN: f64 = 24.0;
const ROW: f64 = 20.0;

/// Where entries stand: for each its left end and its row; and how many rows there are.
fn places(entries: &[Entry], width: f64) -> (Vec<(f64, usize)>, usize) {
    let (mut x, mut row) = (0.0, 0);
    let mut places = Vec::new();
    for entry in entries {
        let long = long(entry, width);
        if x > 0.0 && x + long > width {
            (x, row) = (0.0, row + 1);
        }
        places.push((x, row));
        x += long + 16.0;
    }
    let rows = if entries.is_empty() { 0 } else { row + 1 };
    (places, rows)
}

fn long(entry: &Entry, width: f64) -> f64 {
    let sign = if entry.sign == Sign::Heading {
        0.0
    } else {
        SIGN
    };
    (sign + text::width(&entry.label, SMALL)).min(width)
}

/// How high the legend is.
pub(super) fn height(entries: &[Entry], width: f64) -> f64 {
    let (_, rows) = places(entries, width);
    rows as f64 * ROW + if rows > 0 { 4.0 } else { 0.0 }
}

/// Draws the legend from a left end on.
pub(super) fn draw(svg: &mut Svg, id: &str, entries: &[Entry], left: f64, width: f64) {
    let (places, _) = places(entries, width);
    svg.open("legend", &format!("font-size=\"{SMALL}\""));
    for (entry, (x, row)) in entries.iter().zip(places) {
        let x = left + x;
        let y = 12.0 + row as f64 * ROW;
        let middle = (x + SIGN / 2.0 - 3.0, y);
        let ends =
            |colour: &str, more: &str| format!("stroke=\"{colour}\" stroke-width=\"1.6\"{more}");
        let across = |svg: &mut Svg, paint: &str| svg.line((x, y), (x + SIGN - 6.0, y), paint);
        match entry.sign {
            Sign::Heading => {}
            Sign::Mark(series) => style::mark(svg, series, middle, 4.0, ""),
            Sign::Fill(series) => svg.rect(
                (x + 2.0, y - 5.5),
                (14.0, 11.0),
                &style::fill(id, series),
                "",
            ),
            Sign::Line(series) => {
                across(svg, &ends(style::colour(series), &style::dash(series)));
                style::mark(svg, series, middle, 3.5, "");
            }
            Sign::Reference(None) => {
                across(svg, &ends("currentColor", " stroke-dasharray=\"6 3\""));
            }
            Sign::Reference(Some(series)) => across(
                svg,
                &ends(style::colour(series), " stroke-dasharray=\"6 3\""),
            ),
            Sign::Solid => across(svg, &ends("currentColor", "")),
            Sign::Lacking => svg.rect((x + 2.0, y - 5.5), (14.0, 11.0), &style::lacking(id), ""),
            Sign::Band => {
                let band = "fill=\"currentColor\" fill-opacity=\"0.12\" stroke=\"currentColor\" stroke-opacity=\"0.3\" stroke-width=\"0.8\"";
                svg.rect((x + 1.0, y - 5.5), (16.0, 11.0), band, "");
            }
            Sign::Absent => style::absent(svg, middle, ""),
        }
        let (at, paint) = if entry.sign == Sign::Heading {
            (x, "fill-opacity=\"0.75\"")
        } else {
            (x + SIGN, "")
        };
        let room = width - (at - x);
        let label = text::fitted(&entry.label, SMALL, room);
        let at = (at, y + BODY / 3.0);
        if label == entry.label {
            svg.text(at, &label, (Anchor::Start, Turn::None), paint);
        } else {
            svg.raw(&format!("<g><title>{}</title>", escape(&entry.label)));
            svg.text(at, &label, (Anchor::Start, Turn::None), paint);
            svg.raw("</g>");
        }
    }
    svg.close();
}
