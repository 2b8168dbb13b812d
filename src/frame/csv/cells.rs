//! What cells of csv are read as.
//!
//! Types are inferred strictly: a column is of whole numbers only if every cell reads back as written, and of numbers only if
//! all are plain decimals, so that an id such as `007` or one of twenty digits stays text and nothing is renamed silently.

use crate::frame::ColumnData;

/// What the cells of a column have in common, as far as they were seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sort {
    /// Some hold something.
    some: bool,
    whole: bool,
    /// Whether all are numbers; and whether some of them have a point or an exponent.
    number: Option<bool>,
    truth: bool,
}

impl Default for Sort {
    fn default() -> Self {
        Self {
            some: false,
            whole: true,
            number: Some(false),
            truth: true,
        }
    }
}

impl Sort {
    /// Adds a cell; an empty one says nothing.
    pub(super) fn add(&mut self, cell: &str) {
        if cell.is_empty() {
            return;
        }
        self.some = true;
        self.whole = self.whole && whole(cell).is_some();
        self.number = self.number.and_then(|decimal| {
            number(cell)?;
            Some(decimal || cell.contains(['.', 'e', 'E']))
        });
        self.truth = self.truth && truth(cell).is_some();
    }

    /// Adds other cells of the column.
    pub(super) fn join(&mut self, other: Self) {
        self.some |= other.some;
        self.whole &= other.whole;
        self.number = self.number.zip(other.number).map(|(a, b)| a || b);
        self.truth &= other.truth;
    }

    /// Whether all are empty.
    pub(super) fn is_empty(self) -> bool {
        !self.some
    }

    /// What they are read as; without any, or if they are to stay so, as text.
    pub(super) fn kind(self, as_text: bool) -> Kind {
        if as_text || !self.some {
            Kind::Text
        } else if self.whole {
            Kind::Whole
        } else if self.number == Some(true) {
            Kind::Number
        } else if self.truth {
            Kind::Truth
        } else {
            Kind::Text
        }
    }
}

/// What the cells of a column are read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Whole,
    Number,
    Truth,
}

impl Kind {
    /// The cells as this.
    pub(super) fn column(self, cells: Vec<Option<String>>) -> ColumnData {
        fn all<T>(cells: &[Option<String>], read: fn(&str) -> Option<T>) -> Vec<Option<T>> {
            cells.iter().map(|cell| read(cell.as_deref()?)).collect()
        }
        match self {
            Self::Text => ColumnData::Text(cells),
            Self::Whole => ColumnData::Int(all(&cells, whole)),
            Self::Number => ColumnData::Float(all(&cells, number)),
            Self::Truth => ColumnData::Bool(all(&cells, truth)),
        }
    }
}

/// A whole number that reads back as it is written; zero has no sign.
fn whole(cell: &str) -> Option<i64> {
    let cell = if cell == "-0" { "0" } else { cell };
    let value: i64 = cell.parse().ok()?;
    (value.to_string() == cell).then_some(value)
}

fn truth(cell: &str) -> Option<bool> {
    cell.parse().ok()
}

/// Decimal numbers: digits on both sides of one point, no padding zeros in front; `1.50` counts. Behind them may stand an
/// exponent with its sign, as programs write small and large numbers: `2e-05`. Without a sign it may be a name: `12e5`.
fn number(cell: &str) -> Option<f64> {
    let digits = cell.strip_prefix('-').unwrap_or(cell);
    let (digits, power) = match digits.split_once(['e', 'E']) {
        Some((digits, power)) => (digits, Some(power.strip_prefix(['-', '+'])?)),
        None => (digits, None),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let plain = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let padded = whole.len() > 1 && whole.starts_with('0');
    // More digits than a double has would come back as others.
    let exact = whole.len() <= 15 && (whole.len() + fraction.len() <= 15 || cell.contains('.'));
    if !(plain(whole) && plain(fraction) && power.is_none_or(plain) && !padded && exact) {
        return None;
    }
    cell.parse().ok().filter(|value: &f64| value.is_finite())
}
