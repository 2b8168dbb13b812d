//! Programs that differ and whose results would be kept as those of one.
//!
//! What a program says is kept under its version; its command is in no key. Two commands under one version and the same
//! settings, by an axis or in two stages, would be given each other's results.

use std::collections::BTreeMap;

use crate::base::key::encode;
use crate::stage::check::{Context, Declared};
use crate::stage::{Kind, Stage, StageName};
use crate::toml::Problems;

/// Refuses scorers that nothing but their commands tells apart.
pub(super) fn check(
    context: &Context<'_>,
    declared: &BTreeMap<StageName, Declared>,
    problems: &mut Problems,
) {
    let mut known: BTreeMap<String, (&StageName, &[String])> = BTreeMap::new();
    for (name, stage) in declared
        .iter()
        .filter(|(name, _)| name.kind == Kind::Scorer)
    {
        let other = stage.variants.values().find_map(|stage| {
            let Stage::Scorer(scorer) = &**stage else {
                return None;
            };
            let command = scorer.program.command.as_slice();
            let (_, key) = encode(&**stage);
            let first = known.entry(key.to_string()).or_insert((name, command));
            (first.1 != command).then_some((first.0, &scorer.program.version))
        });
        let Some((other, version)) = other else {
            continue;
        };
        let at = [name.kind.name().to_owned(), name.name.clone()];
        let message = if other == name {
            format!("the axes start different programs as `{name}`, all called `{version}`")
        } else {
            format!("`{other}` and `{name}` start different programs, both called `{version}`")
        };
        context
            .problem(
                "spec::same-version",
                message,
                &[&at[..], &["version".to_owned()]].concat(),
                "results are kept under this",
            )
            .help("give each its own `version`, which the program has to greet with")
            .tell(problems);
    }
}
