//! What stands on top of the page: findings, graded and worded.
//!
//! An error is something missing or wrong; a warning says that numbers rest on less than it seems; a note is good to know.
//! It counts and words, and must not leave out a finding because it is small.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::findings::{Asked, Compared, Findings, TableLoss, Told};
use super::{Grade, Warning};
use crate::base::wording::{count, some_of, thousands};
use crate::output::report::account::incomplete as incomplete_of;

/// The reason of scores whose replies were never recorded.
const NOT_RECORDED: &str = "not-recorded";

/// How a judge's warning of them begins.
const UNRECORDED: &str = "no recorded reply for";

/// The warnings of all experiments, the gravest first; what several experiments share is said once, with all their names.
pub fn warnings(findings: &[Findings]) -> Vec<Warning> {
    let mut merged: IndexMap<(Grade, Subject, String), Vec<&str>> = IndexMap::new();
    for found in findings {
        for same in of(found) {
            merged.entry(same).or_default().push(&found.experiment);
        }
    }
    let mut all: Vec<Warning> = merged
        .into_iter()
        .map(|((grade, subject, text), experiments)| Warning {
            grade,
            subject: subject.placed(&experiments, findings.len()),
            text,
        })
        .collect();
    // Stable: within a grade they stay in the order of experiments and kinds.
    all.sort_by_key(|warning| warning.grade);
    all
}

/// What a warning is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Subject {
    Experiment,
    Stage(String),
    Table(String),
}

impl Subject {
    /// Its name, with the experiments in front on a page of several, as the page names what it links to.
    fn placed(self, experiments: &[&str], of: usize) -> String {
        let whose = match experiments {
            [] | [""] => "",
            all if of > 1 && all.len() == of => "all experiments",
            all => &owners(all),
        };
        match (self, whose) {
            (Self::Experiment, whose) => whose.to_owned(),
            (Self::Stage(name) | Self::Table(name), "") => name,
            (Self::Stage(name), whose) => format!("{whose}: {name}"),
            (Self::Table(name), whose) => format!("{whose}/{name}"),
        }
    }
}

/// A short name for several experiments.
fn owners(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first, second] => format!("{first}, {second}"),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    }
}

/// The warnings of one experiment: grade, subject and text.
fn of(found: &Findings) -> Vec<(Grade, Subject, String)> {
    let mut all = Vec::new();
    let stage_of = |name: &str| Subject::Stage(stage(name).to_owned());
    let table_of = |name: &str| Subject::Table(name.to_owned());
    let mut push = |grade: Grade, subject: Subject, text: String| all.push((grade, subject, text));
    if let Some(text) = incomplete(found) {
        push(Grade::Error, Subject::Experiment, text);
    }
    for (node, why) in &found.failed {
        push(
            Grade::Error,
            stage_of(node),
            format!("{node} failed: {why}"),
        );
    }
    for (node, text) in &found.short {
        push(Grade::Error, stage_of(node), format!("{node}: {text}"));
    }
    for compared in &found.compared {
        if let Some(text) = against_print(compared) {
            push(Grade::Error, table_of(&compared.table), text);
        }
    }
    for asked in &found.asked {
        if let Some((grade, text)) = missing(asked) {
            push(grade, stage_of(&asked.stage), by(asked, &text));
        }
        if asked.contradicted > 0 {
            let text = by(asked, &contradicted(asked));
            push(Grade::Warning, stage_of(&asked.stage), text);
        }
    }
    for refused in &found.refused {
        push(
            Grade::Warning,
            stage_of(&refused.stage),
            format!(
                "`{}` does not fit {} of {}: {}",
                refused.manipulation,
                refused.documents,
                count(refused.of, "document"),
                refused.reason
            ),
        );
    }
    // What was not recorded is counted above, by model.
    let uncounted = found
        .told
        .iter()
        .filter(|told| !told.text.starts_with(UNRECORDED));
    for (stage, text) in told(uncounted) {
        push(Grade::Warning, stage_of(stage), text);
    }
    for table in &found.tables {
        let losses = losses(table);
        if !losses.is_empty() {
            push(Grade::Warning, table_of(&table.table), losses.join("; "));
        }
        if !table.undefined.is_empty() {
            push(Grade::Note, table_of(&table.table), undefined(table));
        }
    }
    if let Some(commit) = &found.dirty {
        let text = format!(
            "files differed from commit {commit} when results were computed: the commit alone does not identify what ran"
        );
        push(Grade::Note, Subject::Experiment, text);
    }
    if found.left_out > 0 {
        let (what, whose) = match found.left_out {
            1 => ("1 result was".to_owned(), "its"),
            n => (format!("{n} results were"), "their"),
        };
        let text = format!(
            "{what} left out of the bundle that this came in: numbers made from {whose} rows are included, the rows are not"
        );
        push(Grade::Note, Subject::Experiment, text);
    }
    all
}

