//! Filters over lists, as data wants them: sums are exact, upper and lower case are two things, and of a list that lacks
//! an element nothing is made that would depend on it.

use std::collections::BTreeSet;

use minijinja::value::Value;

use super::chance;
use super::kinds::{self, Kind, is_there};
use super::mistake::{self, Wrong};
use crate::base::json::{self, Json};
use crate::frame::Scalar;
use crate::models::template::value;
use crate::stats::exact_sum;

/// What a filter makes of a list.
pub(super) enum Made {
    /// A value.
    Value(Value),
    /// None, since the list lacks an element.
    Lacking,
    /// None, for another reason.
    Absent(&'static str),
}

/// The filters that there are in expressions alone.
pub(super) const OWN: [&str; 3] = ["fromjson", "intersects", "t_p"];

/// What a filter makes of a list; nothing, where it is none of these.
pub(super) fn filtered(
    name: &str,
    base: &Value,
    arguments: &[Value],
) -> Result<Option<Made>, Wrong> {
    match name {
        "fromjson" => return from_json(base).map(Some),
        "intersects" => return intersects(base, arguments).map(Some),
        "t_p" => {
            let p = chance::p_of_t(base, arguments)?;
            return Ok(Some(
                p.map_or_else(Made::Absent, |p| Made::Value(Value::from(p))),
            ));
        }
        _ => {}
    }
    if Kind::of(base) != Kind::List {
        return Ok(None);
    }
    let items: Vec<Value> = base.try_iter()?.collect();
    if ![
        "sum", "min", "max", "sort", "unique", "join", "first", "last",
    ]
    .contains(&name)
    {
        return Ok(None);
    }
    let looked_at = match name {
        "first" => items.get(..1).unwrap_or_default(),
        "last" => items.last().map_or(&[][..], std::slice::from_ref),
        // One absent element is like another.
        "unique" => &[],
        _ => items.as_slice(),
    };
    if !looked_at.iter().all(is_there) {
        return Ok(Some(Made::Lacking));
    }
    if items.is_empty() && ["min", "max", "first", "last"].contains(&name) {
        return Ok(Some(Made::Absent("the list is empty")));
    }
    // Where more is asked of it, it is left to the language.
    if !arguments.is_empty() {
        return Ok(None);
    }
    let value = match name {
        "sum" => return sum(&items).map(Some),
        "sort" => {
            let mut sorted = items;
            sorted.sort();
            Value::from(sorted)
        }
        "unique" => {
            let mut seen: BTreeSet<Value> = BTreeSet::new();
            let kept = items.into_iter().filter(|item| seen.insert(item.clone()));
            Value::from(kept.collect::<Vec<Value>>())
        }
        _ => return Ok(None),
    };
    Ok(Some(Made::Value(value)))
}

/// The list, object or value that a text holds as JSON.
fn from_json(base: &Value) -> Result<Made, Wrong> {
    let Some(text) = base.as_str() else {
        return Err(mistake::no_text("fromjson", base));
    };
    Ok(match json::read(text) {
        Ok(Json::List(_) | Json::Object(_)) => {
            Made::Value(value(Scalar::Json(text.trim().to_owned())))
        }
        Ok(Json::Text(text)) => Made::Value(Value::from(text)),
        Ok(Json::Bool(truth)) => Made::Value(Value::from(truth)),
        Ok(Json::Number(number)) => match number.as_i64() {
            Some(whole) => Made::Value(Value::from(whole)),
            None => Made::Value(Value::from(number.as_f64())),
        },
        Ok(Json::Long(_)) => Made::Absent(super::evaluate::TOO_LARGE),
        Ok(Json::Null) => Made::Absent("the text is `null`"),
        Err(_) => Made::Absent("the text is no JSON"),
    })
}

/// The sum of numbers, rounded once.
fn sum(items: &[Value]) -> Result<Made, Wrong> {
    if let Some(other) = items.iter().find(|item| Kind::of(item) != Kind::Number) {
        return Err(mistake::no_number_in("sum", other));
    }
    if items.iter().all(Value::is_integer) {
        let sum = items.iter().try_fold(0_i128, |sum, item| {
            sum.checked_add(i128::try_from(item.clone()).ok()?)
        });
        return Ok(sum.map_or(Made::Absent(super::evaluate::TOO_LARGE), |sum| {
            Made::Value(Value::from(sum))
        }));
    }
    let numbers = items
        .iter()
        .filter_map(|item| f64::try_from(item.clone()).ok());
    Ok(
        exact_sum(numbers).map_or(Made::Absent(super::evaluate::TOO_LARGE), |sum| {
            Made::Value(Value::from(sum))
        }),
    )
}

/// Whether two lists have an element in common.
fn intersects(base: &Value, arguments: &[Value]) -> Result<Made, Wrong> {
    let [other] = arguments else {
        return Err(Wrong::Failed(
            "`intersects` takes another list: `nodes|intersects(fallen)`".to_owned(),
        ));
    };
    for list in [base, other] {
        if Kind::of(list) != Kind::List {
            return Err(mistake::no_list("intersects", list));
        }
    }
    let (ones, others): (Vec<Value>, Vec<Value>) =
        (base.try_iter()?.collect(), other.try_iter()?.collect());
    let first = |items: &[Value]| items.iter().find(|item| is_there(item)).cloned();
    if let (Some(one), Some(other)) = (first(&ones), first(&others))
        && kinds::unlike(&one, &other).is_some()
    {
        return Err(mistake::mixed_list("intersects", &one, &other));
    }
    if ones.iter().any(|one| is_there(one) && others.contains(one)) {
        return Ok(Made::Value(Value::from(true)));
    }
    // What is absent may be what they have in common, unless there is nothing to have in common with.
    let lacks = |items: &[Value]| !items.iter().all(is_there);
    let open = !ones.is_empty() && !others.is_empty() && (lacks(&ones) || lacks(&others));
    Ok(if open {
        Made::Lacking
    } else {
        Made::Value(Value::from(false))
    })
}
