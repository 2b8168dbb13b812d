//! A panel with numbers along both axes: its scales, its frame, and what lies behind the marks.
//!
//! It must not know what is drawn in it.

use super::arrange::{Arranged, Item};
use super::axes::{self, Axes, BORDER, EDGE, GRID, SHADE};
use super::form::Form;
use super::layout::Area;
use super::row::Style;
use super::scale::{self, Scale, Ticks};
use super::spread::spreads;
use super::style;
use super::svg::Svg;

/// The ends of both axes; `None` where nothing has a number there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Limits {
    pub(super) x: Option<(f64, f64)>,
    pub(super) y: Option<(f64, f64)>,
    /// Whether all numbers there are whole, so that ticks need not stand between.
    pub(super) whole: (bool, bool),
}

/// A panel with its scales.
pub(super) struct Plane<'a> {
    pub(super) axes: &'a Axes<'a>,
    /// Where marks stand: the panel without its edges.
    pub(super) area: Area,
    pub(super) x: Scale,
    pub(super) y: Scale,
}

/// Where a row stands, as far as it has numbers.
pub(super) fn pair(style: &Style, item: &Item<'_>) -> (Option<f64>, Option<f64>) {
    let text = item.row.x.first();
    let x: Option<f64> = text.and_then(|x| x.parse().ok()).filter(|x: &f64| {
        // What is too large to be drawn has no place.
        x.abs() <= scale::LARGEST
    });
    match (style.form, x, item.row.value) {
        // Of two numbers that are compared both are needed for either coordinate.
        (Form::BlandAltman, Some(x), Some(value)) => {
            (Some(f64::midpoint(x, value)), Some(value - x))
        }
        (Form::BlandAltman, ..) => (None, item.row.value.filter(|_| item.row.reference)),
        (_, x, value) => (x, value),
    }
}

/// Whether a row is a mark with no place on one of the axes.
pub(super) fn is_absent(style: &Style, item: &Item<'_>) -> bool {
    let (x, y) = pair(style, item);
    !is_line(style, item) && (x.is_none() || y.is_none())
}

/// Whether a row is a line through pairs rather than one of them.
pub(super) fn is_line(style: &Style, item: &Item<'_>) -> bool {
    item.row.reference && style.form.is_of_pairs()
}

/// The ends of the axes of all panels.
pub(super) fn limits(style: &Style, arranged: &Arranged<'_>) -> Limits {
    match style.form {
        Form::Ecdf | Form::Density => return of_curves(style, arranged),
        Form::Reliability => {
            let any = arranged.items().any(|item| item.row.value.is_some());
            let ends = any.then_some((0.0, 1.0));
            return Limits {
                x: ends,
                y: ends,
                whole: (false, false),
            };
        }
        _ => {}
    }
    let pairs = || arranged.items().map(|item| pair(style, item));
    let marks = || {
        let items = arranged.items().filter(|item| !is_line(style, item));
        items.map(|item| pair(style, item))
    };
    let ends = arranged.items().flat_map(|item| {
        let bound = item.row.bound;
        [
            item.row.low,
            item.row.high,
            bound,
            bound.map(|bound| -bound),
        ]
    });
    let any = pairs().any(|(_, y)| y.is_some());
    let zero = (style.form == Form::BlandAltman && any).then_some(0.0);
    let values = pairs().filter_map(|(_, y)| y).chain(ends.flatten());
    let y = scale::limits(values.chain(given(style)).chain(zero), style.range, false);
    let x = scale::limits(pairs().filter_map(|(x, _)| x), None, false);
    let whole = (
        are_whole(pairs().filter_map(|(x, _)| x)),
        style.form == Form::Scatter && are_whole(marks().filter_map(|(_, y)| y)),
    );
    match (x, y) {
        (Some(x), Some(y)) if style.identity => {
            let both = Some((x.0.min(y.0), x.1.max(y.1)));
            Limits {
                x: both,
                y: both,
                whole,
            }
        }
        _ => Limits { x, y, whole },
    }
}

fn are_whole(mut values: impl Iterator<Item = f64>) -> bool {
    values.all(|value| value.fract() == 0.0)
}

/// What the spec draws at values.
fn given(style: &Style) -> impl Iterator<Item = f64> + use<> {
    let band = style.band.map(|(low, high)| [low, high]);
    style.line.into_iter().chain(band.into_iter().flatten())
}

fn of_curves(style: &Style, arranged: &Arranged<'_>) -> Limits {
    let values = arranged.items().filter_map(|item| item.row.value);
    let x = scale::limits(values.chain(given(style)), style.range, false);
    let highest = || {
        let panels = arranged.panels.iter();
        let curves = panels.flat_map(|panel| spreads(panel, style.bandwidth));
        let highest = curves.filter_map(|spread| Some(spread.curve?.highest));
        highest.fold(0.0, f64::max)
    };
    let y = x.map(|_| match style.form {
        Form::Ecdf => (0.0, 1.0),
        _ => (0.0, highest() * 1.05),
    });
    // Where all values are one there is no density.
    let y = y.filter(|(_, high)| *high > 0.0);
    let values = arranged.items().filter_map(|item| item.row.value);
    Limits {
        x,
        y,
        whole: (are_whole(values), false),
    }
}

