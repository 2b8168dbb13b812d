//! Pooled groups: beside one group for each value of a column, one of the rows of several values, or of all.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};

use super::check::{Context, columns};
use crate::base::failure::Failure;
use crate::base::wording::{list_of, nearest};
use crate::frame::{ColumnData, Frame, Scalar};
use crate::stage::StageName;
use crate::toml::{Plain, Problem, Problems};

/// A further group: of rows with any of some values in a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pool {
    /// The column, one of those that form groups.
    pub column: String,
    /// What the group is called, where others have the column's value.
    pub name: String,
    /// The values whose rows are in it; all, if none are named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub of: Vec<String>,
}

/// Pools as they are written: column = the name of the group of all values, or names, each with its values.
pub(crate) type RawPools = IndexMap<String, RawPool>;

/// The pooled groups of one column.
#[derive(Clone, Debug)]
pub(crate) enum RawPool {
    /// One of all values.
    All(String),
    /// Each of some values.
    Some(IndexMap<String, Vec<Plain>>),
}

impl<'de> Deserialize<'de> for RawPool {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = RawPool;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(
                    "a name for all values together, or names with values: `{ inner = [\"branch\", \"leaf\"] }`",
                )
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<RawPool, E> {
                Ok(RawPool::All(name.to_owned()))
            }

            fn visit_map<M: serde::de::MapAccess<'de>>(
                self,
                mut map: M,
            ) -> Result<RawPool, M::Error> {
                let mut values = IndexMap::new();
                while let Some((name, of)) = map.next_entry::<String, Vec<Plain>>()? {
                    values.insert(name, of);
                }
                Ok(RawPool::Some(values))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl JsonSchema for RawPool {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Pool".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let values = generator.subschema_for::<IndexMap<String, Vec<Plain>>>();
        json_schema!({ "anyOf": [{ "type": "string" }, values] })
    }
}

/// The most columns that are pooled: there is a group for each choice of them.
const MOST: usize = 4;

/// Why a column forms no groups, where more is known of it.
pub(crate) type Lost<'l> = &'l dyn Fn(&str) -> Option<String>;

