//! Settings of manipulations that nothing applies.

use crate::language::manipulate::{Manipulation, Takes};
use crate::stage::check::Context;
use crate::toml::{Problem, Problems};

/// A manipulation of every table of settings.
pub(super) fn one_of_each_table() -> Vec<Manipulation> {
    let mut all = Manipulation::ALL.to_vec();
    all.dedup_by_key(|manipulation| manipulation.table());
    all
}

/// The key that names the stage which something is taken from.
pub(crate) fn key_of(takes: Takes) -> Option<&'static str> {
    match takes {
        Takes::Nothing => None,
        Takes::Passages | Takes::Hay => Some("donors"),
        Takes::Wholes => Some("fill"),
    }
}

/// Warns of settings of manipulations that no variant of a stage applies.
pub(crate) fn idle(
    context: &Context<'_>,
    at: &[String],
    applied: &[Manipulation],
    problems: &mut Problems,
) {
    // An axis with a mistake may have been meant to apply it.
    if !context.astray.is_empty() {
        return;
    }
    for table in one_of_each_table().into_iter().map(Manipulation::table) {
        let used = applied.iter().any(|one| one.table() == table);
        if used || !context.is_written(at, &table) {
            continue;
        }
        let path = [at, std::slice::from_ref(&table)].concat();
        Problem::warning(
            "lint::idle-settings",
            format!("`{}` never applies `{table}`", at.join(".")),
        )
        .label_at(context.layers.place_of_key(&path), "without effect")
        .help("apply it, or remove its settings")
        .tell(problems);
    }
    let needed = |key: &str| {
        let takes = |one: &Manipulation| key_of(one.about().takes) == Some(key);
        applied.iter().any(takes)
    };
    for key in ["donors", "fill"] {
        if context.is_written(at, key) && !needed(key) {
            let path = [at, &[key.to_owned()]].concat();
            Problem::warning(
                "lint::idle-settings",
                format!("nothing that `{}` applies takes from `{key}`", at.join(".")),
            )
            .label_at(context.layers.place_of_key(&path), "without effect")
            .help("apply what needs it, or remove it")
            .tell(problems);
        }
    }
}
