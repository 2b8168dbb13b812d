//! Comparisons: a judge reads two texts in one prompt, of one row or of two, in one order or in both.
//!
//! What it is asked about are pairs: a row for each two contenders and each order, with the texts under the names by which
//! the template shows them. Which contender a reply speaks of follows from the order.

pub(super) mod check;
mod columns;
mod pairs;
mod raw;
mod rows;
#[cfg(test)]
mod tests;
mod verdict;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) use self::columns::shown;
pub(super) use self::raw::RawCompare;
pub(super) use self::verdict::Chosen;

/// The variables by which a template shows the two texts, in the order in which they are shown.
pub(crate) const SHOWN: [&str; 2] = ["first", "second"];

/// The column that says whose win the score counts, and the one with the other.
pub(crate) const CONTENDER: &str = "contender";
pub(crate) const OPPONENT: &str = "opponent";

/// The column that says in which order they were shown.
pub(crate) const ORDER: &str = "order";

/// The columns of a choice: who was chosen, and where in the prompt that one stood.
pub(crate) const CHOICE: &str = "choice";
pub(crate) const POSITION: &str = "position";

/// The columns that pairs have, whatever their rows had.
pub(crate) const MADE: [&str; 5] = [SHOWN[0], SHOWN[1], CONTENDER, OPPONENT, ORDER];

/// What stands there where neither was chosen.
pub(crate) const TIE: &str = "tie";

/// Two texts that a judge compares.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compare {
    /// Where they stand.
    #[serde(flatten)]
    pub of: Contenders,
    /// In which order they are shown.
    pub orders: Orders,
    /// Whether the reply says which of the two is chosen, so that the score is that of a contender and not of the pair.
    pub chooses: bool,
}

/// Where the texts stand.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Contenders {
    /// In two columns of a row; these are the names of the contenders.
    Columns([String; 2]),
    /// In one column of several rows.
    Rows(AcrossRows),
}

/// Texts of one column that are compared with each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AcrossRows {
    /// The column with the texts.
    pub column: String,
    /// The column whose values are the contenders.
    pub between: String,
    /// The columns in which compared rows must agree.
    pub by: Vec<String>,
    /// Other columns that prompts show or results keep; the same in all rows that are compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// The contender with whom all others are compared; without one, each is with every other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// The axes that reach the stage: the same in all rows.
    #[serde(skip)]
    pub axes: Vec<String>,
}

/// In which order two texts are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Orders {
    /// Both orders, in a call each.
    #[default]
    Both,
    /// The contender first, then the opponent.
    Given,
    /// The opponent first.
    Swapped,
    /// One of the two, which is drawn for each pair.
    Drawn,
}

/// An order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The contender stands first.
    Given,
    /// The opponent does.
    Swapped,
}

impl Order {
    /// As the column has it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Swapped => "swapped",
        }
    }

    /// The order that a cell names.
    pub(crate) fn of(word: &str) -> Self {
        match word {
            "swapped" => Self::Swapped,
            _ => Self::Given,
        }
    }
}

impl AcrossRows {
    /// The columns that pairs keep of their rows.
    fn kept(&self) -> impl Iterator<Item = &String> {
        self.axes.iter().chain(&self.by).chain(&self.columns)
    }
}

impl Compare {
    /// The columns that it adds to its results.
    pub(crate) fn adds(&self) -> impl Iterator<Item = &'static str> {
        [CHOICE, POSITION].into_iter().filter(|_| self.chooses)
    }

    /// How many pairs are asked about for each row, where that does not depend on the rows.
    pub(crate) fn for_each(&self) -> Option<u64> {
        match (&self.of, self.orders) {
            (Contenders::Rows(_), _) => None,
            (Contenders::Columns(_), Orders::Both) => Some(2),
            (Contenders::Columns(_), _) => Some(1),
        }
    }

    /// Whether the order depends on the seed.
    pub(crate) fn draws(&self) -> bool {
        self.orders == Orders::Drawn
    }
}
