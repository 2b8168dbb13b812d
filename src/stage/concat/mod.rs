//! `concat`: puts the rows of several stages, or of a stage under all values of axes, below each other.

mod check;
mod contract;
mod raw;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use serde::Serialize;

use crate::base::failure::Failure;
use crate::base::wording::list_of;
use crate::frame::{ColumnData, Frame};
use crate::stage::inputs::Inputs;
use crate::stage::stats::with_behind;
use crate::stage::{Counts, NOT_APPLICABLE, Output, Relation, StageName, reason_column};

/// Puts rows of several tables below each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Concat {
    /// The stages to read.
    #[serde(skip)]
    pub from: Vec<StageName>,
    /// The column that says which stage a row is from, and what it says of each stage; none, if one is read.
    pub origin: Option<(String, Vec<String>)>,
    /// The axes whose values are all read.
    pub over: Vec<String>,
    /// The columns wanted; all, if none are named.
    pub columns: Vec<String>,
    /// The axes that reach the stages that are read, whose columns stay whatever is wanted.
    pub axes: Vec<String>,
    /// Of these, the axes that reach some of the stages only: the stage itself says their value in all rows.
    pub uneven: Vec<String>,
}

impl Concat {
    fn put_together(&self, inputs: &Inputs) -> Result<Output, Failure> {
        let tables = inputs.by_instance(&self.from.iter().collect::<Vec<_>>());
        let tables: Vec<(usize, Frame)> = tables
            .into_iter()
            .map(|(at, frame)| Ok((at, self.wanted(at, frame)?)))
            .collect::<Result<_, Failure>>()?;
        self.same_types(&tables)?;
        if self.columns.is_empty() {
            self.same_columns(&tables)?;
        }
        let mut frames = Vec::new();
        let mut origins: Vec<(String, u64)> =
            self.from.iter().map(|name| (name.to_string(), 0)).collect();
        for (at, frame) in tables {
            origins[at].1 += frame.rows() as u64;
            frames.push(match &self.origin {
                None => frame,
                Some((name, says)) => {
                    if frame.has(name) {
                        return Err(Failure::new(format!(
                            "`{}` already has a column `{name}`, which `concat` adds",
                            self.from[at]
                        ))
                        .hint("call the new one otherwise: `origin = \"stage\"`"));
                    }
                    let says = std::iter::repeat_n(says[at].as_str(), frame.rows());
                    frame.with_column(name, ColumnData::text(says))?
                }
            });
        }
        Ok(Output {
            counts: Counts {
                relation: Some(Relation::Concat(origins)),
                ..Counts::default()
            },
            ..Output::of(Frame::stack(&frames)?)
        })
    }

    /// A table with the columns that are wanted of it.
    fn wanted(&self, at: usize, frame: &Frame) -> Result<Frame, Failure> {
        let uneven: Vec<&str> = self.uneven.iter().map(String::as_str).collect();
        let frame = frame.without(&uneven);
        if self.columns.is_empty() {
            return Ok(frame);
        }
        for name in &self.columns {
            frame.column(name).map_err(|error| {
                let hint = format!("the columns come from `{}`", self.from[at]);
                Failure::from(error).hint(hint)
            })?;
        }
        let kept = self.kept(|name| frame.has(name));
        with_behind(&frame, &kept)
    }

    /// The columns that are kept of a table that has some: those wanted with their reasons, and axes.
    fn kept(&self, has: impl Fn(&str) -> bool) -> Vec<String> {
        let mut kept: Vec<String> = self.columns.clone();
        let reasons = self.columns.iter().map(|name| reason_column(name));
        let axes = self.axes.iter().filter(|axis| !self.uneven.contains(axis));
        for name in reasons.chain(axes.cloned()) {
            if has(&name) && !kept.contains(&name) {
                kept.push(name);
            }
        }
        kept
    }

    /// Refuses columns that only some tables have; a column of reasons is there only where something is absent.
    fn same_columns(&self, tables: &[(usize, Frame)]) -> Result<(), Failure> {
        let names = |frame: &Frame| -> BTreeSet<String> {
            frame.names().into_iter().map(str::to_owned).collect()
        };
        let all: Vec<(usize, BTreeSet<String>)> = tables
            .iter()
            .map(|(at, frame)| (*at, names(frame)))
            .collect();
        match self.uncommon(&all) {
            None => Ok(()),
            Some((message, help)) => Err(Failure::new(message).hint(help)),
        }
    }

    /// A column that some tables have and others lack, and what to do about it.
    fn uncommon(&self, tables: &[(usize, BTreeSet<String>)]) -> Option<(String, String)> {
        let all: BTreeSet<&String> = tables.iter().flat_map(|(_, names)| names).collect();
        let reasons: BTreeSet<String> = all.iter().map(|name| reason_column(name)).collect();
        // What is behind values is said where there is something to say.
        let says = ["behind", "lacks", NOT_APPLICABLE];
        let may_lack = |name: &str| reasons.contains(name) || says.contains(&name);
        let lacking = tables.iter().find_map(|(at, names)| {
            let lacking = all.iter().filter(|name| !names.contains(**name));
            let lacking: Vec<&&String> = lacking.filter(|name| !may_lack(name)).collect();
            (!lacking.is_empty()).then_some((at, lacking))
        });
        let (at, lacking) = lacking?;
        let has = tables.iter().find(|(_, names)| names.contains(*lacking[0]));
        let other = has.map_or_else(String::new, |(other, _)| self.from[*other].to_string());
        let common = all.iter().filter(|name| {
            tables.iter().all(|(_, names)| names.contains(**name)) && !reasons.contains(**name)
        });
        let common: Vec<String> = common.map(|name| format!("\"{name}\"")).collect();
        Some((
            format!(
                "`{}` has no {}, which `{other}` has",
                self.from[*at],
                list_of(&lacking)
            ),
            match common.as_slice() {
                [] => "they have no column in common".to_owned(),
                common => format!(
                    "name the columns wanted; all have `columns = [{}]`",
                    common.join(", ")
                ),
            },
        ))
    }

    /// Refuses columns that hold one thing here and another there; numbers are numbers.
    fn same_types(&self, tables: &[(usize, Frame)]) -> Result<(), Failure> {
        let sort = |kind: &'static str| match kind {
            "whole numbers" => "numbers",
            kind => kind,
        };
        let mut seen: std::collections::BTreeMap<String, (usize, &'static str)> =
            std::collections::BTreeMap::new();
        for (at, frame) in tables {
            for name in frame.names() {
                let column = frame.column(name)?;
                if (0..column.len()).all(|row| column.lacks(row)) {
                    continue;
                }
                let kind = sort(column.kind());
                let (other, first) = *seen.entry(name.to_owned()).or_insert((*at, kind));
                if first != kind {
                    return Err(Failure::new(mixed(
                        name,
                        (&self.from[other], first),
                        (&self.from[*at], kind),
                    ))
                    .hint(MIXED));
                }
            }
        }
        Ok(())
    }
}

/// That a column holds one thing here and another there.
fn mixed(name: &str, one: (&StageName, &str), two: (&StageName, &str)) -> String {
    format!(
        "`{name}` of `{}` holds {}, and of `{}` {}",
        one.0, one.1, two.0, two.1
    )
}

/// What to do about it.
const MIXED: &str =
    "rename one of the two in a `derive` stage, or leave the column out with `columns`";
