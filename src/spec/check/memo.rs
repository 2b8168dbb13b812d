//! `memo` stages: judges that fit together, and what is known of where sections come from.

use std::collections::{BTreeMap, BTreeSet};

use super::Context;
use super::stages::Known;
use crate::spec::raw::RawMemo;
use crate::spec::{OneOrMany, Problems};
use crate::stage::{Judge, Kind, Memo, Stage, StageName};
use crate::wording::list_of;

pub(super) fn check(
    context: &Context<'_>,
    at: &[String],
    raw: &RawMemo,
    reads: &[StageName],
    combos: &[&Vec<usize>],
    known: &Known<'_>,
    problems: &mut Problems,
) -> Option<Memo> {
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    let before = problems.errors();
    let (judges, documents): (Vec<StageName>, Vec<StageName>) = reads
        .iter()
        .cloned()
        .partition(|name| name.kind == Kind::Judge);
    together(context, &path("from"), &judges, combos, known, problems);
    let section = raw.section.clone().unwrap_or_else(|| "section".to_owned());
    let mut line = Line::default();
    for name in reads {
        line.follow(name, true, known);
    }
    let key = match &raw.key {
        Some(key) => given_key(context, &path("key"), key, &section, problems),
        None => {
            let sections = line.key.into_iter().filter(|name| *name != section);
            let mut key: Vec<String> = sections.collect();
            if !key.iter().any(|name| name == "doc_id") {
                key.insert(0, "doc_id".to_owned());
            }
            key
        }
    };
    (problems.errors() == before).then(|| Memo {
        from: judges,
        documents: documents.into_iter().next(),
        key,
        key_given: raw.key.is_some(),
        section,
        order: raw.order.unwrap_or_default(),
        offsets: raw.offsets.unwrap_or(true),
        summaries: raw.summaries.clone(),
        of_sections: line.of_sections.into_iter().collect(),
    })
}

fn given_key(
    context: &Context<'_>,
    at: &[String],
    key: &OneOrMany<String>,
    section: &str,
    problems: &mut Problems,
) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let wrong = if key.iter().any(|name| name == section) {
        let message = format!("`{section}` tells sections apart, not documents");
        Some((section, message, "leave it out"))
    } else if let Some(twice) = key.iter().find(|name| !seen.insert(*name)) {
        let message = format!("the column `{twice}` is named twice");
        Some((twice.as_str(), message, "remove one of the two"))
    } else {
        None
    };
    if let Some((name, message, help)) = wrong {
        let place = context.element(at, name);
        problems.push(
            context
                .problem("spec::bad-value", message, &place, "not here")
                .help(help),
        );
    } else if key.is_empty() {
        problems.push(
            context
                .problem(
                    "spec::bad-value",
                    "`key` names no columns".to_owned(),
                    at,
                    "all documents would be one",
                )
                .help("name the columns that tell documents apart: `key = \"doc_id\"`"),
        );
    }
    key.0.clone()
}

/// Refuses judges that score the same metric, or each section another number of times, under any
/// combination of axis values.
fn together(
    context: &Context<'_>,
    at: &[String],
    judges: &[StageName],
    combos: &[&Vec<usize>],
    known: &Known<'_>,
    problems: &mut Problems,
) {
    for combo in combos {
        let judges: Vec<(&StageName, &Judge)> = judges
            .iter()
            .filter_map(|name| Some((name, known.judge(name, combo)?)))
            .collect();
        let mut metrics: BTreeMap<&str, &StageName> = BTreeMap::new();
        for (name, judge) in &judges {
            let place = context.element(at, &name.name);
            for metric in &judge.metrics {
                let Some(other) = metrics.insert(metric, name) else {
                    continue;
                };
                problems.push(
                    context
                        .problem(
                            "spec::bad-structure",
                            format!("both `{other}` and `{name}` score `{metric}`"),
                            &place,
                            "a memory holds one score per section and metric",
                        )
                        .help("let each metric be scored by one judge, or make a memo of each"),
                );
                return;
            }
            let (first, repeats) = (judges[0].0, judges[0].1.repeats);
            if judge.repeats != repeats {
                problems.push(
                    context
                        .problem(
                            "spec::bad-structure",
                            format!(
                                "{} ask a different number of times",
                                list_of(&[first.to_string(), name.to_string()])
                            ),
                            &place,
                            &format!("{} here, {repeats} there", judge.repeats),
                        )
                        .help("there is a report per repeat: give all of them the same `repeats`"),
                );
                return;
            }
        }
    }
}

/// Where sections come from.
#[derive(Default)]
struct Line {
    /// The columns that tell the rows of the sources apart.
    key: Vec<String>,
    /// The columns that were added to sections, after documents were cut.
    of_sections: BTreeSet<String>,
}

impl Line {
    /// Goes up from a stage to its sources; `sections` says whether its rows still are parts of documents.
    fn follow(&mut self, name: &StageName, sections: bool, known: &Known<'_>) {
        let Some(declared) = known.declared.get(name) else {
            return;
        };
        for stage in declared.variants.values() {
            let mut below = sections && name.kind != Kind::Split;
            match &**stage {
                Stage::Source(source) => self.add_key(&source.key),
                Stage::Memo(memo) => self.add_key(&memo.key),
                Stage::Generate(generate) if sections => {
                    let adds = generate.asking().adds.into_iter();
                    self.of_sections.extend(adds);
                }
                Stage::Split(_) => below = false,
                _ => {}
            }
            // Donors and the like are further down the list.
            if let Some(from) = stage.reads().first()
                && name.kind != Kind::Memo
            {
                self.follow(from, below, known);
            }
        }
    }

    fn add_key(&mut self, key: &[String]) {
        for name in key {
            if !self.key.contains(name) {
                self.key.push(name.clone());
            }
        }
    }
}
