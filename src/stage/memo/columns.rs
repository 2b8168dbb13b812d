//! Which columns of the judges' rows say something of the document, and what they say.

use indexmap::IndexSet;

use super::Memo;
use super::gather::Gathered;
use crate::base::failure::Failure;
use crate::frame::{Frame, Scalar};
use crate::stage::{RESERVED, SPLIT_COLUMNS};

/// A column that says one thing of each document.
pub(super) struct Kept {
    pub(super) name: String,
    cells: Vec<Scalar>,
}

impl Kept {
    /// What it says of a document.
    pub(super) fn of(&self, document: usize) -> Scalar {
        self.cells[document].clone()
    }

    /// What it says of every document, if it is the same: an axis's value.
    pub(super) fn everywhere(&self) -> Scalar {
        match self.cells.split_first() {
            Some((first, rest)) if rest.iter().all(|cell| cell == first) => first.clone(),
            _ => Scalar::Null,
        }
    }
}

/// The columns of the judges that have one value in all rows of each document, in their order.
pub(super) fn of_documents(
    memo: &Memo,
    key: &[String],
    judges: &[&Frame],
    gathered: &Gathered<'_>,
) -> Result<Vec<Kept>, Failure> {
    let names: IndexSet<&str> = judges.iter().flat_map(|frame| frame.names()).collect();
    let of_rows = |name: &str| {
        let others = memo.of_sections.iter().chain(&memo.summaries);
        let mut others = others
            .map(String::as_str)
            .chain([memo.section.as_str(), "text"]);
        RESERVED.contains(&name)
            || SPLIT_COLUMNS.contains(&name)
            || others.any(|other| other == name)
    };
    let mut kept = Vec::new();
    for name in names {
        if of_rows(name) && !key.iter().any(|known| known == name) {
            continue;
        }
        let columns = judges.iter().map(|frame| {
            let there = frame.has(name).then(|| frame.column(name));
            there.transpose()
        });
        let columns = columns.collect::<Result<Vec<_>, _>>()?;
        let cells: Option<Vec<Scalar>> = gathered
            .documents
            .iter()
            .map(|document| {
                let cells = document.rows.iter().filter_map(|&(judge, row)| {
                    let column = columns[judge].as_ref()?;
                    Some(column.scalar(row))
                });
                one(cells)
            })
            .collect();
        if let Some(cells) = cells {
            let name = name.to_owned();
            kept.push(Kept { name, cells });
        }
    }
    Ok(kept)
}

/// The one value that all cells have; absent, where there are no cells.
fn one(mut cells: impl Iterator<Item = Scalar>) -> Option<Scalar> {
    let Some(first) = cells.next() else {
        return Some(Scalar::Null);
    };
    cells.all(|cell| cell == first).then_some(first)
}
