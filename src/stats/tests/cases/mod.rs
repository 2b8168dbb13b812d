//! Statistics against the shared reference cases (`cases.json`), family by family.
//!
//! A case holds rows in long form, parameters, and what to expect. Each file beside this one maps the statistics of its
//! family to measures: rows to roles, parameters to settings, columns to the keys of what is expected. `compare` holds
//! every expected key against what came out. Where the shared data is absent, the tests say so and check nothing.

mod agreement;
mod compare;
mod corrected;
mod correlation;
mod distance;
mod error_bars;
mod preference;
mod proportion;
mod rank_tests;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::stats::measure::{Cell, Data, Given, Line, Role, Settings, named};

/// A reference case. What is not here of the file is for readers.
#[derive(Debug, Deserialize)]
pub(super) struct Case {
    pub(super) name: String,
    pub(super) family: String,
    pub(super) statistic: String,
    pub(super) rows: Vec<Map<String, Value>>,
    pub(super) params: Map<String, Value>,
    pub(super) expected: Value,
    #[serde(default)]
    pub(super) also_accept: BTreeMap<String, Vec<f64>>,
    #[serde(default)]
    pub(super) accept_ranges: BTreeMap<String, Range>,
    pub(super) tolerance: Tolerance,
}

/// Where a resampled value may lie.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Range {
    pub(super) low: f64,
    pub(super) high: f64,
}

/// How far a value may be off.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Tolerance {
    pub(super) rel: f64,
    pub(super) abs: f64,
}

/// What a statistic of the cases is computed by.
pub(super) struct Statistic {
    /// The family in the cases.
    pub(super) family: &'static str,
    /// Its name in the cases.
    pub(super) name: &'static str,
    /// Computes it and names what came out as the cases do.
    pub(super) answer: fn(&Case) -> Answers,
    /// Keys of what is expected that the cases show for information only, such as another library's approximation.
    pub(super) aside: &'static [&'static str],
}

/// All statistics, family by family.
pub(super) const FAMILIES: [&[Statistic]; 8] = [
    agreement::STATISTICS,
    correlation::STATISTICS,
    corrected::STATISTICS,
    distance::STATISTICS,
    error_bars::STATISTICS,
    preference::STATISTICS,
    proportion::STATISTICS,
    rank_tests::STATISTICS,
];

/// A statistic all of whose keys are compared.
pub(super) const fn statistic(
    family: &'static str,
    name: &'static str,
    answer: fn(&Case) -> Answers,
) -> Statistic {
    Statistic {
        family,
        name,
        answer,
        aside: &[],
    }
}

/// All that came out, by the dotted keys of what is expected (`per_class.no.f1`).
pub(super) type Answers = BTreeMap<String, Got>;

/// A value that came out.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Got {
    Number(f64),
    Flag(bool),
    Text(String),
    /// No value, and why.
    Nothing(String),
    List(Vec<Got>),
}

impl From<Given> for Got {
    fn from(given: Given) -> Self {
        match given {
            Given::Number(number) => Self::Number(number),
            Given::Text(text) => Self::Text(text),
            Given::Nothing(why) => Self::Nothing(why.why),
        }
    }
}

impl From<usize> for Got {
    fn from(count: usize) -> Self {
        Self::Number(count as f64)
    }
}

