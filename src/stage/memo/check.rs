//! `memo` stages: judges that fit together, and what tells their documents apart.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexSet;

use super::raw::RawMemo;
use crate::base::wording::{list_of, nearest};
use crate::stage::check::Context;
use crate::stage::check::line::Line;
use crate::stage::check::names::resolve_among;
use crate::stage::check::{Checking, Written};
use crate::stage::check::{Known, RowShape};
use crate::stage::{Judge, Kind, Memo, RowsOf, StageName};
use crate::toml::{Layers, OneOrMany, Problem, Problems};

/// The rows that `documents` usually names.
const DOCUMENTS: &[RowsOf] = &[RowsOf::Documents];

impl Written for Memo {
    type Raw = RawMemo;

    fn check(raw: &RawMemo, checking: &Checking<'_>, problems: &mut Problems) -> Option<Self> {
        let Checking {
            context,
            at,
            reads,
            combos,
            known,
            ..
        } = *checking;
        let path = |key: &str| [at, &[key.to_owned()]].concat();
        let before = problems.errors();
        let named = raw.documents.as_ref().and_then(|written| {
            let documents = Kind::that_give(DOCUMENTS);
            // Whether there is such a stage was reported before.
            let unheard = &mut Problems::new();
            resolve_among(
                written,
                checking.name,
                &documents,
                known.names,
                None,
                unheard,
            )
        });
        let (documents, judges): (Vec<StageName>, Vec<StageName>) = reads
            .iter()
            .cloned()
            .partition(|name| Some(name) == named.as_ref());
        together(context, &path("from"), &judges, combos, known, problems);
        let section = raw.section.clone().unwrap_or_else(|| "section".to_owned());
        let line = Line::of_sections(&judges, known);
        let mistaken = judges.is_empty() || !known.knows(&judges);
        for (key, column) in [
            ("section", Some(&section)),
            ("summaries", raw.summaries.as_ref()),
        ] {
            if let Some(column) = column.filter(|_| !mistaken) {
                there(context, &path(key), column, &line, known, problems);
            }
        }
        let line = line.and_documents(&documents, known);
        let of_sections = line.of_sections.iter().cloned().collect();
        let key = match &raw.key {
            Some(key) => given_key(context, &path("key"), key, &section, problems),
            None => line.key(&section),
        };
        let metrics = metrics(&judges, combos, known);
        (problems.errors() == before).then(|| Memo {
            from: judges,
            documents: documents.into_iter().next(),
            metrics,
            key,
            key_given: raw.key.is_some(),
            section,
            order: raw.order.unwrap_or_default(),
            offsets: raw.offsets.unwrap_or(true),
            summaries: raw.summaries.clone(),
            of_sections,
        })
    }

    fn shape(&self, checking: &Checking<'_>) -> RowShape {
        checking.by_axes()
    }

    fn reads_also(_: &Layers, _: &[String]) -> Vec<(&'static str, &'static [RowsOf])> {
        vec![("documents", DOCUMENTS)]
    }
}

/// Refuses a column that rows are known not to have.
fn there(
    context: &Context<'_>,
    at: &[String],
    column: &str,
    line: &Line,
    known: &Known<'_>,
    problems: &mut Problems,
) {
    let Some(columns) = line.columns() else {
        return;
    };
    // A judge leaves texts behind; `why` is a column of statistics.
    let columns = columns
        .into_iter()
        .filter(|name| !["text", "why"].contains(name));
    let axes = known.axes.iter().map(|axis| axis.name.as_str());
    let columns: Vec<&str> = columns.chain(axes).collect();
    if columns.contains(&column) {
        return;
    }
    let whole = &at[..at.len() - 1];
    let place = context.place(at).or_else(|| context.place(whole));
    Problem::error(
        "spec::unknown-column",
        format!("the judgements have no column `{column}`"),
    )
    .label_at(place, "not a column of what is read")
    .help(match nearest(column, &columns) {
        Some(near) => format!("did you mean `{near}`?"),
        None if column == "section" => {
            "let the judge read a `split` stage, which numbers the parts of documents".to_owned()
        }
        None => format!("there are {}", list_of(&columns)),
    })
    .tell(problems);
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
        let message = format!("`{section}` identifies sections, not documents");
        Some((section, message, "leave it out"))
    } else if let Some(twice) = key.iter().find(|name| !seen.insert(*name)) {
        let message = format!("the column `{twice}` is named twice");
        Some((twice.as_str(), message, "remove one of the two"))
    } else {
        None
    };
    if let Some((name, message, help)) = wrong {
        let place = context.element(at, name);
        context
            .problem("spec::bad-value", message, &place, "not here")
            .help(help)
            .tell(problems);
    } else if key.is_empty() {
        context
            .problem(
                "spec::bad-value",
                "`key` names no columns".to_owned(),
                at,
                "all documents would be one",
            )
            .help("name the columns that identify documents: `key = \"doc_id\"`")
            .tell(problems);
    }
    key.0.clone()
}

/// What the judges score under all combinations of axis values, in their order.
fn metrics(judges: &[StageName], combos: &[&Vec<usize>], known: &Known<'_>) -> Vec<String> {
    let scored = |combo: &[usize]| -> IndexSet<String> {
        let judges = judges.iter().filter_map(|name| known.judge(name, combo));
        judges.flat_map(|judge| judge.metrics.clone()).collect()
    };
    let mut all = combos.iter().map(|combo| scored(combo));
    let mut metrics = all.next().unwrap_or_default();
    for other in all {
        metrics.retain(|metric| other.contains(metric));
    }
    metrics.into_iter().collect()
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
                context
                    .problem(
                        "spec::bad-structure",
                        format!("both `{other}` and `{name}` score `{metric}`"),
                        &place,
                        "a memory holds one score per section and metric",
                    )
                    .help("score each metric with one judge, or make a memo of each")
                    .tell(problems);
                return;
            }
            let (first, repeats) = (judges[0].0, judges[0].1.repeats);
            if judge.repeats != repeats {
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
                    .help("there is a report per repeat: give all of them the same `repeats`")
                    .tell(problems);
                return;
            }
        }
    }
}
