//! How tables look.

use std::collections::BTreeSet;

use crate::spec::{Design, Look};
use crate::stage::check::{Context, paths};
use crate::stage::{BASE, RawTable, Stage};
use crate::toml::{Place, Problem, Problems};

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

/// Tables that show ablations beside the experiment itself need some, and tell all of them apart.
pub(super) fn compared(
    context: &Context<'_>,
    base: &Design,
    ablations: &BTreeSet<String>,
    changed: &[(Vec<String>, Place)],
    problems: &mut Problems,
) {
    for (name, declared) in &base.stages {
        let mut variants = declared.variants.values();
        if !variants.any(|stage| matches!(&**stage, Stage::Table(table) if table.compares())) {
            continue;
        }
        // It is one table of all of them, made as the experiment itself says.
        let own = changed.iter().filter(|(path, _)| {
            matches!(path.as_slice(), [kind, table, ..] if kind == "table" && *table == name.name)
        });
        for (_, place) in own {
            let message =
                format!("`{name}` shows all ablations in one table, which none of them can change");
            Problem::error("spec::bad-ablation", message)
                .label_at(Some(place.clone()), "changes nothing there")
                .help("change what the table reads, or write a second table without `ablation` among its rows and columns")
                .tell(problems);
        }
        let table = ["table".to_owned(), name.name.clone()];
        let field = ["rows", "columns"]
            .into_iter()
            .map(|key| {
                let path = [&table[..], &[key.to_owned()]].concat();
                context.element(&path, "ablation")
            })
            .find(|path| {
                let tree = context.layers.tree().get(path);
                tree.and_then(|tree| tree.as_str()) == Some("ablation")
            });
        let field = field.unwrap_or_else(|| table.to_vec());
        if ablations.is_empty() {
            context
                .problem(
                    "spec::unknown-field",
                    format!("`{name}` shows ablations, and the spec has none"),
                    &field,
                    "no field of its rows, and no ablations",
                )
                .help("add one: `[[ablation]]` with `name` and `set`; or leave the field out")
                .tell(problems);
        }
        if ablations.contains(BASE) {
            context
                .problem(
                    "spec::bad-name",
                    format!(
                        "an ablation is called `{BASE}`, as `{name}` calls the experiment itself"
                    ),
                    &field,
                    "shows both under one name",
                )
                .help("give the ablation another name")
                .tell(problems);
        }
    }
}
