//! Replies of judges that are as they were in an earlier store.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::json;

use super::{columns, opened, reply};
use crate::base::key::Digest;
use crate::output::page::store::{Builder, Cell, Earlier, Row};
use crate::output::page::{Chunk, Store};

/// A store with the replies of judges, each known by a word, of which some are taken from an earlier one; and how many were.
fn of_judges(
    judges: &[(&str, &[Option<&str>])],
    earlier: Option<Earlier<Vec<u8>>>,
) -> (Store, Vec<u8>, usize) {
    let mut builder = Builder::new(columns(), Vec::new(), earlier);
    let mut taken = 0;
    for (name, replies) in judges {
        let made_from = Digest::of(name);
        let known = builder.has_replies(&made_from);
        let known = known.then(|| builder.take_over(made_from, replies.len()));
        taken += usize::from(known.is_some());
        let positions = known.flatten().unwrap_or_else(|| {
            let all = replies.iter();
            let all = all.map(|said| builder.reply(said.map(reply).as_ref()));
            let all = all.collect();
            builder.end_judge(Some(made_from));
            all
        });
        for reply in positions {
            builder.row(Row {
                rank: 0,
                cells: &[Cell::Text("j")],
                document: None,
                reply,
            });
        }
    }
    let (store, kept) = builder.build().unwrap();
    (store, kept, taken)
}

/// The chunks in the order of the list. They lie as they came.
fn chunks<'k>(store: &'k Store, kept: &'k [u8]) -> Vec<(&'k str, &'k [u8])> {
    let bytes = |chunk: &'k Chunk| &kept[chunk.at as usize..][..chunk.length];
    let chunks = store.chunks.iter();
    chunks.map(|chunk| (&*chunk.name, bytes(chunk))).collect()
}

proptest! {
    /// Whatever an earlier store has of judges, what is taken from it is what would have been made.
    #[test]
    fn replies_of_judges_that_are_taken_over_are_those_that_would_be_made(
        before in prop::collection::vec((0..6_usize, 0..200_usize), 0..5),
        after in prop::collection::vec((0..6_usize, 0..200_usize), 1..5),
    ) {
        let text = |judge: usize, question: usize| format!("{judge} {}", question * 7 % 90);
        let texts: Vec<Vec<String>> =
            (0..6).map(|judge| (0..200).map(|at| text(judge, at)).collect()).collect();
        let names: Vec<Vec<String>> =
            (0..6).map(|judge| (0..200).map(|many| format!("{judge} {many}")).collect()).collect();
        let said: Vec<Vec<Option<&str>>> = texts.iter().map(|texts| {
            texts.iter().enumerate().map(|(at, text)| (at % 11 != 3).then_some(text.as_str())).collect()
        }).collect();
        let list = |of: &[(usize, usize)]| -> Vec<(&str, &[Option<&str>])> {
            let mut known = BTreeSet::new();
            let of = of.iter().filter(|judge| known.insert(**judge));
            of.map(|&(judge, many)| (names[judge][many].as_str(), &said[judge][..many])).collect()
        };
        let (store, kept, _) = of_judges(&list(&before), None);
        let (made, bytes, _) = of_judges(&list(&after), None);
        let (again, taken_bytes, taken) = of_judges(&list(&after), Some(Earlier::new(&store, kept)));
        let same = list(&after).iter().filter(|judge| list(&before).contains(judge)).count();
        // A store without rows says nothing.
        prop_assert_eq!(taken, if store.judgements == 0 { 0 } else { same });
        prop_assert!(chunks(&made, &bytes) == chunks(&again, &taken_bytes));
        prop_assert_eq!(made.judges, again.judges);
    }
}

#[test]
fn replies_of_a_judge_begin_a_chunk_and_are_no_other_judges() {
    let two: [(&str, &[Option<&str>]); 2] =
        [("a", &[Some("4"), None, Some("4")]), ("b", &[Some("4")])];
    let (store, kept, _) = of_judges(&two, None);
    let replies = opened(&(store, kept), "index")["replies"].clone();
    assert_eq!(replies, json!([0, -1, 0, 64]));
}
