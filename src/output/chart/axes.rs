//! The frame of a panel: grid lines, ticks, labels of positions, heading, band and reference lines.

use super::arrange::Panel;
use super::layout::{Area, BODY, LINE, Layout, Place, SMALL};
use super::row::Style;
use super::scale::Scale;
use super::style;
use super::svg::{Anchor, Svg, Turn, number};
use super::text;
use crate::output::report::html::escape;

pub(super) const GRID: &str = "stroke=\"currentColor\" stroke-opacity=\"0.13\"";
pub(super) const EDGE: &str = "stroke=\"currentColor\" stroke-opacity=\"0.55\"";
pub(super) const SHADE: &str = "fill=\"currentColor\" fill-opacity=\"0.1\"";
pub(super) const BORDER: &str =
    "stroke=\"currentColor\" stroke-opacity=\"0.3\" stroke-width=\"0.8\"";
/// A dashed line at a number.
pub(super) const DASHED: &str =
    "stroke=\"currentColor\" stroke-width=\"1.4\" stroke-dasharray=\"6 3\"";
/// A bar at the edge of a panel.
pub(super) const MARGIN: &str = "fill=\"currentColor\" fill-opacity=\"0.35\"";

/// A panel with its axes: from positions and values to pixels.
pub(super) struct Axes<'a> {
    pub(super) place: &'a Place,
    pub(super) panel: &'a Panel<'a>,
    /// The axis of values.
    pub(super) values: Scale,
    /// Whether positions stand one below the other.
    pub(super) lying: bool,
    pub(super) series: usize,
}

