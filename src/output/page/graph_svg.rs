//! The stages as a drawing: boxes in columns, lines from what is read to what reads it.
//!
//! The look comes from the page's style by class, so the drawing follows light and dark. How a stage ended is said by a sign
//! and by words, not by colour alone. A table beside the drawing (in the template) says the same to those who do not see it.

use std::fmt::Write;

use crate::base::wording::{count, shorten, thousands};

use super::graph::{Graph, Stage, State};
use super::graph_layout::{HEIGHT, Layout, WIDTH, place};
use super::{duration, visible};

/// How many letters of a name fit into a box.
const NAME: usize = 23;

/// From which width on a drawing is not made as small as a page may be.
const WIDE: f64 = 1_000.0;

/// From which width on it is not made smaller at all.
const VAST: f64 = 1_700.0;

/// A drawing of some stages of a graph. `prefix` begins the names of all of them and is left out.
pub(super) fn draw(graph: &Graph, members: &[usize], prefix: &str) -> String {
    let layout = place(graph, members);
    let (width, height) = (layout.width, layout.height);
    let size = match width {
        ..=WIDE => "",
        ..=VAST => " wide",
        _ => " vast",
    };
    let mut out = format!(
        "<svg class=\"graph{size}\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         aria-hidden=\"true\" focusable=\"false\">"
    );
    lines(&mut out, &layout);
    for (member, (x, y)) in members.iter().zip(&layout.boxes) {
        one(&mut out, &graph.stages[*member], prefix, (*x, *y));
    }
    out.push_str("</svg>");
    out
}

fn lines(out: &mut String, layout: &Layout) {
    for line in &layout.lines {
        let mut path = String::new();
        for (index, &(x, y)) in line.points.iter().enumerate() {
            // Points come in pairs: out of one column, into the next; in between the line is straight.
            let _ = match index {
                0 => write!(path, "M{x} {y}"),
                index if index % 2 == 1 => {
                    let (from, before) = line.points[index - 1];
                    let middle = f64::midpoint(from, x);
                    write!(path, "C{middle} {before} {middle} {y} {x} {y}")
                }
                _ => write!(path, "H{x}"),
            };
        }
        let _ = write!(
            out,
            "<path class=\"line\" data-from=\"{}\" data-to=\"{}\" d=\"{path}\"/>",
            line.from, line.to
        );
    }
}

fn one(out: &mut String, stage: &Stage, prefix: &str, (x, y): (f64, f64)) {
    let name = stage.name.strip_prefix(prefix).unwrap_or(&stage.name);
    let _ = write!(
        out,
        "<g class=\"stage {}\"><title>{}</title><rect x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"4\"/>{}\
         <text class=\"name\" x=\"{}\" y=\"{}\">{}</text><text x=\"{}\" y=\"{}\">{}</text><text x=\"{}\" y=\"{}\">{}</text></g>",
        class(stage.state),
        visible::html(&visible::plain(&stage.name)),
        sign(stage.state, x + WIDTH - 15.0, y + 13.5),
        x + 10.0,
        y + 18.0,
        visible::html(&visible::plain(&shorten(name, NAME))),
        x + 10.0,
        y + 33.5,
        known(stage),
        x + 10.0,
        y + 48.0,
        visible::html(&took(stage)),
    );
}

/// The class of a state, which is also its word.
pub(super) fn class(state: State) -> &'static str {
    match state {
        State::Done => "done",
        State::Failed => "failed",
        State::Skipped => "skipped",
    }
}

/// A check, a cross or a dash, ten units wide.
fn sign(state: State, x: f64, y: f64) -> String {
    let path = match state {
        State::Done => "m-4 0 3 3 5-6",
        State::Failed => "m-3.5-3.5 7 7m0-7-7 7",
        State::Skipped => "m-4 0h8",
    };
    format!("<path class=\"sign\" d=\"M{x} {y}{path}\"/>")
}

/// How many of the instances were known, and how many ran.
pub(super) fn known(stage: &Stage) -> String {
    let all = stage.instances;
    let (number, of) = match all {
        1 => (String::new(), String::new()),
        all => (format!("{all} "), format!(", {all} instances")),
    };
    let rest = all.saturating_sub(stage.known);
    match (stage.state, stage.known) {
        (State::Done, known) if known >= all => format!("{number}cached"),
        (State::Done, 0) => format!("{number}ran"),
        (State::Done, known) => format!("{known} cached, {rest} ran"),
        (State::Failed, _) => format!("failed{of}"),
        (State::Skipped, _) => format!("skipped{of}"),
    }
}

fn took(stage: &Stage) -> String {
    let rows = match stage.rows {
        1 => count(1, "row"),
        rows => format!("{} rows", thousands(rows)),
    };
    format!("{rows} · {}", duration::words(stage.seconds))
}
