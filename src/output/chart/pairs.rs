//! Pairs of numbers: marks as large as a pair is frequent, bars along both axes, and the lines through them.

use std::collections::BTreeMap;

use super::arrange::Item;
use super::axes;
use super::form::Form;
use super::layout::SMALL;
use super::plane::{self, Plane, pair};
use super::row::Style;
use super::scale::{Scale, nice};
use super::style;
use super::svg::{Anchor, Svg, Turn};
use super::text;
use super::words;
use crate::base::wording::count;

/// The room that bars need along the top and along the right edge.
pub(super) const MARGINS: (f64, f64) = (34.0, 40.0);
/// The longest bar there.
const BAR: f64 = 26.0;
/// The widest mark, from its middle.
const LARGEST: f64 = 15.0;
/// The room that marks have within the edges.
pub(super) const INSIDE: f64 = 10.0;
/// From so many marks on they are faint, so that it shows where there are many.
const DENSE: usize = 1500;
/// More different numbers than this are counted in bins.
const EACH: usize = 24;

/// How large marks are.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    /// The size of the mark of the most frequent pair.
    largest: f64,
    /// How frequent that is.
    most: u64,
    /// Whether there are so many marks that each is faint.
    dense: bool,
}

impl Sizes {
    /// As large as the places of a panel leave room for.
    fn of(marks: &[Mark<'_>], meet: usize) -> Self {
        let dense = marks.len() >= DENSE;
        let most = marks.iter().map(|mark| mark.n).max().unwrap_or(1);
        if most <= 1 {
            let largest = match marks.len() {
                ..300 => 3.4,
                300..DENSE => 2.6,
                _ => 2.0,
            };
            return Self {
                largest,
                most: 1,
                dense,
            };
        }
        let gap = |of: fn(&Mark<'_>) -> f64| {
            let mut places: Vec<f64> = marks.iter().map(of).collect();
            places.sort_by(f64::total_cmp);
            let gaps = places.windows(2).map(|two| two[1] - two[0]);
            gaps.filter(|gap| *gap > 0.05).fold(f64::INFINITY, f64::min)
        };
        let gap = gap(|mark| mark.at.0).min(gap(|mark| mark.at.1));
        Self {
            largest: (gap * 0.48 / meet as f64).clamp(5.0, LARGEST),
            most,
            dense,
        }
    }

    /// The area says how many.
    fn of_mark(self, n: u64) -> f64 {
        (self.largest * (n as f64 / self.most as f64).sqrt()).max(1.8)
    }
}

struct Mark<'a> {
    item: &'a Item<'a>,
    at: (f64, f64),
    n: u64,
}

