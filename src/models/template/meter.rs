//! Limits of rendering: steps, memory and, where all else fails, time.
//!
//! minijinja counts steps and knows nothing of how large values are. So all names that a template binds are measured
//! (`super::bounds` puts a call behind every tag that does), what is written is counted, and filters that make much of
//! little are asked first. One render is under way on a thread at a time.

use std::cell::Cell;
use std::io;
use std::time::{Duration, Instant};

use minijinja::value::{Rest, Value, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, ErrorKind, State, escape_formatter, filters};

use super::bounds::Bounds;
use super::{absent, json};
use crate::base::wording::{size, thousands};

/// The function that measures.
pub(super) const MEASURED: &str = "__measured";

/// The most steps.
pub(super) const STEPS: u64 = 5_000_000;

/// What all values of one expression may hold together, in bytes.
const MEMORY: usize = 256 << 20;

/// The largest value, in bytes, where what is given is smaller.
const LARGEST: usize = 32 << 20;

/// The most items of a list, and the deepest lists in lists.
const ITEMS: usize = 2_000_000;
const DEPTH: usize = 64;

/// What an item of a list takes beside its text, in bytes.
const ITEM: usize = 32;

/// The most items that are looked at in one rendering, to measure them.
const LOOKED: usize = 100_000_000;

/// The longest that a prompt may take: only for what the other limits let through.
const TIME: Duration = Duration::from_mins(1);

/// What a rendering has taken so far, and may take.
#[derive(Clone, Copy)]
struct Meter {
    /// The largest value, and the longest prompt.
    largest: usize,
    written: usize,
    looked: usize,
    /// What `map` has made of items so far, while it does: all of it is one value.
    mapped: Option<usize>,
    began: Instant,
}

thread_local! {
    static METER: Cell<Option<Meter>> = const { Cell::new(None) };
}

/// Sets an environment's limits.
pub(super) fn install(environment: &mut Environment<'static>, bounds: Bounds) {
    environment.set_fuel(Some(steps(bounds)));
    environment.set_formatter(|out, state, value| {
        absent::refuse([value])?;
        written(value)?;
        escape_formatter(out, state, value)
    });
    environment.add_function(MEASURED, |values: Rest<Value>| -> Result<(), Error> {
        values.iter().try_for_each(measure)
    });
    let mut guard = |name: &'static str, filter: Value, ask: fn(&[Value]) -> Result<(), Error>| {
        environment.add_filter(
            name,
            move |state: &mut State, values: Rest<ValueOrKwargs>| -> Result<Value, Error> {
                let values = values.into_values();
                absent::refuse(&values)?;
                ask(&values)?;
                filter.call(state, &values)
            },
        );
    };
    macro_rules! guard_all {
        ($ask:expr; $($name:ident)*) => {
            $(guard(stringify!($name), Value::from_function(filters::$name), $ask);)*
        };
    }
    guard_all!(|_| Ok(()); abs attr bool first float int items last length);
    guard_all!(|_| Ok(()); reject rejectattr reverse round safe select selectattr);
    guard_all!(as_text; capitalize escape lines lower pprint string title trim upper);
    guard_all!(absent::refuse_within; dictsort groupby max min sort sum unique);
    guard("e", Value::from_function(filters::escape), as_text);
    guard("count", Value::from_function(filters::length), |_| Ok(()));
    guard("replace", Value::from_function(filters::replace), replace);
    guard("join", Value::from_function(filters::join), join);
    guard("indent", Value::from_function(filters::indent), indent);
    guard("format", Value::from_function(filters::format), format);
    guard("batch", Value::from_function(filters::batch), few);
    guard("slice", Value::from_function(filters::slice), few);
    let tojson = |state: &mut State, values: Rest<ValueOrKwargs>| {
        let mut values = values.into_values();
        if let Some(value) = values.first_mut() {
            *value = json::plain(value);
        }
        Value::from_function(filters::tojson).call(state, &values)
    };
    guard("tojson", Value::from_function(tojson), indented);
    guard("list", Value::from_function(filters::list), letters);
    guard("split", Value::from_function(filters::split), letters);
    environment.add_filter(
        "map",
        |state: &mut State, values: Rest<ValueOrKwargs>| -> Result<Value, Error> {
            let values = values.into_values();
            absent::refuse(&values)?;
            values.first().map_or(Ok(()), measure)?;
            mapping(|| Value::from_function(filters::map).call(state, &values))
        },
    );
    environment.add_filter(
        "chain",
        |state: &mut State, values: Rest<ValueOrKwargs>| -> Result<Value, Error> {
            // As a list: one that is put together when it is looked at can hide any length.
            let chained =
                Value::from_function(filters::chain).call(state, &values.into_values())?;
            measure(&chained)?;
            match chained.kind() {
                ValueKind::Map => Ok(chained),
                _ => Ok(chained.try_iter()?.collect()),
            }
        },
    );
}

