//! Conditions of a template that only ask for variables, so that whether they hold is known without rendering.

use std::collections::BTreeMap;

use minijinja::value::Value;

/// A condition over variables.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Condition {
    /// The same whatever the variables are.
    Always(bool),
    /// A variable is there, and not false, 0 or empty.
    True(String),
    /// A variable has no value.
    Absent(String),
    /// A variable is compared with something written in the template.
    Compare(String, Compared, Value),
    /// The other way round.
    Not(Box<Self>),
    /// All of them.
    All(Vec<Self>),
    /// At least one of them.
    Any(Vec<Self>),
    /// It takes more than asking.
    Unknown,
}

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compared {
    /// They are the same.
    Equal,
    /// The first is less.
    Less,
    /// The first is greater.
    Greater,
    /// The first is among the second.
    In,
}

impl Condition {
    pub(super) fn not(self) -> Self {
        match self {
            Self::Not(inner) => *inner,
            other => Self::Not(Box::new(other)),
        }
    }

    /// The variables that certainly have a value where it holds, or where it does not.
    pub(super) fn there_if(&self, holds: bool) -> Vec<&str> {
        match self {
            Self::True(name) if holds => vec![name],
            Self::Absent(name) if !holds => vec![name],
            Self::Not(condition) => condition.there_if(!holds),
            Self::All(all) if holds => all.iter().flat_map(|one| one.there_if(holds)).collect(),
            Self::Any(any) if !holds => any.iter().flat_map(|one| one.there_if(holds)).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether it asks where a variable stands in an order: that says nothing of what it is.
    pub(super) fn orders(&self, name: &str) -> bool {
        match self {
            Self::Compare(of, how, _) => {
                of == name && matches!(how, Compared::Less | Compared::Greater)
            }
            Self::Not(condition) => condition.orders(name),
            Self::All(all) | Self::Any(all) => all.iter().any(|one| one.orders(name)),
            _ => false,
        }
    }

    /// Whether it holds, as far as that is known.
    pub(super) fn holds(&self, values: &BTreeMap<&str, Value>) -> Option<bool> {
        let value = |name: &String| values.get(name.as_str());
        match self {
            Self::Always(holds) => Some(*holds),
            Self::True(name) => Some(value(name)?.is_true()),
            Self::Absent(name) => Some(value(name)?.is_none()),
            Self::Compare(name, how, with) => {
                let value = value(name)?;
                Some(match how {
                    Compared::Equal => value == with,
                    Compared::Less => value < with,
                    Compared::Greater => value > with,
                    // Of a text, its parts are among it; a list has none.
                    Compared::In => match with.as_str() {
                        Some(text) => text.contains(value.as_str()?),
                        None => with.try_iter().ok()?.any(|one| one == *value),
                    },
                })
            }
            Self::Not(condition) => Some(!condition.holds(values)?),
            Self::All(all) => {
                let mut known = true;
                for condition in all {
                    match condition.holds(values) {
                        Some(false) => return Some(false),
                        Some(true) => {}
                        None => known = false,
                    }
                }
                known.then_some(true)
            }
            Self::Any(any) => {
                let mut known = true;
                for condition in any {
                    match condition.holds(values) {
                        Some(true) => return Some(true),
                        Some(false) => {}
                        None => known = false,
                    }
                }
                known.then_some(false)
            }
            Self::Unknown => None,
        }
    }
}
