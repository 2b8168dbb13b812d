//! How `group` stages are written, and what that means.

use super::raw::{RawEvery, RawGroup};
use super::{Every, Group};
use crate::stage::check::RowShape;
use crate::stage::check::names::resolve;
use crate::stage::check::{Checking, Written};
use crate::stage::check::{columns, condition, gathered};
use crate::stage::pool;
use crate::stage::{Expression, RowsOf, StageName};
use crate::toml::{Layers, OneOrMany, Problem, Problems};

impl Written for Group {
    type Raw = RawGroup;

    fn check(raw: &RawGroup, checking: &Checking<'_>, problems: &mut Problems) -> Option<Self> {
        let Checking { context, at, .. } = *checking;
        let path = |keys: &[&str]| {
            let keys = keys.iter().map(|&key| key.to_owned());
            at.iter().cloned().chain(keys).collect::<Vec<String>>()
        };
        let before = problems.errors();
        if raw.by.is_none() && !context.is_written(at, "by") {
            context
                .missing(at, "by")
                .help("name the columns of the key: `by = [\"doc_id\"]`; `by = []` makes one row of all")
                .tell(problems);
        }
        let all = |list: Option<&OneOrMany<String>>| list.cloned().unwrap_or_default().0;
        let axes = checking.axes.to_vec();
        let mut by = all(raw.by.as_ref());
        let (order, mut carried) = (all(raw.order.as_ref()), all(raw.columns.as_ref()));
        let complete = all(raw.complete.as_ref());
        for (key, names) in [
            ("by", &by),
            ("columns", &carried),
            ("order", &order),
            ("complete", &complete),
        ] {
            columns::each_once(context, &path(&[key]), names, "column", problems);
        }
        columns::groups(context, &path(&["by"]), by.iter(), problems);
        columns::groups(context, &path(&["columns"]), carried.iter(), problems);
        // Both are of the key without being named.
        by.retain(|name| !axes.contains(name));
        carried.retain(|name| !axes.contains(name));
        for name in carried.iter().filter(|name| by.contains(name)) {
            context
                .problem(
                    "spec::bad-name",
                    format!("`{name}` is a column of the key, which every group has"),
                    &context.element(&path(&["columns"]), name),
                    "also in `by`",
                )
                .help("leave it out of one of the two")
                .tell(problems);
        }
        for name in complete
            .iter()
            .filter(|name| by.contains(name) || axes.contains(name))
        {
            context
                .problem(
                    "spec::bad-name",
                    format!("every group has one `{name}`, so none can lack another"),
                    &context.element(&path(&["complete"]), name),
                    "of the key",
                )
                .help("name the column whose values a group is made of")
                .tell(problems);
        }
        let compute = computed(raw, checking, (&by, &carried), problems);
        let every = every(raw, checking, &by, problems);
        let over = all(raw.over.as_ref());
        gathered::check(checking, &path(&["over"]), &over, problems);
        let lost = |column: &str| {
            axes.iter().any(|axis| axis == column).then(|| {
                format!("each value of this axis is a table of its own; put them into one with `over = [\"{column}\"]`")
            })
        };
        let pool = pool::read(
            context,
            &path(&["pool"]),
            raw.pool.as_ref(),
            (&by, &lost),
            problems,
        );
        if every.is_some() && !pool.is_empty() {
            context
                .problem(
                    "spec::bad-value",
                    "groups that must exist cannot be pooled as well".to_owned(),
                    &path(&["every"]),
                    "together with `pool`",
                )
                .help("leave out one of the two, or pool in a `group` stage that reads this one")
                .tell(problems);
        }
        (problems.errors() == before).then(|| Group {
            from: checking.from(),
            axes,
            by,
            order,
            compute,
            columns: carried,
            complete,
            every,
            over,
            pool,
        })
    }

    fn shape(&self, checking: &Checking<'_>) -> RowShape {
        let shape = checking.known.shapes.get(&self.from);
        let kept = shape.into_iter().flat_map(|shape| &shape.groups);
        let kept = kept.filter(|name| self.by.contains(name) && !checking.axes.contains(name));
        RowShape {
            groups: checking.axes.iter().chain(kept).cloned().collect(),
            ..RowShape::default()
        }
    }

