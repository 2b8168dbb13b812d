//! Who said what of which item, and the list of categories.

use std::collections::{BTreeMap, BTreeSet};

use super::super::read::{choice, names};
use super::super::{Cell, Code, Data, NoValue, Role, Settings};
use crate::stats::StatsError;
use crate::stats::agreement::{Ratings, Weights};

/// The longest scale of whole numbers that is taken for a list of categories.
const LONGEST_SCALE: f64 = 1_000.0;

/// What a reference is called among raters.
pub(super) const REFERENCE: &str = "reference";

/// Ratings item by item; items and raters are in the order of their names, so that the order of rows does not matter.
pub(super) struct Gathered {
    /// Of each item, the raters and what they said.
    pub(super) items: Vec<BTreeMap<usize, Cell>>,
    /// The raters who said something.
    pub(super) raters: Vec<String>,
    /// Which of them is the reference.
    pub(super) reference: Option<usize>,
}

impl Gathered {
    /// Takes rows apart: those of raters in long form, to whom a reference comes as one rater more; or, without raters, the
    /// values and references of rows as two raters.
    pub(super) fn read(data: &Data) -> Result<Result<Self, NoValue>, StatsError> {
        let columns = [Role::Rater, Role::Reference].map(|role| data.column(role).is_some());
        match columns {
            [true, _] if data.column(Role::Item).is_none() => Err(StatsError::NoColumn {
                columns: "`over`, which tells items apart",
            }),
            [true, _] => Ok(Self::of_raters(data)),
            [false, true] => Ok(Ok(Self::of_columns(data))),
            [false, false] => Err(StatsError::NoColumn {
                columns: "`raters` or `reference`",
            }),
        }
    }

    fn of_columns(data: &Data) -> Self {
        let items = (0..data.len()).map(|row| {
            let said = [Role::Value, Role::Reference].map(|role| data.cell(role, row));
            let said = said.into_iter().cloned().enumerate();
            said.filter(|(_, cell)| !cell.is_absent()).collect()
        });
        let items: Vec<BTreeMap<usize, Cell>> = items.collect();
        let names = ["value", REFERENCE].into_iter().enumerate();
        let said = |rater: &usize| items.iter().any(|item| item.contains_key(rater));
        let raters: Vec<_> = names.filter(|(rater, _)| said(rater)).collect();
        let place = |rater: usize| raters.iter().position(|(other, _)| *other == rater);
        Self {
            reference: place(1),
            raters: raters.iter().map(|(_, name)| (*name).to_owned()).collect(),
            items: renumbered(items, place),
        }
    }

    fn of_raters(data: &Data) -> Result<Self, NoValue> {
        let (items, raters) = (names(data, Role::Item), names(data, Role::Rater));
        // Rows that name no item are counted as items of which nobody said anything.
        let mut nameless = 0;
        let mut said = BTreeMap::<&str, BTreeMap<(bool, &str), &Cell>>::new();
        for row in 0..data.len() {
            let Some(item) = items[row].as_deref() else {
                nameless += 1;
                continue;
            };
            let of_item = said.entry(item).or_default();
            let value = data.cell(Role::Value, row);
            let rater = raters[row].as_deref();
            if rater.is_none() && !value.is_absent() {
                let why = format!("a value of `{item}` names no rater");
                return Err(NoValue::new(Code::Incomplete, why));
            }
            if let Some(rater) = rater.filter(|_| !value.is_absent())
                && of_item.insert((false, rater), value).is_some()
            {
                let why = format!(
                    "`{rater}` has several values of `{item}`; a rater has one of each item"
                );
                return Err(NoValue::new(Code::InvalidParameter, why));
            }
            let reference = data.cell(Role::Reference, row);
            if !reference.is_absent()
                && let Some(other) = of_item.insert((true, REFERENCE), reference)
                && other != reference
            {
                let why = format!("`{item}` has several values of `reference`");
                return Err(NoValue::new(Code::InvalidParameter, why));
            }
        }
        let all: BTreeSet<_> = said.values().flat_map(BTreeMap::keys).copied().collect();
        let places: BTreeMap<_, _> = all.iter().copied().zip(0..).collect();
        let items = said.into_values().map(|of_item| {
            let cells = of_item.into_iter();
            cells
                .map(|(rater, cell)| (places[&rater], cell.clone()))
                .collect()
        });
        Ok(Self {
            items: items.chain(vec![BTreeMap::new(); nameless]).collect(),
            reference: places.get(&(true, REFERENCE)).copied(),
            raters: all.iter().map(|(_, name)| (*name).to_owned()).collect(),
        })
    }

