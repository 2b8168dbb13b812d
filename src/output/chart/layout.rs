//! Where everything stands: panels, their axes, legend and note, in pixels.
//!
//! Widths of texts decide margins, how many panels stand beside each other, and whether labels are broken into lines or
//! turned. It must not draw.

use std::f64::consts::FRAC_1_SQRT_2;

use super::arrange::{Arranged, Panel};
use super::form::Form;
use super::row::Style;
use super::svg::Turn;
use super::text;

/// Sizes of letters: of ticks and notes, and of everything else.
pub(super) const SMALL: f64 = 11.0;
pub(super) const BODY: f64 = 12.0;
/// From one line to the next.
pub(super) const LINE: f64 = 14.0;
/// The longest label that is turned or stands beside an axis, in pixels.
const LONGEST: f64 = 160.0;
const GAP: f64 = 16.0;
/// Beside a heatmap: what its colours mean.
const COLOUR_BAR: f64 = 74.0;

/// Where a panel stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Area {
    pub(super) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

/// One panel's place and what is written around it.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) area: Area,
    /// Whether labels stand below it.
    pub(super) below: bool,
    /// Whether labels stand to the left of it.
    pub(super) beside: bool,
}

/// Where everything stands.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) width: f64,
    pub(super) height: f64,
    /// Panels in the order of [`Arranged::panels`].
    pub(super) places: Vec<Place>,
    /// How labels below panels are turned.
    pub(super) turn: Turn,
    /// The widest that a line of a label below, or beside, may be.
    pub(super) room_below: f64,
    /// How many lines such a label may have.
    pub(super) lines_below: usize,
    pub(super) room_beside: f64,
    /// The baseline of the title below all panels.
    pub(super) title_below: f64,
    /// The baseline of the note's first line.
    pub(super) note: f64,
    /// Everything that panels cover.
    pub(super) whole: Area,
}

/// What the layout must leave room for.
pub(super) struct Needs<'n> {
    pub(super) style: &'n Style,
    pub(super) arranged: &'n Arranged<'n>,
    /// Labels of the axis of values.
    pub(super) ticks: &'n [String],
    pub(super) legend: f64,
    pub(super) note_lines: usize,
    pub(super) title_below: bool,
    pub(super) title_beside: bool,
    /// The width of the columns of numbers beside each panel.
    pub(super) beside: f64,
}

/// The width of a figure, unless it is given: that of a page, or as much as many positions need.
pub(super) fn width_of(style: &Style, arranged: &Arranged<'_>) -> f64 {
    let most = arranged.panels.iter().map(|panel| panel.positions.len());
    let least = if style.form == Form::Confusion {
        120.0 + 52.0 * most.max().unwrap_or(0) as f64
    } else if arranged.lying {
        0.0
    } else {
        80.0 + 12.0 * most.max().unwrap_or(0) as f64
    };
    match style.width {
        Some(width) => f64::from(width),
        // A single panel that is as high as it is wide need not be as wide as a page.
        None if is_square(style) && arranged.panels.len() == 1 => least.clamp(480.0, 720.0),
        None => least.clamp(720.0, 1600.0),
    }
}

/// Whether panels should be about as high as they are wide.
fn is_square(style: &Style) -> bool {
    matches!(
        style.form,
        Form::Scatter | Form::Reliability | Form::Confusion
    )
}

/// How many lines a note has at most: more where they are short.
pub(super) fn note_lines(width: f64) -> usize {
    if width < 600.0 { 9 } else { 6 }
}

