//! What is wrong with a condition, and how to repair it.

use minijinja::value::Value;

use super::kinds::Kind;
use crate::base::wording::shorten;

/// Why a condition has no value for a row.
#[derive(Debug)]
pub(super) enum Wrong {
    /// Values of different kinds meet: that is wrong whatever the rest of the condition says.
    Mixed {
        /// What meets what.
        message: String,
        /// How to repair it.
        hint: String,
    },
    /// It cannot be computed.
    Failed(String),
}

impl From<minijinja::Error> for Wrong {
    fn from(error: minijinja::Error) -> Self {
        Self::Failed(
            error
                .detail()
                .unwrap_or("it cannot be evaluated")
                .to_owned(),
        )
    }
}

/// One side of a comparison.
pub(super) struct Side {
    /// As it stands in the condition.
    pub(super) shown: String,
    /// Whether it is written there as a value.
    pub(super) constant: bool,
    /// The value to show, of a row.
    pub(super) example: Option<String>,
    pub(super) value: Value,
}

impl Side {
    /// What it is: "a number (`1900`)", "text (`c. 1890`)".
    fn kind(&self) -> String {
        let example = if self.constant {
            Some(written(&self.value))
        } else {
            self.example.clone()
        };
        kind(&self.value, example)
    }
}

/// Two values of different kinds are compared.
pub(super) fn mixed(left: &Side, right: &Side) -> Wrong {
    let (one, other) = if left.constant && !right.constant {
        (right, left)
    } else {
        (left, right)
    };
    let first = if one.constant {
        one.kind()
    } else {
        format!("`{}` is {}", one.shown, one.kind())
    };
    let second = if other.constant {
        other.kind()
    } else {
        format!("`{}`, which is {}", other.shown, other.kind())
    };
    let joint = if one.constant { "" } else { ", and" };
    let message = format!("{first}{joint} is compared with {second}");
    let hint = match (Kind::of(&one.value), Kind::of(&other.value)) {
        (Kind::Text, Kind::Number) if other.constant => format!(
            "write `'{}'` to compare texts, or `{}` to read them as numbers",
            other.value,
            with_filter(&one.shown, "float")
        ),
        (Kind::Number, Kind::Text) if other.constant => {
            match other.value.as_str().map(str::parse::<f64>) {
                Some(Ok(_)) => format!("write `{}` without quotes", other.value),
                _ => "compare it with a number".to_owned(),
            }
        }
        (Kind::Text, Kind::Number) => format!(
            "write `{}` to read its texts as numbers",
            with_filter(&one.shown, "float")
        ),
        (Kind::Number, Kind::Text) => format!(
            "write `{}` to read its texts as numbers",
            with_filter(&other.shown, "float")
        ),
        (_, Kind::Truth) | (Kind::Truth, _) => {
            "compare it with `true` or `false`, or use a test".to_owned()
        }
        (_, Kind::List) => "write `in` to look for it in a list".to_owned(),
        _ => "compare values of one kind".to_owned(),
    };
    Wrong::Mixed { message, hint }
}

/// Something is looked for where nothing can be.
pub(super) fn nothing_in(shown: &str, example: Option<String>, value: &Value) -> Wrong {
    Wrong::Mixed {
        message: format!(
            "`{shown}` is {}, and `in` looks into a text or a list",
            kind(value, example)
        ),
        hint: format!(
            "write `==`, or `{}` to look into its text",
            with_filter(shown, "string")
        ),
    }
}

/// Values of different kinds stand in a list of which a filter compares the elements.
pub(super) fn mixed_list(filter: &str, one: &Value, other: &Value) -> Wrong {
    Wrong::Mixed {
        message: format!(
            "`{filter}` compares {} with {}",
            kind(one, Some(written(one))),
            kind(other, Some(written(other)))
        ),
        hint: "put values of one kind into the list".to_owned(),
    }
}

/// What is neither true nor false stands for a condition.
pub(super) fn no_condition(shown: &str, example: Option<String>, value: &Value) -> Wrong {
    Wrong::Mixed {
        message: format!(
            "`{shown}` is {}, where true or false is needed",
            kind(value, example)
        ),
        hint: match Kind::of(value) {
            Kind::Text => format!("write a condition, such as `{shown} != ''`"),
            Kind::Number => format!("write a condition, such as `{shown} != 0`"),
            _ => format!(
                "write a condition, such as `{}`",
                with_filter(shown, "length > 0")
            ),
        },
    }
}

/// What is no number is calculated with.
pub(super) fn no_number(shown: &str, example: Option<String>, value: &Value, sign: &str) -> Wrong {
    Wrong::Mixed {
        message: format!(
            "`{shown}` is {}, and `{sign}` needs numbers",
            kind(value, example)
        ),
        hint: match Kind::of(value) {
            Kind::Text => format!(
                "write `{}` to read it as a number, or join texts with `~`",
                with_filter(shown, "float")
            ),
            _ => "calculate with numbers".to_owned(),
        },
    }
}

/// What is no number stands in a list of which a filter makes one.
pub(super) fn no_number_in(filter: &str, value: &Value) -> Wrong {
    Wrong::Mixed {
        message: format!(
            "`{filter}` needs numbers, and the list holds {}",
            kind(value, Some(written(value)))
        ),
        hint: match Kind::of(value) {
            Kind::Text => format!(
                "write `|map('float')|{filter}` to read texts as numbers, or `|join` to join them"
            ),
            _ => "put numbers into the list".to_owned(),
        },
    }
}

/// A filter looks into what is no list.
pub(super) fn no_list(filter: &str, value: &Value) -> Wrong {
    Wrong::Mixed {
        message: format!(
            "`{filter}` needs two lists, and one is {}",
            kind(value, Some(written(value)))
        ),
        hint: "write `in` to look for one value in a list".to_owned(),
    }
}

/// A filter that reads a text, given something else.
pub(super) fn no_text(filter: &str, value: &Value) -> Wrong {
    Wrong::Mixed {
        message: format!(
            "`{filter}` needs text, and is given {}",
            kind(value, Some(written(value)))
        ),
        hint: "leave it out: what is no text is no JSON to be read".to_owned(),
    }
}

/// A test that says no of every value of this kind.
pub(super) fn unfit_test(
    shown: &str,
    example: Option<String>,
    value: &Value,
    test: &str,
    needed: Kind,
) -> Wrong {
    Wrong::Mixed {
        message: format!(
            "`{shown}` is {}, and `is {test}` needs {}",
            kind(value, example),
            needed.name()
        ),
        hint: match needed {
            Kind::Number => format!(
                "write `{}` to read it as a number",
                with_filter(shown, "float")
            ),
            _ => format!(
                "write `{}` to read it as text",
                with_filter(shown, "string")
            ),
        },
    }
}

fn kind(value: &Value, example: Option<String>) -> String {
    let name = Kind::of(value).name();
    match example {
        Some(example) => format!("{name} (`{}`)", shorten(&example, 30)),
        None => name.to_owned(),
    }
}

/// A value as it is written in a condition.
fn written(value: &Value) -> String {
    match value.as_str() {
        Some(text) => format!("'{text}'"),
        None => value.to_string(),
    }
}

/// An expression with a filter behind it.
fn with_filter(shown: &str, filter: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_|.".contains(c);
    if shown.chars().all(plain) {
        format!("{shown}|{filter}")
    } else {
        format!("({shown})|{filter}")
    }
}
