//! Agreement against textbooks, and where there is none.

mod edges;
mod textbooks;

use crate::stats::StatsError;
use crate::stats::measure::{Cell, Code, Data, Given, Line, Role, Settings, named};

/// Rows (item, rater, value) in long form; an empty value is absent, one that reads as a number is one.
fn long(rows: &[(&str, &str, &str)]) -> Data {
    let text = |text: &str| Cell::Text(text.to_owned());
    let column = |of: &dyn Fn(&(&str, &str, &str)) -> Cell| rows.iter().map(of).collect();
    Data::of(rows.len())
        .with(Role::Item, column(&|row| text(row.0)))
        .with(Role::Rater, column(&|row| text(row.1)))
        .with(Role::Value, column(&|row| read(row.2)))
}

fn read(text: &str) -> Cell {
    match text.parse() {
        Ok(number) => Cell::Number(number),
        Err(_) if text.is_empty() => Cell::Absent,
        Err(_) => Cell::Text(text.to_owned()),
    }
}

fn compute(measure: &str, data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    (named(measure).unwrap().compute)(data, settings)
}

fn code(line: &Line, column: &str) -> Code {
    match line.values.get(column) {
        Some(Given::Nothing(why)) => why.code,
        None => line.why.as_ref().unwrap().code,
        other => panic!("{column} is {other:?}"),
    }
}

fn number(line: &Line, column: &str) -> f64 {
    match line.values.get(column) {
        Some(Given::Number(number)) => *number,
        other => panic!("{column} is {other:?}, {:?}", line.why),
    }
}

fn settings(weights: &str, categories: &[&str]) -> Settings {
    Settings {
        weights: Some(weights.to_owned()),
        categories: categories.iter().map(|&name| name.to_owned()).collect(),
        ..Settings::default()
    }
}
