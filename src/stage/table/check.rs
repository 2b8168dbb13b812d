//! `table` stages: what fills the cells, and how the table looks.

use super::raw::{RawPart, RawTable};
use crate::base::wording::{choice_of, list_of, nearest};
use crate::stage::check::{Checking, Written};
use crate::stage::check::{Context, columns, condition, part};
use crate::stage::check::{Known, RowShape};
use crate::stage::{Kind, Part, RowsOf, StageName, Table};
use crate::stats::statistic::{self, Statistic, is_p_value, p_values};
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
        if rows.is_empty() && (raw.rows.is_some() || !context.is_written(at, "rows")) {
            context
                .missing(at, "rows")
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
        for (key, names) in [("rows", &rows), ("columns", &columns)] {
            columns::groups(context, &path(key), names.iter(), problems);
        }
        let parts = parts(context, at, raw, problems);
        let fields: Vec<&String> = rows.iter().chain(&columns).collect();
        let parts: Vec<Part> = parts
            .into_iter()
            .filter_map(|(raw, place)| {
                check_part(context, at, &raw, &place, &fields, known, problems)
            })
            .collect();
        idle_stars(context, at, &parts, known, problems);
        (problems.errors() == before).then_some(Table {
            rows,
            columns,
            parts,
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

fn check_part(
    context: &Context<'_>,
    table: &[String],
    raw: &RawPart,
    at: &[String],
    fields: &[&String],
    known: &Known<'_>,
    problems: &mut Problems,
) -> Option<Part> {
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    let reader = StageName::new(Kind::Table, &table[1]);
    let (from, shape) = part::stage(
        context,
        &reader,
        (raw.from.as_ref(), at),
        known,
        "name the stage whose rows it shows: `from = \"...\"`",
        problems,
    )?;
    let value = part::value(
        context,
        (at, &path("value")),
        raw.value.as_ref(),
        (&from, shape),
        problems,
    )?;
    let condition = condition::read(
        context,
        &path("where"),
        raw.condition.as_deref(),
        Some(known.axes),
        problems,
    );
    check_fields(context, table, raw, at, fields, &from, shape, problems);
    if let Some(p) = raw.p.as_ref().filter(|_| is_of_statistics(&from)) {
        problems.extend(no_p_value(context, &path("p"), p, &from, shape));
    }
    if raw.p.is_some() && statistic::is(&value, Statistic::is_beside) {
        Problem::error(
                "spec::bad-table",
                format!("`{value}` has no p-value"),
            )
            .label_at(context.place(&path("p")), "the p-value of the paired test")
            .help("the test uses complete pairs, this statistic all rows of a side; show `mean`, the mean difference of pairs, or leave `p` out")
            .tell(problems);
    }
    Some(Part {
        condition,
        from,
        value,
        set: raw
            .set
            .iter()
            .map(|(field, value)| (field.clone(), value.to_string()))
            .collect(),
        p: raw.p.clone(),
    })
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
        named || shape.is_none_or(|shape| shape.statistics.iter().any(|name| is_p_value(name)))
    };
    if context.is_written(at, "stars") && !parts.is_empty() && !parts.iter().any(tests) {
        Problem::warning("lint::idle-stars", "the table shows no tested statistic")
            .label_at(context.place(&path), "has no effect")
            .help("remove `stars`, or show statistics with `test = \"paired-t\"`")
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
    let there: Vec<&str> = p_values()
        .filter(|name| shape.statistics.iter().any(|known| known == name))
        .collect();
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

#[expect(
    clippy::too_many_arguments,
    reason = "a part is checked against everything around it"
)]
fn check_fields(
    context: &Context<'_>,
    table: &[String],
    raw: &RawPart,
    at: &[String],
    fields: &[&String],
    from: &StageName,
    shape: &RowShape,
    problems: &mut Problems,
) {
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
        let known = shape.groups.contains(field) || !is_of_statistics(from);
        if raw.set.contains_key(field) || known {
            continue;
        }
        let paths = ["rows", "columns"].map(|key| [table, &[key.to_owned()]].concat());
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