impl<'a> Plane<'a> {
    /// The panel, `strip` pixels of it at either axis without numbers, `inside` pixels within all edges for large marks, and
    /// so many at the top and at the right for what stands at its edges.
    pub(super) fn new(
        axes: &'a Axes<'a>,
        limits: Limits,
        (strip, inside): (f64, f64),
        (top, right): (f64, f64),
    ) -> Self {
        let whole = axes.place.area;
        let area = Area {
            left: whole.left,
            top: whole.top + top,
            width: whole.width - right,
            height: whole.height - top,
        };
        let scale = |ends: Option<(f64, f64)>, from, to| {
            let (low, high) = ends.unwrap_or((0.0, 1.0));
            Scale {
                low,
                high,
                from,
                to,
            }
        };
        Self {
            axes,
            x: scale(limits.x, area.left + strip + inside, area.right() - inside),
            y: scale(limits.y, area.bottom() - strip - inside, area.top + inside),
            area,
        }
    }

    /// A point of the picture.
    pub(super) fn at(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.x.at(x), self.y.at(y))
    }

    /// Where a row without one of its numbers stands: in the strip beside an axis, or where both strips meet.
    pub(super) fn absent(&self, (x, y): (Option<f64>, Option<f64>)) -> (f64, f64) {
        (
            x.map_or(self.area.left + 8.0, |x| self.x.at(x)),
            y.map_or(self.area.bottom() - 8.0, |y| self.y.at(y)),
        )
    }

    /// Bands, the grid, and lines that are given; of values that lie along the horizontal axis they stand upright.
    pub(super) fn behind(&self, svg: &mut Svg, style: &Style, (along, up): (&Ticks, &Ticks)) {
        svg.open("behind", "");
        let upright = style.form.lies_along_values();
        if let Some((low, high)) = style.band {
            self.shade(svg, (low, high), upright);
        }
        for (value, _) in along {
            self.line(svg, *value, true, GRID);
        }
        for (value, _) in up {
            self.line(svg, *value, false, GRID);
        }
        let zero = self.y.low < 0.0 && self.y.high > 0.0 && style.line != Some(0.0);
        if zero {
            let paint = "stroke=\"currentColor\" stroke-opacity=\"0.4\"";
            self.line(svg, 0.0, false, paint);
        }
        if let Some(line) = style.line {
            self.line(svg, line, upright, axes::DASHED);
        }
        if style.identity || style.form == Form::Reliability {
            let (low, high) = (self.x.low.max(self.y.low), self.x.high.min(self.y.high));
            if low < high {
                svg.line(self.at((low, low)), self.at((high, high)), axes::DASHED);
            }
        }
        svg.close();
    }

    /// A line across the panel, at a value of one of its axes.
    pub(super) fn line(&self, svg: &mut Svg, value: f64, upright: bool, paint: &str) {
        let area = self.area;
        if upright {
            let x = self.x.at(value);
            svg.line((x, area.top), (x, area.bottom()), paint);
        } else {
            let y = self.y.at(value);
            svg.line((area.left, y), (area.right(), y), paint);
        }
    }

    fn shade(&self, svg: &mut Svg, (low, high): (f64, f64), upright: bool) {
        let (from, to) = if upright {
            (self.x.at(low), self.x.at(high))
        } else {
            (self.y.at(high), self.y.at(low))
        };
        let (corner, size) = if upright {
            ((from, self.area.top), (to - from, self.area.height))
        } else {
            ((self.area.left, from), (self.area.width, to - from))
        };
        svg.rect(corner, size, SHADE, "");
        for end in [low, high] {
            self.line(svg, end, upright, BORDER);
        }
    }

    /// Edges, ticks and the heading.
    pub(super) fn frame(&self, svg: &mut Svg, (along, up): (&Ticks, &Ticks)) {
        svg.open("axes", "");
        let area = self.area;
        let corner = (area.left, area.bottom());
        svg.line(corner, (area.right(), area.bottom()), EDGE);
        svg.line((area.left, area.top), corner, EDGE);
        axes::heading(svg, self.axes.panel, self.axes.place.area);
        if self.axes.place.beside {
            axes::ticks_beside(svg, &self.y, up, area);
        }
        if self.axes.place.below {
            axes::ticks_below(svg, &self.x, along, area);
        }
        svg.close();
    }

    /// A cross for each row that has no place on one of the axes.
    pub(super) fn crosses(&self, svg: &mut Svg, style: &Style, says: &dyn Fn(&Item<'_>) -> String) {
        for item in &self.axes.panel.items {
            if is_absent(style, item) {
                let at = self.absent(pair(style, item));
                style::absent(svg, at, &says(item));
            }
        }
    }
}
