//! What a spec's stages read against what is there: the last check before anything runs.

use std::collections::BTreeSet;

use super::load::Loaded;
use crate::engine::{Interrupt, heads, is_elsewhere, is_there};
use crate::plan::{Plan, problem};
use crate::spec::{Problem, Problems, Style};
use crate::stage::{Kind, StageName};

/// Everything that a plan of this spec reads and that is not there: files, and columns that no stage gives. With
/// `elsewhere`, named folders may be on another machine. An interruption ends the search for files, and with it the check.
pub(super) fn problems(
    loaded: &Loaded,
    plan: &Plan,
    elsewhere: bool,
    stop: &Interrupt,
) -> Problems {
    let folders = &loaded.spec.folders;
    let (heads, files) = heads(plan, &loaded.absent, folders, elsewhere, stop);
    let mut problems = Problems::new();
    for (stage, lack) in files {
        problems.push(problem(&loaded.layers, &stage, lack));
    }
    problems.extend(plan.check(&loaded.layers, &heads));
    for found in published(loaded, plan, elsewhere) {
        problems.push(found);
    }
    problems
}

/// Published values and notes on them that are not there.
fn published(loaded: &Loaded, plan: &Plan, elsewhere: bool) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (name, look) in &loaded.spec.base.looks {
        let stage = StageName::new(Kind::Table, name);
        if !plan.nodes.iter().any(|node| node.name == stage) {
            continue;
        }
        for (step, file) in [("expect", &look.expect), ("notes", &look.notes)] {
            let Some(file) = file else { continue };
            if elsewhere && is_elsewhere(file, &loaded.spec.folders) {
                continue;
            }
            let steps = vec![step.to_owned()];
            if let Err(lack) = is_there(file, steps, &loaded.absent, &loaded.spec.folders) {
                problems.push(problem(&loaded.layers, &stage, *lack));
            }
        }
    }
    problems
}

/// What is to be drawn of the mistakes of several specs, each once; nothing if there are none.
pub(super) fn drawn(loaded: &[Loaded], plans: &[Plan], style: Style, stop: &Interrupt) -> String {
    let mut told = BTreeSet::new();
    let mut text = String::new();
    for (loaded, plan) in loaded.iter().zip(plans) {
        let drawn = problems(loaded, plan, false, stop).render(loaded.layers.sources(), style);
        if told.insert(drawn.clone()) {
            text.push_str(&drawn);
        }
    }
    text
}