/// The pools of a stage; `by` are the columns that form its groups, and `lost` says why an axis is none of them.
pub(crate) fn read(
    context: &Context<'_>,
    at: &[String],
    raw: Option<&RawPools>,
    (by, lost): (&[String], Lost<'_>),
    problems: &mut Problems,
) -> Vec<Pool> {
    let mut pools = Vec::new();
    for (place, (column, names)) in raw.into_iter().flatten().enumerate() {
        let path = [at, std::slice::from_ref(column)].concat();
        let key = || context.layers.place_of_key(&path);
        if place == MOST {
            Problem::error(
                "spec::bad-value",
                format!("more than {MOST} columns are pooled"),
            )
            .label_at(key(), "one more than that")
            .help("there is a group for each choice of them; pool the others in a stage of its own")
            .tell(problems);
        }
        if !by.contains(column) {
            let help = match (lost(column), nearest(column, by)) {
                (Some(why), _) => why,
                (None, Some(near)) => format!("did you mean `{near}`?"),
                (None, None) if by.is_empty() => "name it in `by`".to_owned(),
                (None, None) => {
                    format!("the groups are formed by {}; name it in `by`", list_of(by))
                }
            };
            Problem::error(
                "spec::unknown-column",
                format!("groups are not formed by `{column}`, so none can be pooled"),
            )
            .label_at(key(), "forms no group here")
            .help(help)
            .tell(problems);
            continue;
        }
        let names: Vec<(&String, &[Plain])> = match names {
            RawPool::All(name) => vec![(name, &[])],
            RawPool::Some(names) => names
                .iter()
                .map(|(name, of)| (name, of.as_slice()))
                .collect(),
        };
        if names.is_empty() {
            context
                .problem(
                    "spec::bad-value",
                    format!("no group of `{column}` is named"),
                    &path,
                    "an empty table",
                )
                .help(format!("name one: `pool.{column} = \"all\"`"))
                .tell(problems);
        }
        let is_all = matches!(raw.and_then(|raw| raw.get(column)), Some(RawPool::All(_)));
        for (name, of) in names {
            let path = if is_all {
                path.clone()
            } else {
                [&path[..], std::slice::from_ref(name)].concat()
            };
            let mut bad = |message: String, label: &str, help: &str| {
                context
                    .problem("spec::bad-value", message, &path, label)
                    .help(help)
                    .tell(problems);
            };
            if name.trim().is_empty() {
                bad(
                    "a pooled group needs a name".to_owned(),
                    "an empty name",
                    "write a word, such as `all`",
                );
            }
            if !is_all && of.is_empty() {
                bad(
                    format!("`{name}` is made of no value of `{column}`"),
                    "an empty list",
                    "name the values that are put together",
                );
            }
            let of: Vec<String> = of.iter().map(ToString::to_string).collect();
            if of.contains(name) {
                bad(
                    format!("`{name}` is a value of `{column}` itself"),
                    "a group is called so already",
                    "give the pooled group another name",
                );
            }
            columns::each_once(context, &path, &of, "value", problems);
            pools.push(Pool {
                column: column.clone(),
                name: name.clone(),
                of,
            });
        }
    }
    pools
}

/// Warns where the values of a column are put together and what is read has pooled groups among them: their rows would count
/// once more.
pub(crate) fn counted_twice(
    context: &Context<'_>,
    at: &[String],
    (from, column): (&StageName, &str),
    problems: &mut Problems,
) {
    let pools = [from.kind.name(), &from.name, "pool", column].map(str::to_owned);
    if context.layers.tree().get(&pools).is_none() {
        return;
    }
    Problem::warning(
        "lint::pooled",
        format!("`{from}` has pooled groups of `{column}`, whose rows are of its other groups too"),
    )
    .label_at(
        context.layers.place_of_key(at),
        "takes them together once more",
    )
    .label_at(context.layers.place_of_key(&pools), "pooled here")
    .help(format!(
        "leave the pooled groups out: `where = \"{column} != '...'\"`"
    ))
    .tell(problems);
}

/// Every choice of pools, at most one of each column: what groups there are beside those of single values.
pub(crate) fn choices(pools: &[Pool]) -> Vec<Vec<&Pool>> {
    let mut choices: Vec<Vec<&Pool>> = vec![Vec::new()];
    for pool in pools {
        let free = choices
            .iter()
            .filter(|choice| choice.iter().all(|one| one.column != pool.column));
        let more: Vec<Vec<&Pool>> = free.map(|choice| [&choice[..], &[pool]].concat()).collect();
        choices.extend(more);
    }
    choices.remove(0);
    choices
}

/// Those of some rows that are of pooled groups.
pub(crate) fn rows(input: &Frame, choice: &[&Pool], rows: &[usize]) -> Result<Vec<usize>, Failure> {
    let mut kept = rows.to_vec();
    for pool in choice.iter().filter(|pool| !pool.of.is_empty()) {
        let column = input.column(&pool.column)?;
        kept.retain(|&row| {
            column
                .text(row)
                .is_some_and(|text| pool.of.iter().any(|of| **of == *text))
        });
    }
    Ok(kept)
}

/// A table in which all rows have the names of pooled groups in the columns of these.
pub(crate) fn renamed(input: &Frame, choice: &[&Pool]) -> Result<Frame, Failure> {
    let mut frame = input.clone();
    for pool in choice {
        let name = Scalar::from(pool.name.as_str());
        frame = frame.with_column(&pool.column, ColumnData::repeat(&name, input.rows()))?;
    }
    Ok(frame)
}

/// Refuses names that are values as well; says which values are named that no row has.
pub(crate) fn look(input: &Frame, pools: &[Pool], rows: &[usize]) -> Result<Vec<String>, Failure> {
    let mut warnings = Vec::new();
    for pool in pools {
        let column = input.column(&pool.column)?;
        let found: BTreeSet<String> = rows
            .iter()
            .filter_map(|&row| column.text(row))
            .map(std::borrow::Cow::into_owned)
            .collect();
        if found.contains(&pool.name) {
            return Err(Failure::new(format!(
                "rows have `{}` in `{}`, and a pooled group is called so",
                pool.name, pool.column
            ))
            .hint("give the pooled group another name")
            .at(format!("pool.{}", pool.column)));
        }
        let lacking: Vec<&String> = pool.of.iter().filter(|of| !found.contains(*of)).collect();
        if !lacking.is_empty() && !found.is_empty() {
            warnings.push(format!(
                "`{}` pools {} of `{}`, which no row has; there are {}",
                pool.name,
                list_of(&lacking),
                pool.column,
                list_of(&found.into_iter().collect::<Vec<_>>())
            ));
        }
    }
    Ok(warnings)
}
