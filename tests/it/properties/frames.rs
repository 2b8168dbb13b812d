//! Tables and their parquet form.

use std::process::Command;

use proptest::prelude::*;
use tribunal::base::key::Digest;
use tribunal::frame::{ColumnData, Frame};

fn column(rows: usize) -> impl Strategy<Value = ColumnData> {
    prop_oneof![
        prop::collection::vec(any::<Option<String>>(), rows).prop_map(ColumnData::Text),
        prop::collection::vec(any::<Option<i64>>(), rows).prop_map(ColumnData::Int),
        prop::collection::vec(prop::option::of(any::<f64>()), rows).prop_map(ColumnData::Float),
        prop::collection::vec(any::<Option<bool>>(), rows).prop_map(ColumnData::Bool),
        prop::collection::vec(prop::option::of(any::<Vec<String>>()), rows).prop_map(|lists| {
            let json = |list: Vec<String>| serde_json::to_string(&list).unwrap();
            ColumnData::Json(lists.into_iter().map(|list| list.map(json)).collect())
        }),
    ]
}

fn columns() -> impl Strategy<Value = Vec<(String, ColumnData)>> {
    (0..40usize, 1..6usize).prop_flat_map(|(rows, width)| {
        let names = prop::collection::btree_set("[a-zé \"\\.]{1,8}", width);
        let columns = prop::collection::vec(column(rows), width);
        (names, columns).prop_map(|(names, columns)| names.into_iter().zip(columns).collect())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_table_read_back_from_parquet_is_the_table(columns in columns()) {
        let frame = Frame::new(columns).unwrap();
        let bytes = frame.to_parquet().unwrap();
        let back = Frame::from_parquet(bytes.clone(), None).unwrap();
        prop_assert_eq!(frame.names(), back.names());
        prop_assert_eq!(frame.rows(), back.rows());
        for name in frame.names() {
            let (before, after) = (frame.column(name).unwrap(), back.column(name).unwrap());
            prop_assert_eq!(before.kind(), after.kind());
            prop_assert_eq!(before.scalars(), after.scalars());
        }
        prop_assert_eq!(&back.to_parquet().unwrap(), &bytes);
    }

    #[test]
    fn the_bytes_depend_on_the_rows_and_not_on_how_they_were_put_together(
        columns in columns(),
        cut in any::<prop::sample::Index>(),
    ) {
        let frame = Frame::new(columns).unwrap();
        let cut = cut.index(frame.rows() + 1);
        let all: Vec<usize> = (0..frame.rows()).collect();
        let parts = [frame.take(&all[..cut]).unwrap(), frame.take(&all[cut..]).unwrap()];
        let stacked = Frame::stack(&parts).unwrap();
        prop_assert_eq!(stacked.to_parquet().unwrap(), frame.to_parquet().unwrap());
    }
}

/// A table large enough that polars would spread the work on it.
fn large() -> Frame {
    let rows = 200_000_u32;
    let number = |row: u32| (row * 7919) % 10_007;
    let texts = (0..rows).map(|row| Some(format!("a text that repeats, number {}", number(row))));
    let ints = (0..rows).map(|row| (row % 11 != 0).then(|| i64::from(number(row))));
    let floats = (0..rows).map(|row| (row % 13 != 0).then(|| f64::from(number(row)) / 3.0));
    Frame::new(vec![
        ("text".to_owned(), ColumnData::Text(texts.collect())),
        ("whole".to_owned(), ColumnData::Int(ints.collect())),
        ("number".to_owned(), ColumnData::Float(floats.collect())),
    ])
    .unwrap()
}

/// The digest of the large table's bytes, after reading them once more from parquet.
fn digest() -> Digest {
    let bytes = large().to_parquet().unwrap();
    let again = Frame::from_parquet(bytes.clone(), None).unwrap();
    assert_eq!(again.to_parquet().unwrap(), bytes);
    Digest::of(bytes)
}

#[test]
#[ignore = "started by another test as a child process"]
fn tells_the_digest() {
    println!("\ndigest: {}", digest());
}

#[test]
fn the_bytes_are_the_same_for_every_number_of_threads() {
    let here = digest().to_string();
    for threads in ["1", "2", "7"] {
        let output = Command::new(std::env::current_exe().unwrap())
            .args([
                "--ignored",
                "--exact",
                "--nocapture",
                "properties::frames::tells_the_digest",
            ])
            .env("POLARS_MAX_THREADS", threads)
            .env("RAYON_NUM_THREADS", threads)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let there = said.lines().find_map(|line| line.strip_prefix("digest: "));
        assert_eq!(there, Some(here.as_str()), "{threads} threads: {said}");
    }
}
