//! `table` stages: what fills the cells, and how the table looks.

use std::collections::BTreeMap;

use super::mean;
use super::raw::{RawPart, RawTable};
use super::{ABLATION, STATISTIC};
use crate::base::wording::{choice_of, list_of, nearest};
use crate::stage::check::{Checking, Written};
use crate::stage::check::{Context, columns, condition, part};
use crate::stage::check::{Known, RowShape};
use crate::stage::{Kind, Part, RowsOf, StageName, Table};
use crate::stats::statistic::{self, Statistic, is_p_value};
use crate::toml::{Problem, Problems};

impl Written for Table {
    type Raw = RawTable;

    fn check(raw: &RawTable, checking: &Checking<'_>, problems: &mut Problems) -> Option<Self> {
        let Checking {
            context, at, known, ..
        } = *checking;
        let path = |key: &str| [at, &[key.to_owned()]].concat();
        let before = problems.errors();
        let rows = raw.rows.clone().unwrap_or_default().0;
        let columns = raw.columns.clone().unwrap_or_default().0;
        let is_written = context.is_written(at, "rows");
        if rows.is_empty() && (raw.rows.is_some() || !is_written) {
            let problem = if is_written {
                context.problem(
                    "spec::bad-value",
                    "`rows` is empty".to_owned(),
                    &path("rows"),
                    "a table has at least one row",
                )
            } else {
                context.missing(at, "rows")
            };
            problem
                .help("name the fields whose values become rows: `rows = [\"task\", \"metric\"]`")
                .tell(problems);
        }
        if let Some(field) = columns.iter().find(|field| rows.contains(field)) {
            context
                .problem(
                    "spec::bad-table",
                    format!("`{field}` names both rows and columns"),
                    &context.element(&path("columns"), field),
                    "also among `rows`",
                )
                .help("leave it out of one of the two")
                .tell(problems);
        }
        let parts = parts(context, at, raw, problems);
        let fields: Vec<&String> = rows.iter().chain(&columns).collect();
        let several = parts.iter().any(|(raw, _)| {
            let values = raw.value.as_ref();
            values.is_some_and(|values| values.len() > 1)
        });
        let whole = Whole {
            at,
            fields: &fields,
            several,
        };
        let parts: Vec<Part> = parts
            .into_iter()
            .enumerate()
            .flat_map(|(written, (raw, place))| {
                let part = (written, &raw, place.as_slice());
                check_part(context, &whole, part, known, problems).unwrap_or_default()
            })
            .collect();
        for (key, names) in [("rows", &rows), ("columns", &columns)] {
            let from = || parts.iter().map(|part| &part.from);
            let names = names
                .iter()
                .filter(|name| !columns::is_key(name, known, from()));
            columns::groups(context, &path(key), names, problems);
        }
        idle_stars(context, at, &parts, known, problems);
        let mean = mean::read(
            context,
            &path("mean"),
            raw,
            (&fields, &parts),
            known,
            problems,
        );
        (problems.errors() == before).then_some(Table {
            rows,
            columns,
            parts,
            mean,
            variants: Vec::new(),
        })
    }

    fn shape(&self, _: &Checking<'_>) -> RowShape {
        RowShape::default()
    }
}

/// The parts with their places; a table with `from` is one of a single part.
fn parts(
    context: &Context<'_>,
    at: &[String],
    raw: &RawTable,
    problems: &mut Problems,
) -> Vec<(RawPart, Vec<String>)> {
    let own =
        raw.from.is_some() || raw.value.is_some() || raw.condition.is_some() || raw.p.is_some();
    if own && !raw.part.is_empty() {
        context
            .problem(
                "spec::bad-table",
                format!("`{}` has both parts and a `from` of its own", at.join(".")),
                &[at, &["from".to_owned()]].concat(),
                "together with `part`",
            )
            .help("write `from`, `value`, `p` and `where` in the parts")
            .tell(problems);
        return Vec::new();
    }
    if raw.part.is_empty() {
        let part = RawPart {
            from: raw.from.clone(),
            value: raw.value.clone(),
            condition: raw.condition.clone(),
            p: raw.p.clone(),
            ..RawPart::default()
        };
        return vec![(part, at.to_vec())];
    }
    raw.part
        .iter()
        .enumerate()
        .map(|(index, part)| {
            (
                part.clone(),
                [at, &["part".to_owned(), index.to_string()]].concat(),
            )
        })
        .collect()
}

/// The table that parts belong to.
struct Whole<'w> {
    at: &'w [String],
    fields: &'w [&'w String],
    /// Whether a part shows several columns.
    several: bool,
}

