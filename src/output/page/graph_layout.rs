//! Where the boxes and lines of a graph of stages stand: columns by depth, few crossings, lines around boxes.
//!
//! The usual three steps of layered drawings (Sugiyama, Tagawa, Toda 1981): a column for each stage (the longest way to
//! it), an order within columns by the mean place of neighbours, heights that follow neighbours where there is room. A line
//! over several columns gets a narrow lane of its own in each, so that it passes no box. It must not know what a box looks
//! like but its size.

use super::graph::Graph;

/// The width of a box.
pub(super) const WIDTH: f64 = 184.0;
/// The height of a box.
pub(super) const HEIGHT: f64 = 56.0;
/// From one column to the next, between boxes.
const ACROSS: f64 = 36.0;
/// Between boxes of a column.
const BETWEEN: f64 = 16.0;
/// The height of a line's lane in a column that it passes.
const LANE: f64 = 10.0;
/// How often order and heights are improved; more changes nothing that one would see.
const ROUNDS: usize = 8;

/// A drawing's size and places.
#[derive(Debug)]
pub(super) struct Layout {
    /// The width of everything.
    pub(super) width: f64,
    /// The height of everything.
    pub(super) height: f64,
    /// The left upper corner of each member's box.
    pub(super) boxes: Vec<(f64, f64)>,
    /// Each line: the members it joins, and the points it runs through, from the right side of one to the left side of the other.
    pub(super) lines: Vec<Line>,
}

/// A line between two boxes.
#[derive(Debug)]
pub(super) struct Line {
    /// The member that is read, by its position among the members.
    pub(super) from: usize,
    /// The member that reads.
    pub(super) to: usize,
    /// Where it runs.
    pub(super) points: Vec<(f64, f64)>,
}

/// A box, or a line's place in a column that it passes.
struct Spot {
    column: usize,
    height: f64,
    left: Vec<usize>,
    right: Vec<usize>,
    /// The middle.
    y: f64,
}

/// The stages that hang together, each group in the order of the graph, groups by their first stage.
pub(super) fn components(graph: &Graph) -> Vec<Vec<usize>> {
    let count = graph.stages.len();
    let mut group: Vec<usize> = (0..count).collect();
    for (index, stage) in graph.stages.iter().enumerate() {
        for &read in stage.reads.iter().filter(|read| **read < index) {
            let (one, other) = (root(&group, index), root(&group, read));
            group[one.max(other)] = one.min(other);
        }
    }
    let mut found: Vec<Vec<usize>> = vec![Vec::new(); count];
    for index in 0..count {
        found[root(&group, index)].push(index);
    }
    found.retain(|members| !members.is_empty());
    found
}

fn root(group: &[usize], mut index: usize) -> usize {
    while group[index] != index {
        index = group[index];
    }
    index
}

/// Places for some stages of a graph and the lines between them.
pub(super) fn place(graph: &Graph, members: &[usize]) -> Layout {
    let mut spots: Vec<Spot> = Vec::with_capacity(members.len());
    let mut chains: Vec<Vec<usize>> = Vec::new();
    let mut reads: Vec<Vec<usize>> = Vec::with_capacity(members.len());
    for (position, &stage) in members.iter().enumerate() {
        let mut read: Vec<usize> = graph.stages[stage]
            .reads
            .iter()
            .filter_map(|read| members[..position].iter().position(|other| other == read))
            .collect();
        read.sort_unstable();
        read.dedup();
        let column = read.iter().map(|&other| spots[other].column + 1).max();
        spots.push(Spot::new(column.unwrap_or(0), HEIGHT));
        reads.push(read);
    }
    for (to, read) in reads.iter().enumerate() {
        for &from in read {
            chains.push(join(&mut spots, from, to));
        }
    }
    let mut columns: Vec<Vec<usize>> = Vec::new();
    for (index, spot) in spots.iter().enumerate() {
        if columns.len() <= spot.column {
            columns.resize(spot.column + 1, Vec::new());
        }
        columns[spot.column].push(index);
    }
    order(&mut spots, &mut columns);
    settle(&mut spots, &columns);
    drawn(&spots, &columns, members.len(), &chains)
}

impl Spot {
    fn new(column: usize, height: f64) -> Self {
        Self {
            column,
            height,
            left: Vec::new(),
            right: Vec::new(),
            y: 0.0,
        }
    }
}

