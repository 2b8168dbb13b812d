//! `join`: puts rows of two tables together whose keys are equal.
//!
//! Nothing is matched by position: rows that belong together are found by the columns named, and by the axes that reach
//! both sides. What a row of the left table does not find is absent and says so.

mod brought;
mod check;
mod contract;
mod raw;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use self::brought::Brought;
use crate::base::failure::Failure;
use crate::base::wording::{list_of, shorten, thousands};
use crate::frame::{ColumnData, Frame, FrameError, MOST_PAIRS, Pairs, Unpaired};
use crate::stage::inputs::Inputs;
use crate::stage::keys::no_key;
use crate::stage::relation::{Joined, Unmatched};
use crate::stage::stats::{Beside, says_behind};
use crate::stage::{Counts, Output, Relation, StageName, passed_on, reason_column, why_absent};

/// Puts rows of two tables together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Join {
    /// The stage on the left.
    #[serde(skip)]
    pub from: StageName,
    /// The stage on the right, which reasons name.
    #[serde(serialize_with = "as_text")]
    pub with: StageName,
    /// The columns that must be equal, on the left and on the right.
    pub on: Vec<(String, String)>,
    /// What becomes of rows without a match.
    pub how: How,
    /// The columns that come from the right, with their names there; all that are no keys, if none are named.
    pub columns: Option<Vec<(String, String)>>,
    /// Whether a row may have several matches.
    pub many: bool,
    /// The axes that reach the right side: their columns are those of the left, or of the stage itself.
    pub axes: Vec<String>,
    /// Of these, the axes that do not reach the left side.
    #[serde(skip)]
    pub alone: Vec<String>,
}

/// What becomes of rows without a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// Rows of the left table stay.
    #[default]
    Left,
    /// They are left out.
    Inner,
    /// They alone stay.
    Anti,
    /// There is no key: every row is put together with every other.
    Cross,
}

impl How {
    /// As it is written.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Inner => "inner",
            Self::Anti => "anti",
            Self::Cross => "cross",
        }
    }
}

fn as_text<S: Serializer>(name: &StageName, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(name)
}

impl Join {
    /// The columns that come from a right side with these columns.
    fn brought(&self, right: &[&str]) -> Vec<Brought> {
        if self.how == How::Anti {
            return Vec::new();
        }
        let is_key = |name: &str| self.on.iter().any(|(_, there)| there == name);
        let is_axis = |name: &str| self.axes.iter().any(|axis| axis == name);
        let left_out = |name: &str| is_key(name) || is_axis(name);
        brought::brought(self.columns.as_ref(), left_out, right)
    }

    fn put_together(&self, inputs: &Inputs) -> Result<Output, Failure> {
        let tables = inputs.all();
        let left = inputs.one()?;
        let right = tables.last().copied().unwrap_or(left);
        self.join(left, right)
    }

    /// The rows of both tables that belong together.
    ///
    /// # Errors
    /// A column that is not there, keys of lists or of different types, two rows on the right with one key, two columns of
    /// one name, more pairs than [`MOST_PAIRS`].
    pub fn join(&self, left: &Frame, right: &Frame) -> Result<Output, Failure> {
        let brought = self.brought(&right.names());
        for one in &brought {
            right.column(&one.old).map_err(|error| {
                let hint = format!("the columns come from `{}`", self.with);
                Failure::from(error).hint(hint)
            })?;
        }
        if let Some(clash) = self.clash(&brought, |name| left.has(name)) {
            return Err(Failure::new(clash.message).hint(clash.help));
        }
        let pairs = self.pairs(left, right)?;
        let counts = self.counted(&pairs, left, right);
        let mut warnings = Vec::new();
        let none = counts.matched == 0 && counts.left > 0 && counts.right > 0;
        if none && matches!(self.how, How::Left | How::Inner) {
            warnings.push(format!("no row has a match in `{}`", self.with));
        }
        let frame = match self.how {
            How::Anti => {
                let alone = pairs.left.iter().zip(&pairs.right);
                let alone = alone.filter(|(_, partner)| partner.is_none());
                left.take(&alone.map(|(row, _)| *row).collect::<Vec<_>>())?
            }
            _ => self.beside(left, right, &pairs, &brought)?,
        };
        let rows = frame.rows() as u64;
        let relation = Relation::Join(Joined { rows, ..counts });
        Ok(Output {
            counts: Counts {
                relation: Some(relation),
                ..Counts::default()
            },
            warnings,
            ..Output::of(frame)
        })
    }

