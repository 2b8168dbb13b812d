//! Colours, marks, dashes and hatches: what tells series apart, never by colour alone.
//!
//! The colours are those of Okabe and Ito's palette ("Color Universal Design", 2008) that can be told from a light and
//! from a dark ground, in an order in which neighbours differ in grey too.

use super::svg::Svg;

/// Colours of series; after the last one they begin anew, with other marks.
const COLOURS: [&str; 6] = [
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9",
];

const DASHES: [&str; 5] = ["", "7 3", "2 3", "9 3 2 3", "4 2"];

/// How many marks there are.
const MARKS: usize = 8;

/// The colour of a series.
pub(super) fn colour(series: usize) -> &'static str {
    COLOURS[series % COLOURS.len()]
}

/// The dashes of a series' line, as an attribute.
pub(super) fn dash(series: usize) -> String {
    match DASHES[series % DASHES.len()] {
        "" => String::new(),
        dash => format!(" stroke-dasharray=\"{dash}\""),
    }
}

/// A mark of the series at a point.
pub(super) fn mark(svg: &mut Svg, series: usize, at: (f64, f64), size: f64, says: &str) {
    let colour = colour(series);
    let fill = format!("fill=\"{colour}\"");
    let hollow = format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"");
    shape(svg, series, at, size, (&fill, &hollow), says);
}

/// A mark that covers what lies behind it and can be written on in dark letters: its colour is three parts of white.
pub(super) fn plate(svg: &mut Svg, series: usize, at: (f64, f64), size: f64, says: &str) {
    let colour = colour(series);
    let fill = format!(
        "fill=\"{}\" stroke=\"{colour}\" stroke-width=\"1.3\"",
        light(colour)
    );
    shape(svg, series, at, size, (&fill, &fill), says);
}

/// A quarter of a colour, with three of white.
fn light(colour: &str) -> String {
    let part = |at: usize| {
        let part = colour.get(at..at + 2);
        let part = part.and_then(|part| u8::from_str_radix(part, 16).ok());
        let mixed = (u32::from(part.unwrap_or(0)) + 3 * 255) / 4;
        format!("{mixed:02x}")
    };
    format!("#{}{}{}", part(1), part(3), part(5))
}

/// The same as an outline through which others can be seen.
pub(super) fn outline(svg: &mut Svg, series: usize, at: (f64, f64), size: f64, says: &str) {
    let colour = colour(series);
    let line = format!("stroke=\"{colour}\" stroke-width=\"1.3\"");
    let fill = format!("fill=\"{colour}\" fill-opacity=\"0.3\" {line}");
    let hollow = format!("fill=\"{colour}\" fill-opacity=\"0\" {line}");
    shape(svg, series, at, size, (&fill, &hollow), says);
}

/// The same where marks are so many that they cover each other: the more there are in a place, the darker it is.
pub(super) fn faint(svg: &mut Svg, series: usize, at: (f64, f64), size: f64, says: &str) {
    let fill = format!("fill=\"{}\" fill-opacity=\"0.25\"", colour(series));
    shape(svg, series, at, size, (&fill, &fill), says);
}

fn shape(
    svg: &mut Svg,
    series: usize,
    (x, y): (f64, f64),
    s: f64,
    (fill, hollow): (&str, &str),
    says: &str,
) {
    let polygon = |svg: &mut Svg, points: &[(f64, f64)]| {
        let points: Vec<(f64, f64)> = points
            .iter()
            .map(|&(dx, dy)| (x + dx * s, y + dy * s))
            .collect();
        svg.path(&points, true, fill, says);
    };
    match series % MARKS {
        0 => svg.circle((x, y), s, fill, says),
        1 => polygon(svg, &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        2 => polygon(svg, &[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)]),
        3 => polygon(svg, &[(0.0, -1.3), (1.1, 0.0), (0.0, 1.3), (-1.1, 0.0)]),
        4 => polygon(svg, &[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)]),
        5 => polygon(
            svg,
            &[
                (-0.4, -1.2),
                (0.4, -1.2),
                (0.4, -0.4),
                (1.2, -0.4),
                (1.2, 0.4),
                (0.4, 0.4),
                (0.4, 1.2),
                (-0.4, 1.2),
                (-0.4, 0.4),
                (-1.2, 0.4),
                (-1.2, -0.4),
                (-0.4, -0.4),
            ],
        ),
        6 => svg.circle((x, y), s * 0.9, hollow, says),
        _ => {
            let corners = [(-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)];
            let points = corners.map(|(dx, dy)| (x + dx * s, y + dy * s));
            svg.path(&points, true, hollow, says);
        }
    }
}

/// What a place without a value shows: a small cross.
pub(super) fn absent(svg: &mut Svg, (x, y): (f64, f64), says: &str) {
    let d = 3.0;
    let points = [
        (x - d, y - d),
        (x + d, y + d),
        (x, y),
        (x + d, y - d),
        (x - d, y + d),
    ];
    svg.path(
        &points,
        false,
        "fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"0.65\" stroke-width=\"1.3\"",
        says,
    );
}

/// The fill of what has no value.
pub(super) fn lacking(id: &str) -> String {
    format!("fill=\"url(#{id}-none)\" stroke=\"currentColor\" stroke-opacity=\"0.4\"")
}

/// The fill of a series' surface: its colour, hatched differently for each.
pub(super) fn fill(id: &str, series: usize) -> String {
    if series == 0 {
        format!("fill=\"{}\"", colour(series))
    } else {
        format!("fill=\"url(#{id}-s{series})\"")
    }
}

/// The hatches that [`fill`] names, for so many series, and that of fields without a value.
pub(super) fn hatches(svg: &mut Svg, id: &str, series: usize) {
    svg.raw("<defs>");
    for series in 1..series {
        let colour = colour(series);
        let lines = match series % 5 {
            1 => "M0 8L8 0M-2 2L2 -2M6 10L10 6",
            2 => "M0 0L8 8M-2 6L2 10M6 -2L10 2",
            3 => "M0 4H8",
            4 => "M4 0V8",
            _ => "M0 8L8 0M0 0L8 8",
        };
        svg.raw(&format!(
            "<pattern id=\"{id}-s{series}\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">\
             <rect width=\"8\" height=\"8\" fill=\"{colour}\"/>\
             <path d=\"{lines}\" stroke=\"#fff\" stroke-width=\"1.2\" stroke-opacity=\"0.75\" fill=\"none\"/></pattern>"
        ));
    }
    svg.raw(&format!(
        "<pattern id=\"{id}-none\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">\
         <path d=\"M0 6L6 0M-1 1L1 -1M5 7L7 5\" stroke=\"currentColor\" stroke-width=\"0.8\" stroke-opacity=\"0.35\" fill=\"none\"/></pattern>"
    ));
    svg.raw("</defs>\n");
}