/// That the run is not complete, if so.
fn incomplete(found: &Findings) -> Option<String> {
    let lacking = found.failed.len() + found.skipped.len();
    if lacking == 0 && found.stopped.is_none() {
        return None;
    }
    let mut text = "the run is not complete".to_owned();
    if let Some(why) = &found.stopped {
        text = format!("{text} ({why})");
    }
    if lacking > 0 {
        let mut parts = Vec::new();
        if !found.failed.is_empty() {
            parts.push(format!("{} failed", count(found.failed.len(), "stage")));
        }
        if !found.skipped.is_empty() {
            let mut stages: Vec<&str> = found.skipped.iter().map(|node| stage(node)).collect();
            stages.dedup();
            parts.push(format!(
                "{} not run ({})",
                match found.skipped.len() {
                    1 => "1 instance of a stage was".to_owned(),
                    n => format!("{n} instances of stages were"),
                },
                some_of(&stages)
            ));
        }
        text = format!("{text}: {}", parts.join(", "));
    }
    Some(format!("{text}; tables may be missing rows"))
}

/// The stage of a node.
fn stage(node: &str) -> &str {
    node.split('[').next().unwrap_or(node)
}

fn against_print(compared: &Compared) -> Option<String> {
    if let Some(why) = &compared.unread {
        return Some(format!("was not compared with published values: {why}"));
    }
    (compared.open > 0).then(|| {
        format!(
            "{} of {} not reproduced and not explained",
            compared.open,
            match compared.cells {
                1 => "1 published value is".to_owned(),
                n => format!("{n} published values are"),
            }
        )
    })
}

/// A text about answers, with whose they are.
fn by(asked: &Asked, text: &str) -> String {
    format!("{}: {text}", asked.model)
}

fn missing(asked: &Asked) -> Option<(Grade, String)> {
    let missing: u64 = asked.missing.values().sum();
    if missing == 0 {
        return None;
    }
    let all = asked.there + missing;
    let (noun, without) = if asked.writes {
        ("text", "not written")
    } else {
        ("score", "unscored")
    };
    let reasons = reasons(&asked.missing);
    let text = match asked.there {
        0 if all == 1 => format!("the only {noun} {without}: {reasons}"),
        0 => format!("all {} {noun}s {without}: {reasons}", thousands(all)),
        _ => format!(
            "{} of {} {noun}s {without}, {}: {reasons}",
            thousands(missing),
            thousands(all),
            share(missing, all)
        ),
    };
    // That nothing was recorded of a model is known beforehand; that nothing of what it said counts is not.
    let nothing = asked.there == 0 && asked.missing.keys().any(|reason| reason != NOT_RECORDED);
    let grade = if nothing {
        Grade::Error
    } else {
        Grade::Warning
    };
    Some((grade, text))
}

/// Reasons with their counts, the most frequent first.
fn reasons(counts: &BTreeMap<String, u64>) -> String {
    let mut sorted: Vec<(&String, &u64)> = counts.iter().filter(|(_, n)| **n > 0).collect();
    sorted.sort_by(|left, right| right.1.cmp(left.1).then(left.0.cmp(right.0)));
    let named: Vec<String> = sorted
        .iter()
        .map(|(reason, n)| format!("{} {}", reason.replace(['-', '_'], " "), thousands(**n)))
        .collect();
    named.join(", ")
}

