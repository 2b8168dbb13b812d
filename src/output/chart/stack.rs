//! Shares of classes, stacked to one at each position.

use super::arrange::{Arranged, Item};
use super::axes::Axes;
use super::layout::SMALL;
use super::row::Style;
use super::style;
use super::svg::{Anchor, Svg, Turn};
use super::text;
use crate::output::report::number;

/// The room for numbers of rows: above standing bars, to the right of lying ones.
pub(super) fn room(lying: bool) -> f64 {
    if lying { 40.0 } else { 16.0 }
}

/// Whether a class is left out of the picture, as the spec asks by an empty label: it is counted and told all the same.
pub(super) fn is_left_out(arranged: &Arranged<'_>, series: usize) -> bool {
    arranged.series.get(series).is_some_and(String::is_empty)
}

/// The end of the axis of shares: one, unless a class is left out.
pub(super) fn limit(arranged: &Arranged<'_>) -> Option<(f64, f64)> {
    let any = arranged.items().next().is_some();
    let mut highest: f64 = 0.0;
    for panel in &arranged.panels {
        for position in 0..panel.positions.len() {
            let own = panel
                .items
                .iter()
                .filter(|item| item.position == position && !is_left_out(arranged, item.series));
            highest = highest.max(own.filter_map(|item| item.row.value).sum());
        }
    }
    let whole = !(0..arranged.series.len()).any(|series| is_left_out(arranged, series));
    any.then(|| {
        if whole {
            (0.0, 1.0)
        } else {
            (0.0, (highest * 1.05).clamp(0.01, 1.0))
        }
    })
}

/// Draws the bars of a panel; `says` puts an item in words, with the number of rows at its position.
pub(super) fn draw(
    svg: &mut Svg,
    axes: &Axes<'_>,
    (style, arranged): (&Style, &Arranged<'_>),
    says: &dyn Fn(&Item<'_>, u64) -> String,
) {
    for position in 0..axes.panel.positions.len() {
        let mut own: Vec<&Item<'_>> = axes
            .panel
            .items
            .iter()
            .filter(|item| item.position == position)
            .collect();
        own.sort_by_key(|item| item.series);
        let n: u64 = own.iter().filter_map(|item| item.row.n).sum();
        let along = axes.start(position) + axes.slot() / 2.0;
        let half = (axes.slot() * 0.39).min(if axes.lying { 14.0 } else { 38.0 });
        let mut from = 0.0;
        for item in own {
            let Some(share) = item.row.value else {
                continue;
            };
            if is_left_out(arranged, item.series) {
                continue;
            }
            let pixels = (axes.values.at(from), axes.values.at(from + share));
            from += share;
            let (corner, size) = axes.rectangle((along - half, along + half), pixels);
            let fill = if arranged.absent == Some(item.series) {
                style::lacking(&style.id)
            } else {
                let edge = "stroke=\"#fff\" stroke-width=\"0.8\"";
                format!("{} {edge}", style::fill(&style.id, item.series))
            };
            svg.rect(corner, size, &fill, &says(item, n));
            let shown = percent(share);
            if text::width(&shown, SMALL) + 4.0 <= size.0 && size.1 >= SMALL + 3.0 {
                let middle = (
                    corner.0 + size.0 / 2.0,
                    corner.1 + size.1 / 2.0 + SMALL / 3.0,
                );
                // Dark letters with a light rim can be read on every colour and hatch.
                let paint = format!(
                    "font-size=\"{SMALL}\" fill=\"#111\" stroke=\"#fff\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\" pointer-events=\"none\""
                );
                svg.text(middle, &shown, (Anchor::Middle, Turn::None), &paint);
            }
        }
        let shown = n.to_string();
        if axes.lying || text::width(&shown, SMALL) <= axes.slot() {
            let end = axes.values.to;
            let (at, anchor) = if axes.lying {
                ((end + 5.0, along + SMALL / 3.0), Anchor::Start)
            } else {
                ((along, end - 4.0), Anchor::Middle)
            };
            let paint = format!("font-size=\"{SMALL}\"");
            svg.text(at, &shown, (anchor, Turn::None), &paint);
        }
    }
}

/// A share in whole percents; one that is small is not called nothing.
pub(super) fn percent(share: f64) -> String {
    if share > 0.0 && share < 0.005 {
        return "<1%".to_owned();
    }
    if share < 1.0 && share > 0.995 {
        return ">99%".to_owned();
    }
    format!("{}%", number::fixed(share * 100.0, 0))
}