impl Axes<'_> {
    fn area(&self) -> Area {
        self.place.area
    }

    /// How much of its axis a position has, in pixels.
    pub(super) fn slot(&self) -> f64 {
        let long = if self.lying {
            self.area().height
        } else {
            self.area().width
        };
        long / self.panel.positions.len().max(1) as f64
    }

    /// Where a position begins, along its axis.
    pub(super) fn start(&self, position: usize) -> f64 {
        let from = if self.lying {
            self.area().top
        } else {
            self.area().left
        };
        from + self.slot() * position as f64
    }

    /// The middle of a series at a position, where series stand beside each other.
    pub(super) fn middle(&self, position: usize, series: usize) -> f64 {
        self.start(position)
            + self.slot() / 2.0
            + (series as f64 - (self.series as f64 - 1.0) / 2.0) * self.step()
    }

    /// From one series to the next, within a position.
    pub(super) fn step(&self) -> f64 {
        let step = self.slot() * 0.78 / self.series.max(1) as f64;
        if self.series > 1 {
            step.min(26.0)
        } else {
            step
        }
    }

    /// A point of the picture: along the positions, and at a value in pixels.
    pub(super) fn point(&self, along: f64, value: f64) -> (f64, f64) {
        if self.lying {
            (value, along)
        } else {
            (along, value)
        }
    }

    /// Where a place without a value says so: beside the edge, inside.
    pub(super) fn absent(&self, along: f64) -> (f64, f64) {
        let edge = if self.lying {
            self.area().left + 8.0
        } else {
            self.area().bottom() - 8.0
        };
        self.point(along, edge)
    }

    /// A rectangle between two places along the positions and two values in pixels: corner and size.
    pub(super) fn rectangle(
        &self,
        (from, to): (f64, f64),
        (low, high): (f64, f64),
    ) -> ((f64, f64), (f64, f64)) {
        let (low, high) = (low.min(high), low.max(high));
        if self.lying {
            ((low, from), (high - low, to - from))
        } else {
            ((from, low), (to - from, high - low))
        }
    }

    /// A line across the panel at a value.
    fn across(&self, svg: &mut Svg, value: f64, paint: &str) {
        let at = self.values.at(value);
        let area = self.area();
        if self.lying {
            svg.line((at, area.top), (at, area.bottom()), paint);
        } else {
            svg.line((area.left, at), (area.right(), at), paint);
        }
    }

    fn shade(&self, svg: &mut Svg, along: (f64, f64), (low, high): (f64, f64)) {
        let (low, high) = (low.max(self.values.low), high.min(self.values.high));
        if low >= high {
            return;
        }
        let pixels = (self.values.at(low), self.values.at(high));
        let (corner, size) = self.rectangle(along, pixels);
        svg.rect(corner, size, SHADE, "");
        for end in [pixels.0, pixels.1] {
            svg.line(self.point(along.0, end), self.point(along.1, end), BORDER);
        }
    }

    /// What lies behind the marks: bands, the grid of values, lines that are given.
    pub(super) fn behind(&self, svg: &mut Svg, style: &Style, ticks: &[(f64, String)]) {
        svg.open("behind", "");
        let whole = (self.start(0), self.start(self.panel.positions.len().max(1)));
        if let Some(band) = style.band {
            self.shade(svg, whole, band);
        }
        for (along, bound) in self.bounds() {
            self.shade(svg, along, (-bound, bound));
        }
        for (value, _) in ticks {
            self.across(svg, *value, GRID);
        }
        if self.series > 1 {
            for position in 1..self.panel.positions.len() {
                let along = self.start(position);
                let ends = [self.values.from, self.values.to].map(|end| self.point(along, end));
                svg.line(
                    ends[0],
                    ends[1],
                    "stroke=\"currentColor\" stroke-opacity=\"0.13\" stroke-dasharray=\"2 3\"",
                );
            }
        }
        let zero = self.values.low < 0.0 && self.values.high > 0.0 && style.line != Some(0.0);
        if zero {
            self.across(svg, 0.0, "stroke=\"currentColor\" stroke-opacity=\"0.4\"");
        }
        svg.close();
    }

    /// Where values are not significant: stretches of positions with the same bound, joined. Where nothing is known, the
    /// bound of the neighbour goes on, so that the band has no holes that would look like findings.
    fn bounds(&self) -> Vec<((f64, f64), f64)> {
        let series = self.series.max(1);
        let mut known: Vec<Option<f64>> = vec![None; self.panel.positions.len().max(1) * series];
        for item in &self.panel.items {
            if let Some(place) = known.get_mut(item.position * series + item.series) {
                *place = place.or(item.row.bound);
            }
        }
        let Some(mut bound) = known.iter().flatten().next().copied() else {
            return Vec::new();
        };
        let mut found: Vec<((f64, f64), f64)> = Vec::new();
        for (index, here) in known.into_iter().enumerate() {
            bound = here.unwrap_or(bound);
            let (position, which) = (index / series, index % series);
            let start = self.start(position);
            let middle = self.middle(position, which);
            let half = self.step() / 2.0;
            let from = if which == 0 { start } else { middle - half };
            let to = if which + 1 == series {
                start + self.slot()
            } else {
                middle + half
            };
            match found.last_mut() {
                Some(((_, end), same)) if (*same - bound).abs() < 1e-9 => *end = to,
                _ => found.push(((from, to), bound)),
            }
        }
        found
    }

    /// Lines across the panel that stand over the marks' ground and under the marks.
    pub(super) fn references(&self, svg: &mut Svg, style: &Style) {
        if let Some(line) = style.line {
            self.across(svg, line, DASHED);
        }
        for item in self.panel.items.iter().filter(|item| item.row.reference) {
            let Some(value) = item.row.value else {
                continue;
            };
            if self.series > 1 {
                let colour = style::colour(item.series);
                let paint =
                    format!("stroke=\"{colour}\" stroke-width=\"1.4\" stroke-dasharray=\"6 3\"");
                self.across(svg, value, &paint);
            } else {
                self.across(svg, value, DASHED);
            }
        }
    }

    /// Edges, ticks, labels and the heading.
    pub(super) fn frame(&self, svg: &mut Svg, layout: &Layout, ticks: &[(f64, String)]) {
        svg.open("axes", "");
        let area = self.area();
        svg.line(
            (area.left, area.bottom()),
            (area.right(), area.bottom()),
            EDGE,
        );
        svg.line((area.left, area.top), (area.left, area.bottom()), EDGE);
        heading(svg, self.panel, area);
        if self.lying {
            if self.place.below {
                ticks_below(svg, &self.values, ticks, area);
            }
            if self.place.beside {
                labels_beside(svg, &self.panel.positions, area, layout.room_beside);
            }
        } else {
            if self.place.beside {
                ticks_beside(svg, &self.values, ticks, area);
            }
            if self.place.below {
                labels_below(svg, &self.panel.positions, area, layout);
            }
        }
        svg.close();
    }
}

