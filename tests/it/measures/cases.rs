//! The reference cases of the library's statistics, said by specs: what the library computes of the rows of a case, a spec
//! computes of the same rows in a file, and that is what the case expects.
//!
//! The cases are gone through twice: once to learn which rows and settings measures are computed of, then, after one run of
//! one spec over all of these, with its results in the place of the library's.

#[path = "../../../src/stats/tests/cases/mod.rs"]
#[allow(clippy::print_stdout, reason = "it prints a table of counts")]
mod library;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::rc::Rc;

use serde_json::{Map, Value, json};
use tribunal::stats::measure::{
    Cell, Code, Data, Given, Holds, Line, Measure, NoValue, Role, Setting, Settings, named,
};

use super::rows;
use crate::lab::Lab;

/// Something that a measure is computed of.
type Asked = (&'static Measure, Data, Settings);

/// The roles that keys of a spec give columns to; items and values have columns of these names.
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

/// The settings as a spec says them; those that a measure does not look at are not said.
fn settings(measure: &Measure, settings: &Settings) -> String {
    let list = |texts: &[String]| format!("{texts:?}");
    let usual = Settings::default();
    let mut said = String::new();
    for setting in measure.settings {
        let line = match setting {
            Setting::Level => Some(format!("level = {:?}", settings.level)),
            Setting::Alternative => Some(format!("alternative = \"{}\"", settings.alternative)),
            Setting::Method => settings
                .method
                .as_ref()
                .map(|it| format!("method = {it:?}")),
            Setting::Categories => (!settings.categories.is_empty())
                .then(|| format!("categories = {}", list(&settings.categories))),
            Setting::Weights => settings
                .weights
                .as_ref()
                .map(|it| format!("weights = {it:?}")),
            Setting::Positive => settings
                .positive
                .as_ref()
                .map(|it| format!("positive = {it:?}")),
            Setting::Scale => settings.scale.map(|it| format!("scale = {it:?}")),
            Setting::At => (!settings.at.is_empty()).then(|| format!("at = {:?}", settings.at)),
            Setting::Resamples => (*settings != usual).then(|| {
                format!(
                    "resamples = {}\nseed = {}",
                    settings.resamples.max(100),
                    settings.seed
                )
            }),
            Setting::Base => settings.base.as_ref().map(|it| format!("base = {it:?}")),
            Setting::Power => Some(format!("power = {:?}", settings.power)),
            Setting::Least => Some(format!("least = {}", settings.least)),
        };
        said.extend(line.map(|line| line + "\n"));
    }
    said
}

/// What a measure is computed of as a stage says it, without names: sets of rows that differ in nothing of this are groups
/// of one stage.
fn stage(measure: &Measure, data: &Data, said: &str) -> String {
    let has = |role: &Role| data.column(*role).is_some();
    let looks_at = |role: &Role| measure.needs.contains(role) || measure.takes.contains(role);
    let mut stage = format!(
        "test = \"{}\"\nby = \"set\"\nvalue = \"value\"\n",
        measure.name
    );
    // Where rows have no item they are told apart by their numbers, and where an item has several, by both.
    let over = match (has(&Role::Item), repeats(measure, data)) {
        (true, false) => "\"item\"",
        (true, true) => "[\"item\", \"line\"]",
        (false, _) => "\"line\"",
    };
    let _ = writeln!(stage, "over = {over}");
    for role in ROLES.iter().filter(|role| has(role) && looks_at(role)) {
        if !matches!(role, Role::Item | Role::Value) {
            let _ = writeln!(stage, "{} = \"{}\"", role.key(), column(*role));
        }
    }
    stage + said
}

/// Whether an item has several rows that no role tells apart.
fn repeats(measure: &Measure, data: &Data) -> bool {
    let names = [
        Role::Item,
        Role::Rater,
        Role::System,
        Role::Sample,
        Role::Contender,
        Role::Opponent,
        Role::Order,
    ];
    let looks_at = |role: &Role| measure.needs.contains(role) || measure.takes.contains(role);
    let mut seen = std::collections::BTreeSet::new();
    let name = |row: usize| {
        let told = names
            .iter()
            .filter(|role| **role == Role::Item || looks_at(role));
        told.map(|role| data.cell(*role, row).text())
            .collect::<Vec<_>>()
    };
    (0..data.len()).any(|row| !seen.insert(name(row)))
}

/// The column of a role.
fn column(role: Role) -> &'static str {
    match role {
        Role::Item => "item",
        Role::Rater => "rater",
        Role::System => "system",
        Role::Sample => "sample",
        Role::OpponentLength => "opponent_length",
        role => role.key(),
    }
}

fn json_of(cell: &Cell) -> Value {
    match cell {
        Cell::Absent => Value::Null,
        Cell::Number(number) => json!(number),
        Cell::Text(text) => json!(text),
    }
}