pub(super) fn lay_out(needs: &Needs<'_>) -> Layout {
    let Needs {
        style, arranged, ..
    } = needs;
    let width = width_of(style, arranged);
    let heat = style.form == Form::Heatmap;
    let labels_beside = arranged.lying || heat || style.form == Form::Confusion;
    let beside = beside(needs, labels_beside, width);
    let alike = arranged
        .panels
        .iter()
        .all(|panel| lines_of(arranged, panel) == lines_of(arranged, &arranged.panels[0]));
    let each_beside = labels_beside && !alike;
    let title = if needs.title_beside { 20.0 } else { 0.0 };
    let right = if heat { COLOUR_BAR } else { 14.0 };
    let columns = columns(
        needs,
        width - title - beside - right,
        if each_beside { beside } else { 0.0 },
    );
    let inner = columns_width(
        width - title - beside - right,
        columns,
        if each_beside { beside } else { 0.0 },
    );
    let slot = inner / positions(arranged) as f64;
    let Below {
        turn,
        height: below,
        room: room_below,
        lines: lines_below,
    } = below(needs, slot);
    // A slanted label of the first position reaches to the left.
    let overhang = overhang(needs, (turn, room_below), slot) - beside - title;
    let left = title + beside + overhang.max(0.0);
    let inner = columns_width(
        width - left - right,
        columns,
        if each_beside { beside } else { 0.0 },
    );
    let spots = spots(arranged, columns);
    let labelled = labelled(arranged, &spots);
    let (tops, mut top) = tops(needs, inner, (&spots, &labelled), below);
    let step = inner + GAP + if each_beside { beside } else { 0.0 };
    let places = spots.iter().zip(&labelled).map(|(&(row, column), &below)| {
        let (top, height) = tops.get(row).copied().unwrap_or_default();
        Place {
            area: Area {
                left: left + column as f64 * step,
                top,
                width: inner,
                height,
            },
            below,
            beside: column == 0 || each_beside,
        }
    });
    let places: Vec<Place> = places.collect();
    let first = tops.first().map_or(top, |(top, _)| *top);
    let last = tops.last().map_or(top, |(top, height)| top + height);
    let title_below = top + 16.0;
    if needs.title_below {
        top += 22.0;
    }
    let note = top + 18.0;
    let height = top + 10.0 + needs.note_lines as f64 * LINE;
    Layout {
        width,
        height,
        places,
        turn,
        room_below,
        lines_below,
        room_beside: (beside - 10.0).max(0.0),
        title_below,
        note,
        whole: Area {
            left,
            top: first,
            width: width - left - right,
            height: last - first,
        },
    }
}

/// The row and the column of each panel.
fn spots(arranged: &Arranged<'_>, columns: usize) -> Vec<(usize, usize)> {
    let panels = arranged.panels.iter().enumerate();
    panels
        .map(|(index, panel)| panel.place.unwrap_or((index / columns, index % columns)))
        .collect()
}

/// Which panels have labels below: not those above one with the same, which serve for both.
fn labelled(arranged: &Arranged<'_>, spots: &[(usize, usize)]) -> Vec<bool> {
    let panels = spots.iter().zip(&arranged.panels);
    panels
        .map(|(&(row, column), panel)| {
            let under = spots.iter().position(|spot| *spot == (row + 1, column));
            !under.is_some_and(|under| {
                arranged.lying || arranged.panels[under].positions == panel.positions
            })
        })
        .collect()
}

/// Where each row of panels begins and how high it is, and where the last one's labels end.
fn tops(
    needs: &Needs<'_>,
    wide: f64,
    (spots, labelled): (&[(usize, usize)], &[bool]),
    below: f64,
) -> (Vec<(f64, f64)>, f64) {
    let arranged = needs.arranged;
    let rows = spots.iter().map(|(row, _)| row + 1).max().unwrap_or(1);
    // Columns of numbers have headings, too.
    let headed = needs.beside > 0.0
        || arranged
            .panels
            .iter()
            .any(|panel| !panel.heading.is_empty());
    let mut top = needs.legend + if headed { 22.0 } else { 8.0 };
    let mut tops = Vec::new();
    for row in 0..rows {
        let here = || (0..spots.len()).filter(|&index| spots[index].0 == row);
        let height = here()
            .map(|index| height(needs.style, arranged, &arranged.panels[index], (wide, rows)))
            .fold(0.0, f64::max);
        tops.push((top, height));
        top += height;
        if here().any(|index| labelled[index]) {
            top += below;
        }
        if row + 1 < rows {
            top += GAP + if headed { 18.0 } else { 0.0 };
        }
    }
    (tops, top)
}

/// Labels that stand beside a panel.
fn lines_of<'p>(arranged: &Arranged<'_>, panel: &'p Panel<'_>) -> &'p [String] {
    if arranged.lying {
        &panel.positions
    } else {
        &panel.lines
    }
}

/// The most positions that a panel has.
fn positions(arranged: &Arranged<'_>) -> usize {
    let most = arranged.panels.iter().map(|panel| panel.positions.len());
    most.max().unwrap_or(1).max(1)
}

/// Room for the labels beside panels.
fn beside(needs: &Needs<'_>, labels: bool, width: f64) -> f64 {
    let widest = |labels: &mut dyn Iterator<Item = &String>| {
        labels
            .map(|label| text::width(label, SMALL))
            .fold(0.0, f64::max)
    };
    let widest = if labels {
        let mut all = needs
            .arranged
            .panels
            .iter()
            .flat_map(|panel| lines_of(needs.arranged, panel));
        widest(&mut all).min(LONGEST.min(width * 0.35))
    } else {
        widest(&mut needs.ticks.iter())
    };
    widest + 10.0
}

fn columns_width(room: f64, columns: usize, beside: f64) -> f64 {
    let between = (columns - 1) as f64 * (GAP + beside);
    ((room - between) / columns as f64).max(40.0)
}