impl Axes<'_> {
    /// The frame of a histogram: numbers below, counts beside.
    pub(super) fn frame_of_counts(
        &self,
        svg: &mut Svg,
        (x, along): (&Scale, &[(f64, String)]),
        counts: &[(f64, String)],
    ) {
        svg.open("axes", "");
        let area = self.area();
        svg.line(
            (area.left, area.bottom()),
            (area.right(), area.bottom()),
            EDGE,
        );
        svg.line((area.left, area.top), (area.left, area.bottom()), EDGE);
        heading(svg, self.panel, area);
        if self.place.beside {
            ticks_beside(svg, &self.values, counts, area);
        }
        if self.place.below {
            ticks_below(svg, x, along, area);
        }
        svg.close();
    }
}

/// The heading and the labels of a panel of fields.
pub(super) fn around_fields(svg: &mut Svg, panel: &Panel<'_>, place: &Place, layout: &Layout) {
    svg.open("axes", "");
    heading(svg, panel, place.area);
    if place.below {
        labels_below(svg, &panel.positions, place.area, layout);
    }
    if place.beside {
        labels_beside(svg, &panel.lines, place.area, layout.room_beside);
    }
    svg.close();
}

pub(super) fn heading(svg: &mut Svg, panel: &Panel<'_>, area: Area) {
    if !panel.heading.is_empty() {
        let size = format!("font-size=\"{BODY}\" font-weight=\"600\"");
        label(
            svg,
            &panel.heading,
            BODY,
            area.width * 0.93,
            |svg, shown| {
                svg.text(
                    (area.left, area.top - 7.0),
                    shown,
                    (Anchor::Start, Turn::None),
                    &size,
                );
            },
        );
    }
}

/// A label in a given width; one that is cut says all of it to whoever points at it.
fn label(svg: &mut Svg, text: &str, size: f64, room: f64, draw: impl FnOnce(&mut Svg, &str)) {
    let shown = text::fitted(text, size, room);
    if shown == text {
        draw(svg, &shown);
    } else {
        svg.raw(&format!("<g><title>{}</title>", escape(text)));
        draw(svg, &shown);
        svg.raw("</g>");
    }
}

pub(super) fn ticks_beside(svg: &mut Svg, scale: &Scale, ticks: &[(f64, String)], area: Area) {
    let paint = format!("font-size=\"{SMALL}\"");
    for (value, label) in ticks {
        let at = (area.left - 7.0, scale.at(*value) + SMALL / 3.0);
        svg.text(at, label, (Anchor::End, Turn::None), &paint);
    }
}

pub(super) fn ticks_below(svg: &mut Svg, scale: &Scale, ticks: &[(f64, String)], area: Area) {
    let paint = format!("font-size=\"{SMALL}\"");
    for (value, label) in ticks {
        let x = scale.at(*value);
        svg.line((x, area.bottom()), (x, area.bottom() + 4.0), EDGE);
        svg.text(
            (x, area.bottom() + LINE + 1.0),
            label,
            (Anchor::Middle, Turn::None),
            &paint,
        );
    }
}

pub(super) fn labels_beside(svg: &mut Svg, labels: &[String], area: Area, room: f64) {
    let paint = format!("font-size=\"{SMALL}\"");
    let slot = area.height / labels.len().max(1) as f64;
    for (index, text) in labels.iter().enumerate() {
        let most = ((slot / LINE).floor() as usize).clamp(1, 3);
        let lines = text::lines(text, SMALL, room, most);
        let middle = area.top + slot * (index as f64 + 0.5);
        let first = middle - (lines.len() as f64 - 1.0) * LINE / 2.0 + SMALL / 3.0;
        titled(svg, text, &lines, |svg| {
            for (row, line) in lines.iter().enumerate() {
                let at = (area.left - 7.0, first + row as f64 * LINE);
                svg.text(at, line, (Anchor::End, Turn::None), &paint);
            }
        });
    }
}

