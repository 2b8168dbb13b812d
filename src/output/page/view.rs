//! What the template is given: the page with anchors, counts and fragments made ready.
//!
//! Nothing is computed here that a reader would call a result. It must not write HTML but through `graph_svg`.

use std::collections::BTreeMap;

use minijinja::{Value, context};

use crate::base::wording::thousands;

use super::anchors::Anchors;
use super::graph_layout::components;
use super::{Experiment, Grade, Graph, Mode, Page, Store, Warning, duration, graph_svg};

/// The values of the template's variables.
pub(super) fn values(page: &Page, store: &Store, mode: Mode) -> Value {
    let mut anchors = Anchors::default();
    let experiments: Vec<Value> = page
        .experiments
        .iter()
        .map(|one| experiment(one, page.experiments.len() > 1, &mut anchors))
        .collect();
    let stages: Vec<Value> = page
        .graph
        .stages
        .iter()
        .map(|stage| {
            let id = anchors.give("s", &[&stage.name], std::slice::from_ref(&stage.name));
            context! {
                id,
                name => &stage.name,
                kind => &stage.kind,
                reads => names(&page.graph, &stage.reads),
                instances => stage.instances,
                known => stage.known,
                rows => thousands(stage.rows),
                time => duration::words(stage.seconds),
                state => graph_svg::class(stage.state),
                notes => &stage.notes,
            }
        })
        .collect();
    let drawings = drawings(&page.graph);
    let asked = match page.experiments.as_slice() {
        [only] => only.asked.clone(),
        _ => Vec::new(),
    };
    context! {
        title => &page.title,
        asked,
        outcome => &page.outcome,
        warnings => warnings(&page.warnings, &anchors),
        several => page.experiments.len() > 1,
        experiments,
        stages,
        folded => drawings.len() > 4,
        drawings,
        facts => &page.facts,
        records => &page.records,
        elsewhere => &page.elsewhere,
        judgements => thousands(store.judgements as u64),
        has_judgements => store.judgements > 0,
        browsable => mode != Mode::Bare && !store.chunks.is_empty(),
        served => mode == Mode::Served,
        notes => &store.notes,
        apart => &store.apart,
    }
}

fn experiment(one: &Experiment, several: bool, anchors: &mut Anchors) -> Value {
    let exp = if several { one.name.as_str() } else { "" };
    let id = anchors.give("e", &[&one.name], std::slice::from_ref(&one.name));
    let mut known = |kind: &str, name: &str, variant: &str| {
        let mut names = vec![];
        let full = if variant.is_empty() {
            name.to_owned()
        } else {
            format!("{name} ({variant})")
        };
        names.push(format!("{}/{full}", one.name));
        names.push(format!("{}.{full}", one.name));
        names.push(full);
        anchors.give(kind, &[exp, variant, name], &names)
    };
    let tables: Vec<Value> = one
        .tables
        .iter()
        .map(|table| {
            let id = known("t", &table.name, &table.variant);
            context! {
                html => boxed(&table.html, &id),
                id, name => &table.name, variant => &table.variant, title => &table.title,
                latex => &table.latex, csv => &table.csv,
            }
        })
        .collect();
    let figures: Vec<Value> = one
        .figures
        .iter()
        .map(|figure| {
            context! {
                id => known("f", &figure.name, &figure.variant),
                name => &figure.name, variant => &figure.variant, title => &figure.title, caption => &figure.caption,
                svg => &figure.svg, description => &figure.description, csv => &figure.csv,
            }
        })
        .collect();
    let audits: Vec<Value> = one
        .audits
        .iter()
        .map(|audit| {
            let id = known("a", &audit.name, "");
            context! {
                html => boxed(&audit.html, &id),
                id, name => &audit.name, title => &audit.title, sentence => &audit.sentence, open => audit.open,
            }
        })
        .collect();
    context! { id, name => &one.name, title => &one.title, asked => &one.asked, tables, figures, audits, files => &one.files }
}

/// Each table of a fragment in a box of its own, which scrolls where the table is wider than the page.
fn boxed(html: &str, heading: &str) -> String {
    let open = format!(
        "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-labelledby=\"{heading}-title\"><table>"
    );
    html.replace("<table>", &open)
        .replace("</table>", "</table></div>")
}

/// The warnings by grade, the gravest first, with links to what they are about.
fn warnings(all: &[Warning], anchors: &Anchors) -> Vec<Value> {
    let mut grades: BTreeMap<Grade, Vec<Value>> = BTreeMap::new();
    for warning in all {
        grades.entry(warning.grade).or_default().push(context! {
            subject => &warning.subject,
            text => &warning.text,
            anchor => anchors.of(&warning.subject),
        });
    }
    grades
        .into_iter()
        .map(|(grade, list)| {
            let (class, one, many) = match grade {
                Grade::Error => ("error", "error", "errors"),
                Grade::Warning => ("warning", "warning", "warnings"),
                Grade::Note => ("note", "note", "notes"),
            };
            context! {
                class,
                words => if list.len() == 1 { one } else { many },
                number => list.len(),
                open => grade == Grade::Error,
                line => grade != Grade::Error && list.len() == 1,
                list,
            }
        })
        .collect()
}

fn names(graph: &Graph, stages: &[usize]) -> Vec<String> {
    let stages = stages.iter().filter_map(|at| graph.stages.get(*at));
    stages.map(|stage| stage.name.clone()).collect()
}

/// A drawing for each group of stages that hang together, under the beginning that their names share.
fn drawings(graph: &Graph) -> Vec<Value> {
    components(graph)
        .iter()
        .map(|members| {
            let names: Vec<&str> = members
                .iter()
                .map(|&member| graph.stages[member].name.as_str())
                .collect();
            let prefix = shared(&names);
            let seconds: f64 = members.iter().map(|&at| graph.stages[at].seconds).sum();
            context! {
                name => prefix.trim_end_matches(['.', '/', ' ', ':']),
                number => members.len(),
                time => duration::words(seconds),
                svg => graph_svg::draw(graph, members, prefix),
            }
        })
        .collect()
}

/// The words that all names begin with, up to a `/` or a blank; a kind is no such word.
fn shared<'n>(names: &[&'n str]) -> &'n str {
    let Some((first, rest)) = names.split_first() else {
        return "";
    };
    let Some(end) = first.find(['/', ' ']) else {
        return "";
    };
    let prefix = &first[..=end];
    if rest.iter().all(|name| name.starts_with(prefix)) {
        prefix
    } else {
        ""
    }
}
