//! Values that are absent, as templates see them: one can be asked for and replaced, and nothing else.
//!
//! A template that prints one, joins it with a text or calculates with it would show the model something that no table
//! says. So each such use ends in an error that names the column.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

use minijinja::value::{Object, ObjectRepr, Value, ValueKind};
use minijinja::{Environment, Error, ErrorKind, State, filters};

thread_local! {
    /// The column whose absent value became text in the rendering that is under way.
    static WRITTEN: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A value that is absent, by the name of its column: false, and `none` to tests.
#[derive(Debug)]
struct Absent(String);

impl Object for Absent {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn is_true(self: &Arc<Self>) -> bool {
        false
    }

    /// Writes nothing and notes that it was asked to: no error can be returned to all who make text of values.
    fn render(self: &Arc<Self>, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        WRITTEN.with_borrow_mut(|written| {
            written.get_or_insert_with(|| self.0.clone());
        });
        Ok(())
    }
}

/// A column has no value, and something was done with it.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` has no value")]
pub(super) struct Used(pub(super) String);

/// The absent value of a column.
pub(super) fn value(name: &str) -> Value {
    Value::from_object(Absent(name.to_owned()))
}

pub(super) fn is_absent(value: &Value) -> bool {
    value.is_none() || value.downcast_object_ref::<Absent>().is_some()
}

/// Refuses to go on with values of which one is absent.
pub(super) fn refuse<'v>(values: impl IntoIterator<Item = &'v Value>) -> Result<(), Error> {
    for value in values {
        if let Some(Absent(name)) = value.downcast_object_ref::<Absent>() {
            let used = Used(name.clone());
            return Err(Error::new(ErrorKind::InvalidOperation, used.to_string()).with_source(used));
        }
    }
    Ok(())
}

/// Refuses to look at all items of a list of which one is absent.
pub(super) fn refuse_within(values: &[Value]) -> Result<(), Error> {
    let list = values.first().filter(|list| list.kind() == ValueKind::Seq);
    let items: Vec<Value> = list
        .into_iter()
        .flat_map(Value::try_iter)
        .flatten()
        .collect();
    refuse(&items)
}

/// Renders, and says which absent value became text.
pub(super) fn noticed<T>(render: impl FnOnce() -> T) -> (T, Option<String>) {
    WRITTEN.set(None);
    let rendered = render();
    (rendered, WRITTEN.take())
}

/// Sets the tests and the filter that may be asked of an absent value.
pub(super) fn install(environment: &mut Environment<'static>) {
    let is_there = |value: &Value| !value.is_undefined() && !is_absent(value);
    environment.add_test("none", is_absent);
    environment.add_test("defined", is_there);
    environment.add_test("undefined", move |value: &Value| !is_there(value));
    for name in ["default", "d"] {
        environment.add_filter(
            name,
            |state: &State, value: &Value, arguments: minijinja::value::Rest<Value>| {
                let value = if is_absent(value) {
                    &Value::UNDEFINED
                } else {
                    value
                };
                filters::default(state, value, arguments)
            },
        );
    }
}