    /// Which rows belong together. Of an inner join those without a partner are left out already.
    fn pairs(&self, left: &Frame, right: &Frame) -> Result<Pairs, Failure> {
        if self.how == How::Cross {
            let rows = left.rows().saturating_mul(right.rows());
            if rows > MOST_PAIRS {
                return Err(self.too_many(rows, left, right));
            }
            let (here, there) = (0..left.rows(), right.rows());
            return Ok(Pairs {
                left: here
                    .clone()
                    .flat_map(|row| std::iter::repeat_n(row, there))
                    .collect(),
                right: here.flat_map(|_| (0..there).map(Some)).collect(),
            });
        }
        no_key(left, self.on.iter().map(|(here, _)| here))?;
        no_key(right, self.on.iter().map(|(_, there)| there))?;
        let unique = !self.many && self.how != How::Anti;
        let mut pairs = left
            .pairs(right, &self.on, unique)
            .map_err(|unpaired| self.refused(unpaired, left, right))?;
        if self.how == How::Inner {
            let both = pairs.left.into_iter().zip(pairs.right);
            (pairs.left, pairs.right) = both.filter(|(_, partner)| partner.is_some()).unzip();
        }
        Ok(pairs)
    }

    /// Why rows cannot be put together, in words.
    fn refused(&self, unpaired: Unpaired, left: &Frame, right: &Frame) -> Failure {
        match unpaired {
            Unpaired::Frame(error) => Failure::from(error).hint(format!(
                "`on` names columns of `{}` and of `{}`",
                self.from, self.with
            )),
            Unpaired::TooMany(pairs) => self.too_many(pairs, left, right),
            Unpaired::Types(at, one, two) => {
                let (here, there) = &self.on[at];
                Failure::new(format!(
                    "`{here}` of `{}` holds {one}, and `{there}` of `{}` {two}, which are never equal",
                    self.from, self.with
                ))
                .hint("let both hold the same: compute one of them anew in a `derive` stage")
            }
            Unpaired::Twice(first, second) => Failure::new(format!(
                "two rows of `{}` have the same key: {}",
                self.with,
                self.two_rows(right, first, second)
            ))
            .hint("name what distinguishes them in `on`, make one row of them in a `group` stage, or write `many = true` to have a row for each"),
        }
    }

    /// That more rows belong together than a table can have.
    fn too_many(&self, pairs: usize, left: &Frame, right: &Frame) -> Failure {
        let shown = |n: usize, noun: &str| format!("{} {noun}", thousands(n as u64));
        Failure::new(format!(
            "{} of `{}` and {} of `{}` make {}, and a join may have {}",
            shown(left.rows(), "rows"),
            self.from,
            shown(right.rows(), "rows"),
            self.with,
            shown(pairs, "pairs"),
            thousands(MOST_PAIRS as u64)
        ))
        .hint(match self.how {
            How::Cross => "keep fewer rows of one of them in a `select` stage before, or name columns that must be equal: `on = [\"doc_id\"]`",
            _ => "name what distinguishes rows of one key in `on`, or make one row of them in a `group` stage before",
        })
    }