impl Case {
    /// The rows for which a field has this text (or number).
    pub(super) fn rows_where<'a>(
        &'a self,
        field: &'a str,
        value: &'a str,
    ) -> impl Iterator<Item = &'a Map<String, Value>> {
        let is = move |row: &&Map<String, Value>| text(row.get(field)).as_deref() == Some(value);
        self.rows.iter().filter(is)
    }

    /// All rows, with fields as roles.
    pub(super) fn data(&self, fields: &[(Role, &str)]) -> Data {
        data(self.rows.iter(), fields)
    }

    /// One row for each item, in the order of the first: the values of side `a` and of side `b` (levels of the field `side`) as
    /// Value and Reference. What either lacks is absent.
    pub(super) fn pairs(&self, item: &str, side: &str, value: &str, a: &str, b: &str) -> Data {
        let mut items: Vec<String> = Vec::new();
        let mut columns = [BTreeMap::new(), BTreeMap::new()];
        for row in &self.rows {
            let id = text(row.get(item)).expect("an item");
            if !items.contains(&id) {
                items.push(id.clone());
            }
            let level = text(row.get(side));
            for (column, wanted) in columns.iter_mut().zip([a, b]) {
                if level.as_deref() == Some(wanted) {
                    let before = column.insert(id.clone(), cell(row.get(value)));
                    assert!(before.is_none(), "{}: `{id}` twice in {wanted}", self.name);
                }
            }
        }
        let [first, second] = columns.map(|mut column| {
            let cells = items
                .iter()
                .map(|id| column.remove(id).unwrap_or(Cell::Absent));
            cells.collect()
        });
        let ids = items.iter().cloned().map(Cell::Text).collect();
        Data::of(items.len())
            .with(Role::Item, ids)
            .with(Role::Value, first)
            .with(Role::Reference, second)
    }

    /// A parameter as text.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        text(self.params.get(name))
    }

    /// A parameter as a number.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.params.get(name)?.as_f64()
    }

    /// A parameter that is a list, as texts.
    pub(super) fn texts(&self, name: &str) -> Vec<String> {
        let list = self.params.get(name).and_then(Value::as_array);
        list.into_iter()
            .flatten()
            .filter_map(|item| text(Some(item)))
            .collect()
    }

    /// A parameter that is true or false; false where it is not given.
    pub(super) fn flag(&self, name: &str) -> bool {
        self.params.get(name).and_then(Value::as_bool) == Some(true)
    }

    /// The settings that cases of several families name alike; the others are the family's.
    pub(super) fn settings(&self) -> Settings {
        let usual = Settings::default();
        Settings {
            level: self.number("level").unwrap_or(usual.level),
            positive: self.text("positive"),
            categories: self.texts("categories"),
            weights: self.text("weights"),
            ..usual
        }
    }
}

/// Rows with fields as roles.
pub(super) fn data<'a>(
    rows: impl Iterator<Item = &'a Map<String, Value>>,
    fields: &[(Role, &str)],
) -> Data {
    let rows: Vec<_> = rows.collect();
    let column = |field: &str| rows.iter().map(|row| cell(row.get(field))).collect();
    let empty = Data::of(rows.len());
    let with = |data: Data, (role, field): &(Role, &str)| data.with(*role, column(field));
    fields.iter().fold(empty, with)
}

fn cell(value: Option<&Value>) -> Cell {
    match value {
        None | Some(Value::Null) => Cell::Absent,
        Some(Value::Bool(flag)) => Cell::Number(f64::from(u8::from(*flag))),
        Some(Value::Number(number)) => Cell::Number(number.as_f64().expect("a number")),
        Some(Value::String(text)) => Cell::Text(text.clone()),
        Some(other) => panic!("{other} is no cell"),
    }
}

fn text(value: Option<&Value>) -> Option<String> {
    cell(value).text()
}

/// Whoever computes measures in the place of the library.
pub(super) type Other = Box<dyn FnMut(&str, &Data, &Settings) -> Vec<Line>>;

thread_local! {
    static OTHER: RefCell<Option<Other>> = const { RefCell::new(None) };
}

/// Runs something while another computes measures.
pub(super) fn with<T>(other: Other, run: impl FnOnce() -> T) -> T {
    OTHER.set(Some(other));
    let done = run();
    OTHER.set(None);
    done
}

/// The lines of a measure.
pub(super) fn lines(measure: &str, data: &Data, settings: &Settings) -> Vec<Line> {
    let others = OTHER.with_borrow_mut(|other| Some(other.as_mut()?(measure, data, settings)));
    others.unwrap_or_else(|| computed(measure, data, settings))
}

/// The lines as the library computes them.
pub(super) fn computed(measure: &str, data: &Data, settings: &Settings) -> Vec<Line> {
    let measure = named(measure).unwrap_or_else(|| panic!("no measure `{measure}`"));
    (measure.compute)(data, settings).unwrap_or_else(|error| panic!("{}: {error}", measure.name))
}

/// The only line of a measure.
pub(super) fn line(measure: &str, data: &Data, settings: &Settings) -> Line {
    let mut lines = lines(measure, data, settings);
    assert_eq!(lines.len(), 1, "one line of {measure}");
    lines.remove(0)
}

