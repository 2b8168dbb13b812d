//! What tables, figures and statistics make of the rows that certainly come to them: places that two rows would fill,
//! conditions that no row meets.
//!
//! Nothing is read for it: axes, metrics and the columns that a spec adds have values that are known. Of other columns
//! it is known at most that two tables have the same rows.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use super::Node;
use crate::base::wording::{choice_of, list_of};
use crate::stage::{
    BASE, Columns, Counted, Deciding, Expression, Figure, Mistake, Pair, Stage, StageName, Stats,
    Table, Value,
};

/// The code of conditions that keep nothing.
pub(super) const KEEPS_NOTHING: &str = "lint::keeps-nothing";

/// Something found, and whether it stops the work.
pub(super) type Found = (Mistake, bool);

/// Rows that are there, told apart by the columns that form groups.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Group {
    /// The node whose rows they come from.
    origin: usize,
    values: BTreeMap<Arc<str>, Value>,
    /// Whether there are such rows if there are any of the origin.
    sure: bool,
    /// Columns of unknown values of which a condition chose some.
    picked: BTreeSet<Arc<str>>,
}

impl Group {
    /// What a condition says of these rows, where that is decided; `columns` know what the values are.
    fn meets(&self, condition: &mut Deciding<'_>, columns: &Columns) -> Option<bool> {
        condition.decide(|name| match self.values.get(name)? {
            Value::Known(text) => columns.as_held(name, text),
            _ => None,
        })
    }

    /// Whether a value is known to be this one.
    fn is(&self, name: &str, text: &str) -> bool {
        matches!(self.values.get(name), Some(Value::Known(value)) if **value == *text)
    }

    fn value(&self, name: &str) -> Value {
        self.values.get(name).cloned().unwrap_or(Value::Unknown)
    }
}

/// The rows that stats read, as far as their groups and condition look at them.
fn read(stats: &Stats, inputs: &[(&Node, &Columns, &[Group])]) -> Vec<Group> {
    let pairs = stats.pair.iter().map(|pair| &pair.axis);
    let asked = stats.condition.iter().flat_map(Expression::columns);
    let names: BTreeSet<&str> = stats
        .by
        .iter()
        .chain(pairs)
        .chain(asked)
        .map(String::as_str)
        .collect();
    let names: Vec<&str> = names.into_iter().collect();
    let shared: Vec<Arc<str>> = names.iter().map(|&name| name.into()).collect();
    let mut all = Vec::new();
    for (node, columns, groups) in inputs {
        if matches!(*node.stage, Stage::Stats(_)) {
            all.extend(groups.iter().cloned());
        } else if let Some(origin) = columns.origin() {
            all.extend(columns.sorts(&names).into_iter().map(|values| Group {
                origin,
                values: shared.iter().cloned().zip(values).collect(),
                sure: true,
                picked: BTreeSet::new(),
            }));
        }
    }
    all
}