    /// Two rows with one key, as messages show them: the key, and the first columns in which they differ.
    fn two_rows(&self, right: &Frame, first: usize, second: usize) -> String {
        const SHOWN: usize = 3;
        let keys = keys_of(right, self.on.iter().map(|(_, name)| name), first);
        let names = right.names();
        let differing: Vec<&&str> = names
            .iter()
            .filter(|name| cell(right, name, first) != cell(right, name, second))
            .take(SHOWN)
            .collect();
        let shown = |row: usize| {
            let cells = differing
                .iter()
                .map(|name| format!("{name} = {}", cell(right, name, row)));
            let cells: Vec<String> = cells.collect();
            let cells = cells.join(", ");
            match cells.as_str() {
                "" => format!("row {}", row + 1),
                cells => format!("row {} ({cells})", row + 1),
            }
        };
        format!("{keys}: {} and {}", shown(first), shown(second))
    }

    /// The keys of rows of both tables that have no partner, as messages show them.
    pub(crate) fn lonely(&self, left: &Frame, right: &Frame) -> (Vec<String>, Vec<String>) {
        if self.how == How::Cross {
            return (Vec::new(), Vec::new());
        }
        let Ok(pairs) = left.pairs(right, &self.on, false) else {
            return (Vec::new(), Vec::new());
        };
        let used: BTreeSet<usize> = pairs.right.iter().flatten().copied().collect();
        let partners = pairs.left.iter().zip(&pairs.right);
        let here = partners.filter(|(_, partner)| partner.is_none());
        let here = here.map(|(row, _)| keys_of(left, self.on.iter().map(|(one, _)| one), *row));
        let there = (0..right.rows()).filter(|row| !used.contains(row));
        let there = there.map(|row| keys_of(right, self.on.iter().map(|(_, two)| two), row));
        (here.collect(), there.collect())
    }

    fn counted(&self, pairs: &Pairs, left: &Frame, right: &Frame) -> Joined {
        let mut found = vec![false; left.rows()];
        let mut used = vec![false; right.rows()];
        for (&row, partner) in pairs.left.iter().zip(&pairs.right) {
            if let Some(partner) = *partner {
                found[row] = true;
                used[partner] = true;
            }
        }
        let many = |which: &[bool], is: bool| which.iter().filter(|one| **one == is).count() as u64;
        Joined {
            with: self.with.to_string(),
            left: left.rows() as u64,
            matched: many(&found, true),
            right: right.rows() as u64,
            unused: many(&used, false),
            rows: 0,
            unmatched: match self.how {
                How::Left => Unmatched::Stay,
                How::Inner => Unmatched::Go,
                How::Anti => Unmatched::Alone,
                How::Cross => Unmatched::Never,
            },
        }
    }

    /// The rows of the left table with what comes from the right.
    fn beside(
        &self,
        left: &Frame,
        right: &Frame,
        pairs: &Pairs,
        brought: &[Brought],
    ) -> Result<Frame, Failure> {
        let once = pairs.left.iter().copied().eq(0..left.rows());
        let mut frame = if once {
            left.clone()
        } else {
            left.take(&pairs.left)?
        };
        let mut wanted: Vec<String> = brought.iter().map(|one| one.old.clone()).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let taken = right.select(&wanted)?.take_or_absent(&pairs.right)?;
        for one in brought {
            frame = frame.with_column_of(&one.new, &taken, &one.old)?;
        }
        frame = self.reasons(frame, left, pairs, brought)?;
        with_both(frame, left, right, pairs, brought)
    }

    /// The rows with the reasons why nothing comes from the right, where there is no partner.
    fn reasons(
        &self,
        frame: Frame,
        left: &Frame,
        pairs: &Pairs,
        brought: &[Brought],
    ) -> Result<Frame, Failure> {
        if pairs.right.iter().all(Option::is_some) {
            return Ok(frame);
        }
        let keys = self.on.iter().map(|(name, _)| left.column(name));
        let keys = keys.collect::<Result<Vec<_>, FrameError>>()?;
        let none = format!("no match in `{}`", self.with);
        let why = |row: usize| match keys.iter().position(|key| key.lacks(row)) {
            Some(at) => without_key(left, &self.on[at].0, row),
            None => none.clone(),
        };
        let reasons = pairs.left.iter().zip(&pairs.right);
        let reasons: Vec<Option<String>> = reasons
            .map(|(&row, partner)| partner.is_none().then(|| why(row)))
            .collect();
        say_why(frame, brought, &reasons)
    }
}

