//! One row of a stage's result that holds a document.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::base::exit::{Error, Exit};
use crate::frame::{Frame, Scalar};
use crate::language::manipulate::{Layer, layers};
use crate::plan::{NodeId, Plan};
use crate::stage::{BASE, Kind};

/// What tells the rows of an ablation apart.
pub(super) const ABLATION: &str = "ablation";

/// One row of a stage's result that holds a document.
pub(super) struct Found {
    /// The axis values of the node, and `section` where there is one: what tells the rows apart.
    pub(super) settings: Vec<(String, String)>,
    pub(super) frame: Arc<Frame>,
    row: usize,
    /// Whether the stage cleaned the text, so that its report is about this one.
    pub(super) is_cleaned: bool,
}

/// The rows of a result.
pub(super) fn rows_of(plan: &Plan, id: NodeId, frame: &Arc<Frame>) -> Vec<Found> {
    // Where an ablation has rows of its own, those of the experiment itself have a name to choose them by.
    let name = &plan.node(id).name;
    let mut others = plan.nodes.iter().filter(|node| node.name == *name);
    let ablated = others.any(|node| !node.variants.contains(""));
    (0..frame.rows())
        .map(|row| {
            let mut settings: Vec<(String, String)> = plan
                .node(id)
                .settings
                .iter()
                .map(|(axis, value)| (axis.clone(), value.to_string()))
                .collect();
            let found = |name: &str| {
                let column = frame.column(name).ok()?;
                Some((name.to_owned(), column.text(row)?.into_owned()))
            };
            settings.extend(found("section"));
            let variants = &plan.node(id).variants;
            if !variants.contains("") {
                let names: Vec<&str> = variants.iter().map(String::as_str).collect();
                settings.push((ABLATION.to_owned(), names.join("+")));
            } else if ablated {
                settings.push((ABLATION.to_owned(), BASE.to_owned()));
            }
            Found {
                settings,
                frame: Arc::clone(frame),
                row,
                is_cleaned: plan.node(id).name.kind == Kind::Clean,
            }
        })
        .collect()
}

impl Found {
    pub(super) fn cell(&self, name: &str) -> Option<String> {
        if name == ABLATION {
            let found = self
                .settings
                .iter()
                .find(|(setting, _)| setting == ABLATION);
            return found.map(|(_, value)| value.clone());
        }
        let column = self.frame.column(name).ok()?;
        column.text(self.row).map(std::borrow::Cow::into_owned)
    }

    pub(super) fn layers(&self) -> Result<Vec<Layer>, Error> {
        match self.cell("edits") {
            Some(cell) => layers(&cell).map_err(|error| Error::new(Exit::Stage, error.to_string())),
            None => Ok(Vec::new()),
        }
    }

    /// The row as an object; columns that hold JSON as what they hold.
    pub(super) fn json(&self) -> Result<Map<String, Value>, Error> {
        let mut object = Map::new();
        for name in self.frame.names() {
            let column = self
                .frame
                .column(name)
                .map_err(|error| Error::new(Exit::Stage, error.to_string()))?;
            let value = match column.scalar(self.row) {
                Scalar::Null => Value::Null,
                Scalar::Bool(value) => value.into(),
                Scalar::Int(value) => value.into(),
                Scalar::Float(value) => value.into(),
                Scalar::Json(text) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
                Scalar::Text(text) if ["edits", "cleaned"].contains(&name) => {
                    serde_json::from_str(&text).unwrap_or(Value::String(text))
                }
                Scalar::Text(text) => text.into(),
            };
            object.insert(name.to_owned(), value);
        }
        Ok(object)
    }

    pub(super) fn settings(&self) -> String {
        let settings: Vec<String> = self
            .settings
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        settings.join(", ")
    }
}
