//! Cells as reports hold them and as the audit of the thesis has them.

use std::collections::BTreeMap;

use serde_json::Value;
use tribunal::frame::Frame;

/// A cell of the audit: what a correct computation gives, with six decimals.
#[derive(Debug)]
pub(super) struct Audited {
    pub(super) row: String,
    pub(super) column: String,
    /// Absent where only the number of documents could be found.
    pub(super) value: Option<f64>,
    pub(super) n: u64,
}

/// A cell of ours.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Ours {
    pub(super) value: Option<f64>,
    pub(super) n: Option<u64>,
    pub(super) unscored: u64,
    pub(super) dropped: u64,
    pub(super) missing: u64,
    pub(super) p: Option<f64>,
    pub(super) why: String,
}

/// A table of ours: the values of its row and column fields, and the cell there.
#[derive(Debug)]
pub(super) struct Table(BTreeMap<Vec<String>, Ours>);

/// Whether two numbers agree within 1e-6, absolute up to one and relative above.
pub(super) fn close(left: f64, right: f64) -> bool {
    (left - right).abs() <= 1e-6 * right.abs().max(1.0)
}

impl Audited {
    pub(super) fn read(cell: &Value) -> Self {
        let text = |name: &str| cell[name].as_str().unwrap().to_owned();
        Self {
            row: text("row"),
            column: text("col"),
            value: cell["recomputed"].as_f64(),
            n: cell["n"].as_u64().unwrap(),
        }
    }

    /// `[43] fluency` as task and metric; `Avg. Overall t` is the average over both metrics.
    pub(super) fn task_and_metric(&self) -> (&str, String) {
        let mut words = self.row.split(' ');
        let task = words.next().unwrap().trim_matches(['[', ']']);
        (task, words.next().unwrap().to_lowercase())
    }

    pub(super) fn compare(&self, ours: &Ours) {
        assert!(self.value.is_some(), "{self:?}");
        self.compare_if_known(ours);
    }

    /// As [`compare`](Self::compare), but where the audit has no value any of ours will do.
    pub(super) fn compare_if_known(&self, ours: &Ours) {
        assert!(
            ours.value
                .is_some_and(|value| self.value.is_none_or(|known| close(value, known))),
            "{self:?} {ours:?}"
        );
        assert_eq!(ours.n, Some(self.n), "{self:?} {ours:?}");
    }
}

impl Table {
    pub(super) fn from_csv(bytes: &[u8]) -> Self {
        let mut reader = csv::Reader::from_reader(bytes);
        let header = reader.headers().unwrap().clone();
        let fields = header.iter().position(|name| name == "value").unwrap();
        let cells = reader.records().map(|record| {
            let record = record.unwrap();
            let key = record.iter().take(fields).map(str::to_owned).collect();
            let of =
                |name: &str| record[header.iter().position(|it| it == name).unwrap()].to_owned();
            let number = |name: &str| of(name).parse::<u64>().ok();
            let cell = Ours {
                value: of("value").parse().ok(),
                n: number("n"),
                unscored: number("unscored").unwrap_or(0),
                dropped: number("dropped").unwrap_or(0),
                missing: number("missing").unwrap_or(0),
                p: of("p").parse().ok(),
                why: of("why_none"),
            };
            (key, cell)
        });
        Self(cells.filter(|(_, cell)| cell.why != "no cell").collect())
    }

    pub(super) fn from_json(document: &Value) -> Self {
        let keys = |cell: &Value| -> Vec<String> {
            let parts = ["row", "column"].map(|name| cell[name].as_array().unwrap().clone());
            let texts = parts.concat();
            texts
                .iter()
                .map(|text| text.as_str().unwrap().to_owned())
                .collect()
        };
        let cells = document["cells"].as_array().unwrap().iter();
        Self(
            cells
                .map(|cell| {
                    let ours = Ours {
                        value: cell["value"].as_f64(),
                        ..Ours::default()
                    };
                    (keys(cell), ours)
                })
                .collect(),
        )
    }

    pub(super) fn from_frame(frame: &Frame) -> Self {
        let value = frame.column("value").unwrap();
        let fields: Vec<_> = ["task", "metric", "model"]
            .iter()
            .map(|name| frame.column(name).unwrap())
            .collect();
        let cells = (0..frame.rows()).map(|row| {
            let text =
                |field: &tribunal::frame::ColumnView<'_>| field.text(row).unwrap().into_owned();
            let ours = Ours {
                value: value.number(row).unwrap(),
                ..Ours::default()
            };
            (fields.iter().map(text).collect(), ours)
        });
        Self(cells.collect())
    }

    pub(super) fn at(&self, key: &[&str]) -> Ours {
        let key: Vec<String> = key.iter().map(|&part| part.to_owned()).collect();
        let cell = self.0.get(&key);
        cell.unwrap_or_else(|| panic!("no cell {key:?}")).clone()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&Vec<String>, &Ours)> {
        self.0.iter()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Every place with its value.
    pub(super) fn values(&self) -> Vec<(&[String], Option<f64>)> {
        self.0
            .iter()
            .map(|(key, cell)| (key.as_slice(), cell.value))
            .collect()
    }
}
