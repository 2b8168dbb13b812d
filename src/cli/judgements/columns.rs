//! The columns of the index: who judged under which settings, what, and what it came to.

use std::collections::BTreeMap;

use super::Part;
use super::replies::Cells;
use crate::page::store::{Builder, Cell, Column, Row};
use crate::plan::{Node, NodeId, Plan};
use crate::stage::Judge;

/// The column with the judge's model, where no axis is called so.
const MODEL: &str = "model";

/// The columns that stand before and after those of the axes.
const BEFORE: [&str; 4] = ["judge", "in", "ablation", MODEL];
const AFTER: [&str; 9] = [
    "doc_id", "section", "repeat", "metric", "score", "unscored", "detail", "issues", "finish",
];

/// The columns of the index.
pub(super) struct Columns {
    axes: Vec<String>,
    /// The experiments that each node is in; nothing, where there is one experiment.
    experiments: BTreeMap<NodeId, String>,
}

/// What is the same in all rows of a judge.
pub(super) struct Names {
    judge: String,
    ablation: Option<String>,
    model: String,
    settings: BTreeMap<String, String>,
}

impl Names {
    pub(super) fn of(node: &Node, judge: &Judge) -> Self {
        let names: Vec<&str> = node.variants.iter().map(String::as_str).collect();
        let settings = node.settings.iter();
        Self {
            judge: node.name.name.clone(),
            ablation: (!node.variants.contains("")).then(|| names.join("+")),
            model: judge.model.name.clone(),
            settings: settings
                .map(|(axis, value)| (axis.clone(), value.to_string()))
                .collect(),
        }
    }
}

impl Columns {
    pub(super) fn new(plan: &Plan, judges: &[NodeId], parts: &[Part<'_>]) -> Self {
        let mut axes: Vec<String> = Vec::new();
        for (axis, _) in judges.iter().flat_map(|&id| &plan.node(id).settings) {
            if !axes.contains(axis) {
                axes.push(axis.clone());
            }
        }
        let mut experiments: BTreeMap<NodeId, String> = BTreeMap::new();
        for (name, places) in parts.iter().filter(|_| parts.len() > 1) {
            for &id in *places {
                let names = experiments.entry(id).or_default();
                if !names.is_empty() {
                    names.push_str(", ");
                }
                names.push_str(name);
            }
        }
        Self { axes, experiments }
    }

    /// All columns, as they are shown.
    pub(super) fn list(&self) -> Vec<Column> {
        let always = ["judge", "doc_id", "metric", "score", "unscored"];
        let column = |name: &str| Column {
            name: name.to_owned(),
            numbers: ["section", "repeat", "score", "issues"].contains(&name),
            optional: !always.contains(&name),
        };
        let axes = self.axes.iter().map(|axis| Column {
            // An axis may be called as one of our own columns.
            name: if axis != MODEL && (BEFORE.contains(&&**axis) || AFTER.contains(&&**axis)) {
                format!("axis {axis}")
            } else {
                axis.clone()
            },
            numbers: false,
            optional: true,
        });
        BEFORE
            .iter()
            .map(|name| column(name))
            .chain(axes)
            .chain(AFTER.iter().map(|name| column(name)))
            .collect()
    }

    /// Adds the judgement in a row of a judge.
    pub(super) fn push(
        &self,
        builder: &mut Builder,
        id: NodeId,
        names: &Names,
        rows: &Cells<'_>,
        row: usize,
        (document, reply): (Option<usize>, Option<usize>),
    ) {
        let texts = [
            &rows.doc_id,
            &rows.metric,
            &rows.unscored,
            &rows.detail,
            &rows.finish,
        ];
        let texts = texts.map(|column| Cells::text(column.as_ref(), row));
        let [doc_id, metric, unscored, detail, finish] =
            texts.each_ref().map(|text| text.as_deref());
        let number = |column| Cells::number(column, row).map_or(Cell::None, Cell::Number);
        let model = (!self.axes.iter().any(|axis| axis == MODEL)).then_some(&*names.model);
        let mut cells = vec![
            Cell::Text(&names.judge),
            self.experiments.get(&id).map(String::as_str).into(),
            names.ablation.as_deref().into(),
            model.into(),
        ];
        let axes = self.axes.iter();
        cells.extend(axes.map(|axis| Cell::from(names.settings.get(axis).map(String::as_str))));
        cells.extend([
            doc_id.into(),
            number(rows.section.as_ref()),
            number(rows.repeat.as_ref()),
            metric.into(),
            number(rows.score.as_ref()),
            unscored.into(),
            detail.into(),
            rows.issues(row)
                .map_or(Cell::None, |n| Cell::Number(n as f64)),
            finish.into(),
        ]);
        builder.row(Row {
            rank: id.0,
            cells: &cells,
            document,
            reply,
        });
    }
}
