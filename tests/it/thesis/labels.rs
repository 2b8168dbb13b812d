//! What was labelled by hand in the gold texts: rows that hold places and no text.

use std::path::Path;

/// A document, and a stretch of its text in characters.
pub(super) type Place = (String, usize, usize);

/// The rows of a file in `tests/data`: places, and the columns after them.
pub(super) fn labels(file: &str) -> impl Iterator<Item = (Place, Vec<String>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let reader = csv::Reader::from_path(folder.join(file)).unwrap();
    reader.into_records().map(|record| {
        let record = record.unwrap();
        let place = |at: usize| record[at].parse().unwrap();
        let columns = record.iter().skip(3).map(str::to_owned);
        (
            (record[0].to_owned(), place(1), place(2)),
            columns.collect(),
        )
    })
}