/// The groups of a stats stage's result, and a condition that keeps none.
pub(super) fn of_stats(
    stats: &Stats,
    node: &Node,
    columns: &Columns,
    inputs: &[(&Node, &Columns, &[Group])],
) -> (Vec<Group>, Option<Found>) {
    let read = read(stats, inputs);
    let held = held(
        inputs.iter().map(|(_, columns, _)| *columns),
        [stats.condition.as_ref(), None],
    );
    let kept = kept(&read, stats.condition.as_ref(), &held);
    let found = stats
        .condition
        .as_ref()
        .filter(|_| kept.is_empty() && !read.is_empty());
    let found = found.map(|condition| {
        let from: Vec<String> = stats.from.iter().map(ToString::to_string).collect();
        keeps_nothing(condition, vec!["where".to_owned()], &from, &read)
    });
    let against: BTreeSet<(usize, &str)> = kept
        .iter()
        .flat_map(|group| {
            let meant = stats
                .pair
                .iter()
                .filter(|pair| group.is(&pair.axis, &pair.against));
            meant.map(|pair| (group.origin, pair.axis.as_str()))
        })
        .collect();
    let own = node.labels.keys().map(|axis| {
        let own = columns.sorts(&[axis]).into_iter().flatten().next();
        (Arc::from(axis.as_str()), own.unwrap_or(Value::Unknown))
    });
    let own: Vec<(Arc<str>, Value)> = own.collect();
    let names = stats.groups().map(Arc::from);
    let names: BTreeSet<Arc<str>> = names
        .chain(own.iter().map(|(axis, _)| Arc::clone(axis)))
        .collect();
    let mut groups = BTreeSet::new();
    for group in &kept {
        let mut sure = group.sure;
        if !stats.pair.is_empty() {
            // The level that is subtracted has no row of its own.
            let subtracted = |pair: &Pair| group.is(&pair.axis, &pair.against);
            if stats.pair.iter().any(subtracted) {
                continue;
            }
            sure &= stats.pair.len() == 1
                && stats.pair.iter().all(|pair| {
                    matches!(group.value(&pair.axis), Value::Known(_))
                        && against.contains(&(group.origin, pair.axis.as_str()))
                });
        }
        let values = names.iter().map(|name| {
            let own = own.iter().find(|(axis, _)| axis == name);
            let value = own.map_or_else(|| group.value(name), |(_, value)| value.clone());
            (Arc::clone(name), value)
        });
        let asked = stats.condition.iter().flat_map(Expression::columns);
        let open = asked.filter(|name| !matches!(group.value(name), Value::Known(_)));
        let picked = open.map(|name| Arc::from(name.as_str()));
        groups.insert(Group {
            origin: group.origin,
            values: values.collect(),
            sure,
            picked: picked.chain(group.picked.iter().cloned()).collect(),
        });
    }
    let found = found.or_else(|| {
        let pair = stats
            .pair
            .first()
            .filter(|_| groups.is_empty() && !kept.is_empty())?;
        Some(compares_nothing(pair))
    });
    (groups.into_iter().collect(), found)
}

/// All rows are of the level that is subtracted from others.
fn compares_nothing(pair: &Pair) -> Found {
    let lack = Mistake {
        place: None,
        code: KEEPS_NOTHING,
        at: (vec!["pair".to_owned()], None),
        message: format!(
            "all rows that it reads have `{}` = `{}`",
            pair.axis, pair.against
        ),
        label: "compares nothing",
        help: format!(
            "give `{}` other values too, or compare along another axis",
            pair.axis
        ),
    };
    (lack, false)
}

/// What is known of the columns that conditions look at, of several tables.
fn held<'c>(
    all: impl Iterator<Item = &'c Columns>,
    conditions: [Option<&Expression>; 2],
) -> Columns {
    let asked = || {
        conditions
            .into_iter()
            .flatten()
            .flat_map(Expression::columns)
    };
    Columns::stacked_of(all, |name| asked().any(|column| column == name))
}

/// Those groups that a condition may keep; of which it cannot say so, they are not sure.
fn kept<'g>(
    groups: &'g [Group],
    condition: Option<&Expression>,
    columns: &Columns,
) -> Vec<Cow<'g, Group>> {
    let Some(condition) = condition else {
        return groups.iter().map(Cow::Borrowed).collect();
    };
    let mut condition = condition.deciding();
    let kept = groups
        .iter()
        .filter_map(|group| match group.meets(&mut condition, columns) {
            Some(false) => None,
            Some(true) => Some(Cow::Borrowed(group)),
            None => Some(Cow::Owned(Group {
                sure: false,
                ..group.clone()
            })),
        });
    kept.collect()
}

