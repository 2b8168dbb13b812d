//! Expected values: what a paper printed, cell by cell, as a CSV file beside the spec.
//!
//! The columns are the row and column fields of the table, `printed`, and optionally `audited`. `printed` is text,
//! since its decimals say how the paper rounded; `—` stands for a cell the paper shows without a value, and for the value of
//! a field that rows do not have. `audited` is what a correct computation gives, at full precision. This module reads and
//! refuses; it must not compare.

use std::collections::BTreeMap;

use super::fields::{Broken, Field, records};
use super::layout::{Layout, NO_VALUE, place};
use super::number::Printed;
use super::problem::{Problem, Problems};
use crate::base::wording::{count, nearest};

/// One printed cell.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpectedCell {
    /// Values of the row fields.
    pub row: Vec<String>,
    /// Values of the column fields.
    pub column: Vec<String>,
    /// The print as it stands.
    pub text: String,
    /// The print as a number; `None` where the paper shows no value.
    pub printed: Option<Printed>,
    /// What a correct computation gives, where that is known.
    pub audited: Option<f64>,
    /// Line of the file, from 1.
    pub line: usize,
}

/// The printed cells of one table, in the order of the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Expected {
    /// The cells; never empty when they come from [`Expected::parse`].
    pub cells: Vec<ExpectedCell>,
}

/// Where each wanted column stands in the file.
struct Columns {
    keys: Vec<usize>,
    printed: usize,
    audited: Option<usize>,
    width: usize,
}

impl Expected {
    /// Reads a file of expected values for a table with this layout; all problems are reported together.
    pub fn parse(text: &str, layout: &Layout) -> Result<Self, Problems> {
        let records =
            records(text).map_err(|(broken, at)| Problems(vec![broken_quote(broken, &at)]))?;
        let Some((header, body)) = records.split_first() else {
            return Err(Problems(vec![Problem {
                line: 1,
                column: 1,
                what: "the file is empty".to_owned(),
                repair: format!(
                    "begin with a line that names the columns: {}",
                    wanted(layout).join(",")
                ),
            }]));
        };
        let columns = Columns::find(header, layout).map_err(Problems::sorted)?;
        let mut problems = Vec::new();
        let mut cells = Vec::new();
        let mut seen: BTreeMap<Vec<String>, usize> = BTreeMap::new();
        for record in body {
            match columns.cell(record, layout) {
                Ok(cell) => {
                    let key: Vec<String> = cell.row.iter().chain(&cell.column).cloned().collect();
                    if let Some(first) = seen.get(&key) {
                        problems.push(Problem {
                            line: cell.line,
                            column: 1,
                            what: format!(
                                "`{}` is already in line {first} (again in line {})",
                                place(layout.fields(), key.iter()),
                                cell.line
                            ),
                            repair: "keep one of the two lines".to_owned(),
                        });
                    } else {
                        seen.insert(key, cell.line);
                        cells.push(cell);
                    }
                }
                Err(mut found) => problems.append(&mut found),
            }
        }
        if cells.is_empty() && problems.is_empty() {
            problems.push(Problem {
                line: 1,
                column: 1,
                what: "the file has a header but no cells".to_owned(),
                repair: "add one line per printed cell".to_owned(),
            });
        }
        if problems.is_empty() {
            Ok(Self { cells })
        } else {
            Err(Problems::sorted(problems))
        }
    }
}

fn wanted(layout: &Layout) -> Vec<&str> {
    layout.fields().chain(["printed", "audited"]).collect()
}

fn broken_quote(broken: Broken, at: &Field) -> Problem {
    let (what, repair) = match broken {
        Broken::Open => (
            "a quote is opened here and never closed",
            "close it, or double it if the quote is meant",
        ),
        Broken::AfterQuote => (
            "text follows a closing quote",
            "put the whole field in quotes and double the quotes within",
        ),
    };
    Problem {
        line: at.line,
        column: at.column,
        what: what.to_owned(),
        repair: repair.to_owned(),
    }
}

