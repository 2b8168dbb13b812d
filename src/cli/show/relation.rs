//! What a relation between tables did, and the first rows that came of it.

use std::sync::Arc;

use super::found::Found;
use crate::base::exit::Error;
use crate::base::wording::{shorten, thousands};
use crate::cli::events::visible;
use crate::cli::forecast::{Looked, Results, look as look_at};
use crate::cli::output::Terminal;
use crate::engine::Loaded;
use crate::frame::Frame;
use crate::output::report::columns::{Column, Kind as Shape, draw, fits};
use crate::plan::{NodeId, Plan};
use crate::stage::{Kind, Stage, StageName, all_words};

/// Rows that are shown; the others are counted.
const ROWS: usize = 20;

/// Keys without a match that are shown of each side.
const KEYS: usize = 5;

/// Characters of a cell that are shown.
const CELL: usize = 40;

/// Whether stages of a kind put rows together, so that they have something to tell of them.
pub(super) fn is(kind: Kind) -> bool {
    matches!(kind, Kind::Join | Kind::Concat)
}

/// What nodes of a stage did, with what they read.
pub(super) struct Did {
    stage: StageName,
    looked: Looked,
    plan: Plan,
}

/// Looks at the nodes of a stage that puts rows together.
pub(super) fn look(
    loaded: &Loaded,
    plan: Plan,
    stage: &StageName,
    terminal: &mut Terminal,
) -> Result<Did, Error> {
    let read: Vec<StageName> = plan
        .nodes
        .iter()
        .filter(|node| node.name == *stage)
        .flat_map(|node| node.stage.reads())
        .cloned()
        .collect();
    let asks = plan.before_models().nodes.len() < plan.nodes.len();
    let wanted = |node: &crate::plan::Node| node.name == *stage || read.contains(&node.name);
    let looked = look_at(loaded, plan, wanted, terminal);
    let (looked, plan) = looked.map_err(|error| {
        if asks {
            error.hint(format!(
                "`show` calls no model; run what it needs first: `tribunal run … --only {stage}`"
            ))
        } else {
            error
        }
    })?;
    Ok(Did {
        stage: stage.clone(),
        looked,
        plan,
    })
}

impl Did {
    /// The nodes of the stage, in order.
    fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        let ids = self.looked.keys().copied();
        ids.filter(|&id| self.plan.node(id).name == self.stage)
    }

    /// What they did, a line each, with examples of what found nothing.
    pub(super) fn words(&self) -> String {
        let relations: Vec<_> = self
            .nodes()
            .filter_map(|id| Some((self.plan.node(id).title(), self.looked[&id].1.as_ref()?)))
            .collect();
        let mut lines = all_words(&relations);
        for id in self.nodes() {
            let node = self.plan.node(id);
            let Stage::Join(join) = &*node.stage else {
                continue;
            };
            let tables = node
                .inputs
                .iter()
                .filter_map(|input| self.looked.get(input));
            let tables: Vec<&Frame> = tables.map(|(frame, _)| &**frame).collect();
            let (Some(left), Some(right)) = (tables.first(), tables.last()) else {
                continue;
            };
            let (here, there) = join.lonely(left, right);
            for (stage, lonely) in [(&join.from, here), (&join.with, there)] {
                if !lonely.is_empty() {
                    let mut keys: Vec<String> =
                        lonely.iter().take(KEYS).map(|key| visible(key)).collect();
                    let more = lonely.len() - keys.len();
                    keys.extend((more > 0).then(|| format!("and {} more", thousands(more as u64))));
                    let keys = keys.join("; ");
                    let whose = node.title();
                    lines.push(format!("{whose}: without a match in `{stage}`: {keys}"));
                }
            }
        }
        lines.join("\n") + "\n"
    }

    /// The plan with the results of the stage.
    pub(super) fn results(self) -> Results {
        let ids: Vec<NodeId> = self.nodes().collect();
        let frames = ids
            .into_iter()
            .map(|id| (id, Arc::clone(&self.looked[&id].0)))
            .collect();
        (self.plan, frames)
    }
}

/// The first rows, with as many columns as there is room for.
pub(super) fn list(rows: &[Found], terminal: &Terminal) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in rows.iter().flat_map(|row| row.frame.names()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut columns: Vec<Column> = Vec::new();
    let mut left_out = 0;
    for name in names {
        let cell = |row: &Found| shorten(&visible(&row.cell(name).unwrap_or("—".to_owned())), CELL);
        let cells: Vec<String> = rows.iter().take(ROWS).map(cell).collect();
        let number = |cell: &String| cell == "—" || cell.parse::<f64>().is_ok();
        let shape = if cells.iter().all(number) {
            Shape::Number
        } else {
            Shape::Name
        };
        columns.push(Column::new(visible(name), shape, cells));
        if columns.len() > 1 && !fits(&columns, terminal.width) {
            columns.pop();
            left_out += 1;
        }
    }
    let mut text = draw(&columns, terminal.width, terminal.results.color);
    let more = rows.len().saturating_sub(ROWS);
    let more = [(more, "row"), (left_out, "column")];
    let more = more.into_iter().filter(|(n, _)| *n > 0);
    let more: Vec<String> = more
        .map(|(n, what)| {
            let s = if n == 1 { "" } else { "s" };
            format!("{} more {what}{s}", thousands(n as u64))
        })
        .collect();
    if !more.is_empty() {
        text.push('\n');
        text.push_str(&more.join(" and "));
        text.push_str("; `--json` shows all");
    }
    text
}