/// Draws the pairs of a panel with the lines through them.
pub(super) fn draw(
    svg: &mut Svg,
    plane: &Plane<'_>,
    style: &Style,
    says: &dyn Fn(&Item<'_>) -> String,
) {
    let items = || plane.axes.panel.items.iter();
    let mut marks: Vec<Mark<'_>> = items()
        .filter(|item| !plane::is_line(style, item))
        .filter_map(|item| {
            let (x, y) = pair(style, item);
            Some(Mark {
                item,
                at: plane.at((x?, y?)),
                n: item.row.n.unwrap_or(1),
            })
        })
        .collect();
    // Small ones stand before large ones.
    marks.sort_by_key(|mark| std::cmp::Reverse(mark.n));
    let key = |mark: &Mark<'_>| (mark.at.0.to_bits(), mark.at.1.to_bits());
    let mut here: BTreeMap<(u64, u64), Vec<usize>> = BTreeMap::new();
    for mark in &marks {
        here.entry(key(mark)).or_default().push(mark.item.series);
    }
    for series in here.values_mut() {
        series.sort_unstable();
    }
    let meet = here.values().map(Vec::len).max().unwrap_or(1);
    let sizes = Sizes::of(&marks, meet);
    let lines = || items().filter(|item| plane::is_line(style, item));
    // Lines go through many small marks, and behind large ones with numbers.
    if sizes.most > 1 {
        through(svg, plane, style, lines, says);
    }
    for mark in &marks {
        // Series that meet in a place stand beside each other there, so that none hides another.
        let others = &here[&key(mark)];
        let place = others.iter().position(|&series| series == mark.item.series);
        let size = sizes.of_mark(mark.n);
        let shift =
            (place.unwrap_or(0) as f64 - (others.len() as f64 - 1.0) / 2.0) * sizes.largest * 2.0;
        let at = (mark.at.0 + shift, mark.at.1);
        let says = says(mark.item);
        let draw = match (sizes.dense, sizes.most) {
            (true, _) => style::faint,
            (false, 1) => style::outline,
            _ => style::plate,
        };
        draw(svg, mark.item.series, at, size, &says);
        let shown = mark.n.to_string();
        if mark.n > 1 && text::width(&shown, SMALL) <= size * 2.0 - 3.0 {
            let at = (at.0, at.1 + SMALL / 3.0);
            let paint = format!("font-size=\"{SMALL}\" fill=\"#111\" pointer-events=\"none\"");
            svg.text(at, &shown, (Anchor::Middle, Turn::None), &paint);
        }
    }
    plane.crosses(svg, style, says);
    if sizes.most <= 1 {
        through(svg, plane, style, lines, says);
    }
    if style.form == Form::Scatter {
        margins(svg, plane, style, &marks);
    }
}

/// The lines through the pairs of a panel.
fn through<'i, I: Iterator<Item = &'i Item<'i>>>(
    svg: &mut Svg,
    plane: &Plane<'_>,
    style: &Style,
    lines: impl Fn() -> I,
    says: &dyn Fn(&Item<'_>) -> String,
) {
    if style.form == Form::BlandAltman {
        for item in lines() {
            agreement(svg, plane, style, item, &says(item));
        }
    } else {
        fits(svg, plane, style, &lines().collect::<Vec<_>>(), says);
    }
}

/// What a line is painted with: the colour of its series, where there are several.
fn paint(plane: &Plane<'_>, series: usize, more: &str) -> String {
    let colour = if plane.axes.series > 1 {
        style::colour(series)
    } else {
        "currentColor"
    };
    format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"{more}")
}

/// The bias and the limits of agreement of a series, with their numbers where there is only one.
fn agreement(svg: &mut Svg, plane: &Plane<'_>, style: &Style, item: &Item<'_>, says: &str) {
    let row = item.row;
    let lines = [
        (row.high, " stroke-dasharray=\"6 3\""),
        (row.value, ""),
        (row.low, " stroke-dasharray=\"6 3\""),
    ];
    for (value, dash) in lines {
        let Some(value) = value else { continue };
        let y = plane.y.at(value);
        let ends = [(plane.area.left, y), (plane.area.right(), y)];
        svg.path(&ends, false, &paint(plane, item.series, dash), says);
        if plane.axes.series == 1 {
            let shown = words::shown(style, value);
            let at = (plane.area.right() + 4.0, y + SMALL / 3.0);
            let size = format!("font-size=\"{SMALL}\"");
            svg.text(at, &shown, (Anchor::Start, Turn::None), &size);
        }
    }
}

