//! The columns that come from the right: those named, or all that are no keys, with their reasons.

use crate::stage::reason_column;
use crate::stage::stats::{only_says, says_behind};

/// A column that comes from the right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Brought {
    /// Its name in the result.
    pub(super) new: String,
    /// Its name on the right.
    pub(super) old: String,
    /// Whether it says why cells of another column that comes along are empty.
    pub(super) is_reason: bool,
}

/// The columns that come from a right side with these columns: those `named`, or all but those that are `left_out`.
pub(super) fn brought(
    named: Option<&Vec<(String, String)>>,
    left_out: impl Fn(&str) -> bool,
    right: &[&str],
) -> Vec<Brought> {
    let named: Vec<(String, String)> = match named {
        Some(columns) => columns.clone(),
        None => {
            // What is behind values comes along with them.
            let says = says_behind(|name| right.contains(&name));
            let others = right
                .iter()
                .filter(|name| !(left_out(name) || (says && only_says(name))));
            others
                .map(|name| ((*name).to_owned(), (*name).to_owned()))
                .collect()
        }
    };
    let reasons = named
        .iter()
        .map(|(new, old)| (reason_column(new), reason_column(old)));
    let reasons: Vec<(String, String)> = reasons
        .filter(|(_, old)| right.contains(&old.as_str()))
        .collect();
    let mut all: Vec<Brought> = named
        .into_iter()
        .map(|(new, old)| Brought {
            is_reason: reasons.contains(&(new.clone(), old.clone())),
            new,
            old,
        })
        .collect();
    for (new, old) in reasons {
        if !all.iter().any(|one| one.new == new) {
            all.push(Brought {
                new,
                old,
                is_reason: true,
            });
        }
    }
    if says_behind(|name| right.contains(&name)) {
        all.retain(|one| one.new != "behind");
    }
    all
}