/// The rows with what is behind the values of both sides.
fn with_both(
    mut frame: Frame,
    left: &Frame,
    right: &Frame,
    pairs: &Pairs,
    brought: &[Brought],
) -> Result<Frame, Failure> {
    // Entries of the left alone stand in its rows already.
    if !says_behind(|name| right.has(name)) && !left.has("reasons") {
        return Ok(frame);
    }
    let here: Vec<Option<usize>> = pairs.left.iter().copied().map(Some).collect();
    let mut beside = Beside::of(left)?.take(&here);
    let values = || brought.iter().filter(|one| !one.is_reason);
    let names = values().map(|one| (one.new.as_str(), one.old.as_str()));
    let there = Beside::of(right)?.under(names).take(&pairs.right);
    beside.merge(there);
    for one in values() {
        frame = beside.explain(frame, &one.new)?;
        beside.is_single(&frame, &one.new)?;
    }
    beside.add(frame)
}

/// Why a row of the left table has no partner, whose key is absent.
fn without_key(left: &Frame, name: &str, row: usize) -> String {
    let why = why_absent(left, name, row);
    passed_on(name, why.as_deref().unwrap_or("no value"))
}

/// Says beside every column from the right why it is empty where there was no partner.
fn say_why(
    frame: Frame,
    brought: &[Brought],
    reasons: &[Option<String>],
) -> Result<Frame, Failure> {
    const ALONE: &str = "reason";
    let alone = Frame::new(vec![(ALONE.to_owned(), ColumnData::Text(reasons.to_vec()))])?;
    let mut frame = frame;
    for one in brought.iter().filter(|one| !one.is_reason) {
        let beside = reason_column(&one.new);
        if !frame.has(&beside) {
            frame = frame.with_column_of(&beside, &alone, ALONE)?;
            continue;
        }
        let own = frame.column(&beside)?;
        // A column of that name that holds something else is no place for reasons.
        if !["text", "no values"].contains(&own.kind()) {
            continue;
        }
        let both = reasons.iter().enumerate().map(|(row, why)| {
            let own = own.text(row).map(std::borrow::Cow::into_owned);
            own.or_else(|| why.clone())
        });
        let both = ColumnData::Text(both.collect());
        frame = frame.with_column(&beside, both)?;
    }
    Ok(frame)
}

/// The key of a row, as messages show it.
fn keys_of<'n>(frame: &Frame, names: impl Iterator<Item = &'n String>, row: usize) -> String {
    let keys = names.map(|name| format!("{name} = {}", cell(frame, name, row)));
    keys.collect::<Vec<_>>().join(", ")
}

/// A cell as messages show it.
fn cell(frame: &Frame, name: &str, row: usize) -> String {
    let column = frame.column(name).ok();
    let text = column.and_then(|column| column.text(row).map(std::borrow::Cow::into_owned));
    text.map_or_else(|| "—".to_owned(), |text| shorten(&text, 40))
}

/// Two columns of one name, and what to do about it.
struct Clash {
    message: String,
    help: String,
}

impl Join {
    /// Columns from the right that the left has too.
    fn clash(&self, brought: &[Brought], has: impl Fn(&str) -> bool) -> Option<Clash> {
        let both = brought.iter().filter(|one| has(&one.new));
        let names: Vec<&str> = both.clone().map(|one| one.new.as_str()).collect();
        // What is wanted is most probably what was measured.
        let is_value = |one: &&Brought| ["score", "value"].contains(&one.old.as_str());
        let first = both
            .clone()
            .find(is_value)
            .or(both.clone().find(|one| !one.is_reason))
            .or(both.clone().next())?;
        Some(Clash {
            message: format!(
                "both `{}` and `{}` have {}",
                self.from,
                self.with,
                list_of(&names)
            ),
            help: format!(
                "name the columns that come from `{}`, those under another name: `columns = {{ {}_{} = \"{}\" }}`",
                self.with, self.with.name, first.new, first.old
            ),
        })
    }
}
