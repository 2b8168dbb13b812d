//! `clean` stages.

use std::collections::BTreeSet;

use super::raw::RawClean;
use crate::language::clean::Step;
use crate::stage::Clean;
use crate::stage::check::RowShape;
use crate::stage::check::{Checking, Written};
use crate::toml::Problems;

impl Written for Clean {
    type Raw = RawClean;

    fn check(raw: &RawClean, checking: &Checking<'_>, problems: &mut Problems) -> Option<Self> {
        let Checking { context, at, .. } = *checking;
        let from = checking.from();
        if raw.steps.is_none() && context.is_written(at, "steps") {
            return None;
        }
        let steps = raw
            .steps
            .as_ref()
            .map_or_else(|| Step::ALL.to_vec(), |steps| steps.0.clone());
        let path = [at, &["steps".to_owned()]].concat();
        let mut bad = |message: String, label: &str, help: &str| {
            context
                .problem("spec::bad-value", message, &path, label)
                .help(help)
                .tell(problems);
        };
        if steps.is_empty() {
            bad(
                "`steps` is empty".to_owned(),
                "nothing to do",
                "name the steps to take, or leave `steps` out to take all",
            );
            return None;
        }
        let mut seen = BTreeSet::new();
        if let Some(twice) = steps.iter().find(|step| !seen.insert(step.name())) {
            bad(
                format!("the step `{}` is taken twice", twice.name()),
                "named twice",
                "steps are taken in the order in which they are named, each once",
            );
            return None;
        }
        Some(Clean { from, steps })
    }

    fn shape(&self, checking: &Checking<'_>) -> RowShape {
        checking.by_axes()
    }
}