/// How many steps a template may take: fewer, where each may write much.
fn steps(bounds: Bounds) -> u64 {
    let pieces = 4 * MEMORY / bounds.repeated.max(1);
    STEPS.min(pieces as u64)
}

/// Renders with the limits; `given` is what the row holds, in bytes.
pub(super) fn metered<T>(given: usize, bounds: Bounds, render: impl FnOnce(usize) -> T) -> T {
    let largest = (MEMORY / (bounds.operators + 1))
        .min(LARGEST)
        .max(given.saturating_mul(2));
    METER.set(Some(Meter {
        largest,
        written: 0,
        looked: 0,
        mapped: None,
        began: Instant::now(),
    }));
    let rendered = render(largest);
    METER.set(None);
    rendered
}

/// Why a rendering took more than it may, if that is what ended it.
pub(super) fn excess(error: &Error, bounds: Bounds) -> Option<String> {
    let said = std::error::Error::source(error)
        .and_then(|source| source.downcast_ref::<Excess>())
        .map(ToString::to_string);
    said.or_else(|| match error.kind() {
        ErrorKind::OutOfFuel => Some(format!(
            "it takes more than {} steps to render",
            thousands(steps(bounds))
        )),
        ErrorKind::WriteFailure => Some("the prompt grows without end".to_owned()),
        _ => None,
    })
}

/// What was too much.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Excess(String);

impl From<Excess> for Error {
    fn from(excess: Excess) -> Self {
        Self::new(ErrorKind::InvalidOperation, excess.0.clone()).with_source(excess)
    }
}

fn too_large(largest: usize) -> Error {
    Excess(format!("a value grows beyond {}", size(largest as u64))).into()
}

/// Sees that a value is not too large, and that rendering has not taken too long.
fn measure(value: &Value) -> Result<(), Error> {
    let Some(mut meter) = METER.get() else {
        return Ok(());
    };
    if meter.began.elapsed() > TIME {
        let seconds = TIME.as_secs();
        return Err(Excess(format!("it takes more than {seconds} seconds to render")).into());
    }
    let before = meter.looked;
    let mut held = 0;
    weigh(value, 0, &mut held, &mut meter)?;
    if meter.looked - before > ITEMS {
        return Err(too_many());
    }
    METER.set(Some(meter));
    Ok(())
}

fn too_many() -> Error {
    let items = thousands(ITEMS as u64);
    Excess(format!("a list grows beyond {items} items")).into()
}

fn weigh(value: &Value, depth: usize, held: &mut usize, meter: &mut Meter) -> Result<(), Error> {
    meter.looked += 1;
    if let Some(text) = value.as_str() {
        *held = held.saturating_add(text.len());
    } else if matches!(
        value.kind(),
        ValueKind::Seq | ValueKind::Iterable | ValueKind::Map
    ) {
        if depth >= DEPTH {
            return Err(Excess(format!("lists lie in lists more than {DEPTH} times")).into());
        }
        let before = meter.looked;
        for item in value.try_iter()? {
            *held = held.saturating_add(ITEM);
            if value.kind() == ValueKind::Map {
                weigh(&value.get_item(&item)?, depth + 1, held, meter)?;
            }
            weigh(&item, depth + 1, held, meter)?;
            if meter.looked - before > ITEMS || meter.looked > LOOKED {
                return Err(too_many());
            }
        }
    }
    if *held > meter.largest {
        return Err(too_large(meter.largest));
    }
    Ok(())
}

/// Counts what is written, in captured blocks too.
fn written(value: &Value) -> Result<(), Error> {
    let Some(text) = value.as_str() else {
        return measure(value);
    };
    if let Some(mut meter) = METER.get() {
        meter.written = meter.written.saturating_add(text.len());
        if meter.written > meter.largest.saturating_mul(4).max(MEMORY) {
            return Err(too_large(meter.largest));
        }
        METER.set(Some(meter));
    }
    Ok(())
}

/// Sees that what a filter is about to make is not too large; while `map` calls it, together with what it made before.
fn fits(length: usize) -> Result<(), Error> {
    let Some(mut meter) = METER.get() else {
        return Ok(());
    };
    let made = length.saturating_add(meter.mapped.unwrap_or(0));
    if made > meter.largest {
        return Err(too_large(meter.largest));
    }
    if meter.mapped.is_some() {
        meter.mapped = Some(made);
        METER.set(Some(meter));
    }
    Ok(())
}

/// Goes through a list with a filter.
fn mapping<T>(call: impl FnOnce() -> T) -> T {
    let set = |mapped: Option<usize>| {
        if let Some(mut meter) = METER.get() {
            meter.mapped = mapped;
            METER.set(Some(meter));
        }
    };
    let outermost = METER.get().is_some_and(|meter| meter.mapped.is_none());
    if outermost {
        set(Some(0));
    }
    let made = call();
    if outermost {
        set(None);
    }
    made
}

