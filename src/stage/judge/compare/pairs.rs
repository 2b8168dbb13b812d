//! The pairs of a table: which texts are compared, and what there is instead of one that is absent.

use std::collections::BTreeMap;

use indexmap::IndexSet;

use super::{AcrossRows, Compare, Contenders, TIE};
use crate::base::failure::Failure;
use crate::base::wording::{list_of, nearest};
use crate::frame::{Frame, FrameError};
use crate::stage::keys::{difference, named, no_key};

/// Two texts that are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    /// The row that columns are taken over from.
    pub(super) row: usize,
    /// The two, the one first whose win the score counts.
    pub(super) sides: [Side; 2],
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Side {
    pub(super) name: String,
    /// Where its text stands; nothing, where the contender has no row.
    pub(super) row: Option<usize>,
}

impl Compare {
    /// The pairs, in the order of the rows, and of contenders in that in which they first appear.
    ///
    /// # Errors
    /// As [`AcrossRows::pairs`].
    pub(super) fn pairs(&self, input: &Frame) -> Result<Vec<Pair>, Failure> {
        match &self.of {
            Contenders::Columns(names) => {
                let pair = |row| Pair {
                    row,
                    sides: names.clone().map(|name| Side {
                        name,
                        row: Some(row),
                    }),
                };
                Ok((0..input.rows()).map(pair).collect())
            }
            Contenders::Rows(across) => across.pairs(input),
        }
    }
}

impl AcrossRows {
    /// The pairs of each group of rows.
    ///
    /// # Errors
    /// A contender without a name or with two rows in a group, a baseline that no row has, fewer than two contenders.
    fn pairs(&self, input: &Frame) -> Result<Vec<Pair>, Failure> {
        no_key(input, &self.by)?;
        let names = input.column(&self.between)?;
        let mut contenders: IndexSet<String> = IndexSet::new();
        for row in 0..input.rows() {
            let Some(name) = names.text(row) else {
                let message = format!("row {} has no `{}`", row + 1, self.between);
                return Err(Failure::new(message)
                    .hint("`between` names the column that says whose text a row has"));
            };
            contenders.insert(name.into_owned());
        }
        if input.rows() > 0 {
            self.check(&contenders)?;
        }
        let groups = input.groups(&self.by)?;
        let mut pairs = Vec::new();
        for group in 0..groups.len() {
            let mut rows: BTreeMap<String, usize> = BTreeMap::new();
            let mut first = None;
            for row in groups.rows(group) {
                let name = names.text(row).unwrap_or_default().into_owned();
                first.get_or_insert(row);
                if let Some(other) = rows.insert(name.clone(), row) {
                    return Err(self.twice(input, &name, [other, row])?);
                }
            }
            let Some(first) = first else { continue };
            self.same(input, &groups.rows(group))?;
            let side = |name: &String| Side {
                name: name.clone(),
                row: rows.get(name).copied(),
            };
            let pair = |one, other| Pair {
                row: first,
                sides: [side(one), side(other)],
            };
            match &self.baseline {
                Some(baseline) => {
                    let others = contenders.iter().filter(|name| *name != baseline);
                    pairs.extend(others.map(|name| pair(name, baseline)));
                }
                None => {
                    for (at, one) in contenders.iter().enumerate() {
                        let others = contenders.iter().skip(at + 1);
                        pairs.extend(others.map(|other| pair(one, other)));
                    }
                }
            }
        }
        Ok(pairs)
    }

    /// Sees that there is somebody to compare.
    fn check(&self, contenders: &IndexSet<String>) -> Result<(), Failure> {
        let all: Vec<&str> = contenders.iter().map(String::as_str).collect();
        if contenders.contains(TIE) {
            let message =
                format!("a contender is called `{TIE}`, which is what no choice is called");
            let hint = format!("give it another name in `{}`", self.between);
            return Err(Failure::new(message).hint(hint));
        }
        if let Some(baseline) = self
            .baseline
            .as_ref()
            .filter(|name| !contenders.contains(*name))
        {
            let failure = Failure::new(format!("no row has `{}` = `{baseline}`", self.between));
            return Err(failure.hint(match nearest(baseline, &all) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("`baseline` is one of {}", list_of(&all)),
            }));
        }
        if let [only] = all.as_slice() {
            let failure = Failure::new(format!(
                "all rows have `{}` = `{only}`, so there is nobody to compare it with",
                self.between
            ));
            return Err(failure.hint(format!(
                "put the rows of several into one table: `concat` with `over = \"{}\"`, if that is an axis",
                self.between
            )));
        }
        Ok(())
    }

    /// Two rows of one contender.
    fn twice(&self, input: &Frame, name: &str, rows: [usize; 2]) -> Result<Failure, FrameError> {
        let [one, other] = rows.map(|row| row + 1);
        let failure = Failure::new(format!(
            "rows {one} and {other} are both of `{name}` ({})",
            named(input, &self.by, rows[0])?
        ));
        Ok(failure.hint("name in `by` the columns that tell them apart"))
    }

    /// Sees that the columns that are kept are the same in all rows of a group.
    fn same(
        &self,
        input: &Frame,
        rows: &(impl Iterator<Item = usize> + Clone),
    ) -> Result<(), Failure> {
        for name in &self.columns {
            if let Some(difference) = difference(input, name, &self.by, rows.clone())? {
                let message =
                    format!("`{name}` differs between rows that are compared: {difference}");
                return Err(Failure::new(message).hint(format!(
                    "name it in `by`, or leave it out: a prompt shows one `{name}` beside both texts"
                )));
            }
        }
        Ok(())
    }
}
