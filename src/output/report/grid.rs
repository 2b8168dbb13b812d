//! Cells arranged in rows and columns: the one model that every format draws from.
//!
//! It arranges, rounds and marks, and refuses what cannot be arranged. It must not know any output format.

use std::collections::BTreeMap;

use indexmap::{IndexMap, IndexSet};

use super::footnote::{self, Footnote, PARTIAL, is_partial, marked, remark};
use super::grid_error::{GridError, check_fields, check_shape, duplicate};
use super::layout::{Cell, Layout, one_line};
use super::{account, legend, number};
use crate::stats::statistic::{self, is_p_value};

/// The head of one row or column: its key and what is shown for it, one label per field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// Values of the fields.
    pub key: Vec<String>,
    /// Labels of the values, free of control characters.
    pub labels: Vec<String>,
}

impl Head {
    /// The labels in one line: `2000 · fluency`; a head without fields is called `value`.
    pub fn flat(&self) -> String {
        if self.labels.is_empty() {
            "value".to_owned()
        } else {
            self.labels.join(" · ")
        }
    }

    /// The innermost label.
    pub(crate) fn leaf(&self) -> String {
        self.labels.last().cloned().unwrap_or_else(|| self.flat())
    }
}

/// A cell ready to be drawn: its digits and everything that stands at them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    /// Rounded digits with an ASCII minus, of a p-value that rounds to zero what it is below; `None` where there is no
    /// value.
    pub number: Option<String>,
    /// Significance mark, or that of a test that is not defined; possibly empty.
    pub stars: String,
    /// How many are behind it, when the layout wants that drawn.
    pub n: Option<u64>,
    /// Mark of the footnote, if the cell has one.
    pub mark: Option<String>,
}

impl Shown {
    /// The cell as plain text: true minus, `—` for no value, marks behind.
    pub fn plain(&self) -> String {
        let number = self
            .number
            .as_deref()
            .map_or_else(|| "—".to_owned(), number::typeset);
        let n = self.n.map(|n| format!(" ({n})")).unwrap_or_default();
        let mark = self
            .mark
            .as_ref()
            .map(|mark| format!(" {mark}"))
            .unwrap_or_default();
        format!("{number}{}{n}{mark}", self.stars)
    }
}

/// A table with every cell in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    layout: Layout,
    rows: Vec<Head>,
    columns: Vec<Head>,
    places: BTreeMap<(usize, usize), Cell>,
    footnotes: Vec<Footnote>,
}

impl Grid {
    /// Arranges cells as the layout asks.
    ///
    /// Heads are ordered field by field: given order first, then first appearance. On an axis with a single field,
    /// a value that the given order names is shown even if no cell has it. A value that is not finite is taken for
    /// no value. Fails when two cells claim one place, a key has the wrong length, or a field name is repeated or
    /// reserved.
    pub fn build(layout: &Layout, cells: &[Cell]) -> Result<Self, GridError> {
        check_fields(layout)?;
        check_shape(layout, cells)?;
        let rows = heads(
            layout,
            &layout.rows,
            &layout.row_order,
            cells.iter().map(|cell| &cell.row),
        );
        let columns = heads(
            layout,
            &layout.columns,
            &layout.column_order,
            cells.iter().map(|cell| &cell.column),
        );
        let mut taken: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let mut places = BTreeMap::new();
        for (index, cell) in cells.iter().enumerate() {
            // Every key has a head, since the heads were collected from these very cells.
            let (Some(row), Some(column)) = (
                rows.get_index_of(&cell.row),
                columns.get_index_of(&cell.column),
            ) else {
                continue;
            };
            if let Some(first) = taken.insert((row, column), index) {
                return Err(duplicate(layout, cells, first, index));
            }
            places.insert((row, column), finite(cell));
        }
        let mut grid = Self {
            layout: layout.clone(),
            rows: rows.into_values().collect(),
            columns: columns.into_values().collect(),
            places,
            footnotes: Vec::new(),
        };
        grid.footnotes = grid.notes();
        Ok(grid)
    }

    /// The notes on its cells: on those that lack parts, on tests that are not defined, on values that do not exist.
    fn notes(&self) -> Vec<Footnote> {
        // Of long tables only few cells have a note: the others' places are not written out.
        let partial = self.places.iter().filter(|(_, cell)| is_partial(cell));
        let partial = partial.map(|(at, cell)| (cell, self.place_at(*at)));
        let undefined = self.places.iter().filter_map(|(at, cell)| {
            let marked = self.layout.significance(cell) == footnote::UNDEFINED;
            let why = cell.undefined.as_deref().filter(|_| marked)?;
            Some((why, self.place_at(*at)))
        });
        let remarks: IndexSet<String> = self.places.values().filter_map(remark).collect();
        let mut notes = footnote::partial(partial);
        notes.extend(footnote::undefined(undefined));
        notes.extend(marked(remarks.into_iter().collect()));
        notes
    }

    /// The layout the grid was built with.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Row heads from top to bottom.
    pub fn rows(&self) -> &[Head] {
        &self.rows
    }

    /// Column heads from left to right.
    pub fn columns(&self) -> &[Head] {
        &self.columns
    }

    /// The cell at a place, `None` where the table has none.
    pub fn cell(&self, row: usize, column: usize) -> Option<&Cell> {
        self.places.get(&(row, column))
    }

