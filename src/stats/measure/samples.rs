//! How measures read samples, labels that count as hits, and which p-value a line shows.

use std::collections::BTreeMap;

use super::read::numbers;
use super::{Code, Data, Line, NoValue, Role, Settings};
use crate::stats::StatsError;

/// Values by the name of their sample; one without values is there as well.
pub(super) struct Samples<T> {
    pub(super) named: BTreeMap<String, Vec<T>>,
    /// Rows without a value or a sample.
    pub(super) dropped: usize,
}

impl Samples<f64> {
    /// Reads numbers.
    pub(super) fn read(data: &Data) -> Result<Self, StatsError> {
        Ok(Self::of(data, numbers(data, Role::Value)?))
    }
}

impl Samples<bool> {
    /// Reads hits.
    pub(super) fn hits(data: &Data, settings: &Settings) -> Result<Self, StatsError> {
        Ok(Self::of(data, hits(data, Role::Value, settings)?))
    }
}

impl<T> Samples<T> {
    fn of(data: &Data, values: Vec<Option<T>>) -> Self {
        let mut samples = Self {
            named: BTreeMap::new(),
            dropped: 0,
        };
        for (row, value) in values.into_iter().enumerate() {
            let Some(name) = data.cell(Role::Sample, row).text() else {
                samples.dropped += 1;
                continue;
            };
            let own = samples.named.entry(name).or_default();
            match value {
                Some(value) => own.push(value),
                None => samples.dropped += 1,
            }
        }
        samples
    }

    /// The first sample and the one it is held against: `base` where the spec says which, else the second by name.
    pub(super) fn two(mut self, settings: &Settings) -> Result<[Vec<T>; 2], NoValue> {
        let against = match &settings.base {
            // One sample alone may lack the other in this group only.
            Some(base) if self.named.len() > 1 && !self.named.contains_key(base) => {
                let names: Vec<String> =
                    self.named.keys().map(|name| format!("`{name}`")).collect();
                let why = format!(
                    "`base` is `{base}`, which is none of the samples: {}",
                    names.join(", ")
                );
                return Err(NoValue::new(Code::InvalidParameter, why));
            }
            Some(base) => base.clone(),
            None => self.named.keys().nth(1).cloned().unwrap_or_default(),
        };
        let second = self.named.remove(&against).unwrap_or_default();
        if self.named.len() > 1 {
            let why = format!(
                "it compares 2 samples, and there are {}",
                self.named.len() + 1
            );
            return Err(NoValue::new(Code::InvalidParameter, why));
        }
        let first = self.named.pop_first().map(|(_, values)| values);
        Ok([first.unwrap_or_default(), second])
    }
}

/// A line of two samples with their sizes, for which a measure lists `n1` and `n2`; or one without values, and why.
pub(super) fn line_of_two<T>(
    samples: Samples<T>,
    settings: &Settings,
) -> Result<(Line, [Vec<T>; 2]), Line> {
    let dropped = samples.dropped;
    let n = samples.named.values().map(Vec::len).sum();
    let two = samples
        .two(settings)
        .map_err(|why| Line::of(n, dropped).without(why))?;
    let mut line = Line::of(n, dropped);
    line.set("n1", two[0].len());
    line.set("n2", two[1].len());
    Ok((line, two))
}

/// Whether each row counts as a hit: it is the label of `positive`, or, where there is none, 1 and not 0.
pub(super) fn hits(
    data: &Data,
    role: Role,
    settings: &Settings,
) -> Result<Vec<Option<bool>>, StatsError> {
    let hit = |row| {
        let cell = data.cell(role, row);
        if let (Some(positive), Some(label)) = (&settings.positive, cell.text()) {
            return Ok(Some(label == *positive));
        }
        match cell.number() {
            None if cell.is_absent() => Ok(None),
            Some(1.0) => Ok(Some(true)),
            Some(0.0) => Ok(Some(false)),
            _ => Err(StatsError::NoHit {
                column: role.key(),
                row,
            }),
        }
    };
    (0..data.len()).map(hit).collect()
}

/// Sets `p` to the first p-value that exists, and `p_method` to what it is called.
pub(super) fn set_p(line: &mut Line, values: [(&str, Result<f64, NoValue>); 2]) {
    set_first_p(line, ["p", "p_method"], values);
}

/// Sets the first of these columns to the first p-value that exists, and the second to what it is called.
pub(super) fn set_first_p(
    line: &mut Line,
    [column, called]: [&'static str; 2],
    values: [(&str, Result<f64, NoValue>); 2],
) {
    let [(name, first), (other, second)] = values;
    let (method, p) = match first {
        Ok(p) => (Ok(name), Ok(p)),
        Err(why) => match second {
            Ok(p) => (Ok(other), Ok(p)),
            Err(_) => (Err(why.clone()), Err(why)),
        },
    };
    line.set(column, p);
    line.set(called, method.map(str::to_owned));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::measure::Cell;

    fn two(base: &str, names: &[&str]) -> Result<[usize; 2], String> {
        let cells = |name: &&str| Cell::Text((*name).to_owned());
        let data = Data::of(names.len())
            .with(Role::Sample, names.iter().map(cells).collect())
            .with(Role::Value, vec![Cell::Number(1.0); names.len()]);
        let settings = Settings {
            base: Some(base.to_owned()),
            ..Settings::default()
        };
        let two = Samples::read(&data).unwrap().two(&settings);
        two.map(|two| two.map(|values| values.len()))
            .map_err(|why| why.why)
    }

    #[test]
    fn a_base_that_is_no_sample_is_told_with_those_that_there_are() {
        assert_eq!(two("y", &["x", "y", "x"]), Ok([2, 1]));
        assert_eq!(
            two("gold", &["x", "y"]).unwrap_err(),
            "`base` is `gold`, which is none of the samples: `x`, `y`"
        );
        assert_eq!(
            two("y", &["x", "y", "z"]).unwrap_err(),
            "it compares 2 samples, and there are 3"
        );
        // The other sample has no row here.
        assert_eq!(two("gold", &["x", "x"]), Ok([2, 0]));
    }
}