    fn reads_also(layers: &Layers, table: &[String]) -> Vec<(&'static str, &'static [RowsOf])> {
        let key = [table, &["every".to_owned()]].concat();
        let stage = layers
            .tree()
            .get(&key)
            .is_some_and(|tree| tree.as_str().is_some());
        if stage {
            vec![("every", RowsOf::ALL)]
        } else {
            Vec::new()
        }
    }
}

/// What is computed; each expression may use the key, the columns carried along, and what is computed before it.
fn computed(
    raw: &RawGroup,
    checking: &Checking<'_>,
    (by, carried): (&[String], &[String]),
    problems: &mut Problems,
) -> Vec<(String, Expression)> {
    let Checking { context, at, .. } = *checking;
    let mut made: Vec<(String, Expression)> = Vec::new();
    for (name, text) in raw.compute.iter().flatten() {
        let at = [at, &["compute".to_owned(), name.clone()]].concat();
        columns::made(checking, &at, name, problems);
        if by.contains(name) || carried.contains(name) {
            Problem::error(
                "spec::bad-name",
                format!("`{name}` is a column of the group already"),
            )
            .label_at(context.layers.place_of_key(&at), "taken")
            .help("use another name, or leave it out of `by` and `columns`")
            .tell(problems);
        }
        let Some(expression) = condition::value(context, &at, text, true, problems) else {
            continue;
        };
        let before = made.iter().map(|(name, _)| name);
        let known: Vec<&String> = by
            .iter()
            .chain(carried)
            .chain(checking.axes)
            .chain(before)
            .collect();
        if let Some(other) = expression.outer().iter().find(|name| !known.contains(name)) {
            let later = raw.compute.iter().flatten().any(|(name, _)| name == other);
            let (what, help) = if later {
                (
                    format!("`{other}` is computed after it"),
                    "put that line before this one".to_owned(),
                )
            } else {
                (
                    format!("`{other}` differs from row to row of a group"),
                    format!(
                        "say what is made of all rows, such as `mean({other})`, or name it in `by` or `columns`"
                    ),
                )
            };
            context
                .problem("spec::bad-expression", what, &at, "no value of a group")
                .help(help)
                .tell(problems);
        }
        made.push((name.clone(), expression));
    }
    made
}

/// The groups that must exist.
fn every(
    raw: &RawGroup,
    checking: &Checking<'_>,
    by: &[String],
    problems: &mut Problems,
) -> Option<Every> {
    let Checking { context, at, .. } = *checking;
    let path = [at, &["every".to_owned()]].concat();
    if by.is_empty() && raw.every.is_some() {
        context
            .problem(
                "spec::bad-value",
                "without a key there is one group, which exists".to_owned(),
                &path,
                "has no effect",
            )
            .help("name the columns of the key in `by`, or remove it")
            .tell(problems);
        return None;
    }
    match raw.every.as_ref()? {
        RawEvery::Stage => {
            let tree = context.layers.tree().get(&path)?;
            let known = checking.known;
            // Whether there is such a stage was reported before.
            let unheard = &mut Problems::new();
            let stage: StageName =
                resolve(tree.as_str()?, checking.name, known.names, None, unheard)?;
            Some(Every::Stage(stage))
        }
        RawEvery::Values(values) => {
            for name in values.keys().filter(|name| !by.contains(name)) {
                Problem::error(
                    "spec::unknown-column",
                    format!("`{name}` is no column of the key"),
                )
                .label_at(
                    context
                        .layers
                        .place_of_key(&[&path[..], std::slice::from_ref(name)].concat()),
                    "not in `by`",
                )
                .help("name it in `by`, or remove it")
                .tell(problems);
            }
            let of = values.iter().map(|(name, values)| {
                (
                    name.clone(),
                    values.iter().map(|value| value.0.clone()).collect(),
                )
            });
            Some(Every::Values(of.collect()))
        }
    }
}