    /// All cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.places.values()
    }

    /// What is to be drawn at a place.
    pub fn shown(&self, row: usize, column: usize) -> Shown {
        let Some(cell) = self.cell(row, column) else {
            return Shown::default();
        };
        let mark = match remark(cell) {
            Some(text) => {
                let own = |note: &&Footnote| note.text == text && note.mark != PARTIAL;
                self.footnotes
                    .iter()
                    .find(own)
                    .map(|note| note.mark.clone())
            }
            None => is_partial(cell).then(|| PARTIAL.to_owned()),
        };
        Shown {
            number: cell.value.map(|value| {
                let p = cell.statistic.as_deref();
                let p = p.is_some_and(is_p_value);
                if p {
                    number::p_value(value, self.layout.decimals)
                } else if is_whole(cell) {
                    number::fixed(value, 0)
                } else {
                    number::fixed(value, self.layout.decimals)
                }
            }),
            stars: self.layout.significance(cell).to_owned(),
            n: cell.value.and(cell.n).filter(|_| self.layout.show_n),
            mark,
        }
    }

    /// Notes that explain marked cells, in reading order.
    pub fn footnotes(&self) -> &[Footnote] {
        &self.footnotes
    }

    /// Lines that hold for the whole table: what values, marks and parentheses are, what else is to be said, then the
    /// accounting.
    pub fn remarks(&self) -> Vec<String> {
        let mut lines = self.explained();
        lines.extend(account::lines(self));
        lines
    }

    /// The first of these lines: all but the accounting.
    pub(super) fn explained(&self) -> Vec<String> {
        let mut lines = legend::lines(self);
        lines.extend(
            self.layout
                .notes
                .iter()
                .map(|note| format!("{}.", one_line(note))),
        );
        lines
    }

    /// Where a cell stands, by the labels of its row and column.
    pub(crate) fn place_of(&self, cell: &Cell) -> String {
        self.named([
            self.rows.iter().find(|head| head.key == cell.row),
            self.columns.iter().find(|head| head.key == cell.column),
        ])
    }

    /// The same of a cell whose row and column are known by their numbers.
    fn place_at(&self, (row, column): (usize, usize)) -> String {
        self.named([self.rows.get(row), self.columns.get(column)])
    }

    fn named(&self, heads: [Option<&Head>; 2]) -> String {
        let fields = [&self.layout.rows, &self.layout.columns];
        let named = heads.into_iter().zip(fields);
        let place: Vec<String> = named
            .filter(|(_, fields)| !fields.is_empty())
            .filter_map(|(head, _)| Some(head?.flat()))
            .collect();
        place.join(" · ")
    }

    /// Column heads of one level with neighbours of the same outer key joined: label and how many columns it spans.
    pub fn spans(&self, level: usize) -> Vec<(String, usize)> {
        let mut spans: Vec<(&[String], String, usize)> = Vec::new();
        for head in &self.columns {
            let (Some(outer), Some(label)) = (head.key.get(..=level), head.labels.get(level))
            else {
                continue;
            };
            match spans.last_mut() {
                Some((last, _, width)) if *last == outer => *width += 1,
                _ => spans.push((outer, label.clone(), 1)),
            }
        }
        spans
            .into_iter()
            .map(|(_, label, width)| (label, width))
            .collect()
    }
}

/// Whether a cell shows a number of things, which has no digits after the point; an average of such numbers has.
pub(super) fn is_whole(cell: &Cell) -> bool {
    let measure = cell.how.as_ref().map(|how| how.measure.as_deref());
    let name = cell.statistic.as_deref().zip(measure);
    let whole = name.is_some_and(|(name, measure)| statistic::is_whole(measure, name));
    whole && cell.value.is_some_and(|value| value.fract() == 0.0)
}

fn finite(cell: &Cell) -> Cell {
    let mut cell = cell.clone();
    cell.p = cell.p.filter(|p| p.is_finite());
    if cell.value.is_some_and(|value| !value.is_finite()) {
        cell.value = None;
        cell.why_none
            .get_or_insert_with(|| "the value is not a finite number".to_owned());
    }
    cell
}

/// The heads of one axis, keyed and ordered.
fn heads<'a>(
    layout: &Layout,
    fields: &[String],
    order: &BTreeMap<String, Vec<String>>,
    keys: impl Iterator<Item = &'a Vec<String>>,
) -> IndexMap<Vec<String>, Head> {
    let mut ranks: Vec<IndexSet<String>> = fields
        .iter()
        .map(|field| order.get(field).into_iter().flatten().cloned().collect())
        .collect();
    let mut found: IndexSet<Vec<String>> = IndexSet::new();
    if let [named] = ranks.as_slice() {
        found.extend(named.iter().map(|value| vec![value.clone()]));
    }
    for key in keys {
        for (rank, value) in ranks.iter_mut().zip(key) {
            rank.insert(value.clone());
        }
        found.insert(key.clone());
    }
    let position = |key: &[String]| -> Vec<Option<usize>> {
        ranks
            .iter()
            .zip(key)
            .map(|(rank, value)| rank.get_index_of(value))
            .collect()
    };
    found.sort_by(|left, right| position(left).cmp(&position(right)));
    let labelled = |key: &[String]| {
        fields
            .iter()
            .zip(key)
            .map(|(field, value)| layout.label(field, value))
            .collect()
    };
    found
        .into_iter()
        .map(|key| {
            (
                key.clone(),
                Head {
                    labels: labelled(&key),
                    key,
                },
            )
        })
        .collect()
}