impl Columns {
    fn find(header: &[Field], layout: &Layout) -> Result<Self, Vec<Problem>> {
        let wanted = wanted(layout);
        let mut problems = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        let mut unknown: Vec<&Field> = Vec::new();
        for (index, field) in header.iter().enumerate() {
            let problem = |what, repair| Problem {
                line: field.line,
                column: field.column,
                what,
                repair,
            };
            match wanted.iter().find(|name| **name == field.text) {
                None => unknown.push(field),
                Some(name) if places.contains_key(name) => problems.push(problem(
                    format!("column `{name}` is named twice"),
                    "remove one of the two".to_owned(),
                )),
                Some(name) => {
                    places.insert(name, index);
                }
            }
        }
        let missing: Vec<&str> = wanted
            .iter()
            .copied()
            .filter(|name| *name != "audited" && !places.contains_key(name))
            .collect();
        for field in &unknown {
            let free = wanted.iter().filter(|name| !places.contains_key(*name));
            let repair = match nearest(&field.text, &free.collect::<Vec<_>>()) {
                Some(name) => format!("did you mean `{name}`?"),
                None => format!("remove it, or use one of `{}`", wanted.join("`, `")),
            };
            let what = format!("unknown column `{}`", field.text);
            problems.push(Problem {
                line: field.line,
                column: field.column,
                what,
                repair,
            });
        }
        for name in missing {
            let end = header
                .last()
                .map_or((1, 1), |field| (field.line, field.column));
            let unknown: Vec<&str> = unknown.iter().map(|field| field.text.as_str()).collect();
            let repair = match nearest(name, &unknown) {
                Some(found) => format!("is it the column named `{found}`?"),
                None => "add it: every field of the table and `printed` need a column".to_owned(),
            };
            problems.push(Problem {
                line: end.0,
                column: end.1,
                what: format!("column `{name}` is missing"),
                repair,
            });
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        // All wanted names but `audited` are present, or a problem would have been reported.
        let at = |name: &str| places.get(name).copied().unwrap_or_default();
        Ok(Self {
            keys: layout.fields().map(at).collect(),
            printed: at("printed"),
            audited: places.get("audited").copied(),
            width: header.len(),
        })
    }

    fn cell(&self, record: &[Field], layout: &Layout) -> Result<ExpectedCell, Vec<Problem>> {
        let (line, column) = record
            .first()
            .map_or((1, 1), |field| (field.line, field.column));
        if record.len() != self.width {
            let what = format!(
                "the line has {}, the header has {}",
                count(record.len(), "field"),
                count(self.width, "field")
            );
            let repair = "give one field per column; a field with a comma needs quotes".to_owned();
            return Err(vec![Problem {
                line,
                column,
                what,
                repair,
            }]);
        }
        let mut problems = Vec::new();
        let mut refuse = |field: &Field, what: String, repair: &str| {
            problems.push(Problem {
                line: field.line,
                column: field.column,
                what,
                repair: repair.to_owned(),
            });
        };
        let mut key: Vec<String> = Vec::new();
        for (index, name) in self.keys.iter().zip(layout.fields()) {
            let field = &record[*index];
            if field.text.is_empty() {
                refuse(
                    field,
                    format!("`{name}` is empty"),
                    "name the value of this field for the cell, or write `—` for rows without one",
                );
            }
            key.push(if field.text == NO_VALUE {
                String::new()
            } else {
                field.text.clone()
            });
        }
        let print = &record[self.printed];
        let printed = Printed::read(&print.text);
        if printed.is_none() && print.text != NO_VALUE {
            let what = format!("`{}` is not a published number", print.text);
            refuse(
                print,
                what,
                "write the digits as published, like `-0.120`, or `—` where no value is published",
            );
        }
        let mut audited = None;
        if let Some(field) = self
            .audited
            .map(|index| &record[index])
            .filter(|field| !field.text.is_empty())
        {
            audited = field
                .text
                .parse::<f64>()
                .ok()
                .filter(|value| value.is_finite());
            if audited.is_none() {
                let what = format!("`{}` is not a number", field.text);
                refuse(
                    field,
                    what,
                    "write a number in full precision, or leave `audited` empty",
                );
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let column = key.split_off(layout.rows.len());
        Ok(ExpectedCell {
            row: key,
            column,
            text: print.text.clone(),
            printed,
            audited,
            line,
        })
    }
}