/// The same of what is only much where it is made of every item of a list.
fn fits_each(length: usize) -> Result<(), Error> {
    match METER.get().and_then(|meter| meter.mapped) {
        Some(_) => fits(length),
        None => Ok(()),
    }
}

/// A list as a text has all that its elements share.
fn as_text(values: &[Value]) -> Result<(), Error> {
    let lists = values.iter().filter(|value| value.as_str().is_none());
    lists.into_iter().try_for_each(measure)
}

fn text(values: &[Value], at: usize) -> &str {
    values.get(at).and_then(Value::as_str).unwrap_or_default()
}

/// The whole numbers among a filter's arguments, also those given by name.
fn numbers(values: &[Value]) -> usize {
    let number = |value: &Value| match value.kind() {
        ValueKind::Number => usize::try_from(value.clone()).unwrap_or(usize::MAX),
        _ => 0,
    };
    let arguments = values.iter().skip(1);
    let all = arguments.map(|value| match value.kind() {
        ValueKind::Map => {
            let keys = value.try_iter().into_iter().flatten();
            let named = keys.filter_map(|key| value.get_item(&key).ok());
            named.map(|value| number(&value)).max().unwrap_or(0)
        }
        _ => number(value),
    });
    all.max().unwrap_or(0)
}

fn replace(values: &[Value]) -> Result<(), Error> {
    as_text(values)?;
    let (within, from, to) = (text(values, 0), text(values, 1), text(values, 2));
    if to.len() <= from.len() {
        return Ok(());
    }
    let times = match from {
        "" => within.len() + 1,
        from => within.matches(from).count(),
    };
    fits(within.len().saturating_add(times.saturating_mul(to.len())))
}

fn join(values: &[Value]) -> Result<(), Error> {
    let Some(list) = values.first() else {
        return Ok(());
    };
    measure(list)?;
    let items = match list.as_str() {
        Some(text) => text.len(),
        None => {
            let mut items = list.try_iter().into_iter().flatten();
            // What is not there would be joined as nothing, and nobody would see that it is missing.
            if items.any(|item| item.is_undefined() || item.is_none()) {
                return Err(Error::new(
                    ErrorKind::UndefinedError,
                    "`join` is given a list with an element that is not there, or lacks the field that `map` takes",
                ));
            }
            list.try_iter().map_or(0, Iterator::count)
        }
    };
    fits(items.saturating_mul(text(values, 1).len()))
}

fn indent(values: &[Value]) -> Result<(), Error> {
    as_text(values)?;
    let text = text(values, 0);
    let lines = text.matches('\n').count() + 1;
    fits(
        lines
            .saturating_mul(numbers(values))
            .saturating_add(text.len()),
    )
}

/// Widths stand in the text itself, or where it has a `*`, in the arguments.
fn format(values: &[Value]) -> Result<(), Error> {
    let text = text(values, 0);
    let widths = text.split(|c: char| !c.is_ascii_digit());
    let widest = widths
        .filter(|digits| !digits.is_empty())
        .map(|digits| digits.parse().unwrap_or(usize::MAX));
    let given = if text.contains('*') {
        numbers(values)
    } else {
        0
    };
    let widest = widest.max().unwrap_or(0).max(given);
    fits(widest.saturating_mul(text.matches('%').count()))?;
    values.iter().try_for_each(measure)
}

/// As many items as a number says.
fn few(values: &[Value]) -> Result<(), Error> {
    values.iter().try_for_each(measure)?;
    let items = numbers(values);
    if items > ITEMS {
        return Err(too_many());
    }
    fits_each(items.saturating_mul(ITEM))
}

/// A line for every item, each as far in as a number says.
fn indented(values: &[Value]) -> Result<(), Error> {
    let looked = || METER.get().map_or(0, |meter| meter.looked);
    let before = looked();
    few(values)?;
    fits((looked() - before).saturating_mul(numbers(values)))
}

/// An item for every letter, at most.
fn letters(values: &[Value]) -> Result<(), Error> {
    values.iter().try_for_each(measure)?;
    let within = text(values, 0);
    let items = match values.get(1).and_then(Value::as_str) {
        Some("") => within.len(),
        Some(between) => within.matches(between).count(),
        None => 0,
    };
    let items = if values.len() == 1 && within.len() > 8 * ITEMS {
        within.len()
    } else {
        items
    };
    if items > ITEMS {
        return Err(too_many());
    }
    fits_each(within.len().saturating_mul(ITEM))
}

/// A text that grows up to a limit.
pub(super) struct Limited {
    bytes: Vec<u8>,
    most: usize,
}

impl Limited {
    /// Of at most so many bytes; about as long as what it is `given` is all that is written, as a rule.
    pub(super) fn new(most: usize, given: usize) -> Self {
        let room = given.min(most) + 1024;
        Self {
            bytes: Vec::with_capacity(room),
            most,
        }
    }

    /// The text; templates write nothing else.
    pub(super) fn text(self) -> String {
        String::from_utf8(self.bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }
}

impl io::Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > self.most {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "too long"));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