/// A column of a line (`n` and `dropped` too). What is not there has no value for the line's reason, which must then exist.
pub(super) fn got(measure: &str, line: &Line, column: &str) -> Got {
    let gives = named(measure).expect("a measure").gives;
    if let Some(given) = line.values.get(column) {
        assert!(
            gives.iter().any(|given| given.name == column),
            "{measure} gives `{column}` and does not list it"
        );
        return given.clone().into();
    }
    match column {
        "n" => return line.n.into(),
        "dropped" => return line.dropped.into(),
        _ => {}
    }
    assert!(
        gives.iter().any(|given| given.name == column),
        "{measure} lists no `{column}`"
    );
    let why = line.why.as_ref();
    let why = why.unwrap_or_else(|| panic!("{measure}: `{column}` is missing without a reason"));
    Got::Nothing(why.why.clone())
}

/// Columns of a line under the keys of what is expected: `(key, column)`.
pub(super) fn answers(measure: &str, line: &Line, keys: &[(&str, &str)]) -> Answers {
    let named = |(key, column): &(&str, &str)| ((*key).to_owned(), got(measure, line, column));
    keys.iter().map(named).collect()
}

/// All cases; none, which is said, where the shared data is not there.
pub(super) fn load() -> Option<Vec<Case>> {
    #[derive(Deserialize)]
    struct File {
        cases: Vec<Case>,
    }
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/statistics");
    let folder = std::env::var_os("STATISTICS_DATA").map_or_else(beside, PathBuf::from);
    let path = folder.join("cases.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: there are no cases at {}", path.display());
        return None;
    };
    let file: File = serde_json::from_str(&text).expect("cases in their form");
    Some(file.cases)
}

/// Compares all cases of these statistics, prints a table of counts, and fails with all that differs.
pub(super) fn hold(statistics: &[Statistic]) {
    let Some(cases) = load() else { return };
    let mut wrong = String::new();
    println!(
        "{:<52} {:>5} {:>6} {:>6} {:>6}",
        "statistic", "cases", "held", "keys", "aside"
    );
    for statistic in statistics {
        let of = |case: &&Case| case.family == statistic.family && case.statistic == statistic.name;
        let (mut held, mut keys, mut aside) = (0, 0, 0);
        let mut count = 0;
        for case in cases.iter().filter(of) {
            count += 1;
            let compared = compare::compare(case, &(statistic.answer)(case), statistic.aside);
            keys += compared.keys;
            aside += compared.aside;
            held += usize::from(compared.wrong.is_empty());
            for line in compared.wrong {
                let _ = writeln!(wrong, "{} {}: {line}", case.statistic, case.name);
            }
        }
        let name = format!("{}/{}", statistic.family, statistic.name);
        println!("{name:<52} {count:>5} {held:>6} {keys:>6} {aside:>6}");
        assert!(count > 0, "there are no cases of {name}");
    }
    assert!(wrong.is_empty(), "what differs:\n{wrong}");
}

#[test]
fn every_statistic_of_the_cases_is_held_against_a_measure() {
    let Some(cases) = load() else { return };
    let known = |case: &Case| {
        let of = |it: &&Statistic| it.family == case.family && it.name == case.statistic;
        FAMILIES.iter().copied().flatten().any(|it| of(&it))
    };
    let mut unknown: Vec<_> = cases.iter().filter(|case| !known(case)).collect();
    unknown.dedup_by_key(|case| (&case.family, &case.statistic));
    let unknown: Vec<_> = unknown.iter().map(|case| &case.statistic).collect();
    assert!(unknown.is_empty(), "nothing computes {unknown:?}");
}

/// The same of all families.
pub(super) fn hold_all() {
    for family in FAMILIES {
        hold(family);
    }
}

#[test]
fn another_may_compute_in_the_place_of_the_library() {
    let data = Data::of(0)
        .with(Role::Value, Vec::new())
        .with(Role::Reference, Vec::new());
    let settings = Settings::default();
    let other = |_: &str, _: &Data, _: &Settings| vec![Line::of(3, 0)];
    let of_other = with(Box::new(other), || lines("correlation", &data, &settings));
    assert_eq!(of_other[0].n, 3);
    assert_eq!(lines("correlation", &data, &settings)[0].n, 0);
    let nobody = |name: &str, data: &Data, settings: &Settings| computed(name, data, settings);
    with(Box::new(nobody), hold_all);
}