/// A share in percent; what is neither nothing nor all is never shown as such.
fn share(part: u64, all: u64) -> String {
    let percent = 100.0 * part as f64 / all.max(1) as f64;
    if part > 0 && percent < 0.1 {
        "under 0.1 %".to_owned()
    } else if part < all && percent > 99.9 {
        "over 99.9 %".to_owned()
    } else {
        format!("{percent:.1} %")
    }
}

fn contradicted(asked: &Asked) -> String {
    let all = thousands(asked.there);
    match asked.contradicted {
        1 => format!("1 of {all} scores is from a reply that gives several for one metric"),
        n => format!(
            "{} of {all} scores are from replies that give several for one metric",
            thousands(n)
        ),
    }
}

/// Warnings of nodes, by stage: what several instances say is said once.
fn told<'f>(all: impl Iterator<Item = &'f Told>) -> Vec<(&'f str, String)> {
    let mut same: IndexMap<(&str, &str), Vec<&str>> = IndexMap::new();
    for told in all {
        let nodes = same.entry((&told.stage, &told.text)).or_default();
        nodes.push(&told.node);
    }
    same.into_iter()
        .map(|((stage, text), nodes)| match nodes.as_slice() {
            [one] if *one == stage => (stage, text.to_owned()),
            [one] => (stage, format!("{text} (`{one}`)")),
            [first, ..] => {
                let instances = count(nodes.len(), "instance");
                (stage, format!("{text} ({instances}, such as `{first}`)"))
            }
            [] => (stage, text.to_owned()),
        })
        .collect()
}

fn losses(table: &TableLoss) -> Vec<String> {
    let mut lines = Vec::new();
    let valueless: usize = table.valueless.values().sum();
    if valueless > 0 {
        lines.push(format!(
            "{valueless} of {} without a value: {}",
            count(table.cells, "cell"),
            whys(&table.valueless)
        ));
    }
    if table.incomplete > 0 {
        lines.push(format!(
            "{} of {} average fewer parts than expected",
            table.incomplete,
            count(table.cells, "cell")
        ));
    }
    if table.partial > 0 {
        lines.push(format!(
            "{} of {} made of fewer parts than others (†)",
            table.partial,
            count(table.cells, "cell")
        ));
    }
    if table.dropped > 0 {
        let pairs = usize::try_from(table.dropped).unwrap_or(usize::MAX);
        let missing = if table.dropped_of.iter().all(|unit| unit == "pair") {
            "one side"
        } else {
            "something of each"
        };
        lines.push(format!(
            "{} dropped because {missing} is missing, summed over {}",
            count(pairs, &incomplete_of(&table.dropped_of)),
            count(table.cells, "cell")
        ));
    }
    lines
}

/// Tests that are not defined, which are no sign of anything being insignificant.
fn undefined(table: &TableLoss) -> String {
    let tests: usize = table.undefined.values().sum();
    format!(
        "{tests} of {} with a test that is not defined (‡): {}",
        count(table.cells, "cell"),
        whys(&table.undefined)
    )
}

/// The most frequent reasons for there being no value, and how many more there are.
fn whys(counts: &BTreeMap<String, usize>) -> String {
    const MOST: usize = 3;
    let mut sorted: Vec<(&String, &usize)> = counts.iter().collect();
    sorted.sort_by(|left, right| right.1.cmp(left.1).then(left.0.cmp(right.0)));
    let mut named: Vec<String> = sorted
        .iter()
        .take(MOST)
        .map(|(why, n)| format!("{why} ({n})"))
        .collect();
    if sorted.len() > MOST {
        named.push(count(sorted.len() - MOST, "other reason"));
    }
    named.join("; ")
}

#[cfg(test)]
mod tests;
