//! Lines over numbers: values with the shade of their intervals, shares of values up to each number, and densities.

use super::arrange::Item;
use super::form::Form;
use super::layout::SMALL;
use super::plane::{Plane, pair};
use super::row::Style;
use super::spread::{Spread, spreads};
use super::style;
use super::svg::{Anchor, Svg, Turn};
use super::text;

/// The height of a line of numbers above a panel.
pub(super) const COUNTS: f64 = 15.0;

fn painted(series: usize) -> String {
    format!(
        "fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" stroke-linejoin=\"round\"{}",
        style::colour(series),
        style::dash(series)
    )
}

/// Draws values at their numbers, with intervals: joined by lines with a shade, or each with its whisker.
pub(super) fn values(
    svg: &mut Svg,
    plane: &Plane<'_>,
    style: &Style,
    says: &dyn Fn(&Item<'_>) -> String,
) {
    let several = plane.axes.series.max(1);
    let joined = matches!(style.form, Form::Lines | Form::Reliability);
    let all: Vec<Vec<(Option<f64>, &Item<'_>)>> = (0..several)
        .map(|series| sorted(plane, style, series))
        .collect();
    // Shades lie behind the lines of all series.
    if style.form == Form::Lines {
        for (series, own) in all.iter().enumerate() {
            shade(svg, plane, series, own);
        }
    }
    for (series, own) in all.into_iter().enumerate() {
        if joined {
            stretches(
                &own,
                |item| item.row.value.map(|_| ()),
                |stretch| {
                    let points: Vec<(f64, f64)> = stretch
                        .iter()
                        .filter_map(|(x, item)| Some(plane.at((*x, item.row.value?))))
                        .collect();
                    if points.len() > 1 {
                        svg.path(&points, false, &painted(series), "");
                    }
                },
            );
        }
        // Intervals at one number stand beside each other.
        let shift = if joined {
            0.0
        } else {
            (series as f64 - (several as f64 - 1.0) / 2.0) * 5.0
        };
        for (x, item) in &own {
            let (Some(x), Some(value)) = (x, item.row.value) else {
                continue;
            };
            let (x, y) = plane.at((*x, value));
            let x = x + shift;
            if item.row.reference {
                let colour = if several > 1 {
                    style::colour(series)
                } else {
                    "currentColor"
                };
                let paint =
                    format!("stroke=\"{colour}\" stroke-width=\"1.4\" stroke-dasharray=\"6 3\"");
                plane.line(svg, value, false, &paint);
            }
            if let Some((low, high)) = item.interval().filter(|_| style.form != Form::Lines) {
                whisker(svg, (x, plane.y.at(low), plane.y.at(high)), series);
            }
            style::mark(svg, series, (x, y), 3.8, &says(item));
            super::marks::signs(svg, (x, y), item);
        }
    }
    plane.crosses(svg, style, says);
}

/// The rows of a series in the order of their numbers.
fn sorted<'p>(
    plane: &'p Plane<'_>,
    style: &Style,
    series: usize,
) -> Vec<(Option<f64>, &'p Item<'p>)> {
    let own = plane.axes.panel.items.iter();
    let own = own.filter(|item| item.series == series);
    let mut own: Vec<_> = own.map(|item| (pair(style, item).0, item)).collect();
    own.sort_by(|left, right| {
        let [left, right] = [left.0, right.0].map(|x| x.unwrap_or(f64::INFINITY));
        left.total_cmp(&right)
    });
    own
}

fn whisker(svg: &mut Svg, (x, low, high): (f64, f64, f64), series: usize) {
    let paint = format!("stroke=\"{}\" stroke-width=\"1.6\"", style::colour(series));
    svg.line((x, low), (x, high), &paint);
    for end in [low, high] {
        svg.line((x - 3.0, end), (x + 3.0, end), &paint);
    }
}

/// Hands on each stretch of neighbours that all have what is asked for.
fn stretches<'i>(
    own: &[(Option<f64>, &'i Item<'i>)],
    has: impl Fn(&Item<'_>) -> Option<()>,
    mut draw: impl FnMut(&[(f64, &'i Item<'i>)]),
) {
    let mut stretch: Vec<(f64, &Item<'_>)> = Vec::new();
    for (x, item) in own {
        match (x, has(item)) {
            (Some(x), Some(())) => stretch.push((*x, item)),
            _ => draw(&std::mem::take(&mut stretch)),
        }
    }
    draw(&stretch);
}

/// The intervals of a series as one surface, with its edges in the dashes of the series; an interval that has no
/// neighbour is a stroke.
fn shade(svg: &mut Svg, plane: &Plane<'_>, series: usize, own: &[(Option<f64>, &Item<'_>)]) {
    let whole = |item: &Item<'_>| item.row.value.and(item.interval()).map(|_| ());
    stretches(own, whole, |stretch| {
        let side = |of: fn((f64, f64)) -> f64| {
            let points = stretch
                .iter()
                .filter_map(|(x, item)| Some(plane.at((*x, of(item.interval()?)))));
            points.collect::<Vec<_>>()
        };
        let (low, high) = (side(|ends| ends.0), side(|ends| ends.1));
        if let ([(x, low)], [(_, high)]) = (&low[..], &high[..]) {
            whisker(svg, (*x, *low, *high), series);
            return;
        }
        let colour = style::colour(series);
        let back = low.iter().rev();
        let outline: Vec<(f64, f64)> = high.iter().chain(back).copied().collect();
        if !outline.is_empty() {
            let paint = format!("fill=\"{colour}\" fill-opacity=\"0.16\"");
            svg.path(&outline, true, &paint, "");
        }
        for edge in [low, high] {
            let paint = format!(
                "fill=\"none\" stroke=\"{colour}\" stroke-opacity=\"0.55\" stroke-width=\"0.8\"{}",
                style::dash(series)
            );
            svg.path(&edge, false, &paint, "");
        }
    });
}

