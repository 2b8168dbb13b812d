//! Heatmaps: a coloured field with its number for each value, and what the colours mean.

use super::arrange::{Item, Panel};
use super::axes;
use super::layout::{Area, Layout, Place, SMALL};
use super::note;
use super::row::Style;
use super::scale::{Scale, ticks};
use super::svg::{Anchor, Svg, Turn};
use super::text;
use crate::output::report::number;

/// Colours from low to high. Values of both signs go from vermilion over white to blue, with white at zero; others from
/// pale to dark blue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Colours {
    low: f64,
    high: f64,
    both: bool,
}

const COLD: [[f64; 3]; 5] = [
    [158.0, 62.0, 0.0],
    [230.0, 150.0, 95.0],
    [247.0, 247.0, 247.0],
    [110.0, 170.0, 215.0],
    [5.0, 80.0, 140.0],
];
const DEEP: [[f64; 3]; 5] = [
    [240.0, 246.0, 250.0],
    [188.0, 214.0, 232.0],
    [110.0, 170.0, 208.0],
    [38.0, 116.0, 172.0],
    [8.0, 55.0, 105.0],
];

impl Colours {
    /// For values between these limits.
    pub(super) fn of(low: f64, high: f64) -> Self {
        let both = low < 0.0;
        if both {
            let most = low.abs().max(high.abs());
            return Self {
                low: -most,
                high: most,
                both,
            };
        }
        let high = if high > low { high } else { low + 1.0 };
        Self { low, high, both }
    }

    fn rgb(self, value: f64) -> [f64; 3] {
        let stops = if self.both { COLD } else { DEEP };
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0) * 4.0;
        let below = (share.floor() as usize).min(3);
        let part = share - below as f64;
        std::array::from_fn(|channel| {
            let (from, to) = (stops[below][channel], stops[below + 1][channel]);
            (from + (to - from) * part).round()
        })
    }

    /// The colour of a value, and the colour of letters on it.
    pub(super) fn at(self, value: f64) -> (String, &'static str) {
        let [red, green, blue] = self.rgb(value);
        let light = 0.299 * red + 0.587 * green + 0.114 * blue;
        let letters = if light > 145.0 { "#111" } else { "#fff" };
        (
            format!("#{:02x}{:02x}{:02x}", red as u8, green as u8, blue as u8),
            letters,
        )
    }
}

/// Draws one panel.
pub(super) fn draw(
    svg: &mut Svg,
    (panel, place, layout): (&Panel<'_>, &Place, &Layout),
    style: &Style,
    (colours, decimals): (Colours, usize),
    says: &dyn Fn(&Item<'_>) -> String,
) {
    let area = place.area;
    let wide = area.width / panel.positions.len().max(1) as f64;
    let high = area.height / panel.lines.len().max(1) as f64;
    for item in &panel.items {
        let corner = (
            area.left + wide * item.position as f64,
            area.top + high * item.line as f64,
        );
        let middle = (corner.0 + wide / 2.0, corner.1 + high / 2.0 + SMALL / 3.0);
        let (corner, size) = ((corner.0 + 0.75, corner.1 + 0.75), (wide - 1.5, high - 1.5));
        let says = says(item);
        let Some(value) = item.row.value else {
            let fill = format!(
                "fill=\"url(#{}-none)\" stroke=\"currentColor\" stroke-opacity=\"0.3\"",
                style.id
            );
            svg.rect(corner, size, &fill, &says);
            svg.text(
                middle,
                &format!("—{}", note::signs(item.row)),
                (Anchor::Middle, Turn::None),
                &format!("font-size=\"{SMALL}\""),
            );
            continue;
        };
        let (fill, letters) = colours.at(value);
        svg.rect(corner, size, &format!("fill=\"{fill}\""), &says);
        let shown = number::typeset(&number::fixed(value, decimals)) + &note::signs(item.row);
        if text::width(&shown, SMALL) <= size.0 - 2.0 && size.1 >= SMALL {
            let paint = format!("font-size=\"{SMALL}\" fill=\"{letters}\" pointer-events=\"none\"");
            svg.text(middle, &shown, (Anchor::Middle, Turn::None), &paint);
        }
    }
    axes::around_fields(svg, panel, place, layout);
}

/// What the colours mean: a bar of them with numbers, to the right of all panels.
pub(super) fn bar(svg: &mut Svg, layout: &Layout, colours: Colours) {
    const STEPS: usize = 40;
    svg.open("scale", &format!("font-size=\"{SMALL}\""));
    let whole = layout.whole;
    let area = Area {
        left: whole.right() + 18.0,
        top: whole.top,
        width: 12.0,
        height: whole.height.min(220.0),
    };
    let step = area.height / STEPS as f64;
    for index in 0..STEPS {
        let share = 1.0 - (index as f64 + 0.5) / STEPS as f64;
        let (fill, _) = colours.at(colours.low + share * (colours.high - colours.low));
        // Half a pixel of overlap, so that no seams show.
        let more = if index + 1 < STEPS { 0.5 } else { 0.0 };
        svg.rect(
            (area.left, area.top + step * index as f64),
            (area.width, step + more),
            &format!("fill=\"{fill}\""),
            "",
        );
    }
    let scale = Scale {
        low: colours.low,
        high: colours.high,
        from: area.bottom(),
        to: area.top,
    };
    let about = ((area.height / 36.0) as usize).clamp(2, 5);
    for (value, label) in ticks(colours.low, colours.high, about, false) {
        let y = scale.at(value);
        svg.line(
            (area.right(), y),
            (area.right() + 3.0, y),
            "stroke=\"currentColor\" stroke-opacity=\"0.5\"",
        );
        svg.text(
            (area.right() + 6.0, y + SMALL / 3.0),
            &label,
            (Anchor::Start, Turn::None),
            "",
        );
    }
    svg.close();
}
