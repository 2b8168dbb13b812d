//! `export` stages.

use std::collections::BTreeSet;

use super::raw::RawExport;
use crate::stage::Export;
use crate::stage::check::RowShape;
use crate::stage::check::{Checking, Written};
use crate::toml::Problems;

impl Written for Export {
    type Raw = RawExport;

    fn check(raw: &RawExport, checking: &Checking<'_>, problems: &mut Problems) -> Option<Self> {
        let Checking { context, at, .. } = *checking;
        let from = checking.reads.to_vec();
        let columns = raw.columns.clone().unwrap_or_default().0;
        let mut seen = BTreeSet::new();
        if let Some(twice) = columns.iter().find(|column| !seen.insert(column.as_str())) {
            let path = [at, &["columns".to_owned()]].concat();
            context
                .problem(
                    "spec::bad-value",
                    format!("the column `{twice}` is named twice"),
                    &path,
                    "each column once",
                )
                .help("remove one of the two")
                .tell(problems);
        }
        Some(Export {
            from,
            columns,
            format: raw.format.unwrap_or_default(),
        })
    }

    fn shape(&self, _: &Checking<'_>) -> RowShape {
        RowShape::default()
    }
}