/// Straight lines, each between its two ends.
fn fits(
    svg: &mut Svg,
    plane: &Plane<'_>,
    style: &Style,
    ends: &[&Item<'_>],
    says: &dyn Fn(&Item<'_>) -> String,
) {
    for series in 0..plane.axes.series.max(1) {
        let own = || ends.iter().filter(|item| item.series == series);
        let points: Vec<(f64, f64)> = own()
            .filter_map(|item| {
                let (x, y) = pair(style, item);
                Some(plane.at((x?, y?)))
            })
            .collect();
        if let Some(first) = own().next().filter(|_| points.len() > 1) {
            svg.path(&points, false, &paint(plane, series, ""), &says(first));
        }
    }
}

/// Bars along the top and along the right edge: how many values there are at each number of either axis.
fn margins(svg: &mut Svg, plane: &Plane<'_>, style: &Style, marks: &[Mark<'_>]) {
    let pairs = marks.iter().map(|mark| (pair(style, mark.item), mark.n));
    let (mut across, mut up) = (Vec::new(), Vec::new());
    for ((x, y), n) in pairs {
        across.extend(x.map(|x| (x, n)));
        up.extend(y.map(|y| (y, n)));
    }
    let (below, beside) = (bars(&across), bars(&up));
    let names = [style.headings_of(&style.x), style.heading(&style.value)];
    for ((bars, name), upright) in [below, beside].iter().zip(names).zip([true, false]) {
        let most = bars.iter().map(|bar| bar.n).max().unwrap_or(1) as f64;
        let scale = if upright { &plane.x } else { &plane.y };
        let thick = thickness(bars, scale);
        for bar in bars {
            let long = BAR * bar.n as f64 / most;
            let (from, to) = match bar.ends {
                Some((low, high)) => (scale.at(low), scale.at(high)),
                None => (
                    scale.at(bar.at) - thick / 2.0,
                    scale.at(bar.at) + thick / 2.0,
                ),
            };
            let (from, to) = (from.min(to), from.max(to));
            let gap = if to - from > 4.0 { 0.5 } else { 0.0 };
            let (corner, size) = if upright {
                (
                    (from + gap, plane.area.top - 4.0 - long),
                    (to - from - 2.0 * gap, long),
                )
            } else {
                (
                    (plane.area.right() + 4.0, from + gap),
                    (long, to - from - 2.0 * gap),
                )
            };
            let place = match bar.ends {
                Some((low, high)) => format!(
                    "{} up to, not including, {}",
                    words::exact(low),
                    words::exact(high)
                ),
                None => words::exact(bar.at),
            };
            let says = format!("{name} {place}: {}", count(bar.n, "value"));
            svg.rect(corner, size, axes::MARGIN, &says);
        }
    }
}

/// How many values lie at a number, or between two.
struct Bar {
    at: f64,
    ends: Option<(f64, f64)>,
    n: u64,
}

/// How many pixels wide the bars of single numbers are.
fn thickness(bars: &[Bar], scale: &Scale) -> f64 {
    let gaps = bars
        .windows(2)
        .map(|two| (scale.at(two[1].at) - scale.at(two[0].at)).abs());
    (gaps.fold(f64::INFINITY, f64::min) * 0.7).clamp(1.5, 18.0)
}

/// A bar for each number, or for each bin of one width where there are many.
fn bars(values: &[(f64, u64)]) -> Vec<Bar> {
    let mut each: Vec<(f64, u64)> = Vec::new();
    let mut sorted = values.to_vec();
    sorted.sort_by(|left, right| left.0.total_cmp(&right.0));
    for (value, n) in sorted {
        match each.last_mut() {
            Some((last, so_far)) if last.total_cmp(&value).is_eq() => *so_far += n,
            _ => each.push((value, n)),
        }
    }
    let ends = each.first().zip(each.last());
    let Some(((low, _), (high, _))) = ends.filter(|_| each.len() > EACH) else {
        let bars = each.into_iter().map(|(at, n)| Bar { at, ends: None, n });
        return bars.collect();
    };
    let width = nice((high - low) / EACH as f64);
    let mut bins: BTreeMap<i64, u64> = BTreeMap::new();
    for (value, n) in &each {
        *bins.entry((value / width).floor() as i64).or_default() += n;
    }
    let bars = bins.into_iter().map(|(bin, n)| {
        let low = bin as f64 * width;
        Bar {
            at: low,
            ends: Some((low, low + width)),
            n,
        }
    });
    bars.collect()
}