/// How many lines of numbers stand above a panel of predictions.
pub(super) fn lines_of_counts(style: &Style, series: usize) -> usize {
    if style.form == Form::Reliability && series <= 4 {
        series
    } else {
        0
    }
}

/// The number of values of each bin, above its mark, a line for each series.
pub(super) fn counts(svg: &mut Svg, plane: &Plane<'_>, style: &Style) {
    let several = lines_of_counts(style, plane.axes.series);
    for series in 0..several {
        let y = plane.axes.place.area.top + COUNTS * (series as f64 + 1.0) - 4.0;
        if several > 1 {
            let at = (plane.area.right() + 7.0, y - 3.5);
            style::mark(svg, series, at, 3.0, "");
        }
        let items = plane.axes.panel.items.iter();
        let mut own: Vec<(f64, u64)> = items
            .filter(|item| item.series == series && item.row.value.is_some())
            .filter_map(|item| Some((plane.x.at(pair(style, item).0?), item.row.n?)))
            .collect();
        own.sort_by(|left, right| left.0.total_cmp(&right.0));
        let mut free = f64::NEG_INFINITY;
        for (x, n) in own {
            let shown = n.to_string();
            let half = text::width(&shown, SMALL) / 2.0;
            // Numbers that would run into each other are said by their marks alone.
            if x - half > free {
                let paint = format!("font-size=\"{SMALL}\"");
                svg.text((x, y), &shown, (Anchor::Middle, Turn::None), &paint);
                free = x + half + 3.0;
            }
        }
    }
}

/// Draws for each series the share of values up to each number, or their density, with marks at the quartiles.
pub(super) fn distributions(
    svg: &mut Svg,
    plane: &Plane<'_>,
    style: &Style,
    says: &dyn Fn(&Spread<'_>) -> String,
) {
    let mut without = 0.0;
    let mut spreads = spreads(plane.axes.panel, style.bandwidth);
    spreads.sort_by_key(|spread| spread.first.series);
    for spread in spreads {
        let series = spread.first.series;
        let says = says(&spread);
        let Some(curve) = &spread.curve else {
            // Lines without any value have a cross each, side by side.
            let at = (plane.area.left + 8.0 + without, plane.area.bottom() - 8.0);
            style::absent(svg, at, &says);
            without += 12.0;
            continue;
        };
        let points: Vec<(f64, f64)> = if style.form == Form::Ecdf {
            steps(plane, &spread)
        } else if curve.width.is_none() {
            // All values are one.
            let x = plane.x.at(curve.points[0].0);
            vec![(x, plane.area.bottom()), (x, plane.area.top)]
        } else {
            let points = curve.points.iter();
            points
                .map(|(value, share)| plane.at((*value, share * curve.highest)))
                .collect()
        };
        svg.path(&points, false, &painted(series), &says);
        for (quartile, share) in curve.quartiles.iter().zip([0.25, 0.5, 0.75]) {
            let x = plane.x.at(*quartile);
            let y = if style.form == Form::Ecdf {
                plane.y.at(share)
            } else {
                height(&points, x)
            };
            let size = if share > 0.4 && share < 0.6 { 4.4 } else { 3.2 };
            style::mark(svg, series, (x, y), size, &says);
        }
    }
}

/// The steps of the share of values up to each number; steps that no eye could see are left out.
fn steps(plane: &Plane<'_>, spread: &Spread<'_>) -> Vec<(f64, f64)> {
    let n: u64 = spread.values.iter().map(|(_, n)| n).sum();
    let mut sorted = spread.values.clone();
    sorted.sort_by(|left, right| left.0.total_cmp(&right.0));
    // Below the least value there is none, and beyond the greatest there are all.
    let mut points: Vec<(f64, f64)> = vec![(plane.x.from, plane.y.at(0.0))];
    let mut seen = 0;
    for (value, times) in sorted {
        let x = plane.x.at(value);
        points.push((x, plane.y.at(seen as f64 / n as f64)));
        seen += times;
        points.push((x, plane.y.at(seen as f64 / n as f64)));
    }
    points.push((plane.x.to, plane.y.at(1.0)));
    let mut kept: Vec<(f64, f64)> = Vec::with_capacity(points.len());
    let last = points.len().saturating_sub(1);
    for (index, point) in points.into_iter().enumerate() {
        let near = |before: &(f64, f64)| {
            (before.0 - point.0).abs() < 0.25 && (before.1 - point.1).abs() < 0.25
        };
        if index == last || !kept.last().is_some_and(near) {
            kept.push(point);
        }
    }
    kept
}

/// How high a line is at `x`, between its points.
fn height(points: &[(f64, f64)], x: f64) -> f64 {
    let around = points.windows(2).find(|two| two[0].0 <= x && x <= two[1].0);
    match around {
        Some([(left, from), (right, to)]) if right > left => {
            from + (to - from) * (x - left) / (right - left)
        }
        Some([(_, from), (_, to)]) => f64::midpoint(*from, *to),
        _ => points.first().map_or(0.0, |point| point.1),
    }
}