/// The spots from one box to another, with new lanes in the columns between.
fn join(spots: &mut Vec<Spot>, from: usize, to: usize) -> Vec<usize> {
    let mut chain = vec![from];
    for column in spots[from].column + 1..spots[to].column {
        spots.push(Spot::new(column, LANE));
        chain.push(spots.len() - 1);
    }
    chain.push(to);
    for pair in chain.windows(2) {
        spots[pair[0]].right.push(pair[1]);
        spots[pair[1]].left.push(pair[0]);
    }
    chain
}

/// Orders each column by the mean place of what its spots are joined with, to and fro.
fn order(spots: &mut [Spot], columns: &mut [Vec<usize>]) {
    for column in columns.iter() {
        number(spots, column);
    }
    for round in 0..ROUNDS {
        for at in 0..columns.len() {
            let at = if round % 2 == 0 {
                at
            } else {
                columns.len() - 1 - at
            };
            let column = &mut columns[at];
            let mut wanted: Vec<(f64, usize)> = column
                .iter()
                .map(|&spot| (mean(spots, spot, round % 2 == 0), spot))
                .collect();
            wanted.sort_by(|one, other| one.0.total_cmp(&other.0));
            *column = wanted.into_iter().map(|(_, spot)| spot).collect();
            number(spots, column);
        }
    }
}

fn number(spots: &mut [Spot], column: &[usize]) {
    for (place, &spot) in column.iter().enumerate() {
        spots[spot].y = place as f64;
    }
}

/// The mean place of the neighbours on one side; its own where it has none.
fn mean(spots: &[Spot], spot: usize, left: bool) -> f64 {
    let near = if left {
        &spots[spot].left
    } else {
        &spots[spot].right
    };
    if near.is_empty() {
        return spots[spot].y;
    }
    near.iter().map(|&other| spots[other].y).sum::<f64>() / near.len() as f64
}

/// Heights: each spot as near to its neighbours as order and size allow.
fn settle(spots: &mut [Spot], columns: &[Vec<usize>]) {
    for column in columns {
        let mut y = 0.0;
        for &spot in column {
            y += spots[spot].height / 2.0;
            spots[spot].y = y;
            y += spots[spot].height / 2.0 + BETWEEN;
        }
    }
    for round in 0..ROUNDS {
        for at in 0..columns.len() {
            let at = if round % 2 == 0 {
                at
            } else {
                columns.len() - 1 - at
            };
            let column = &columns[at];
            let wanted: Vec<f64> = column
                .iter()
                .map(|&spot| mean(spots, spot, round % 2 == 0))
                .collect();
            let mut free = f64::NEG_INFINITY;
            let mut moved = 0.0;
            for (&spot, &wanted) in column.iter().zip(&wanted) {
                let half = spots[spot].height / 2.0;
                spots[spot].y = wanted.max(free + half);
                free = spots[spot].y + half + BETWEEN;
                moved += wanted - spots[spot].y;
            }
            let back = moved / column.len().max(1) as f64;
            for &spot in column {
                spots[spot].y += back;
            }
        }
    }
}

fn drawn(spots: &[Spot], columns: &[Vec<usize>], members: usize, chains: &[Vec<usize>]) -> Layout {
    let top = spots
        .iter()
        .map(|spot| spot.y - spot.height / 2.0)
        .fold(f64::INFINITY, f64::min);
    let x = |spot: &Spot| spot.column as f64 * (WIDTH + ACROSS) + 2.0;
    let y = |spot: &Spot| (spot.y - top + 2.0).round();
    let boxes: Vec<(f64, f64)> = spots[..members]
        .iter()
        .map(|spot| (x(spot), y(spot) - HEIGHT / 2.0))
        .collect();
    let lines = chains.iter().map(|chain| {
        let mut points = Vec::with_capacity(2 * chain.len());
        for (place, &spot) in chain.iter().enumerate() {
            let spot = &spots[spot];
            if place > 0 {
                points.push((x(spot), y(spot)));
            }
            if place + 1 < chain.len() {
                points.push((x(spot) + WIDTH, y(spot)));
            }
        }
        Line {
            from: chain[0],
            to: *chain.last().unwrap_or(&chain[0]),
            points,
        }
    });
    Layout {
        width: columns.len() as f64 * (WIDTH + ACROSS) - ACROSS + 4.0,
        height: spots
            .iter()
            .map(|spot| y(spot) + spot.height / 2.0)
            .fold(0.0, f64::max)
            + 2.0,
        boxes,
        lines: lines.collect(),
    }
}