fn keeps_nothing(
    condition: &Expression,
    at: Vec<String>,
    from: &[String],
    groups: &[Group],
) -> Found {
    let step = at.last().cloned().unwrap_or_default();
    let held = condition.columns().iter().filter_map(|name| {
        let mut values: Vec<Arc<str>> = Vec::new();
        for group in groups {
            let Value::Known(value) = group.value(name) else {
                return None;
            };
            if !values.contains(&value) && values.len() < 10 {
                values.push(value);
            }
        }
        Some(format!("`{name}` is {}", choice_of(&values)))
    });
    let held: Vec<String> = held.collect();
    let lack = Mistake {
        place: None,
        code: KEEPS_NOTHING,
        at: (at, None),
        message: format!("`{step}` matches no row of {}", list_of(from)),
        label: "keeps nothing",
        help: match held.as_slice() {
            [] => "correct the condition, or remove it".to_owned(),
            held => format!("correct the condition: {}", held.join(", and ")),
        },
    };
    (lack, false)
}

/// What a part of a table or figure shows.
struct Part<'p> {
    from: &'p StageName,
    /// Which it is as parts are written, of which one may be several here.
    written: usize,
    /// Where what it is handed stands among all inputs.
    inputs: Range<usize>,
    condition: Option<&'p Expression>,
    /// For each field of the whole the column that its values come from, or the text that it is set to.
    fields: Vec<Result<&'p str, &'p str>>,
}

/// What a table or figure is called in messages, and what a place in it is.
struct Whole<'p> {
    fields: Vec<&'p str>,
    parts: Vec<Part<'p>>,
    /// Which rows others are drawn against.
    reference: Option<&'p Expression>,
    kind: &'static str,
    places: &'static str,
}

/// What is wrong with a table.
pub(super) fn of_table(table: &Table, inputs: &[(&Node, &Columns, &[Group])]) -> Vec<Found> {
    let fields: Vec<&str> = table
        .rows
        .iter()
        .chain(&table.columns)
        .map(String::as_str)
        .collect();
    let mut start = 0;
    let mut variants: Vec<(&str, Range<usize>)> = Vec::new();
    for variant in &table.variants {
        variants.push((&variant.name, start..start + variant.inputs));
        start += variant.inputs;
    }
    if variants.is_empty() {
        variants.push((BASE, 0..inputs.len()));
    }
    let parts = table.parts.iter().flat_map(|part| {
        let shown = if part.ablations { variants.len() } else { 1 };
        variants.iter().take(shown).map(|(variant, inputs)| Part {
            from: &part.from,
            written: part.written,
            inputs: inputs.clone(),
            condition: part.condition.as_ref(),
            fields: fields
                .iter()
                .map(|&field| match part.set.get(field) {
                    Some(text) => Err(text.as_str()),
                    None if part.gives(field) => Err(*variant),
                    None => Ok(field),
                })
                .collect(),
        })
    });
    let whole = Whole {
        parts: parts.collect(),
        fields: fields.clone(),
        reference: None,
        kind: "table",
        places: "`rows` or `columns`",
    };
    let (mut found, shown) = shown(&whole, inputs);
    found.extend(check(&whole, &shown));
    found
}

/// What is wrong with a figure of single values.
pub(super) fn of_figure(figure: &Figure, inputs: &[(&Node, &Columns, &[Group])]) -> Vec<Found> {
    let fields: Vec<&str> = figure.fields().map(String::as_str).collect();
    let parts = figure.parts.iter().enumerate().map(|(written, part)| Part {
        from: &part.from,
        written,
        inputs: 0..inputs.len(),
        condition: part.condition.as_ref(),
        fields: fields
            .iter()
            .map(|&field| match part.set.get(field) {
                Some(text) => Err(text.as_str()),
                None => Ok(part.rename.get(field).map_or(field, String::as_str)),
            })
            .collect(),
    });
    let whole = Whole {
        parts: parts.collect(),
        fields: fields.clone(),
        reference: figure.reference.as_ref(),
        kind: "figure",
        places: "`x`, `y`, `series` or `panels`",
    };
    let (mut found, shown) = shown(&whole, inputs);
    // Of distributions rows may stand in one place.
    if figure.counted == Counted::Not {
        found.extend(check(&whole, &shown));
    }
    if let Some(reference) = &figure.reference {
        let rows: Vec<Group> = shown.iter().flat_map(|(_, rows)| rows.clone()).collect();
        let none = shown
            .iter()
            .all(|(columns, rows)| kept(rows, Some(reference), columns).is_empty());
        if none && !rows.is_empty() && found.is_empty() {
            let from: Vec<String> = whole
                .parts
                .iter()
                .map(|part| part.from.to_string())
                .collect();
            found.push(keeps_nothing(
                reference,
                vec!["reference".to_owned()],
                &from,
                &rows,
            ));
        }
    }
    found
}

