//! What every measure keeps, whatever rows it gets.

use proptest::prelude::*;

use crate::stats::Tail;
use crate::stats::measure::{Cell, Data, Given, Holds, Measure, Role, Settings, all, named};

/// All roles.
const ROLES: [Role; 13] = [
    Role::Item,
    Role::Value,
    Role::Reference,
    Role::Rival,
    Role::Rater,
    Role::System,
    Role::Sample,
    Role::Cluster,
    Role::Contender,
    Role::Opponent,
    Role::Order,
    Role::Length,
    Role::OpponentLength,
];

/// A cell of a kind: few names, few or all numbers, with gaps.
fn cell(kind: u8) -> BoxedStrategy<Cell> {
    let name = || (0_u8..4).prop_map(|name| Cell::Text(format!("n{name}")));
    let few = || (0_i32..5).prop_map(|number| Cell::Number(f64::from(number) / 2.0));
    let flag = || (0_i32..2).prop_map(|number| Cell::Number(f64::from(number)));
    let any = any::<f64>().prop_filter("finite", |number| number.is_finite());
    let huge = prop_oneof![Just(1e308), Just(-1e308), Just(5e-324), Just(-0.0), any];
    match kind % 7 {
        0 => Just(Cell::Absent).boxed(),
        1 => name().boxed(),
        2 => few().boxed(),
        3 => flag().boxed(),
        4 => prop_oneof![6 => few(), 1 => Just(Cell::Absent)].boxed(),
        5 => prop_oneof![6 => name(), 1 => Just(Cell::Absent)].boxed(),
        _ => huge.prop_map(Cell::Number).boxed(),
    }
}

fn data() -> impl Strategy<Value = Data> {
    let kinds = prop::collection::vec(0_u8..7, ROLES.len());
    (0_usize..14, kinds).prop_flat_map(|(len, kinds)| {
        let columns: Vec<_> = kinds
            .into_iter()
            .map(|kind| prop::collection::vec(cell(kind), len))
            .collect();
        columns.prop_map(move |columns| {
            let roles = ROLES.into_iter().zip(columns);
            roles.fold(Data::of(len), |data, (role, cells)| data.with(role, cells))
        })
    })
}

fn settings() -> impl Strategy<Value = Settings> {
    let tails = prop_oneof![Just(Tail::TwoSided), Just(Tail::Greater), Just(Tail::Less)];
    let positive = prop::option::of(Just("n1".to_owned()));
    let scale = prop::option::of(prop_oneof![
        Just([0.0, 2.0]),
        Just([1.0, 1.0]),
        Just([-1e308, 1e308])
    ]);
    let at = prop::collection::vec(-1.0..3.0_f64, 0..3);
    let base = prop::option::of(Just("n0".to_owned()));
    (tails, positive, scale, at, base).prop_map(|(alternative, positive, scale, at, base)| {
        Settings {
            alternative,
            positive,
            scale,
            at,
            base,
            resamples: 30,
            ..Settings::default()
        }
    })
}

/// What is wrong with what a measure gives; an error is no mistake here.
fn broken(measure: &Measure, data: &Data, settings: &Settings) -> Option<String> {
    let lines = (measure.compute)(data, settings).ok()?;
    for line in lines {
        if line.keys.len() != measure.keys.len() {
            return Some(format!("{} keys", line.keys.len()));
        }
        for name in line.values.keys() {
            if !["n", "dropped"].contains(name) && !measure.gives.iter().any(|it| it.name == *name)
            {
                return Some(format!("`{name}` is not listed"));
            }
        }
        for column in measure.gives {
            let name = column.name;
            match (line.values.get(name), column.holds) {
                (None, _) if line.why.as_ref().is_none_or(|why| why.why.is_empty()) => {
                    return Some(format!("`{name}` has neither a value nor a reason"));
                }
                (Some(Given::Nothing(why)), _) if why.why.is_empty() => {
                    return Some(format!("`{name}` has an empty reason"));
                }
                (Some(Given::Number(number)), holds) => {
                    let whole = holds == Holds::Whole && number.fract() != 0.0;
                    let p = holds == Holds::PValue && !(0.0..=1.0).contains(number);
                    if !number.is_finite() || whole || p || holds == Holds::Text {
                        return Some(format!("`{name}` is {number}"));
                    }
                }
                (Some(Given::Text(text)), holds) if holds != Holds::Text => {
                    return Some(format!("`{name}` is {text:?}"));
                }
                _ => {}
            }
        }
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_column_of_every_measure_holds_what_it_says_or_a_reason(data in data(), settings in settings()) {
        for measure in all() {
            let wrong = broken(measure, &data, &settings);
            prop_assert!(wrong.is_none(), "{}: {}", measure.name, wrong.unwrap_or_default());
        }
    }
}

#[test]
fn rows_without_any_column_are_no_reason_to_fail() {
    for measure in all() {
        for len in [0, 1, 3] {
            let wrong = broken(measure, &Data::of(len), &Settings::default());
            assert_eq!(wrong, None, "{}", measure.name);
        }
    }
}

#[test]
fn every_measure_is_found_by_a_name_of_its_own_and_lists_its_columns_once() {
    for measure in all() {
        assert!(
            std::ptr::eq(named(measure.name).unwrap(), measure),
            "{}",
            measure.name
        );
        let mut names: Vec<_> = measure.gives.iter().map(|column| column.name).collect();
        names.extend(measure.keys);
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{} lists a column twice", measure.name);
        let said = !measure.about.is_empty() && measure.gives.iter().all(|it| !it.about.is_empty());
        assert!(said, "{} says nothing of a column", measure.name);
    }
}
