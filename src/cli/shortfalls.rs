//! Messages on stages with too few replies or scores, for which a command exits with code 4 although tables were
//! written.

use std::collections::BTreeMap;

use super::args::SpecsArgs;
use super::output::Terminal;
use crate::base::exit::{Error, Exit};
use crate::base::wording::count;
use crate::engine::Ended;
use crate::stage::{Kind, Missing, Shortfall};

/// So many are named of each stage; the record has all.
const NAMED: usize = 4;

/// How a command ends that would end as `exit`: a shortfall is worse than a difference from print.
pub(super) fn exit(ended: &Ended, exit: Exit) -> Exit {
    match exit {
        Exit::Done | Exit::NotReproduced if !ended.summary.shortfalls.is_empty() => Exit::Stage,
        exit => exit,
    }
}

/// Says what got too little and what to do about it, stage by stage.
pub(super) fn tell(ended: &Ended, spec: &SpecsArgs, terminal: &mut Terminal) {
    let mut stages: BTreeMap<(&str, Missing), Vec<&Shortfall>> = BTreeMap::new();
    for short in &ended.summary.shortfalls {
        let of_stage = stages.entry((&short.stage, short.what)).or_default();
        of_stage.push(short);
    }
    for ((stage, what), shortfalls) in stages {
        let mut lines: Vec<String> = shortfalls
            .iter()
            .take(NAMED)
            .map(|short| format!("`{}`: {short}", short.node))
            .collect();
        if shortfalls.len() > NAMED {
            let more = count(shortfalls.len() - NAMED, "such case");
            lines.push(format!("`{stage}`: {more} more, listed in `run.json`"));
        }
        let hint = hint(stage, what, &shortfalls, spec);
        for (at, line) in lines.iter().enumerate() {
            let mut error = Error::new(Exit::Stage, line);
            if at + 1 == lines.len() {
                error = error.hint(&hint);
            }
            terminal.error(&error);
        }
    }
}

/// What to do about shortfalls of one stage.
fn hint(stage: &str, what: Missing, shortfalls: &[&Shortfall], spec: &SpecsArgs) -> String {
    let Some(parameter) = what.parameter() else {
        return "run again: answers are stored, and calls that failed are made again".to_owned();
    };
    // The whole hundredth that allows the worst of them.
    let hundredths = |short: &&Shortfall| (short.missing * 100).div_ceil(short.of.max(1));
    let allowed = shortfalls.iter().map(hundredths).max().unwrap_or(100);
    let allowed = match allowed {
        100 => "1".to_owned(),
        hundredths => format!("0.{hundredths:02}"),
    };
    if stage.starts_with(&format!("{}.", Kind::Scorer)) {
        return format!(
            "`detail` says why, in the rows of `{stage}`, which an `export` stage writes; if so many are expected, write `{parameter} = {allowed}` under `[{stage}]`"
        );
    }
    let call = match spec.specs.as_slice() {
        [_] => spec.command("call", std::iter::empty()),
        _ => "tribunal call SPEC".to_owned(),
    };
    format!(
        "`{call}` shows a prompt and its reply, the page shows all; if so many are expected, write `{parameter} = {allowed}` under `[{stage}]`"
    )
}
