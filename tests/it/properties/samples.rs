//! Seeded samples: a document's luck is its own, whoever else takes part.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use tribunal::frame::{ColumnData, Frame, Keep};
use tribunal::stage::{Kind, Select, StageName};

/// The documents that a sample of `n` keeps.
fn sample(ids: &[String], n: usize, seed: u64) -> BTreeSet<String> {
    let name = StageName::new(Kind::Select, "some");
    let select = Select {
        from: StageName::new(Kind::Source, "docs"),
        keep: Keep::default(),
        condition: None,
        ids: None,
        keywords: None,
        tokens: None,
        sentences: None,
        sentence_characters: None,
        top: None,
        sample: Some(n),
        columns: Vec::new(),
        add: BTreeMap::new(),
        distinct: false,
    };
    let frame = Frame::new(vec![("doc_id".to_owned(), ColumnData::text(ids))]).unwrap();
    let kept = select.choose(&frame, &name, seed).unwrap().frame;
    let column = kept.column("doc_id").unwrap();
    (0..kept.rows())
        .map(|row| column.text(row).unwrap().into_owned())
        .collect()
}

fn ids() -> impl Strategy<Value = Vec<String>> {
    prop::collection::btree_set("[a-z0-9]{1,6}", 1..40).prop_map(|ids| ids.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn others_do_not_change_which_of_some_documents_come_first(
        ids in ids(),
        seed in any::<u64>(),
        chosen in prop::collection::vec(any::<bool>(), 40),
        n in any::<prop::sample::Index>(),
    ) {
        let some: Vec<String> = ids.iter().zip(&chosen).filter(|(_, in_it)| **in_it).map(|(id, _)| id.clone()).collect();
        prop_assume!(!some.is_empty());
        let all = sample(&ids, n.index(ids.len() + 1), seed);
        let among: BTreeSet<String> = all.into_iter().filter(|id| some.contains(id)).collect();
        // As many of them drawn alone are the same ones.
        prop_assert_eq!(sample(&some, among.len(), seed), among);
    }

    #[test]
    fn the_order_of_the_rows_does_not_matter(
        ids in ids(),
        seed in any::<u64>(),
        n in any::<prop::sample::Index>(),
    ) {
        let n = n.index(ids.len() + 1);
        let back: Vec<String> = ids.iter().rev().cloned().collect();
        prop_assert_eq!(sample(&ids, n, seed), sample(&back, n, seed));
    }

    #[test]
    fn a_smaller_sample_is_part_of_a_larger_one(
        ids in ids(),
        seed in any::<u64>(),
        n in any::<prop::sample::Index>(),
    ) {
        let n = n.index(ids.len());
        prop_assert!(sample(&ids, n, seed).is_subset(&sample(&ids, n + 1, seed)));
    }
}

#[test]
fn another_seed_draws_other_documents() {
    let ids: Vec<String> = (0..40).map(|number| number.to_string()).collect();
    let drawn: BTreeSet<BTreeSet<String>> = (0..10).map(|seed| sample(&ids, 10, seed)).collect();
    assert!(drawn.len() > 8);
}
