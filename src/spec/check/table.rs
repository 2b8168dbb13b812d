//! How tables look.

use std::collections::BTreeSet;

use crate::spec::Look;
use crate::stage::RawTable;
use crate::stage::check::{Context, paths};
use crate::toml::Problems;

/// How the table looks.
pub(super) fn look(
    context: &Context<'_>,
    name: &str,
    raw: &RawTable,
    problems: &mut Problems,
) -> Look {
    let at = |key: &str| ["table".to_owned(), name.to_owned(), key.to_owned()];
    let mut stars = raw.stars.clone().unwrap_or_default();
    if stars.iter().any(|&level| !(level > 0.0 && level < 1.0)) || stars.len() > 3 {
        context
            .problem(
                "spec::out-of-range",
                "these are not levels of significance".to_owned(),
                &at("stars"),
                "up to three, between 0 and 1",
            )
            .help("write `stars = [0.05, 0.01, 0.001]`")
            .tell(problems);
    }
    stars.sort_by(|a, b| b.total_cmp(a));
    let levels: BTreeSet<String> = stars.iter().map(f64::to_string).collect();
    if levels.len() < stars.len() {
        context
            .problem(
                "spec::out-of-range",
                "one level of significance has two marks".to_owned(),
                &at("stars"),
                "names a level twice",
            )
            .help("write each level once: `stars = [0.05, 0.01, 0.001]`")
            .tell(problems);
    }
    let decimals = raw.decimals.unwrap_or(3);
    if decimals > 12 {
        context
            .problem(
                "spec::out-of-range",
                format!("{decimals} digits are too many"),
                &at("decimals"),
                "out of range",
            )
            .help("write at most 12")
            .tell(problems);
    }
    let mut file = |key: &str, value: &Option<String>| {
        value
            .as_ref()
            .and_then(|file| paths::file(context, &at(key), file, problems))
    };
    Look {
        title: raw.title.clone(),
        caption: raw.caption.clone(),
        decimals: usize::from(decimals),
        labels: raw.labels.clone(),
        order: raw
            .order
            .iter()
            .map(|(field, values)| {
                (
                    field.clone(),
                    values.iter().map(ToString::to_string).collect(),
                )
            })
            .collect(),
        show_n: raw.show_n.unwrap_or(false),
        stars,
        expect: file("expect", &raw.expect),
        notes: file("notes", &raw.notes),
    }
}