/// The parts that one makes as it is written: one for each column that it shows.
fn check_part(
    context: &Context<'_>,
    whole: &Whole<'_>,
    (written, raw, at): (usize, &RawPart, &[String]),
    known: &Known<'_>,
    problems: &mut Problems,
) -> Option<Vec<Part>> {
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    let reader = StageName::new(Kind::Table, &whole.at[1]);
    let (from, shape) = part::stage(
        context,
        &reader,
        (raw.from.as_ref(), at),
        known,
        "name the stage whose rows it shows: `from = \"...\"`",
        problems,
    )?;
    let names: Vec<Option<&String>> = match &raw.value {
        Some(values) if !values.is_empty() => values.iter().map(Some).collect(),
        _ => vec![None],
    };
    let values: Vec<String> = names
        .iter()
        .filter_map(|name| {
            let place = name.map_or_else(
                || path("value"),
                |name| context.element(&path("value"), name),
            );
            let from = (&from, shape);
            part::value(context, (at, &place), *name, from, problems)
        })
        .collect();
    let condition = condition::read(
        context,
        &path("where"),
        raw.condition.as_deref(),
        Some(known.axes),
        problems,
    );
    let telling = telling(context, whole, (raw, at), (&from, shape), problems);
    let lacks = |field: &str| {
        let named = whole.fields.iter().any(|one| *one == field);
        let own = raw.set.contains_key(field) || shape.groups.iter().any(|group| group == field);
        named && !own
    };
    // Whether the rows of other stages have such a column is not known before all columns are.
    let ablations = lacks(ABLATION) && (is_of_statistics(&from) || has_ablations(context));
    let given = |field: &str| (field == STATISTIC && telling) || (field == ABLATION && ablations);
    check_fields(context, whole, (raw, at), given, (&from, shape), problems);
    if let Some(p) = raw.p.as_ref().filter(|_| is_of_statistics(&from)) {
        problems.extend(no_p_value(context, &path("p"), p, &from, shape));
    }
    let beside =
        |value: &&String| shape.measure.is_none() && statistic::is(value, Statistic::is_beside);
    if let (Some(_), Some(value)) = (&raw.p, values.iter().find(beside)) {
        Problem::error(
                "spec::bad-table",
                format!("`{value}` has no p-value"),
            )
            .label_at(context.place(&path("p")), "the p-value of the paired test")
            .help("the test uses complete pairs, this statistic all rows of a side; show `mean`, the mean difference of pairs, or leave `p` out")
            .tell(problems);
    }
    let parts = values.into_iter().map(|value| {
        let set = raw.set.iter();
        let mut set: BTreeMap<String, String> = set
            .map(|(field, value)| (field.clone(), value.to_string()))
            .collect();
        if telling {
            set.insert(STATISTIC.to_owned(), value.clone());
        }
        Part {
            condition: condition.clone(),
            from: from.clone(),
            value,
            set,
            p: raw.p.clone(),
            ablations,
            mean_of: None,
            written,
        }
    });
    Some(parts.collect())
}

/// Whether the spec has ablations.
fn has_ablations(context: &Context<'_>) -> bool {
    let tree = context.layers.tree();
    tree.get(&["ablation"]).is_some()
}

/// Whether the field `statistic` of a part's cells is the column that they show; says so where several columns are shown
/// and nothing tells them apart.
fn telling(
    context: &Context<'_>,
    whole: &Whole<'_>,
    (raw, at): (&RawPart, &[String]),
    (from, shape): (&StageName, &RowShape),
    problems: &mut Problems,
) -> bool {
    let path = [at, &["value".to_owned()]].concat();
    let values: &[String] = raw.value.as_ref().map_or(&[], |values| values);
    let mut bad = |message: String, place: &[String], label: &str, help: &str| {
        context
            .problem("spec::bad-table", message, place, label)
            .help(help.to_owned())
            .tell(problems);
    };
    if raw.value.is_some() && values.is_empty() {
        bad(
            "`value` names no column".to_owned(),
            &path,
            "an empty list",
            "name the columns that are shown: `value = [\"mean\", \"sd\"]`, or leave it out",
        );
    }
    for (index, value) in values.iter().enumerate() {
        if values[..index].contains(value) {
            bad(
                format!("`{value}` is shown twice"),
                &[path.as_slice(), &[index.to_string()]].concat(),
                "named before",
                "name each column once",
            );
        }
    }
    let named = whole.fields.iter().any(|field| *field == STATISTIC);
    let set = raw.set.contains_key(STATISTIC);
    let own = shape.groups.iter().any(|group| group == STATISTIC);
    if values.len() < 2 {
        return named && !set && !own && (whole.several || is_of_statistics(from));
    }
    let count = values.len();
    if !named {
        bad(
            format!("{count} columns are shown, and nothing tells them apart"),
            &path,
            "several columns",
            "name the field `statistic` in `rows` or `columns`: it says which column a cell shows",
        );
    } else if set {
        bad(
            format!("`statistic` is set, and {count} columns are shown"),
            &[at, &["set".to_owned(), STATISTIC.to_owned()]].concat(),
            "one value for all of them",
            "leave it out: the field `statistic` takes the columns' names, and `labels.statistic` what they are called",
        );
    } else if own {
        bad(
            format!("the rows of `{from}` have a field `statistic`, and {count} columns are shown"),
            &path,
            "nothing tells them apart",
            "show each in a part of its own, with a field that `set` fixes",
        );
    }
    named && !set && !own
}