/// How many panels stand beside each other: as many as keep their positions apart.
fn columns(needs: &Needs<'_>, room: f64, beside: f64) -> usize {
    if let Some((_, columns)) = needs.arranged.grid {
        return columns.max(1);
    }
    let panels = needs.arranged.panels.len().max(1);
    let positions = positions(needs.arranged) as f64;
    let series = needs.arranged.series.len().max(1) as f64;
    let least = match needs.style.form {
        Form::Histogram => 200.0,
        _ if needs.style.goes_by_numbers() => 200.0,
        Form::Heatmap => 40.0 * positions,
        Form::Confusion => 52.0 * positions,
        Form::Stacked if !needs.arranged.lying => (positions * 30.0).max(150.0),
        _ if needs.style.numbers => 200.0 + needs.beside,
        _ if needs.arranged.lying => 180.0,
        _ => (positions * 20.0_f64.max(7.0 * series)).max(150.0),
    };
    let most = (1..=panels.min(4))
        .rev()
        .find(|&columns| columns_width(room, columns, beside) >= least)
        .unwrap_or(1);
    // Rows of panels are filled alike.
    panels.div_ceil(panels.div_ceil(most))
}

/// How labels below panels stand.
struct Below {
    turn: Turn,
    /// How high they are.
    height: f64,
    /// How wide a line of them may be.
    room: f64,
    /// How many lines they may have.
    lines: usize,
}

fn below(needs: &Needs<'_>, slot: f64) -> Below {
    if needs.arranged.lying || needs.style.goes_by_numbers() {
        return Below {
            turn: Turn::None,
            height: 18.0,
            room: f64::INFINITY,
            lines: 1,
        };
    }
    let labels = || {
        let panels = needs.arranged.panels.iter();
        panels.flat_map(|panel| &panel.positions)
    };
    let room = slot - 6.0;
    if labels().all(|label| text::fits(label, SMALL, room, 4)) {
        let lines = labels().map(|label| text::lines(label, SMALL, room, 4).len());
        return Below {
            turn: Turn::None,
            height: 8.0 + LINE * lines.max().unwrap_or(1) as f64,
            room,
            lines: 4,
        };
    }
    let (turn, lines) = match slot {
        slot if slot >= 34.0 => (Turn::Slanted, 2),
        slot if slot >= 15.0 => (Turn::Slanted, 1),
        _ => (Turn::Upright, 1),
    };
    let room = if lines > 1 { LONGEST * 0.7 } else { LONGEST };
    let longest = labels()
        .flat_map(|label| text::lines(label, SMALL, room, lines))
        .map(|line| text::width(&line, SMALL))
        .fold(0.0, f64::max);
    let height = match turn {
        Turn::Slanted => longest * FRAC_1_SQRT_2 + 18.0 + LINE * 0.46 * (lines as f64 - 1.0),
        _ => longest + 10.0,
    };
    Below {
        turn,
        height,
        room,
        lines,
    }
}

/// How far the label of a first position reaches to the left of its panel.
fn overhang(needs: &Needs<'_>, (turn, room): (Turn, f64), slot: f64) -> f64 {
    if turn != Turn::Slanted {
        return 0.0;
    }
    let panels = needs.arranged.panels.iter();
    let reach = panels.flat_map(|panel| panel.positions.iter().enumerate());
    reach
        .map(|(index, label)| {
            let long = text::width(label, SMALL).min(room) * FRAC_1_SQRT_2 + 12.0;
            long - slot * (index as f64 + 0.5)
        })
        .fold(0.0, f64::max)
}

fn height(
    style: &Style,
    arranged: &Arranged<'_>,
    panel: &Panel<'_>,
    (wide, rows): (f64, usize),
) -> f64 {
    if let Some(height) = style.height {
        return f64::from(height);
    }
    let series = arranged.series.len().max(1) as f64;
    match style.form {
        Form::Heatmap => panel.lines.len() as f64 * 30.0,
        Form::Confusion => panel.lines.len() as f64 * 36.0,
        Form::Scatter | Form::Reliability => (wide * 0.9).clamp(150.0, 420.0),
        Form::Stacked if arranged.lying => panel.positions.len() as f64 * 30.0,
        // Long names of judges have two lines.
        _ if arranged.lying && style.numbers && arranged.series.len() < 2 => {
            let long = |label: &String| text::width(label, SMALL) > LONGEST;
            let slot = if panel.positions.iter().any(long) {
                32.0
            } else {
                24.0
            };
            panel.positions.len() as f64 * slot
        }
        _ if arranged.lying => panel.positions.len() as f64 * (12.0 * series + 12.0).max(24.0),
        _ if rows == 1 => 240.0,
        _ => 170.0,
    }
}
