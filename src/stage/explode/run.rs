//! `explode` at work.

use std::collections::BTreeSet;

use super::nodes::{Node, nodes};
use super::rows::{Of, Rows};
use super::{Explode, WhenEmpty, elements};
use crate::base::failure::Failure;
use crate::base::json::Json;
use crate::base::wording::{count, did_you_mean, nearest, some_because, there_are};
use crate::frame::Frame;
use crate::stage::contract::Compute;
use crate::stage::inputs::{Inputs, World};
use crate::stage::refused::without_record;
use crate::stage::rows::each;
use crate::stage::stats::{Beside, Gathered, says_behind};
use crate::stage::{Exploded, Output, Relation, passed_on, reason_column, why_absent};

/// What a cell holds.
enum Cell {
    /// Nothing, and why.
    Absent(String),
    /// Something else, and what.
    Other(String),
    List(Vec<Json>),
    Tree(Vec<Node>),
}

/// What a person is told of.
#[derive(Default)]
struct Told {
    /// Rows that hold something else, and what.
    others: Vec<(String, String)>,
    /// How many rows have an empty list.
    empty: usize,
    /// Nodes that are not as declared, and why.
    odd: Vec<(String, String)>,
    /// The fields that elements have.
    known: BTreeSet<String>,
    /// The rows that hold anything.
    valued: usize,
}

impl Compute for Explode {
    /// Gives a row per element, in the order of the lists: the columns of the input without the list, then those of
    /// the element. A row whose list is absent, or is none, keeps one row without an element, and says why.
    ///
    /// # Errors
    /// A missing column, one in which no row holds a list, a field that no element has.
    fn run(&self, inputs: &Inputs, _: &dyn World) -> Result<Output, Failure> {
        self.explode(inputs.one()?)
    }
}

impl Explode {
    /// The rows of the elements.
    pub(super) fn explode(&self, input: &Frame) -> Result<Output, Failure> {
        let cells = self.cells(input)?;
        let mut rows = Rows::new(self);
        let mut told = Told::default();
        for (row, cell) in cells.iter().enumerate() {
            let name = || name(input, row);
            told.valued += usize::from(!matches!(cell, Cell::Absent(_)));
            match cell {
                Cell::Absent(why) => {
                    rows.push(row, 0, &Of::Nothing(&passed_on(&self.column, why)));
                }
                Cell::Other(why) => {
                    told.others.push((name(), why.clone()));
                    rows.push(row, 0, &Of::Nothing(why));
                }
                Cell::List(list) => {
                    for (place, element) in (1..).zip(list) {
                        rows.push(row, place, &Of::Element(element));
                        if let Json::Object(object) = element {
                            told.know(object.keys());
                        }
                    }
                    self.if_empty(list.is_empty(), row, &mut rows, &mut told);
                }
                Cell::Tree(nodes) => {
                    for (place, node) in (1..).zip(nodes) {
                        rows.push(row, place, &Of::Node(node));
                        if let Err(why) = &node.text {
                            let place = format!("{} {}", name(), node.number());
                            told.odd.push((place, why.clone()));
                        }
                        if let Json::Object(object) = &node.json {
                            told.know(object.keys());
                        }
                    }
                    self.if_empty(nodes.is_empty(), row, &mut rows, &mut told);
                }
            }
        }
        self.refuse(&rows, &told)?;
        let warnings = self.warnings(&rows, &told);
        let places = rows.places().to_vec();
        let frame = rows.add(&self.without_list(input))?;
        let mut output = Output::of(self.with_behind(frame, input, &places)?);
        output.counts.relation = Some(Relation::Explode(Exploded {
            lists: (told.valued - told.others.len()) as u64,
            empty: told.empty as u64,
            kept: self.empty == WhenEmpty::Keep,
            without: (input.rows() + told.others.len() - told.valued) as u64,
            rows: output.frame.rows() as u64,
        }));
        output.warnings = warnings;
        Ok(output)
    }

    /// What the cells of the column hold.
    fn cells(&self, input: &Frame) -> Result<Vec<Cell>, Failure> {
        let column = input.column(&self.column)?;
        if !["text", "JSON", "no values"].contains(&column.kind()) {
            return Err(Failure::new(format!(
                "column `{}` holds {}, not lists",
                self.column,
                column.kind()
            ))
            .hint("name a column of JSON, or of texts that are JSON"));
        }
        let mut added = self.added().into_iter();
        let there = |name: &str| name != self.column && input.has(name);
        if let Some((_, name)) = added.find(|(_, name)| there(name)) {
            return Err(Failure::new(format!(
                "there already is a column `{name}`, which `explode` adds"
            ))
            .hint("give the new one another name, or leave the old one out before"));
        }
        let fields = self.fields.iter().flatten();
        let fields: Vec<&str> = fields.map(|(_, field)| field.as_str()).collect();
        Ok(each(input.rows(), |row| {
            let Some(text) = column.text(row) else {
                let why = why_absent(input, &self.column, row);
                return Cell::Absent(why.unwrap_or_default());
            };
            let held = match &self.tree {
                Some(tree) => nodes(&text, tree, &fields).map(Cell::Tree),
                None => elements::list(&text).map(Cell::List),
            };
            held.unwrap_or_else(Cell::Other)
        }))
    }