/// Whether the rows of a stage are statistics, of which it is known without a look at columns what tells them apart.
fn is_of_statistics(from: &StageName) -> bool {
    from.kind.gives(RowsOf::Statistics)
}

/// Warns of marks of significance where nothing is tested.
fn idle_stars(
    context: &Context<'_>,
    at: &[String],
    parts: &[Part],
    known: &Known<'_>,
    problems: &mut Problems,
) {
    let path = [at, &["stars".to_owned()]].concat();
    let tests = |part: &Part| {
        let shape = known.shapes.get(&part.from);
        let named = part.p.is_some() && !is_of_statistics(&part.from);
        let marked = |shape: &RowShape| match shape.measure {
            Some(measure) => measure.is_of_a_test(&part.value),
            None => shape.statistics.iter().any(|name| is_p_value(name)),
        };
        named || shape.is_none_or(marked)
    };
    if context.is_written(at, "stars") && !parts.is_empty() && !parts.iter().any(tests) {
        Problem::warning("lint::idle-stars", "the table shows no tested statistic")
            .label_at(context.place(&path), "has no effect")
            .help("remove `stars`, name the p-value in `p`, or show a statistic that a test is on")
            .tell(problems);
    }
}

/// A column that marks of significance cannot be read from: only a test's p-value says how significant it is.
fn no_p_value(
    context: &Context<'_>,
    at: &[String],
    p: &str,
    from: &StageName,
    shape: &RowShape,
) -> Option<Problem> {
    let there = shape.statistics.iter().map(String::as_str);
    let there: Vec<&str> = there.filter(|name| is_p_value(name)).collect();
    if there.contains(&p) {
        return None;
    }
    let problem = match there.as_slice() {
        [] => context.problem(
            "spec::no-p-value",
            format!("`{from}` tests nothing, so it has no p-value"),
            at,
            "no p-value",
        ),
        _ => context.problem(
            "spec::no-p-value",
            format!("`{p}` of `{from}` is not a p-value"),
            at,
            "marks of significance show p-values",
        ),
    };
    Some(problem.help(match there.as_slice() {
        [] => "remove it, or show statistics with `test = \"paired-t\"`".to_owned(),
        there => format!("write {}, or leave it out", choice_of(there)),
    }))
}

/// Fields that are set and are none of the table's, and fields of the table that neither the rows have nor `given` says
/// are known otherwise.
fn check_fields(
    context: &Context<'_>,
    whole: &Whole<'_>,
    (raw, at): (&RawPart, &[String]),
    given: impl Fn(&str) -> bool,
    (from, shape): (&StageName, &RowShape),
    problems: &mut Problems,
) {
    let fields = whole.fields;
    for field in raw.set.keys().filter(|field| !fields.contains(field)) {
        let place = [at, &["set".to_owned(), field.clone()]].concat();
        Problem::error(
            "spec::unknown-field",
            format!("`{field}` names neither rows nor columns of this table"),
        )
        .label_at(context.layers.place_of_key(&place), "sets nothing")
        .help(match nearest(field, fields) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the fields are {}", list_of(fields)),
        })
        .tell(problems);
    }
    for &field in fields {
        // Of other rows it is their columns that matter, which are looked at when all are known.
        let known =
            shape.groups.contains(field) || !is_of_statistics(from) || context.is_astray(field);
        if raw.set.contains_key(field) || known || given(field) {
            continue;
        }
        let paths = ["rows", "columns"].map(|key| [whole.at, &[key.to_owned()]].concat());
        let place = paths
            .iter()
            .map(|path| context.element(path, field))
            .find(|path| {
                context
                    .layers
                    .tree()
                    .get(path)
                    .and_then(|tree| tree.as_str())
                    == Some(field)
            })
            .unwrap_or_else(|| paths[0].clone());
        problems.push(part::lacking(context, &place, field, (from, shape)));
    }
}
