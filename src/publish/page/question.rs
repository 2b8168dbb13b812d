//! What an experiment asks: a line for each of its judges, with who scores what on which scale, and under which settings.

use indexmap::{IndexMap, IndexSet};

use crate::base::wording::count;
use crate::engine::Finished;
use crate::output::report::number::fixed;
use crate::stage::{Contenders, Judge, Kind, Stage};

/// Of more judges the first are told.
const MOST_JUDGES: usize = 3;

/// Of more names, too.
const MOST_NAMES: usize = 5;

/// A judge under all settings that it was run with.
#[derive(Default)]
struct Asking<'p> {
    models: IndexSet<&'p str>,
    metrics: IndexSet<&'p str>,
    settings: IndexMap<&'p str, IndexSet<String>>,
    judge: Option<&'p Judge>,
}

/// The judges of the experiment itself.
pub(super) fn asked(finished: &Finished) -> Vec<String> {
    let mut judges: IndexMap<&str, Asking<'_>> = IndexMap::new();
    let nodes = finished.plan.nodes.iter();
    for node in nodes.filter(|node| node.name.kind == Kind::Judge && node.variants.contains("")) {
        let Stage::Judge(judge) = &*node.stage else {
            continue;
        };
        let asking = judges.entry(&node.name.name).or_default();
        asking.judge = Some(judge);
        asking.models.insert(&judge.model.name);
        asking
            .metrics
            .extend(judge.metrics.iter().map(String::as_str));
        for (axis, value) in &node.settings {
            let values = asking.settings.entry(axis).or_default();
            values.insert(value.to_string());
        }
    }
    let several = judges.len() > 1;
    let mut lines: Vec<String> = judges
        .iter()
        .take(MOST_JUDGES)
        .filter_map(|(name, asking)| {
            let words = asking.words()?;
            Some(if several {
                format!("{name}: {words}")
            } else {
                words
            })
        })
        .collect();
    if judges.len() > MOST_JUDGES {
        lines.push(format!(
            "and {}",
            count(judges.len() - MOST_JUDGES, "more judge")
        ));
    }
    lines
}

impl Asking<'_> {
    fn words(&self) -> Option<String> {
        let judge = self.judge?;
        let models = names(self.models.iter().copied());
        let mut parts = vec![match &judge.compare {
            Some(compare) => {
                let of = match &compare.of {
                    Contenders::Columns([one, other]) => format!("{one} with {other}"),
                    Contenders::Rows(rows) => format!("texts of each {}", rows.between),
                };
                format!("{models} compares {of}")
            }
            None => {
                let metrics = names(self.metrics.iter().copied());
                let of = match &judge.items {
                    Some(items) => format!(" of each element of {}", items.column),
                    None => String::new(),
                };
                format!("{models} scores {metrics}{of} {}", scale(judge))
            }
        }];
        for (axis, values) in &self.settings {
            // Models are named already.
            if values.len() == self.models.len()
                && values.iter().all(|value| self.models.contains(&**value))
            {
                continue;
            }
            if values.len() > 1 {
                parts.push(format!(
                    "{axis}: {}",
                    names(values.iter().map(String::as_str))
                ));
            }
        }
        Some(parts.join(" \u{b7} "))
    }
}

fn scale(judge: &Judge) -> String {
    let labels = judge.scale.labels.iter().map(|label| label.name.as_str());
    let labels: Vec<&str> = labels.collect();
    if labels.is_empty() {
        let [min, max] = [judge.scale.min, judge.scale.max].map(short);
        format!("from {min} to {max}")
    } else {
        format!("as {}", names(labels.into_iter()))
    }
}

/// A number without needless zeros.
fn short(number: f64) -> String {
    let text = fixed(number, 3);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Names with commas; of many the first and how many more there are.
fn names<'n>(all: impl Iterator<Item = &'n str>) -> String {
    let all: Vec<&str> = all.collect();
    match all.len().checked_sub(MOST_NAMES) {
        Some(more) if more > 1 => format!("{} and {more} more", all[..MOST_NAMES].join(", ")),
        _ => all.join(", "),
    }
}
