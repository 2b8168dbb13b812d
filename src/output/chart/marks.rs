//! Bars, points, lines and intervals in one panel.

use super::arrange::Item;
use super::axes::Axes;
use super::form::Form;
use super::layout::SMALL;
use super::note;
use super::row::Style;
use super::style;
use super::svg::{Anchor, Svg, Turn};

/// Draws the marks of a panel; `says` puts an item in words.
pub(super) fn draw(
    svg: &mut Svg,
    axes: &Axes<'_>,
    style: &Style,
    says: &dyn Fn(&Item<'_>) -> String,
) {
    let mut items: Vec<&Item<'_>> = axes.panel.items.iter().collect();
    items.sort_by_key(|item| (item.series, item.position));
    if style.form == Form::Lines {
        for series in 0..axes.series.max(1) {
            let own: Vec<&Item<'_>> = items
                .iter()
                .copied()
                .filter(|item| item.series == series)
                .collect();
            line(svg, axes, series, &own);
        }
    }
    for item in items {
        let says = says(item);
        let series = if style.form == Form::Lines {
            None
        } else {
            Some(item.series)
        };
        let along = match series {
            Some(series) => axes.middle(item.position, series),
            None => axes.start(item.position) + axes.slot() / 2.0,
        };
        let Some(value) = item.row.value else {
            style::absent(svg, axes.absent(along), &says);
            signs(svg, axes.absent(along), item);
            continue;
        };
        let at = axes.values.at(value);
        if style.form == Form::Bars {
            let half = axes.step().min(46.0) * 0.45;
            let base = axes
                .values
                .at(0.0_f64.clamp(axes.values.low, axes.values.high));
            let (corner, size) = axes.rectangle((along - half, along + half), (base, at));
            svg.rect(corner, size, &style::fill(&style.id, item.series), &says);
        }
        if let Some((low, high)) = item.interval() {
            let colour = if style.form == Form::Bars {
                "currentColor"
            } else {
                style::colour(item.series)
            };
            whisker(svg, axes, along, (low, high), colour, style.form);
        }
        if style.form != Form::Bars {
            let size = if axes.step() < 9.0 { 3.0 } else { 4.2 };
            style::mark(svg, item.series, axes.point(along, at), size, &says);
        }
        signs(svg, axes.point(along, at), item);
    }
}

/// The signs beside a mark that lead to what is said of it under the figure.
pub(super) fn signs(svg: &mut Svg, (x, y): (f64, f64), item: &Item<'_>) {
    let signs = note::signs(item.row);
    if !signs.is_empty() {
        let paint = format!("font-size=\"{SMALL}\"");
        svg.text(
            (x + 6.0, y - 5.0),
            &signs,
            (Anchor::Start, Turn::None),
            &paint,
        );
    }
}

/// The interval around a value, with caps.
fn whisker(
    svg: &mut Svg,
    axes: &Axes<'_>,
    along: f64,
    (low, high): (f64, f64),
    colour: &str,
    form: Form,
) {
    let wide = if form == Form::Intervals { "2" } else { "1.4" };
    let paint = format!("stroke=\"{colour}\" stroke-width=\"{wide}\"");
    let (low, high) = (axes.values.at(low), axes.values.at(high));
    svg.line(axes.point(along, low), axes.point(along, high), &paint);
    let cap = (axes.step() * 0.2).clamp(2.0, 5.0);
    for end in [low, high] {
        svg.line(
            axes.point(along - cap, end),
            axes.point(along + cap, end),
            &paint,
        );
    }
}

/// The line of a series, broken where there is no value.
fn line(svg: &mut Svg, axes: &Axes<'_>, series: usize, items: &[&Item<'_>]) {
    let paint = format!(
        "fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" stroke-linejoin=\"round\"{}",
        style::colour(series),
        style::dash(series)
    );
    let mut points: Vec<(f64, f64)> = Vec::new();
    let mut before = None;
    let draw = |svg: &mut Svg, points: &mut Vec<(f64, f64)>| {
        if points.len() > 1 {
            svg.path(points, false, &paint, "");
        }
        points.clear();
    };
    for item in items {
        let next = before.is_none_or(|before: usize| item.position <= before + 1);
        if !next || item.row.value.is_none() {
            draw(svg, &mut points);
        }
        if let Some(value) = item.row.value {
            let along = axes.start(item.position) + axes.slot() / 2.0;
            points.push(axes.point(along, axes.values.at(value)));
        }
        before = Some(item.position);
    }
    draw(svg, &mut points);
}
