//! Confusion matrices: how often each label of one column meets each of another, with the totals of both.

use std::collections::BTreeMap;

use super::arrange::{Item, Panel};
use super::axes;
use super::heat::Colours;
use super::layout::{BODY, Layout, Place, SMALL};
use super::row::Style;
use super::say::Field;
use super::stack::percent;
use super::style;
use super::svg::{Anchor, Svg, Turn};
use super::text;

/// Draws one panel, whose last row and column are those of totals; `says` puts a field in words.
pub(super) fn draw(
    svg: &mut Svg,
    (panel, place, layout): (&Panel<'_>, &Place, &Layout),
    style: &Style,
    says: &dyn Fn(&Item<'_>, &Field<'_>) -> String,
) {
    let area = place.area;
    let many = panel.positions.len();
    let wide = area.width / many.max(1) as f64;
    let high = area.height / many.max(1) as f64;
    let last = many.saturating_sub(1);
    let mut counts: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for item in &panel.items {
        let n = item.row.n.unwrap_or(0);
        for at in [
            (item.line, item.position),
            (item.line, last),
            (last, item.position),
            (last, last),
        ] {
            *counts.entry(at).or_default() += n;
        }
    }
    let absent = |label: usize| panel.absent == Some(label);
    let colours = Colours::of(0.0, 1.0);
    for line in 0..many {
        for position in 0..many {
            let n = counts.get(&(line, position)).copied().unwrap_or(0);
            let of = counts.get(&(line, last)).copied().unwrap_or(0);
            let share = n as f64 / of.max(1) as f64;
            let corner = (
                area.left + wide * position as f64 + 0.75,
                area.top + high * line as f64 + 0.75,
            );
            let size = (wide - 1.5, high - 1.5);
            let total = line == last || position == last;
            let field = Field {
                beside: &panel.lines[line],
                below: &panel.positions[position],
                n,
                of,
            };
            let Some(any) = panel.items.first() else {
                continue;
            };
            let says = says(any, &field);
            let (fill, letters) = if total {
                (
                    "fill=\"currentColor\" fill-opacity=\"0.05\"".to_owned(),
                    "currentColor",
                )
            } else if absent(line) || absent(position) {
                (style::lacking(&style.id), "currentColor")
            } else {
                let (fill, letters) = colours.at(share);
                (format!("fill=\"{fill}\""), letters)
            };
            svg.rect(corner, size, &fill, &says);
            if line == position && !total && !absent(line) {
                let inner = (
                    (corner.0 + 1.0, corner.1 + 1.0),
                    (size.0 - 2.0, size.1 - 2.0),
                );
                let edge = "fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.6\" pointer-events=\"none\"";
                svg.rect(inner.0, inner.1, edge, "");
            }
            let mut shown = vec![(n.to_string(), BODY)];
            if !total && n > 0 && high >= 30.0 {
                shown.push((percent(share), SMALL));
            }
            let middle = corner.0 + size.0 / 2.0;
            let top = corner.1 + size.1 / 2.0 - (shown.len() as f64 - 1.0) * 7.0 + BODY / 3.0;
            for (index, (shown, size_of)) in shown.iter().enumerate() {
                if text::width(shown, *size_of) <= size.0 - 2.0 {
                    let bold = if total { " font-weight=\"600\"" } else { "" };
                    let paint = format!(
                        "font-size=\"{size_of}\" fill=\"{letters}\"{bold} pointer-events=\"none\""
                    );
                    let at = (middle, top + index as f64 * 14.0);
                    svg.text(at, shown, (Anchor::Middle, Turn::None), &paint);
                }
            }
        }
    }
    axes::around_fields(svg, panel, place, layout);
}
