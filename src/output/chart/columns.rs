//! Columns of numbers to the right of marks that lie one below the other: the value, its interval, and its n.

use super::arrange::{Arranged, Item};
use super::axes::Axes;
use super::layout::SMALL;
use super::note;
use super::row::{Row, Style};
use super::svg::{Anchor, Svg, Turn};
use super::text;
use super::words;

/// Between two columns.
const GAP: f64 = 14.0;

/// The columns of numbers: their headings and how wide they are, without those that hold nothing.
pub(super) struct Columns {
    columns: Vec<(String, Of, f64)>,
}

/// What stands in a column.
type Of = fn(&Style, &Row) -> Option<String>;

impl Columns {
    /// What the rows have.
    pub(super) fn new(style: &Style, arranged: &Arranged<'_>) -> Self {
        if !style.numbers {
            return Self {
                columns: Vec::new(),
            };
        }
        let all: [(String, Of); 3] = [
            (style.heading(&style.value), |style, row| {
                Some(value(style, row))
            }),
            ("interval".to_owned(), interval),
            ("n".to_owned(), n),
        ];
        let columns = all.into_iter().filter_map(|(heading, of)| {
            let shown = arranged.items().filter_map(|item| of(style, item.row));
            let widest = shown
                .map(|shown| text::width(&shown, SMALL))
                .reduce(f64::max)?;
            let heading = text::fitted(&heading, SMALL, widest.max(90.0));
            let wide = widest.max(text::width(&heading, SMALL));
            Some((heading, of, wide))
        });
        Self {
            columns: columns.collect(),
        }
    }

    /// How wide they are together.
    pub(super) fn width(&self) -> f64 {
        self.columns.iter().map(|(.., wide)| wide + GAP).sum()
    }

    /// Draws them to the right of a panel.
    pub(super) fn draw(&self, svg: &mut Svg, axes: &Axes<'_>, style: &Style) {
        if self.columns.is_empty() {
            return;
        }
        let area = axes.place.area;
        let mut right = area.right();
        svg.open("numbers", &format!("font-size=\"{SMALL}\""));
        for (heading, of, wide) in &self.columns {
            right += GAP + wide;
            let end = (Anchor::End, Turn::None);
            svg.text(
                (right, area.top - 7.0),
                heading,
                end,
                "fill-opacity=\"0.75\"",
            );
            for item in &axes.panel.items {
                let Some(shown) = of(style, item.row) else {
                    continue;
                };
                let along = middle(axes, item);
                svg.text((right, along + SMALL / 3.0), &shown, end, "");
            }
        }
        svg.close();
    }
}

fn middle(axes: &Axes<'_>, item: &Item<'_>) -> f64 {
    axes.middle(item.position, item.series)
}

fn value(style: &Style, row: &Row) -> String {
    let shown = row.value.map(|value| words::shown(style, value));
    shown.unwrap_or_else(|| "—".to_owned()) + &note::signs(row)
}

fn interval(style: &Style, row: &Row) -> Option<String> {
    let [low, high] = [row.low?, row.high?].map(|end| words::shown(style, end));
    Some(format!("{low} to {high}"))
}

fn n(_: &Style, row: &Row) -> Option<String> {
    row.n.map(|n| n.to_string())
}