    /// Places labels among the categories.
    pub(super) fn ratings(&self, categories: &Categories) -> Result<Ratings, NoValue> {
        let mut items = Vec::with_capacity(self.items.len());
        for item in &self.items {
            let places = item
                .iter()
                .map(|(&rater, cell)| Ok((rater, categories.place(cell)?)));
            items.push(places.collect::<Result<_, NoValue>>()?);
        }
        Ok(Ratings {
            items,
            raters: self.raters.len(),
            categories: categories.names.len(),
        })
    }

    /// Of each item the numbers that were said; a text is none.
    pub(super) fn numbers(&self) -> Result<Vec<Vec<f64>>, NoValue> {
        let of_item = |item: &BTreeMap<usize, Cell>| item.values().map(Cell::number).collect();
        let numbers: Option<_> = self.items.iter().map(of_item).collect();
        let none = || NoValue::new(Code::InvalidParameter, "the labels are no numbers");
        numbers.ok_or_else(none)
    }

    /// All that was said.
    pub(super) fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.items.iter().flat_map(BTreeMap::values)
    }
}

fn renumbered(
    items: Vec<BTreeMap<usize, Cell>>,
    place: impl Fn(usize) -> Option<usize>,
) -> Vec<BTreeMap<usize, Cell>> {
    let renumber = |item: BTreeMap<usize, Cell>| {
        let cells = item.into_iter();
        cells
            .filter_map(|(rater, cell)| Some((place(rater)?, cell)))
            .collect()
    };
    items.into_iter().map(renumber).collect()
}

/// The categories of labels in their order.
pub(super) struct Categories {
    /// As they are shown.
    pub(super) names: Vec<String>,
    /// Whether their order means something.
    pub(super) ordered: bool,
    places: BTreeMap<String, usize>,
}

impl Categories {
    /// Those that the spec lists; or the whole numbers of its scale, where all values are such; or all that occur, numbers in
    /// their order and texts in that of the alphabet, which means nothing.
    pub(super) fn of<'a>(cells: impl Iterator<Item = &'a Cell>, settings: &Settings) -> Self {
        if !settings.categories.is_empty() {
            return Self::named(settings.categories.clone(), true);
        }
        let occurring: BTreeMap<String, &Cell> = cells
            .filter_map(|cell| Some((cell.text()?, cell)))
            .collect();
        let numbers: Option<Vec<f64>> = occurring.values().map(|cell| cell.number()).collect();
        let Some(mut numbers) = numbers else {
            return Self::named(occurring.into_keys().collect(), false);
        };
        if let Some([low, high]) = settings.scale
            && (0.0..=LONGEST_SCALE).contains(&(high - low))
            && [low, high]
                .iter()
                .chain(&numbers)
                .all(|number| number.fract() == 0.0)
        {
            let steps = (high - low) as usize;
            numbers = (0..=steps).map(|step| low + step as f64).collect();
        }
        numbers.sort_by(f64::total_cmp);
        Self::named(
            numbers
                .iter()
                .map(|number| (number + 0.0).to_string())
                .collect(),
            true,
        )
    }

    fn named(names: Vec<String>, ordered: bool) -> Self {
        // As a number is shown, so that a category `1.0` is the number 1.
        let shown = |name: &String| match name.parse::<f64>() {
            Ok(number) if number.is_finite() => (number + 0.0).to_string(),
            _ => name.clone(),
        };
        let mut places = BTreeMap::new();
        for (place, name) in names.iter().enumerate() {
            places.entry(shown(name)).or_insert(place);
            places.entry(name.clone()).or_insert(place);
        }
        Self {
            names,
            ordered,
            places,
        }
    }

    /// The place of a label, or that it is none of them.
    pub(super) fn place(&self, cell: &Cell) -> Result<usize, NoValue> {
        let label = match cell {
            Cell::Number(number) => (number + 0.0).to_string(),
            _ => cell.text().unwrap_or_default(),
        };
        let unknown = || {
            let why = format!("`{label}` occurs and is none of the categories");
            NoValue::new(Code::InvalidParameter, why)
        };
        self.places.get(&label).copied().ok_or_else(unknown)
    }

    /// The weights that a spec asks for.
    pub(super) fn weights(&self, settings: &Settings) -> Result<Weights, StatsError> {
        let known = [
            ("identity", Weights::Identity),
            ("linear", Weights::Linear),
            ("quadratic", Weights::Quadratic),
        ];
        let unknown = StatsError::Choice {
            setting: "weights",
            known: "`identity`, `linear` and `quadratic`",
        };
        let weights = choice(settings.weights.as_deref(), &known, unknown)?;
        if weights != Weights::Identity && !self.ordered {
            return Err(StatsError::NoOrder);
        }
        Ok(weights)
    }
}