/// One line of a file.
fn row(set: usize, line: usize, data: &Data) -> String {
    let mut row = Map::new();
    row.insert("doc_id".to_owned(), json!(format!("{set}-{line}")));
    row.insert("set".to_owned(), json!(format!("s{set}")));
    row.insert("line".to_owned(), json!(format!("{line:05}")));
    for role in ROLES.iter().filter(|role| data.column(**role).is_some()) {
        row.insert(column(*role).to_owned(), json_of(data.cell(*role, line)));
    }
    Value::from(row).to_string() + "\n"
}

/// What kind of values there are, so that labels and numbers do not come into one column.
fn kind(data: &Data) -> String {
    let text = |role| {
        let mut cells = data.column(role).into_iter().flatten();
        cells.any(|cell| matches!(cell, Cell::Text(_)))
    };
    let number = |role| {
        let mut cells = data.column(role).into_iter().flatten();
        cells.any(|cell| matches!(cell, Cell::Number(_)))
    };
    let kinds = [Role::Value, Role::Reference, Role::Rival].map(|role| (text(role), number(role)));
    format!("{kinds:?}")
}

/// A line of a measure as a row of a result has it.
fn line_of(measure: &Measure, row: &Map<String, Value>) -> Line {
    let whole = |name: &str| row[name].as_u64().unwrap_or_default() as usize;
    let mut line = Line::of(whole("n"), whole("dropped"));
    line.keys = measure
        .keys
        .iter()
        .map(|key| row[*key].as_str().unwrap_or_default().to_owned())
        .collect();
    let behind = row.get("behind").and_then(Value::as_str).unwrap_or("{}");
    let behind: Value = serde_json::from_str(behind).unwrap();
    for column in measure.gives {
        let own = behind[column.name]["why"].as_str();
        let why = own.or_else(|| row["why"].as_str());
        let given = match &row[column.name] {
            Value::Number(number) => Given::Number(number.as_f64().unwrap()),
            Value::String(text) if column.holds == Holds::Text => Given::Text(text.clone()),
            Value::Null => Given::Nothing(NoValue::new(Code::Undefined, why.unwrap_or_default())),
            other => panic!("`{}` of `{}` is {other}", column.name, measure.name),
        };
        line.set(column.name, given);
    }
    line
}

/// Everything that the cases ask for.
fn asked() -> Vec<Asked> {
    let asked: Rc<RefCell<Vec<Asked>>> = Rc::default();
    let taken = Rc::clone(&asked);
    let take = move |name: &str, data: &Data, settings: &Settings| {
        let measure = named(name).unwrap();
        taken
            .borrow_mut()
            .push((measure, data.clone(), settings.clone()));
        library::computed(name, data, settings)
    };
    library::with(Box::new(take), library::hold_all);
    Rc::try_unwrap(asked).unwrap().into_inner()
}

#[test]
fn specs_compute_what_the_cases_expect() {
    if library::load().is_none() {
        return;
    }
    let asked = asked();
    let mut stages: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for (set, (measure, data, given)) in asked.iter().enumerate() {
        let stage = stage(measure, data, &settings(measure, given));
        stages.entry((stage, kind(data))).or_default().push(set);
    }
    let mut spec = String::new();
    let mut files = Vec::new();
    for (at, ((stage, _), sets)) in stages.iter().enumerate() {
        let file: String = sets
            .iter()
            .flat_map(|&set| (0..asked[set].1.len()).map(move |line| (set, line)))
            .map(|(set, line)| row(set, line, &asked[set].1))
            .collect();
        if file.is_empty() {
            continue;
        }
        let _ = write!(
            spec,
            "[source.rows{at}]\nfiles = \"rows{at}.jsonl\"\n\n[stats.of{at}]\nfrom = \"source.rows{at}\"\n{stage}\n[export.of{at}]\nfrom = \"stats.of{at}\"\nformat = \"jsonl\"\n\n"
        );
        files.push((format!("rows{at}.jsonl"), file));
    }
    let lab = files
        .into_iter()
        .fold(Lab::new().spec(&spec), |lab, (name, text)| {
            lab.file(&name, text)
        });
    let ran = lab.run(&[]).ok();
    let mut results: Vec<Vec<Line>> = vec![Vec::new(); asked.len()];
    for (at, (_, sets)) in stages.iter().enumerate() {
        if !ran.tables.contains_key(&format!("of{at}.jsonl")) {
            continue;
        }
        for row in rows(&ran, &format!("of{at}")) {
            let set: usize = row["set"].as_str().unwrap()[1..].parse().unwrap();
            assert!(sets.contains(&set));
            results[set].push(line_of(asked[set].0, &row));
        }
    }
    let said = results.iter().filter(|lines| !lines.is_empty()).count();
    eprintln!(
        "{said} of {} computations are said by {} stages of one spec",
        asked.len(),
        stages.len()
    );
    assert!(said * 20 > asked.len() * 19, "{said} of {}", asked.len());
    let mut next = results.into_iter();
    let answer = move |name: &str, data: &Data, settings: &Settings| match next.next() {
        Some(lines) if !lines.is_empty() => lines,
        // Without rows there is no group.
        _ if data.is_empty() => library::computed(name, data, settings),
        _ => panic!("no spec says {name} of {data:?}"),
    };
    library::with(Box::new(answer), library::hold_all);
}
