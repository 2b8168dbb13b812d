//! Settings of manipulations that nothing applies.

use crate::language::manipulate::Manipulation;
use crate::stage::check::Context;
use crate::toml::{Problem, Problems};

/// The table that holds the settings of a manipulation.
pub(crate) fn settings_of(manipulation: Manipulation) -> &'static str {
    if manipulation.is_needle() {
        "needle"
    } else {
        manipulation.name()
    }
}

/// Warns of settings of manipulations that no variant of a stage applies.
pub(crate) fn idle(
    context: &Context<'_>,
    at: &[String],
    applied: &[Manipulation],
    problems: &mut Problems,
) {
    let mut tables: Vec<&str> = Manipulation::ALL.into_iter().map(settings_of).collect();
    tables.dedup();
    for table in tables {
        let used = applied.iter().any(|&one| settings_of(one) == table);
        if used || !context.is_written(at, table) {
            continue;
        }
        let path = [at, &[table.to_owned()]].concat();
        problems.push(
            Problem::warning(
                "lint::idle-settings",
                format!("`{}` never applies `{table}`", at.join(".")),
            )
            .label_at(context.layers.place_of_key(&path), "without effect")
            .help("apply it, or remove its settings"),
        );
    }
    let needed = |key: &str| {
        applied.iter().any(|&one| match key {
            "fill" => one == Manipulation::RemoveContent,
            _ => {
                one.is_needle()
                    || matches!(
                        one,
                        Manipulation::InsertContent | Manipulation::ExchangeContent
                    )
            }
        })
    };
    for key in ["donors", "fill"] {
        if context.is_written(at, key) && !needed(key) {
            let path = [at, &[key.to_owned()]].concat();
            problems.push(
                Problem::warning(
                    "lint::idle-settings",
                    format!("nothing that `{}` applies takes from `{key}`", at.join(".")),
                )
                .label_at(context.layers.place_of_key(&path), "without effect")
                .help("apply what needs it, or remove it"),
            );
        }
    }
}
