//! The columns of the index: who judged under which settings, what, and what it came to.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::replies::{Cells, Issues};
use crate::output::page::store::{Cell, Column, Holds, Row};
use crate::plan::{Node, NodeId, Plan};
use crate::publish::chunks::Builder;
use crate::stage::{CHOICE, ITEM, Judge, Stage, is_counted};

/// The column with the judge's model, where no axis is called so.
const MODEL: &str = "model";

/// The columns that stand before and after those by which judgements are told apart.
const BEFORE: [&str; 4] = ["judge", "in", "ablation", MODEL];
const AFTER: [&str; 10] = [
    "doc_id", "section", "repeat", "metric", "score", "unscored", "detail", "issues", LABELS,
    "finish",
];

/// The column with the labels of a judgement's issues.
const LABELS: &str = "issue labels";

/// Columns that statistics may look at and that hold far too much for a list.
const TEXTS: [&str; 3] = ["text", "reply", "call"];

/// An experiment among those whose plans were joined: its name, and where its nodes are in the joined plan.
pub(super) type Part<'a> = (&'a str, &'a Vec<NodeId>);

/// The columns of the index.
pub(super) struct Columns {
    /// What judgements are told apart by: axes, then columns of rows that statistics group or choose by.
    told: Vec<String>,
    /// The experiments that each node is in; nothing, where there is one experiment.
    experiments: BTreeMap<NodeId, String>,
}

/// What is the same in all rows of a judge.
#[derive(Debug)]
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
        let mut told: Vec<String> = Vec::new();
        for (axis, _) in judges.iter().flat_map(|&id| &plan.node(id).settings) {
            if !told.contains(axis) {
                told.push(axis.clone());
            }
        }
        let statistics = plan.nodes.iter().filter_map(|node| match &*node.stage {
            Stage::Stats(stats) => Some((node.stage.looks_at()?, stats)),
            _ => None,
        });
        let looked_at: BTreeSet<&str> = statistics
            .flat_map(|(mut columns, stats)| {
                columns.remove(stats.value.as_str());
                columns
            })
            .collect();
        let of_lists = |id: &NodeId| matches!(&*plan.node(*id).stage, Stage::Judge(judge) if judge.items.is_some());
        if judges.iter().any(of_lists) && !told.iter().any(|name| name == ITEM) {
            told.push(ITEM.to_owned());
        }
        let ours =
            |name: &&str| BEFORE.contains(name) || AFTER.contains(name) || TEXTS.contains(name);
        // What is behind values tells nothing apart.
        let ours = |name: &&str| ours(name) || is_counted(name);
        for name in looked_at.into_iter().filter(|name| !ours(name)) {
            if !told.iter().any(|known| known == name) {
                told.push(name.to_owned());
            }
        }
        for &id in judges {
            let Stage::Judge(judge) = &*plan.node(id).stage else {
                continue;
            };
            let said = match &judge.compare {
                Some(compare) => compare.chooses.then_some(CHOICE),
                None => (!judge.scale.labels.is_empty()).then_some("label"),
            };
            if let Some(name) = said.filter(|name| !told.iter().any(|known| known == name)) {
                told.push(name.to_owned());
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
        Self { told, experiments }
    }

    /// The columns that rows are to be had with, beside those that all judges have.
    pub(super) fn told_apart_by(&self) -> &[String] {
        &self.told
    }

    /// The experiments that a judge is in, where there are several.
    pub(super) fn experiments(&self, id: NodeId) -> Option<&str> {
        self.experiments.get(&id).map(String::as_str)
    }

    /// All columns, as they are shown.
    pub(super) fn list(&self) -> Vec<Column> {
        let always = ["judge", "doc_id", "metric", "score", "unscored"];
        let column = |name: &str| Column {
            name: name.to_owned(),
            holds: match name {
                "section" | "repeat" | "score" | "issues" => Holds::Numbers,
                LABELS => Holds::Lists,
                _ => Holds::Choices,
            },
            optional: !always.contains(&name),
        };
        let told = self.told.iter().map(|axis| Column {
            // An axis may be called as one of our own columns.
            name: if axis != MODEL && (BEFORE.contains(&&**axis) || AFTER.contains(&&**axis)) {
                format!("axis {axis}")
            } else {
                axis.clone()
            },
            holds: Holds::Choices,
            optional: true,
        });
        BEFORE
            .iter()
            .map(|name| column(name))
            .chain(told)
            .chain(AFTER.iter().map(|name| column(name)))
            .collect()
    }

    /// Adds the judgement in a row of a judge, with its issues.
    pub(super) fn push(
        &self,
        builder: &mut Builder,
        (id, names): (NodeId, &Names),
        (rows, row): (&Cells<'_>, usize),
        issues: Option<&Issues>,
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
        let model = (!self.told.iter().any(|axis| axis == MODEL)).then_some(&*names.model);
        let mut cells = vec![
            Cell::Text(&names.judge),
            self.experiments(id).into(),
            names.ablation.as_deref().into(),
            model.into(),
        ];
        // A judge that no axis of this name reaches may have read rows that hold what others have as a setting.
        let told = self.told.iter().zip(&rows.told).map(|(name, column)| {
            let of_judge = match names.settings.get(name) {
                None if name == MODEL => Some(&names.model),
                setting => setting,
            };
            match of_judge {
                Some(setting) => Some(Cow::Borrowed(setting.as_str())),
                None => Cells::text(column.as_ref(), row),
            }
        });
        let told: Vec<Option<Cow<'_, str>>> = told.collect();
        let labels = issues.map(|issues| issues.labels.as_str());
        let issues = issues.map_or(Cell::None, |issues| Cell::Number(issues.count as f64));
        cells.extend(told.iter().map(|cell| Cell::from(cell.as_deref())));
        cells.extend([
            doc_id.into(),
            number(rows.section.as_ref()),
            number(rows.repeat.as_ref()),
            metric.into(),
            number(rows.score.as_ref()),
            unscored.into(),
            detail.into(),
            issues,
            labels.filter(|labels| !labels.is_empty()).into(),
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