    /// What is behind the elements of a list stands behind the columns that they become.
    fn with_behind(
        &self,
        mut frame: Frame,
        input: &Frame,
        places: &[(usize, Option<usize>)],
    ) -> Result<Frame, Failure> {
        if !says_behind(|name| input.has(name)) {
            return Ok(frame);
        }
        let lists = Beside::of(input)?;
        let whole = self.whole().map(|(_, name)| (name, ""));
        let fields = self.fields.iter().flatten();
        let fields = fields.map(|(new, field)| (new.as_str(), field.as_str()));
        let made: Vec<(&str, Option<Vec<Option<Gathered>>>)> = whole
            .into_iter()
            .chain(fields)
            .map(|(new, field)| (new, lists.elements(&self.column, field, places)))
            .collect();
        let rows: Vec<Option<usize>> = places.iter().map(|(row, _)| Some(*row)).collect();
        let mut beside = lists.take(&rows);
        beside.forget(&self.column);
        for (name, cells) in made {
            if let Some(cells) = cells {
                beside.set(name, cells);
                frame = beside.explain(frame, name)?;
            }
        }
        for (_, name) in self.added() {
            beside.is_single(&frame, name)?;
        }
        beside.add(frame)
    }

    /// The columns that stay.
    fn without_list(&self, input: &Frame) -> Frame {
        let rest = input.without(&[&self.column, &reason_column(&self.column)]);
        if self.added().iter().any(|(_, name)| *name == "text") {
            without_record(&rest)
        } else {
            rest
        }
    }

    /// What becomes of a row, if its list is empty.
    fn if_empty(&self, empty: bool, row: usize, rows: &mut Rows<'_>, told: &mut Told) {
        if empty {
            told.empty += 1;
            if self.empty == WhenEmpty::Keep {
                rows.push(row, 0, &Of::Nothing("empty list"));
            }
        }
    }

    /// Refuses what is not as declared in every row.
    fn refuse(&self, rows: &Rows<'_>, told: &Told) -> Result<(), Failure> {
        let column = &self.column;
        let what = self.what();
        if told.valued > 0 && told.others.len() == told.valued {
            let none = match told.valued {
                1 => "the one row with a value holds no".to_owned(),
                n => format!("none of {} with a value holds a", count(n, "row")),
            };
            let failure = Failure::new(format!(
                "{none} {what} in `{column}`: {}",
                some_because(&told.others)
            ));
            return Err(failure.hint(if self.tree.is_some() {
                "`tree` says under which keys the nodes lie; correct it, or name another column"
            } else {
                "name a column of lists; of an object with nodes below each other `tree` says how it is read"
            }));
        }
        if rows.elements == 0 {
            return Ok(());
        }
        if told.odd.len() == rows.elements {
            return Err(Failure::new(format!(
                "no node in `{column}` has a text: {}",
                some_because(&told.odd)
            ))
            .hint("`text` says which key holds the text of a node"));
        }
        for (field, cells) in &rows.fields {
            if cells.faults == rows.elements {
                let known: Vec<&String> = told.known.iter().collect();
                let instead = match nearest(field, &known) {
                    Some(_) => did_you_mean(field, &known),
                    None => format!("; {}", there_are("field", "fields", &known)),
                };
                return Err(Failure::new(format!(
                    "no element of `{column}` has a field `{field}`{instead}"
                ))
                .hint("`fields` names those that become columns: `fields = { new = \"field\" }`"));
            }
        }
        Ok(())
    }

    /// What is not as declared in some rows.
    fn warnings(&self, rows: &Rows<'_>, told: &Told) -> Vec<String> {
        let (column, what) = (&self.column, self.what());
        let mut warnings = Vec::new();
        if !told.others.is_empty() {
            warnings.push(format!(
                "{} of {} with a value {} no {what} in `{column}`: {}",
                told.others.len(),
                count(told.valued, "row"),
                if told.others.len() == 1 {
                    "holds"
                } else {
                    "hold"
                },
                some_because(&told.others)
            ));
        }
        if !told.odd.is_empty() {
            warnings.push(format!(
                "{} of {} in `{column}` {} not as declared: {}",
                told.odd.len(),
                count(rows.elements, "node"),
                if told.odd.len() == 1 { "is" } else { "are" },
                some_because(&told.odd)
            ));
        }
        for (field, cells) in &rows.fields {
            if cells.faults > 0 {
                warnings.push(format!(
                    "{} of {} in `{column}` {} no `{field}`",
                    cells.faults,
                    count(rows.elements, "element"),
                    if cells.faults == 1 { "has" } else { "have" },
                ));
            }
        }
        warnings
    }

    /// What the column holds.
    fn what(&self) -> &'static str {
        if self.tree.is_some() { "tree" } else { "list" }
    }
}

impl Told {
    /// The keys of an element.
    fn know<'k>(&mut self, keys: impl Iterator<Item = &'k String>) {
        for key in keys {
            if !self.known.contains(key) {
                self.known.insert(key.clone());
            }
        }
    }
}

/// A row, as messages name it.
fn name(input: &Frame, row: usize) -> String {
    let id = input.column("doc_id").ok();
    let id = id.and_then(|ids| ids.text(row).map(std::borrow::Cow::into_owned));
    id.unwrap_or_else(|| format!("row {}", row + 1))
}
