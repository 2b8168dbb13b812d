//! Measures of differences that only the rounding of decimals tells apart, and of rows that do not vary.

use crate::stats::measure::{Cell, Code, Data, Given, Line, Role, Settings, named};

/// A measure of these pairs of a value and a reference.
fn of_pairs(measure: &str, pairs: &[(f64, Option<f64>)]) -> Line {
    let cell = |number: Option<f64>| number.map_or(Cell::Absent, Cell::Number);
    let items = (0..pairs.len()).map(|item| Cell::Text(item.to_string()));
    let data = Data::of(pairs.len())
        .with(Role::Item, items.collect())
        .with(
            Role::Value,
            pairs.iter().map(|pair| cell(Some(pair.0))).collect(),
        )
        .with(
            Role::Reference,
            pairs.iter().map(|pair| cell(pair.1)).collect(),
        );
    let settings = Settings {
        resamples: 200,
        ..Settings::default()
    };
    let measure = named(measure).unwrap();
    (measure.compute)(&data, &settings).unwrap().remove(0)
}

fn code(line: &Line, column: &str) -> Option<Code> {
    match line.values.get(column)? {
        Given::Nothing(why) => Some(why.code),
        _ => None,
    }
}

/// Differences of 0.2, of which no two are the same as floats.
const EQUAL: [(f64, Option<f64>); 4] = [
    (4.3, Some(4.1)),
    (3.3, Some(3.1)),
    (2.2, Some(2.0)),
    (1.3, Some(1.1)),
];

#[test]
fn nothing_is_planned_from_differences_that_are_equal_but_for_rounding() {
    let line = of_pairs("power", &EQUAL);
    for column in ["detectable", "power", "pairs"] {
        assert_eq!(code(&line, column), Some(Code::Constant), "{column}");
    }
    assert_eq!(line.values["sd"], Given::Number(0.0));
}

#[test]
fn rounding_of_equal_differences_is_not_drawn_from() {
    let line = of_pairs("bootstrap", &EQUAL);
    assert_eq!(line.values["mean"], Given::Number(0.2));
    assert_eq!(line.values["se"], Given::Number(0.0));
    for column in ["bias", "acceleration", "bca_low"] {
        assert_eq!(code(&line, column), Some(Code::Constant), "{column}");
    }
    // A row without a reference is left out, and the others keep their differences.
    let line = of_pairs(
        "bootstrap",
        &[(4.3, Some(4.1)), (9.0, None), (3.0, Some(3.0))],
    );
    assert_eq!((line.n, line.dropped), (2, 1));
    assert_eq!(line.values["mean"], Given::Number(0.1));
}

#[test]
fn a_corrected_mean_of_rows_that_do_not_vary_has_no_interval() {
    let rows = [(1.0, Some(1.0)), (0.0, Some(1.0)), (0.0, None), (1.0, None)];
    let line = of_pairs("ppi", &rows);
    assert_eq!(line.values["mean"], Given::Number(1.0));
    assert_eq!(line.values["se"], Given::Number(0.0));
    for column in ["ci_low", "ci_high"] {
        assert_eq!(code(&line, column), Some(Code::ZeroError), "{column}");
    }
}