pub(super) fn labels_below(svg: &mut Svg, labels: &[String], area: Area, layout: &Layout) {
    let paint = format!("font-size=\"{SMALL}\"");
    let slot = area.width / labels.len().max(1) as f64;
    for (index, text) in labels.iter().enumerate() {
        let x = area.left + slot * (index as f64 + 0.5);
        let y = area.bottom();
        if layout.turn == Turn::None {
            let lines = text::lines(text, SMALL, layout.room_below, 4);
            titled(svg, text, &lines, |svg| {
                for (row, line) in lines.iter().enumerate() {
                    let at = (x, y + LINE + 1.0 + row as f64 * LINE);
                    svg.text(at, line, (Anchor::Middle, Turn::None), &paint);
                }
            });
        } else {
            let lines = text::lines(text, SMALL, layout.room_below, layout.lines_below);
            let (shift, y, next) = match layout.turn {
                Turn::Upright => (SMALL / 3.0, y + 7.0, (LINE, 0.0)),
                // Lines of slanted labels lie beside each other, a line's height apart across the slant.
                _ => (
                    3.0 - 6.0 * (lines.len() as f64 - 1.0),
                    y + 12.0,
                    (LINE * 0.95, LINE * 0.46),
                ),
            };
            titled(svg, text, &lines, |svg| {
                for (row, line) in lines.iter().enumerate() {
                    let at = (x + shift + next.0 * row as f64, y + next.1 * row as f64);
                    svg.text(at, line, (Anchor::End, layout.turn), &paint);
                }
            });
        }
    }
}

/// Lines of a label, which say all of it where something was cut.
fn titled(svg: &mut Svg, text: &str, lines: &[String], draw: impl FnOnce(&mut Svg)) {
    let cut = lines.iter().any(|line| line.ends_with('…'));
    if cut {
        svg.raw(&format!("<g><title>{}</title>", escape(text)));
    }
    draw(svg);
    if cut {
        svg.raw("</g>");
    }
}

/// The titles of both axes.
pub(super) fn titles(svg: &mut Svg, layout: &Layout, below: &str, beside: &str) {
    let paint = format!("font-size=\"{BODY}\"");
    let whole = layout.whole;
    if !below.is_empty() {
        label(svg, below, BODY, layout.width - 24.0, |svg, shown| {
            // Long titles may not leave the picture to either side.
            let half = text::width(shown, BODY) / 2.0;
            let middle = (whole.left + whole.width / 2.0)
                .clamp(half + 8.0, (layout.width - half - 8.0).max(half + 8.0));
            svg.text(
                (middle, layout.title_below),
                shown,
                (Anchor::Middle, Turn::None),
                &paint,
            );
        });
    }
    if !beside.is_empty() {
        label(
            svg,
            beside,
            BODY,
            (whole.height + 60.0).max(120.0),
            |svg, shown| {
                let middle = whole.top + whole.height / 2.0;
                let half = text::width(shown, BODY) / 2.0;
                let middle = middle
                    .max(half + 6.0)
                    .min((layout.height - half - 6.0).max(half + 6.0));
                svg.text(
                    (14.0, middle),
                    shown,
                    (Anchor::Middle, Turn::Upright),
                    &paint,
                );
            },
        );
    }
}

/// The lines under a figure.
pub(super) fn note(svg: &mut Svg, layout: &Layout, lines: &[String]) {
    svg.open(
        "note",
        &format!("font-size=\"{}\" fill-opacity=\"0.8\"", number(SMALL)),
    );
    for (row, line) in lines.iter().enumerate() {
        let at = (10.0, layout.note + row as f64 * LINE);
        svg.text(at, line, (Anchor::Start, Turn::None), "");
    }
    svg.close();
}