fn all_of(
    whole: &Whole<'_>,
    part: &Part<'_>,
    inputs: &[(&Node, &Columns, &[Group])],
) -> (Columns, Vec<Group>) {
    let of = || {
        let own = inputs.get(part.inputs.clone()).unwrap_or_default().iter();
        own.filter(|(node, ..)| node.name == *part.from)
    };
    let columns = held(
        of().map(|(_, columns, _)| *columns),
        [part.condition, whole.reference],
    );
    let all: BTreeSet<&Group> = of().flat_map(|(.., groups)| *groups).collect();
    (columns, all.into_iter().cloned().collect())
}

/// The rows that each part shows of statistics, with the columns that they have, and conditions of parts that keep
/// nothing.
fn shown(
    whole: &Whole<'_>,
    inputs: &[(&Node, &Columns, &[Group])],
) -> (Vec<Found>, Vec<(Columns, Vec<Group>)>) {
    let mut found = Vec::new();
    let mut shown = Vec::new();
    for part in &whole.parts {
        let (columns, all) = all_of(whole, part, inputs);
        let rows = kept(&all, part.condition, &columns);
        let rows: Vec<Group> = rows.into_iter().map(Cow::into_owned).collect();
        if let Some(condition) = part.condition
            && rows.is_empty()
            && !all.is_empty()
        {
            let at = [
                "part".to_owned(),
                part.written.to_string(),
                "where".to_owned(),
            ];
            let from = [part.from.to_string()];
            found.push(keeps_nothing(condition, at.to_vec(), &from, &all));
        }
        shown.push((columns, rows));
    }
    (found, shown)
}

fn check(whole: &Whole<'_>, shown: &[(Columns, Vec<Group>)]) -> Vec<Found> {
    let rows: Vec<&[Group]> = shown.iter().map(|(_, rows)| rows.as_slice()).collect();
    let mut found = Vec::new();
    let twice = twice(whole, &rows);
    let certain = twice.is_some();
    found.extend(twice);
    if !certain {
        for (part, rows) in whole.parts.iter().zip(&rows) {
            found.extend(hidden(whole, part, rows));
        }
    }
    found
}

/// Where rows of a part stand.
fn place(part: &Part<'_>, row: &Group) -> Vec<Value> {
    let fields = part.fields.iter().map(|field| match field {
        Ok(column) => row.value(column),
        Err(text) => Value::Known((*text).into()),
    });
    fields.collect()
}

