//! Distributions: violins at positions, and bins along an axis of numbers.

use super::arrange::{Item, Panel};
use super::axes::Axes;
use super::curve::{Curve, curve};
use super::row::Style;
use super::scale::Scale;
use super::style;
use super::svg::Svg;

/// A distribution at one place.
pub(super) struct Spread<'a> {
    pub(super) first: Item<'a>,
    /// Its values, each with how often it occurs.
    pub(super) values: Vec<(f64, u64)>,
    pub(super) curve: Option<Curve>,
}

/// The distributions of a panel, one for each position and series.
pub(super) fn spreads<'a>(panel: &'a Panel<'a>, width: Option<f64>) -> Vec<Spread<'a>> {
    let mut found: Vec<(Item<'a>, Vec<(f64, u64)>)> = Vec::new();
    for item in &panel.items {
        let place = found
            .iter_mut()
            .find(|(first, _)| (first.position, first.series) == (item.position, item.series));
        let value = item.row.value.map(|value| (value, item.row.n.unwrap_or(1)));
        match place {
            Some((_, values)) => values.extend(value),
            None => found.push((*item, value.into_iter().collect())),
        }
    }
    let made = found.into_iter().map(|(first, values)| Spread {
        first,
        curve: curve(&values, width),
        values,
    });
    made.collect()
}

/// Draws violins: the shape, a box from the first to the third quartile, a stroke at the median.
pub(super) fn violins(
    svg: &mut Svg,
    axes: &Axes<'_>,
    style: &Style,
    says: &dyn Fn(&Spread<'_>) -> String,
) {
    for spread in spreads(axes.panel, None) {
        let (position, series) = (spread.first.position, spread.first.series);
        let along = axes.middle(position, series);
        let says = says(&spread);
        let Some(curve) = &spread.curve else {
            style::absent(svg, axes.absent(along), &says);
            continue;
        };
        let half = axes.step().min(90.0) * 0.46;
        let side = |sign: f64| {
            let points = curve.points.iter();
            points.map(move |(value, density)| {
                axes.point(along + sign * half * density, axes.values.at(*value))
            })
        };
        let colour = style::colour(series);
        let fill = style::fill(&style.id, series);
        if curve.points.len() > 1 {
            let mut outline: Vec<(f64, f64)> = side(1.0).collect();
            let mut back: Vec<(f64, f64)> = side(-1.0).collect();
            back.reverse();
            outline.extend(back);
            let paint =
                format!("{fill} fill-opacity=\"0.55\" stroke=\"{colour}\" stroke-width=\"1.2\"");
            svg.path(&outline, true, &paint, &says);
        } else {
            // All values are one: a stroke.
            let ends: Vec<(f64, f64)> = side(-1.0).chain(side(1.0)).collect();
            svg.path(
                &ends,
                false,
                &format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"3\""),
                &says,
            );
        }
        let [first, median, third] = curve.quartiles.map(|value| axes.values.at(value));
        let thin = (half * 0.16).clamp(1.5, 4.0);
        let (corner, size) = axes.rectangle((along - thin, along + thin), (first, third));
        svg.rect(
            corner,
            size,
            "fill=\"currentColor\" fill-opacity=\"0.8\"",
            "",
        );
        let wide = (half * 0.4).clamp(4.0, 10.0);
        let stroke = [
            axes.point(along - wide, median),
            axes.point(along + wide, median),
        ];
        svg.line(stroke[0], stroke[1], "stroke=\"#fff\" stroke-width=\"4\"");
        svg.line(
            stroke[0],
            stroke[1],
            "stroke=\"#1b1b1b\" stroke-width=\"2\"",
        );
    }
}

/// Draws counts in bins: `x` is the axis of the numbers counted, the axes' values are the counts.
pub(super) fn bins(
    svg: &mut Svg,
    axes: &Axes<'_>,
    x: &Scale,
    style: &Style,
    says: &dyn Fn(&Item<'_>) -> String,
) {
    let several = axes.series > 1;
    for item in &axes.panel.items {
        let (Some((low, high)), Some(value)) = (item.interval(), item.row.value) else {
            continue;
        };
        if value <= 0.0 {
            continue;
        }
        let (from, to) = (x.at(low), x.at(high));
        let (base, top) = (axes.values.at(0.0), axes.values.at(value));
        // Series share a bin.
        let part = (to - from) / axes.series.max(1) as f64;
        let from = if several {
            from + part * item.series as f64
        } else {
            from
        };
        let gap = if part > 4.0 { 0.75 } else { 0.0 };
        svg.rect(
            (from + gap, top),
            (part - 2.0 * gap, base - top),
            &style::fill(&style.id, item.series),
            &says(item),
        );
    }
}