/// Two rows that are certainly there and stand in one place.
fn twice(whole: &Whole<'_>, rows: &[&[Group]]) -> Option<Found> {
    let mut seen: BTreeMap<(usize, Vec<Value>), (usize, &Group)> = BTreeMap::new();
    for (index, (part, rows)) in whole.parts.iter().zip(rows).enumerate() {
        for row in rows.iter().filter(|row| row.sure) {
            let place = place(part, row);
            if place.contains(&Value::Unknown) {
                continue;
            }
            let Some((first, other)) = seen.insert((row.origin, place.clone()), (index, row))
            else {
                continue;
            };
            let at = whole
                .fields
                .iter()
                .zip(&place)
                .filter_map(|(field, value)| match value {
                    Value::Known(value) => Some(format!("{field} = {value}")),
                    _ => None,
                });
            let at: Vec<String> = at.collect();
            let at = match at.as_slice() {
                [] => format!("the {}", whole.kind),
                at => at.join(", "),
            };
            if first != index {
                let written = (whole.parts[first].written, part.written);
                return Some(by_two_parts(whole, written, &at));
            }
            let differing = row.values.iter().filter_map(|(name, value)| {
                let (Value::Known(one), Value::Known(two)) = (other.value(name), value) else {
                    return None;
                };
                (one != *two).then(|| (name, format!("{name} = {one} and {name} = {two}")))
            });
            let differing: Vec<(&Arc<str>, String)> = differing.collect();
            let Some((name, example)) = differing.first() else {
                continue;
            };
            let lack = Mistake {
                place: None,
                code: "lint::one-place",
                at: (part_at(whole, part.written), None),
                message: format!(
                    "two rows of `{}` share one position, {at}: {example}",
                    part.from
                ),
                label: "rows overlap here",
                help: format!(
                    "name `{name}` in {}, pick one value with `where`, or average over it in a `stats` stage",
                    whole.places
                ),
            };
            return Some((lack, true));
        }
    }
    None
}

fn by_two_parts(whole: &Whole<'_>, (first, second): (usize, usize), at: &str) -> Found {
    let lack = Mistake {
        place: None,
        code: "lint::one-place",
        at: (vec!["part".to_owned(), second.to_string()], None),
        message: format!("parts {} and {} both fill {at}", first + 1, second + 1),
        label: "fills it again",
        help: match whole.fields.first() {
            Some(field) => format!(
                "distinguish them with `set`, such as `set = {{ {field} = \"...\" }}`, let `where` keep other rows, or remove one of the two"
            ),
            None => format!("name a field in {}, or remove one of the two", whole.places),
        },
    };
    (lack, true)
}

/// The steps to a part; a whole of one part is that part itself.
fn part_at(whole: &Whole<'_>, index: usize) -> Vec<String> {
    if whole.parts.iter().all(|part| part.written == 0) {
        return Vec::new();
    }
    vec!["part".to_owned(), index.to_string()]
}

/// Columns that tell rows of a part apart and are not shown, so that two may stand in one place.
fn hidden(whole: &Whole<'_>, part: &Part<'_>, rows: &[Group]) -> Option<Found> {
    let picked = part.condition.into_iter().flat_map(Expression::columns);
    let picked: Vec<&str> = picked.map(String::as_str).collect();
    let shown: Vec<&str> = part.fields.iter().filter_map(|field| field.ok()).collect();
    let names: BTreeSet<&str> = rows
        .iter()
        .flat_map(|row| row.values.keys().map(|name| &**name))
        .collect();
    let known = |name: &str| {
        rows.iter()
            .all(|row| matches!(row.value(name), Value::Known(_)))
    };
    let by: Vec<&str> = shown.iter().copied().filter(|name| known(name)).collect();
    // A column is told by those shown where one value of it goes with theirs, as along zipped axes.
    let told = |name: &str| {
        let mut seen: BTreeMap<Vec<Value>, Value> = BTreeMap::new();
        known(name)
            && rows.iter().all(|row| {
                let place = by.iter().map(|name| row.value(name)).collect();
                let value = row.value(name);
                *seen.entry(place).or_insert_with(|| value.clone()) == value
            })
    };
    let hidden: Vec<&str> = names
        .into_iter()
        .filter(|name| !shown.contains(name) && !picked.contains(name) && !told(name))
        .filter(|name| rows.iter().any(|row| !row.picked.contains(*name)))
        .collect();
    if hidden.is_empty() {
        return None;
    }
    let lack = Mistake {
        place: None,
        code: "lint::hidden-group",
        at: (part_at(whole, part.written), None),
        message: format!(
            "`{}` groups its rows by {}, which the {} does not show",
            part.from,
            list_of(&hidden),
            whole.kind
        ),
        label: "two rows may share one position",
        help: format!(
            "name the field in {}, pick one value with `where`, or average over it in a `stats` stage",
            whole.places
        ),
    };
    Some((lack, false))
}
